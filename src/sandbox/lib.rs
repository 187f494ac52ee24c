//! A sandbox for each episode: its files, its programs and its Python kernel, apart from the rest of the machine.
//!
//! [`Sandbox`] is the outer end. It starts this same program once more as the [supervisor], inside Bubblewrap or
//! restricted by Landlock and seccomp, and talks to it over one pipe, a JSON object a line. When the pipe closes, the supervisor
//! ends everything, so nothing outlives this process, however it ends. `docs/desktop.md` says what each form of sandbox keeps
//! apart.

mod confine;
mod files;
mod host;
mod kernel;
mod protocol;
mod remove;
pub mod supervisor;

pub use self::confine::{Confinement, Found, found};
pub use self::files::{FileFacts, FileKind, READ_LIMIT, Trouble};
pub use self::host::{Folders, Sandbox, SandboxFailure, Settings};
pub use self::kernel::{CellLimits, CellOutput, CellResult, KernelReport, Lost};
pub use self::protocol::{Change, Limits, Ran, RunningProcess};
