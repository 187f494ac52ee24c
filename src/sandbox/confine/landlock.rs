//! Landlock and seccomp: restrictions that the supervisor puts on itself and on the programs that it starts.

use std::collections::BTreeMap;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch};

use crate::protocol::Allowed;

/// The version with signals and abstract sockets: Linux 6.12.
const NEEDED: ABI = ABI::V6;

/// Devices that every program may use.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Whether this system has what is needed.
pub(crate) fn probe() -> Result<(), String> {
    ruleset(false).and_then(Ruleset::create).map(drop).map_err(|error| {
        let error = error.to_string();
        format!("it needs Landlock with signals (Linux 6.12): {error}")
    })?;
    TargetArch::try_from(std::env::consts::ARCH).map(drop).map_err(|error| format!("seccomp: {error}"))
}

fn ruleset(network: bool) -> Result<Ruleset, landlock::RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        .scope(scopes())?;
    if network { Ok(ruleset) } else { ruleset.handle_access(AccessNet::from_all(NEEDED)) }
}

fn scopes() -> BitFlags<Scope> {
    Scope::Signal | Scope::AbstractUnixSocket
}

/// Restricts the calling thread, and what it starts, to these files, and its signals to what it starts. Without the network it
/// has no TCP.
pub(crate) fn restrict_files(allowed: &Allowed, network: bool) -> Result<(), String> {
    let read = AccessFs::from_read(NEEDED);
    let restrict = || {
        let mut created = ruleset(network)?.create()?;
        for path in &allowed.readable {
            created = allow(created, path, read)?;
        }
        for path in &allowed.writable {
            created = allow(created, path, AccessFs::from_all(NEEDED))?;
        }
        for device in DEVICES {
            let access = AccessFs::ReadFile | AccessFs::WriteFile;
            created = allow(created, Path::new(device), access)?;
        }
        created.restrict_self()
    };
    let status = restrict().map_err(|error: landlock::RulesetError| error.to_string())?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        RulesetStatus::PartiallyEnforced | RulesetStatus::NotEnforced => {
            Err("Landlock is not enforced in full".to_owned())
        }
    }
}

/// Allows a path; one that does not exist needs no rule.
fn allow(
    created: landlock::RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, landlock::RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(created) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEEDED) };
    created.add_rule(PathBeneath::new(opened, access))
}

/// Restricts the calling thread, and what it starts, beyond the supervisor: no signals to the supervisor, and without Bubblewrap no
/// sockets. `sockets` says whether they are allowed.
///
/// Sockets of files are refused with the others: they would reach services of the user outside, such as the session bus, which
/// starts programs that no sandbox binds.
pub(crate) fn restrict_programs(required: bool, sockets: bool) -> Result<(), String> {
    let scoped = Ruleset::default()
        .set_compatibility(if required { CompatLevel::HardRequirement } else { CompatLevel::BestEffort })
        .scope(scopes())
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    scoped.map_err(|error| error.to_string())?;
    if sockets {
        return Ok(());
    }
    seccompiler::apply_filter(&filter()?).map_err(|error| error.to_string())
}

/// Refuses sockets, and calls that make files or sockets unseen by a filter, that look into other processes, or that share memory
/// with them: System V has that of all processes of a user, and it stays when they end.
fn filter() -> Result<BpfProgram, String> {
    let refused = [
        libc::SYS_socket,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_shmget,
        libc::SYS_shmat,
        libc::SYS_semget,
        libc::SYS_msgget,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
    ];
    let rules: BTreeMap<i64, Vec<SeccompRule>> = refused.iter().map(|call| (*call, Vec::new())).collect();
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let refuse = SeccompAction::Errno(u32::try_from(libc::EPERM).unwrap_or(1));
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch);
    filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())
}

/// Makes orphans of programs children of this process, so that none is lost.
pub(crate) fn adopt_orphans() {
    // Refused only by kernels that are older than Landlock.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}
