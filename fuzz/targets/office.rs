//! Office documents as each kind that handlers read. The first byte chooses what the rest is: an archive, or the XML of a part of
//! a small document, presentation, workbook or text, so that the fuzzer need not write archives.
#![no_main]

use std::time::Duration;
use std::time::Instant;

use libfuzzer_sys::fuzz_target;
use mageyard::envs::desktop::document_kinds;
use mageyard_fuzz::office_file;

/// The longest time for a small file with all readers.
const LIMIT: Duration = Duration::from_secs(10);

fuzz_target!(|bytes: &[u8]| {
    let Some((pick, rest)) = bytes.split_first() else { return };
    let file = office_file(*pick, rest);
    let start = Instant::now();
    let kinds = document_kinds(&file);
    assert!(kinds.len() <= 1, "a file is of one kind: {kinds:?}");
    assert_eq!(kinds, document_kinds(&file), "reading is deterministic");
    assert!(start.elapsed() < LIMIT, "reading took {:?}", start.elapsed());
});
