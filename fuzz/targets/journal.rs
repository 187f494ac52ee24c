//! Journals. The first byte picks: any bytes as the file; or the bodies of lines, which are sealed here by the rule
//! that is documented, so that the fuzzer reaches what stands behind the seal; and of a journal that holds, one byte
//! is changed, which must be found in its line.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mageyard::domain::Level;
use mageyard::domain::Options;
use mageyard::engine::Checked;
use mageyard::engine::JournalError;
use mageyard::engine::Recorded;
use mageyard::engine::check;
use mageyard::engine::faults;
use mageyard::engine::read;
use mageyard::engine::repair;
use mageyard::engine::restore;
use mageyard::envs::kind;
use mageyard_fuzz::now;

/// One file for all of them, in the folder for temporary files; `run` makes that a folder in memory.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("mageyard-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder.join("journal.jsonl")
});

fuzz_target!(|bytes: &[u8]| {
    let Some((pick, bytes)) = bytes.split_first() else { return };
    if pick % 2 == 0 {
        journal(bytes);
    } else {
        let sealed = sealed(bytes);
        if let Some(recorded) = journal(&sealed) {
            survives(&recorded);
            changed(&sealed, bytes);
        }
    }
});

/// Lines as the journal seals them: a digest over the seal before and the body.
fn sealed(bodies: &[u8]) -> Vec<u8> {
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

fn checked(bytes: &[u8]) -> Result<Checked, JournalError> {
    fs::write(&*FILE, bytes).expect("the file is written");
    check(&FILE)
}

/// What a file holds if all of it is good. Both ways of reading agree, the damage has a line, and nothing before it
/// is lost.
fn journal(bytes: &[u8]) -> Option<Recorded> {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let checked = match checked(bytes) {
        Ok(checked) => checked,
        Err(JournalError::Newer { .. }) => {
            assert!(matches!(read(&FILE), Err(JournalError::Newer { .. })));
            return None;
        }
        Err(other) => panic!("{other}"),
    };
    let good = checked.recorded.as_ref().map_or(0, |recorded| recorded.lines.len() + 1);
    assert_eq!(good + checked.lost, lines, "{good} good lines and {} lost", checked.lost);
    match (&checked.damage, read(&FILE)) {
        (None, Ok(recorded)) => {
            let torn = !bytes.ends_with(b"\n");
            assert_eq!(recorded.torn.is_some(), torn);
            Some(recorded)
        }
        (None, Err(JournalError::Damaged { .. })) if lines == 0 => None,
        (Some(damage), Err(JournalError::Damaged { damage: same, .. })) => {
            assert_eq!((damage, damage.line), (&same, good + 1));
            assert!(!damage.why.is_empty());
            repaired(checked.recorded.as_ref());
            None
        }
        (damage, read) => panic!("{damage:?} by one way of reading, {read:?} by the other"),
    }
}

/// The good part of a damaged journal is a good journal.
fn repaired(good: Option<&Recorded>) {
    let Some(good) = good else { return };
    let path = repair(&FILE, good).expect("the good part is written");
    let again = read(&path).expect("the good part is good");
    assert_eq!((&again.head, &again.lines, again.torn), (&good.head, &good.lines, None));
    fs::remove_file(path).expect("it is there");
}

/// A journal that is good as a file leads back to its episode or is refused with the line; and each of its lines is
/// kept as it was read.
fn survives(recorded: &Recorded) {
    for line in &recorded.lines {
        let kept = serde_json::to_string(line).expect("plain data");
        assert_eq!(serde_json::from_str(&kept).ok().as_ref(), Some(line), "kept as {kept}");
    }
    let head = &recorded.head;
    let Some(kind) = kind(&head.environment) else { return };
    let level = Level { number: head.number, title: head.title.clone(), text: head.level.clone() };
    if kind.read(&level.text).is_err() {
        return;
    }
    let Ok(mut world) = kind.open(&level, &head.options) else { return };
    match now(restore(recorded, &mut *world)) {
        Ok(episode) => drop(faults(&episode, kind, head.conduct.thresholds)),
        Err(error) => {
            assert!(
                (1..=recorded.lines.len() as u64 + 1).contains(&error.line) && !error.why.is_empty(),
                "{error}"
            );
        }
    }
}

/// One byte of a good journal is changed: the line is named, and what stands before it is kept.
fn changed(good: &[u8], by: &[u8]) {
    let pick = by.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    let (at, sign) = (pick % good.len(), (pick % 255) as u8 + 1);
    let mut bytes = good.to_vec();
    bytes[at] ^= sign;
    let line = 1 + good[..at].iter().filter(|byte| **byte == b'\n').count();
    match checked(&bytes) {
        Ok(Checked { damage: Some(damage), .. }) => assert_eq!(damage.line, line, "byte {at} was changed"),
        Ok(Checked { damage: None, recorded, .. }) => {
            let torn = recorded.is_none_or(|recorded| recorded.torn.is_some());
            assert!(at + 1 == good.len() && torn, "byte {at} was changed, and nobody noticed");
        }
        Err(JournalError::Newer { .. }) => assert_eq!(line, 1, "byte {at} was changed"),
        Err(other) => panic!("{other}"),
    }
}
