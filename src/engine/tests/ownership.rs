//! Journals that another process may take over.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;
use crate::{JournalError, Store, WriteGuard};

/// A guard that a test closes.
#[derive(Default)]
struct TestGuard(AtomicBool);

impl WriteGuard for TestGuard {
    fn check(&self) -> Result<(), String> {
        if self.0.load(Ordering::Relaxed) { Err("it is over".to_owned()) } else { Ok(()) }
    }
}

#[test]
fn a_journal_refuses_to_write_once_its_guard_does() {
    let folder = tempfile::tempdir().unwrap();
    let guard = Arc::new(TestGuard::default());
    let journal = Journal::create(folder.path(), &head(Setting::Online, 3, 6)).unwrap();
    let mut journal = journal.guarded_by(Some(guard.clone()));
    let path = journal.path().to_owned();
    journal.append(1, &Event::Asked).unwrap();
    let before = fs::read(&path).unwrap();
    guard.0.store(true, Ordering::Relaxed);
    let error = journal.append(2, &Event::Replied("Left".to_owned().into())).unwrap_err();
    assert!(matches!(&error, JournalError::NotOwner { reason, .. } if reason == "it is over"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before, "nothing was written");
    guard.0.store(false, Ordering::Relaxed);
    journal.append(3, &Event::Replied("Left".to_owned().into())).unwrap();
    drop(journal);
    assert_eq!(read_journal(&path).unwrap().lines.len(), 2);
}

#[test]
fn events_that_are_held_back_outlast_a_write_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let guard = Arc::new(TestGuard::default());
    let journal = Journal::create(folder.path(), &head(Setting::Online, 3, 6)).unwrap();
    let mut journal = journal.guarded_by(Some(guard.clone()));
    let path = journal.path().to_owned();
    let before = fs::read(&path).unwrap();
    journal.hold(1, &Event::Asked).unwrap();
    journal.hold(2, &Event::Replied("Left".to_owned().into())).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before, "both are held back");
    guard.0.store(true, Ordering::Relaxed);
    journal.append(3, &Event::GaveUp).unwrap_err();
    journal.flush().unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), before, "nothing was written");
    guard.0.store(false, Ordering::Relaxed);
    journal.flush().unwrap();
    let events = |path| {
        let lines = read_journal(path).unwrap().lines;
        lines.into_iter().map(|line| (line.n, line.at, line.stored)).collect::<Vec<_>>()
    };
    let asked = StoredEvent::Asked;
    let replied = StoredEvent::Replied("Left".to_owned().into());
    assert_eq!(events(&path), [(1, 1, asked), (2, 2, replied)], "the event that failed is not among them");
    journal.append(4, &Event::Asked).unwrap();
    assert_eq!(events(&path).len(), 3);
}

/// A guard that counts the writes.
#[derive(Default)]
struct CountingGuard(AtomicUsize);

impl WriteGuard for CountingGuard {
    fn check(&self) -> Result<(), String> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[tokio::test]
async fn a_step_is_written_at_once_and_completely() {
    let folder = tempfile::tempdir().unwrap();
    let guard = Arc::new(CountingGuard::default());
    let journal = Journal::create(folder.path(), &head(Setting::Online, 5, 50)).unwrap();
    let journal = journal.guarded_by(Some(guard.clone()));
    let path = journal.path().to_owned();
    let driver = driver(head(Setting::Online, 5, 50), script(&["Right"]), Box::new(journal));
    let mut controller = Controller::new(driver, &CorridorSpec, None);
    let go = CancellationToken::new();
    let lines = || read_journal(&path).unwrap().lines.len();
    controller.half(&go).await.unwrap();
    assert_eq!((guard.0.swap(0, Ordering::Relaxed), lines()), (1, 1), "opened");
    controller.step(&go).await.unwrap();
    assert_eq!((guard.0.swap(0, Ordering::Relaxed), lines()), (2, 5), "asked; replied, accepted and acted");
    controller.half(&go).await.unwrap();
    assert_eq!((guard.0.swap(0, Ordering::Relaxed), lines()), (2, 8), "asked; replied and accepted");
    controller.half(&go).await.unwrap();
    assert_eq!((guard.0.swap(0, Ordering::Relaxed), lines()), (1, 9), "acted");
    controller.half(&go).await.unwrap();
    drop(controller);
    assert_eq!(lines(), 12);
}

#[test]
fn after_a_takeover_a_late_write_and_its_lock_do_no_harm() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::new(root.path());
    let session = root.path().join("cell");
    let create = |number: usize| {
        fs::create_dir_all(&session).unwrap();
        let folder = store.create_episode(&session, number).unwrap();
        Journal::create(&folder, &head(Setting::Online, 3, 6)).unwrap()
    };
    let mut finished = create(1);
    let mut late = create(2);
    finished.append(1, &Event::Asked).unwrap();
    finished.append(2, &Event::Abandoned).unwrap();
    late.append(1, &Event::Asked).unwrap();
    let path = late.path().to_owned();
    let before = fs::read(&path).unwrap();
    let staging = root.path().join("staging");
    assert!(store.replace_unfinished_journals(&session, &staging).is_err(), "the folder was taken away");
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::create_dir(&staging).unwrap();
    assert_eq!(store.replace_unfinished_journals(&session, &staging).unwrap(), 1);
    late.append(2, &Event::Replied("Left".to_owned().into())).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before, "the late write went to a file without a name");
    let (mut journal, contents) = Journal::open(&path).unwrap();
    assert_eq!(contents.lines.len(), 1, "the new owner has the lock");
    journal.append(2, &Event::Replied("Right".to_owned().into())).unwrap();
    assert_eq!(read_journal(&path).unwrap().lines.len(), 2);
}
