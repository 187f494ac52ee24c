//! Puts an episode together: level, environment, agent and journal become a driver.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::exit::Failure;
use super::house::House;
use super::open;
use super::open::Refused;
use super::reference::Chosen;
use super::tape;
use super::trouble::mismatch;
use super::trouble::refused;
use super::variants;
use crate::agents::Script;
use crate::agents::Seat;
use crate::agents::SeatError;
use crate::agents::Seating;
use crate::agents::Wire;
use crate::agents::seat;
use crate::config;
use crate::config::Config;
use crate::config::Given;
use crate::config::Origin;
use crate::config::Problem;
use crate::dialog::Layout;
use crate::dialog::Prompt;
use crate::dialog::Rules;
use crate::domain::Action;
use crate::domain::Budget;
use crate::domain::Environment;
use crate::domain::Form;
use crate::domain::Kind;
use crate::domain::Options;
use crate::engine::Allowance;
use crate::engine::Cast;
use crate::engine::Driver;
use crate::engine::Episode;
use crate::engine::Event;
use crate::engine::Head;
use crate::engine::Journal;
use crate::engine::JournalError;
use crate::engine::Log;
use crate::engine::Recorded;
use crate::engine::Search;
use crate::engine::Store;
use crate::engine::restore;

/// An episode ready to go on.
pub(super) struct Staged {
    pub(super) driver: Driver,
    pub(super) kind: &'static dyn Kind,
    pub(super) person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    /// The folder of its session.
    pub(super) session: PathBuf,
    /// What was found torn or strange on the way, to be said.
    pub(super) note: Option<String>,
}

/// The head of a new episode, as the settings have it; `seed` counts on from theirs.
pub(super) fn head(config: &Config, chosen: &Chosen, rules: Rules, seed: u64) -> Result<Head, Problem> {
    let play = &config.settings().play;
    Ok(Head {
        program: concat!("mageyard ", env!("CARGO_PKG_VERSION")).into(),
        started: now().as_secs(),
        environment: chosen.kind.name().into(),
        reference: chosen.reference.clone(),
        title: chosen.level.title.clone(),
        number: chosen.level.number,
        level: chosen.level.text.clone(),
        options: config.settings().options(chosen.kind.name()),
        agent: play.agent.clone(),
        seated: if play.agent == "model" { config.settings().model.options.clone() } else { Options::new() },
        seed,
        setting: play.setting,
        window: config.window(),
        prompt: play.prompt.clone(),
        layout: Layout {
            system_role: config.settings().model.system_role,
            dropped_frame: config.settings().memory.dropped_frame,
        },
        rules,
        max_steps: play.max_steps,
        max_time: play.max_time(),
        budget: budget(config)?,
        conduct: config.settings().conduct(),
    })
}

/// What an episode may take. A limit in money needs the model's price.
fn budget(config: &Config) -> Result<Budget, Problem> {
    let settings = config.settings();
    let (play, tokens) = (&settings.play, settings.play.max_tokens());
    let Some(most) = play.cost_limit().filter(|_| play.agent == "model") else {
        return Ok(Budget { tokens, cost: None });
    };
    let model = settings.model.options.get("name").and_then(|name| name.as_str()).unwrap_or_default();
    if let Some(price) = config::prices(config.folders())?.find(model) {
        return Ok(Budget { tokens, cost: Some((most, price.clone())) });
    }
    let what = format!("play.cost_limit: the price of {model:?} is unknown, so no cost can be limited");
    let path = config.folders().prices_file();
    let help = format!("write it into {}; mageyard prices example shows how", path.display());
    Err(config.refuse("play.cost_limit", what).help(help))
}

/// An episode goes on as it was begun: a flag that would change it is refused, not ignored.
pub(super) fn no_changes(house: &House) -> Result<(), Problem> {
    let changes = |given: &&Given| {
        matches!(given.origin, Origin::Flag(_))
            && ["play.", "memory.", "model."].iter().any(|table| given.name.starts_with(table))
    };
    let Some(given) = house.sources.given.iter().find(changes) else { return Ok(()) };
    let what = format!("{} has no effect with --resume: an episode goes on as it was begun", given.origin);
    Err(Problem::new(what).help("leave it out, or start a new episode"))
}

/// The time since 1970.
pub(super) fn now() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}

/// A new episode, the session's one of this number.
pub(super) fn open(
    store: &Store,
    session: &Path,
    number: usize,
    head: Head,
    config: &Config,
) -> Result<Staged, Failure> {
    let parts = Parts::of(&head, config)?;
    let folder = store.episode(session, number).map_err(Failure::running)?;
    let journal = Journal::create(&folder, &head).map_err(|error| refused(&error))?;
    let (kind, person) = (parts.kind, parts.person.clone());
    let driver = parts.driver(head, Box::new(journal));
    Ok(Staged { driver, kind, person, session: session.to_owned(), note: None })
}

/// A new episode that nothing is kept of.
pub(super) fn unkept(head: Head, config: &Config) -> Result<Driver, Failure> {
    Ok(Parts::of(&head, config)?.driver(head, Box::new(Unkept)))
}

struct Unkept;

impl Log for Unkept {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), JournalError> {
        Ok(())
    }
}

