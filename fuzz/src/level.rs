//! Invariants of levels: a parsed level is complete and can be played.

use std::sync::atomic::AtomicBool;

use mageyard::domain::EnvironmentContext;
use mageyard::domain::EnvironmentSpec;
use mageyard::domain::Level;
use mageyard::domain::Options;
use mageyard::domain::SearchBudget;
use mageyard::domain::SearchFailure;
use mageyard::domain::Status;

use crate::poll_once;

/// The maximum number of states of a search, small enough for fuzzing.
const STATES: u64 = 300;

/// Checks a level file. The last byte selects the actions to play.
pub fn check_level_file(environment: &dyn EnvironmentSpec, bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_last() else { return };
    let text = String::from_utf8_lossy(bytes);
    let parsed = environment.parse_levels(&text);
    assert_eq!(parsed, environment.parse_levels(&text), "parsing twice");
    match parsed {
        Ok(levels) => check_levels(environment, &levels, *choice),
        Err(error) => {
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&error.line), "{error} in a file of {lines} lines: {text:?}");
            assert!(!error.reason.is_empty());
        }
    }
}

/// Checks parsed levels: they are numbered in order, and the text of each parses to itself.
pub fn check_levels(environment: &dyn EnvironmentSpec, levels: &[Level], choice: u8) {
    assert!(!levels.is_empty(), "a file without levels was accepted");
    for (number, level) in (1..).zip(levels) {
        assert_eq!(level.number, number);
        let again = environment
            .parse_levels(level.text())
            .unwrap_or_else(|error| panic!("{error}: {:?}", level.text()));
        let texts: Vec<&str> = again.iter().map(|level| level.text()).collect();
        assert_eq!(texts, [level.text()], "parsed again");
    }
    play(environment, &levels[usize::from(choice) % levels.len()], choice);
}

/// Plays some actions. The solver and the proof of dead states must not contradict each other.
fn play(environment: &dyn EnvironmentSpec, level: &Level, choice: u8) {
    let mut world = environment
        .open(level, &Options::new(), 0)
        .unwrap_or_else(|error| panic!("{error}: {:?}", level.text()));
    let context = EnvironmentContext::default();
    let opening =
        poll_once(world.open(&context)).unwrap_or_else(|error| panic!("{error}: {:?}", level.text()));
    let (mut observation, mut space, mut status) = (opening.observation, opening.space, opening.status);
    for turn in 0..4_u8 {
        let stop = AtomicBool::new(false);
        let distance = environment.capabilities().tools.solver.and_then(|solver| {
            solver.distance_to_goal(&observation, SearchBudget::with_states(STATES, &stop))
        });
        let dead = environment.capabilities().scoring.dead_state_reason(&observation);
        if let (Some(why), Some(Ok(actions))) = (dead, &distance) {
            panic!("dead ({why}), and {actions} actions from the goal: {:?}", level.text());
        }
        let unsolvable = matches!(distance, Some(Err(SearchFailure::Unsolvable { .. })));
        assert!(!unsolvable || status != Status::Won, "won, and unsolvable: {:?}", level.text());
        let names: Vec<String> = space.names().map(str::to_owned).collect();
        if names.is_empty() || status != Status::Running {
            return;
        }
        let name = &names[usize::from(choice.rotate_left(2 * u32::from(turn))) % names.len()];
        let action = space.find(name).unwrap_or_else(|| panic!("{name} is not in its action space"));
        let outcome = poll_once(world.act(&action, &context))
            .unwrap_or_else(|error| panic!("{error}: {:?}", level.text()));
        (observation, space, status) = (outcome.observation, outcome.space, outcome.status);
    }
}
