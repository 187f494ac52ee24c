//! The keeper: outside of the sandbox, it starts the supervisor, waits for its end, ends what is left, and removes the folder.

use std::io::stdin;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::processes;
use crate::confine::{adopt_orphans, sandbox_user};
use crate::remove::remove_folder;

/// How long the supervisor may take to end everything after the pipe has closed. One that is stuck is ended with its programs.
const ENDING: Duration = Duration::from_secs(2);

/// How many times the removal of the folder is tried, and how long after each other.
const TRIES: (u32, Duration) = (20, Duration::from_millis(20));

/// Arguments: the folder of the sandbox, then the command of the supervisor.
pub(super) fn keep(arguments: &[String]) -> ExitCode {
    let [folder, program, arguments @ ..] = arguments else { return ExitCode::from(2) };
    adopt_orphans();
    if !begins() {
        remove(Path::new(folder));
        return ExitCode::FAILURE;
    }
    let mut command = Command::new(program);
    command.args(arguments);
    sandbox_user().apply(&mut command);
    let code = command.spawn().map(wait);
    let _ = processes::end_descendants();
    remove(Path::new(folder));
    code.unwrap_or(ExitCode::from(127))
}

/// Waits for the first line, with which the folder is complete; false if the other side has closed the input before.
fn begins() -> bool {
    let input = stdin();
    let mut ends = [PollFd::from_borrowed_fd(input.as_fd(), PollFlags::IN)];
    while poll(&mut ends, None) == Err(Errno::INTR) {}
    ends[0].revents().contains(PollFlags::IN)
}

/// Waits for the supervisor.
fn wait(mut child: Child) -> ExitCode {
    close_output();
    // Without the thread a supervisor that is stuck ends with the process group.
    let _ = thread::Builder::new().name("input".into()).spawn(end_when_closed);
    let status = child.wait();
    let code = status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Gives up the output: the other side must see it close with the supervisor.
fn close_output() {
    if let Ok(null) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(&null);
    }
}

/// Waits until the other side closes the input, which the supervisor reads. Then ends everything that it does not end itself.
fn end_when_closed() {
    let input = stdin();
    let mut ends = [PollFd::from_borrowed_fd(input.as_fd(), PollFlags::empty())];
    while poll(&mut ends, None) == Err(Errno::INTR) {}
    thread::sleep(ENDING);
    processes::end_descendants();
}

/// Removes the folder.
fn remove(folder: &Path) {
    let (tries, pause) = TRIES;
    for _ in 0..tries {
        if remove_folder(folder).is_ok() || !folder.exists() {
            return;
        }
        thread::sleep(pause);
    }
}
