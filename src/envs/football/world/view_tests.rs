//! Views of the pitch: one digest, and a list from which the state can be read.

use std::collections::BTreeSet;

use mageyard_domain::{EnvironmentSpec, Observation, ObservationPart, Options};
use proptest::prelude::*;
use serde_json::json;

use super::super::scene;
use super::list::list;
use super::pitch_view::NAMES;
use super::*;
use crate::picture::Shown;
use crate::{FRAME_LIMIT, Football, FrameState, GameMode, Owner, PlayerRole, Squad, Sticky, Team};

const SCENE: &str = "scene small\nball -0.5 0\nleft GK -0.98 0\nleft CM -0.515 0.004\nright GK -0.98 0";

fn options(view: &str) -> Options {
    Options::from([("view".to_owned(), view.into())])
}

fn world(view: &str) -> FootballWorld {
    FootballWorld::new(&scene::read_one(SCENE).unwrap(), &Settings::read(&options(view)).unwrap(), 4)
}

fn moved(view: &str) -> Observation {
    let mut world = world(view);
    for name in ["action_sprint", "action_right", "action_right"] {
        world.step(&Action::plain(name)).unwrap();
    }
    world.observe()
}

fn texts(seen: &Observation) -> Vec<String> {
    let text = |part: &ObservationPart| match part {
        ObservationPart::Text(text) => Some(text.to_string()),
        ObservationPart::Image(_) | ObservationPart::Data(_) => None,
    };
    seen.parts().iter().filter_map(text).collect()
}

fn recorded(seen: &Observation) -> Observation {
    Observation::from_parts(seen.parts().to_vec(), seen.text().to_string(), seen.facts().clone())
}

