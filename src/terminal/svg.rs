//! A drawn screen as an SVG picture, for documents. Cells have a fixed size; half blocks and borders are shapes, so
//! that they are crisp in every viewer.

use std::fmt;
use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::theme::{StyleRole, Theme, to_rgb};

/// The size of a cell in units of the picture.
const CELL_WIDTH: u32 = 9;
const CELL_HEIGHT: u32 = 18;
/// The distance from the top of a cell to the baseline of the text.
const BASELINE: u32 = 13;
/// The margin around the screen.
const MARGIN: u32 = 12;

/// The screen as the text of an SVG file. The theme defines the default colours.
pub fn svg(buffer: &Buffer, theme: &Theme) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = write_svg(&mut text, buffer, &DefaultColors::of(theme));
    text
}

/// The colours that replace the terminal's default colours.
struct DefaultColors {
    fg: [u8; 3],
    bg: [u8; 3],
}

impl DefaultColors {
    fn of(theme: &Theme) -> Self {
        let color = |color: Option<Color>| color.and_then(to_rgb);
        Self {
            fg: color(theme.style(StyleRole::Text).fg).unwrap_or([216, 216, 216]),
            bg: color(theme.style(StyleRole::Background).bg).unwrap_or([18, 18, 18]),
        }
    }

    /// Foreground and background of a cell.
    fn colors(&self, cell: &Cell) -> ([u8; 3], [u8; 3]) {
        let ink = to_rgb(cell.fg).unwrap_or(self.fg);
        let ground = to_rgb(cell.bg).unwrap_or(self.bg);
        let (ink, ground) =
            if cell.modifier.contains(Modifier::REVERSED) { (ground, ink) } else { (ink, ground) };
        let faded = cell.modifier.contains(Modifier::DIM);
        (if faded { dimmed(ink, ground) } else { ink }, ground)
    }
}

/// A dim foreground: two fifths of it are background.
fn dimmed(ink: [u8; 3], ground: [u8; 3]) -> [u8; 3] {
    std::array::from_fn(|i| {
        let sum = u16::from(ink[i]) * 3 + u16::from(ground[i]) * 2;
        u8::try_from(sum / 5).unwrap_or(u8::MAX)
    })
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn write_svg(out: &mut String, buffer: &Buffer, paper: &DefaultColors) -> fmt::Result {
    let (width, height) =
        (u32::from(buffer.area.width) * CELL_WIDTH, u32::from(buffer.area.height) * CELL_HEIGHT);
    let outer = width + 2 * MARGIN;
    let high = height + 2 * MARGIN;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {outer} {high}\" width=\"{outer}\" height=\"{high}\" \
         font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"{outer}\" height=\"{high}\" rx=\"8\" fill=\"{}\"/>\n<g transform=\"translate({MARGIN} {MARGIN})\">",
        hex(paper.bg),
    )?;
    for y in 0..buffer.area.height {
        write_backgrounds(out, buffer, paper, y)?;
        write_text(out, buffer, paper, y)?;
    }
    out.write_str("</g>\n</svg>\n")
}

fn row_cells(buffer: &Buffer, y: u16) -> impl Iterator<Item = (u32, &Cell)> {
    let area = buffer.area;
    (0..area.width).map(move |x| (u32::from(x), &buffer[(area.x + x, area.y + y)]))
}

/// The backgrounds and shapes of a row; neighbours of the same colour share one rectangle.
fn write_backgrounds(out: &mut String, buffer: &Buffer, paper: &DefaultColors, y: u16) -> fmt::Result {
    let top = u32::from(y) * CELL_HEIGHT;
    let mut run = ColorRun::default();
    for (x, cell) in row_cells(buffer, y) {
        let (_, ground) = paper.colors(cell);
        run.extend(out, x, ground, paper.bg, top)?;
    }
    run.write(out, paper.bg, top)?;
    row_cells(buffer, y)
        .try_for_each(|(x, cell)| write_shape(out, cell, &hex(paper.colors(cell).0), x * CELL_WIDTH, top))
}

#[derive(Default)]
struct ColorRun {
    start: u32,
    end: u32,
    color: [u8; 3],
}

impl ColorRun {
    fn extend(&mut self, out: &mut String, x: u32, color: [u8; 3], skip: [u8; 3], top: u32) -> fmt::Result {
        if color != self.color {
            self.write(out, skip, top)?;
            *self = Self { start: x, end: x, color };
        }
        self.end = x + 1;
        Ok(())
    }

    fn write(&self, out: &mut String, skip: [u8; 3], top: u32) -> fmt::Result {
        if self.start == self.end || self.color == skip {
            return Ok(());
        }
        let x = self.start * CELL_WIDTH;
        let width = (self.end - self.start) * CELL_WIDTH;
        write_rect(out, x, top, width, CELL_HEIGHT, &hex(self.color))
    }
}

