//! The numbers that change how a terminal draws (ECMA-48, SGR).

use std::fmt::Write as _;

use ratatui::style::Color;
use ratatui::style::Modifier;

use super::style::Style;

/// Attributes with the numbers that set and take them.
const ATTRIBUTES: [(Modifier, u8, u8); 9] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::RAPID_BLINK, 6, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

/// What turns one style into the other: only what differs, each number with a `;` behind it.
pub(super) fn change(codes: &mut String, from: Style, to: Style) {
    attributes(codes, from.attributes, to.attributes);
    for (old, new, base) in [(from.ink, to.ink, 30), (from.paper, to.paper, 40)] {
        if old != new {
            color(codes, new, base);
        }
    }
    if from.underline != to.underline {
        underline(codes, to.underline);
    }
}

fn attributes(codes: &mut String, mut held: Modifier, wanted: Modifier) {
    for (attribute, _, off) in ATTRIBUTES {
        if held.contains(attribute) && !wanted.contains(attribute) {
            code(codes, format_args!("{off}"));
            let gone = ATTRIBUTES.iter().filter(|row| row.2 == off).map(|row| row.0);
            gone.for_each(|attribute| held.remove(attribute));
        }
    }
    for (attribute, on, _) in ATTRIBUTES {
        if wanted.contains(attribute) && !held.contains(attribute) {
            code(codes, format_args!("{on}"));
        }
    }
}

/// The code of a colour; `base` is 30 for ink and 40 for paper.
fn color(codes: &mut String, color: Color, base: u8) {
    let (dark, light, many) = (base, base + 60, base + 8);
    match color {
        Color::Reset => code(codes, format_args!("{}", base + 9)),
        Color::Rgb(r, g, b) => code(codes, format_args!("{many};2;{r};{g};{b}")),
        Color::Indexed(index) => code(codes, format_args!("{many};5;{index}")),
        Color::Black => code(codes, format_args!("{dark}")),
        Color::Red => code(codes, format_args!("{}", dark + 1)),
        Color::Green => code(codes, format_args!("{}", dark + 2)),
        Color::Yellow => code(codes, format_args!("{}", dark + 3)),
        Color::Blue => code(codes, format_args!("{}", dark + 4)),
        Color::Magenta => code(codes, format_args!("{}", dark + 5)),
        Color::Cyan => code(codes, format_args!("{}", dark + 6)),
        Color::Gray => code(codes, format_args!("{}", dark + 7)),
        Color::DarkGray => code(codes, format_args!("{light}")),
        Color::LightRed => code(codes, format_args!("{}", light + 1)),
        Color::LightGreen => code(codes, format_args!("{}", light + 2)),
        Color::LightYellow => code(codes, format_args!("{}", light + 3)),
        Color::LightBlue => code(codes, format_args!("{}", light + 4)),
        Color::LightMagenta => code(codes, format_args!("{}", light + 5)),
        Color::LightCyan => code(codes, format_args!("{}", light + 6)),
        Color::White => code(codes, format_args!("{}", light + 7)),
    }
}

/// The code of an underline's colour. Terminals have no short form for the named ones.
fn underline(codes: &mut String, color: Color) {
    match color {
        Color::Rgb(r, g, b) => code(codes, format_args!("58;2;{r};{g};{b}")),
        Color::Indexed(index) => code(codes, format_args!("58;5;{index}")),
        _ => code(codes, format_args!("59")),
    }
}

fn code(codes: &mut String, code: std::fmt::Arguments<'_>) {
    let _ = write!(codes, "{code};");
}
