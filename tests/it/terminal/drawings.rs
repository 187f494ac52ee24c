//! What real environments draw in cells: the frame pane in the real program, its symbols and, below them, its styles.

use std::fmt::Write;

use insta::assert_snapshot;

use super::sandbox;
use crate::pty::Pty;

/// A style: foreground, background, bold, reversed.
type Style = (vt100::Color, vt100::Color, bool, bool);

fn style(cell: &vt100::Cell) -> Style {
    (cell.fgcolor(), cell.bgcolor(), cell.bold(), cell.inverse())
}

/// The frame pane: its symbols, and the same cells with a letter for each style in the order of their first places.
fn frame_pane(screen: &vt100::Screen) -> String {
    let (height, width) = screen.size();
    let symbol =
        |row, column| screen.cell(row, column).map_or(" ".to_owned(), |cell| cell.contents().to_owned());
    let right =
        (0..width.get()).find(|column| symbol(0, *column) == "╮").expect("the right border of the pane");
    let bottom = (1..height.get()).find(|row| symbol(*row, 0) == "╰").expect("the lower border of the pane");
    let mut known: Vec<Style> = Vec::new();
    let mut symbols = String::new();
    let mut styles = String::new();
    for row in 1..bottom {
        let (mut text, mut letters) = (String::new(), String::new());
        for cell in (1..right).filter_map(|column| screen.cell(row, column)) {
            let shown = if cell.has_contents() { cell.contents() } else { " " };
            text.push_str(shown);
            letters.push(if shown == " " { ' ' } else { letter(&mut known, style(cell)) });
        }
        writeln!(symbols, "{}", text.trim_end()).unwrap();
        writeln!(styles, "{}", letters.trim_end()).unwrap();
    }
    format!("{symbols}\n{styles}")
}

fn letter(known: &mut Vec<Style>, style: Style) -> char {
    let at = known.iter().position(|one| *one == style).unwrap_or_else(|| {
        known.push(style);
        known.len() - 1
    });
    char::from(b'A' + u8::try_from(at).unwrap())
}

#[test]
fn environments_are_drawn_in_cells_with_a_style_for_each_meaning() {
    let sandbox = sandbox();
    for (name, level) in
        [("sokoban", "sokoban/mini/1"), ("hanoi", "hanoi/first/1"), ("football", "football/mini/1")]
    {
        for (width, height) in [(120, 40), (80, 24)] {
            let play =
                ["play", level, "--agent", "idle", "--pictures", "half-blocks", "--set", "screen.frame=text"];
            let play = if name == "sokoban" { &play[..] } else { &play[..6] };
            let mut screen = Pty::start(&sandbox.command(play), width, height);
            screen.sees("step 1").sees("PAUSED").settle();
            assert_snapshot!(format!("{name}-{width}x{height}"), frame_pane(&screen.screen()));
        }
    }
}
