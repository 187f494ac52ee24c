//! `run`: episodes without a screen.

use std::path::Path;
use std::pin::Pin;

use super::complaint::complain;
use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::lines;
use super::lines::Lines;
use super::logfile;
use super::open::runtime;
use super::output::Output;
use super::readers;
use super::reference;
use super::reference::Chosen;
use super::session;
use super::session::store_flag;
use super::stage;
use super::stage::Staged;
use super::stop;
use super::tape::Tape;
use super::trouble;
use crate::agents;
use crate::config;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::Rules;
use crate::domain::AgentError;
use crate::engine::Break;
use crate::engine::Breaks;
use crate::engine::DriveError;
use crate::engine::Ending;
use crate::engine::Faults;
use crate::engine::Gauge;
use crate::engine::Head;
use crate::engine::Need;
use crate::engine::Path as Way;
use crate::engine::Store;
use crate::engine::faults;

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
    /// Leave an episode where a step meets one of these: `off_path`, dead, ia, ra, parse, same. The verb then
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
    ended.map(|()| row.exit())
}

/// Becomes ready when somebody asks the verb to stop.
type Stop = Pin<Box<dyn Future<Output = Exit>>>;

/// A row of episodes and what came of them.
struct Row<'a> {
    config: &'a Config,
    store: Store,
    lines: Lines,
    scores: Vec<f64>,
    done: usize,
    won: usize,
    expired: usize,
    faults: usize,
    breaks: Breaks,
    parked: usize,
}

impl<'a> Row<'a> {
    fn new(config: &'a Config, json: bool, breaks: Breaks) -> Result<Self, Problem> {
        let prices = config::prices(config.folders())?;
        Ok(Self {
            config,
            store: Store::new(config.store()),
            lines: Lines { out: Output::open(), json, prices },
            scores: Vec::new(),
            done: 0,
            won: 0,
            expired: 0,
            faults: 0,
            breaks,
            parked: 0,
        })
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

    /// Plays one episode to its end, printing each step as it is done. A fault that concerns this
    /// episode alone is told and counted; anything else ends the row.
    async fn play(&mut self, mut staged: Staged, stop: &mut Stop) -> Result<(), Failure> {
        let mut printed = staged.driver.episode().steps().iter().filter(|step| step.is_done()).count();
        let mut known = printed;
        let head = staged.driver.episode().head();
        let mut gauge = Gauge::new(staged.kind, Some(stage::allowance(head, self.config)));
        while staged.driver.episode().ending().is_none() {
            let before = (!self.breaks.is_empty()).then(|| verdict(&staged));
            // An act is never dropped half-way.
            let met = if let Need::Act(_) = staged.driver.episode().need() {
                staged.driver.meet().await
            } else {
                tokio::select! {
                    biased;
                    exit = &mut *stop => return self.interrupted(exit, staged).await,
                    met = staged.driver.meet() => met,
                }
            };
            if let Err(error) = met {
                staged.driver.close().await;
                let reference = &staged.driver.episode().head().reference;
                let problem = Problem::new(format!("{reference}: {error}"));
                if let DriveError::Agent(AgentError::Unproven(_) | AgentError::Differs(_)) = error {
                    return Err(Failure::Problem(Exit::Mismatch, problem));
                }
                self.faults += 1;
                complain(&problem);
                return Ok(());
            }
            let episode = staged.driver.episode();
            for step in episode.steps().iter().skip(printed).filter(|step| step.is_done()) {
                self.lines.step(episode, step, None)?;
                printed += 1;
            }
            let index = printed.checked_sub(1).filter(|_| printed > known && episode.ending().is_none());
            known = printed;
            if let (Some(before), Some(index)) = (before, index)
                && let Some(why) = self.met(&staged, &mut gauge, &before, index).await
            {
                return self.park(staged, &why).await;
            }
        }
        staged.driver.close().await;
        self.count(&staged)
    }

    /// Why the step at this index is to be the last for now, if it meets a breakpoint.
    async fn met(&self, staged: &Staged, gauge: &mut Gauge, before: &Faults, index: usize) -> Option<String> {
        let met = self.breaks.met(before, &verdict(staged), index);
        if met.is_some() || !self.breaks.has(Break::OffPath) {
            return met;
        }
        match gauge.all(staged.driver.episode().steps()).await.path(index)? {
            Way::Left(off) => Some(off.to_string()),
            Way::Kept => None,
            Way::Unknown => {
                let said = format!("off_path passed step {}: how far the goal is, is unknown", index + 1);
                complain(&Problem::new(said));
                None
            }
        }
    }

    /// Leaves the episode at a breakpoint, and tells how to go on.
    async fn park(&mut self, mut staged: Staged, why: &str) -> Result<(), Failure> {
        let settled = staged.driver.settle();
        staged.driver.close().await;
        settled.map_err(Failure::running)?;
        self.parked += 1;
        let reference = &staged.driver.episode().head().reference;
        let name = staged.session.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let store = store_flag(self.config);
        let problem = Problem::new(format!("{reference}: parked at a breakpoint: {why}"));
        complain(&problem.help(format!(
            "mageyard run --resume {name}{store} goes on, mageyard play --resume {name}{store} does on the screen"
        )));
        Ok(())
    }

    /// Leaves in order when asked to stop: what had been said is kept, and how to go on is told.
    async fn interrupted(&self, exit: Exit, mut staged: Staged) -> Result<(), Failure> {
        let kept = staged.driver.cut();
        staged.driver.close().await;
        kept.map_err(Failure::running)?;
        let name = staged.session.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let problem = Problem::new("stopped; the log is complete up to the last event");
        Err(Failure::Problem(
            exit,
            problem.help(format!("mageyard run --resume {name}{} goes on", store_flag(self.config))),
        ))
    }

    fn count(&mut self, staged: &Staged) -> Result<(), Failure> {
        let episode = staged.driver.episode();
        let seconds = staged.driver.elapsed().as_secs_f64();
        let result = lines::Result::of(staged.kind, episode, seconds, &staged.session);
        self.done += 1;
        self.won += usize::from(episode.ending() == Some(Ending::Won));
        let limited = matches!(episode.ending(), Some(Ending::TimeLimit | Ending::Budget));
        self.expired += usize::from(limited);
        self.scores.extend(result.score);
        Ok(self.lines.episode(&result)?)
    }

    /// A last line for people when there was more than one episode.
    fn tell(&mut self) -> Result<(), Failure> {
        if self.lines.json || self.done < 2 {
            return Ok(());
        }
        #[allow(clippy::cast_precision_loss, reason = "nobody plays 2^52 episodes")]
        let mean = self.scores.iter().sum::<f64>() / self.scores.len() as f64;
        let mean = match self.scores.len() {
            0 => "unknown".to_owned(),
            known if known < self.done => format!("{mean:.2} over {known} of {}", self.done),
            _ => format!("{mean:.2}"),
        };
        let (done, won) = (self.done, self.won);
        Ok(self.lines.out.line(format!("{done} episodes, {won} won, mean score {mean}"))?)
    }

    fn exit(&self) -> Exit {
        match (self.faults, self.done) {
            (0, _) if self.parked > 0 => Exit::Partly,
            (0, _) if self.expired > 0 => Exit::Limit,
            (0, _) => Exit::Done,
            (_, 0) => Exit::Failed,
            _ => Exit::Partly,
        }
    }
}

/// What is wrong with an episode by now.
fn verdict(staged: &Staged) -> Faults {
    let episode = staged.driver.episode();
    faults(episode, staged.kind, episode.head().conduct.thresholds)
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
