//! Starts a sandbox: its keeper, its folder, the command of its form, and the first line to the supervisor.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{fs, io};

use tokio::process::Command;

use super::pipe::Pipe;
use super::{Confinement, Folders, SandboxFailure, Settings};
use crate::confine::{found, inside, sandbox_user, wrap, write_files};
use crate::protocol::{Allowed, Setup};
use crate::remove::remove_folder;
use crate::supervisor::{KEEPER, SUPERVISOR, VERB};

/// The working folder within the home folder.
const ROOT: &str = "studio";

/// The folders that programs read without Bubblewrap.
const SYSTEM: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/proc"];

/// Where programs are looked for.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/games";

/// A started sandbox.
pub(super) struct Launched {
    pub(super) pipe: Pipe,
    pub(super) folders: Folders,
    pub(super) scratch: Scratch,
}

/// The folder of a sandbox, which is removed at the end. Programs choose how deep it is.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// A name that is free, without the folder.
    fn named() -> io::Result<Self> {
        let free = |path: &Path| match path.symlink_metadata() {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => Ok(()),
        };
        let ((), path) = tempfile::Builder::new().prefix("mageyard-desktop-").make(free)?.keep()?;
        Ok(Self(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the folder: `home` and `tmp` in it are for the programs of the sandbox.
    fn make(&self) -> io::Result<()> {
        let user = sandbox_user();
        fs::create_dir(&self.0)?;
        fs::set_permissions(&self.0, fs::Permissions::from_mode(0o711))?;
        for folder in ["home", &format!("home/{ROOT}"), &format!("home/{ROOT}/data"), "tmp"] {
            let path = self.0.join(folder);
            fs::create_dir(&path)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            user.own(&path)?;
        }
        write_files(&self.0)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The keeper has removed it, or does so once everything has ended.
        let _ = remove_folder(&self.0);
    }
}

pub(super) async fn launch(settings: &Settings) -> Result<Launched, SandboxFailure> {
    let not_started = |error: io::Error| SandboxFailure::NotStarted(error.to_string());
    let confinement = settings.confinement;
    if let Some(reason) = found().why_not(confinement) {
        let (form, reason) = (confinement.to_string(), reason.to_owned());
        return Err(SandboxFailure::Unavailable { form, reason });
    }
    let scratch = Scratch::named().map_err(not_started)?;
    let folders = folders(confinement, scratch.path());
    let own = fs::canonicalize(&settings.program).map_err(not_started)?;
    let copy = (!is_reachable(&own)).then(|| scratch.path().join("program"));
    let program = copy.as_ref().unwrap_or(&own);
    let readable = interpreter_folders(&settings.python);
    let inner = match (confinement, &found().bubblewrap) {
        (Confinement::Bubblewrap, Ok(bubblewrap)) => {
            wrap(bubblewrap, program, scratch.path(), &readable, settings)
        }
        _ => std::process::Command::new(program),
    };
    let mut command = Command::new(&settings.program);
    command.args([VERB, KEEPER]).arg(scratch.path()).arg(inner.get_program()).args(inner.get_args());
    command.args([VERB, SUPERVISOR]);
    environment(&mut command, &folders, confinement, scratch.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    // The keeper removes the folder, so it is there before the folder: it waits for the first line.
    let child = command.spawn().map_err(not_started)?;
    scratch.make().map_err(not_started)?;
    if let Some(copy) = &copy {
        copy_program(&own, copy).map_err(not_started)?;
    }
    let setup = Setup {
        limits: settings.limits,
        landlock: (confinement == Confinement::Landlock).then(|| allowed(scratch.path(), readable, program)),
        namespaces: confinement == Confinement::Bubblewrap,
        network: settings.network,
        folder: PathBuf::from(&folders.root),
    };
    let pipe = Pipe::open(child, &setup).await?;
    Ok(Launched { pipe, folders, scratch })
}

fn folders(confinement: Confinement, scratch: &Path) -> Folders {
    let home = match confinement {
        Confinement::Bubblewrap => inside::HOME.to_owned(),
        _ => scratch.join("home").display().to_string(),
    };
    Folders { root: format!("{home}/{ROOT}"), home }
}

/// Whether the user of the sandbox can read this program where it is.
fn is_reachable(program: &Path) -> bool {
    let others = |path: &Path, bits: u32| {
        fs::metadata(path).is_ok_and(|found| found.permissions().mode() & bits == bits)
    };
    let is_own = sandbox_user() == crate::confine::SandboxUser::Own;
    is_own || (others(program, 0o005) && program.ancestors().skip(1).all(|path| others(path, 0o001)))
}

fn copy_program(program: &Path, copy: &Path) -> io::Result<()> {
    fs::copy(program, copy)?;
    fs::set_permissions(copy, fs::Permissions::from_mode(0o755))
}

/// The folders of an interpreter that is not one of the system: that of its environment, and that of its Python.
fn interpreter_folders(python: &Path) -> Vec<PathBuf> {
    let prefix = |path: &Path| path.parent().and_then(Path::parent).map(Path::to_owned);
    let real = fs::canonicalize(python).ok();
    let mut folders: Vec<PathBuf> = [prefix(python), real.as_deref().and_then(prefix)]
        .into_iter()
        .flatten()
        .filter(|folder| {
            folder.is_absolute() && folder.parent().is_some_and(|above| above.parent().is_some())
        })
        .filter(|folder| !SYSTEM.iter().any(|system| folder.starts_with(system)))
        .collect();
    folders.dedup();
    folders
}

fn allowed(scratch: &Path, readable: Vec<PathBuf>, program: &Path) -> Allowed {
    let system = SYSTEM.iter().map(PathBuf::from);
    Allowed {
        readable: system.chain(readable).chain([program.to_owned()]).collect(),
        writable: ["home", "tmp"].map(|folder| scratch.join(folder)).to_vec(),
    }
}

/// Nothing of the environment of the user goes in.
fn environment(command: &mut Command, folders: &Folders, confinement: Confinement, scratch: &Path) {
    let temporary = match confinement {
        Confinement::Bubblewrap => PathBuf::from("/tmp"),
        _ => scratch.join("tmp"),
    };
    command.env_clear().env("PATH", PATH).env("HOME", &folders.home);
    // The kernel keeps its own files out of the home folder, which tasks judge.
    for name in ["IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"] {
        command.env(name, temporary.join(".kernel"));
    }
    command.env("MAGEYARD_KERNEL_FOLDER", temporary.join(".kernel")).env("TMPDIR", temporary);
    command.env("AS_ROOT", &folders.root).env("AS_HOME", &folders.home);
    command.env("USER", "agent").env("LOGNAME", "agent").env("SHELL", "/bin/sh");
    command.env("LANG", "C.UTF-8").env("TERM", "dumb").env("PYTHONDONTWRITEBYTECODE", "1");
}
