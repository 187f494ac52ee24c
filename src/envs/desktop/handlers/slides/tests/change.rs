//! Changes presentations: texts of their parts replaced.

use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// A change: a part, a text that is in it, and what is there instead. An empty text is the whole part.
pub(super) type Change<'a> = (&'a str, &'a str, &'a str);

/// An archive with changes, each at the first place. A part whose whole content becomes empty is left out.
pub(super) fn changed(bytes: &[u8], changes: &[Change<'_>]) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut done = vec![false; changes.len()];
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        let name = part.name().unwrap().into_owned();
        let mut content = Vec::new();
        part.read_to_end(&mut content).unwrap();
        let mut is_kept = true;
        for (change, done) in changes.iter().zip(&mut done).filter(|((part, _, _), _)| *part == name) {
            let (_, from, to) = *change;
            if from.is_empty() {
                content = to.as_bytes().to_vec();
                is_kept = !to.is_empty();
            } else {
                let text = String::from_utf8(content).unwrap();
                assert!(text.contains(from), "{name} has no {from}: {text}");
                content = text.replacen(from, to, 1).into_bytes();
            }
            *done = true;
        }
        if is_kept {
            let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            writer.start_file(name, stored).unwrap();
            writer.write_all(&content).unwrap();
        }
    }
    for ((part, _, _), done) in changes.iter().zip(done) {
        assert!(done, "there is no part {part}");
    }
    writer.finish().unwrap().into_inner()
}
