//! What the supervisor is asked to do.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::kernel::Kernel;
use super::spawner::Spawner;
use super::watch::Exceeded;
use super::{Out, commands, processes};
use crate::files::{self, Trouble};
use crate::protocol::{Answer, Limits, Message, Order, Request, RunningProcess, Setup};

/// The longest that a command may run.
const LONGEST: f64 = 3600.0;

/// The programs of the sandbox.
pub(super) struct Machine {
    spawner: Spawner,
    out: Out,
    setup: Setup,
    kernel: Mutex<Option<Kernel>>,
    started: Mutex<Vec<Child>>,
    /// The children for which somebody waits.
    awaited: Mutex<HashSet<u32>>,
    /// Held while everything is ended, so that nothing new is started and ended with it.
    ending: Mutex<()>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Machine {
    pub(super) fn new(spawner: Spawner, out: Out, setup: Setup) -> Self {
        let (kernel, started, awaited) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { spawner, out, setup, kernel, started, awaited, ending: Mutex::default() }
    }

    pub(super) fn limits(&self) -> Limits {
        self.setup.limits
    }

    /// Whether processes, and memory between them, are those of this sandbox alone.
    pub(super) fn has_namespaces(&self) -> bool {
        self.setup.namespaces
    }

    /// Carries out a request and answers it. A command runs beside the others.
    pub(super) fn carry_out(machine: &Arc<Self>, request: Request) {
        let Request { id, order } = request;
        match order {
            Order::Run { command, seconds } => {
                let beside = Arc::clone(machine);
                let run = move || {
                    let result = beside.run(&command, seconds).map(Answer::Ran);
                    beside.out.say(&Message::Answer { id, result });
                };
                if let Err(error) = thread::Builder::new().name("command".into()).spawn(run) {
                    machine.out.say(&Message::Answer { id, result: Err(error.into()) });
                }
            }
            order => {
                let result = machine.answer(order);
                machine.out.say(&Message::Answer { id, result });
            }
        }
    }

    fn answer(&self, order: Order) -> Result<Answer, Trouble> {
        match order {
            Order::Kernel { number, command } => self.start_kernel(number, &command)?,
            Order::Line(line) => {
                if let Some(kernel) = &*locked(&self.kernel) {
                    kernel.send(line);
                }
            }
            Order::Read(path) => return files::read(Path::new(&path)).map(Answer::Bytes),
            Order::Facts(path) => return files::facts(Path::new(&path)).map(Answer::Facts),
            Order::List(path) => return files::list(Path::new(&path)).map(Answer::Names),
            Order::Change(change) => files::change(&change)?,
            Order::Processes => return Ok(Answer::Processes(self.processes())),
            Order::End(ids) => self.end(&ids),
            Order::Run { command, seconds } => return self.run(&command, seconds).map(Answer::Ran),
            Order::Start(arguments) => self.start(&arguments)?,
        }
        Ok(Answer::Done)
    }

    /// A command with the folder of programs, in a group of its own.
    fn command(&self, arguments: &[String]) -> Result<Command, Trouble> {
        use std::os::unix::process::CommandExt;
        let (program, arguments) =
            arguments.split_first().ok_or_else(|| Trouble::Other("names no program".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.setup.folder).process_group(0);
        Ok(command)
    }

    /// Starts a program for which somebody waits. Until it is noted as such, nobody looks for orphans.
    fn spawn(&self, command: Command) -> io::Result<Child> {
        let _until_ended = locked(&self.ending);
        let mut awaited = locked(&self.awaited);
        let child = self.spawner.spawn(command)?;
        awaited.insert(child.id());
        Ok(child)
    }

    fn start_kernel(&self, number: u64, arguments: &[String]) -> Result<(), Trouble> {
        let mut place = locked(&self.kernel);
        if let Some(earlier) = place.take() {
            let id = earlier.id();
            earlier.end();
            locked(&self.awaited).remove(&id);
        }
        let mut command = self.command(arguments)?;
        Kernel::pipes(&mut command);
        let child = self.spawn(command)?;
        *place = Kernel::of(child, number, self.out.clone());
        Ok(())
    }

    fn run(&self, command: &str, seconds: f64) -> Result<crate::protocol::Ran, Trouble> {
        let limit = Duration::from_secs_f64(seconds.clamp(0.0, LONGEST));
        let mut command = self.command(&["/bin/sh".to_owned(), "-c".to_owned(), command.to_owned()])?;
        let output = commands::pipes(&mut command)?;
        let mut child = self.spawn(command)?;
        let ran = commands::wait(&mut child, output, limit);
        locked(&self.awaited).remove(&child.id());
        ran
    }

    fn start(&self, arguments: &[String]) -> Result<(), Trouble> {
        let mut command = self.command(arguments)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = self.spawn(command)?;
        locked(&self.started).push(child);
        Ok(())
    }

    /// The processes of tasks: without the kernel itself, which is none of theirs.
    fn processes(&self) -> Vec<RunningProcess> {
        let kernel = locked(&self.kernel).as_ref().map(Kernel::id);
        let is_kernel = |process: &RunningProcess| {
            Some(process.id) == kernel
                || process.arguments.iter().any(|argument| argument == "ipykernel_launcher")
        };
        let running = processes::descendants().into_iter().filter(|process| !process.is_zombie);
        let described = running.filter_map(|process| processes::describe(process.id));
        described.filter(|process| !is_kernel(process)).collect()
    }

    /// Ends processes of the sandbox; identifiers of others are passed over.
    fn end(&self, ids: &[u32]) {
        let running: HashSet<u32> = self.processes().into_iter().map(|process| process.id).collect();
        ids.iter().filter(|id| running.contains(id)).for_each(|id| processes::end(*id));
    }

    /// Zombies for which nobody waits. Those that were started and have ended are waited for here.
    pub(super) fn orphans(&self) -> Vec<u32> {
        let mut awaited = locked(&self.awaited);
        locked(&self.started).retain_mut(|child| {
            let runs = matches!(child.try_wait(), Ok(None));
            if !runs {
                awaited.remove(&child.id());
            }
            runs
        });
        processes::orphans(&awaited)
    }

    /// Says that the kernel has ended, which its output does not say if something else holds it open.
    pub(super) fn notice_end(&self) {
        // While one is started or ended, nothing is looked at.
        let Ok(mut kernel) = self.kernel.try_lock() else { return };
        if let Some(number) = kernel.as_mut().and_then(Kernel::noticed_end) {
            self.out.say(&Message::KernelEnded(number));
        }
    }

    /// Ends what has exceeded a limit, and says so.
    pub(super) fn exceeded(&self, exceeded: &Exceeded) {
        let Limits { memory_mib, processes: most, .. } = self.setup.limits;
        let _ending = locked(&self.ending);
        let said = match exceeded {
            Exceeded::Processes(count) => {
                processes::end_descendants();
                format!("{count} processes and threads ran, and {most} are allowed: all were ended")
            }
            Exceeded::Memory { mib, largest, segments } => {
                let first = largest.first().and_then(|id| processes::describe(*id));
                let ended = first.map_or_else(|| "nothing".to_owned(), |first| first.name);
                for id in largest {
                    processes::end(*id);
                }
                let removed =
                    if *segments && self.remove_segments() { ", and shared memory was removed" } else { "" };
                format!(
                    "the programs used {mib} MiB of memory, and {memory_mib} are allowed: {ended} was ended{removed}"
                )
            }
        };
        self.out.say(&Message::Exceeded(said));
    }

    /// Removes memory of System V, which outlives its programs, and says whether that was done.
    fn remove_segments(&self) -> bool {
        if !self.has_namespaces() {
            return false;
        }
        let mut command = Command::new("/usr/bin/ipcrm");
        command.arg("--all=shm").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let ended = self.spawner.spawn(command).and_then(|mut child| child.wait());
        ended.is_ok_and(|status| status.success())
    }
}
