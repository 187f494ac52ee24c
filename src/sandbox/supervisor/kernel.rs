//! The kernel: a program whose lines go in and out through the pipe of the supervisor.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::{Out, processes};
use crate::protocol::Message;

/// The longest line that is passed on. A longer one ends the kernel.
const LONGEST: u64 = 4 << 20;

/// A running kernel.
pub(super) struct Kernel {
    child: Child,
    /// Lines go to a thread: a kernel that does not read them must not stop the supervisor.
    lines: Sender<String>,
    number: u64,
    /// How many times it was seen as ended.
    seen_ended: u32,
}

impl Kernel {
    /// The pipes of a started program, whose lines are passed on from now on.
    pub(super) fn of(mut child: Child, number: u64, out: Out) -> Option<Self> {
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        let id = child.id();
        let pass_on = move || {
            let mut lines = BufReader::new(output);
            while let Some(line) = next_line(&mut lines) {
                out.say(&Message::Kernel { number, line });
            }
            // It says nothing any more, so it is of no use.
            processes::end(id);
            out.say(&Message::KernelEnded(number));
        };
        let (lines, waiting) = channel();
        let write = move || write_lines(input, &waiting);
        thread::Builder::new().name("kernel".into()).spawn(pass_on).ok()?;
        thread::Builder::new().name("cells".into()).spawn(write).ok()?;
        Some(Self { child, lines, number, seen_ended: 0 })
    }

    /// How the command of a kernel is started.
    pub(super) fn pipes(command: &mut Command) {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    }

    /// Its number, once and an interval after it has ended, when what it has written is passed on. What it has started may still hold
    /// its output open.
    pub(super) fn noticed_end(&mut self) -> Option<u64> {
        let id = i32::try_from(self.id()).ok().and_then(Pid::from_raw)?;
        // It stays a zombie, so that its identifier is not that of another one.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = matches!(waitid(WaitId::Pid(id), options), Ok(Some(_)));
        self.seen_ended += u32::from(ended && self.seen_ended < 3);
        (self.seen_ended == 2).then_some(self.number)
    }

    /// Its identifier.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line. One that has ended is noticed by its output.
    pub(super) fn send(&self, line: String) {
        let _ = self.lines.send(line);
    }

    /// Ends it, and what it has started.
    pub(super) fn end(mut self) {
        processes::end_tree(self.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_lines(mut input: ChildStdin, waiting: &Receiver<String>) {
    while let Ok(line) = waiting.recv() {
        if input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n")).is_err() {
            return;
        }
    }
}

fn next_line(lines: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = lines.take(LONGEST).read_until(b'\n', &mut line).ok()?;
    let whole = line.pop() == Some(b'\n');
    (read > 0 && whole).then(|| String::from_utf8_lossy(&line).into_owned())
}
