//! `run`: episodes without a screen.

mod playing;
mod tally;

use std::path::Path;
use std::pin::Pin;

use self::tally::Tally;
use super::complaint::complain;
use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::lines::Lines;
use super::logfile;
use super::open::runtime;
use super::output::Output;
use super::readers;
use super::reference;
use super::reference::Chosen;
use super::session;
use super::stage;
use super::stop;
use super::tape::Tape;
use super::trouble;
use crate::agents;
use crate::config;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::Rules;
use crate::engine::Breaks;
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
    breaks: Breaks,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    logfile::start(house)?;
    let config = house.config()?;
    let mut row = Row::new(&config, args.json, args.breaks)?;
    let ended = runtime()?.block_on(async {
        let mut stop: Stop = Box::pin(stop::stopped());
        match (&args.resume, &args.levels) {
            (Some(run), _) => {
                stage::no_changes(house)?;
                row.finish(run, &mut stop).await
            }
            (None, levels) => {
                let chosen = reference::levels(house.folders(), levels.as_deref().unwrap_or_default())?;
                let rules = readers::chosen(house.folders(), &config)?;
                row.begin(&chosen, &rules, args.repeats, &mut stop).await
            }
        }
    });
    row.tell()?;
    ended.map(|()| row.tally.exit())
}

/// Becomes ready when somebody asks the verb to stop.
type Stop = Pin<Box<dyn Future<Output = Exit>>>;

/// A row of episodes and what came of them.
struct Row<'a> {
    config: &'a Config,
    store: Store,
    lines: Lines,
    breaks: Breaks,
    tally: Tally,
}

impl<'a> Row<'a> {
    fn new(config: &'a Config, json: bool, breaks: Breaks) -> Result<Self, Problem> {
        let prices = config::prices(config.folders())?;
        let lines = Lines { out: Output::open(), json, prices };
        let store = Store::new(config.store());
        Ok(Self { config, store, lines, breaks, tally: Tally::default() })
    }

    async fn begin(
        &mut self,
        chosen: &[Chosen],
        rules: &Rules,
        repeats: u32,
        stop: &mut Stop,
    ) -> Result<(), Failure> {
        no_person(self.config)?;
        let first = self.config.settings().play.seed;
        let seeds = || (0..repeats).map(|repeat| first.saturating_add(u64::from(repeat)));
        let mut heads: Vec<Head> = chosen
            .iter()
            .flat_map(|chosen| seeds().map(|seed| stage::head(self.config, chosen, rules.clone(), seed)))
            .collect::<Result<_, Problem>>()?;
        if let Some(tape) = Tape::of(self.config)? {
            heads.iter_mut().try_for_each(|head| tape.cast(head))?;
        }
        let session = session::create(&self.store, chosen, self.config)?;
        self.store.plan(&session, &heads).map_err(Failure::running)?;
        self.carry_out(&session, heads, stop).await
    }

    /// What was begun is finished, and what was planned and never begun is played now.
    async fn finish(&mut self, run: &str, stop: &mut Stop) -> Result<(), Failure> {
        if !Path::new(run).is_file() {
            let session = self.store.session(run).map_err(|error| trouble::unfound(&error))?;
            if let Some(heads) = self.store.planned(&session).map_err(Failure::running)? {
                return self.carry_out(&session, heads, stop).await;
            }
        }
        for journal in self.store.find(run).map_err(|error| trouble::unfound(&error))? {
            self.pick_up(&journal, stop).await?;
        }
        Ok(())
    }

    /// Plays the episodes of a plan in order, going on with those that were begun already.
    async fn carry_out(&mut self, session: &Path, heads: Vec<Head>, stop: &mut Stop) -> Result<(), Failure> {
        for (number, head) in (1..).zip(heads) {
            let journal = self.store.journal(session, number);
            if journal.is_file() {
                self.pick_up(&journal, stop).await?;
            } else {
                let staged = stage::open(&self.store, session, number, head, self.config)?;
                self.play(staged, stop).await?;
            }
        }
        Ok(())
    }

    async fn pick_up(&mut self, journal: &Path, stop: &mut Stop) -> Result<(), Failure> {
        let staged = stage::pick_up(journal, self.config).await?;
        if let Some(note) = &staged.note {
            complain(&Problem::new(note));
        }
        self.play(staged, stop).await
    }

    /// A last line for people when there was more than one episode.
    fn tell(&mut self) -> Result<(), Failure> {
        match self.tally.sentence() {
            Some(sentence) if !self.lines.json => Ok(self.lines.out.line(sentence)?),
            _ => Ok(()),
        }
    }
}

/// A seat that waits for a person would wait for ever.
fn no_person(config: &Config) -> Result<(), Problem> {
    let agent = &config.settings().play.agent;
    if !agents::ROWS.iter().any(|row| row.name == agent && row.person) {
        return Ok(());
    }
    let problem = config.refuse("play.agent", format!("{agent} needs the screen, and run has none"));
    Err(problem.help("mageyard play --agent human"))
}
