//! Cells as bytes, as few as will do: over SSH every step of an agent is paid for by them. Only the colour
//! that changes is sent, a blank has no ink, a half block is turned upside down where that saves a
//! colour, and the cursor goes on relatively where that is shorter.
//!
//! It writes the same picture as the library's own drawing, and everything else goes through that.

use std::fmt::Write as _;
use std::io;
use std::io::Write;

use ratatui::backend::Backend;
use ratatui::backend::ClearType;
use ratatui::backend::CrosstermBackend;
use ratatui::backend::WindowSize;
use ratatui::buffer::Cell;
use ratatui::layout::Position;
use ratatui::layout::Size;
use ratatui::style::Color;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

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

/// Attributes by which a blank shows its ink.
const ON_BLANKS: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT).union(Modifier::HIDDEN);

const UPPER: &str = "▀";
const LOWER: &str = "▄";

/// How a cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Style {
    ink: Color,
    paper: Color,
    underline: Color,
    attributes: Modifier,
}

/// What a terminal draws with after a reset.
const PLAIN: Style =
    Style { ink: Color::Reset, paper: Color::Reset, underline: Color::Reset, attributes: Modifier::empty() };

/// The pen of a terminal: what it draws with and where it stands.
struct Pen {
    style: Style,
    /// Where the next symbol falls; unknown after one whose width terminals disagree about.
    at: Option<Position>,
    codes: String,
    text: String,
}

impl Pen {
    fn new() -> Self {
        Self { style: PLAIN, at: None, codes: String::new(), text: String::new() }
    }

    fn cell(&mut self, at: Position, cell: &Cell) {
        self.go(at);
        let wanted = Style {
            ink: cell.fg,
            paper: cell.bg,
            underline: cell.underline_color,
            attributes: cell.modifier,
        };
        let (symbol, style) = thrifty(cell.symbol(), wanted, self.style);
        self.take(style);
        self.text.push_str(symbol);
        let narrow = symbol.chars().count() == 1 && symbol.width() == 1;
        self.at = narrow.then_some(Position { x: at.x + 1, y: at.y });
    }

    fn go(&mut self, to: Position) {
        match self.at {
            Some(at) if at == to => {}
            Some(at) if at.y == to.y && at.x + 1 == to.x => self.text.push_str("\x1b[C"),
            Some(at) if at.y == to.y && at.x < to.x => self.put(format_args!("\x1b[{}C", to.x - at.x)),
            _ => self.put(format_args!("\x1b[{};{}H", to.y + 1, to.x + 1)),
        }
    }

    /// Changes what differs, in one code.
    fn take(&mut self, wanted: Style) {
        if wanted == self.style {
            return;
        }
        self.codes.clear();
        self.attributes(wanted.attributes);
        let from = self.style;
        for (old, new, base) in [(from.ink, wanted.ink, 30), (from.paper, wanted.paper, 40)] {
            if old != new {
                color(&mut self.codes, new, base);
            }
        }
        if from.underline != wanted.underline {
            underline(&mut self.codes, wanted.underline);
        }
        self.style = wanted;
        let codes = std::mem::take(&mut self.codes);
        self.put(format_args!("\x1b[{}m", codes.trim_end_matches(';')));
        self.codes = codes;
    }

    fn attributes(&mut self, wanted: Modifier) {
        let mut held = self.style.attributes;
        for (attribute, _, off) in ATTRIBUTES {
            if held.contains(attribute) && !wanted.contains(attribute) {
                code(&mut self.codes, format_args!("{off}"));
                let gone = ATTRIBUTES.iter().filter(|row| row.2 == off).map(|row| row.0);
                gone.for_each(|attribute| held.remove(attribute));
            }
        }
        for (attribute, on, _) in ATTRIBUTES {
            if wanted.contains(attribute) && !held.contains(attribute) {
                code(&mut self.codes, format_args!("{on}"));
            }
        }
    }

    /// What was drawn; the pen is plain again, so that nothing leaks into what others write.
    fn finish(&mut self) -> &str {
        if self.style != PLAIN {
            self.text.push_str("\x1b[m");
        }
        &self.text
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = self.text.write_fmt(text);
    }
}

/// The cheapest way to draw a symbol so that it looks as wanted, when the pen draws with `held`.
fn thrifty(symbol: &str, wanted: Style, held: Style) -> (&str, Style) {
    let Style { ink, paper, underline, attributes } = wanted;
    match symbol {
        " " if !attributes.intersects(ON_BLANKS) => {
            // Weight and slant do not show on a blank, and neither does the ink.
            let kept = held.attributes.difference(ON_BLANKS);
            (symbol, Style { paper, attributes: kept, underline: held.underline, ink: held.ink })
        }
        // The default ink and the default paper are different colours that cannot change places.
        UPPER | LOWER if attributes.is_empty() && ink != Color::Reset && paper != Color::Reset => {
            if ink == paper && held.attributes.is_empty() {
                return (" ", Style { paper, ..held });
            }
            let turned = Style { ink: paper, paper: ink, underline, attributes };
            let other = if symbol == UPPER { LOWER } else { UPPER };
            let changes =
                |style: Style| usize::from(style.ink != held.ink) + usize::from(style.paper != held.paper);
            if changes(turned) < changes(wanted) { (other, turned) } else { (symbol, wanted) }
        }
        _ => (symbol, wanted),
    }
}

