//! Moves the bytes of a connection: one task writes, one reads and passes events on.

use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc::UnboundedReceiver;

use super::BrowserFailure;
use super::connection::{Connection, Incoming};

/// The longest message that is read. A screenshot has a few million bytes.
const LONGEST: u64 = 256 << 20;

/// Ends its connection when the task that holds it ends, also when its runtime does.
struct EndOnDrop(Arc<Connection>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end(BrowserFailure::Ended("its pipe was closed".to_owned()));
    }
}

/// Writes messages until the connection is dropped or the pipe closes. Dropping the pipe ends the browser.
pub(super) async fn write(mut pipe: ChildStdin, mut messages: UnboundedReceiver<Vec<u8>>) {
    while let Some(message) = messages.recv().await {
        if pipe.write_all(&message).await.is_err() || pipe.flush().await.is_err() {
            return;
        }
    }
}

/// Reads messages until the pipe closes; answers go to their requests, events to the function.
pub(super) async fn read(
    pipe: ChildStdout,
    connection: Arc<Connection>,
    mut on_event: impl FnMut(Incoming<'_>),
) {
    let end = EndOnDrop(connection);
    let mut pipe = BufReader::with_capacity(1 << 16, pipe);
    let mut message = Vec::new();
    loop {
        message.clear();
        match (&mut pipe).take(LONGEST).read_until(0, &mut message).await {
            Ok(_) if message.pop() == Some(0) => {}
            _ => return,
        }
        match serde_json::from_slice::<Incoming<'_>>(&message) {
            Ok(incoming) => {
                if let Some(event) = end.0.receive(incoming) {
                    on_event(event);
                }
            }
            Err(error) => tracing::warn!("a message of the browser cannot be read: {error}"),
        }
    }
}
