//! Merging small sweeps.

use mageyard_lab::{new_head, select_levels};
use std::fs;

use super::*;
use crate::claims::Reason;
use mageyard_config::{Folders, Sources};
use mageyard_engine::{Event, Head, Journal, Store};
use mageyard_lab::Lab;
use std::sync::Arc;

/// The lab of the program, with no secrets.
fn lab() -> Lab {
    Lab::new(mageyard_envs::environments(), mageyard_agents::AGENTS, Arc::new(|_| None))
}

fn head() -> Head {
    let root = tempfile::tempdir().unwrap();
    let sources =
        Sources { folders: Folders::under(root.path()), user_file_override: None, overrides: Vec::new() };
    let config = sources.read().unwrap();
    let level = select_levels(&lab(), config.folders(), "sokoban/full/1").unwrap().remove(0);
    // Sweeps that are made a second apart have the same episodes.
    Head { started: 0, ..new_head(&lab(), &config, &level, 0).unwrap() }
}

/// A sweep folder with these cells, each with one episode of so many events.
fn sweep(cells: &[(&str, u64, End)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let mut claims = Claims::open(root.path(), "test", Timing::default()).unwrap();
    claims.add(cells.iter().map(|(cell, ..)| *cell)).unwrap();
    let store = Store::new(root.path());
    let head = head();
    for (cell, events, end) in cells {
        let session = root.path().join(cell);
        fs::create_dir(&session).unwrap();
        store.write_plan(&session, std::slice::from_ref(&head)).unwrap();
        if *events > 0 {
            let folder = store.create_episode(&session, 1).unwrap();
            let mut journal = Journal::create(&folder, &head).unwrap();
            for at in 1..*events {
                journal.append(at, &Event::Asked).unwrap();
            }
        }
        let Next::Claimed(claim) = claims.claim_next().unwrap() else { panic!("{cell}") };
        claim.finish(end).unwrap();
    }
    root
}

fn merge(target: &Path, sources: &[&Path]) -> Result<usize, MergeError> {
    let sources: Vec<PathBuf> = sources.iter().map(|source| (*source).to_owned()).collect();
    let merge = Merge::plan(target, &sources)?;
    let mut copied = 0;
    merge.run("merge", |_| copied += 1)?;
    Ok(copied)
}

fn states(target: &Path) -> Vec<(String, State)> {
    cell_states(target).unwrap().into_iter().map(|(cell, state)| (cell, state.state)).collect()
}

#[test]
fn missing_cells_are_copied_with_their_states_and_equal_ones_are_left() {
    let reason = Reason { class: "timeout".to_owned(), text: "no reply".to_owned() };
    let one = sweep(&[("a", 3, End::Done), ("b", 2, End::Failed(reason.clone()))]);
    let two = sweep(&[("a", 3, End::Done), ("c", 2, End::Release), ("d", 0, End::Release)]);
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("joined");
    assert_eq!(merge(&target, &[one.path(), two.path()]).unwrap(), 3);
    let text = |cell: &str| cell.to_owned();
    assert_eq!(
        states(&target),
        [(text("a"), State::Done), (text("b"), State::Failed), (text("c"), State::Queued)],
        "a cell without episodes is not copied"
    );
    assert_eq!(cell_states(&target).unwrap()["b"].reason, Some(reason));
    let journal = |root: &Path| fs::read(root.join("a/0001/journal.jsonl")).unwrap();
    assert_eq!(journal(&target), journal(one.path()));
    assert_eq!(merge(&target, &[one.path(), two.path()]).unwrap(), 0, "again");
}

#[test]
fn a_cell_with_only_a_plan_in_the_target_gets_the_episodes() {
    let target = sweep(&[("a", 0, End::Release)]);
    let source = sweep(&[("a", 2, End::Done)]);
    assert_eq!(merge(target.path(), &[source.path()]).unwrap(), 1);
    assert_eq!(states(target.path()), [("a".to_owned(), State::Done)]);
}

#[test]
fn cells_that_differ_and_damaged_journals_are_refused_and_nothing_is_copied() {
    let target = sweep(&[("a", 3, End::Done)]);
    let source = sweep(&[("a", 4, End::Done), ("b", 2, End::Done)]);
    let error = merge(target.path(), &[source.path()]).unwrap_err().to_string();
    for folder in [&target, &source] {
        let file = folder.path().join("a/0001/journal.jsonl");
        assert!(error.contains(&file.display().to_string()), "{error}");
    }
    fs::remove_dir_all(source.path().join("a")).unwrap();
    let journal = source.path().join("b/0001/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replace("\"asked\"", "\"askes\"")).unwrap();
    let error = merge(target.path(), &[source.path()]).unwrap_err();
    assert!(matches!(error, MergeError::Journal(_)), "{error}");
    assert!(!target.path().join("b").exists());
    assert!(matches!(merge(target.path(), &[root()]), Err(MergeError::NotASweep { .. })));
}

fn root() -> &'static Path {
    Path::new("/")
}

#[test]
fn a_cell_that_a_worker_of_the_target_has_is_refused() {
    let target = tempfile::tempdir().unwrap();
    let mut claims = Claims::open(target.path(), "worker", Timing::default()).unwrap();
    claims.add(["a"]).unwrap();
    let claim = claims.claim_next().unwrap();
    let source = sweep(&[("a", 2, End::Done)]);
    let error = merge(target.path(), &[source.path()]).unwrap_err();
    assert!(matches!(&error, MergeError::NotFree { cell, .. } if cell == "a"), "{error}");
    drop(claim);
}

#[test]
fn a_link_in_a_cell_is_refused() {
    let source = sweep(&[("a", 2, End::Done)]);
    std::os::unix::fs::symlink("/etc/passwd", source.path().join("a/link")).unwrap();
    let target = tempfile::tempdir().unwrap();
    let error = merge(target.path(), &[source.path()]).unwrap_err();
    assert!(matches!(&error, MergeError::Special { path } if path.ends_with("a/link")), "{error}");
    assert!(!target.path().join("a").exists());
}
