//! The index of a store.

use super::*;
use crate::testing::lab;
use std::time::SystemTime;

use crate::{new_head, open_new, select_level};
use mageyard_config::{AssignedSetting, Config, Origin};
use mageyard_engine::{Annotation, annotate_step};

/// A config under this folder with the agent `random` and at most 3 steps.
fn config(root: &Path) -> Config {
    let assigned = [("play.agent", "random".into()), ("play.max_steps", 3.into())];
    let assigned = assigned.map(|(name, value): (&str, serde_json::Value)| AssignedSetting {
        name: name.to_owned(),
        value,
        origin: Origin::Flag("--set".to_owned()),
    });
    Config::shipped(Folders::under(root)).unwrap().with_assigned(&assigned).unwrap()
}

/// Plays an episode with this number into a session, to its end or not at all.
async fn play(store: &Store, config: &Config, name: &str, number: usize, to_end: bool) {
    let level = select_level(&lab(), config.folders(), "hanoi/first/1").unwrap();
    let head = new_head(&lab(), config, &level, 0).unwrap();
    let session = store.create_named_session(name).unwrap();
    let mut prepared = open_new(&lab(), store, &session, number, head, config).unwrap();
    if to_end {
        prepared.driver.run_to_end().await.unwrap();
    }
}

/// Sets the times of the folder of a session back, as if it had been written long ago.
fn age(store: &Store, name: &str) {
    let long_ago = SystemTime::now() - Duration::from_hours(1);
    File::open(store.root().join(name)).unwrap().set_modified(long_ago).unwrap();
}

#[tokio::test]
async fn a_session_that_is_over_is_read_once() {
    let root = tempfile::tempdir().unwrap();
    let config = config(root.path());
    let store = Store::new(root.path().join("store"));
    play(&store, &config, "over", 1, true).await;
    play(&store, &config, "started", 1, false).await;
    age(&store, "over");
    age(&store, "started");
    let mut index = SessionIndex::open(config.folders(), &store);
    let facts = index.facts(&lab(), &store, "over").unwrap();
    assert_eq!((facts.episodes, facts.is_over), (1, true));
    assert_eq!(facts.summary, "hanoi/first/1 · random · Online");
    assert_eq!(facts.fields.environments, ["hanoi".to_owned()].into());
    assert_eq!(facts.fields.endings.len(), 1, "{:?}", facts.fields);
    assert!(!index.facts(&lab(), &store, "started").unwrap().is_over);
    assert_eq!(index.facts(&lab(), &store, "absent"), None);
    let names = ["over", "started"].map(str::to_owned);
    index.save(&names).unwrap();

    // The journal is not read again: what is kept is the same without it.
    let mut index = SessionIndex::open(config.folders(), &store);
    assert_eq!(index.kept("over"), Some(&facts));
    assert_eq!(index.kept("started"), None);
    assert!(index.is_over(&store, "over") && !index.is_over(&store, "started"));
    fs::write(store.journal_path(&store.root().join("over"), 1), "").unwrap();
    assert_eq!(index.facts(&lab(), &store, "over"), Some(facts));
    index.save(&names[1..]).unwrap();
    assert_eq!(SessionIndex::open(config.folders(), &store).kept("over"), None, "it is in the store no more");
}

#[tokio::test]
async fn new_episodes_and_annotations_are_read() {
    let root = tempfile::tempdir().unwrap();
    let config = config(root.path());
    let store = Store::new(root.path().join("store"));
    play(&store, &config, "a", 1, true).await;
    let mut index = SessionIndex::open(config.folders(), &store);
    let mut facts = || index.facts(&lab(), &store, "a").unwrap();
    assert_eq!(facts().episodes, 1);
    assert!(index.kept("a").is_none(), "what was written just now may be written again in the same moment");
    age(&store, "a");
    let mut facts = || index.facts(&lab(), &store, "a").unwrap();
    assert_eq!(facts().episodes, 1);
    play(&store, &config, "a", 2, true).await;
    assert!(!index.is_over(&store, "a"), "another episode has started since");
    let mut facts = || index.facts(&lab(), &store, "a").unwrap();
    assert_eq!(facts().episodes, 2);
    age(&store, "a");
    assert_eq!(facts().episodes, 2);
    let journal = store.journal_path(&store.root().join("a"), 1);
    annotate_step(&journal, 1, &Annotation::Tag("seen".to_owned()), false, unix_time()).unwrap();
    age(&store, "a");
    assert!(facts().summary.contains("1 tag"), "{}", facts().summary);
}

#[test]
fn a_file_that_is_damaged_or_of_another_store_keeps_nothing() {
    let root = tempfile::tempdir().unwrap();
    let folders = Folders::under(root.path());
    let store = Store::new(root.path().join("store"));
    let mut index = SessionIndex::open(&folders, &store);
    let known = Known { stamp: Stamp { folder: 1, annotations: None }, facts: SessionFacts::default() };
    index.known.insert("a".to_owned(), known);
    index.has_changed = true;
    index.save(&["a".to_owned()]).unwrap();
    assert!(SessionIndex::open(&folders, &store).kept("a").is_some());
    let text = fs::read_to_string(&index.file).unwrap();
    for other in
        [text[1..].to_owned(), text.replace("\"format\":1", "\"format\":2"), text.replace("/store", "/b")]
    {
        fs::write(&index.file, other).unwrap();
        assert!(SessionIndex::open(&folders, &store).kept("a").is_none());
    }
    fs::remove_file(&index.file).unwrap();
    fs::create_dir(&index.file).unwrap();
    assert!(SessionIndex::open(&folders, &store).kept("a").is_none());
}