/// What a head calls for. A setting that is refused is shown where it was written.
struct Parts {
    kind: &'static dyn Kind,
    person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    cast: Cast,
}

impl Parts {
    fn of(head: &Head, config: &Config) -> Result<Self, Failure> {
        let kind = kind(&head.environment)?;
        let form = form(kind, head)?;
        let environment = environment(kind, head).map_err(|(name, why)| config.refuse(&name, why))?;
        let seat = sit(kind, head, tape::script(head)?).map_err(|error| unseated(&error, config))?;
        let prompts: Arc<[Prompt]> = variants::all(kind, config.folders(), &head.options)?.into();
        variants::known(kind, config)?;
        let reference = Some(search(kind, head));
        let cast = Cast { environment, agent: seat.agent, form, prompts, reference };
        Ok(Self { kind, person: seat.person, cast })
    }

    fn driver(self, head: Head, log: Box<dyn Log>) -> Driver {
        Driver::new(Episode::new(head.into()), self.cast, log, Duration::ZERO)
    }
}

/// The search for the best that can be reached; nothing is searched before it is asked for.
fn search(kind: &'static dyn Kind, head: &Head) -> Search {
    let (level, options) = (head.played(), head.options.clone());
    Box::new(move |stop| kind.reference(&level, &options, stop))
}

/// An episode that was left, from its journal.
pub(super) async fn pick_up(path: &Path, config: &Config) -> Result<Staged, Failure> {
    let (journal, recorded) = Journal::open(path).map_err(|error| refused(&error))?;
    let (kind, episode, environment) = relive(path, &recorded).await?;
    let head = &recorded.head;
    let form = form(kind, head)?;
    let seat = sit(kind, head, tape::script(head)?).map_err(|error| Problem::new(error.to_string()))?;
    let earlier = Duration::from_millis(recorded.lines.last().map_or(0, |line| line.at));
    let prompts = variants::all(kind, config.folders(), &head.options)?.into();
    let reference = Some(search(kind, head));
    let cast = Cast { environment, agent: seat.agent, form, prompts, reference };
    let driver = Driver::new(episode, cast, Box::new(journal), earlier);
    let note = recorded.torn.map(|torn| {
        format!(
            "{}: the last line was cut off after {} bytes; it never counted and is dropped",
            path.display(),
            torn.bytes
        )
    });
    Ok(Staged { driver, kind, person: seat.person, session: session_of(path), note })
}

/// The episode of a journal, and its environment where the episode stands.
pub(super) async fn relive(
    path: &Path,
    recorded: &Recorded,
) -> Result<(&'static dyn Kind, Episode, Box<dyn Environment>), Failure> {
    let kind = kind(&recorded.head.environment)?;
    let mut environment =
        environment(kind, &recorded.head).map_err(|(_, why)| mismatch(path, &format!("the head's {why}")))?;
    let episode = restore(recorded, environment.as_mut())
        .await
        .map_err(|error| mismatch(path, &format!("{error} (recorded by {})", recorded.head.program)))?;
    Ok((kind, episode, environment))
}

/// The folder of the session that a journal belongs to.
pub(super) fn session_of(journal: &Path) -> PathBuf {
    let session = journal.parent().and_then(Path::parent);
    session.unwrap_or(Path::new(".")).to_owned()
}

/// The environment of this name.
pub(super) fn kind(name: &str) -> Result<&'static dyn Kind, Problem> {
    let names = crate::envs::kinds().iter().map(|kind| kind.name());
    crate::envs::kind(name)
        .ok_or_else(|| Problem::new(format!("there is no environment {name:?}")).known(name, names))
}

/// The environment's own form of a reply; the rules of the head say what becomes of it.
pub(super) fn form(kind: &dyn Kind, head: &Head) -> Result<Form, Problem> {
    kind.form(head.setting)
        .ok_or_else(|| Problem::new(format!("{} has no {} setting", kind.name(), head.setting)))
}

fn environment(kind: &dyn Kind, head: &Head) -> Result<Box<dyn Environment>, Refused> {
    open::environment(kind, &head.played(), &head.options)
}

/// A seat's trouble, shown where the setting was written that makes it.
pub(super) fn unseated(error: &SeatError, config: &Config) -> Problem {
    let setting = match error {
        SeatError::Option(error) => format!("model.{}", error.name),
        SeatError::Script { .. } => "play.from".to_owned(),
        SeatError::Unknown { .. } | SeatError::NoOracle | SeatError::NoScript => "play.agent".to_owned(),
    };
    config.refuse(&setting, error.to_string())
}

fn sit(kind: &dyn Kind, head: &Head, script: Option<Script>) -> Result<Seat, SeatError> {
    let wire = Wire { options: head.seated.clone(), key: Arc::new(|name| std::env::var(name).ok()) };
    let (salt, oracle) = (head.level.clone(), kind.oracle());
    let seating = Seating { seed: head.seed, salt, oracle, model: Some(wire), script };
    seat(&head.agent, seating)
}

/// How far a search for the distance of a state may go: the limits that this episode's environment has for
/// its solver, and the clock of the screen.
pub(super) fn allowance(head: &Head, config: &Config) -> Allowance {
    let seconds = config.settings().screen.distance_time;
    Allowance::of(&head.options, (seconds > 0).then(|| Duration::from_secs(seconds)))
}
