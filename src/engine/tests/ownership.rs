//! Journals that another process may take over.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use super::*;
use crate::engine::JournalError;
use crate::engine::Store;
use crate::engine::WriteGuard;

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
fn after_a_takeover_a_late_write_and_its_lock_do_no_harm() {
    let root = tempfile::tempdir().unwrap();
    let (store, session) = (Store::new(root.path()), root.path().join("cell"));
    let create = |number: usize| {
        fs::create_dir_all(&session).unwrap();
        let folder = store.create_episode(&session, number).unwrap();
        Journal::create(&folder, &head(Setting::Online, 3, 6)).unwrap()
    };
    let (mut finished, mut late) = (create(1), create(2));
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
