//! What the supervisor allows itself and its programs.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::processes;
use super::spawner::Spawner;
use crate::confine::{adopt_orphans, restrict_files, restrict_programs};
use crate::protocol::{Limits, Setup};

/// Restricts this process, and starts the thread that starts programs, which is restricted further.
pub(super) fn restrict(setup: &Setup) -> Result<Spawner, String> {
    adopt_orphans();
    limit(setup.limits)?;
    keep_memory_private();
    if let Some(allowed) = &setup.landlock {
        restrict_files(allowed, setup.network)?;
    }
    let (required, sockets) = (setup.landlock.is_some(), setup.landlock.is_none() || setup.network);
    Spawner::start(move || restrict_programs(required, sockets))
}

/// Programs of the same user must not read or change this process through `/proc`, where Landlock does not keep them from it.
fn keep_memory_private() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// How many files a program may have open: they are looked through when memory is counted.
const OPEN_FILES: u64 = 4096;

/// Sets the limits that the system keeps for each program. The memory of all together is watched.
fn limit(limits: Limits) -> Result<(), String> {
    let memory = limits.memory_mib << 20;
    // The count of the system is of a user, whose other processes may be outside.
    let others = processes::threads_of_user();
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::Fsize, limits.file_mib << 20),
        (Resource::Nofile, OPEN_FILES),
        (Resource::As, memory.saturating_mul(2)),
        // Twice as many: then the watch sees that there are too many, ends them, and says so.
        (Resource::Nproc, limits.processes.saturating_mul(2).saturating_add(others)),
    ] {
        let most = getrlimit(resource).maximum.map_or(most, |now| now.min(most));
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, limit).map_err(|error| format!("a limit cannot be set: {error}"))?;
    }
    Ok(())
}
