//! The processes of the sandbox, as the system lists them in `/proc`: everything that descends from this process.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::protocol::RunningProcess;

/// How long ending all of them may take.
const ENDING: Duration = Duration::from_secs(5);

/// A line of the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) id: u32,
    pub(super) parent: u32,
    pub(super) is_zombie: bool,
    pub(super) threads: u64,
    /// Resident memory in bytes.
    pub(super) memory: u64,
}

/// Every process that this one may see.
fn all() -> Vec<Listed> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter_map(listed).collect()
}

fn listed(id: u32) -> Option<Listed> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name is in parentheses and may have any character.
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Listed {
        id,
        parent: u32::try_from(number(1)?).ok()?,
        is_zombie: fields.first() == Some(&"Z"),
        threads: number(17)?,
        memory: number(21)? * rustix::param::page_size() as u64,
    })
}

/// The processes that descend from this one, and have not ended.
pub(super) fn descendants() -> Vec<Listed> {
    descendants_of(rustix::process::getpid().as_raw_pid().unsigned_abs())
}

/// The processes that descend from this one, without itself.
pub(super) fn descendants_of(root: u32) -> Vec<Listed> {
    let all = all();
    let mut children: HashMap<u32, Vec<Listed>> = HashMap::new();
    for process in &all {
        children.entry(process.parent).or_default().push(*process);
    }
    let (mut found, mut waiting, mut seen) = (Vec::new(), vec![root], HashSet::from([root]));
    while let Some(parent) = waiting.pop() {
        for child in children.get(&parent).into_iter().flatten() {
            if seen.insert(child.id) {
                waiting.push(child.id);
                found.push(*child);
            }
        }
    }
    found
}

/// Zombies among the children of this process. Their parent has ended before them, so nobody else waits for them.
pub(super) fn orphans(own: &HashSet<u32>) -> Vec<u32> {
    let this = rustix::process::getpid().as_raw_pid().unsigned_abs();
    let zombies = descendants().into_iter().filter(|process| process.is_zombie && process.parent == this);
    zombies.map(|process| process.id).filter(|id| !own.contains(id)).collect()
}

/// Ends a process at once. One that has ended already is no error.
pub(super) fn end(id: u32) {
    if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Ends processes and what descends from them, until none is left that is not a zombie. They are halted first, so that they start no
/// others.
pub(super) fn end_tree(root: u32) -> bool {
    end_until(|| descendants_of(root))
}

/// Ends everything that descends from this process.
pub(super) fn end_descendants() -> bool {
    end_until(descendants)
}

fn end_until(list: impl Fn() -> Vec<Listed>) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < ENDING {
        let left: Vec<Listed> = list().into_iter().filter(|process| !process.is_zombie).collect();
        if left.is_empty() {
            return true;
        }
        for process in &left {
            if let Some(pid) = i32::try_from(process.id).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::STOP);
            }
        }
        for process in &left {
            end(process.id);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

/// How many threads the user of this process has anywhere.
pub(super) fn threads_of_user() -> u64 {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    let own = |id: u32| fs::metadata(format!("/proc/{id}")).is_ok_and(|found| found.uid() == user);
    all().iter().filter(|process| own(process.id)).map(|process| process.threads).sum()
}

/// What is known of a process. `None` if it has ended.
pub(super) fn describe(id: u32) -> Option<RunningProcess> {
    let name = fs::read_to_string(format!("/proc/{id}/comm")).ok()?.trim_end().to_owned();
    let program = fs::read_link(format!("/proc/{id}/exe")).unwrap_or_default();
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    let arguments = line.split(|byte| *byte == 0).map(|part| String::from_utf8_lossy(part).into_owned());
    let mut arguments: Vec<String> = arguments.collect();
    // The last argument ends with a zero byte too.
    arguments.pop();
    Some(RunningProcess { id, name, program: program.to_string_lossy().into_owned(), arguments })
}
