//! Commands that run to their end.

use std::io::{self, PipeReader, Read, pipe};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::processes;
use crate::files::Trouble;
use crate::protocol::Ran;

/// The longest output that is kept, in bytes.
const OUTPUT: usize = 64 << 10;

/// How long the output may stay open after the command has ended, as by a program that goes on.
const LINGER: Duration = Duration::from_millis(100);

/// The end of a pipe to which a command writes its output and its errors.
pub(super) fn pipes(command: &mut Command) -> io::Result<PipeReader> {
    let (output, writing) = pipe()?;
    let both = writing.try_clone()?;
    command.stdin(Stdio::null()).stdout(writing).stderr(both);
    Ok(output)
}

/// Waits for a command, and ends it with everything it has started if it takes longer than the limit.
pub(super) fn wait(child: &mut Child, output: PipeReader, limit: Duration) -> Result<Ran, Trouble> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let (closed, closing) = channel::<()>();
    let keeping = Arc::clone(&kept);
    let keep = move || {
        keep_beginning(output, &keeping);
        drop(closed);
    };
    thread::Builder::new().name("output".into()).spawn(keep)?;
    let begun = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if begun.elapsed() >= limit => {
                processes::end_tree(child.id());
                let _ = child.kill();
                let _ = child.wait();
                return Err(Trouble::TimeOut(limit));
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    // It ends when the output closes. A program that goes on may keep it open; what was written until then counts.
    let _ = closing.recv_timeout(LINGER);
    let kept = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    let output = String::from_utf8_lossy(&kept).into_owned();
    let code = status.code().filter(|_| status.signal().is_none());
    Ok(Ran { code, output })
}

/// Keeps the beginning of what is written; the rest is read and dropped, so that no writer waits for it.
fn keep_beginning(mut output: PipeReader, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 8192];
    while let Ok(read @ 1..) = output.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let left = OUTPUT.saturating_sub(kept.len()).min(read);
        kept.extend_from_slice(buffer.get(..left).unwrap_or_default());
    }
}
