//! Frees a browser that waits for a page held by its crash handler.
//!
//! On Linux the handler of Chromium traces a page that crashes, to write a report. A page that is killed meanwhile stays
//! as a zombie until the handler lets go of it, which it may never do, and the browser waits for the zombie. Nobody
//! reads these reports, so such a handler is ended; a page that crashes without one just ends.

use rustix::process::Pid;

/// Ends the crash handlers that trace a process of this group.
#[cfg(target_os = "linux")]
pub(super) fn release(group: Pid) {
    for handler in processes().filter_map(|pid| tracer(pid, group)).filter(|pid| is_crash_handler(*pid)) {
        tracing::warn!("process {handler:?}, a crash handler that holds a page of the browser, is ended");
        // Refused only if it has ended by itself.
        let _ = rustix::process::kill_process(handler, rustix::process::Signal::KILL);
    }
}

/// Other systems have no such handlers.
#[cfg(not(target_os = "linux"))]
pub(super) fn release(_group: Pid) {}

#[cfg(target_os = "linux")]
fn processes() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// The process that traces this one, if this one is of the group.
#[cfg(target_os = "linux")]
fn tracer(pid: Pid, group: Pid) -> Option<Pid> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let field = |name| status.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<i32>().ok());
    (field("NSpgid:")? == group.as_raw_nonzero().get()).then(|| field("TracerPid:"))?.and_then(Pid::from_raw)
}

/// Whether this is a crash handler, and not the debugger of a developer. Linux cuts names to 15 bytes.
#[cfg(target_os = "linux")]
fn is_crash_handler(pid: Pid) -> bool {
    let name = std::fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero()));
    name.is_ok_and(|name| name.trim_end() == "chrome_crashpad")
}
