//! The SGR parameters (ECMA-48) that change the style of a terminal.

use std::fmt::Write as _;

use ratatui::style::{Color, Modifier};

use super::cell_style::{CellStyle, PLAIN};

/// Attributes with the parameters that set and reset them.
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

/// Appends the parameters that change one style into the other, each followed by `;`: only what changes, or a reset and all
/// of it, whichever is shorter.
pub(super) fn style_change(codes: &mut String, from: CellStyle, to: CellStyle) {
    changes(codes, from, to);
    let changed = codes.len();
    // A reset alone needs no parameter.
    codes.push_str(if to == PLAIN { "" } else { "0;" });
    changes(codes, PLAIN, to);
    if codes.len() < 2 * changed {
        codes.drain(..changed);
    } else {
        codes.truncate(changed);
    }
}

fn changes(codes: &mut String, from: CellStyle, to: CellStyle) {
    attributes(codes, from.attributes, to.attributes);
    for (old, new, base) in [(from.fg, to.fg, 30), (from.bg, to.bg, 40)] {
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
            push_code(codes, format_args!("{off}"));
            let gone = ATTRIBUTES.iter().filter(|row| row.2 == off).map(|row| row.0);
            for attribute in gone {
                held.remove(attribute);
            }
        }
    }
    for (attribute, on, _) in ATTRIBUTES {
        if wanted.contains(attribute) && !held.contains(attribute) {
            push_code(codes, format_args!("{on}"));
        }
    }
}

/// Appends the parameters of a colour; `base` is 30 for the foreground and 40 for the background.
fn color(codes: &mut String, color: Color, base: u8) {
    let dark = base;
    let light = base + 60;
    let many = base + 8;
    match color {
        Color::Reset => push_code(codes, format_args!("{}", base + 9)),
        Color::Rgb(r, g, b) => push_code(codes, format_args!("{many};2;{r};{g};{b}")),
        Color::Indexed(index) => push_code(codes, format_args!("{many};5;{index}")),
        Color::Black => push_code(codes, format_args!("{dark}")),
        Color::Red => push_code(codes, format_args!("{}", dark + 1)),
        Color::Green => push_code(codes, format_args!("{}", dark + 2)),
        Color::Yellow => push_code(codes, format_args!("{}", dark + 3)),
        Color::Blue => push_code(codes, format_args!("{}", dark + 4)),
        Color::Magenta => push_code(codes, format_args!("{}", dark + 5)),
        Color::Cyan => push_code(codes, format_args!("{}", dark + 6)),
        Color::Gray => push_code(codes, format_args!("{}", dark + 7)),
        Color::DarkGray => push_code(codes, format_args!("{light}")),
        Color::LightRed => push_code(codes, format_args!("{}", light + 1)),
        Color::LightGreen => push_code(codes, format_args!("{}", light + 2)),
        Color::LightYellow => push_code(codes, format_args!("{}", light + 3)),
        Color::LightBlue => push_code(codes, format_args!("{}", light + 4)),
        Color::LightMagenta => push_code(codes, format_args!("{}", light + 5)),
        Color::LightCyan => push_code(codes, format_args!("{}", light + 6)),
        Color::White => push_code(codes, format_args!("{}", light + 7)),
    }
}

/// Appends the parameters of an underline colour. There is no short form for the named colours.
fn underline(codes: &mut String, color: Color) {
    match color {
        Color::Rgb(r, g, b) => push_code(codes, format_args!("58;2;{r};{g};{b}")),
        Color::Indexed(index) => push_code(codes, format_args!("58;5;{index}")),
        _ => push_code(codes, format_args!("59")),
    }
}

fn push_code(codes: &mut String, code: std::fmt::Arguments<'_>) {
    let _ = write!(codes, "{code};");
}
