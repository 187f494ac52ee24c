//! What keeps a sandbox apart: which of the forms this machine has, and why not a better one.

mod bubblewrap;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(not(target_os = "linux"))]
mod other;
mod user;

#[cfg(not(target_os = "linux"))]
use self::other as landlock;

use std::path::PathBuf;
use std::sync::OnceLock;

pub(crate) use self::bubblewrap::{inside, wrap, write_files};
pub(crate) use self::landlock::{adopt_orphans, restrict_files, restrict_programs};
pub(crate) use self::user::{SandboxUser, sandbox_user};

/// How a sandbox is kept apart, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confinement {
    /// Bubblewrap: own processes, network, `/tmp` and home.
    Bubblewrap,
    /// Landlock and seccomp: the files of the episode, no sockets, no signals to other processes.
    Landlock,
    /// Nothing: programs may do what this user may.
    Nothing,
}

impl std::fmt::Display for Confinement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Bubblewrap => "Bubblewrap",
            Self::Landlock => "Landlock and seccomp",
            Self::Nothing => "no sandbox",
        })
    }
}

/// What this machine has. An error is why it does not.
#[derive(Clone, Debug)]
pub struct Found {
    /// The program of Bubblewrap.
    pub bubblewrap: Result<PathBuf, String>,
    /// Landlock with what is needed of it.
    pub landlock: Result<(), String>,
}

impl Found {
    /// The strongest form that works here.
    pub fn best(&self) -> Confinement {
        match (&self.bubblewrap, &self.landlock) {
            (Ok(_), _) => Confinement::Bubblewrap,
            (Err(_), Ok(())) => Confinement::Landlock,
            (Err(_), Err(_)) => Confinement::Nothing,
        }
    }

    /// Why a form does not work here; `None` if it does.
    pub fn why_not(&self, form: Confinement) -> Option<&str> {
        match form {
            Confinement::Bubblewrap => self.bubblewrap.as_ref().err(),
            Confinement::Landlock => self.landlock.as_ref().err(),
            Confinement::Nothing => None,
        }
        .map(String::as_str)
    }
}

/// What this machine has, tried once in a process. It starts Bubblewrap for a moment.
pub fn found() -> &'static Found {
    static FOUND: OnceLock<Found> = OnceLock::new();
    FOUND.get_or_init(|| Found { bubblewrap: bubblewrap::probe(), landlock: landlock::probe() })
}
