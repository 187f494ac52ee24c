//! How many colours the terminal has, and the nearest one that it can show.

use ratatui::style::Color;

/// The colours a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

    /// In words, such as `24 bit`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Ansi16 => "16",
            Self::Ansi256 => "256",
            Self::TrueColor => "24 bit",
        }
    }

    /// Whether frames are drawn as pictures by default.
    pub fn shows_pictures(self) -> bool {
        !matches!(self, Self::None)
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

/// The nearest colour of the 256. The candidates are the corners of the cube around the colour and the nearest greys.
fn nearest_indexed(rgb: [u8; 3]) -> u8 {
    let around = |value: u8| {
        let upper = CUBE_LEVELS.iter().position(|level| *level >= value).unwrap_or(5);
        [upper.saturating_sub(1), upper]
    };
    let [reds, greens, blues] = rgb.map(around);
    let corners = reds.into_iter().flat_map(|r| {
        greens.into_iter().flat_map(move |g| blues.into_iter().map(move |b| 16 + 36 * r + 6 * g + b))
    });
    let mean = rgb.iter().map(|value| usize::from(*value)).sum::<usize>() / 3;
    let shade = (mean.saturating_sub(3) / 10).min(23);
    let greys = [shade.saturating_sub(1), shade, (shade + 1).min(23)].map(|shade| 232 + shade);
    let candidates = corners.chain(greys).filter_map(|index| {
        let index = u8::try_from(index).ok()?;
        Some((index, distance(rgb, to_rgb(Color::Indexed(index))?)))
    });
    candidates.min_by(|(_, one), (_, two)| one.total_cmp(two)).map_or(16, |(index, _)| index)
}

/// The chroma below which a colour counts as grey, and the lightness below which it counts as black.
const GREY_CHROMA: f64 = 0.05;
const BLACK_LIGHTNESS: f64 = 0.3;

/// The nearest of the 16 colours. They are few and differ between terminals, so the hue decides before the lightness,
/// and greys are replaced by greys only.
fn nearest_ansi16(rgb: [u8; 3]) -> Color {
    let [light, a, b] = oklab(rgb);
    let chroma = a.hypot(b);
    if light < BLACK_LIGHTNESS {
        return Color::Black;
    }
    let is_grey = |chroma: f64| chroma < GREY_CHROMA;
    let candidates = ANSI16_COLORS.iter().filter_map(|(color, shown)| {
        let [shown_light, shown_a, shown_b] = oklab(*shown);
        let shown_chroma = shown_a.hypot(shown_b);
        let hue = match (is_grey(chroma), is_grey(shown_chroma)) {
            (true, true) => 0.0,
            (false, false) => {
                (a / chroma - shown_a / shown_chroma).hypot(b / chroma - shown_b / shown_chroma)
            }
            _ => return None,
        };
        Some((*color, hue.hypot(light - shown_light)))
    });
    let best = candidates.min_by(|(_, one), (_, two)| one.total_cmp(two));
    best.map_or(Color::Reset, |(color, _)| color)
}

/// How different two colours look, squared.
pub(super) fn distance(one: [u8; 3], two: [u8; 3]) -> f64 {
    oklab(one).iter().zip(oklab(two)).map(|(one, two)| (one - two).powi(2)).sum()
}

/// A colour in Oklab (Ottosson 2020), where equal distances look about equally large: unlike in RGB, a green stays
/// green and a grey stays grey when it is replaced by the nearest colour.
fn oklab(rgb: [u8; 3]) -> [f64; 3] {
    let [r, g, b] = rgb.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    let long = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
    let medium = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
    let short = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
    [
        0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short,
        1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short,
        0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short,
    ]
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
    fn greys_stay_grey_and_hues_stay_hues() {
        // Bricks and floor of Sokoban, the greys of the themes.
        for grey in [[107, 119, 144], [74, 82, 99], [30, 32, 40], [58, 64, 77], [133, 141, 157], [21, 23, 28]]
        {
            let shown = to_rgb(ColorDepth::Ansi256.nearest(Color::Rgb(grey[0], grey[1], grey[2]))).unwrap();
            let spread = shown.iter().max().unwrap() - shown.iter().min().unwrap();
            assert!(spread == 0, "{grey:?} is shown as {shown:?}");
            let shown = ColorDepth::Ansi16.nearest(Color::Rgb(grey[0], grey[1], grey[2]));
            assert!(matches!(shown, Color::Black | Color::DarkGray | Color::Gray), "{grey:?} as {shown:?}");
        }
        for (name, rgb, colors) in [
            ("green", [148, 199, 124], [Color::Green, Color::LightGreen]),
            ("red", [239, 127, 134], [Color::Red, Color::LightRed]),
            ("blue", [125, 180, 240], [Color::LightBlue, Color::LightCyan]),
            ("orange", [222, 158, 50], [Color::Yellow, Color::LightYellow]),
        ] {
            let shown = ColorDepth::Ansi16.nearest(Color::Rgb(rgb[0], rgb[1], rgb[2]));
            assert!(colors.contains(&shown), "{name} is shown as {shown:?}");
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
