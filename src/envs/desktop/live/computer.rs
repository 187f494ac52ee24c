//! The computer of an episode for handlers: calls to its sandbox.

use std::sync::Arc;
use std::time::Duration;

use mageyard_sandbox::{Change as Order, Sandbox, SandboxFailure, Trouble as InnerTrouble};
use tokio::runtime::Handle;

use crate::handlers::{Change, Computer, FileFacts, Ran, RunningProcess, Trouble};

/// A sandbox whose calls block. It must not be used by a thread of the runtime that runs tasks.
pub(super) struct SandboxComputer {
    pub(super) sandbox: Arc<Sandbox>,
    pub(super) runtime: Handle,
}

impl SandboxComputer {
    fn wait<T>(
        &self,
        call: impl Future<Output = Result<Result<T, InnerTrouble>, SandboxFailure>>,
    ) -> Result<T, Trouble> {
        let result = self.runtime.block_on(call);
        Ok(result.map_err(|failure| Trouble::Other(failure.to_string()))??)
    }
}

impl Computer for SandboxComputer {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Trouble> {
        self.wait(self.sandbox.read(path))
    }

    fn facts(&mut self, path: &str) -> Result<Option<FileFacts>, Trouble> {
        self.wait(self.sandbox.facts(path))
    }

    fn list(&mut self, path: &str) -> Result<Vec<String>, Trouble> {
        self.wait(self.sandbox.list(path))
    }

    fn change(&mut self, change: &Change<'_>) -> Result<(), Trouble> {
        match (change, self.wait(self.sandbox.change(order(change)))) {
            // What is missing need not be removed.
            (Change::Remove { .. }, Err(Trouble::Missing)) => Ok(()),
            (_, changed) => changed,
        }
    }

    fn processes(&mut self) -> Result<Vec<RunningProcess>, Trouble> {
        self.wait(self.sandbox.processes())
    }

    fn end(&mut self, processes: &[u32]) -> Result<(), Trouble> {
        self.wait(self.sandbox.end(processes.to_vec()))
    }

    fn run(&mut self, command: &str, limit: Duration) -> Result<Ran, Trouble> {
        self.wait(self.sandbox.run(command, limit))
    }

    fn start(&mut self, command: &[String]) -> Result<(), Trouble> {
        self.wait(self.sandbox.start_program(command.to_vec()))
    }

    fn sleep(&mut self, duration: Duration) {
        self.runtime.block_on(tokio::time::sleep(duration));
    }

    fn home(&self) -> &str {
        &self.sandbox.folders().home
    }
}

fn order(change: &Change<'_>) -> Order {
    let text = |text: &str| text.to_owned();
    match change {
        Change::Write { path, content } => Order::Write { path: text(path), content: content.to_vec() },
        Change::Folder { path } => Order::Folder { path: text(path) },
        Change::Remove { path, folder: true } => Order::RemoveFolder { path: text(path) },
        Change::Remove { path, folder: false } => Order::RemoveFile { path: text(path) },
        Change::Move { from, to } => Order::Move { from: text(from), to: text(to) },
        Change::Copy { from, to } => Order::Copy { from: text(from), to: text(to) },
        Change::Mode { path, mode } => Order::Mode { path: text(path), mode: *mode },
    }
}
