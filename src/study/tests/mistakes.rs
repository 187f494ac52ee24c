//! The shipped suite `mistakes`: 50 states of Sokoban in which a known mistake is tempting. It is made here, by the generator and
//! the solver of the program, and every claim in it is checked by the solver.
//!
//! `MAGEYARD_WRITE_SUITE=1 cargo test -p mageyard-study --test mistakes` writes the file again.

mod board;
mod search;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mageyard_config::{AssignedSetting, Origin, SourceFile};
use mageyard_domain::Digest;
use mageyard_study::{Suite, SuiteLevel, SuiteState, parse_suite};

use self::search::{Found, find_states, outcomes};

/// The categories, each with so many states.
const EACH: usize = 10;
const CATEGORIES: [&str; 5] = ["stuck corner", "two boxes in line", "wrong side", "loop", "missed last push"];

fn shipped() -> SourceFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/mistakes.toml");
    SourceFile::read(path, 4 << 20).unwrap()
}

fn setting(name: &str, value: impl Into<serde_json::Value>) -> AssignedSetting {
    AssignedSetting { name: name.to_owned(), value: value.into(), origin: Origin::Default }
}

/// The suite as it is made.
fn made() -> Suite {
    let found = find_states(&CATEGORIES, EACH);
    let mut levels: Vec<SuiteLevel> = Vec::new();
    let mut states = Vec::new();
    for Found { category, level, text, actions, digest, mistake, why } in found {
        let reference = format!("mistakes/{level}");
        let place = levels.iter().position(|known| known.reference == reference);
        let level = place.unwrap_or_else(|| {
            let digest = Digest::of(text.as_bytes());
            levels.push(SuiteLevel { reference, number: 1, title: Some(level), text: Some(text), digest });
            levels.len() - 1
        });
        states.push(SuiteState {
            address: None,
            digest,
            why,
            category: Some(category.to_owned()),
            accept: Vec::new(),
            mistake: vec![mistake],
            taken: None,
            level,
            seed: 0,
            actions: Some(actions),
            settings: Vec::new(),
            span: 0..0,
        });
    }
    Suite {
        name: "mistakes".to_owned(),
        about: "50 states in which a known mistake is tempting; made by the level generator and the solver"
            .to_owned(),
        environment: "sokoban".to_owned(),
        margin: None,
        settings: vec![
            setting("play.setting", "online"),
            setting("play.prompt", "0s-CoT"),
            setting("play.reader", "strict"),
            setting("play.max_steps", 50),
            setting("memory.am", 5),
            setting("memory.om", 1),
        ],
        levels,
        states,
        file: SourceFile::shipped("suites/mistakes.toml", ""),
    }
}

#[test]
fn the_shipped_suite_is_made_again_byte_by_byte() {
    let text = made().to_text();
    if std::env::var("MAGEYARD_WRITE_SUITE").is_ok() {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/mistakes.toml"), &text).unwrap();
    }
    assert_eq!(text, *shipped().text, "MAGEYARD_WRITE_SUITE=1 writes it again");
}

/// Each state can be solved, and its mistake makes the way longer or closes it, as its category says.
#[test]
fn every_mistake_is_one_by_the_solver() {
    let suite = parse_suite(&shipped()).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut digests = std::collections::BTreeSet::new();
    for (index, state) in suite.states.iter().enumerate() {
        let category = state.category.as_deref().unwrap();
        *counts.entry(category).or_default() += 1;
        digests.insert((state.digest, state.actions.clone()));
        let text = suite.level(state).unwrap().text.as_deref().unwrap();
        let (digest, distance, results) = outcomes(text, state.actions.as_deref().unwrap());
        assert_eq!(digest, state.digest, "state {}", index + 1);
        let distance = distance.unwrap_or_else(|| panic!("state {} cannot be solved", index + 1));
        let mistake = &results[state.mistake[0].as_str()];
        let (is_losing, is_wasteful) = match mistake {
            None => panic!("state {}: the mistake is not possible", index + 1),
            Some(None) => (true, false),
            Some(Some(after)) => (false, *after >= distance),
        };
        let expected = match category {
            "stuck corner" | "two boxes in line" => is_losing,
            "missed last push" => distance == 1 && (is_losing || is_wasteful),
            _ => is_wasteful,
        };
        assert!(expected, "state {}: {category}, {mistake:?} of {distance}", index + 1);
    }
    assert_eq!(counts, CATEGORIES.map(|name| (name, EACH)).into());
    assert_eq!(digests.len(), CATEGORIES.len() * EACH, "no state is there twice");
}

/// `tests/it/suites.rs` compares a run of the suite with these counts.
#[test]
fn left_and_up_have_known_results() {
    assert_eq!(action_counts("Left"), [13, 17, 8, 15]);
    assert_eq!(action_counts("Up"), [10, 19, 8, 19]);
}

/// In how many states of the suite an action is optimal, wasteful, losing, and the known mistake.
fn action_counts(action: &str) -> [usize; 4] {
    let suite = parse_suite(&shipped()).unwrap();
    let mut counts = [0; 4];
    for state in &suite.states {
        let text = suite.level(state).unwrap().text.as_deref().unwrap();
        let (_, distance, results) = outcomes(text, state.actions.as_deref().unwrap());
        match results[action] {
            Some(Some(after)) if after < distance.unwrap() => counts[0] += 1,
            Some(Some(_)) => counts[1] += 1,
            Some(None) => counts[2] += 1,
            None => {}
        }
        counts[3] += usize::from(state.mistake[0] == action);
    }
    counts
}
