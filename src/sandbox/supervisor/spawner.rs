//! The thread that starts programs. Restrictions are those of the thread that starts a program, so the supervisor keeps
//! what it needs itself.

use std::io;
use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

type Wish = (Command, Sender<io::Result<Child>>);

/// Starts programs in a thread of its own.
pub(super) struct Spawner(Mutex<Sender<Wish>>);

impl Spawner {
    /// Starts the thread, which restricts itself first.
    pub(super) fn start(
        restrict: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) -> Result<Self, String> {
        let (wishes, waiting) = channel();
        let (restricted, was_restricted) = channel();
        let serve = move || {
            let outcome = restrict();
            let failed = outcome.is_err();
            let _ = restricted.send(outcome);
            if !failed {
                serve(&waiting);
            }
        };
        thread::Builder::new().name("spawner".into()).spawn(serve).map_err(|error| error.to_string())?;
        was_restricted.recv().map_err(|error| error.to_string())??;
        Ok(Self(Mutex::new(wishes)))
    }

    /// Starts a program.
    pub(super) fn spawn(&self, command: Command) -> io::Result<Child> {
        let (answer, answered) = channel();
        let sent = self.0.lock().unwrap_or_else(PoisonError::into_inner).send((command, answer));
        let gone = || io::Error::other("the thread that starts programs has ended");
        sent.map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }
}

fn serve(waiting: &Receiver<Wish>) {
    while let Ok((mut command, answer)) = waiting.recv() {
        let _ = answer.send(command.spawn());
    }
}
