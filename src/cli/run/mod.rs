//! `run`: episodes without a screen.

mod counts;
mod episode_run;

use std::path::Path;
use std::pin::Pin;

use self::counts::BatchCounts;
use super::context::Context;
use super::diagnostics::print_problem;
use super::episode_builder;
use super::episode_output::EpisodePrinter;
use super::error_codes;
use super::exit::Exit;
use super::exit::Failure;
use super::level_ref;
use super::level_ref::SelectedLevel;
use super::logfile;
use super::output::Output;
use super::readers;
use super::replay_source::ReplaySource;
use super::runtime::single_thread_runtime;
use super::session;
use super::signals;
use crate::agents;
use crate::config;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::ReaderRules;
use crate::engine::Breakpoints;
use crate::engine::Head;
use crate::engine::Store;

/// Play levels without a screen, one line a step
#[derive(Debug, clap::Args)]
#[command(override_usage = "mageyard run [OPTIONS] <LEVELS>\n       mageyard run [OPTIONS] --resume <RUN>")]
pub(super) struct Args {
    /// Environment, set, level or file; all levels of it are played in order
    #[arg(value_name = "LEVELS", required_unless_present = "resume")]
    levels: Option<String>,
    /// Finish what was left of a session: its name, the beginning of it, or `last`
    #[arg(long, value_name = "RUN", conflicts_with = "levels")]
    resume: Option<String>,
    /// Episodes a level; each further one counts the seed up by one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,
    #[allow(clippy::doc_markdown, reason = "a person reads it as it stands, beside the other names")]
    /// Leave an episode where a step meets one of these: off_path, dead, ia, ra, parse, same. The verb then
    /// ends with 3, and `run --resume` or `play --resume` goes on
    #[arg(long = "break", value_name = "NAMES", default_value_t)]
    breaks: Breakpoints,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    logfile::start(house)?;
    let config = house.config()?;
    let mut row = Batch::new(&config, args.json, args.breaks)?;
    let ended = single_thread_runtime()?.block_on(async {
        let mut stop: StopSignal = Box::pin(signals::stop_signal());
        match (&args.resume, &args.levels) {
            (Some(run), _) => {
                episode_builder::refuse_changed_settings(house)?;
                row.resume(run, &mut stop).await
            }
            (None, levels) => {
                let chosen = level_ref::levels(house.folders(), levels.as_deref().unwrap_or_default())?;
                let rules = readers::configured(house.folders(), &config)?;
                row.start(&chosen, &rules, args.repeats, &mut stop).await
            }
        }
    });
    row.print_total()?;
    ended.map(|()| row.tally.exit())
}

/// Becomes ready when somebody asks the verb to stop.
type StopSignal = Pin<Box<dyn Future<Output = Exit>>>;

/// A row of episodes and what came of them.
struct Batch<'a> {
    config: &'a Config,
    store: Store,
    lines: EpisodePrinter,
    breaks: Breakpoints,
    tally: BatchCounts,
}

impl<'a> Batch<'a> {
    fn new(config: &'a Config, json: bool, breaks: Breakpoints) -> Result<Self, Problem> {
        let prices = config::load_prices(config.folders())?;
        let lines = EpisodePrinter { out: Output::open(), json, prices };
        let store = Store::new(config.store_folder());
        Ok(Self { config, store, lines, breaks, tally: BatchCounts::default() })
    }

    async fn start(
        &mut self,
        chosen: &[SelectedLevel],
        rules: &ReaderRules,
        repeats: u32,
        stop: &mut StopSignal,
    ) -> Result<(), Failure> {
        refuse_human_agent(self.config)?;
        let first = self.config.settings().play.seed;
        let seeds = || (0..repeats).map(|repeat| first.saturating_add(u64::from(repeat)));
        let mut heads: Vec<Head> = chosen
            .iter()
            .flat_map(|chosen| {
                seeds().map(|seed| episode_builder::new_head(self.config, chosen, rules.clone(), seed))
            })
            .collect::<Result<_, Problem>>()?;
        if let Some(tape) = ReplaySource::from_config(self.config)? {
            heads.iter_mut().try_for_each(|head| tape.assign(head))?;
        }
        let session = session::create(&self.store, chosen, self.config)?;
        self.store.write_plan(&session, &heads).map_err(Failure::running)?;
        self.run_plan(&session, heads, stop).await
    }

    /// What was begun is finished, and what was planned and never begun is played now.
    async fn resume(&mut self, run: &str, stop: &mut StopSignal) -> Result<(), Failure> {
        if !Path::new(run).is_file() {
            let session =
                self.store.session_folder(run).map_err(|error| error_codes::store_failure(&error))?;
            if let Some(heads) = self.store.read_plan(&session).map_err(Failure::running)? {
                return self.run_plan(&session, heads, stop).await;
            }
        }
        for journal in self.store.find(run).map_err(|error| error_codes::store_failure(&error))? {
            self.resume_episode(&journal, stop).await?;
        }
        Ok(())
    }

    /// Plays the episodes of a plan in order, going on with those that were begun already.
    async fn run_plan(
        &mut self,
        session: &Path,
        heads: Vec<Head>,
        stop: &mut StopSignal,
    ) -> Result<(), Failure> {
        for (number, head) in (1..).zip(heads) {
            let journal = self.store.journal_path(session, number);
            if journal.is_file() {
                self.resume_episode(&journal, stop).await?;
            } else {
                let staged = episode_builder::open_new(&self.store, session, number, head, self.config)?;
                self.play(staged, stop).await?;
            }
        }
        Ok(())
    }

    async fn resume_episode(&mut self, journal: &Path, stop: &mut StopSignal) -> Result<(), Failure> {
        let staged = episode_builder::resume(journal, self.config).await?;
        if let Some(note) = &staged.note {
            print_problem(&Problem::new(note));
        }
        self.play(staged, stop).await
    }

    /// A last line for people when there was more than one episode.
    fn print_total(&mut self) -> Result<(), Failure> {
        match self.tally.summary() {
            Some(sentence) if !self.lines.json => Ok(self.lines.out.line(sentence)?),
            _ => Ok(()),
        }
    }
}

/// A seat that waits for a person would wait for ever.
fn refuse_human_agent(config: &Config) -> Result<(), Problem> {
    let agent = &config.settings().play.agent;
    if !agents::AGENTS.iter().any(|row| row.name == agent && row.needs_person) {
        return Ok(());
    }
    let problem = config.problem_with("play.agent", format!("{agent} needs the screen, and run has none"));
    Err(problem.with_help("mageyard play --agent human"))
}
