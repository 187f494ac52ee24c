//! The keeper: outside of the sandbox, it starts the supervisor, waits for its end, ends what is left, and removes the folder.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use super::processes;
use crate::confine::{adopt_orphans, sandbox_user};

/// Arguments: the folder of the sandbox, then the command of the supervisor.
pub(super) fn keep(arguments: &[String]) -> ExitCode {
    let [folder, program, arguments @ ..] = arguments else { return ExitCode::from(2) };
    adopt_orphans();
    let mut command = Command::new(program);
    command.args(arguments);
    sandbox_user().apply(&mut command);
    let code = command.spawn().map(wait);
    let _ = processes::end_descendants();
    remove(Path::new(folder));
    match code {
        Ok(code) => code,
        Err(_) => ExitCode::from(127),
    }
}

/// Waits for the supervisor, which has the only other ends of the pipes.
fn wait(mut child: std::process::Child) -> ExitCode {
    close_pipes();
    let status = child.wait();
    let code = status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Gives up the ends of the pipes of this process: the other side must see them close with the supervisor.
fn close_pipes() {
    if let Ok(null) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
    }
}

/// Removes the folder. What programs have made unreadable for others is removed by their user.
fn remove(folder: &Path) {
    for _ in 0..20 {
        if std::fs::remove_dir_all(folder).is_ok() || !folder.exists() {
            return;
        }
        let mut command = Command::new("/bin/chmod");
        command.args(["-R", "u+rwX"]).arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = command.status();
        std::thread::sleep(Duration::from_millis(20));
    }
}
