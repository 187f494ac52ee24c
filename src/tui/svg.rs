//! A drawn screen as an SVG picture, for documents: cells of one size, half blocks and borders as
//! shapes, so that they are crisp in every viewer.

use std::fmt;
use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::buffer::Cell;
use ratatui::style::Color;
use ratatui::style::Modifier;

use super::theme::Role;
use super::theme::Theme;
use super::theme::rgb;

/// A cell in units of the picture.
const WIDE: u32 = 9;
const HIGH: u32 = 18;
/// From the top of a cell to the line the letters stand on.
const BASE: u32 = 13;
/// Around the screen.
const MARGIN: u32 = 12;

/// The screen as the text of an SVG file. The theme gives the colours that a terminal would give.
pub fn svg(buffer: &Buffer, theme: &Theme) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut text, buffer, &Paper::of(theme));
    text
}

/// The colours that stand for the terminal's own.
struct Paper {
    ink: [u8; 3],
    ground: [u8; 3],
}

impl Paper {
    fn of(theme: &Theme) -> Self {
        let color = |color: Option<Color>| color.and_then(rgb);
        Self {
            ink: color(theme.style(Role::Text).fg).unwrap_or([216, 216, 216]),
            ground: color(theme.style(Role::Background).bg).unwrap_or([18, 18, 18]),
        }
    }

    /// Ink and ground of a cell.
    fn colors(&self, cell: &Cell) -> ([u8; 3], [u8; 3]) {
        let ink = rgb(cell.fg).unwrap_or(self.ink);
        let ground = rgb(cell.bg).unwrap_or(self.ground);
        let (ink, ground) =
            if cell.modifier.contains(Modifier::REVERSED) { (ground, ink) } else { (ink, ground) };
        let faded = cell.modifier.contains(Modifier::DIM);
        (if faded { mixed(ink, ground) } else { ink }, ground)
    }
}

/// A faint ink: two fifths of it are ground.
fn mixed(ink: [u8; 3], ground: [u8; 3]) -> [u8; 3] {
    std::array::from_fn(|i| {
        let sum = u16::from(ink[i]) * 3 + u16::from(ground[i]) * 2;
        u8::try_from(sum / 5).unwrap_or(u8::MAX)
    })
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn write(out: &mut String, buffer: &Buffer, paper: &Paper) -> fmt::Result {
    let (width, height) = (u32::from(buffer.area.width) * WIDE, u32::from(buffer.area.height) * HIGH);
    let (outer, high) = (width + 2 * MARGIN, height + 2 * MARGIN);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {outer} {high}\" width=\"{outer}\" height=\"{high}\" \
         font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"{outer}\" height=\"{high}\" rx=\"8\" fill=\"{}\"/>\n<g transform=\"translate({MARGIN} {MARGIN})\">",
        hex(paper.ground),
    )?;
    for y in 0..buffer.area.height {
        grounds(out, buffer, paper, y)?;
        words(out, buffer, paper, y)?;
    }
    out.write_str("</g>\n</svg>\n")
}

fn row(buffer: &Buffer, y: u16) -> impl Iterator<Item = (u32, &Cell)> {
    let area = buffer.area;
    (0..area.width).map(move |x| (u32::from(x), &buffer[(area.x + x, area.y + y)]))
}

/// The grounds of a row and the shapes in it, neighbours of one colour together.
fn grounds(out: &mut String, buffer: &Buffer, paper: &Paper, y: u16) -> fmt::Result {
    let top = u32::from(y) * HIGH;
    let mut run = Run::default();
    for (x, cell) in row(buffer, y) {
        let (_, ground) = paper.colors(cell);
        run.go_on(out, x, ground, paper.ground, top)?;
    }
    run.end(out, paper.ground, top)?;
    row(buffer, y).try_for_each(|(x, cell)| shape(out, cell, &hex(paper.colors(cell).0), x * WIDE, top))
}

#[derive(Default)]
struct Run {
    start: u32,
    end: u32,
    color: [u8; 3],
}

impl Run {
    fn go_on(&mut self, out: &mut String, x: u32, color: [u8; 3], skip: [u8; 3], top: u32) -> fmt::Result {
        if color != self.color {
            self.end(out, skip, top)?;
            *self = Self { start: x, end: x, color };
        }
        self.end = x + 1;
        Ok(())
    }

    fn end(&self, out: &mut String, skip: [u8; 3], top: u32) -> fmt::Result {
        if self.start == self.end || self.color == skip {
            return Ok(());
        }
        let (x, width) = (self.start * WIDE, (self.end - self.start) * WIDE);
        rect(out, x, top, width, HIGH, &hex(self.color))
    }
}

fn rect(out: &mut String, x: u32, y: u32, width: u32, height: u32, color: &str) -> fmt::Result {
    writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\" shape-rendering=\"crispEdges\"/>"
    )
}

/// Blocks and borders as shapes; everything else is a letter.
fn shape(out: &mut String, cell: &Cell, ink: &str, x: u32, y: u32) -> fmt::Result {
    if let Some((from, height)) = block(cell.symbol()) {
        return rect(out, x, y + from, WIDE, height, ink);
    }
    let Some(path) = border(cell.symbol()) else { return Ok(()) };
    let width = if matches!(cell.symbol(), "━") { 3 } else { 1 };
    writeln!(
        out,
        "<path transform=\"translate({x} {y})\" d=\"{path}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\"/>"
    )
}

/// Where a block element begins in its cell, and how high it is.
fn block(symbol: &str) -> Option<(u32, u32)> {
    match symbol {
        "▀" => Some((0, HIGH / 2)),
        "▄" => Some((HIGH / 2, HIGH / 2)),
        "█" => Some((0, HIGH)),
        "▂" => Some((HIGH * 3 / 4, HIGH / 4)),
        "▅" => Some((HIGH * 3 / 8, HIGH * 5 / 8)),
        "▁" => Some((HIGH * 7 / 8, HIGH / 8)),
        _ => None,
    }
}

fn border(symbol: &str) -> Option<&'static str> {
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

/// The letters of a row: neighbours of one look in one element, each letter at its own column.
fn words(out: &mut String, buffer: &Buffer, paper: &Paper, y: u16) -> fmt::Result {
    let mut open: Option<(String, Vec<String>, String)> = None;
    for (x, cell) in row(buffer, y) {
        let symbol = cell.symbol();
        let drawn = symbol.trim().is_empty() || block(symbol).is_some() || border(symbol).is_some();
        let look = look(cell, paper);
        if drawn || open.as_ref().is_some_and(|(other, ..)| *other != look) {
            close(out, open.take(), y)?;
        }
        if !drawn {
            let (_, columns, text) = open.get_or_insert_with(|| (look, Vec::new(), String::new()));
            columns.extend(symbol.chars().map(|_| (x * WIDE).to_string()));
            escape(text, symbol);
        }
    }
    close(out, open, y)
}

fn look(cell: &Cell, paper: &Paper) -> String {
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

fn close(out: &mut String, open: Option<(String, Vec<String>, String)>, y: u16) -> fmt::Result {
    let Some((look, columns, text)) = open else { return Ok(()) };
    let base = u32::from(y) * HIGH + BASE;
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
