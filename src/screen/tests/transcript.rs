//! The transcript of the agent pane: drawn steps where it is wide, and what is searched.

use super::*;
use crate::update::{Msg, update};
use mageyard_domain::{Glyph, Presentation};

const GLYPHS: &[(char, Glyph)] = &[
    ('#', Glyph::Obstacle),
    ('@', Glyph::Agent),
    ('.', Glyph::Goal),
    ('$', Glyph::Object),
    (' ', Glyph::Floor),
];

/// The sample episode whose observations are boards, with the agent pane in focus.
fn board_model(width: u16, height: u16) -> Model {
    let base = testing::sample_episode().snapshot();
    let presentation = Presentation { glyphs: GLYPHS, ..base.presentation };
    let mut model = testing::model_of(Snapshot { presentation, ..base }, width, height);
    model.prepare();
    (model.panes.focus, model.panes.tab) = (Pane::Agent, Pane::Agent);
    model
}

fn search(model: &mut Model, text: &str) {
    update(model, Msg::Key(testing::key("/")));
    update(model, Msg::Paste(text.to_owned()));
    update(model, Msg::Key(testing::key("enter")));
    model.notice = None;
}

#[test]
fn the_last_steps_before_are_drawn_where_the_pane_is_wide() {
    for (width, height) in [(120, 40), (200, 50), (80, 24)] {
        let model = board_model(width, height);
        assert_snapshot!(format!("transcript-{width}x{height}"), symbols(&render(&model)));
    }
    assert_snapshot!("transcript-styles", roles(&board_model(120, 40)));
}

#[test]
fn what_an_environment_draws_is_in_the_transcript_too() {
    let mut model = testing::page_model("a drawn page", true, 200, 50);
    let drawn = |model: &Model| screen_text(model).matches("@ in cells").count();
    assert_eq!(drawn(&model), 1, "the frame itself\n{}", screen_text(&model));
    model.episodes[0].snapshot = {
        let base = Snapshot::clone(&model.episodes[0].snapshot);
        let mut steps = base.steps.clone();
        for index in [3, 5] {
            let step = steps.get_mut(index).unwrap();
            let observation = Observation::from_parts(vec![], "a small drawing", index);
            *step = Step { observation, ..Step::clone(step) }.into();
        }
        Snapshot { steps, ..base }
    }
    .into();
    model.prepare();
    assert_eq!(
        drawn(&model),
        2,
        "only what follows the last step without a drawing\n{}",
        screen_text(&model)
    );
}

#[test]
fn a_step_that_has_what_is_searched_shows_it_marked() {
    let mut model = board_model(120, 40);
    search(&mut model, "from below");
    // The shown step has no match, so the search goes to the first one that has.
    assert_eq!(model.episode().map(super::super::model::EpisodeView::index), Some(0));
    update(&mut model, Msg::Key(testing::key("$")));
    let text = screen_text(&model);
    assert!(text.contains("1   Left            −0.5  … from below."), "{text}");
    assert!(roles(&model).contains("=match"));
    update(&mut model, Msg::Key(testing::key("esc")));
    assert!(!roles(&model).contains("=match"));
}