fn write_rect(out: &mut String, x: u32, y: u32, width: u32, height: u32, color: &str) -> fmt::Result {
    writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\" shape-rendering=\"crispEdges\"/>"
    )
}

/// Writes block elements and borders as shapes; all other symbols are text.
fn write_shape(out: &mut String, cell: &Cell, ink: &str, x: u32, y: u32) -> fmt::Result {
    if let Some((from, height)) = block_extent(cell.symbol()) {
        return write_rect(out, x, y + from, CELL_WIDTH, height, ink);
    }
    let Some(path) = border_path(cell.symbol()) else { return Ok(()) };
    let width = if matches!(cell.symbol(), "━") { 3 } else { 1 };
    writeln!(
        out,
        "<path transform=\"translate({x} {y})\" d=\"{path}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\"/>"
    )
}

/// The top and the height of a block element in its cell.
fn block_extent(symbol: &str) -> Option<(u32, u32)> {
    match symbol {
        "▀" => Some((0, CELL_HEIGHT / 2)),
        "▄" => Some((CELL_HEIGHT / 2, CELL_HEIGHT / 2)),
        "█" => Some((0, CELL_HEIGHT)),
        "▂" => Some((CELL_HEIGHT * 3 / 4, CELL_HEIGHT / 4)),
        "▅" => Some((CELL_HEIGHT * 3 / 8, CELL_HEIGHT * 5 / 8)),
        "▁" => Some((CELL_HEIGHT * 7 / 8, CELL_HEIGHT / 8)),
        _ => None,
    }
}

fn border_path(symbol: &str) -> Option<&'static str> {
    Some(match symbol {
        "─" | "━" => "M0 9H9",
        "╌" => "M1 9H3.5M5.5 9H8",
        "│" => "M4.5 0V18",
        "╭" => "M4.5 18V13Q4.5 9 8.5 9H9",
        "╮" => "M4.5 18V13Q4.5 9 0.5 9H0",
        "╰" => "M4.5 0V5Q4.5 9 8.5 9H9",
        "╯" => "M4.5 0V5Q4.5 9 0.5 9H0",
        _ => return None,
    })
}

/// Writes the text of a row: neighbours of the same style share one element, with the position of each letter.
fn write_text(out: &mut String, buffer: &Buffer, paper: &DefaultColors, y: u16) -> fmt::Result {
    let mut open: Option<(String, Vec<String>, String)> = None;
    for (x, cell) in row_cells(buffer, y) {
        let symbol = cell.symbol();
        let drawn =
            symbol.trim().is_empty() || block_extent(symbol).is_some() || border_path(symbol).is_some();
        let look = text_attributes(cell, paper);
        if drawn || open.as_ref().is_some_and(|(other, ..)| *other != look) {
            close_text(out, open.take(), y)?;
        }
        if !drawn {
            let (_, columns, text) = open.get_or_insert_with(|| (look, Vec::new(), String::new()));
            columns.extend(symbol.chars().map(|_| (x * CELL_WIDTH).to_string()));
            escape(text, symbol);
        }
    }
    close_text(out, open, y)
}

fn text_attributes(cell: &Cell, paper: &DefaultColors) -> String {
    let mut look = format!("fill=\"{}\"", hex(paper.colors(cell).0));
    for (modifier, attribute) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
    ] {
        look.push_str(if cell.modifier.contains(modifier) { attribute } else { "" });
    }
    look
}

fn close_text(out: &mut String, open: Option<(String, Vec<String>, String)>, y: u16) -> fmt::Result {
    let Some((look, columns, text)) = open else { return Ok(()) };
    let base = u32::from(y) * CELL_HEIGHT + BASELINE;
    writeln!(out, "<text y=\"{base}\" x=\"{}\" {look}>{text}</text>", columns.join(" "))
}

fn escape(text: &mut String, symbol: &str) {
    for c in symbol.chars() {
        match c {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            c => text.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn cells_become_shapes_and_letters() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 1));
        buffer.set_string(0, 0, "a<", Style::new().fg(Color::Rgb(1, 2, 3)));
        buffer.set_string(2, 0, "▀", Style::new().fg(Color::Rgb(255, 0, 0)).bg(Color::Rgb(0, 0, 255)));
        let text = svg(&buffer, &Theme::named("dark").unwrap());
        for part in [
            "viewBox=\"0 0 60 42\"",
            "<text y=\"13\" x=\"0 9\" fill=\"#010203\">a&lt;</text>",
            "<rect x=\"18\" y=\"0\" width=\"9\" height=\"18\" fill=\"#0000ff\"",
            "<rect x=\"18\" y=\"0\" width=\"9\" height=\"9\" fill=\"#ff0000\"",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
}
