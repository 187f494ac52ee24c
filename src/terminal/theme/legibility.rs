//! Checks that every text of every shipped theme is legible on its background, at each depth of colours.

use ratatui::style::{Color, Modifier, Style};

use super::color_depth::to_rgb;
use super::color_vision::linear;
use super::{ColorDepth, StyleRole, Theme};

/// The least contrast of text with its background by WCAG 2.
const CONTRAST: f64 = 4.5;

/// The least contrast in the palettes of terminals, which differ; bold and large text needs 3.
const CONTRAST_16: f64 = 4.0;

type Palette = [u32; 16];

/// The 16 colours of the Linux console, of xterm, and of two desktop terminals.
const PALETTES: [(&str, Palette); 4] = [
    (
        "Linux console",
        [
            0x00_0000, 0xaa_0000, 0x00_aa00, 0xaa_5500, 0x00_00aa, 0xaa_00aa, 0x00_aaaa, 0xaa_aaaa,
            0x55_5555, 0xff_5555, 0x55_ff55, 0xff_ff55, 0x55_55ff, 0xff_55ff, 0x55_ffff, 0xff_ffff,
        ],
    ),
    (
        "xterm",
        [
            0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5,
            0x7f_7f7f, 0xff_0000, 0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
        ],
    ),
    (
        "Visual Studio Code",
        [
            0x00_0000, 0xcd_3131, 0x0d_bc79, 0xe5_e510, 0x24_72c8, 0xbc_3fbc, 0x11_a8cd, 0xe5_e5e5,
            0x66_6666, 0xf1_4c4c, 0x23_d18b, 0xf5_f543, 0x3b_8eea, 0xd6_70d6, 0x29_b8db, 0xff_ffff,
        ],
    ),
    (
        "GNOME Terminal",
        [
            0x00_0000, 0xcc_0000, 0x4e_9a06, 0xc4_a000, 0x34_65a4, 0x75_507b, 0x06_989a, 0xd3_d7cf,
            0x55_5753, 0xef_2929, 0x8a_e234, 0xfc_e94f, 0x72_9fcf, 0xad_7fa8, 0x34_e2e2, 0xff_ffff,
        ],
    ),
];

const NAMED: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

fn luminance(rgb: [u8; 3]) -> f64 {
    let [r, g, b] = rgb.map(linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: [u8; 3], two: [u8; 3]) -> f64 {
    let one = luminance(one) + 0.05;
    let two = luminance(two) + 0.05;
    one.max(two) / one.min(two)
}

/// Roles of lines, which need not be read.
fn is_line(role: StyleRole) -> bool {
    matches!(role, StyleRole::Border | StyleRole::BarEmpty)
}

/// The colours of the text and behind it.
fn colors(theme: &Theme, role: StyleRole) -> [Color; 2] {
    let style = theme.style(StyleRole::Background).patch(theme.style(role));
    let Style { fg, bg, add_modifier, .. } = style;
    let front = fg.unwrap_or(Color::Reset);
    let ground = bg.unwrap_or(Color::Reset);
    if add_modifier.contains(Modifier::REVERSED) { [ground, front] } else { [front, ground] }
}

#[test]
fn every_text_of_a_theme_is_legible_on_its_background() {
    for name in ["dark", "light", "red-green-safe", "blue-yellow-safe"] {
        for (depth, least) in [(ColorDepth::TrueColor, CONTRAST), (ColorDepth::Ansi256, CONTRAST_16)] {
            let theme = Theme::named(name).unwrap().for_depth(depth);
            for role in StyleRole::all().filter(|role| !is_line(*role)) {
                let [Some(front), Some(ground)] = colors(&theme, role).map(to_rgb) else { continue };
                let ratio = contrast(front, ground);
                assert!(ratio >= least, "{name} with {depth:?}: {role:?} has {ratio:.1}");
            }
        }
    }
}

#[test]
fn sixteen_colors_are_legible_in_the_palettes_of_terminals() {
    for (name, text, ground) in [("ansi16", 0xff, 0x00), ("ansi16-light", 0x00, 0xff)] {
        let theme = Theme::named(name).unwrap();
        for (terminal, palette) in PALETTES {
            let seen = |color: Color, default: u8| match NAMED.iter().position(|named| *named == color) {
                Some(index) => palette[index].to_be_bytes()[1..].try_into().unwrap(),
                None => [default; 3],
            };
            for role in StyleRole::all().filter(|role| !is_line(*role)) {
                let is_reversed = theme.style(role).add_modifier.contains(Modifier::REVERSED);
                let defaults = if is_reversed { [ground, text] } else { [text, ground] };
                let [front, behind] = colors(&theme, role);
                let ratio = contrast(seen(front, defaults[0]), seen(behind, defaults[1]));
                assert!(ratio >= CONTRAST_16, "{name} in {terminal}: {role:?} has {ratio:.1}");
            }
        }
    }
}

#[test]
fn no_text_has_the_colour_of_its_background_at_any_depth() {
    for (name, _) in Theme::shipped() {
        for depth in [ColorDepth::TrueColor, ColorDepth::Ansi256, ColorDepth::Ansi16, ColorDepth::None] {
            let theme = Theme::named(name).unwrap().for_depth(depth);
            for role in StyleRole::all() {
                let [front, ground] = colors(&theme, role);
                assert!(front != ground || front == Color::Reset, "{name} with {depth:?}: {role:?}");
            }
        }
    }
}