#[test]
fn every_view_is_named_once_and_shows_the_same_state() {
    let names: Vec<&str> = VIEWS.iter().map(|view| view.name).collect();
    assert_eq!(names, NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let start = moved("board");
    let mut digests = BTreeSet::new();
    for view in VIEWS.iter().filter(|view| view.name != "engine") {
        let opened = moved(view.name);
        let shown = show(&start, &options(view.name)).unwrap();
        digests.extend([opened.digest().to_string(), shown.digest().to_string()]);
        assert_eq!(texts(&shown), texts(&opened), "{}", view.name);
        assert_eq!(opened.images().count() == opened.parts().len(), view.is_picture, "{}", view.name);
        let pixels = |seen: &Observation| seen.picture().map(|picture| picture.pixels().unwrap().to_vec());
        assert!(pixels(&shown) == pixels(&opened), "{}", view.name);
    }
    assert_eq!(digests.len(), 1, "a view is no other state");
    assert!(show(&start, &options("braille")).is_err());
}

#[test]
fn only_the_real_engine_draws_its_view() {
    let start = moved("board");
    let error = show(&start, &options("engine")).unwrap_err();
    assert!(error.contains("needs football.engine = \"grf\""), "{error}");
    let of_the_engine =
        Options::from([("view".to_owned(), "engine".into()), ("engine".to_owned(), "grf".into())]);
    let error = show(&start, &of_the_engine).unwrap_err();
    assert!(error.contains("the real engine has not drawn this state"), "{error}");
}

#[test]
fn a_recorded_observation_is_shown_from_its_facts() {
    let start = moved("board");
    let shown = show(&recorded(&start), &options("list")).unwrap();
    assert_eq!((shown.digest(), texts(&shown)), (start.digest(), texts(&moved("list"))));
    assert_eq!((shown.text(), shown.facts()), (start.text(), start.facts()));
    let board = show(&recorded(&moved("list")), &options("board")).unwrap();
    assert!(board.picture().unwrap().pixels().unwrap() == start.picture().unwrap().pixels().unwrap());
    let mut facts = start.facts().clone();
    facts["active"] = json!(7);
    for (facts, says) in [(facts, "active names no player"), (json!({"ball": 1}), "no state of a game")] {
        let error = show(&Observation::from_parts(vec![], "", facts), &options("list")).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn the_list_has_the_ball_the_players_and_what_is_held() {
    let seen = moved("list");
    let text = &texts(&seen)[0];
    for line in [
        "Decision 4, frame 12 of 400. Score: your team 0, opponents 0.",
        "Held: direction right, sprint.",
        "You control CM 2.",
        "Your team:\n- GK 1 at (",
        "Opponents:\n- GK 1 at (",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let minimal =
        Options::from([("view".to_owned(), "list".into()), ("details".to_owned(), "minimal".into())]);
    let text = &texts(&show(&seen, &minimal).unwrap())[0];
    assert!(text.contains(", moving to ") && !text.contains("m/s"), "{text}");
}

#[test]
fn prompts_say_what_the_view_is() {
    let words = |view: &str| Football.capabilities().state_words(&options(view)).view;
    let board = words("board");
    assert!(board.starts_with("an image.\n\nIn the image, the whole pitch is seen from above"), "{board}");
    assert!(words("broadcast").contains("a camera beside it"));
    assert!(words("list").starts_with("a list of places"));
    let former = Options::from([("picture".to_owned(), "broadcast".into())]);
    assert_eq!(Football.capabilities().state_words(&former).view, words("broadcast"), "of earlier versions");
}

/// States of any numbers of players anywhere.
pub(crate) fn states() -> impl Strategy<Value = FrameState> {
    let place = || [-1.0..1.0_f64, -0.42..0.42_f64];
    let movement = || [-0.02..0.02_f64, -0.01..0.01_f64];
    let squad = move || {
        let player = (place(), movement(), 1..10_u8);
        prop::collection::vec(player, 1..=11).prop_map(|players| {
            let mut squad = Squad { count: players.len(), ..Squad::EMPTY };
            for (slot, (place, movement, role)) in players.into_iter().enumerate() {
                squad.positions[slot] = place;
                squad.movements[slot] = movement;
                squad.roles[slot] = PlayerRole::from_code(if slot == 0 { 0 } else { role }).unwrap();
            }
            squad
        })
    };
    let ball = (place(), 0.0..3.0_f64, movement(), any::<[bool; 10]>());
    let game = (0..7_u8, 1..=401_u32, prop::option::of((any::<bool>(), 0..11_usize)), 0..11_usize);
    (squad(), squad(), ball, game).prop_map(|(left, right, (at, height, moving, sticky), game)| {
        let (mode, steps_left, owner, active) = game;
        let owner = owner.map(|(is_left, player)| {
            let (team, count) = if is_left { (Team::Left, left.count) } else { (Team::Right, right.count) };
            Owner { team, player: player % count }
        });
        FrameState {
            ball: [at[0], at[1], height],
            ball_movement: [moving[0], moving[1], 0.0],
            ball_rotation: [0.0; 3],
            owner,
            active: active % left.count,
            mode: GameMode::from_code(mode).unwrap(),
            score: [0, 0],
            sticky: Sticky(sticky),
            left,
            right,
            steps_left,
        }
    })
}

/// The numbers of a line, in order.
fn numbers(line: &str) -> Vec<f64> {
    let parts = line.split(|sign: char| !sign.is_ascii_digit() && sign != '.');
    parts.filter_map(|part| part.trim_end_matches('.').parse().ok()).collect()
}

/// Metres from the corner of a place in public units.
fn metres(at: [f64; 2]) -> [f64; 2] {
    [at[0] * 54.4 + 55.0, at[1] * 83.6 + 36.0]
}

fn is_near(read: &[f64], at: [f64; 2]) -> bool {
    read.iter().zip(metres(at)).all(|(read, place)| (read - place).abs() < 0.051)
}

/// Whether speed and angle of a line are those of a movement per frame.
fn is_moving_so(read: &[f64], movement: [f64; 2]) -> bool {
    let [x, y] = [movement[0] * 544.0, movement[1] * 836.0];
    let speed = x.hypot(y);
    match read {
        [] => speed < 0.3,
        [shown, angle] => {
            let [across, up] = [shown * angle.to_radians().cos(), shown * angle.to_radians().sin()];
            (shown - speed).abs() < 0.051 && (across - x).abs() < 0.3 && (up + y).abs() < 0.3
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_state_can_be_read_from_its_list(state in states()) {
        let text = list(&state, &Shown { decision: 7, ..Shown::first(&state, FRAME_LIMIT) }, false);
        let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_default();
        prop_assert_eq!(numbers(line("Decision")), [7.0, f64::from(401 - state.steps_left), 400.0, 0.0, 0.0]);
        prop_assert_eq!(line("Play is stopped").is_empty(), state.mode == GameMode::Normal);
        let name = |squad: &Squad, slot: usize| format!("{} {}", squad.roles[slot].name(), slot + 1);
        prop_assert_eq!(line("You control"), format!("You control {}.", name(&state.left, state.active)));
        let held = line("Held: ");
        prop_assert_eq!(held.contains("sprint"), state.sticky.sprint());
        prop_assert_eq!(held.contains("dribble"), state.sticky.dribble());
        prop_assert_eq!(held.contains("direction"), state.sticky.direction().is_some());
        let ball = line("The ball is");
        let owner = ball.split(" at ").next().unwrap();
        let with = match state.owner {
            None => "no player".to_owned(),
            Some(Owner { team: Team::Left, player }) => format!("your {}", name(&state.left, player)),
            Some(Owner { team: Team::Right, player }) => format!("the opponent {}", name(&state.right, player)),
        };
        prop_assert_eq!(owner, format!("The ball is with {with}"));
        let at = numbers(&ball[owner.len()..]);
        prop_assert!(is_near(&at[..2], [state.ball[0], state.ball[1]]), "{}", ball);
        prop_assert!((at[2] - state.ball[2]).abs() < 0.051, "{}", ball);
        prop_assert!(is_moving_so(&at[3..], [state.ball_movement[0], state.ball_movement[1]]), "{}", ball);
        let (own, theirs) = text.split_once("Your team:\n").unwrap().1.split_once("Opponents:\n").unwrap();
        for (lines, squad) in [(own, &state.left), (theirs, &state.right)] {
            prop_assert_eq!(lines.lines().count(), squad.count);
            for (slot, line) in lines.lines().enumerate() {
                let read = numbers(line);
                prop_assert!(line.starts_with(&format!("- {} {} at ", squad.roles[slot].name(), slot + 1)), "{}", line);
                prop_assert!(is_near(&read[1..3], squad.positions[slot]), "{}", line);
                prop_assert!(is_moving_so(&read[3..], squad.movements[slot]), "{}", line);
            }
        }
    }
}
