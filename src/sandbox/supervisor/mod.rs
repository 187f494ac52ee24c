//! The supervisor: this program, started once more inside a sandbox. It restricts itself, starts and ends programs, reads and
//! changes files for the handlers of tasks, and ends everything when its input closes.
//!
//! It is called with a *role*: the [`keeper`](run) stays outside, waits for the other one, and removes the folder of the
//! sandbox; the supervisor is inside. Neither has anything of the program but this crate.

mod commands;
mod keeper;
mod kernel;
mod memory;
mod orders;
mod processes;
mod restrict;
mod spawner;
mod watch;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use crate::protocol::{LONGEST_LINE, Message, Request, Setup, too_long};

/// The hidden verb of the program.
pub const VERB: &str = "sandbox";

/// The first argument of the two roles.
pub(crate) const KEEPER: &str = "keep";
pub(crate) const SUPERVISOR: &str = "supervise";

/// Plays a role. `arguments` are those after [`VERB`].
pub fn run(arguments: &[String]) -> ExitCode {
    match arguments.split_first() {
        Some((role, rest)) if role == KEEPER => keeper::keep(rest),
        Some((role, [])) if role == SUPERVISOR => supervise(),
        _ => ExitCode::from(2),
    }
}

fn supervise() -> ExitCode {
    survive_large_files();
    let mut lines = Lines(io::stdin().lock());
    let Some(setup) = lines.next::<Setup>() else { return ExitCode::FAILURE };
    let out = Out::default();
    let spawner = match restrict::restrict(&setup) {
        Ok(spawner) => spawner,
        Err(reason) => {
            out.say(&Message::Unable(reason));
            return ExitCode::FAILURE;
        }
    };
    let machine = Arc::new(orders::Machine::new(spawner, out.clone(), setup));
    watch::start(&machine);
    out.say(&Message::Ready);
    while let Some(request) = lines.next::<Request>() {
        orders::Machine::carry_out(&machine, request);
    }
    processes::end_descendants();
    ExitCode::SUCCESS
}

/// Makes a write beyond the largest size of a file fail with an error, where the signal of it would end the supervisor. The signal
/// gets a handler that does nothing; programs have the usual one.
fn survive_large_files() {
    // Without it such a write ends the sandbox, which says so.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// The lines of the input, until it closes or has something that is none.
struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    fn next<T: serde::de::DeserializeOwned>(&mut self) -> Option<T> {
        let mut line = Vec::new();
        let read = io::Read::take(&mut self.0, LONGEST_LINE).read_until(b'\n', &mut line);
        match read {
            Ok(1..) => serde_json::from_slice(&line).ok(),
            _ => None,
        }
    }
}

/// The output, on which a message is a line.
#[derive(Clone, Default)]
pub(crate) struct Out(Arc<Mutex<()>>);

impl Out {
    /// Says a message. Nobody hears it if the pipe is closed; then the input ends too.
    pub(crate) fn say(&self, message: &Message) {
        let Some(line) = line_of(message) else { return };
        let _one = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = io::stdout().lock();
        let _ = out.write_all(&line).and_then(|()| out.flush());
    }
}

/// A message as a line. An answer that is too long is replaced by a sentence that says so.
fn line_of(message: &Message) -> Option<Vec<u8>> {
    let mut line = serde_json::to_vec(message).ok()?;
    line.push(b'\n');
    if line.len() as u64 <= LONGEST_LINE {
        return Some(line);
    }
    match message {
        Message::Answer { id, result: Ok(_) } => {
            line_of(&Message::Answer { id: *id, result: Err(too_long("the answer", line.len())) })
        }
        _ => None,
    }
}
