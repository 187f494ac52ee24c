//! Saved states of environments, and how an episode comes back.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::BlobRef;

/// How an episode comes back after its process has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// By repeating the recorded actions, which gives the same state again.
    Replay,
    /// By restoring the newest stored checkpoint and repeating the actions since then.
    Checkpoint,
    /// By repeating the recorded actions in a new surface, whose state may then differ from the recorded one.
    Repeat,
    /// By opening the environment again and looking at it. Its state may differ from the recorded one.
    Reopen,
    /// Not at all: the recording can be viewed, and the episode cannot be continued.
    StoredOnly,
}

/// A saved state of an environment. Cheap to clone.
#[derive(Clone)]
pub enum Checkpoint {
    /// A value in this process.
    Memory(Arc<dyn Any + Send + Sync>),
    /// Bytes in the blob store of the episode, which a later process can restore.
    Stored(BlobRef),
}

impl Checkpoint {
    /// A checkpoint that is this value.
    pub fn of_value(value: impl Any + Send + Sync) -> Self {
        Self::Memory(Arc::new(value))
    }

    /// The value, if the checkpoint is a value of this type.
    pub fn value<T: Any>(&self) -> Option<&T> {
        match self {
            Self::Memory(value) => value.downcast_ref(),
            Self::Stored(_) => None,
        }
    }
}

impl fmt::Debug for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(_) => f.write_str("Checkpoint(in memory)"),
            Self::Stored(blob) => write!(f, "Checkpoint({blob:?})"),
        }
    }
}
