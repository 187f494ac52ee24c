//! The lines of the pipe between this process and the supervisor.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::files::{FileFacts, Trouble};

/// The longest line of the pipe in bytes: a file of the largest size as text, with room.
pub(crate) const LONGEST_LINE: u64 = 64 << 20;

/// Why something is not passed on.
pub(crate) fn too_long(what: &str, bytes: usize) -> Trouble {
    Trouble::Other(format!("{what} has {bytes} bytes, and at most {LONGEST_LINE} are passed on"))
}

/// What the programs of a sandbox may use together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Memory of all programs together, in MiB.
    pub memory_mib: u64,
    /// Processes and threads of programs at a time.
    pub processes: u64,
    /// The largest file, in MiB.
    pub file_mib: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory_mib: 2048, processes: 256, file_mib: 1024 }
    }
}

/// The first line: how the supervisor restricts itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) limits: Limits,
    /// What Landlock allows, where it is the sandbox.
    pub(crate) landlock: Option<Allowed>,
    /// Whether the supervisor is in namespaces of its own, with folders in memory that only its programs use.
    pub(crate) namespaces: bool,
    /// Whether sockets to other machines are allowed.
    pub(crate) network: bool,
    /// The working folder of programs.
    pub(crate) folder: PathBuf,
}

/// The folders that Landlock allows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Allowed {
    /// To read and to start programs from.
    pub(crate) readable: Vec<PathBuf>,
    /// To change too.
    pub(crate) writable: Vec<PathBuf>,
}

/// A request to the supervisor. The answer has the same number.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) id: u64,
    pub(crate) order: Order,
}

/// What the supervisor is to do.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Order {
    /// Starts the kernel of this number, in place of one that runs.
    Kernel {
        number: u64,
        command: Vec<String>,
    },
    /// A line for the kernel.
    Line(String),
    Read(String),
    Facts(String),
    List(String),
    Change(Change),
    Processes,
    End(Vec<u32>),
    Run {
        command: String,
        seconds: f64,
    },
    Start(Vec<String>),
}

/// A change of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Writes a file, and makes the folders that it needs.
    Write {
        /// The file.
        path: String,
        /// Its content.
        #[serde(with = "base64_bytes")]
        content: Vec<u8>,
    },
    /// Makes a folder and those above it; one that exists stays.
    Folder {
        /// The folder.
        path: String,
    },
    /// Removes a file or link.
    RemoveFile {
        /// The file.
        path: String,
    },
    /// Removes a folder with everything in it.
    RemoveFolder {
        /// The folder.
        path: String,
    },
    /// Moves or renames; into the target if that is a folder.
    Move {
        /// From here.
        from: String,
        /// To here.
        to: String,
    },
    /// Copies a file, or a folder with everything in it; a file goes into the target if that is a folder.
    Copy {
        /// From here.
        from: String,
        /// To here.
        to: String,
    },
    /// Sets the twelve bits of permissions.
    Mode {
        /// The file or folder.
        path: String,
        /// The bits.
        mode: u32,
    },
}

/// A line of the supervisor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    /// It has restricted itself.
    Ready,
    /// It cannot work, for this reason.
    Unable(String),
    /// The answer to a request.
    Answer { id: u64, result: Result<Answer, Trouble> },
    /// A line of the kernel of this number.
    Kernel { number: u64, line: String },
    /// The kernel of this number has ended.
    KernelEnded(u64),
    /// A limit was exceeded, and what was ended for it.
    Exceeded(String),
}

/// What an order leads to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    Done,
    Bytes(#[serde(with = "base64_bytes")] Vec<u8>),
    Facts(Option<FileFacts>),
    Names(Vec<String>),
    Processes(Vec<RunningProcess>),
    Ran(Ran),
}

/// A running process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningProcess {
    /// Its identifier in the sandbox.
    pub id: u32,
    /// Its name, as the system has it.
    pub name: String,
    /// The path of its program; empty if it is not known.
    pub program: String,
    /// Its arguments, the program first.
    pub arguments: Vec<String>,
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to its output and its errors, cut at 64 KiB.
    pub output: String,
}

/// Bytes as text in JSON.
mod base64_bytes {
    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64_STANDARD.decode(text).map_err(de::Error::custom)
    }
}
