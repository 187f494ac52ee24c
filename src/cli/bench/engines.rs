//! The engines of an environment side by side: frames per second, processor time and memory, and how often the first one
//! is better than each other.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::clock::thread_cpu_time;
use super::levels::BenchLevels;
use crate::output::with_thousands;
use mageyard_config::Problem;
use mageyard_domain::{Clocks, EngineComparison, EngineSpeed, Options};

/// An engine of the comparison.
#[derive(Serialize)]
pub(super) struct EngineRow {
    engine: &'static str,
    version: Option<String>,
    /// Why it was not measured.
    reason: Option<String>,
    frames: Option<u32>,
    frames_per_second: Option<f64>,
    cpu_ms_per_frame: Option<f64>,
    memory_bytes: Option<u64>,
}

/// Measures each engine for about this long, on the first level.
pub(super) fn measure(
    comparison: &dyn EngineComparison,
    levels: &BenchLevels,
    options: &Options,
    environment: &str,
    least: Duration,
) -> Result<Vec<EngineRow>, Problem> {
    let Some(level) = levels.levels.first() else { return Ok(Vec::new()) };
    let began = Instant::now();
    let clocks = Clocks { wall: &|| began.elapsed(), cpu: &thread_cpu_time, least };
    let compared = comparison.compare(level, options, &clocks);
    let compared = compared.map_err(|error| Problem::new(format!("{environment}.{error}")))?;
    Ok(compared.into_iter().map(|(engine, speed)| row(engine, speed)).collect())
}

fn row(engine: &'static str, speed: Result<EngineSpeed, String>) -> EngineRow {
    let (speed, reason) = match speed {
        Ok(speed) => (Some(speed), None),
        Err(reason) => (None, Some(reason)),
    };
    let per_second = |speed: &EngineSpeed| f64::from(speed.frames) / speed.wall.as_secs_f64().max(1e-9);
    let milliseconds = |speed: &EngineSpeed| 1e3 * speed.cpu.as_secs_f64() / f64::from(speed.frames.max(1));
    EngineRow {
        engine,
        reason,
        frames: speed.as_ref().map(|speed| speed.frames),
        frames_per_second: speed.as_ref().map(per_second),
        cpu_ms_per_frame: speed.as_ref().map(milliseconds),
        memory_bytes: speed.as_ref().map(|speed| speed.memory),
        version: speed.map(|speed| speed.version),
    }
}

/// A table row per engine, after the titles, and one for each ratio to the first.
pub(super) fn rows(engines: &[EngineRow]) -> Vec<Vec<String>> {
    let titles = ["engine", "frames/s", "CPU ms a frame", "memory KiB", "version"];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    rows.extend(engines.iter().filter(|row| row.reason.is_none()).map(cells));
    if let Some((first, others)) = engines.split_first() {
        rows.extend(others.iter().filter_map(|other| ratio(first, other)));
    }
    rows
}

/// Why engines were not measured, a sentence each.
pub(super) fn reasons(engines: &[EngineRow]) -> Vec<String> {
    engines.iter().filter_map(|row| Some(format!("{}: {}", row.engine, row.reason.as_ref()?))).collect()
}

fn cells(row: &EngineRow) -> Vec<String> {
    let [speed, time, memory] = row.values().unwrap_or_default();
    let version = row.version.clone().unwrap_or_default();
    vec![row.engine.to_owned(), with_thousands(speed), format!("{time:.4}"), with_thousands(memory), version]
}

/// How often the first engine is faster and smaller than another one.
fn ratio(first: &EngineRow, other: &EngineRow) -> Option<Vec<String>> {
    let [speed, time, memory] = first.values()?;
    let [slower, longer, larger] = other.values()?;
    let ratios = [speed / slower, longer / time, larger / memory].map(with_thousands);
    let title = format!("{} is better", first.engine);
    Some([title].into_iter().chain(ratios.map(|ratio| format!("{ratio}x"))).chain([String::new()]).collect())
}

impl EngineRow {
    /// Frames a second, milliseconds of processor time a frame, KiB of memory.
    fn values(&self) -> Option<[f64; 3]> {
        #[expect(clippy::cast_precision_loss, reason = "no game has 2^52 bytes")]
        let memory = self.memory_bytes? as f64 / 1024.0;
        Some([self.frames_per_second?, self.cpu_ms_per_frame?, memory])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(frames: u32, cpu_ms: u64, memory: u64) -> EngineSpeed {
        let wall = Duration::from_secs(2);
        let cpu = Duration::from_millis(cpu_ms);
        EngineSpeed { version: "program 1".to_owned(), frames, wall, cpu, memory }
    }

    #[test]
    fn the_ratio_compares_speed_time_and_memory() {
        let engines = [
            row("a", Ok(speed(20_000, 1_000, 2048))),
            row("b", Ok(speed(200, 1_000, 2 << 20))),
            row("c", Err("not there".to_owned())),
        ];
        let rows = rows(&engines);
        assert_eq!(rows[1], ["a", "10,000", "0.0500", "2", "program 1"]);
        assert_eq!(rows[2], ["b", "100", "5.0000", "2,048", "program 1"]);
        assert_eq!(rows[3], ["a is better", "100x", "100x", "1,024x", ""]);
        assert_eq!((rows.len(), reasons(&engines)), (4, vec!["c: not there".to_owned()]));
    }
}
