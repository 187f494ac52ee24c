//! `view`: recorded episodes on the screen or as JSON.

use mageyard_lab::{oracle_opinion, recorded_episode};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::context::Context;
use super::episode_output::{Beside, EpisodePrinter, EpisodeResult};
use super::exit::{Exit, Failure};
use super::output::Output;
use super::runtime::single_thread_runtime;
use super::{logfile, print_step, session};
use mageyard_config::{Config, Problem};
use mageyard_domain::{RewardTerms, SideRole};
use mageyard_engine::{StepExport, Store, step_claims};
use mageyard_lab::{DistanceAfter, EpisodeId, Lab, check_step_exists, parse_step_reference};

/// Look at recorded episodes
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Session to view: a name or its beginning, `last`, a folder, a journal or a sweep; #STEP opens at a step
    /// [default: a list of all sessions]
    #[arg(value_name = "SESSION[#STEP]")]
    run: Option<String>,
    /// Follow the recording while it is being written, from one episode of the session to the next
    #[arg(long, requires = "run")]
    follow: bool,
    /// Print JSON, one object per line, instead of opening the screen
    #[arg(long, conflicts_with = "follow", requires = "run")]
    json: bool,
    /// Add the distance to the goal and the extra moves to each step (searched; slow for hard levels)
    #[arg(long, requires = "json")]
    distance: bool,
    /// Add what the oracle, the solver of the environment, would have done at each step (searched; slow for hard levels)
    #[arg(long, requires = "json")]
    oracle: bool,
    /// Print one part of the step instead of opening the screen
    #[arg(long, value_name = "WHAT", value_parser = export_parser(), requires = "run", conflicts_with_all = ["json", "follow"])]
    print: Option<StepExport>,
    /// Attempt of the step [default: the last]
    #[arg(long, value_name = "N", requires = "print")]
    attempt: Option<usize>,
    /// Print a side request of this role in place of the agent's
    #[arg(long, value_name = "ROLE", value_parser = role_parser(), requires = "print")]
    role: Option<SideRole>,
}

/// Parses the name of something that can be printed.
fn export_parser() -> impl TypedValueParser<Value = StepExport> {
    let named = |name: String| {
        StepExport::from_name(&name).ok_or_else(|| format!("there is nothing called {name:?} to print"))
    };
    PossibleValuesParser::new(StepExport::ALL.map(StepExport::name)).try_map(named)
}

/// Parses the name of a role.
pub(super) fn role_parser() -> impl TypedValueParser<Value = SideRole> {
    let named = |name: String| SideRole::named(&name).ok_or_else(|| format!("there is no role {name}"));
    PossibleValuesParser::new(SideRole::ALL.map(SideRole::name)).try_map(named)
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    logfile::start(context)?;
    if args.json || args.print.is_some() {
        session::refuse_settings_of_printed(context)?;
    }
    let config = context.config()?;
    let Some(run) = &args.run else { return context.screen.browse(context, config) };
    let (run, step) = parse_step_reference(run)?;
    let store = Store::new(config.store_folder());
    let is_whole_sweep =
        step.is_none() && store.sweep(run).is_some() && mageyard_sweep::is_sweep(run, &config);
    if is_whole_sweep && args.opens_screen() {
        return context.screen.attach(run, context, &config);
    }
    let journals = store.find(run)?;
    if args.json {
        return single_thread_runtime()?.block_on(print_json(args, &context.lab, &journals, step, &config));
    }
    if let Some(what) = args.print {
        return single_thread_runtime()?.block_on(print_step::print(
            &context.lab,
            &journals,
            step,
            what,
            (args.role, args.attempt),
        ));
    }
    let opening = ViewOpening { run, store, journals, step, follow: args.follow };
    context.screen.view(opening, context, config)
}

impl Args {
    fn opens_screen(&self) -> bool {
        !self.json && self.print.is_none()
    }
}

/// Recorded episodes to show.
pub struct ViewOpening<'a> {
    /// The session as it was given.
    pub run: &'a str,
    /// The store that has it.
    pub store: Store,
    /// The journals of its episodes, in order.
    pub journals: Vec<PathBuf>,
    /// The step to open at.
    pub step: Option<u32>,
    /// Whether the recordings are followed while they are written.
    pub follow: bool,
}

async fn print_json(
    args: &Args,
    lab: &Lab,
    journals: &[PathBuf],
    only: Option<u32>,
    config: &Config,
) -> Result<Exit, Failure> {
    let prices = mageyard_config::load_prices(config)?;
    let mut restored = Vec::new();
    for journal in journals {
        restored.push((journal, recorded_episode(lab, journal).restore().await?));
    }
    let store = Store::new(config.store_folder());
    let open = restored.iter().filter(|(_, restored)| restored.episode.ending().is_none());
    let unfinished = open.map(|(journal, _)| session::resume_command(&store, journal, config)).collect();
    session::print_resume_commands(unfinished);
    let most = restored.iter().map(|(_, restored)| restored.episode.steps_done()).max().unwrap_or(0);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    check_step_exists(most, most, only)?;
    let mut lines = EpisodePrinter { out: Output::open(), json: true, prices };
    for (journal, restored) in &restored {
        let id = EpisodeId::of_journal(journal);
        let episode = &restored.episode;
        let distances = if args.distance { restored.distances(config).await } else { None };
        let done = (1..).zip(episode.steps()).filter(|(_, step)| step.is_done() || step.over_limit);
        for (after, step) in done.filter(|(_, step)| only.is_none_or(|number| step.number == number)) {
            let way = distances.as_ref().map(|distances| DistanceAfter::after(distances, after));
            let said = args
                .oracle
                .then(|| oracle_opinion(lab, &episode.head().environment, step, &AtomicBool::new(false)));
            let oracle = said.transpose().map_err(Problem::new)?;
            let next = episode.steps().get(after);
            let terms = next.and_then(|next| {
                RewardTerms::between(
                    restored.spec.capabilities().scoring,
                    &step.observation,
                    &next.observation,
                )
            });
            let claims = step_claims(&restored.spec.capabilities().perception, step);
            let beside =
                Beside { terms: terms.as_ref(), way: way.as_ref(), oracle: oracle.as_ref(), claims: &claims };
            let line = lines.step_line(&id, episode.head(), step, &beside)?;
            lines.out.finished_line(&line)?;
        }
        let summary = recorded_episode(lab, journal).summary().unwrap_or_else(|| restored.summary());
        let head = episode.head();
        let result = EpisodeResult { id: &id, head, summary: &summary, distances: distances.as_ref() };
        let line = lines.episode_line(&result)?;
        lines.out.finished_line(&line)?;
    }
    // The process ends now; freeing all steps of a long episode would take a tenth of its time.
    std::mem::forget(restored);
    Ok(Exit::Done)
}
