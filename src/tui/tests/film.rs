//! The film of a step: frame by frame, in real time, and on terminals without pictures.

use std::time::Duration;

use super::*;
use crate::tui::update::Effect;
use crate::tui::update::Msg;
use crate::tui::update::update;

fn model() -> Model {
    testing::page_model("the end of a film", true, 120, 40)
}

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for name in keys.split(' ') {
        effects.extend(update(model, Msg::Key(testing::key(name))));
        model.prepare();
    }
    effects
}

fn tick(model: &mut Model) -> Vec<Effect> {
    update(model, Msg::FilmTick)
}

/// The frame that is shown, and whether it is followed by the next one.
fn shown(model: &Model) -> Option<(usize, bool)> {
    model.film_position().map(|at| (at.frame, at.is_playing))
}

fn timer() -> Vec<Effect> {
    vec![Effect::FilmTimer(Duration::from_millis(100))]
}

#[test]
fn a_step_says_that_it_has_a_film_and_frames_are_shown_one_by_one() {
    let mut model = model();
    assert!(screen_text(&model).contains("3 frames (0.3 s): . F"), "{}", screen_text(&model));
    assert!(press(&mut model, ".").is_empty());
    let text = screen_text(&model);
    assert!(text.contains("film: frame 1 of 3, 0.1 s, paused"), "{text}");
    press(&mut model, "2 .");
    assert_eq!(shown(&model), Some((2, false)));
    press(&mut model, ".");
    assert_eq!(model.notice.as_deref(), Some("this is the last frame of the film"));
    press(&mut model, ", , ,");
    assert_eq!(shown(&model), Some((0, false)));
    assert_eq!(model.notice.as_deref(), Some("this is the first frame of the film"));
    assert!(press(&mut model, "esc").is_empty());
    assert_eq!(shown(&model), None);
}

#[test]
fn a_film_plays_in_real_time_and_ends_at_the_observation() {
    let mut model = model();
    assert_eq!(press(&mut model, "F"), timer());
    assert_eq!((shown(&model), tick(&mut model), shown(&model)), (Some((0, true)), timer(), Some((1, true))));
    assert!(screen_text(&model).contains("film: frame 2 of 3, 0.2 s, playing"));
    assert!(press(&mut model, "space").is_empty(), "Space pauses the film, not the run");
    assert_eq!((tick(&mut model), shown(&model)), (Vec::new(), Some((1, false))));
    assert_eq!(press(&mut model, "space"), timer());
    assert_eq!((tick(&mut model), shown(&model)), (timer(), Some((2, true))));
    assert_eq!((tick(&mut model), shown(&model)), (Vec::new(), None));
    assert!(matches!(press(&mut model, "space")[..], [Effect::Command(..)]), "now it runs the episode");
}

#[test]
fn another_step_is_shown_without_the_film() {
    let mut model = model();
    press(&mut model, "F h");
    assert_eq!((shown(&model), tick(&mut model)), (None, Vec::new()));
    assert!(press(&mut model, "F").is_empty());
    let notice = "this step has no film: its environment shows no frames between two observations";
    assert_eq!(model.notice.as_deref(), Some(notice));
}

#[test]
fn a_terminal_without_colours_shows_the_frames_as_text() {
    let mut model = model();
    model.appearance.settings.depth = ColorDepth::None;
    press(&mut model, ". .");
    let text = screen_text(&model);
    assert!(text.contains("frame 1 of the film") && !text.contains("the end of a film"), "{text}");
}

#[test]
fn the_filmstrip_says_what_the_environment_remarked() {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (5, 1))
        .step("Left", 4.5, true)
        .step("Up", -0.5, true);
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    press(&mut model, "0");
    assert!(screen_text(&model).contains("▲ 1  a box entered a target"), "{}", screen_text(&model));
    press(&mut model, "l");
    assert!(!screen_text(&model).contains("a box entered a target"));
}
