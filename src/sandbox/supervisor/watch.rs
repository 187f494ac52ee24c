//! Watches what the programs use together, five times a second.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, WaitOptions, waitpid};

use super::memory::Memory;
use super::orders::Machine;
use super::processes::{self, Listed};
use crate::protocol::Limits;

const INTERVAL: Duration = Duration::from_millis(200);

/// Which part of the memory segments of System V may have when there is too much: they must leave room for the next kernel.
const SEGMENTS_PART: u64 = 4;

/// Starts the thread.
pub(super) fn start(machine: &Arc<Machine>) {
    let machine = Arc::clone(machine);
    let watch = move || {
        loop {
            thread::sleep(INTERVAL);
            reap(&machine);
            machine.notice_end();
            let running = processes::descendants();
            let most = machine.limits().memory_mib << 20;
            let memory = || Memory::of(&running, machine.has_namespaces(), most);
            let exceeded = too_many(&running, machine.limits()).or_else(|| too_much(&memory(), most));
            if let Some(exceeded) = exceeded {
                machine.exceeded(&exceeded);
            }
        }
    };
    // Without the thread the limits that the system keeps are left.
    let _ = thread::Builder::new().name("watch".into()).spawn(watch);
}

/// What is wrong, and what to end for it.
pub(super) enum Exceeded {
    /// Too many: all of them.
    Processes(u64),
    /// Too much: the largest ones, until the others fit. `segments` says that segments of System V are removed too.
    Memory { mib: u64, largest: Vec<u32>, segments: bool },
}

fn too_many(running: &[Listed], limits: Limits) -> Option<Exceeded> {
    let threads: u64 = running.iter().map(|process| process.threads.max(1)).sum();
    (threads > limits.processes).then_some(Exceeded::Processes(threads))
}

fn too_much(memory: &Memory, most: u64) -> Option<Exceeded> {
    let bytes = memory.bytes();
    if bytes <= most {
        return None;
    }
    let mut sorted = memory.programs.clone();
    sorted.sort_by_key(|program| std::cmp::Reverse(program.freed()));
    let (mut left, mut largest) = (bytes, Vec::new());
    for program in sorted {
        if left <= most {
            break;
        }
        left = left.saturating_sub(program.freed());
        largest.push(program.id);
    }
    let segments = memory.segments > most / SEGMENTS_PART;
    Some(Exceeded::Memory { mib: bytes >> 20, largest, segments })
}

/// Waits for orphans that have ended.
fn reap(machine: &Machine) {
    for id in machine.orphans() {
        let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
        let _ = waitpid(pid, WaitOptions::NOHANG);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervisor::memory::Use;

    #[test]
    fn too_many_threads_exceed_the_limit_together() {
        let limits = Limits { memory_mib: 100, processes: 3, file_mib: 1 };
        let process = |id, threads| Listed { id, parent: 1, is_zombie: false, threads, memory: 0 };
        assert!(too_many(&[process(2, 1), process(3, 2)], limits).is_none(), "both are at the limit");
        assert!(matches!(too_many(&[process(2, 4)], limits), Some(Exceeded::Processes(4))));
    }

    #[test]
    fn too_much_ends_the_largest_until_the_others_fit() {
        let with = |files: u64, segments: u64, programs: &[Use]| {
            let memory = Memory { programs: programs.to_vec(), files: files << 20, segments: segments << 20 };
            match too_much(&memory, 100 << 20) {
                Some(Exceeded::Memory { mib, largest, segments }) => Some((mib, largest, segments)),
                _ => None,
            }
        };
        let of = |files, programs: &[Use]| with(files, 0, programs);
        let process = |id, mib: u64| Use::of(id, mib << 20, 0, 0);
        assert_eq!(of(0, &[process(2, 60), process(3, 40)]), None);
        assert_eq!(of(0, &[process(2, 60), process(3, 41)]), Some((101, vec![2], false)));
        let three = [process(2, 90), process(3, 90), process(4, 90)];
        assert_eq!(of(0, &three), Some((270, vec![2, 3], false)));
        let holder = Use::of(4, 1 << 20, 0, 90 << 20);
        assert_eq!(of(90, &[process(2, 20), process(3, 20), holder]), Some((131, vec![4], false)));
        assert_eq!(with(90, 90, &[process(2, 20)]), Some((110, vec![2], true)), "they would stay");
        assert_eq!(with(25, 25, &[process(2, 80)]), Some((105, vec![2], false)));
    }
}
