//! An episode of a web task in the whole program, cut after each kind of event and resumed: it ends with the same score.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use serde_json::Value;
use tempfile::TempDir;

use super::harness::trial;
use super::webui::{lines, program};

/// The task: two clicks on shop.test. Its limit leaves room for one step that was interrupted.
const LEVEL: &str = "web/local/1";

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("web_resumed::an_episode_that_was_cut_ends_the_same_1", cut_episodes::<0>),
        trial("web_resumed::an_episode_that_was_cut_ends_the_same_2", cut_episodes::<1>),
        trial("web_resumed::an_episode_that_was_cut_ends_the_same_3", cut_episodes::<2>),
        trial("web_resumed::an_episode_that_was_cut_ends_the_same_4", cut_episodes::<3>),
    ]
}

/// The journal of the only episode in a store.
fn journal(store: &Path) -> PathBuf {
    let sessions = fs::read_dir(store).unwrap().map(|entry| entry.unwrap().path());
    let mut journals =
        sessions.map(|session| session.join("0001/journal.jsonl")).filter(|path| path.is_file());
    let found = journals.next().unwrap();
    assert_eq!(journals.next(), None);
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The name of the event of a line.
fn event(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap();
    line["event"].as_str().unwrap_or_default().to_owned()
}

/// After how many lines the journal is cut: after its head, and after the first and the last event of each kind.
fn cuts(journal: &[&str]) -> Vec<usize> {
    let names: Vec<String> = journal.iter().map(|line| event(line)).collect();
    let is_first = |index: usize| names.iter().position(|name| *name == names[index]) == Some(index);
    let is_last = |index: usize| names.iter().rposition(|name| *name == names[index]) == Some(index);
    // What is there after the last line is the whole episode.
    (0..names.len() - 1).filter(|index| is_first(*index) || is_last(*index)).map(|index| index + 1).collect()
}

/// The only end of an episode that a command prints: its score and its ending.
fn ended(home: &Path, arguments: &[&str]) -> (Option<f64>, String) {
    let output = program(home, &[arguments, &["--store", "runs", "--json"]].concat());
    let all = lines(&output);
    let ends: Vec<_> = all.iter().filter(|line| line["type"] == "episode").collect();
    assert_eq!(ends.len(), 1, "{all:?}\n{}", String::from_utf8_lossy(&output.stderr));
    (ends[0]["score"].as_f64(), ends[0]["ending"].to_string())
}

async fn cut_episodes<const QUARTER: usize>() {
    let home = TempDir::new().unwrap();
    let whole = ended(home.path(), &["run", LEVEL, "--agent", "oracle"]);
    assert_eq!(whole.0, Some(100.0), "{whole:?}");
    let (runs, kept) = (home.path().join("runs"), home.path().join("kept"));
    copy(&runs, &kept);
    let text = fs::read_to_string(journal(&runs)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let cuts = cuts(&lines);
    assert!((8..=12).contains(&cuts.len()), "{cuts:?}");
    for at in cuts.into_iter().skip(QUARTER).step_by(4) {
        fs::remove_dir_all(&runs).unwrap();
        copy(&kept, &runs);
        let journal = journal(&runs);
        fs::write(&journal, lines[..at].join("\n") + "\n").unwrap();
        let _ = fs::remove_file(journal.with_file_name("summary.json"));
        let again = ended(home.path(), &["run", "--resume", "last"]);
        assert_eq!(again, whole, "cut after line {at}: {}", event(lines[at - 1]));
        let continued = fs::read_to_string(&journal).unwrap().lines().count();
        assert!(continued > at, "it was not continued after line {at}");
    }
}
