//! Decisions as steps: notes, texts, facts, films and ends.

use super::super::scene;
use super::*;

/// A small scene: two against one, who is far away.
const SCENE: &str = "scene small\nball -0.5 0\nleft GK -0.98 0\nleft CM -0.515 0.004\nright GK -0.98 0";

fn world(options: &[(&str, &str)]) -> FootballWorld {
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
    FootballWorld::new(&scene::read_one(SCENE).unwrap(), &Settings::read(&options.collect()).unwrap(), 4)
}

fn act(world: &mut FootballWorld, name: &str) -> (f64, String) {
    let (reward, note) = world.step(&Action::plain(name)).unwrap();
    (reward, note.unwrap())
}

#[test]
fn a_repeated_direction_takes_up_to_ten_frames_and_says_why_it_stopped() {
    let mut world = world(&[]);
    assert_eq!(act(&mut world, "action_right").1, "1 frame", "the first decision takes one frame");
    assert_eq!(act(&mut world, "action_right").1, "1 frame", "and is not remembered");
    assert_eq!(act(&mut world, "action_right").1, "10 frames: the maximum for a repeated direction");
    let seen = world.observe();
    let facts = seen.facts();
    assert_eq!(
        (&facts["decision"], &facts["frames"], &facts["steps_left"]),
        (&4.into(), &12.into(), &389.into())
    );
    assert_eq!(facts["engine"], "football/lite");
    let film = seen.source::<View>().unwrap().film();
    assert_eq!(film.len(), 10);
}

#[test]
fn without_skipping_each_decision_is_a_frame() {
    let mut world = world(&[("skip", "off")]);
    for _ in 0..5 {
        assert_eq!(act(&mut world, "action_right").1, "1 frame");
    }
}

#[test]
fn text_and_facts_describe_the_start() {
    let seen = world(&[]).observe();
    let text = seen.text();
    let rows: Vec<&str> = text.lines().take(14).collect();
    assert!(rows.iter().all(|row| row.len() == 46), "{text}");
    assert!(text.contains("Scene small, decision 1, frame 0 of 400, score 0:0.\nHeld: nothing.\n"), "{text}");
    assert!(text.contains("The opponents' goal: "), "{text}");
    assert!(text.contains("- A GK 1: "), "{text}");
    let facts = seen.facts();
    assert_eq!(
        (&facts["ball_owned_team"], &facts["left_team_roles"]),
        (&(-1).into(), &serde_json::json!([0, 5]))
    );
    assert_eq!(facts["right_team"].as_array().unwrap().len(), 1);
}

#[test]
fn an_episode_without_decisions_ends_with_the_time_of_the_scene() {
    let mut world = world(&[(ACTIONS, FULL)]);
    let mut notes = Vec::new();
    for _ in 0..400 {
        assert_eq!(world.status(), Status::Running, "{notes:?}");
        notes = vec![act(&mut world, "action_idle").1];
    }
    assert_eq!(
        (world.status(), notes),
        (Status::TimeUp, vec!["1 frame: the time of the scene is over".to_owned()])
    );
    let before = world.observe().digest();
    assert_eq!(act(&mut world, "action_right"), (0.0, "the episode is over, so nothing happens".to_owned()));
    assert_eq!(world.observe().digest(), before);
}

#[test]
fn a_clone_goes_on_the_same() {
    let mut world = world(&[]);
    act(&mut world, "action_sprint");
    let mut twin = world.clone();
    for name in ["action_right", "action_top_right", "action_top_right", "action_shot"] {
        assert_eq!(act(&mut world, name), act(&mut twin, name));
        assert_eq!(world.observe().digest(), twin.observe().digest());
    }
}

#[test]
fn the_frame_of_a_goal_shows_the_ball_behind_the_line() {
    let scene = "scene goal\nball 0.9 0\nleft GK -0.98 0\nleft CF 0.87 0.002\nright GK -0.2 0.4";
    let mut world =
        FootballWorld::new(&super::super::scene::read_one(scene).unwrap(), &Settings::default(), 2);
    act(&mut world, "action_sprint");
    while world.status() == Status::Running {
        act(&mut world, "action_right");
    }
    assert_eq!(
        (world.status(), world.presenter.shown().scorer),
        (Status::Won, Some(super::super::Team::Left))
    );
    let seen = world.observe();
    assert_eq!((&seen.facts()["ball"][0], &seen.facts()["score"]), (&0.0.into(), &serde_json::json!([1, 0])));
    let view = seen.source::<View>().unwrap();
    assert!(view.pictured.ball[0] > 1.0 && view.pictured.score == [1, 0], "{:?}", view.pictured.ball);
    let states: Vec<_> = view.film.states(&view.pictured).collect();
    let (last, earlier) = states.split_last().unwrap();
    assert!(last.ball[0] > 1.0 && last.score == [1, 0], "{:?}", last.ball);
    assert!(earlier.iter().all(|state| state.score == [0, 0] && state.ball[0] < 1.02));
}

#[test]
fn the_game_of_an_older_observation_is_gone() {
    let mut world = world(&[]);
    let first = world.observe();
    assert!(first.source::<View>().unwrap().play().is_some());
    act(&mut world, "action_right");
    assert!(first.source::<View>().unwrap().play().is_none());
}
