//! Tests with the real engine of football. Where it is not installed they are listed as ignored; with
//! `MAGEYARD_REQUIRE_GRF=1` its absence is a failure. The variable `MAGEYARD_FOOTBALL_PYTHON` names its interpreter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

use std::process::ExitCode;
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};
use mageyard::domain::{
    Action, Digest, Environment, EnvironmentContext, EnvironmentSpec, Level, Options, Status,
};
use mageyard::envs::football::grf::{RealGame, probe};
use mageyard::envs::football::{EngineAction, Football, GameEngine, METRES, Program, scene_of};

/// How long a test may take before it fails.
const TIMEOUT: Duration = Duration::from_mins(2);
/// The kind that the list shows where there is no engine.
const MISSING: &str = "Google Research Football is not installed";
/// A carrier far from the only opponent, the keeper.
const SCENE: &str = "scene alone\nball -0.5 0\nleft GK -0.98 0\nleft CF -0.515 0.004\nright GK -0.98 0";

fn python() -> String {
    std::env::var("MAGEYARD_FOOTBALL_PYTHON").unwrap_or_default()
}

fn program() -> Program {
    Program { python: python(), limit: Duration::from_mins(1) }
}

fn level() -> Level {
    Level::from_text(1, Some("alone"), SCENE)
}

fn environment() -> Box<dyn Environment> {
    environment_with("board")
}

fn environment_with(picture: &str) -> Box<dyn Environment> {
    let options = Options::from([
        ("engine".to_owned(), "grf".into()),
        ("python".to_owned(), python().into()),
        ("engine_time".to_owned(), 60.into()),
        ("view".to_owned(), picture.into()),
    ]);
    Football.open(&level(), &options, 7).unwrap()
}

async fn act(
    environment: &mut dyn Environment,
    name: &str,
    context: &EnvironmentContext,
) -> (Digest, f64, Status) {
    let outcome = environment.act(&Action::plain(name), context).await.unwrap();
    (outcome.observation.digest(), outcome.reward, outcome.status)
}

/// The same seed and decisions give the same states, in another process too; a stored state goes on the same, in its own
/// process and in another one.
async fn an_episode_repeats_itself_and_comes_back() {
    const NAMES: [&str; 12] = [
        "action_sprint",
        "action_right",
        "action_right",
        "action_right",
        "action_top_right",
        "action_right",
        "action_right",
        "action_shot",
        "action_right",
        "action_right",
        "action_right",
        "action_right",
    ];
    let context = EnvironmentContext::default();
    let mut played = environment();
    let mut other = environment();
    let first = played.open(&context).await.unwrap().observation;
    assert_eq!(
        (&first.facts()["engine"], &first.facts()["engine_version"]),
        (&"football/grf".into(), &"2.10.2".into())
    );
    assert_eq!(other.open(&context).await.unwrap().observation.digest(), first.digest());
    for name in &NAMES[..5] {
        assert_eq!(act(&mut *played, name, &context).await, act(&mut *other, name, &context).await);
    }
    let checkpoint = played.checkpoint(&context).await.unwrap();
    let mut rest = Vec::new();
    for name in &NAMES[5..] {
        rest.push(act(&mut *played, name, &context).await);
    }
    let mut fresh = environment();
    for back in [&mut played, &mut fresh] {
        back.restore(&checkpoint, &context).await.unwrap();
        assert!(back.look(&context).await.unwrap().observation.facts().get("reopened").is_none());
        for (name, after) in NAMES[5..].iter().zip(&rest) {
            assert_eq!(act(&mut **back, name, &context).await, *after);
        }
    }
    for mut open in [played, other, fresh] {
        open.close().await;
    }
}

/// Frames that the engine draws show its grass and its yellow team, and the game is the same as without them.
async fn the_engine_draws_its_frames() {
    let context = EnvironmentContext::default();
    let mut drawn = environment_with("engine");
    let mut other = environment();
    let first = drawn.open(&context).await.unwrap().observation;
    let mut seen = vec![first.picture().unwrap().pixels().unwrap()];
    other.open(&context).await.unwrap();
    for name in ["action_sprint", "action_right", "action_right", "action_shot"] {
        let action = Action::plain(name);
        let outcomes =
            [drawn.act(&action, &context).await.unwrap(), other.act(&action, &context).await.unwrap()];
        let [ours, theirs] = outcomes.each_ref().map(|outcome| (outcome.reward, outcome.observation.facts()));
        assert_eq!(
            (ours.0, &ours.1["ball"], &ours.1["left_team"]),
            (theirs.0, &theirs.1["ball"], &theirs.1["left_team"])
        );
        assert_eq!((&ours.1["drawing"], theirs.1.get("drawing")), (&"engine".into(), None));
        seen.push(outcomes[0].observation.picture().unwrap().pixels().unwrap());
    }
    for pixels in &seen {
        let pixels = pixels.as_chunks::<3>().0;
        let grass = pixels.iter().filter(|[red, green, blue]| green > red && green > blue).count();
        assert!(2 * grass > pixels.len(), "{grass}");
        assert!(
            pixels.iter().any(|[red, green, blue]| *red > 150 && *green > 130 && *blue < 80),
            "a yellow shirt"
        );
    }
    assert!(seen.windows(2).all(|pair| pair[0] != pair[1]));
    drawn.close().await;
    other.close().await;
}

/// The scene is placed as scene files are, and a carrier who sprints runs as fast as in recordings.
fn the_engine_plays_our_scenes() {
    let mut game = RealGame::start(&program(), &scene_of(&level()).unwrap(), 4).unwrap();
    let start = game.state();
    assert_eq!((start.left.count, start.right.count, start.steps_left), (2, 1, 401));
    assert!((start.left.positions[1][0] - -0.515 * 1.011).abs() < 1e-3, "{start:?}");
    assert!((start.ball[0] - -0.5).abs() < 1e-6 && start.owner.is_none());
    game.frame(EngineAction::Sprint).unwrap();
    let speeds: Vec<f64> = (0..60)
        .map(|_| 10.0 * METRES[0] * game.frame(EngineAction::Right).unwrap().left.movements[1][0])
        .collect();
    let steady = speeds[30..].iter().sum::<f64>() / 30.0;
    assert!((7.2..7.9).contains(&steady), "metres a second: {steady}");
    let used = game.usage().unwrap();
    assert!(used.memory > 50 << 20 && !used.cpu.is_zero(), "{used:?}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn episode() {
    let test = async { tokio::time::timeout(TIMEOUT, an_episode_repeats_itself_and_comes_back()).await };
    runtime().block_on(test).expect("done in time");
}

fn frames() {
    let test = async { tokio::time::timeout(TIMEOUT, the_engine_draws_its_frames()).await };
    runtime().block_on(test).expect("done in time");
}

fn main() -> ExitCode {
    let required = std::env::var("MAGEYARD_REQUIRE_GRF").is_ok_and(|value| value == "1");
    let run = required || runtime().block_on(probe(&program())).is_ok();
    let tests: [(&str, fn()); 3] = [
        ("an_episode_repeats_itself_and_comes_back", episode),
        ("the_engine_draws_its_frames", frames),
        ("the_engine_plays_our_scenes", the_engine_plays_our_scenes),
    ];
    let trial = |(name, test): (&str, fn())| {
        let work = move || {
            test();
            Ok(())
        };
        let trial = Trial::test(name, work).with_ignored_flag(!run);
        if run { trial } else { trial.with_kind(MISSING) }
    };
    libtest_mimic::run(&Arguments::from_args(), tests.into_iter().map(trial).collect()).exit_code()
}
