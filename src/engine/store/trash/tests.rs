//! The trash of a store.

use std::os::unix::fs::symlink;

use super::super::JOURNAL_FILE;
use super::*;

const NOW: Duration = Duration::from_millis(1_795_172_554_417);

/// A store with the sessions `one` and `two` and the sweep `grid`.
fn store() -> (tempfile::TempDir, Store) {
    let root = tempfile::tempdir().unwrap();
    for episode in ["one/0001", "one/0001/b1", "two/0001", "sweeps/grid/cell/0001"] {
        let folder = root.path().join(episode);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(JOURNAL_FILE), episode).unwrap();
    }
    let store = Store::new(root.path());
    (root, store)
}

fn read(root: &Path, episode: &str) -> String {
    fs::read_to_string(root.join(episode).join(JOURNAL_FILE)).unwrap()
}

#[test]
fn what_is_deleted_is_in_no_list_and_comes_back_as_it_was() {
    let (root, store) = store();
    let one = store.delete("one", NOW).unwrap();
    let grid = store.delete("grid", NOW).unwrap();
    assert_eq!(one.address(), "one@20261120-110234-417");
    assert_eq!(grid.address(), "grid@20261120-110234-418", "each has an address of its own");
    assert_eq!(one.time(), "2026-11-20T11:02:34Z");
    assert_eq!(store.trash().unwrap(), [grid.clone(), one.clone()]);
    assert_eq!(store.sessions().unwrap(), ["two"]);
    assert!(store.sweeps().unwrap().is_empty());
    assert_eq!(store.all_journals().unwrap().len(), 1);
    for gone in ["one", "one/1", "grid", "grid/cell", ".trash", ".trash/20261120-110234-417"] {
        assert!(matches!(store.find(gone), Err(StoreError::NotFound { .. })), "{gone}");
    }
    assert_eq!(store.restore("grid").unwrap(), grid);
    assert_eq!(store.restore(&one.address()).unwrap(), one);
    assert_eq!(read(root.path(), "one/0001/b1"), "one/0001/b1");
    assert_eq!(read(root.path(), "sweeps/grid/cell/0001"), "sweeps/grid/cell/0001");
    assert!(store.trash().unwrap().is_empty());
    assert_eq!(fs::read_dir(root.path().join(TRASH_FOLDER)).unwrap().count(), 0, "no empty folders stay");
}

#[test]
fn a_name_that_is_taken_again_is_not_overwritten() {
    let (root, store) = store();
    let first = store.delete("one", NOW).unwrap();
    fs::create_dir(root.path().join("one")).unwrap();
    let error = store.restore("one").unwrap_err();
    assert!(matches!(&error, StoreError::NameTaken { name, .. } if name == "one"), "{error}");
    // The newer one of the same name comes back first, and the older one by its address.
    let second = store.delete("one", NOW).unwrap();
    assert_eq!(store.restore("one").unwrap(), second);
    assert!(store.restore(&first.address()).unwrap_err().to_string().contains("exists already"));
    store.delete("one", NOW).unwrap();
    assert_eq!(store.restore(&first.address()).unwrap(), first);
    assert_eq!(read(root.path(), "one/0001"), "one/0001");
}

#[test]
fn only_whole_names_are_deleted_and_nothing_outside_of_the_store() {
    let (root, store) = store();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("kept"), "").unwrap();
    let absolute = outside.path().to_str().unwrap();
    for name in
        ["../x", "..", ".", "", "/", "one/", "one/1", "on", "last", "sweeps", ".trash", ".newest", absolute]
    {
        let error = store.delete(name, NOW).unwrap_err();
        assert!(matches!(error, StoreError::NotFound { .. }), "{name:?}: {error}");
        let error = store.restore(name).unwrap_err();
        assert!(matches!(error, StoreError::NotInTrash { .. }), "{name:?}: {error}");
    }
    assert_eq!(store.sessions().unwrap(), ["one", "two"]);
    assert!(store.trash().unwrap().is_empty() && outside.path().join("kept").exists());
    assert!(root.path().join("sweeps/grid").exists());
}

#[test]
fn links_are_moved_and_removed_themselves() {
    let (root, store) = store();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("kept"), "").unwrap();
    symlink(outside.path(), root.path().join("linked")).unwrap();
    symlink(outside.path(), root.path().join("two/inner")).unwrap();
    for name in ["linked", "two"] {
        let deleted = store.delete(name, NOW).unwrap();
        assert_eq!(store.restore(name).unwrap(), deleted);
        let deleted = store.delete(name, NOW).unwrap();
        store.remove_deleted(&deleted).unwrap();
    }
    assert!(outside.path().join("kept").exists());
    assert!(store.trash().unwrap().is_empty());
    // An entry that is a link is none of this program's, and is not followed.
    fs::create_dir_all(outside.path().join("session/evil")).unwrap();
    symlink(outside.path(), root.path().join(TRASH_FOLDER).join("20261120-110234-417")).unwrap();
    assert!(store.trash().unwrap().is_empty());
    fs::remove_dir_all(root.path().join(TRASH_FOLDER)).unwrap();
    symlink(outside.path(), root.path().join(TRASH_FOLDER)).unwrap();
    let error = store.delete("one", NOW).unwrap_err().to_string();
    assert!(error.contains("the trash is not a folder"), "{error}");
    assert!(root.path().join("one").exists());
}

#[test]
fn what_a_process_writes_stays() {
    let (root, store) = store();
    for journal in ["one/0001", "one/0001/b1", "sweeps/grid/cell/0001"] {
        let path = root.path().join(journal).join(JOURNAL_FILE);
        let open = File::options().write(true).open(&path).unwrap();
        open.lock().unwrap();
        let name = if journal.starts_with("one") { "one" } else { "grid" };
        let error = store.delete(name, NOW).unwrap_err();
        assert!(matches!(&error, StoreError::InUse { journal } if *journal == path), "{error}");
        assert!(store.trash().unwrap().is_empty());
        drop(open);
        store.delete(name, NOW).unwrap();
        store.restore(name).unwrap();
    }
}
