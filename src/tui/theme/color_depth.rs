//! How many colours the terminal has, and the nearest one that it can show.

use ratatui::style::Color;

/// The colours a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorDepth {
    /// No colour: only bold, dim, underline and reverse.
    None,
    /// The 16 colours of the terminal's own palette.
    Ansi16,
    /// The 256 colours of xterm: a 6x6x6 cube and 24 greys.
    Ansi256,
    /// 24-bit colour.
    TrueColor,
}

impl ColorDepth {
    /// The depth by the variables `TERM` and `COLORTERM`; `no_color` is whether `NO_COLOR` is set.
    pub fn detect(term: Option<&str>, colorterm: Option<&str>, no_color: bool) -> Self {
        match (term.unwrap_or_default(), colorterm.unwrap_or_default()) {
            _ if no_color => Self::None,
            ("dumb", _) => Self::None,
            (_, "truecolor" | "24bit") => Self::TrueColor,
            (term, _) if term.contains("direct") || term.contains("kitty") => Self::TrueColor,
            (term, _) if term.contains("256") => Self::Ansi256,
            ("", "") => Self::None,
            _ => Self::Ansi16,
        }
    }

    /// Whether frames are drawn as pictures by default.
    pub(crate) fn shows_pictures(self) -> bool {
        matches!(self, Self::Ansi256 | Self::TrueColor)
    }

    /// The nearest colour that the terminal can show.
    pub(crate) fn nearest(self, color: Color) -> Color {
        match (self, color) {
            (Self::None, _) => Color::Reset,
            (Self::Ansi256, Color::Rgb(r, g, b)) => Color::Indexed(nearest_indexed([r, g, b])),
            (Self::Ansi16, Color::Rgb(r, g, b)) => nearest_ansi16([r, g, b]),
            (_, color) => color,
        }
    }
}

/// The levels of each channel in the xterm cube.
const CUBE_LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The 16 colours of the terminal's palette with typical values.
const ANSI16_COLORS: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 49, 49]),
    (Color::Green, [13, 188, 121]),
    (Color::Yellow, [229, 229, 16]),
    (Color::Blue, [36, 114, 200]),
    (Color::Magenta, [188, 63, 188]),
    (Color::Cyan, [17, 168, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [102, 102, 102]),
    (Color::LightRed, [241, 76, 76]),
    (Color::LightGreen, [35, 209, 139]),
    (Color::LightYellow, [245, 245, 67]),
    (Color::LightBlue, [59, 142, 234]),
    (Color::LightMagenta, [214, 112, 214]),
    (Color::LightCyan, [41, 184, 219]),
    (Color::White, [255, 255, 255]),
];

fn nearest_indexed(rgb: [u8; 3]) -> u8 {
    let step = |value: u8| (0..6u8).min_by_key(|&i| CUBE_LEVELS[usize::from(i)].abs_diff(value)).unwrap_or(0);
    let [r, g, b] = rgb.map(step);
    let mean = (rgb.iter().map(|&value| u32::from(value)).sum::<u32>() / 3).min(238);
    let grey = u8::try_from(mean.saturating_sub(3) / 10).unwrap_or(23).min(23);
    let shade = 8 + grey * 10;
    let coloured = [r, g, b].map(|i| CUBE_LEVELS[usize::from(i)]);
    if distance(rgb, [shade; 3]) < distance(rgb, coloured) { 232 + grey } else { 16 + 36 * r + 6 * g + b }
}

fn nearest_ansi16(rgb: [u8; 3]) -> Color {
    let nearest = ANSI16_COLORS.iter().min_by_key(|(_, shown)| distance(rgb, *shown));
    nearest.map_or(Color::Reset, |(color, _)| *color)
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// The typical value of a colour, for pictures of the screen; `None` for the terminal's default.
pub(crate) fn to_rgb(color: Color) -> Option<[u8; 3]> {
    match color {
        Color::Reset => None,
        Color::Rgb(r, g, b) => Some([r, g, b]),
        Color::Indexed(index @ 0..16) => Some(ANSI16_COLORS[usize::from(index)].1),
        Color::Indexed(index @ 16..232) => {
            let at = index - 16;
            Some([at / 36, at / 6 % 6, at % 6].map(|i| CUBE_LEVELS[usize::from(i)]))
        }
        Color::Indexed(index) => Some([8 + (index - 232) * 10; 3]),
        named => ANSI16_COLORS.iter().find(|(color, _)| *color == named).map(|(_, rgb)| *rgb),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_depth_follows_the_environment_variables() {
        for (term, colorterm, no_color, depth) in [
            (Some("xterm-256color"), Some("truecolor"), false, ColorDepth::TrueColor),
            (Some("xterm-256color"), None, false, ColorDepth::Ansi256),
            (Some("screen-256color"), Some("24bit"), false, ColorDepth::TrueColor),
            (Some("xterm"), None, false, ColorDepth::Ansi16),
            (Some("dumb"), Some("truecolor"), false, ColorDepth::None),
            (None, None, false, ColorDepth::None),
            (Some("xterm-kitty"), None, false, ColorDepth::TrueColor),
            (Some("xterm-256color"), Some("truecolor"), true, ColorDepth::None),
        ] {
            assert_eq!(ColorDepth::detect(term, colorterm, no_color), depth, "{term:?} {colorterm:?}");
        }
    }

    #[test]
    fn colors_are_mapped_to_the_nearest_available() {
        assert_eq!(ColorDepth::Ansi256.nearest(Color::Rgb(255, 0, 0)), Color::Indexed(196));
        assert_eq!(ColorDepth::Ansi256.nearest(Color::Rgb(0, 0, 0)), Color::Indexed(16));
        assert_eq!(ColorDepth::Ansi256.nearest(Color::Rgb(128, 128, 128)), Color::Indexed(244));
        assert_eq!(ColorDepth::Ansi256.nearest(Color::Rgb(255, 255, 255)), Color::Indexed(231));
        assert_eq!(ColorDepth::Ansi16.nearest(Color::Rgb(250, 5, 5)), Color::Red);
        assert_eq!(ColorDepth::None.nearest(Color::Rgb(1, 2, 3)), Color::Reset);
        assert_eq!(ColorDepth::TrueColor.nearest(Color::Red), Color::Red);
        assert_eq!(to_rgb(Color::Indexed(196)), Some([255, 0, 0]));
    }
}
