//! The control folder and the clock of one simulated worker.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::world::World;
use super::{Simulation, lock};
use crate::claims::clock::Clock;
use crate::claims::folder::ControlFolder;
use crate::claims::processes::Processes;

/// How many pauses may be nested; each needs stack.
const MAX_DEPTH: usize = 100;

/// The content of a folder, as a file of the simulation.
const FOLDER: &[u8] = b"/";

pub(super) struct SimulatedFolder {
    pub(super) simulation: Arc<Simulation>,
    pub(super) dead: AtomicBool,
    /// Until when every operation fails.
    pub(super) outage: Mutex<Duration>,
}

pub(super) struct SimulatedClock {
    pub(super) simulation: Arc<Simulation>,
    pub(super) offset: Duration,
    pub(super) rate: f64,
}

impl Clock for SimulatedClock {
    fn now(&self) -> Duration {
        self.offset + self.simulation.world().now.mul_f64(self.rate)
    }
}

/// The processes that one worker knows of: those of its machine, if it has others.
pub(super) struct SimulatedProcesses {
    pub(super) simulation: Arc<Simulation>,
    pub(super) name: String,
    pub(super) shares_machine: bool,
}

impl Processes for SimulatedProcesses {
    fn own(&self) -> Option<Vec<u8>> {
        self.shares_machine.then(|| self.name.clone().into_bytes())
    }

    fn has_ended(&self, identity: &[u8]) -> bool {
        let name = String::from_utf8_lossy(identity);
        let ended = self.shares_machine && self.simulation.world().ended_processes.contains(&*name);
        if ended {
            self.simulation.world().counts.found_ended += 1;
        }
        ended
    }
}

impl SimulatedFolder {
    /// Pauses this worker with the usual probability: all others run meanwhile.
    pub(super) fn maybe_pause(&self, factor: f64) {
        let until = {
            let mut world = self.simulation.world();
            let pauses = world.depth < MAX_DEPTH && world.chance(self.simulation.chaos.nested_pause * factor);
            pauses.then(|| {
                world.counts.pauses += 1;
                world.depth += 1;
                world.now + world.pause()
            })
        };
        if let Some(until) = until {
            self.simulation.run_until(until);
            self.simulation.world().depth -= 1;
        }
    }

    /// An operation: the worker may be paused before or after it, killed before or after it, or not get the reply.
    /// `repeated` is the reply to a repeated request, after one whose reply was lost.
    fn operate<T>(
        &self,
        repeated: io::ErrorKind,
        change: impl FnOnce(&mut World) -> io::Result<T>,
    ) -> io::Result<T> {
        self.maybe_pause(0.5);
        self.maybe_die()?;
        let done = {
            let mut world = self.simulation.world();
            world.counts.operations += 1;
            self.check_outage(&mut world)?;
            let done = change(&mut world);
            if world.chance(self.simulation.chaos.lost_reply) {
                world.counts.lost_replies += 1;
                let kind = if world.chance(0.5) { repeated } else { io::ErrorKind::TimedOut };
                done.and(Err(kind.into()))
            } else {
                done
            }
        };
        self.maybe_die()?;
        self.maybe_pause(0.5);
        done
    }

    fn maybe_die(&self) -> io::Result<()> {
        let mut world = self.simulation.world();
        if !self.dead.load(Ordering::Relaxed) && world.chance(self.simulation.chaos.death / 2.0) {
            world.counts.deaths += 1;
            self.dead.store(true, Ordering::Relaxed);
        }
        if self.dead.load(Ordering::Relaxed) { Err(io::Error::other("killed")) } else { Ok(()) }
    }

    fn check_outage(&self, world: &mut World) -> io::Result<()> {
        let mut outage = lock(&self.outage);
        if world.chance(self.simulation.chaos.outage) {
            world.counts.outages += 1;
            *outage = world.now + world.pause();
        }
        if world.now < *outage { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

fn split(path: &str) -> (&str, &str) {
    path.split_once('/').unwrap_or(("", path))
}

impl ControlFolder for SimulatedFolder {
    fn root(&self) -> &Path {
        Path::new("simulated")
    }

    fn list(&self, subfolder: &str) -> io::Result<Vec<String>> {
        self.operate(io::ErrorKind::TimedOut, |world| Ok(world.files[subfolder].keys().cloned().collect()))
    }

    fn create_empty(&self, path: &str) -> io::Result<()> {
        self.create_new(path, b"")
    }

    fn create_new(&self, path: &str, content: &[u8]) -> io::Result<()> {
        let (subfolder, name) = split(path);
        self.operate(io::ErrorKind::AlreadyExists, |world| {
            let files = world.files.get_mut(subfolder).ok_or(io::ErrorKind::NotFound)?;
            if files.contains_key(name) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            files.insert(name.to_owned(), content.to_vec());
            Ok(())
        })
    }

    fn replace(&self, path: &str, content: &[u8]) -> io::Result<()> {
        let (subfolder, name) = split(path);
        self.operate(io::ErrorKind::TimedOut, |world| {
            let files = world.files.get_mut(subfolder).ok_or(io::ErrorKind::NotFound)?;
            files.insert(name.to_owned(), content.to_vec());
            Ok(())
        })
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (from, old) = split(from);
        let (to, new) = split(to);
        self.operate(io::ErrorKind::NotFound, |world| {
            let file = world.files.get_mut(from).and_then(|files| files.remove(old));
            let file = file.ok_or(io::ErrorKind::NotFound)?;
            let replaced = world.files.get_mut(to).and_then(|files| files.insert(new.to_owned(), file));
            if replaced.is_some() {
                world.errors.push(format!("{to}/{new} was replaced"));
            }
            Ok(())
        })
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        let (subfolder, name) = split(path);
        self.operate(io::ErrorKind::TimedOut, |world| Ok(world.files[subfolder].contains_key(name)))
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let (subfolder, name) = split(path);
        self.operate(io::ErrorKind::TimedOut, |world| {
            world.files[subfolder].get(name).cloned().ok_or(io::ErrorKind::NotFound.into())
        })
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let (subfolder, name) = split(path);
        self.operate(io::ErrorKind::NotFound, |world| {
            let removed = world.files.get_mut(subfolder).and_then(|files| files.remove(name));
            removed.map(drop).ok_or(io::ErrorKind::NotFound.into())
        })
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.create_new(path, FOLDER)
    }

    fn is_folder(&self, path: &str) -> io::Result<bool> {
        let (subfolder, name) = split(path);
        self.operate(io::ErrorKind::TimedOut, |world| {
            Ok(world.files[subfolder].get(name).is_some_and(|file| file == FOLDER))
        })
    }

    fn replace_journals(&self, cell: &str, staging: &str) -> io::Result<()> {
        if !self.simulation.chaos.fences {
            return Ok(());
        }
        let (subfolder, name) = split(staging);
        let copied = self
            .operate(io::ErrorKind::TimedOut, |world| Ok(world.journals[world.journal_of[cell]].clone()))?;
        self.operate(io::ErrorKind::NotFound, |world| {
            if world.files[subfolder].get(name).is_none_or(|file| file != FOLDER) {
                return Err(io::ErrorKind::NotFound.into());
            }
            world.journals.push(copied);
            let last = world.journals.len() - 1;
            world.journal_of.insert(cell.to_owned(), last);
            Ok(())
        })
    }

    fn sync(&self, _: &str) -> io::Result<()> {
        Ok(())
    }
}
