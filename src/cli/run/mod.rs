//! `run`: episodes without a screen.

mod counts;
mod episode_run;

use std::path::Path;
use std::pin::Pin;

use self::counts::BatchCounts;
use super::context::Context;
use super::diagnostics::print_problem;
use super::episode_output::EpisodePrinter;
use super::exit::Exit;
use super::exit::Failure;
use super::logfile;
use super::output::Output;
use super::runtime::single_thread_runtime;
use super::session;
use super::signals;
use crate::config;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::ReaderRules;
use crate::engine::Breakpoints;
use crate::engine::Head;
use crate::engine::Store;
use crate::lab;
use crate::lab::Lab;
use crate::lab::SelectedLevel;

/// Play levels without a screen, one line per step
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "mageyard run [OPTIONS] <LEVELS>\n       mageyard run [OPTIONS] --resume <SESSION>",
    after_help = "More settings: see --help.",
    after_long_help = ""
)]
pub(super) struct Args {
    /// Environment, level set, level or file, played in order; not needed with --from
    #[arg(value_name = "LEVELS", required_unless_present_any = ["resume", "from"])]
    levels: Option<String>,
    /// Resume an unfinished session: its name or `last`
    #[arg(long, value_name = "SESSION", conflicts_with = "levels")]
    resume: Option<String>,
    /// Episodes per level; each repeat uses the next seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// Park an episode at a step marked off_path, dead, ia, ra, parse or same; exit with 3
    ///
    /// Separate several marks with commas. `run --resume` and `play --resume` continue a parked episode.
    #[arg(long = "break", value_name = "NAMES", default_value_t)]
    breaks: Breakpoints,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    logfile::start(context)?;
    let config = context.config()?;
    let mut row = Batch::new(&context.lab, &config, args.json, args.breaks.clone())?;
    let ended = single_thread_runtime()?.block_on(async {
        let mut stop: StopSignal = Box::pin(signals::stop_signal());
        match (&args.resume, &args.levels) {
            (Some(run), _) => {
                session::refuse_changed_settings(context)?;
                row.resume(run, &mut stop).await
            }
            (None, None) => row.replay(&mut stop).await,
            (None, Some(levels)) => {
                let selected = context.lab.levels(context.folders(), levels)?;
                let rules = lab::configured_reader(context.folders(), &config)?;
                row.start(&selected, &rules, args.repeats, &mut stop).await
            }
        }
    });
    row.print_total()?;
    ended.map(|()| row.tally.exit())
}

/// Completes when a signal asks the verb to stop.
type StopSignal = Pin<Box<dyn Future<Output = Exit>>>;

/// A batch of episodes and its counts.
struct Batch<'a> {
    lab: &'a Lab,
    config: &'a Config,
    store: Store,
    lines: EpisodePrinter,
    breaks: Breakpoints,
    tally: BatchCounts,
}

impl<'a> Batch<'a> {
    fn new(lab: &'a Lab, config: &'a Config, json: bool, breaks: Breakpoints) -> Result<Self, Problem> {
        let prices = config::load_prices(config.folders())?;
        let lines = EpisodePrinter { out: Output::open(), json, prices };
        let store = Store::new(config.store_folder());
        Ok(Self { lab, config, store, lines, breaks, tally: BatchCounts::default() })
    }

    async fn start(
        &mut self,
        selected: &[SelectedLevel],
        rules: &ReaderRules,
        repeats: u32,
        stop: &mut StopSignal,
    ) -> Result<(), Failure> {
        refuse_human_agent(self.lab, self.config)?;
        let first = self.config.settings().play.seed;
        let head = |selected: &SelectedLevel, repeat: u32| {
            let seed = first.saturating_add(u64::from(repeat));
            let head = self.lab.new_head(self.config, selected, rules.clone(), seed)?;
            Ok(Head { repeat: Some(repeat + 1), ..head })
        };
        let mut heads: Vec<Head> = selected
            .iter()
            .flat_map(|selected| (0..repeats).map(move |repeat| (selected, repeat)))
            .map(|(selected, repeat)| head(selected, repeat))
            .collect::<Result<_, Problem>>()?;
        if let Some(replay_source) = self.lab.replay_source(self.config)? {
            heads.iter_mut().try_for_each(|head| replay_source.assign(head, self.config))?;
        }
        self.start_session(selected, heads, stop).await
    }

    /// Repeats all episodes of the configured recording, in order.
    async fn replay(&mut self, stop: &mut StopSignal) -> Result<(), Failure> {
        let Some(source) = self.lab.replay_source(self.config)? else {
            let problem = Problem::new("no level is given");
            return Err(problem.with_help("name one: mageyard run LEVELS").into());
        };
        let heads = source.heads(self.config)?;
        let levels = heads.iter().map(|head| self.lab.level_of(head)).collect::<Result<Vec<_>, Problem>>()?;
        self.start_session(&levels, heads, stop).await
    }

    async fn start_session(
        &mut self,
        levels: &[SelectedLevel],
        heads: Vec<Head>,
        stop: &mut StopSignal,
    ) -> Result<(), Failure> {
        let session = lab::create_session(&self.store, levels, self.config)?;
        self.store.write_plan(&session, &heads)?;
        self.run_plan(&session, heads, stop).await
    }

    /// Finishes the started episodes of a session and runs the planned ones that were never started.
    async fn resume(&mut self, run: &str, stop: &mut StopSignal) -> Result<(), Failure> {
        if !Path::new(run).is_file() {
            let session = self.store.session_folder(run)?;
            if let Some(heads) = self.store.read_plan(&session).map_err(Failure::running)? {
                return self.run_plan(&session, heads, stop).await;
            }
        }
        for journal in self.store.find(run)? {
            self.resume_episode(&journal, stop).await?;
        }
        Ok(())
    }

    /// Runs the episodes of a plan in order and resumes those that were already started.
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
                let staged = self.lab.open_new(&self.store, session, number, head, self.config)?;
                self.play(staged, stop).await?;
            }
        }
        Ok(())
    }

    async fn resume_episode(&mut self, journal: &Path, stop: &mut StopSignal) -> Result<(), Failure> {
        let staged = self.lab.resume(journal, self.config).await?;
        if let Some(note) = &staged.note {
            print_problem(&Problem::new(note));
        }
        self.play(staged, stop).await
    }

    /// Prints a summary if there was more than one episode.
    fn print_total(&mut self) -> Result<(), Failure> {
        match self.tally.summary() {
            Some(sentence) if !self.lines.json => Ok(self.lines.out.line(sentence)?),
            _ => Ok(()),
        }
    }
}

/// Rejects an agent that needs a person: it would wait forever without a screen.
fn refuse_human_agent(lab: &Lab, config: &Config) -> Result<(), Problem> {
    let agent = &config.settings().play.agent;
    if !lab.agent(agent).is_some_and(|row| row.needs_person) {
        return Ok(());
    }
    let problem = config
        .problem_with("play.agent", format!("the agent {agent} needs the screen, which `run` does not open"));
    Err(problem.with_help(format!("use `mageyard play --agent {agent}`")))
}
