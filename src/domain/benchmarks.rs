//! Measurements of speed that an environment offers.

use std::time::Duration;

use super::{Level, OptionError, Options};

/// The speed measurements of an environment.
pub trait Benchmarks: Send + Sync {
    /// The level set that is measured by default.
    fn level_set(&self) -> &'static str;

    /// What a reader of the results should know, in sentences.
    fn notes(&self) -> &'static str {
        ""
    }

    /// The measurements, each of which is a table.
    fn measurements(&self) -> &'static [Measurement];

    /// The levels to measure among these, such as one of each size.
    fn samples(&self, levels: &[Level]) -> Vec<Sample>;

    /// How many operations a benchmark of a measurement performs per second on this level. An unknown name is an
    /// error.
    fn rate(&self, benchmark: &str, level: &Level, stopwatch: &Stopwatch<'_>) -> Result<f64, OptionError>;
}

/// Engines of an environment that play the same levels, measured one after the other in one run.
pub trait EngineComparison: Send + Sync {
    /// The engines in their order, each with its speed on this level or the reason why it does not play. The first one is
    /// always there. An error names the setting that is wrong.
    fn compare(
        &self,
        level: &Level,
        options: &Options,
        clocks: &Clocks<'_>,
    ) -> Result<EngineSpeeds, OptionError>;
}

/// The name of each engine, with its speed or the reason why it does not play.
pub type EngineSpeeds = Vec<(&'static str, Result<EngineSpeed, String>)>;

/// The clocks of a comparison.
pub struct Clocks<'a> {
    /// Returns the time since some start.
    pub wall: &'a dyn Fn() -> Duration,
    /// Returns the processor time of this thread.
    pub cpu: &'a dyn Fn() -> Duration,
    /// The least duration of the measurement of one engine.
    pub least: Duration,
}

/// The speed of an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpeed {
    /// Its program and version.
    pub version: String,
    /// The frames that were played.
    pub frames: u32,
    /// How long they took.
    pub wall: Duration,
    /// Their processor time, that of the engine's own process included.
    pub cpu: Duration,
    /// The memory of one game in bytes, with its process if it has its own.
    pub memory: u64,
}

/// A table of rates.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The name.
    pub name: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// The unit of its rates, such as `steps/s`.
    pub unit: &'static str,
    /// The names of its benchmarks.
    pub benchmarks: &'static [&'static str],
    /// Those among them that measure an interface for training, which no episode of the program runs. They get a table
    /// of their own, so that they are not compared with what a user runs.
    pub training: &'static [&'static str],
}

/// A level to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The index among the levels.
    pub level: usize,
    /// The title of its column.
    pub title: String,
    /// What describes it, as fields in JSON output.
    pub fields: Vec<(&'static str, usize)>,
}

/// Measures how often work can be done in a second.
pub struct Stopwatch<'a> {
    /// Returns the time since some start.
    pub clock: &'a dyn Fn() -> Duration,
    /// The least duration of a measurement.
    pub least: Duration,
}

impl Stopwatch<'_> {
    /// Operations per second: each call of `work` performs some and returns their number. It is called repeatedly for
    /// the least duration, after one warm-up call that does not count.
    pub fn rate(&self, mut work: impl FnMut() -> u32) -> f64 {
        work();
        let began = (self.clock)();
        let mut done = 0.0;
        loop {
            done += f64::from(work());
            let took = (self.clock)().saturating_sub(began);
            if took >= self.least && !took.is_zero() {
                return done / took.as_secs_f64();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_rate_is_work_per_time() {
        let now = Cell::new(Duration::ZERO);
        let work = || {
            now.set(now.get() + Duration::from_millis(200));
            50
        };
        let stopwatch = Stopwatch { clock: &|| now.get(), least: Duration::from_secs(1) };
        assert_eq!(stopwatch.rate(work), 250.0);
        assert_eq!(now.get(), Duration::from_millis(1200), "one warm-up call, then one second");
    }
}
