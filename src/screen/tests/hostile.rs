//! Text from outside that is full of sequences and invisible characters: no pane, no dialog, not the dashboard and not the
//! linear mode hands any of it to the terminal.

mod ask_models;
mod models;
mod suite_models;

use proptest::prelude::*;
use ratatui::buffer::Buffer;

pub(crate) use self::models::models;
pub(super) use self::models::snapshot;
use super::written::assert_known_output;
use super::*;
use crate::linear::{Narrator, Reading};
use crate::model::EpisodeView;
use mageyard_domain::is_hidden;

/// Pieces that attack a terminal or a reader.
const PIECES: [&str; 22] = [
    "\u{1b}[2J",
    "\u{1b}[31m",
    "\u{1b}]52;c;QUJD\u{7}",
    "\u{1b}]8;;http://example.org\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "\u{1b}P+q544e\u{1b}\\",
    "\u{1b}_Ga=d\u{1b}\\",
    "\u{9b}5A",
    "\u{9d}0;title\u{9c}",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{200b}",
    "\u{200d}",
    "\u{e0041}\u{e0100}",
    "\0\u{7}\u{8}\u{b}\u{c}\r",
    "\u{7f}\u{85}\u{2028}",
    "👩\u{200d}👩\u{200d}👧",
    "e\u{301}\u{301}\u{301}",
    "箱を左に",
    "שלום عالم",
    "\n",
    "\t",
];

/// A text of such pieces, of words, and of any characters.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z#.$@ ]{1,12}",
    ];
    proptest::collection::vec(piece, 1..24).prop_map(|pieces| pieces.concat())
}

/// Whether a character may be on the screen.
fn is_safe(c: char) -> bool {
    !is_hidden(c) && c != '\n' && c != '\t'
}

fn assert_safe_cells(buffer: &Buffer, what: &str) {
    for cell in &buffer.content {
        assert!(cell.symbol().chars().all(is_safe), "{what}: {:?}", cell.symbol());
    }
}

/// Everything that the linear mode says of a model.
fn said(model: &Model) -> Vec<String> {
    let readings = Pane::ALL.map(Reading::Pane).into_iter().chain([Reading::Status]);
    let news = Narrator::default().news(model);
    news.into_iter().chain(readings.flat_map(|reading| reading.lines(model))).collect()
}

fn assert_hostile_text_is_shown(text: &str, sizes: &[(u16, u16)]) {
    for (index, mut model) in models(text).into_iter().enumerate() {
        for (width, height) in sizes {
            model.size = Size::new(*width, *height);
            let drawn = render(&model);
            let what = format!("model {index} at {width}x{height}");
            assert_safe_cells(&drawn, &what);
            assert_known_output(&drawn, &what);
        }
        model.prepare();
        for line in said(&model) {
            assert!(line.chars().all(is_safe), "model {index} in lines: {line:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn no_pane_and_no_dialog_hands_on_a_control_character(text in hostile_text()) {
        assert_hostile_text_is_shown(&text, &[(120, 40), (80, 24), (60, 16)]);
    }
}

#[test]
fn each_piece_is_shown_wherever_text_comes_from_outside() {
    assert_hostile_text_is_shown(&PIECES.concat(), &[(120, 40), (60, 16)]);
}

#[test]
fn an_empty_line_is_shown() {
    assert_hostile_text_is_shown("\n", &[(120, 40), (80, 24), (60, 16)]);
}

#[test]
fn a_line_of_a_megabyte_is_drawn_at_once() {
    let text =
        PIECES.iter().filter(|piece| **piece != "\n").copied().collect::<String>().repeat(1 << 20 >> 7);
    assert!(text.len() > 1 << 20);
    let mut model = testing::model_of(snapshot(&text), 80, 24);
    assert_safe_cells(&render(&model), "a megabyte");
    model.modal = Some(Modal::Request(0));
    assert_safe_cells(&render(&model), "a megabyte in a request");
    assert_eq!(EpisodeView::index(model.episode().unwrap()), 1);
}
