//! The law of levels: what is read stands for itself, and can be played.

use std::sync::atomic::AtomicBool;

use mageyard::domain::Bounds;
use mageyard::domain::Kind;
use mageyard::domain::Level;
use mageyard::domain::Options;
use mageyard::domain::Status;
use mageyard::domain::Unsolved;

use crate::now;

/// States a search may meet: enough to see it work, not enough to wait for.
const STATES: u64 = 300;

/// A level file as people write it. The last byte picks the actions that are tried.
pub fn level_file(kind: &dyn Kind, bytes: &[u8]) {
    let Some((pick, bytes)) = bytes.split_last() else { return };
    let text = String::from_utf8_lossy(bytes);
    let read = kind.read(&text);
    assert_eq!(read, kind.read(&text), "reading twice");
    match read {
        Ok(read) => levels(kind, &read, *pick),
        Err(error) => {
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&error.line), "{error} in a file of {lines} lines: {text:?}");
            assert!(!error.reason.is_empty());
        }
    }
}

/// Levels that were read from anywhere: numbered in order, each of them the very text that it is read from again.
pub fn levels(kind: &dyn Kind, levels: &[Level], pick: u8) {
    assert!(!levels.is_empty(), "a file without a level was taken");
    for (number, level) in (1..).zip(levels) {
        assert_eq!(level.number, number);
        let again = kind.read(&level.text).unwrap_or_else(|error| panic!("{error}: {:?}", level.text));
        let texts: Vec<&str> = again.iter().map(|level| level.text.as_str()).collect();
        assert_eq!(texts, [&level.text], "read, written and read again");
    }
    play(kind, &levels[usize::from(pick) % levels.len()], pick);
}

/// Opens the level and tries some actions; the solver and the proof that all is lost never contradict each other.
fn play(kind: &dyn Kind, level: &Level, pick: u8) {
    let mut world =
        kind.open(level, &Options::new()).unwrap_or_else(|error| panic!("{error}: {:?}", level.text));
    let opening = now(world.open()).unwrap_or_else(|error| panic!("{error}: {:?}", level.text));
    let (mut seen, mut space, mut status) = (opening.observation, opening.space, opening.status);
    for turn in 0..4_u8 {
        let stop = AtomicBool::new(false);
        let remaining = kind.remaining(&seen, Bounds::states(STATES, &stop));
        if let (Some(why), Some(Ok(way))) = (kind.lost(&seen), &remaining) {
            panic!("lost ({why}), and {way} actions from the goal: {:?}", level.text);
        }
        let proven = matches!(remaining, Some(Err(Unsolved::Proven { .. })));
        assert!(!proven || status != Status::Won, "won, and proven to be unsolvable: {:?}", level.text);
        let names: Vec<String> = space.names().map(str::to_owned).collect();
        if names.is_empty() || status != Status::Running {
            return;
        }
        let name = &names[usize::from(pick.rotate_left(2 * u32::from(turn))) % names.len()];
        let action = space.find(name).unwrap_or_else(|| panic!("{name} is not in its own space"));
        let outcome = now(world.act(&action)).unwrap_or_else(|error| panic!("{error}: {:?}", level.text));
        (seen, space, status) = (outcome.observation, outcome.space, outcome.status);
    }
}
