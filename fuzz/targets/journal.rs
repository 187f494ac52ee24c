//! Journals. The first byte selects: any bytes as a file; or the bodies of lines, which are sealed here by the
//! documented rule, so that the fuzzer gets past the seals. In a valid journal one byte is then changed, which must
//! be detected in its line.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mageyard::engine::JournalCheck;
use mageyard::engine::JournalContents;
use mageyard::engine::JournalError;
use mageyard::engine::analyze;
use mageyard::engine::check_journal;
use mageyard::engine::read_journal;
use mageyard::engine::repair_journal;
use mageyard::engine::restore;
use mageyard::envs::environment;
use mageyard_fuzz::poll_once;

/// The file for all inputs in the temporary folder, which `run` creates in memory.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("mageyard-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder.join("journal.jsonl")
});

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    if choice % 2 == 0 {
        check_file(bytes);
    } else {
        let sealed = seal(bytes);
        if let Some(contents) = check_file(&sealed) {
            check_contents(&contents);
            check_damage(&sealed, bytes);
        }
    }
});

/// Seals lines like a journal: a digest over the previous seal and the body.
fn seal(bodies: &[u8]) -> Vec<u8> {
    let short = |hash: &blake3::Hasher| hash.finalize().to_hex()[..16].to_owned();
    let mut before = short(&blake3::Hasher::new());
    let mut file = Vec::new();
    for body in bodies.split(|byte| *byte == b'\n').filter(|body| !body.is_empty()) {
        let mut hash = blake3::Hasher::new();
        before = short(hash.update(before.as_bytes()).update(body));
        file.extend_from_slice(&body[..body.len() - 1]);
        file.extend_from_slice(format!(",\"seal\":\"{before}\"}}\n").as_bytes());
    }
    file
}

fn write_and_check(bytes: &[u8]) -> Result<JournalCheck, JournalError> {
    fs::write(&*FILE, bytes).expect("the file is written");
    check_journal(&FILE)
}

/// Returns the contents of a valid journal. Checking and reading agree, damage has a line, and all lines before it are
/// kept.
fn check_file(bytes: &[u8]) -> Option<JournalContents> {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let checked = match write_and_check(bytes) {
        Ok(checked) => checked,
        Err(JournalError::Newer { .. }) => {
            assert!(matches!(read_journal(&FILE), Err(JournalError::Newer { .. })));
            return None;
        }
        Err(other) => panic!("{other}"),
    };
    let valid = checked.recorded.as_ref().map_or(0, |contents| contents.lines.len() + 1);
    assert_eq!(valid + checked.lost, lines, "{valid} valid lines and {} lost", checked.lost);
    match (&checked.damage, read_journal(&FILE)) {
        (None, Ok(contents)) => {
            let torn = !bytes.ends_with(b"\n");
            assert_eq!(contents.torn.is_some(), torn);
            Some(contents)
        }
        (None, Err(JournalError::Damaged { .. })) if lines == 0 => None,
        (Some(damage), Err(JournalError::Damaged { damage: same, .. })) => {
            assert_eq!((damage, damage.line), (&same, valid + 1));
            assert!(!damage.why.is_empty());
            check_repair(checked.recorded.as_ref());
            None
        }
        (damage, read) => panic!("checking found {damage:?}, reading {read:?}"),
    }
}

/// The valid part of a damaged journal is a valid journal.
fn check_repair(valid: Option<&JournalContents>) {
    let Some(valid) = valid else { return };
    let path = repair_journal(&FILE, valid).expect("the valid part is written");
    let again = read_journal(&path).expect("the valid part is valid");
    assert_eq!((&again.head, &again.lines, again.torn), (&valid.head, &valid.lines, None));
    fs::remove_file(path).expect("the repaired file exists");
}

/// A valid journal restores its episode or is rejected with a line.
fn check_contents(contents: &JournalContents) {
    let head = &contents.head;
    let Some(environment) = environment(&head.environment) else { return };
    let level = head.to_level();
    if environment.parse_levels(level.text()).is_err() {
        return;
    }
    let Ok(mut world) = environment.open(&level, &head.options, head.seed) else { return };
    match poll_once(restore(contents, &mut *world)) {
        Ok(episode) => drop(analyze(&episode, environment, head.conduct.thresholds)),
        Err(error) => {
            assert!(
                (1..=contents.lines.len() as u64 + 1).contains(&error.line) && !error.why.is_empty(),
                "{error}"
            );
        }
    }
}

/// Changes one byte of a valid journal: the damage is reported in its line.
fn check_damage(valid: &[u8], seed: &[u8]) {
    let choice = seed.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    let (at, mask) = (choice % valid.len(), (choice % 255) as u8 + 1);
    let mut bytes = valid.to_vec();
    bytes[at] ^= mask;
    let line = 1 + valid[..at].iter().filter(|byte| **byte == b'\n').count();
    match write_and_check(&bytes) {
        Ok(JournalCheck { damage: Some(damage), .. }) => {
            assert_eq!(damage.line, line, "byte {at} was changed")
        }
        Ok(JournalCheck { damage: None, recorded, .. }) => {
            let torn = recorded.is_none_or(|contents| contents.torn.is_some());
            assert!(at + 1 == valid.len() && torn, "byte {at} was changed without detection");
        }
        Err(JournalError::Newer { .. }) => assert_eq!(line, 1, "byte {at} was changed"),
        Err(other) => panic!("{other}"),
    }
}
