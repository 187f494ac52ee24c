//! What the screen shows on a console, whose fonts have few characters.

use mageyard_engine::Mark;
use mageyard_terminal::{console_symbol, replace_for_console};

use super::hostile::models;
use crate::appearance::FrameView;
use crate::offscreen::render;
use crate::panes::mark_symbol;

/// The characters outside of ASCII that all these fonts have, of those that are used.
const IN_ALL_FONTS: &str = "·•←↑→↓≈─│┌┐└┘═║╔╗╚╝█▒░■▲▼»¶";

fn is_in_all_fonts(symbol: &str) -> bool {
    symbol.chars().all(|c| c.is_ascii() || IN_ALL_FONTS.contains(c))
}

#[test]
fn every_pane_and_dialog_has_only_characters_that_consoles_have() {
    for (index, mut model) in models("a text").into_iter().enumerate() {
        model.frame.shown_as = FrameView::Text;
        for (width, height) in [(120, 40), (80, 24), (60, 16)] {
            model.size = ratatui::layout::Size::new(width, height);
            let mut drawn = render(&model);
            replace_for_console(&mut drawn);
            let other = drawn.content.iter().find(|cell| !is_in_all_fonts(cell.symbol()));
            assert_eq!(other.map(ratatui::buffer::Cell::symbol), None, "model {index}");
        }
    }
}

#[test]
fn marks_stay_different_on_a_console() {
    let shown = Mark::ALL.map(|mark| {
        let symbol = mark_symbol(mark).0;
        symbol.chars().next().and_then(console_symbol).unwrap_or(symbol)
    });
    let different: std::collections::HashSet<_> = shown.into();
    assert_eq!(different.len(), Mark::ALL.len(), "{shown:?}");
    assert!(shown.iter().all(|symbol| is_in_all_fonts(symbol)), "{shown:?}");
}