fn code(codes: &mut String, code: std::fmt::Arguments<'_>) {
    let _ = write!(codes, "{code};");
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

/// The library's terminal with our own drawing.
pub(super) struct Thrifty<W: Write>(CrosstermBackend<W>);

impl<W: Write> Thrifty<W> {
    pub(super) fn new(out: W) -> Self {
        Self(CrosstermBackend::new(out))
    }
}

impl<W: Write> Write for Thrifty<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.0)
    }
}

impl<W: Write> Backend for Thrifty<W> {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, cells: I) -> io::Result<()> {
        let mut pen = Pen::new();
        cells.for_each(|(x, y, cell)| pen.cell(Position { x, y }, cell));
        self.0.write_all(pen.finish().as_bytes())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.0.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    use super::*;

    const SIZE: Rect = Rect { x: 0, y: 0, width: 12, height: 4 };

    fn colors() -> impl Strategy<Value = Color> {
        prop_oneof![
            Just(Color::Reset),
            Just(Color::Red),
            Just(Color::DarkGray),
            Just(Color::Indexed(200)),
            Just(Color::Rgb(1, 2, 3)),
            Just(Color::Rgb(250, 0, 9)),
        ]
    }

    fn cells() -> impl Strategy<Value = Cell> {
        let symbols =
            prop_oneof![Just(" "), Just("a"), Just(UPPER), Just(LOWER), Just("é"), Just("e\u{301}")];
        let attributes = prop_oneof![
            3 => Just(Modifier::empty()),
            1 => Just(Modifier::BOLD),
            1 => Just(Modifier::DIM | Modifier::ITALIC),
            1 => Just(Modifier::REVERSED),
            1 => Just(Modifier::UNDERLINED | Modifier::BOLD),
        ];
        (symbols, colors(), colors(), attributes).prop_map(|(symbol, ink, paper, attributes)| {
            let mut cell = Cell::default();
            cell.set_symbol(symbol).set_fg(ink).set_bg(paper);
            cell.modifier = attributes;
            cell
        })
    }

    fn buffers() -> impl Strategy<Value = Buffer> {
        let count = usize::from(SIZE.width * SIZE.height);
        proptest::collection::vec(cells(), count).prop_map(|content| Buffer { area: SIZE, content })
    }

    /// What the eye sees of a cell: the colours of its two halves, and what else shows.
    fn looks(cell: &vt100::Cell) -> (String, vt100::Color, vt100::Color, [bool; 5]) {
        let (ink, paper) = (cell.fgcolor(), cell.bgcolor());
        let marks = [cell.bold(), cell.dim(), cell.italic(), cell.underline(), cell.inverse()];
        let plain = !marks[3] && !marks[4];
        match cell.contents() {
            UPPER if plain && marks == [false; 5] => ("halves".into(), ink, paper, marks),
            LOWER if plain && marks == [false; 5] => ("halves".into(), paper, ink, marks),
            "" | " " if plain && paper != vt100::Color::Default => {
                ("halves".into(), paper, paper, [false; 5])
            }
            "" | " " if plain => ("blank".into(), paper, paper, [false; 5]),
            text => (text.to_owned(), ink, paper, marks),
        }
    }

    fn halves(screen: &vt100::Screen) -> Vec<(String, vt100::Color, vt100::Color, [bool; 5])> {
        let places = (0..SIZE.height).flat_map(|row| (0..SIZE.width).map(move |column| (row, column)));
        places.map(|(row, column)| looks(screen.cell(row, column).unwrap())).collect()
    }

    fn drawn<B: Backend<Error = io::Error>>(terminal: &mut B, from: &Buffer, to: &Buffer) {
        terminal.draw(from.diff(to).into_iter()).unwrap();
    }

    proptest! {
        #[test]
        fn it_looks_as_the_library_draws_it_and_costs_no_more(one in buffers(), two in buffers()) {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for (from, to) in [(&Buffer::empty(SIZE), &one), (&one, &two)] {
                drawn(&mut Thrifty::new(&mut ours), from, to);
                drawn(&mut CrosstermBackend::new(&mut theirs), from, to);
            }
            prop_assert!(ours.len() <= theirs.len());
            let screen = |bytes: &[u8]| {
                let mut parser = vt100::Parser::new(SIZE.height.try_into().unwrap(), SIZE.width.try_into().unwrap(), 0);
                parser.process(bytes);
                halves(parser.screen())
            };
            prop_assert_eq!(screen(&ours), screen(&theirs));
        }
    }

    #[test]
    fn only_what_changes_is_sent() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
        let (red, blue) = (Color::Rgb(255, 0, 0), Color::Rgb(0, 0, 255));
        for (x, (symbol, ink, paper)) in
            [(UPPER, red, blue), (UPPER, blue, red), (UPPER, red, red), ("x", red, red)]
                .into_iter()
                .enumerate()
        {
            buffer.content[x].set_symbol(symbol).set_fg(ink).set_bg(paper);
        }
        let mut out = Vec::new();
        drawn(&mut Thrifty::new(&mut out), &Buffer::empty(*buffer.area()), &buffer);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "\x1b[1;1H\x1b[38;2;255;0;0;48;2;0;0;255m▀▄\x1b[48;2;255;0;0m x\x1b[m");
    }
}
