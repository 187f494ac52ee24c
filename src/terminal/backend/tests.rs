//! The output of this backend against that of the crossterm backend.

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::cell_style::{LOWER_HALF, UPPER_HALF};
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
        prop_oneof![Just(" "), Just("a"), Just(UPPER_HALF), Just(LOWER_HALF), Just("é"), Just("e\u{301}")];
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

/// The visible parts of a cell: the symbol, the colours of its halves, and the attributes.
fn visible_cell(cell: &vt100::Cell) -> (String, vt100::Color, vt100::Color, [bool; 5]) {
    let ink = cell.fgcolor();
    let paper = cell.bgcolor();
    let marks = [cell.bold(), cell.dim(), cell.italic(), cell.underline(), cell.inverse()];
    let plain = !marks[3] && !marks[4];
    match cell.contents() {
        UPPER_HALF if plain && marks == [false; 5] => ("halves".into(), ink, paper, marks),
        LOWER_HALF if plain && marks == [false; 5] => ("halves".into(), paper, ink, marks),
        "" | " " if plain && paper != vt100::Color::Default => ("halves".into(), paper, paper, [false; 5]),
        "" | " " if plain => ("blank".into(), paper, paper, [false; 5]),
        text => (text.to_owned(), ink, paper, marks),
    }
}

fn visible_cells(screen: &vt100::Screen) -> Vec<(String, vt100::Color, vt100::Color, [bool; 5])> {
    let places = (0..SIZE.height).flat_map(|row| (0..SIZE.width).map(move |column| (row, column)));
    places.map(|(row, column)| visible_cell(screen.cell(row, column).unwrap())).collect()
}

fn draw<B: Backend<Error = io::Error>>(terminal: &mut B, from: &Buffer, to: &Buffer) {
    terminal.draw(from.diff(to).into_iter()).unwrap();
}

/// The same with every repeated character written out (REP), which the emulator of the tests does not know.
fn without_repetitions(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = part.split_once('b').and_then(|(number, rest)| Some((number.parse().ok()?, rest)));
        match number {
            Some((count, rest)) => {
                let last = written.chars().last().unwrap();
                written.extend(std::iter::repeat_n(last, count));
                written.push_str(rest);
            }
            None => written.extend(["\x1b[", part]),
        }
    }
    written
}

proptest! {
    #[test]
    fn the_result_equals_the_crossterm_backend_in_no_more_bytes(one in buffers(), two in buffers()) {
        let mut ours = String::new();
        let mut theirs = Vec::new();
        let mut writer = CellWriter::new(false, false);
        let mut repeated = String::new();
        let mut repeating = CellWriter::new(true, false);
        for (from, to) in [(&Buffer::empty(SIZE), &one), (&one, &two)] {
            ours.push_str(&writer.write(from.diff(to).into_iter()));
            repeated.push_str(&repeating.write(from.diff(to).into_iter()));
            draw(&mut CrosstermBackend::new(&mut theirs), from, to);
        }
        prop_assert!(repeated.len() <= ours.len() && ours.len() <= theirs.len());
        let repeated = without_repetitions(&repeated);
        let screen = |bytes: &[u8]| {
            let mut parser = vt100::Parser::new(SIZE.height.try_into().unwrap(), SIZE.width.try_into().unwrap(), 0);
            parser.process(bytes);
            visible_cells(parser.screen())
        };
        prop_assert_eq!(screen(ours.as_bytes()), screen(&theirs));
        prop_assert_eq!(screen(repeated.as_bytes()), screen(&theirs));
    }
}

#[test]
fn only_changes_are_written() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
    let red = Color::Rgb(255, 0, 0);
    let blue = Color::Rgb(0, 0, 255);
    for (x, (symbol, ink, paper)) in
        [(UPPER_HALF, red, blue), (UPPER_HALF, blue, red), (UPPER_HALF, red, red), ("x", red, red)]
            .into_iter()
            .enumerate()
    {
        buffer.content[x].set_symbol(symbol).set_fg(ink).set_bg(paper);
    }
    let mut out = Vec::new();
    draw(&mut DiffBackend::new(&mut out, (80, 24)), &Buffer::empty(*buffer.area()), &buffer);
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        text, "\x1b[1;4H\x1b[38;2;255;0;0;48;2;255;0;0mx\x1b[1;3H \x1b[1H\x1b[48;2;0;0;255m▀▄\x1b[m",
        "the letter first, then the picture by its colours"
    );
}

