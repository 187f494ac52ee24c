//! Commands that run to their end.

use std::io::{self, PipeReader, Read, pipe};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
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
    let (heard, hearing) = channel();
    thread::Builder::new().name("output".into()).spawn(move || heard.send(text_of(output)))?;
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
    let output = hearing.recv_timeout(LINGER).unwrap_or_default();
    let code = status.code().filter(|_| status.signal().is_none());
    Ok(Ran { code, output })
}

/// The beginning of what is written; the rest is read and dropped, so that nobody waits for it.
fn text_of(mut output: PipeReader) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 8192]);
    while let Ok(read @ 1..) = output.read(&mut buffer) {
        let left = OUTPUT.saturating_sub(kept.len()).min(read);
        kept.extend_from_slice(buffer.get(..left).unwrap_or_default());
    }
    String::from_utf8_lossy(&kept).into_owned()
}
