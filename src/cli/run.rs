//! `run`: episodes without a screen, a line a step.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use tokio::sync::watch;

use super::Context;
use super::failure::Exit;
use super::failure::Failure;
use super::lines;
use super::lines::Style;
use super::shelf::Chosen;
use super::stage;
use super::stage::Staged;
use super::stop;
use crate::agents;
use crate::config::Problem;
use crate::engine::Ending;
use crate::engine::Store;

/// Play episodes without a screen, one line a step
#[derive(Debug, Args)]
pub(super) struct Run {
    /// An environment, a set, a level or a file: sokoban, sokoban/mini/7, rooms.xsb#3
    #[arg(required_unless_present = "resume")]
    levels: Option<String>,
    /// Finish the episodes of a session that was left: its name, the beginning of it, or `last`
    #[arg(long, value_name = "RUN", conflicts_with = "levels")]
    resume: Option<String>,
    /// Episodes a level; each further one counts the seed up by one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,
    #[command(flatten)]
    playing: super::flags::Playing,
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// What came of a row of episodes.
#[derive(Default)]
struct Tally {
    scores: Vec<f64>,
    done: usize,
    won: usize,
    expired: usize,
    faults: Vec<Failure>,
}

impl Run {
    pub(super) async fn run(&self, context: &mut Context) -> Result<Exit, Failure> {
        let style = if self.json { Style::Json } else { Style::People };
        let mut stop = stop::signals().map_err(stage::failed)?;
        let mut tally = Tally::default();
        let ended = match &self.resume {
            Some(run) => self.finish(run, context, style, &mut stop, &mut tally).await,
            None => self.begin(context, style, &mut stop, &mut tally).await,
        };
        tally.tell(style, context)?;
        match ended {
            Ok(()) => tally.exit(),
            Err(failure) => Err(failure),
        }
    }

    async fn begin(
        &self,
        context: &mut Context,
        style: Style,
        stop: &mut watch::Receiver<Option<Exit>>,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let chosen = context.levels(self.levels.as_deref().unwrap_or_default())?;
        no_person(context)?;
        let store = Store::new(context.config.store());
        let session = session(&store, &chosen, context)?;
        for chosen in &chosen {
            for repeat in 0..self.repeats {
                let seed = context.config.settings().play.seed.saturating_add(u64::from(repeat));
                let head = stage::head(&context.config, chosen, seed);
                let staged = stage::open(&store, &session, head, &context.config)?;
                tally.take(play(staged, context, style, stop).await)?;
            }
        }
        Ok(())
    }

