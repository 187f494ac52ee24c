//! The pipe to the supervisor: requests with numbers, answers, and lines of the kernel.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot};
use tokio::time::timeout;

use super::SandboxFailure;
use crate::files::Trouble;
use crate::kernel::Heard;
use crate::protocol::{Answer, LONGEST_LINE, Message, Order, Request, Setup, too_long};

/// How long the supervisor may take to start.
const STARTING: Duration = Duration::from_secs(10);
/// How long everything may take to end after the pipe has closed, and the folder to be removed.
const ENDING: Duration = Duration::from_secs(15);
/// The longest last words, in bytes.
const LAST_WORDS: u64 = 4096;

type Waiting = HashMap<u64, oneshot::Sender<Result<Answer, Trouble>>>;

/// What arrives from the supervisor.
#[derive(Default)]
struct Arrivals {
    /// `None` once nothing arrives any more.
    waiting: Mutex<Option<Waiting>>,
    exceeded: Mutex<Vec<String>>,
    last_words: Mutex<String>,
    kernel: Arc<Heard>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An open pipe.
pub(crate) struct Pipe {
    /// Lines go to a task, so that a call that is dropped leaves no half of a line.
    lines: Mutex<Option<mpsc::UnboundedSender<Vec<u8>>>>,
    child: AsyncMutex<Child>,
    group: Option<Pid>,
    arrivals: Arc<Arrivals>,
    next: Mutex<u64>,
}

impl Pipe {
    /// Sends the first line to a started keeper, and waits until the supervisor is ready.
    pub(super) async fn open(mut child: Child, setup: &Setup) -> Result<Self, SandboxFailure> {
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut input), Some(output), Some(errors)) = pipes else {
            return Err(SandboxFailure::NotStarted("it ended at once".to_owned()));
        };
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let arrivals = Arc::new(Arrivals::default());
        *locked(&arrivals.waiting) = Some(Waiting::new());
        let hearing = tokio::spawn(hear(errors, Arc::clone(&arrivals)));
        let mut output = BufReader::new(output);
        let starting = async {
            // A supervisor that has ended is noticed by its output.
            if let Ok(line) = line(setup) {
                let _ = input.write_all(&line).await;
            }
            next(&mut output).await
        };
        let first = timeout(STARTING, starting).await;
        match first {
            Ok(Some(Message::Ready)) => {}
            Ok(Some(Message::Unable(reason))) => return Err(SandboxFailure::NotStarted(reason)),
            _ => {
                kill(group);
                let _ = timeout(Duration::from_secs(1), hearing).await;
                let words = locked(&arrivals.last_words).clone();
                return Err(SandboxFailure::NotStarted(if words.is_empty() {
                    "the supervisor does not answer".to_owned()
                } else {
                    words
                }));
            }
        }
        tokio::spawn(receive(output, Arc::clone(&arrivals)));
        let (lines, waiting) = mpsc::unbounded_channel();
        tokio::spawn(write(input, waiting));
        Ok(Self {
            lines: Mutex::new(Some(lines)),
            child: AsyncMutex::new(child),
            group,
            arrivals,
            next: Mutex::new(0),
        })
    }

    /// What the kernel has said.
    pub(crate) fn kernel(&self) -> &Heard {
        &self.arrivals.kernel
    }

    /// The answer to an order.
    pub(crate) async fn ask(&self, order: Order) -> Result<Result<Answer, Trouble>, SandboxFailure> {
        let (answer, answered) = oneshot::channel();
        let id = {
            let mut next = locked(&self.next);
            *next += 1;
            *next
        };
        let line =
            line(&Request { id, order }).map_err(|error| SandboxFailure::Unreadable(error.to_string()))?;
        if line.len() as u64 > LONGEST_LINE {
            return Ok(Err(too_long("the request", line.len())));
        }
        match &mut *locked(&self.arrivals.waiting) {
            Some(waiting) => drop(waiting.insert(id, answer)),
            None => return Err(self.ended()),
        }
        let sent = locked(&self.lines).as_ref().is_some_and(|lines| lines.send(line).is_ok());
        if !sent {
            return Err(self.ended());
        }
        answered.await.map_err(|_| self.ended())
    }

    /// Whether the supervisor still answers.
    pub(crate) fn is_open(&self) -> bool {
        locked(&self.arrivals.waiting).is_some()
    }

    /// What limits were exceeded since the last call.
    pub(super) fn exceeded(&self) -> Vec<String> {
        std::mem::take(&mut *locked(&self.arrivals.exceeded))
    }

    /// The failure of a supervisor that has ended.
    pub(crate) fn ended(&self) -> SandboxFailure {
        SandboxFailure::Ended(locked(&self.arrivals.last_words).clone())
    }

    /// Closes the pipe, and waits until everything has ended.
    pub(super) async fn close(&self) {
        drop(locked(&self.lines).take());
        let mut child = self.child.lock().await;
        if timeout(ENDING, child.wait()).await.is_err() {
            tracing::warn!("a sandbox did not end by itself");
            kill(self.group);
        }
    }
}

impl Drop for Pipe {
    // The keeper and the supervisor see the pipe close, and end everything by themselves.
    fn drop(&mut self) {
        if let Ok(child) = self.child.try_lock().as_deref_mut() {
            let _ = child.try_wait();
        }
    }
}

fn kill(group: Option<Pid>) {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn line<T: serde::Serialize>(message: &T) -> std::io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Writes lines until nobody sends any, and closes the pipe.
async fn write(mut input: ChildStdin, mut waiting: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(line) = waiting.recv().await {
        if input.write_all(&line).await.is_err() {
            return;
        }
    }
}

async fn next(output: &mut BufReader<ChildStdout>) -> Option<Message> {
    let mut line = Vec::new();
    let read = output.take(LONGEST_LINE).read_until(b'\n', &mut line).await;
    match read {
        Ok(1..) => serde_json::from_slice(&line).ok(),
        _ => None,
    }
}

/// Takes everything that arrives to where it is waited for, until the pipe closes.
async fn receive(mut output: BufReader<ChildStdout>, arrivals: Arc<Arrivals>) {
    while let Some(message) = next(&mut output).await {
        match message {
            Message::Answer { id, result } => {
                let waiting = locked(&arrivals.waiting).as_mut().and_then(|waiting| waiting.remove(&id));
                if let Some(waiting) = waiting {
                    let _ = waiting.send(result);
                }
            }
            Message::Kernel { number, line } => arrivals.kernel.hear(number, &line),
            Message::KernelEnded(number) => arrivals.kernel.ended(number),
            // The name of a process is in it, which the process chooses.
            Message::Exceeded(said) => {
                let said = mageyard_domain::sanitize(&said).into_owned();
                locked(&arrivals.exceeded).push(said);
            }
            Message::Ready | Message::Unable(_) => {}
        }
    }
    locked(&arrivals.waiting).take();
    arrivals.kernel.lost();
}

/// Keeps the beginning of what is written to the errors.
async fn hear(errors: ChildStderr, arrivals: Arc<Arrivals>) {
    let (mut words, mut errors) = (Vec::new(), errors);
    let _ = (&mut errors).take(LAST_WORDS).read_to_end(&mut words).await;
    let text = String::from_utf8_lossy(&words);
    *locked(&arrivals.last_words) = mageyard_domain::sanitize(text.trim()).into_owned();
    let _ = tokio::io::copy(&mut errors, &mut tokio::io::sink()).await;
}
