//! `football baselines`: policies without judgement over scenes and seeds.

use mageyard_lab::select_levels;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::markdown;
use super::options::Options;
use super::players::{Engine, Players, football_options};
use super::progress::Progress;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, not_a_level_of};
use crate::parallel::in_parallel;
use crate::runtime::single_thread_runtime;
use crate::signals::run_interruptible;
use crate::table::right_aligned;
use mageyard_config::Problem;
use mageyard_football::Scene;
use mageyard_football::baseline::{Baseline, BaselineRow, Episode};
use mageyard_football::grf::EngineFailure;
use mageyard_lab::SelectedLevel;

/// The name of the environment.
const ENVIRONMENT: &str = "football";

/// Play scenes with policies that need no model: mean rewards with intervals
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level set, level or file
    #[arg(value_name = "LEVELS", default_value = "football/mini")]
    reference: String,
    /// Engine that plays [default: the football.engine setting]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<Engine>,
    #[command(flatten)]
    options: Options,
}

/// A row as JSON.
#[derive(Serialize)]
struct Row<'a> {
    engine: &'a str,
    levels: &'a str,
    seeds: u64,
    #[serde(flatten)]
    played: &'a BaselineRow,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let chosen = select_levels(&context.lab, context.folders(), &args.reference)?;
    let scenes: Vec<Scene> = chosen.iter().map(scene).collect::<Result<_, _>>()?;
    let options = args.options;
    let seeds = options.seeds;
    let threads = options.threads();
    let players = Players::new(&football_options(context, args.engine)?)?;
    let engine = players.engine;
    let work = move |raised: &AtomicBool| rows(&scenes, seeds, threads, players, raised);
    let rows = single_thread_runtime()?.block_on(run_interruptible("stopped while playing", work))?;
    let rows = rows.map_err(Failure::running)?;
    let mut out = Output::open();
    if options.json {
        for row in &rows {
            out.object_line(
                "football_baseline",
                &Row { engine, levels: &args.reference, seeds, played: row },
            )?;
        }
    } else {
        out.line(format!("{engine}, {}, {seeds} seeds a scene", args.reference))?;
        out.line("")?;
        if options.markdown {
            markdown(&table(&rows)).iter().try_for_each(|line| out.line(line))?;
        } else {
            out.column_blocks(&right_aligned(table(&rows)), 1)?;
        }
        out.line("")?;
        rows.iter().try_for_each(|row| out.line(format!("{}: {}", row.policy, ends(row))))?;
    }
    Ok(Exit::Done)
}

fn scene(one: &SelectedLevel) -> Result<Scene, Problem> {
    if one.spec.name() != ENVIRONMENT {
        return Err(Problem::new(not_a_level_of(&one.reference, &[ENVIRONMENT])));
    }
    mageyard_football::scene_of(&one.level)
        .map_err(|error| Problem::new(format!("{}: {}", one.reference, error.reason)))
}

/// Every policy on every scene.
fn rows(
    scenes: &[Scene],
    seeds: u64,
    threads: usize,
    players: Players,
    raised: &AtomicBool,
) -> Result<Vec<BaselineRow>, EngineFailure> {
    let jobs = Baseline::TABLE.iter().flat_map(|baseline| scenes.iter().map(move |scene| (*baseline, scene)));
    let jobs: Vec<(Baseline, &Scene)> = jobs.collect();
    let progress = Progress::new(jobs.len() * usize::try_from(seeds).unwrap_or(1));
    let episodes: Vec<Vec<Episode>> = in_parallel(&jobs, threads, |(baseline, scene)| {
        let episode = |seed| {
            progress.advance();
            (!raised.load(Ordering::Relaxed)).then(|| players.play(scene, *baseline, seed))?
        };
        (0..seeds).map(episode).collect()
    });
    players.finish()?;
    let own = Baseline::TABLE.iter().zip(episodes.chunks(scenes.len().max(1)));
    Ok(own.filter_map(|(baseline, episodes)| BaselineRow::new(*baseline, episodes)).collect())
}

fn table(rows: &[BaselineRow]) -> Vec<Vec<String>> {
    let head = ["policy", "mean", "s.e.", "95 %", "1", "2", "3", "4", "5", "6", "frames", "decisions", "n"];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    table.extend(rows.iter().map(|row| {
        let [low, high] = row.interval;
        let mut cells = vec![
            row.policy.to_owned(),
            format!("{:.2}", row.mean),
            format!("{:.2}", row.error),
            format!("{low:.2} to {high:.2}"),
        ];
        cells.extend(row.terms.iter().map(|term| format!("{term:.1}")));
        cells.extend([
            format!("{:.0}", row.frames),
            format!("{:.1}", row.decisions),
            row.episodes.to_string(),
        ]);
        cells
    }));
    table
}

/// `possession 56, limit 63`.
fn ends(row: &BaselineRow) -> String {
    let parts: Vec<String> = row.ends.iter().map(|end| format!("{} {}", end.end, end.episodes)).collect();
    parts.join(", ")
}