    async fn finish(
        &self,
        run: &str,
        context: &mut Context,
        style: Style,
        stop: &mut watch::Receiver<Option<Exit>>,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let store = Store::new(context.config.store());
        for journal in store.find(run).map_err(Failure::wrong)? {
            let staged = stage::pick_up(&journal).await?;
            if let Some(note) = &staged.note {
                context.say(note);
            }
            tally.take(play(staged, context, style, stop).await)?;
        }
        Ok(())
    }
}

/// A session's folder, named after what is played in it.
pub(super) fn session(store: &Store, chosen: &[Chosen], context: &Context) -> Result<std::path::PathBuf, Failure> {
    let what = chosen.first().map_or("nothing", |chosen| match chosen {
        Chosen { reference, .. } => reference.as_str(),
    });
    let name = Path::new(what).file_name().map_or(what.to_owned(), |name| name.to_string_lossy().into_owned());
    let environment = chosen.first().map_or("", |chosen| chosen.kind.name());
    let agent = &context.config.settings().play.agent;
    store.create(stage::now(), &format!("{environment} {name} {agent}")).map_err(stage::failed)
}

/// A seat that waits for a person would wait for ever.
fn no_person(context: &Context) -> Result<(), Failure> {
    let agent = &context.config.settings().play.agent;
    let person = agents::ROWS.iter().any(|row| row.name == agent && row.person);
    if person {
        let problem = context.config.refuse("play.agent", format!("{agent} needs the screen"));
        return Err(Failure::from(problem.help("use `mageyard play --agent human`")));
    }
    Ok(())
}

/// Plays one episode to its end, printing each step as it is done.
async fn play(
    mut staged: Staged,
    context: &mut Context,
    style: Style,
    stop: &mut watch::Receiver<Option<Exit>>,
) -> Result<(Option<Ending>, Option<f64>), Failure> {
    let mut printed = usize::try_from(staged.driver.episode().steps_done()).unwrap_or(0);
    let fault = loop {
        if staged.driver.episode().ending().is_some() {
            break None;
        }
        let met = tokio::select! {
            biased;
            signal = stop::raised(stop) => return Err(interrupted(signal, &staged)),
            met = staged.driver.meet() => met,
        };
        if let Err(error) = met {
            break Some(error);
        }
        let episode = staged.driver.episode();
        for step in episode.steps().iter().skip(printed).filter(|step| step.is_done()) {
            writeln!(context.out, "{}", lines::step(style, episode, step))?;
            printed += 1;
        }
    };
    staged.driver.close().await;
    match fault {
        Some(error) => Err(stage::failed(format!("{}: {error}", staged.driver.episode().head().reference))),
        None => finished(&staged, context, style),
    }
}

fn finished(
    staged: &Staged,
    context: &mut Context,
    style: Style,
) -> Result<(Option<Ending>, Option<f64>), Failure> {
    let episode = staged.driver.episode();
    let score = staged.kind.score(episode.returns(), episode.reference());
    let result = lines::Result {
        episode,
        score,
        seconds: seconds(staged.driver.elapsed()),
        session: &staged.session.display().to_string(),
    };
    writeln!(context.out, "{}", lines::episode(style, &result))?;
    Ok((episode.ending(), score))
}

/// To the millisecond, which is what journals keep.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

fn interrupted(exit: Exit, staged: &Staged) -> Failure {
    let session = staged.session.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let what = format!("stopped; the log is complete up to the last event: {}", staged.session.display());
    Failure::new(exit, Problem::new(what).help(format!("`mageyard run --resume {session}` goes on")))
}

impl Tally {
    /// Counts an episode. What only concerns this one is kept for the end; the rest ends the row.
    fn take(&mut self, played: Result<(Option<Ending>, Option<f64>), Failure>) -> Result<(), Failure> {
        match played {
            Ok((ending, score)) => {
                self.done += 1;
                self.won += usize::from(ending == Some(Ending::Won));
                self.expired += usize::from(ending == Some(Ending::TimeLimit));
                self.scores.extend(score);
                Ok(())
            }
            Err(failure) if failure.exit == Exit::Failed => {
                self.faults.push(failure);
                Ok(())
            }
            Err(failure) => Err(failure),
        }
    }

    /// A last line for people when there was more than one episode.
    fn tell(&self, style: Style, context: &mut Context) -> Result<(), Failure> {
        for fault in &self.faults {
            context.complain(&fault.problem);
        }
        if matches!(style, Style::Json) || self.done < 2 {
            return Ok(());
        }
        let mean = match self.scores.len() {
            0 => "unknown".to_owned(),
            #[allow(clippy::cast_precision_loss, reason = "nobody plays 2^52 episodes")]
            count => format!("{:.2}", self.scores.iter().sum::<f64>() / count as f64),
        };
        Ok(writeln!(context.out, "{} episodes, {} won, mean score {mean}", self.done, self.won)?)
    }

    fn exit(&mut self) -> Result<Exit, Failure> {
        match (self.faults.len(), self.done) {
            (0, _) if self.expired > 0 => Ok(Exit::Budget),
            (0, _) => Ok(Exit::Done),
            (_, 0) => Ok(Exit::Failed),
            _ => Ok(Exit::Partly),
        }
    }
}
