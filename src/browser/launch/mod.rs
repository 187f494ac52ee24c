//! Starts a browser with a fresh profile and ends it: with its whole process group and its folder, always.
//!
//! Three things end it. Dropping [`BrowserProcess`] kills the group and removes the folder. When this program ends in
//! any other way, also by `kill -9`, the pipe closes, and the browser ends by itself. A shell between the two waits for
//! that and removes the folder.

mod flags;
mod messages;

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use std::{fs, io, thread};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

pub(super) use flags::{Purpose, has_sandbox};

use messages::{LastWords, Messages};

/// Gives the browser its pipe as descriptors 3 and 4, and removes the profile folder when the browser has ended. The
/// shell itself keeps no end of the pipe, and ends as the browser did.
const SHELL: &str = r#"
folder=$1
shift
exec 3<&0 4>&1 </dev/null >/dev/null
"$@" &
exec 3<&- 4>&- 2>/dev/null
wait $!
ended=$?
rm -rf -- "$folder" || { sleep 1; rm -rf -- "$folder"; }
exit "$ended"
"#;

/// A shell adds this to the number of the signal that ended a program.
const SIGNALLED: i32 = 128;

/// A started browser.
#[derive(Debug)]
pub(super) struct BrowserProcess {
    child: Child,
    group: Pid,
    folder: TempDir,
    messages: Messages,
}

impl BrowserProcess {
    /// Starts a program, with the ends of its pipe. Pages may use so much memory for scripts.
    ///
    /// # Errors
    /// If a folder cannot be created or the shell cannot be started. A program that cannot be started is noticed
    /// when the pipe closes.
    pub(super) fn start(
        program: &Path,
        page_memory_mib: u64,
        purpose: Purpose,
    ) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let folder = tempfile::Builder::new().prefix("mageyard-browser-").tempdir()?;
        let mut child = command(program, folder.path(), page_memory_mib, purpose).spawn()?;
        let id = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(group), (Some(input), Some(output), Some(errors))) = (id, pipes) else {
            return Err(io::Error::other("the shell ended at once"));
        };
        let messages = Messages::read(errors, program);
        Ok((Self { child, group, folder, messages }, input, output))
    }

    /// The process group of the browser and its pages.
    pub(super) fn group(&self) -> Pid {
        self.group
    }

    /// What the browser printed last.
    pub(super) fn last_words(&self) -> LastWords {
        self.messages.last_words()
    }

    /// Waits until the browser has ended by itself after its pipe was closed, and its folder is gone.
    pub(super) async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }
}

/// Whether a browser ended by a signal: it crashed, or was killed.
pub(super) fn is_crash(status: ExitStatus) -> bool {
    status.code().is_none_or(|code| code > SIGNALLED)
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        // Refused only if all processes of the group have ended.
        let _ = kill_process_group(self.group, Signal::KILL);
        remove(&mut self.child, self.folder.path());
    }
}

/// Removes the folder. Killed processes may write into it until they are gone, so this tries for up to half a second.
fn remove(child: &mut Child, folder: &Path) {
    for _ in 0..50 {
        let reaped = !matches!(child.try_wait(), Ok(None));
        let removed = fs::remove_dir_all(folder).is_ok() || !folder.exists();
        if reaped && removed {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    tracing::warn!("the folder {} of a browser could not be removed", folder.display());
}

fn command(program: &Path, folder: &Path, page_memory_mib: u64, purpose: Purpose) -> Command {
    let mut command = Command::new("/bin/sh");
    let flags = flags::flags(folder, page_memory_mib, purpose);
    command.args(["-c", SHELL, "sh"]).arg(folder).arg(program).args(flags);
    // What a desktop session offers is nothing for these pages.
    command.env_remove("DBUS_SESSION_BUS_ADDRESS").env("LANGUAGE", "en_US");
    for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
        command.env(name, folder);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    command
}
