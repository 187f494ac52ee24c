//! The film of a step, frame by frame, in real time, and on terminals without pictures; and a person who plays by the
//! clock.

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::appearance::Motion;
use crate::update::{Effect, Msg, update};
use mageyard_domain::{ActionSpace, ActionSpec};
use mageyard_engine::{Ending, RunState, SessionCommand};

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
    update(model, Msg::FrameTick(1))
}

/// The frame that is shown, and whether it is followed by the next one.
fn shown(model: &Model) -> Option<(usize, bool)> {
    model.film_position().map(|at| (at.frame, at.is_playing))
}

fn timer() -> Vec<Effect> {
    vec![Effect::FrameTimer(Duration::from_millis(100))]
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
fn with_reduced_motion_a_film_is_shown_frame_by_frame() {
    let mut model = model();
    model.appearance.settings.motion = Motion::Reduced;
    for frame in [0, 1, 2, 0] {
        assert!(press(&mut model, "F").is_empty(), "no clock is started");
        assert_eq!(shown(&model), Some((frame, false)));
    }
}

#[test]
fn late_frames_are_left_out() {
    let mut model = testing::page_model("a film of 20 frames", true, 120, 40);
    press(&mut model, "F");
    assert_eq!(update(&mut model, Msg::FrameTick(7)), timer());
    assert_eq!(shown(&model), Some((7, true)));
    assert_eq!((update(&mut model, Msg::FrameTick(13)), shown(&model)), (Vec::new(), None), "the end");
}

#[test]
fn another_step_is_shown_without_the_film() {
    let mut model = model();
    press(&mut model, "F h");
    assert_eq!((shown(&model), tick(&mut model)), (None, Vec::new()));
    assert!(press(&mut model, "F").is_empty());
    let notice = "this step has no film: there are no frames between the observation before and this one";
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

/// A person at the page, whose environment has a clock.
fn person() -> Model {
    let mut model = testing::page_model("the end of a film", true, 120, 40);
    let viewed = model.episodes.get_mut(0).unwrap();
    let snapshot = {
        let base = (*viewed.snapshot).clone();
        Snapshot {
            run: RunState { person: true, waiting: Waiting::Ask, mode: Mode::Paused, ..base.run.clone() },
            ..base
        }
    };
    viewed.snapshot = snapshot.into();
    model
}

fn played(effects: &[Effect]) -> Vec<String> {
    let action = |effect: &Effect| match effect {
        Effect::Command(0, SessionCommand::Play(actions)) => Some(actions[0].name.clone()),
        _ => None,
    };
    effects.iter().filter_map(action).collect()
}

#[test]
fn a_person_plays_an_action_every_interval() {
    let mut model = person();
    assert_eq!(press(&mut model, "T"), timer());
    let text = screen_text(&model);
    assert!(text.contains("real time: Space stops the clock") && text.contains(" REAL TIME "), "{text}");
    assert_eq!(played(&tick(&mut model)), ["Up"], "no key: the idle action");
    assert!(press(&mut model, "left right").is_empty(), "keys wait for the interval");
    let effects = tick(&mut model);
    assert_eq!((played(&effects), effects.contains(&timer()[0])), (vec!["Right".to_owned()], true));
    assert_eq!(played(&tick(&mut model)), ["Up"]);
    press(&mut model, "space");
    assert!(tick(&mut model).is_empty() && model.real_time.is_none());
}

#[test]
fn the_clock_waits_for_the_environment_and_stops_with_the_episode() {
    let mut model = person();
    press(&mut model, "T");
    let set = |model: &mut Model, waiting| {
        let snapshot = {
            let base = (*model.episodes[0].snapshot).clone();
            Snapshot { run: RunState { waiting, ..base.run.clone() }, ..base }
        };
        model.episodes[0].snapshot = snapshot.into();
    };
    set(&mut model, Waiting::Environment);
    assert_eq!(tick(&mut model), timer());
    set(&mut model, Waiting::Ended(Ending::Won));
    assert!(tick(&mut model).is_empty() && model.real_time.is_none());
    press(&mut model, "T");
    assert_eq!(model.notice.as_deref(), Some("the episode is over"));
    let mut agent = self::model();
    press(&mut agent, "T");
    let why = "you are not the agent of this episode: only a person plays in real time";
    assert_eq!(agent.notice.as_deref(), Some(why));
    let mut plain = testing::model(120, 40);
    press(&mut plain, "T");
    assert_eq!(plain.notice.as_deref(), Some("this environment has no clock: it waits for each action"));
}

#[test]
fn real_time_is_offered_only_where_it_works() {
    let offered = |model: &Model| screen_text(model).contains("T real time");
    let mut model = person();
    assert!(offered(&model), "{}", screen_text(&model));
    let mut snapshot = (*model.episodes[0].snapshot).clone();
    let space = ActionSpace::from_iter([ActionSpec::new("Left", "left").with_key("left")]);
    Arc::make_mut(snapshot.steps.last_mut().unwrap()).space = space;
    model.episodes[0].snapshot = snapshot.into();
    model.episodes[0].cursor = None;
    assert!(!offered(&model), "the idle action is not there: {}", screen_text(&model));
    press(&mut model, "T");
    assert!(model.notice.is_some_and(|said| said.contains("real time needs the action")));
}
