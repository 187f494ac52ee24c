//! The end of what the process prints for people: the reason of its end, if there is one.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;

/// Bytes that are kept: a list of calls can follow the reason.
const KEPT: usize = 1 << 14;
/// Bytes that are shown.
const SHOWN: usize = 600;
/// What the engine prints before the reason of its end.
const REASON: &str = "[FATAL ERROR";

/// What was printed last.
#[derive(Debug)]
pub(super) struct LastWords {
    kept: Kept,
    reader: JoinHandle<()>,
}

impl LastWords {
    /// Reads for as long as something is printed.
    pub(super) fn read(mut pipe: ChildStderr) -> Self {
        let kept = Kept::default();
        let end = kept.clone();
        let reader = tokio::spawn(async move {
            let mut part = vec![0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut part).await {
                end.push(&part[..count]);
            }
        });
        Self { kept, reader }
    }

    /// Waits until everything has been read, which is when no process can print any more.
    pub(super) async fn complete(&mut self) {
        // Fails only if the reader was cancelled with the whole runtime.
        let _ = (&mut self.reader).await;
    }

    /// The words so far, as they were printed.
    pub(super) fn text(&self) -> String {
        self.kept.end()
    }

    /// The line with the engine's reason of its end; without one, all words.
    pub(super) fn reason(&self) -> String {
        self.kept.reason().unwrap_or_else(|| self.text())
    }
}

/// The last bytes that were read.
#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn push(&self, part: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(part);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }

    fn end(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept[kept.len().saturating_sub(SHOWN)..]).into_owned()
    }

    fn reason(&self) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let (_, reason) = text.lines().rev().find_map(|line| line.split_once(REASON))?;
        // The kind and the thread in brackets come first.
        Some(reason.split_once("] in ").map_or(reason, |(_, reason)| reason).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let words = Kept::default();
        words.push(&vec![b'a'; 2 * KEPT]);
        words.push(b"the end");
        assert_eq!((words.end().len(), words.reason()), (SHOWN, None));
        assert!(words.end().ends_with("athe end"));
    }

    #[test]
    fn the_reason_is_found_before_a_list_of_calls() {
        let words = Kept::default();
        words.push(b"Sun Nov 22 2026 [FATAL ERROR !!! N00000 !!!] in [Renderer]: no display\n");
        words.push(b"libengine.so(_ZN3Log+0x18)[0x7f65]\n".repeat(100).as_slice());
        assert_eq!(words.reason().unwrap(), "[Renderer]: no display");
    }
}
