//! `baselines`: policies without judgement over scenes and seeds.

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::levels::scenes;
use super::options::Options;
use super::output::Output;
use super::parallel::in_parallel;
use super::players::{Engine, Players, football_options};
use super::progress::Progress;
use mageyard_football::Scene;
use mageyard_football::grf::EngineFailure;
use mageyard_football_validation::baseline::{Baseline, BaselineRow, Episode};

/// Play scenes with policies that need no model: mean rewards with intervals
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level set, level or file: football/mini, football/mini/3, my.football
    #[arg(value_name = "LEVELS", default_value = "football/mini")]
    reference: String,
    /// Engine that plays
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t = Engine::Lite)]
    engine: Engine,
    /// Python interpreter that has the real engine [default: python3]
    #[arg(long, value_name = "PROGRAM", env = "MAGEYARD_FOOTBALL_PYTHON")]
    python: Option<String>,
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

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let scenes = scenes(&args.reference)?;
    let options = args.options;
    let players = Players::new(&football_options(args.engine, args.python.as_deref()))?;
    let engine = players.engine;
    let rows = rows(&scenes, options, players)?;
    let mut out = Output::open();
    if options.json {
        for played in &rows {
            let row = Row { engine, levels: &args.reference, seeds: options.seeds, played };
            out.object("football_baseline", &row)?;
        }
        return Ok(Exit::Done);
    }
    out.line(&format!("{engine}, {}, {} seeds a scene", args.reference, options.seeds))?;
    out.line("")?;
    out.table(&table(&rows), options.markdown)?;
    out.line("")?;
    for row in &rows {
        out.line(&format!("{}: {}", row.policy, ends(row)))?;
    }
    Ok(Exit::Done)
}

/// Every policy on every scene.
fn rows(scenes: &[Scene], options: Options, players: Players) -> Result<Vec<BaselineRow>, EngineFailure> {
    let seeds = options.seeds;
    let jobs = Baseline::TABLE.iter().flat_map(|baseline| scenes.iter().map(move |scene| (*baseline, scene)));
    let jobs: Vec<(Baseline, &Scene)> = jobs.collect();
    let progress = Progress::new(jobs.len() * usize::try_from(seeds).unwrap_or(1));
    let episodes: Vec<Vec<Episode>> = in_parallel(&jobs, options.threads(), |(baseline, scene)| {
        let episode = |seed| {
            progress.advance();
            players.play(scene, *baseline, seed)
        };
        (0..seeds).map_while(episode).collect()
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
