//! Shared documents, in a folder and in a real Redis server.

use std::sync::Arc;
use std::thread;

use super::file::FileDocuments;
use mageyard_agents::SharedDocuments;

/// Several threads increase a number in a document; each must see all increases before its own.
pub(super) fn count_together(documents: &[Arc<dyn SharedDocuments>], times: u64) {
    let count = |documents: &Arc<dyn SharedDocuments>| {
        let mut replaced = 0;
        while replaced < times {
            let there = documents.read("count").unwrap();
            let number = String::from_utf8(there.content).unwrap().parse().unwrap_or(0_u64);
            let more = (number + 1).to_string();
            replaced += u64::from(documents.replace("count", &there.version, more.as_bytes()).unwrap());
        }
    };
    thread::scope(|scope| {
        for documents in documents {
            scope.spawn(move || count(documents));
        }
    });
    let sum = documents[0].read("count").unwrap().content;
    assert_eq!(String::from_utf8(sum).unwrap(), (times * documents.len() as u64).to_string());
}

#[test]
fn of_several_processes_one_replaces_a_document_in_a_folder() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("permits");
    let open = || Arc::new(FileDocuments::new(folder.clone())) as Arc<dyn SharedDocuments>;
    count_together(&[open(), open(), open(), open()], 100);
    let names = std::fs::read_dir(folder.join("count")).unwrap();
    assert_eq!(names.count(), 2, "a head and a body");
    let one = open();
    let old = one.read("other").unwrap();
    assert!(one.replace("other", &old.version, b"a").unwrap());
    assert!(!one.replace("other", &old.version, b"b").unwrap(), "it is another document now");
    assert_eq!(one.read("other").unwrap().content, b"a");
}
