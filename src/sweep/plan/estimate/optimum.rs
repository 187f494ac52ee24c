//! The lengths of shortest solutions of levels: no episode that solves a level has fewer steps.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mageyard_domain::{Capabilities, Options};
use mageyard_lab::SelectedLevel;

/// How long all searches of a plan may take together.
const TIME: Duration = Duration::from_secs(3);

/// The lengths of shortest solutions by level, found within a few seconds.
#[derive(Debug, Default)]
pub(super) struct Optima(BTreeMap<String, Option<u32>>);

impl Optima {
    /// Searches the levels one after the other until the time is up. The rest are unknown.
    pub(super) fn search<'a>(levels: impl IntoIterator<Item = (&'a SelectedLevel, Options)>) -> Self {
        let stop = AtomicBool::new(false);
        let done = AtomicBool::new(false);
        let end = Instant::now() + TIME;
        let mut found = Self::default();
        thread::scope(|scope| {
            let timer = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) && Instant::now() < end {
                    thread::park_timeout(end.saturating_duration_since(Instant::now()));
                }
                stop.store(true, Ordering::Relaxed);
            });
            for (level, options) in levels {
                let entry = found.0.entry(key(level, &options));
                entry.or_insert_with(|| Self::search_one(level, &options, &stop));
            }
            done.store(true, Ordering::Relaxed);
            timer.thread().unpark();
        });
        found
    }

    fn search_one(level: &SelectedLevel, options: &Options, stop: &AtomicBool) -> Option<u32> {
        let Capabilities { tools, scoring, .. } = level.spec.capabilities();
        if stop.load(Ordering::Relaxed) || tools.solver.is_none() {
            return None;
        }
        scoring.reference(&level.level, options, stop).map(|reference| reference.steps)
    }

    /// The length of a shortest solution; `None` if it is unknown.
    pub(super) fn steps(&self, level: &SelectedLevel, options: &Options) -> Option<u32> {
        self.0.get(&key(level, options)).copied().flatten()
    }

    /// The number of levels that can be solved and whose shortest solution was not found in time.
    pub(super) fn unknown(&self) -> usize {
        self.0.values().filter(|steps| steps.is_none()).count()
    }
}

/// What the shortest solution of a level depends on.
fn key(level: &SelectedLevel, options: &Options) -> String {
    let options: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("{}\n{}\n{}", level.spec.name(), options.join(" "), level.level.source.identity())
}
