//! `validate`: repeats recordings of the real engine and compares.

use std::path::Path;

use serde::Serialize;

use super::data::Data;
use super::exit::{Exit, Failure};
use super::options::Options;
use super::output::{Output, count_noun};
use super::parallel::in_parallel;
use super::progress::Progress;
use super::{ENGINE, game};
use mageyard_football_validation::validation::{Behaviour, Check, Level, Simulated, physics, rules};

/// Compare the simulator and the rules with recordings of the real engine
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = "tools/football-validation/README.md describes the recordings and the checks. The exit code is 0 if \
    all checks pass, 3 if some fail, and 2 if a recording cannot be read."
)]
pub(crate) struct Args {
    /// Folder with recordings
    #[arg(value_name = "DATA")]
    folder: String,
    /// Only these parts of the protocol [default: all]
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,
    #[command(flatten)]
    options: Options,
}

/// A part of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Part {
    /// Ball, speeds, turns, passes, shots
    Physics,
    /// Rewards, ends, skipping of frames
    Rules,
    /// Baselines, duels, distributions
    Behaviour,
}

/// What was compared.
struct Validation {
    checks: Vec<Check>,
    episodes: usize,
    frames: u64,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let data = Data::read(Path::new(&args.folder))?;
    let validation = validate(&data, &args.only, args.options);
    let mut out = Output::open();
    if args.options.json {
        for check in &validation.checks {
            out.object("football_check", &Row::new(check))?;
        }
        out.object("football_validation", &Summary::new(&validation, args, &data.not_read))?;
    } else {
        print(&mut out, &validation, &data.not_read, args.options.markdown)?;
    }
    Ok(if failed(&validation.checks) > 0 { Exit::Partial } else { Exit::Done })
}

fn validate(data: &Data, only: &[Part], options: Options) -> Validation {
    let wanted = |part| only.is_empty() || only.contains(&part);
    let mut checks = Vec::new();
    if wanted(Part::Physics) {
        checks.extend(physics(&data.traces, &data.measures));
    }
    if wanted(Part::Rules) {
        checks.extend(rules(&data.traces));
    }
    let mut simulated = Vec::new();
    if wanted(Part::Behaviour) {
        let behaviour = Behaviour::new(&data.traces, &data.summaries);
        simulated = simulate(&behaviour, options);
        checks.extend(behaviour.checks(&simulated));
    }
    let frames = simulated.iter().map(|one| u64::from(one.episode.frames)).sum();
    Validation { checks, episodes: simulated.len(), frames }
}

/// The episodes of the simulator that the recordings are compared with.
fn simulate(behaviour: &Behaviour, options: Options) -> Vec<Simulated> {
    let jobs = behaviour.jobs(options.seeds);
    let progress = Progress::new(jobs.len());
    in_parallel(&jobs, options.threads(), |job| {
        progress.advance();
        let Ok(played) = job.play(game(job.start, job.seed));
        played
    })
}

fn failed(checks: &[Check]) -> usize {
    checks.iter().filter(|check| !check.passes()).count()
}

/// A check as JSON.
#[derive(Serialize)]
struct Row<'a> {
    level: Level,
    name: &'a str,
    value: Option<f64>,
    recorded: Option<f64>,
    least: Option<f64>,
    most: Option<f64>,
    samples: usize,
    passes: bool,
    note: &'a str,
}

impl<'a> Row<'a> {
    fn new(check: &'a Check) -> Self {
        let [least, most] = check.accepts.bounds();
        let Check { level, name, value, recorded, samples, note, .. } = check;
        let level = *level;
        let value = *value;
        let recorded = *recorded;
        let samples = *samples;
        Self { level, name, value, recorded, least, most, samples, passes: check.passes(), note }
    }
}

/// The whole comparison as JSON.
#[derive(Serialize)]
struct Summary<'a> {
    engine: &'a str,
    data: &'a str,
    seeds: u64,
    episodes: usize,
    frames: u64,
    checks: usize,
    failed: usize,
    not_read: &'a [String],
}

impl<'a> Summary<'a> {
    fn new(validation: &Validation, args: &'a Args, not_read: &'a [String]) -> Self {
        Self {
            engine: ENGINE,
            data: &args.folder,
            seeds: args.options.seeds,
            episodes: validation.episodes,
            frames: validation.frames,
            checks: validation.checks.len(),
            failed: failed(&validation.checks),
            not_read,
        }
    }
}

fn print(
    out: &mut Output,
    validation: &Validation,
    not_read: &[String],
    as_markdown: bool,
) -> std::io::Result<()> {
    let head = ["", "part", "check", "value", "recorded", "accepted", "n", "note"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(validation.checks.iter().map(row));
    out.table(&rows, as_markdown)?;
    out.line("")?;
    let failed = failed(&validation.checks);
    let checks = count_noun(validation.checks.len(), "check", "checks");
    let Validation { episodes, frames, .. } = validation;
    out.line(&format!(
        "{ENGINE}: {checks}, {failed} failed; {episodes} episodes simulated, {frames} frames"
    ))?;
    if let Some(first) = not_read.first() {
        let files = count_noun(not_read.len(), "file has", "files have");
        out.line(&format!("{files} no name of a recording and was not read, such as {first}"))?;
    }
    Ok(())
}

fn row(check: &Check) -> Vec<String> {
    let verdict = if check.passes() { "ok" } else { "FAIL" };
    let accepted = match check.accepts.bounds() {
        [Some(least), Some(most)] => format!("{} to {}", number(least), number(most)),
        [Some(least), None] => format!("from {}", number(least)),
        [None, Some(most)] => format!("to {}", number(most)),
        [None, None] => String::new(),
    };
    vec![
        verdict.to_owned(),
        check.level.name().to_owned(),
        check.name.clone(),
        check.value.map_or_else(|| "none".to_owned(), number),
        check.recorded.map_or_else(String::new, number),
        accepted,
        check.samples.to_string(),
        check.note.clone(),
    ]
}

/// A whole number as it is, a small one with two significant digits, any other with two decimals.
fn number(value: f64) -> String {
    match value.abs() {
        size if size < 0.1 && size > 0.0 => format!("{value:.1e}"),
        size if size.fract() == 0.0 => format!("{value}"),
        _ => format!("{value:.2}"),
    }
}
