//! `view`: recorded episodes, on the screen or as lines.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;

use super::excerpt;
use super::exit::Exit;
use super::exit::Failure;
use super::host;
use super::host::Host;
use super::house::House;
use super::lines;
use super::lines::Lines;
use super::logfile;
use super::look;
use super::open::runtime;
use super::open::threads;
use super::output::Output;
use super::place::asked;
use super::place::reaches;
use super::play;
use super::recording;
use super::stage;
use super::trouble;
use super::way;
use super::way::Way;
use crate::config;
use crate::config::Config;
use crate::engine::Extract;
use crate::engine::Store;
use crate::engine::read;
use crate::tui;
use crate::tui::Sitting;

/// Look at recorded episodes
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A session's name, the beginning of it, `last`, a folder or a journal; #STEP looks at a step
    #[arg(value_name = "RUN[#STEP]")]
    run: String,
    /// Go on looking while it is being written
    #[arg(long)]
    follow: bool,
    /// Print one object a line instead of opening the screen
    #[arg(long, conflicts_with = "follow")]
    json: bool,
    /// Tell with each step how many actions a shortest way home still takes and how many were wasted; the screen
    /// does by the screen.distance setting. Each search has the limits of its environment's solver, and the limit
    /// of time that the [screen] settings give
    #[arg(long, requires = "json")]
    distance: bool,
    /// Print something of the step instead of opening the screen
    #[arg(long, value_name = "WHAT", value_parser = extract(), conflicts_with_all = ["json", "follow"])]
    print: Option<Extract>,
    /// The attempt of the step that is meant; the last one when left out
    #[arg(long, value_name = "N", requires = "print")]
    attempt: Option<usize>,
}

/// Everything that can be printed, by its name.
fn extract() -> impl TypedValueParser<Value = Extract> {
    let named = |name: String| Extract::named(&name).ok_or_else(|| format!("there is no {name:?}"));
    PossibleValuesParser::new(Extract::ALL.map(Extract::name)).try_map(named)
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    logfile::start(house)?;
    let config = house.config()?;
    let (run, step) = asked(&args.run)?;
    let journals = Store::new(config.store()).find(run).map_err(|error| trouble::unfound(&error))?;
    if args.json {
        return runtime()?.block_on(print(args, &journals, step, &config));
    }
    if let Some(what) = args.print {
        return runtime()?.block_on(excerpt::print(&journals, step, what, args.attempt));
    }
    let look = look::look(house.folders(), &config)?;
    play::terminal()?;
    threads()?.block_on(async {
        let mut sessions = Vec::new();
        for journal in &journals {
            sessions.push(recording::open(journal, args.follow, &config).await?);
        }
        // The screen opens on the last episode.
        let newest = sessions.last().map_or(0, |session| session.snapshots.borrow().steps.len());
        reaches(newest, step)?;
        let mut host = Host::new(house, config);
        // Of what is being written, the newest episode; of what is done, the first.
        let first = if args.follow { sessions.len().saturating_sub(1) } else { 0 };
        let sitting = Sitting { sessions, first, step };
        let exit = tui::run(&mut host, sitting, look, host::changes(house)).await;
        exit.map(play::code).map_err(|error| play::ended(&error))
    })
}

async fn print(
    args: &Args,
    journals: &[PathBuf],
    only: Option<u32>,
    config: &Config,
) -> Result<Exit, Failure> {
    let prices = config::prices(config.folders())?;
    let mut relived = Vec::new();
    for journal in journals {
        let recorded = read(journal).map_err(|error| trouble::refused(&error))?;
        let (kind, episode, _) = stage::relive(journal, &recorded).await?;
        relived.push((journal, recorded, kind, episode));
    }
    let most = relived.iter().map(|(.., episode)| episode.steps_done()).max().unwrap_or(0);
    reaches(usize::try_from(most).unwrap_or(usize::MAX), only)?;
    let mut lines = Lines { out: Output::open(), json: true, prices };
    for (journal, recorded, kind, episode) in &relived {
        let distances = if args.distance { way::searched(*kind, episode, config).await } else { None };
        let done = (1..).zip(episode.steps()).filter(|(_, step)| step.is_done());
        for (after, step) in done.filter(|(_, step)| only.is_none_or(|number| step.number == number)) {
            let way = distances.as_ref().map(|distances| Way::after(distances, after));
            lines.step(episode, step, way.as_ref())?;
        }
        let milliseconds = recorded.lines.last().map_or(0, |line| line.at);
        let seconds = std::time::Duration::from_millis(milliseconds).as_secs_f64();
        let session = &stage::session_of(journal);
        let result = lines::Result::of(*kind, episode, seconds, session);
        lines.episode(&lines::Result { distances: distances.as_ref(), ..result })?;
    }
    Ok(Exit::Done)
}
