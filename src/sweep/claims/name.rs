//! The names of the files in the control folder, which are all that the protocol stores: the cell, its owner, how often
//! it was claimed, and the heartbeat.

use std::fmt;
use std::str::FromStr;

use super::error::ClaimError;

/// The longest name of a cell and of a worker, in bytes; a file name with both stays below 255.
pub const MAX_CELL_NAME: usize = 120;
const MAX_WORKER_NAME: usize = 80;

/// The name of a process that claims cells: letters, digits, dashes and underscores.
///
/// Two processes must never have the same name, also not one after the other: a name stands for one set of claims.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerName(String);

impl WorkerName {
    /// Checks a name.
    pub fn new(name: impl Into<String>) -> Result<Self, ClaimError> {
        let name = name.into();
        let fits = !name.is_empty() && name.len() <= MAX_WORKER_NAME && name.chars().all(is_plain);
        if fits { Ok(Self(name)) } else { Err(ClaimError::Name { kind: "worker", name }) }
    }

    /// A name from a label, such as the host and the number of the process, and a number that no other process has.
    /// What does not fit into a name becomes a dash.
    pub fn unique(label: &str, nonce: u64) -> Self {
        let plain = label.chars().map(|c| if is_plain(c) { c } else { '-' });
        let label: String = plain.take(MAX_WORKER_NAME - 17).collect();
        Self(format!("{label}-{nonce:016x}"))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// Checks that the name of a cell is safe as the name of a folder: letters, digits, dashes, underscores, equal and plus
/// signs, and dots that are not the first character.
pub fn check_cell_name(name: &str) -> Result<(), ClaimError> {
    let fits = |c: char| is_plain(c) || matches!(c, '.' | '=' | '+');
    let safe = !name.is_empty() && name.len() <= MAX_CELL_NAME && !name.starts_with('.');
    if safe && name.chars().all(fits) {
        return Ok(());
    }
    Err(ClaimError::Name { kind: "cell", name: name.to_owned() })
}

/// The end of a claim: in the names of the states `done`, `failed` and `parked`, and of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) cell: String,
    pub(super) worker: WorkerName,
    /// How often the cell was claimed, this claim included.
    pub(super) generation: u32,
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.cell, self.worker, self.generation)
    }
}

impl Held {
    /// `CELL.WORKER.GENERATION`
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (rest, generation) = split_number(name)?;
        let (cell, worker) = rest.rsplit_once('.')?;
        check_cell_name(cell).ok()?;
        Some(Self { cell: cell.to_owned(), worker: WorkerName::new(worker).ok()?, generation })
    }
}

/// `CELL.GENERATION`: a cell in the queue, and how often it was claimed. The name of the cell is not checked.
pub(super) fn parse_queued(name: &str) -> Option<(&str, u32)> {
    split_number(name)
}

/// `CELL.WORKER.GENERATION.BEAT`: a claim and its heartbeat.
pub(super) fn parse_claimed(name: &str) -> Option<(Held, u64)> {
    let (held, beat) = split_number(name)?;
    Some((Held::parse(held)?, beat))
}

/// `CELL.WORKER`: a cell that a worker adds.
pub(super) fn parse_adding(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once('.').filter(|(cell, worker)| check_cell_name(cell).is_ok() && !worker.is_empty())
}

/// Splits off the number at the end, which is written as this program writes it.
fn split_number<N: FromStr>(name: &str) -> Option<(&str, N)> {
    let (rest, text) = name.rsplit_once('.')?;
    let as_written = text == "0" || !text.starts_with(['0', '+', '-']);
    Some((rest, text.parse().ok().filter(|_| as_written)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let worker = WorkerName::unique("node7.cluster/é:99", 0xab);
        assert_eq!(worker.as_str(), "node7-cluster---99-00000000000000ab");
        let held = Held { cell: "am=5.gpt-4.1".to_owned(), worker, generation: 12 };
        assert_eq!(Held::parse(&held.to_string()), Some(held.clone()));
        assert_eq!(parse_claimed(&format!("{held}.99")), Some((held, 99)));
        assert_eq!(parse_queued("a.b.3"), Some(("a.b", 3)));
        assert_eq!(parse_adding("a.b.w"), Some(("a.b", "w")));
    }

    #[test]
    fn other_names_are_refused() {
        for cell in ["", ".", "..", ".a", "a/b", "a\0", "a b", "ä", "a\n", &"a".repeat(121)] {
            assert!(check_cell_name(cell).is_err(), "{cell:?}");
        }
        for worker in ["", "a.b", "a/b", &"w".repeat(81)] {
            assert!(WorkerName::new(worker).is_err(), "{worker:?}");
        }
        for name in ["", "a", "a.", "a.01", "a.-1", "a.+1", "a.4294967296", "a.1.bak", "a.1~"] {
            assert_eq!(parse_queued(name), None, "{name}");
        }
        for name in ["a.1.2", "a..1.2", ".w.1.2", "a.w.x.2", "a.w.1.", "a.w.1.18446744073709551616"] {
            assert_eq!(parse_claimed(name), None, "{name}");
        }
    }

    #[test]
    fn the_longest_names_fit_a_file_name() {
        let worker = WorkerName::unique(&"h".repeat(200), u64::MAX);
        let held = Held { cell: "c".repeat(MAX_CELL_NAME), worker, generation: u32::MAX };
        assert!(format!("{held}.{}", u64::MAX).len() <= 255);
    }
}
