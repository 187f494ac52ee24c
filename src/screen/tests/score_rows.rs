//! The rows of the score, and the pairs of boxes that they select.

use super::*;
use crate::model::FrameChoice;
use crate::update::{Msg, update};
use mageyard_domain::PairPlace;

fn press(model: &mut Model, keys: &str) {
    for name in keys.split(' ') {
        update(model, Msg::Key(testing::key(name)));
    }
}

fn page(width: u16, height: u16) -> Model {
    let model = testing::page_model("a page", true, width, height);
    testing::with(model, |model| {
        model.panes.focus = Pane::Score;
        model.panes.tab = Pane::Score;
        model.frame.choice = Some(FrameChoice::View("pairs"));
    })
}

#[test]
fn rows_open_and_select_the_pair_that_they_are_about() {
    let mut model = page(120, 40);
    press(&mut model, "down down right down");
    assert_eq!(model.score.selected_pair, Some(PairPlace { page: 0, pair: 0 }));
    press(&mut model, "j right j");
    assert_eq!(
        model.score.selected_pair,
        Some(PairPlace { page: 0, pair: 2 }),
        "a row below it keeps the pair"
    );
    assert_snapshot!("score-rows", screen_text(&model));
    press(&mut model, "left");
    assert_eq!(model.score.selected_pair, Some(PairPlace { page: 0, pair: 2 }));
    press(&mut model, "left left left");
    assert_eq!(model.visible_rows().len(), 3, "all rows are closed again");
    press(&mut model, "G");
    assert_eq!(model.score.selected_pair, None);
    assert_eq!(model.episodes[0].cursor, None, "arrows do not step in this pane");
}

#[test]
fn rows_are_shown_as_a_tab_too_and_their_texts_are_escaped() {
    let mut model = page(80, 24);
    press(&mut model, "j j l");
    assert_eq!(model.episodes[0].cursor, None);
    press(&mut model, "right G k right G");
    let text = screen_text(&model);
    assert!(text.contains("unmatched") && text.contains("▾ button.send ␛[2J"), "{text}");
    assert_snapshot!("score-rows-80x24", text);
}

#[test]
fn keys_of_replies_walk_through_the_pairs_of_the_frame() {
    let mut model = testing::with(page(120, 40), |model| model.panes.focus = Pane::Frame);
    press(&mut model, ". . .");
    assert_eq!(model.score.selected_pair, Some(PairPlace { page: 0, pair: 2 }));
    assert!(screen_text(&model).contains("▾ button.send"), "its row is open: {}", screen_text(&model));
    press(&mut model, ", ,");
    assert_eq!(model.score.selected_pair, Some(PairPlace { page: 0, pair: 0 }));
}