#[test]
fn runs_are_repeated_and_short_gaps_written_again() {
    let size = Rect::new(0, 0, 40, 1);
    let line = |text: &str| Buffer::with_lines([format!("{text:<40}")]);
    let mut writer = CellWriter::new(true, false);
    let first = writer.write(Buffer::empty(size).diff(&line("────────── the box")).into_iter());
    assert_eq!(first, "\x1b[1H─\x1b[9b the box");
    let second = writer.write(line("────────── the box").diff(&line("────────── one bag")).into_iter());
    assert_eq!(second, "\x1b[1;12Hone bag", "a blank that stays is shorter than a move");
    let third = writer.write(line("────────── one bag").diff(&line("xxxxx─────           y")).into_iter());
    assert_eq!(third, "\x1b[1Hxxxxx\x1b[6C \x1b[9by");
    let mut buffer = line("a       b");
    buffer[(1, 0)].set_diff_option(CellDiffOption::Skip);
    let mut writer = CellWriter::new(false, false);
    writer.forget(skipped_cells(&buffer));
    let mut next = line("c c");
    next[(1, 0)].set_diff_option(CellDiffOption::Skip);
    assert_eq!(
        writer.write(Buffer::empty(size).diff(&next).into_iter()),
        "\x1b[1Hc\x1b[Cc",
        "a picture is not drawn over"
    );
}

#[test]
fn the_cursor_moves_and_the_style_changes_in_the_shortest_way() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 14));
    let bold_red = |cell: &mut Cell| {
        cell.set_symbol("x").set_fg(Color::Red);
        cell.modifier = Modifier::BOLD;
    };
    bold_red(&mut buffer[(2, 1)]);
    buffer[(3, 4)].set_symbol("y");
    buffer[(0, 9)].set_symbol("z").set_fg(Color::Red);
    buffer[(0, 10)].set_symbol("é");
    let text = CellWriter::new(false, false).write(Buffer::empty(buffer.area).diff(&buffer).into_iter());
    assert_eq!(text, "\x1b[2;3H\x1b[1;31mx\x1b[3B\x1b[my\x1b[10H\x1b[31mz\x1b[11H\x1b[mé");
}

#[test]
fn long_blanks_are_erased_where_their_background_is_that_of_the_terminal() {
    let line = |text: &str| Buffer::with_lines([format!("{text:<40}")]);
    let full = line(&"x".repeat(40));
    let write = |repeats: bool, next: &Buffer| {
        let mut writer = CellWriter::new(repeats, false);
        let _ = writer.write(Buffer::empty(full.area).diff(&full).into_iter());
        writer.write(full.diff(next).into_iter())
    };
    let inside = line("xxxx            xxxxxxxxxxxxxxxxxxxxxxxx");
    assert_eq!(write(false, &inside), "\x1b[1;5H\x1b[12X", "nothing follows");
    let between = line("xxxx            y");
    assert_eq!(write(false, &between), "\x1b[1;5H\x1b[12X\x1b[12Cy\x1b[23X");
    assert_eq!(write(true, &between), "\x1b[1;5H \x1b[11by\x1b[23X");
    let short = line("xxxx     y");
    assert_eq!(write(false, &short), "\x1b[1;5H     y\x1b[30X");
    let mut on_red = inside;
    for x in 4..16 {
        on_red[(x, 0)].set_bg(Color::Red);
    }
    assert_eq!(write(false, &on_red), "\x1b[1;5H\x1b[41m            \x1b[m");
}

#[test]
fn cells_of_a_picture_are_written_by_their_colours_and_text_before_them() {
    let mut buffer = Buffer::with_lines(["   ", "   ", "ab "]);
    let red = Color::Rgb(250, 0, 0);
    let blue = Color::Rgb(0, 0, 250);
    for (x, y, ink, paper) in
        [(0, 0, red, blue), (1, 0, blue, blue), (0, 1, blue, red), (1, 1, red, red), (2, 1, blue, blue)]
    {
        buffer[(x, y)].set_symbol(UPPER_HALF).set_fg(ink).set_bg(paper);
    }
    let text = CellWriter::new(false, false).write(Buffer::empty(buffer.area).diff(&buffer).into_iter());
    let blue_blanks = "\x1b[1;2H\x1b[48;2;0;0;250m \x1b[B ";
    let halves = "\x1b[1H\x1b[38;2;250;0;0m▀\x1b[2H▄\x1b[48;2;250;0;0m \x1b[m";
    assert_eq!(text, format!("\x1b[3Hab{blue_blanks}{halves}"));
}
