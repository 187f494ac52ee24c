//! The outer end of a sandbox.

mod failure;
mod launch;
pub(crate) mod pipe;

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::Mutex;

pub use self::failure::SandboxFailure;
use self::pipe::Pipe;
use crate::confine::Confinement;
use crate::files::{FileFacts, Trouble};
use crate::kernel::{CellLimits, CellResult, Kernel, KernelReport};
use crate::protocol::{Answer, Change, Limits, Order, Ran, RunningProcess};

/// How a sandbox is made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The form.
    pub confinement: Confinement,
    /// This program, which is started as the supervisor.
    pub program: PathBuf,
    /// The interpreter of Python for the kernel.
    pub python: PathBuf,
    /// Whether programs reach the network.
    pub network: bool,
    /// What they may use.
    pub limits: Limits,
}

/// The folders of a sandbox, as its programs name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// The home folder, `AS_HOME`.
    pub home: String,
    /// The working folder, `AS_ROOT`, which has `data`.
    pub root: String,
}

/// A sandbox. Dropping it ends everything in it and removes its folder.
pub struct Sandbox {
    pipe: Pipe,
    folders: Folders,
    kernel: Mutex<Kernel>,
    // Dropped last: the supervisor may still write into it.
    _scratch: launch::Scratch,
}

impl Sandbox {
    /// Starts a sandbox, without a kernel yet.
    ///
    /// # Errors
    /// It cannot be started here, and why.
    pub async fn start(settings: &Settings) -> Result<Self, SandboxFailure> {
        let launch::Launched { pipe, folders, scratch } = launch::launch(settings).await?;
        Ok(Self { pipe, folders, kernel: Mutex::new(Kernel::new(settings)), _scratch: scratch })
    }

    /// Its folders, as its programs name them.
    pub fn folders(&self) -> &Folders {
        &self.folders
    }

    /// Starts the kernel, in place of one that runs: its variables are gone then.
    ///
    /// # Errors
    /// There is no Python, or the sandbox has ended.
    pub async fn start_kernel(&self) -> Result<KernelReport, SandboxFailure> {
        self.kernel.lock().await.start(&self.pipe).await
    }

    /// Runs a cell in the kernel. Dropping the future leaves the cell running: [`Sandbox::start_kernel`] ends it.
    ///
    /// # Errors
    /// The sandbox has ended.
    pub async fn run_cell(&self, code: &str, limits: CellLimits) -> Result<CellResult, SandboxFailure> {
        self.kernel.lock().await.run(code, limits, &self.pipe).await
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// The inner one says why it cannot be read.
    pub async fn read(&self, path: &str) -> Result<Result<Vec<u8>, Trouble>, SandboxFailure> {
        let answer = self.pipe.ask(Order::Read(path.to_owned())).await?;
        self.expect(answer, |answer| if let Answer::Bytes(bytes) = answer { Some(bytes) } else { None })
    }

    /// What a path names; `None` if nothing is there.
    ///
    /// # Errors
    /// The inner one says why it cannot be looked at.
    pub async fn facts(&self, path: &str) -> Result<Result<Option<FileFacts>, Trouble>, SandboxFailure> {
        let answer = self.pipe.ask(Order::Facts(path.to_owned())).await?;
        self.expect(answer, |answer| if let Answer::Facts(facts) = answer { Some(facts) } else { None })
    }

    /// The names in a folder, sorted.
    ///
    /// # Errors
    /// The inner one says why it cannot be read.
    pub async fn list(&self, path: &str) -> Result<Result<Vec<String>, Trouble>, SandboxFailure> {
        let answer = self.pipe.ask(Order::List(path.to_owned())).await?;
        self.expect(answer, |answer| if let Answer::Names(names) = answer { Some(names) } else { None })
    }

    /// Changes files.
    ///
    /// # Errors
    /// The inner one says why it was not done.
    pub async fn change(&self, change: Change) -> Result<Result<(), Trouble>, SandboxFailure> {
        self.done(Order::Change(change)).await
    }

    /// The running processes of tasks, without the kernel.
    ///
    /// # Errors
    /// The inner one says why they are not known.
    pub async fn processes(&self) -> Result<Result<Vec<RunningProcess>, Trouble>, SandboxFailure> {
        let answer = self.pipe.ask(Order::Processes).await?;
        self.expect(answer, |answer| if let Answer::Processes(list) = answer { Some(list) } else { None })
    }

    /// Ends processes by their identifiers. Those of others are passed over.
    ///
    /// # Errors
    /// The sandbox has ended.
    pub async fn end(&self, processes: Vec<u32>) -> Result<Result<(), Trouble>, SandboxFailure> {
        self.done(Order::End(processes)).await
    }

    /// Runs a command of the shell to its end, at most for the limit.
    ///
    /// # Errors
    /// The inner one says why it did not run to its end.
    pub async fn run(&self, command: &str, limit: Duration) -> Result<Result<Ran, Trouble>, SandboxFailure> {
        let order = Order::Run { command: command.to_owned(), seconds: limit.as_secs_f64() };
        let answer = self.pipe.ask(order).await?;
        self.expect(answer, |answer| if let Answer::Ran(ran) = answer { Some(ran) } else { None })
    }

    /// Starts a program that goes on.
    ///
    /// # Errors
    /// The inner one says why it cannot be started.
    pub async fn start_program(&self, arguments: Vec<String>) -> Result<Result<(), Trouble>, SandboxFailure> {
        self.done(Order::Start(arguments)).await
    }

    /// What limits were exceeded since the last call, a sentence each.
    pub fn exceeded(&self) -> Vec<String> {
        self.pipe.exceeded()
    }

    /// Ends it, and waits until everything is gone.
    pub async fn close(self) {
        self.pipe.close().await;
    }

    async fn done(&self, order: Order) -> Result<Result<(), Trouble>, SandboxFailure> {
        let answer = self.pipe.ask(order).await?;
        self.expect(answer, |answer| matches!(answer, Answer::Done).then_some(()))
    }

    #[expect(clippy::unused_self, reason = "it reads like the calls that use it")]
    fn expect<T>(
        &self,
        answer: Result<Answer, Trouble>,
        of: impl FnOnce(Answer) -> Option<T>,
    ) -> Result<Result<T, Trouble>, SandboxFailure> {
        match answer.map(of) {
            Ok(Some(value)) => Ok(Ok(value)),
            Ok(None) => Err(SandboxFailure::Unreadable("it answers something else".to_owned())),
            Err(trouble) => Ok(Err(trouble)),
        }
    }
}
