//! Bubblewrap: the command that puts a program into namespaces of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::user::sandbox_user;
use crate::host::Settings;

/// Where the program may be.
const PLACES: [&str; 3] = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];

/// The folders of the system, read-only. Links stay links.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/// Where things are inside.
pub(crate) mod inside {
    /// The home folder.
    pub(crate) const HOME: &str = "/home/agent";
    /// Folders in memory that programs may write to; all others of that kind are read-only.
    pub(crate) const IN_MEMORY: [&str; 2] = ["/dev/shm", "/run"];
    /// The program of the supervisor.
    pub(crate) const PROGRAM: &str = "/run/supervisor";
}

/// The user that programs inside see, on every machine: files in the folder of a sandbox.
const FILES: [(&str, &str); 2] = [
    ("passwd", "root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:1000:1000:agent:/home/agent:/bin/bash\n"),
    ("group", "root:x:0:\nagent:x:1000:\n"),
];

/// Which part of the memory of all programs a folder in memory may have: they must leave room for programs.
const IN_MEMORY_PART: u64 = 8;

/// How long the trial may take.
const TRIAL: Duration = Duration::from_secs(5);

/// The program, if it works here.
pub(super) fn probe() -> Result<PathBuf, String> {
    let program = PLACES.iter().map(Path::new).find(|place| place.is_file());
    let program = program.ok_or("it is not installed (Debian and others: package bubblewrap)")?;
    let mut command = Command::new(program);
    command.args(namespaces(false)).args(system()).args(["--proc", "/proc", "--", "/usr/bin/true"]);
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    sandbox_user().apply(&mut command);
    let mut child = command.spawn().map_err(|error| format!("it cannot be started: {error}"))?;
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(program.to_owned()),
            Ok(Some(_)) => break,
            Ok(None) if begun.elapsed() < TRIAL => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it did not end within {} s", TRIAL.as_secs()));
            }
        }
    }
    let mut words = String::new();
    if let Some(errors) = &mut child.stderr {
        let _ = std::io::Read::read_to_string(errors, &mut words);
    }
    let words = mageyard_domain::sanitize(words.lines().next().unwrap_or("it fails")).into_owned();
    Err(format!("{words} (user namespaces are not allowed here)"))
}

fn namespaces(network: bool) -> Vec<&'static str> {
    let mut arguments = vec!["--unshare-all", "--die-with-parent", "--new-session", "--hostname", "computer"];
    arguments.extend(["--uid", "1000", "--gid", "1000"]);
    if network {
        arguments.push("--share-net");
    }
    arguments
}

fn system() -> Vec<String> {
    let mut arguments = Vec::new();
    for folder in SYSTEM {
        match fs::read_link(folder) {
            Ok(target) => {
                arguments.extend(["--symlink".to_owned(), target.display().to_string(), folder.to_owned()]);
            }
            Err(_) if Path::new(folder).is_dir() => {
                arguments.extend(["--ro-bind", folder, folder].map(str::to_owned));
            }
            Err(_) => {}
        }
    }
    arguments
}

/// The command for the supervisor inside. `scratch` is the folder of the sandbox, with [`write_files`], `readable` what programs may read too.
pub(crate) fn wrap(
    bubblewrap: &Path,
    program: &Path,
    scratch: &Path,
    readable: &[PathBuf],
    settings: &Settings,
) -> Command {
    let (passwd, group) = (scratch.join(FILES[0].0), scratch.join(FILES[1].0));
    let mut command = Command::new(bubblewrap);
    command.args(namespaces(settings.network)).args(system());
    command.args(["--ro-bind", "/etc", "/etc", "--proc", "/proc", "--dev", "/dev"]);
    command.arg("--ro-bind").arg(passwd).arg("/etc/passwd").arg("--ro-bind").arg(group).arg("/etc/group");
    let most = ((settings.limits.memory_mib << 20) / IN_MEMORY_PART).to_string();
    for folder in inside::IN_MEMORY {
        command.args(["--size", &most, "--tmpfs", folder]);
    }
    command.args(["--dir", "/run/user"]);
    for path in readable {
        command.arg("--ro-bind").arg(path).arg(path);
    }
    command.arg("--bind").arg(scratch.join("home")).arg(inside::HOME);
    command.arg("--bind").arg(scratch.join("tmp")).arg("/tmp");
    command.arg("--ro-bind").arg(program).arg(inside::PROGRAM);
    // Both are in memory and of any size.
    command.args(["--remount-ro", "/dev", "--remount-ro", "/"]);
    command.args(["--chdir", inside::HOME, "--", inside::PROGRAM]);
    command
}

/// Writes the files that [`wrap`] names to the folder of a sandbox.
pub(crate) fn write_files(scratch: &Path) -> std::io::Result<()> {
    FILES.iter().try_for_each(|(name, text)| fs::write(scratch.join(name), text))
}
