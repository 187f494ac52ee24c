//! The user of the programs in a sandbox: this one, or nobody if this one is root.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// The number of `nobody`, user and group, on every Linux.
const NOBODY: u32 = 65534;

/// Who runs the programs of a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SandboxUser {
    /// The user of this process.
    Own,
    /// `nobody`, since root is bound by few limits.
    Nobody,
}

/// Who runs the programs of the sandboxes of this process.
pub(crate) fn sandbox_user() -> SandboxUser {
    if rustix::process::geteuid().is_root() { SandboxUser::Nobody } else { SandboxUser::Own }
}

impl SandboxUser {
    /// Lets a command run as this user.
    pub(crate) fn apply(self, command: &mut Command) {
        if self == Self::Nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
    }

    /// Gives a file or folder to this user.
    pub(crate) fn own(self, path: &std::path::Path) -> std::io::Result<()> {
        match self {
            Self::Own => Ok(()),
            Self::Nobody => std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)),
        }
    }
}
