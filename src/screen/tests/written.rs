//! The output for a drawn screen: its grammar, and what an emulated terminal shows of it.

use ratatui::buffer::Buffer;

use mageyard_domain::is_hidden;
use mageyard_terminal::CellWriter;

/// The modes around a frame.
const FRAME: [&str; 2] = ["?2026h", "?2026l"];

/// The sequences that the writer of cells uses, after CSI: moves, styles, repetitions, erased cells and the modes around
/// a frame.
fn is_known(sequence: &str) -> bool {
    let (parameters, command) = sequence.split_at(sequence.len() - 1);
    let numbers = || parameters.split(';').map(str::parse::<u16>).collect::<Result<Vec<_>, _>>();
    match command {
        "H" => numbers().is_ok_and(|numbers| numbers.len() <= 2),
        "B" | "C" => parameters.is_empty() || numbers().is_ok_and(|numbers| numbers.len() == 1),
        "b" | "X" => numbers().is_ok_and(|numbers| numbers.len() == 1),
        "m" => parameters.is_empty() || numbers().is_ok(),
        _ => FRAME.contains(&sequence),
    }
}

/// The first thing in the output that is neither a sequence of the writer nor text to show.
fn first_unknown(output: &str) -> Option<String> {
    let mut pieces = output.split("\u{1b}[");
    let is_text = |text: &str| !text.contains(|c| is_hidden(c) || matches!(c, '\n' | '\t'));
    let before = pieces.next().filter(|text| !is_text(text));
    let mut after = pieces.filter(|piece| match piece.find(|c: char| c.is_ascii_alphabetic()) {
        Some(end) => !is_known(&piece[..=end]) || !is_text(&piece[end + 1..]),
        None => true,
    });
    before.or_else(|| after.next()).map(str::to_owned)
}

/// The output that draws this screen on a cleared terminal.
fn output_of(drawn: &Buffer, repeats: bool) -> String {
    CellWriter::new(repeats, true).write(Buffer::empty(drawn.area).diff(drawn).into_iter())
}

/// Checks that the output for a screen has no sequence but those of the writer.
pub(super) fn assert_known_output(drawn: &Buffer, what: &str) {
    for repeats in [false, true] {
        let output = output_of(drawn, repeats);
        assert_eq!(first_unknown(&output), None, "{what}, repeats {repeats}");
    }
}

/// What an emulated terminal shows of a screen.
pub(super) fn shown(drawn: &Buffer) -> vt100::Parser {
    let mut terminal =
        vt100::Parser::new(drawn.area.height.try_into().unwrap(), drawn.area.width.try_into().unwrap(), 0);
    terminal.process(output_of(drawn, false).as_bytes());
    terminal
}

#[test]
fn other_sequences_and_control_characters_are_found() {
    for known in [
        "",
        "a箱é",
        "\u{1b}[1H\u{1b}[B\u{1b}[3B\u{1b}[12X",
        "\u{1b}[?2026h\u{1b}[1;12H─\u{1b}[9b\u{1b}[Cx\u{1b}[4C\u{1b}[38;2;1;2;3;1mx\u{1b}[m\u{1b}[?2026l",
    ] {
        assert_eq!(first_unknown(known), None, "{known:?}");
    }
    for unknown in [
        "\u{1b}]0;x\u{7}",
        "\u{1b}[2J",
        "\u{1b}[H",
        "\u{1b}[X",
        "\u{1b}[?25h",
        "\u{1b}[3",
        "\u{1b}[1;1Hx\u{9b}5A",
        "a\n",
        "\u{1b}[mx\u{1b}7",
    ] {
        assert!(first_unknown(unknown).is_some(), "{unknown:?}");
    }
}
