//! What a browser prints about itself.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;

/// Bytes that are kept.
const KEPT: usize = 600;

/// The end of the messages of a browser.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages(Arc<Mutex<Vec<u8>>>);

impl Messages {
    /// Reads messages for as long as they are written.
    pub(super) fn read(mut pipe: ChildStderr) -> Self {
        let messages = Self::default();
        let kept = messages.clone();
        tokio::spawn(async move {
            let mut part = vec![0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut part).await {
                kept.push(&part[..count]);
            }
        });
        messages
    }

    fn push(&self, part: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(part);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }

    /// The messages in one line.
    pub(super) fn line(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
