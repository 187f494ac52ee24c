//! Facts of files of this machine, with the names of their owners.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};

use super::{kind, seconds};
use crate::handlers::FileFacts;

/// The names of users and groups by their numbers.
#[derive(Debug, Default)]
pub(super) struct Owners {
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has numbers of users"))]
    users: BTreeMap<u32, String>,
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has numbers of groups"))]
    groups: BTreeMap<u32, String>,
}

impl Owners {
    /// Those of this machine; users of a directory service are not known and keep their numbers.
    pub(super) fn of_system() -> Self {
        Self { users: names("/etc/passwd"), groups: names("/etc/group") }
    }

    #[cfg(unix)]
    pub(super) fn facts(&self, metadata: &Metadata) -> FileFacts {
        use std::os::unix::fs::MetadataExt;
        let name = |names: &BTreeMap<u32, String>, id: u32| {
            names.get(&id).cloned().unwrap_or_else(|| id.to_string())
        };
        FileFacts {
            kind: kind(metadata),
            size: metadata.len(),
            mode: metadata.mode() & 0o7777,
            modified: seconds(metadata.modified()),
            changed: changed(metadata.ctime(), metadata.ctime_nsec()),
            owner: name(&self.users, metadata.uid()),
            group: name(&self.groups, metadata.gid()),
        }
    }

    #[cfg(not(unix))]
    pub(super) fn facts(&self, metadata: &Metadata) -> FileFacts {
        FileFacts {
            kind: kind(metadata),
            size: metadata.len(),
            mode: if metadata.permissions().readonly() { 0o444 } else { 0o644 },
            modified: seconds(metadata.modified()),
            changed: seconds(metadata.modified()),
            owner: String::new(),
            group: String::new(),
        }
    }
}

#[cfg(unix)]
#[expect(clippy::cast_precision_loss, reason = "times of files are below 2^53 s")]
fn changed(seconds: i64, nanoseconds: i64) -> f64 {
    seconds as f64 + nanoseconds as f64 * 1e-9
}

/// The names in a file of lines `name:password:number:…`; empty if it cannot be read.
fn names(file: &str) -> BTreeMap<u32, String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let pair = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        Some((fields.nth(1)?.parse().ok()?, name))
    };
    text.lines().filter_map(pair).collect()
}
