//! Watches what the programs use together, five times a second.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, WaitOptions, waitpid};

use super::orders::Machine;
use super::processes::{self, Listed};
use crate::protocol::Limits;

const INTERVAL: Duration = Duration::from_millis(200);

/// Starts the thread.
pub(super) fn start(machine: &Arc<Machine>) {
    let machine = Arc::clone(machine);
    let watch = move || {
        loop {
            thread::sleep(INTERVAL);
            reap(&machine);
            if let Some(exceeded) = exceeded(&processes::descendants(), machine.limits()) {
                machine.exceeded(&exceeded);
            }
        }
    };
    // Without the thread the limits that the system keeps are left.
    let _ = thread::Builder::new().name("watch".into()).spawn(watch);
}

/// What is wrong, and whom to end for it.
pub(super) enum Exceeded {
    /// Too many: all of them.
    Processes(u64),
    /// Too much: the largest ones, until the others fit.
    Memory { mib: u64, largest: Vec<u32> },
}

fn exceeded(running: &[Listed], limits: Limits) -> Option<Exceeded> {
    let threads: u64 = running.iter().map(|process| process.threads.max(1)).sum();
    let memory: u64 = running.iter().map(|process| process.memory).sum();
    let most = limits.memory_mib << 20;
    if threads > limits.processes {
        return Some(Exceeded::Processes(threads));
    }
    if memory <= most {
        return None;
    }
    let mut sorted: Vec<&Listed> = running.iter().collect();
    sorted.sort_by_key(|process| std::cmp::Reverse(process.memory));
    let mut left = memory;
    let above = sorted.into_iter().take_while(|process| {
        let exceeds = left > most;
        left = left.saturating_sub(process.memory);
        exceeds
    });
    let largest = above.map(|process| process.id).collect();
    Some(Exceeded::Memory { mib: memory >> 20, largest })
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

    fn process(id: u32, threads: u64, mib: u64) -> Listed {
        Listed { id, parent: 1, is_zombie: false, threads, memory: mib << 20 }
    }

    #[test]
    fn too_many_end_all_and_too_much_ends_the_largest() {
        let limits = Limits { memory_mib: 100, processes: 3, file_mib: 1 };
        let of = |running: &[Listed]| exceeded(running, limits);
        assert!(of(&[process(2, 1, 60), process(3, 2, 40)]).is_none(), "both are at the limit");
        assert!(matches!(of(&[process(2, 4, 1)]), Some(Exceeded::Processes(4))));
        let ended = |running: &[Listed]| match of(running) {
            Some(Exceeded::Memory { mib, largest }) => (mib, largest),
            _ => panic!("memory is not exceeded"),
        };
        assert_eq!(ended(&[process(2, 1, 60), process(3, 1, 41)]), (101, vec![2]));
        assert_eq!(ended(&[process(2, 1, 90), process(3, 1, 90), process(4, 1, 90)]), (270, vec![2, 3]));
    }
}
