//! Whether the process of another worker has ended. Only a process on the same boot of the same machine, in the same
//! namespaces, can be asked for; of all others only the lease says anything. Containers on one machine have the same boot
//! and different namespaces, and where one number of a namespace is used again, all its former processes have ended.
//!
//! `kill` decides and not `/proc`, because `hidepid` hides living processes. Two machines restored from one image of
//! a running machine would be taken for one: then calls are made twice until the owner's next heartbeat, and the
//! fence keeps the journals whole.

use std::path::Path;
use std::{fs, io};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

/// What workers know of each other's processes.
pub trait Processes: Send + Sync {
    /// What tells this process from all others, on any machine; `None` if it cannot be said.
    fn own(&self) -> Option<Vec<u8>>;
    /// Whether the process that this is of has ended for certain.
    fn has_ended(&self, identity: &[u8]) -> bool;
}

/// The processes of this machine, as the folder `/proc` of Linux shows them. Elsewhere none is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct MachineProcesses;

/// A process.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    place: Place,
    process: i32,
    /// When it started, in ticks since the boot: the number of an ended process may be given to another.
    started: u64,
}

/// Where the number of a process means the same.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    host: String,
    boot: String,
    processes: String,
    /// The times of processes differ between these; older systems have none.
    times: Option<String>,
}

impl Place {
    fn here() -> io::Result<Self> {
        let link = |path: &str| fs::read_link(path).map(|to| to.display().to_string());
        Ok(Self {
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            boot: fs::read_to_string("/proc/sys/kernel/random/boot_id")?.trim().to_owned(),
            processes: link("/proc/self/ns/pid")?,
            times: link("/proc/self/ns/time").ok(),
        })
    }
}

impl Identity {
    /// This process.
    fn own() -> io::Result<Self> {
        let shown: i32 = parse(&fs::read_link("/proc/self")?.display().to_string())?;
        let process: i32 = parse(&std::process::id().to_string())?;
        // `/proc` of other namespaces shows other numbers.
        if shown != process {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let (_, started) = state(process)?;
        Ok(Self { place: Place::here()?, process, started })
    }

    /// Whether the process has ended; an error if that cannot be said.
    fn has_ended(&self) -> io::Result<bool> {
        let own = Self::own()?;
        if own.place != self.place {
            return Ok(false);
        }
        let process = Pid::from_raw(self.process).ok_or(io::ErrorKind::InvalidData)?;
        // This is certain also where the folder of a process of another user is hidden.
        if test_kill_process(process) == Err(Errno::SRCH) {
            return Ok(true);
        }
        let (state, started) = state(self.process)?;
        Ok(started != self.started || matches!(state, 'Z' | 'X'))
    }
}

/// The state of a process and when it started.
fn state(process: i32) -> io::Result<(char, u64)> {
    let text = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat"))?;
    // The name before the parenthesis may have spaces and parentheses.
    let mut fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let state = fields.next().and_then(|state| state.chars().next()).ok_or(io::ErrorKind::InvalidData)?;
    Ok((state, parse(fields.nth(18).unwrap_or_default())?))
}

fn parse<N: std::str::FromStr>(text: &str) -> io::Result<N> {
    text.parse().map_err(|_| io::ErrorKind::InvalidData.into())
}

impl Processes for MachineProcesses {
    fn own(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(&Identity::own().ok()?).ok()
    }

    fn has_ended(&self, identity: &[u8]) -> bool {
        let identity: Option<Identity> = serde_json::from_slice(identity).ok();
        identity.is_some_and(|identity| identity.has_ended().unwrap_or(false))
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;

    use super::*;

    fn has_ended(identity: &Identity) -> bool {
        MachineProcesses.has_ended(&serde_json::to_vec(identity).unwrap())
    }

    /// A process that runs until it is killed, and its identity.
    fn other() -> (std::process::Child, Identity) {
        let child = Command::new("sleep").arg("60").spawn().unwrap();
        let process = i32::try_from(child.id()).unwrap();
        let (_, started) = state(process).unwrap();
        (child, Identity { process, started, ..Identity::own().unwrap() })
    }

    #[test]
    fn a_process_that_runs_has_not_ended_and_a_killed_one_has() {
        assert!(!MachineProcesses.has_ended(&MachineProcesses.own().unwrap()));
        let (mut child, identity) = other();
        assert!(!has_ended(&identity));
        child.kill().unwrap();
        while state(identity.process).is_ok_and(|(state, _)| state != 'Z') {}
        assert!(has_ended(&identity), "its parent has not waited for it yet");
        child.wait().unwrap();
        assert!(has_ended(&identity));
    }

    #[test]
    fn of_other_machines_boots_and_namespaces_nothing_is_known() {
        let gone = || {
            let (mut child, identity) = other();
            child.kill().unwrap();
            child.wait().unwrap();
            identity
        };
        assert!(has_ended(&gone()));
        let text = || "another".to_owned();
        for change in [
            (|place, text| place.host = text) as fn(&mut Place, String),
            |place, text| place.boot = text,
            |place, text| place.processes = text,
            |place, text| place.times = Some(text),
        ] {
            let mut identity = gone();
            change(&mut identity.place, text());
            assert!(!has_ended(&identity), "{identity:?}");
        }
        assert!(!MachineProcesses.has_ended(b"") && !MachineProcesses.has_ended(b"{}"));
        let (mut child, identity) = other();
        let reused = Identity { started: identity.started - 1, ..identity };
        assert!(has_ended(&reused), "its number was given to another process");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
