//! The process: started with its own group, asked one order at a time, and killed with its group when it is dropped.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::super::{FrameState, Program};
use super::failure::EngineFailure;
use super::last_words::LastWords;
use super::wire::{Answer, Frame, Order};
use mageyard_domain::sanitize;

/// The program of the process. It is handed to the interpreter as an argument and written nowhere.
const SCRIPT: &str = include_str!("engine.py");
/// The longest answer in bytes; a state has some 3,000.
const LONGEST: u64 = 1 << 16;
/// How long an ending process may take until its last words have arrived.
const FAREWELL: Duration = Duration::from_millis(500);

/// Which engine was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineReport {
    /// The version of the engine.
    pub version: String,
    /// The version of Python.
    pub python: String,
}

/// Starts the real engine, and ends it again.
///
/// # Errors
///
/// Why it does not play.
pub async fn probe(program: &Program) -> Result<EngineReport, EngineFailure> {
    Process::start(program).await.map(|process| process.report.clone())
}

/// A running engine.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Pid,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    words: LastWords,
    limit: Duration,
    pub(super) report: EngineReport,
}

impl Process {
    /// Starts the engine and waits until it is loaded.
    pub(super) async fn start(program: &Program) -> Result<Self, EngineFailure> {
        let mut process =
            Self::spawn(program).map_err(|error| EngineFailure::not_started(program, &error))?;
        let answer = process.answer_in_time().await?;
        match (answer.ready, answer.absent) {
            (Some(ready), _) => {
                let safe = |text: String| sanitize(&text).chars().take(40).collect();
                process.report = EngineReport { version: safe(ready.version), python: safe(ready.python) };
                Ok(process)
            }
            (None, Some(reason)) => Err(EngineFailure::absent(program, &reason)),
            (None, None) => Err(EngineFailure::unreadable("it does not say that it is ready")),
        }
    }

    fn spawn(program: &Program) -> std::io::Result<Self> {
        let mut command = Command::new(program.interpreter());
        command.args(["-c", SCRIPT]).env("PYTHONDONTWRITEBYTECODE", "1").process_group(0);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let id = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(group), (Some(input), Some(output), Some(errors))) = (id, pipes) else {
            return Err(std::io::Error::other("it ended at once"));
        };
        let report = EngineReport { version: String::new(), python: String::new() };
        let output = BufReader::new(output);
        let words = LastWords::read(errors);
        Ok(Self { child, group, input, output, words, limit: program.limit, report })
    }

    /// The answer to an order. After a failure, or if this is dropped, the process must not be asked again.
    pub(super) async fn ask(&mut self, order: &Order) -> Result<Answer, EngineFailure> {
        let mut line = serde_json::to_vec(order).map_err(EngineFailure::unreadable)?;
        line.push(b'\n');
        let sent = timeout(self.limit, self.input.write_all(&line)).await;
        match sent {
            Ok(Ok(())) => self.answer_in_time().await,
            Ok(Err(_)) => Err(self.ended().await),
            Err(_) => Err(EngineFailure::Silent(self.limit)),
        }
    }

    /// The state that an order leads to.
    pub(super) async fn state(&mut self, order: &Order) -> Result<FrameState, EngineFailure> {
        let answer = self.ask(order).await?;
        let state = answer.state.ok_or_else(|| EngineFailure::unreadable("it has no state"))?;
        state.check().map_err(EngineFailure::unreadable)
    }

    /// The pixels of the present state as the engine draws it, a frame of [`Frame::ONLY`].
    pub(super) async fn draw(&mut self) -> Result<Vec<u8>, EngineFailure> {
        match self.ask(&Order::Draw).await {
            Ok(Answer { frame: Some(Frame::ONLY), .. }) => self.pixels().await,
            Ok(Answer { frame: Some(other), .. }) => Err(EngineFailure::unreadable(format!(
                "the frame has {} x {} pixels in {} bytes instead of {} x {} in {}",
                other.width,
                other.height,
                other.bytes,
                Frame::ONLY.width,
                Frame::ONLY.height,
                Frame::ONLY.bytes
            ))),
            Ok(_) => Err(EngineFailure::unreadable("it has no frame")),
            // A missing renderer ends the process.
            Err(EngineFailure::Ended(_)) => Err(EngineFailure::no_frames(&self.words.reason())),
            Err(other) => Err(other),
        }
    }

    /// The bytes of a frame after its line.
    async fn pixels(&mut self) -> Result<Vec<u8>, EngineFailure> {
        let mut pixels = vec![0; Frame::ONLY.bytes];
        match timeout(self.limit, self.output.read_exact(&mut pixels)).await {
            Ok(Ok(_)) => Ok(pixels),
            Ok(Err(_)) => Err(self.ended().await),
            Err(_) => Err(EngineFailure::Silent(self.limit)),
        }
    }

    async fn answer_in_time(&mut self) -> Result<Answer, EngineFailure> {
        let limit = self.limit;
        timeout(limit, self.answer()).await.unwrap_or(Err(EngineFailure::Silent(limit)))
    }

    async fn answer(&mut self) -> Result<Answer, EngineFailure> {
        let mut line = Vec::new();
        let read = (&mut self.output).take(LONGEST).read_until(b'\n', &mut line).await;
        match read {
            Ok(1..) if line.last() == Some(&b'\n') => {}
            Ok(1..) if line.len() as u64 >= LONGEST => {
                return Err(EngineFailure::unreadable(format!("it has more than {LONGEST} bytes")));
            }
            _ => return Err(self.ended().await),
        }
        let answer: Answer = serde_json::from_slice(&line).map_err(|error| {
            EngineFailure::unreadable(format!("{error}: {}", String::from_utf8_lossy(&line)))
        })?;
        match &answer.error {
            Some(error) => Err(EngineFailure::refused(error)),
            None => Ok(answer),
        }
    }

    /// The failure of a process that has closed its output.
    async fn ended(&mut self) -> EngineFailure {
        // A process of its group may keep the pipe open for longer: what has arrived is said then.
        let _ = timeout(FAREWELL, self.words.complete()).await;
        EngineFailure::ended(&self.words.text())
    }

    /// Tells the process to end, and waits for it for a moment.
    pub(super) async fn quit(mut self) {
        let line = serde_json::to_vec(&Order::Quit).unwrap_or_default();
        let told = async {
            self.input.write_all(&line).await?;
            self.input.write_all(b"\n").await?;
            self.child.wait().await
        };
        // One that does not end is killed.
        let _ = timeout(FAREWELL, told).await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Refused only if all processes of the group have ended.
        let _ = kill_process_group(self.group, Signal::KILL);
        for _ in 0..50 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}
