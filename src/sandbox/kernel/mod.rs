//! The Python kernel of a sandbox: cells, their results, and what happens to one that does not end.

mod heard;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep, timeout};

pub(crate) use self::heard::Heard;
pub use self::heard::{CellOutput, CellResult, KernelReport};
use crate::confine::Confinement;
use crate::files::Trouble;
use crate::host::pipe::Pipe;
use crate::host::{SandboxFailure, Settings};
use crate::protocol::Order;

/// The program of the kernel. It is given to the interpreter as an argument and written nowhere.
const BRIDGE: &str = include_str!("bridge.py");

/// How long a kernel may take to start.
const STARTING: Duration = Duration::from_secs(30);

/// How often a kernel is started that does not become ready.
const STARTS: u32 = 3;

/// How long after a start that failed the next one is: what was ended for a limit needs a moment to be gone.
const PAUSE: Duration = Duration::from_millis(500);

/// How long a cell may go on after an interrupt, until the kernel is started again.
const INTERRUPTED: Duration = Duration::from_secs(2);

/// How long a cell may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellLimits {
    /// Without any output.
    pub silence: Duration,
    /// In all.
    pub total: Duration,
}

impl Default for CellLimits {
    /// 20 s of silence, 60 s in all (`docs/desktop.md`).
    fn default() -> Self {
        Self { silence: Duration::from_secs(20), total: Duration::from_mins(1) }
    }
}

/// What became of a cell that did not end by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lost {
    /// It was interrupted after this long without output; variables are kept.
    Silence(Duration),
    /// It was interrupted after this long; variables are kept.
    Time(Duration),
    /// It did not end at the interrupt, so the kernel was started again: variables are gone.
    Restarted(Duration),
    /// The cell ended the kernel, which was started again: variables are gone.
    Ended,
}

/// The kernel, from outside.
pub(crate) struct Kernel {
    python: PathBuf,
    /// Which kernel of those installed: without Bubblewrap there are no sockets.
    wish: &'static str,
    started: u64,
    cells: u64,
}

impl Kernel {
    pub(crate) fn new(settings: &Settings) -> Self {
        let wish = match settings.confinement {
            Confinement::Bubblewrap => "auto",
            Confinement::Landlock | Confinement::Nothing => "auto-pipe",
        };
        Self { python: settings.python.clone(), wish, started: 0, cells: 0 }
    }

    /// Starts it, in place of one that runs. One that is ended at once, with what exceeded a limit before, is started again.
    pub(crate) async fn start(&mut self, pipe: &Pipe) -> Result<KernelReport, SandboxFailure> {
        for _ in 1..STARTS {
            match self.start_once(pipe).await {
                Err(SandboxFailure::NoKernel(_)) if pipe.is_open() => sleep(PAUSE).await,
                started => return started,
            }
        }
        self.start_once(pipe).await
    }

    async fn start_once(&mut self, pipe: &Pipe) -> Result<KernelReport, SandboxFailure> {
        self.started += 1;
        let number = self.started;
        let secret = secret()?;
        pipe.kernel().expect_start(number, &secret);
        let python = self.python.display().to_string();
        let command = [python.as_str(), "-c", BRIDGE, self.wish].map(str::to_owned).to_vec();
        if let Err(trouble) = pipe.ask(Order::Kernel { number, command }).await? {
            return Err(SandboxFailure::NoKernel(format!("{python} {trouble}")));
        }
        // The first line; the command of a process can be read by others.
        let sent = self.send(&serde_json::json!({ "secret": secret }), pipe).await?;
        sent.map_err(|trouble| SandboxFailure::NoKernel(trouble.to_string()))?;
        let ready = timeout(STARTING, pipe.kernel().ready(number)).await;
        let late = || SandboxFailure::NoKernel(format!("it is not ready after {} s", STARTING.as_secs()));
        ready.map_err(|_| late())?.map_err(SandboxFailure::NoKernel)
    }

    /// Runs a cell to its end, to that of its time, or to that of the kernel, which is started again then.
    pub(crate) async fn run(
        &mut self,
        code: &str,
        limits: CellLimits,
        pipe: &Pipe,
    ) -> Result<CellResult, SandboxFailure> {
        self.cells += 1;
        let cell = self.cells;
        let heard = pipe.kernel();
        heard.expect_cell(cell);
        if let Err(trouble) = self.send(&serde_json::json!({ "cell": cell, "code": code }), pipe).await? {
            let error = Some(("ValueError".to_owned(), format!("the cell cannot be run: {trouble}")));
            return Ok(CellResult { error, ..CellResult::default() });
        }
        let begun = Instant::now();
        let lost = loop {
            let now = Instant::now();
            let quiet = heard.last(cell).unwrap_or(begun).max(begun) + limits.silence;
            let end = quiet.min(begun + limits.total);
            if timeout(end.saturating_duration_since(now), heard.cell_ended()).await.is_ok() {
                break None;
            }
            let now = Instant::now();
            if now >= begun + limits.total {
                break Some(Lost::Time(limits.total));
            }
            if now >= heard.last(cell).unwrap_or(begun).max(begun) + limits.silence {
                break Some(Lost::Silence(limits.silence));
            }
        };
        let lost = match lost {
            Some(lost) => Some(self.interrupt(lost, begun, pipe).await?),
            None => None,
        };
        let (mut result, kernel_ended) = heard.take(cell);
        result.lost = lost;
        if kernel_ended && !pipe.is_open() {
            return Err(pipe.ended());
        }
        if kernel_ended && lost.is_none() {
            result.lost = Some(Lost::Ended);
        }
        if matches!(result.lost, Some(Lost::Ended | Lost::Restarted(_))) {
            self.start(pipe).await?;
        }
        Ok(result)
    }

    /// Interrupts the cell that runs.
    async fn interrupt(&self, lost: Lost, begun: Instant, pipe: &Pipe) -> Result<Lost, SandboxFailure> {
        // A kernel that cannot be interrupted is started again.
        let _ = self.send(&serde_json::json!({ "interrupt": true }), pipe).await?;
        let ended = timeout(INTERRUPTED, pipe.kernel().cell_ended()).await.is_ok();
        Ok(if ended { lost } else { Lost::Restarted(begun.elapsed()) })
    }

    async fn send(
        &self,
        order: &serde_json::Value,
        pipe: &Pipe,
    ) -> Result<Result<(), Trouble>, SandboxFailure> {
        // The supervisor passes it on, and says nothing else.
        Ok(pipe.ask(Order::Line(order.to_string())).await?.map(drop))
    }
}

/// Words that programs of the sandbox do not know, with which each line of a kernel begins.
fn secret() -> Result<String, SandboxFailure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| SandboxFailure::NoKernel(error.to_string()))?;
    Ok(format!("{:032x} ", u128::from_ne_bytes(bytes)))
}
