//! Puts an episode together: level, environment, agent and journal become a driver.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::context::Context;
use super::error_codes::journal_failure;
use super::error_codes::mismatch_failure;
use super::exit::Failure;
use super::level_ref::SelectedLevel;
use super::prompt_catalog;
use super::replay_source;
use super::runtime;
use super::runtime::RefusedOption;
use crate::agents::AgentContext;
use crate::agents::AgentSetupError;
use crate::agents::CreatedAgent;
use crate::agents::ModelConfig;
use crate::agents::Recording;
use crate::agents::create_agent;
use crate::config;
use crate::config::Config;
use crate::config::Origin;
use crate::config::Problem;
use crate::config::SettingOverride;
use crate::dialog::Prompt;
use crate::dialog::ReaderRules;
use crate::dialog::RequestLayout;
use crate::domain::Action;
use crate::domain::Budget;
use crate::domain::Environment;
use crate::domain::EnvironmentSpec;
use crate::domain::Options;
use crate::domain::ReplyFormat;
use crate::engine::Driver;
use crate::engine::Episode;
use crate::engine::Event;
use crate::engine::EventSink;
use crate::engine::Head;
use crate::engine::Journal;
use crate::engine::JournalContents;
use crate::engine::JournalError;
use crate::engine::Participants;
use crate::engine::ReferenceSearch;
use crate::engine::SearchLimits;
use crate::engine::Store;
use crate::engine::restore;

/// An episode ready to go on.
pub(super) struct PreparedEpisode {
    pub(super) driver: Driver,
    pub(super) spec: &'static dyn EnvironmentSpec,
    pub(super) person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    /// The folder of its session.
    pub(super) session: PathBuf,
    /// What was found torn or strange on the way, to be said.
    pub(super) note: Option<String>,
}

/// The head of a new episode, as the settings have it; `seed` counts on from theirs.
pub(super) fn new_head(
    config: &Config,
    chosen: &SelectedLevel,
    rules: ReaderRules,
    seed: u64,
) -> Result<Head, Problem> {
    let play = &config.settings().play;
    Ok(Head {
        program: concat!("mageyard ", env!("CARGO_PKG_VERSION")).into(),
        started: unix_time().as_secs(),
        environment: chosen.spec.name().into(),
        reference: chosen.reference.clone(),
        title: chosen.level.title.clone(),
        number: chosen.level.number,
        level: chosen.level.text.clone(),
        options: config.settings().options(chosen.spec.name()),
        agent: play.agent.clone(),
        seated: if play.agent == "model" { config.settings().model.options.clone() } else { Options::new() },
        seed,
        setting: play.setting,
        window: config.window(),
        prompt: play.prompt.clone(),
        layout: RequestLayout {
            system_role: config.settings().model.system_role,
            dropped_frame: config.settings().memory.dropped_frame,
        },
        rules,
        max_steps: play.max_steps,
        max_time: play.max_time(),
        budget: budget(config)?,
        conduct: config.settings().episode_policy(),
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
    if let Some(price) = config::load_prices(config.folders())?.find(model) {
        return Ok(Budget { tokens, cost: Some((most, price.clone())) });
    }
    let what = format!("play.cost_limit: the price of {model:?} is unknown, so no cost can be limited");
    let path = config.folders().prices_file();
    let help = format!("write it into {}; mageyard prices example shows how", path.display());
    Err(config.problem_with("play.cost_limit", what).with_help(help))
}

/// An episode goes on as it was begun: a flag that would change it is refused, not ignored.
pub(super) fn refuse_changed_settings(house: &Context) -> Result<(), Problem> {
    let changes = |given: &&SettingOverride| {
        matches!(given.origin, Origin::Flag(_))
            && ["play.", "memory.", "model."].iter().any(|table| given.name.starts_with(table))
    };
    let Some(given) = house.sources.overrides.iter().find(changes) else { return Ok(()) };
    let what = format!("{} has no effect with --resume: an episode goes on as it was begun", given.origin);
    Err(Problem::new(what).with_help("leave it out, or start a new episode"))
}

/// The time since 1970.
pub(super) fn unix_time() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}

/// A new episode, the session's one of this number.
pub(super) fn open_new(
    store: &Store,
    session: &Path,
    number: usize,
    head: Head,
    config: &Config,
) -> Result<PreparedEpisode, Failure> {
    let parts = EpisodeParts::of(&head, config)?;
    let folder = store.create_episode(session, number).map_err(Failure::running)?;
    let journal = Journal::create(&folder, &head).map_err(|error| journal_failure(&error))?;
    let (kind, person) = (parts.spec, parts.person.clone());
    let driver = parts.driver(head, Box::new(journal));
    Ok(PreparedEpisode { driver, spec: kind, person, session: session.to_owned(), note: None })
}

/// A new episode that nothing is kept of.
pub(super) fn without_journal(head: Head, config: &Config) -> Result<Driver, Failure> {
    Ok(EpisodeParts::of(&head, config)?.driver(head, Box::new(NullSink)))
}

struct NullSink;

impl EventSink for NullSink {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), JournalError> {
        Ok(())
    }
}

/// What a head calls for. A setting that is refused is shown where it was written.
struct EpisodeParts {
    spec: &'static dyn EnvironmentSpec,
    person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    cast: Participants,
}

impl EpisodeParts {
    fn of(head: &Head, config: &Config) -> Result<Self, Failure> {
        let kind = environment_spec(&head.environment)?;
        let form = reply_format(kind, head)?;
        let environment =
            environment_from_head(kind, head).map_err(|(name, why)| config.problem_with(&name, why))?;
        let seat = build_agent(kind, head, replay_source::recording_for(head)?)
            .map_err(|error| agent_problem(&error, config))?;
        let prompts: Arc<[Prompt]> = prompt_catalog::all(kind, config.folders(), &head.options)?.into();
        prompt_catalog::check_prompt_setting(kind, config)?;
        let reference = Some(reference_search(kind, head));
        let cast =
            Participants { environment, agent: seat.agent, form, prompts, reference_search: reference };
        Ok(Self { spec: kind, person: seat.human_actions, cast })
    }

    fn driver(self, head: Head, log: Box<dyn EventSink>) -> Driver {
        Driver::new(Episode::new(head.into()), self.cast, log, Duration::ZERO)
    }
}

/// The search for the best that can be reached; nothing is searched before it is asked for.
fn reference_search(kind: &'static dyn EnvironmentSpec, head: &Head) -> ReferenceSearch {
    let (level, options) = (head.to_level(), head.options.clone());
    Box::new(move |stop| kind.reference(&level, &options, stop))
}

/// An episode that was left, from its journal.
pub(super) async fn resume(path: &Path, config: &Config) -> Result<PreparedEpisode, Failure> {
    let (journal, recorded) = Journal::open(path).map_err(|error| journal_failure(&error))?;
    let (kind, episode, environment) = restore_episode(path, &recorded).await?;
    let head = &recorded.head;
    let form = reply_format(kind, head)?;
    let seat = build_agent(kind, head, replay_source::recording_for(head)?)
        .map_err(|error| Problem::new(error.to_string()))?;
    let earlier = Duration::from_millis(recorded.lines.last().map_or(0, |line| line.at));
    let prompts = prompt_catalog::all(kind, config.folders(), &head.options)?.into();
    let reference = Some(reference_search(kind, head));
    let cast = Participants { environment, agent: seat.agent, form, prompts, reference_search: reference };
    let driver = Driver::new(episode, cast, Box::new(journal), earlier);
    let note = recorded.torn.map(|torn| {
        format!(
            "{}: the last line was cut off after {} bytes; it never counted and is dropped",
            path.display(),
            torn.bytes
        )
    });
    Ok(PreparedEpisode {
        driver,
        spec: kind,
        person: seat.human_actions,
        session: session_folder(path),
        note,
    })
}

/// The episode of a journal, and its environment where the episode stands.
pub(super) async fn restore_episode(
    path: &Path,
    recorded: &JournalContents,
) -> Result<(&'static dyn EnvironmentSpec, Episode, Box<dyn Environment>), Failure> {
    let kind = environment_spec(&recorded.head.environment)?;
    let mut environment = environment_from_head(kind, &recorded.head)
        .map_err(|(_, why)| mismatch_failure(path, &format!("the head's {why}")))?;
    let episode = restore(recorded, environment.as_mut()).await.map_err(|error| {
        mismatch_failure(path, &format!("{error} (recorded by {})", recorded.head.program))
    })?;
    Ok((kind, episode, environment))
}

/// The folder of the session that a journal belongs to.
pub(super) fn session_folder(journal: &Path) -> PathBuf {
    let session = journal.parent().and_then(Path::parent);
    session.unwrap_or(Path::new(".")).to_owned()
}

/// The environment of this name.
pub(super) fn environment_spec(name: &str) -> Result<&'static dyn EnvironmentSpec, Problem> {
    let names = crate::envs::environments().iter().map(|kind| kind.name());
    crate::envs::environment(name).ok_or_else(|| {
        Problem::new(format!("there is no environment {name:?}")).with_suggestions(name, names)
    })
}

/// The environment's own form of a reply; the rules of the head say what becomes of it.
pub(super) fn reply_format(kind: &dyn EnvironmentSpec, head: &Head) -> Result<ReplyFormat, Problem> {
    kind.reply_format(head.setting)
        .ok_or_else(|| Problem::new(format!("{} has no {} setting", kind.name(), head.setting)))
}

fn environment_from_head(
    kind: &dyn EnvironmentSpec,
    head: &Head,
) -> Result<Box<dyn Environment>, RefusedOption> {
    runtime::create_environment(kind, &head.to_level(), &head.options)
}

/// A seat's trouble, shown where the setting was written that makes it.
pub(super) fn agent_problem(error: &AgentSetupError, config: &Config) -> Problem {
    let setting = match error {
        AgentSetupError::InvalidOption(error) => format!("model.{}", error.name),
        AgentSetupError::InvalidRecording { .. } => "play.from".to_owned(),
        AgentSetupError::UnknownAgent { .. } | AgentSetupError::NoOracle | AgentSetupError::NoRecording => {
            "play.agent".to_owned()
        }
    };
    config.problem_with(&setting, error.to_string())
}

fn build_agent(
    kind: &dyn EnvironmentSpec,
    head: &Head,
    script: Option<Recording>,
) -> Result<CreatedAgent, AgentSetupError> {
    let wire =
        ModelConfig { options: head.seated.clone(), key_lookup: Arc::new(|name| std::env::var(name).ok()) };
    let (salt, oracle) = (head.level.clone(), kind.oracle());
    let seating = AgentContext { seed: head.seed, salt, oracle, model: Some(wire), recording: script };
    create_agent(&head.agent, seating)
}

/// How far a search for the distance of a state may go: the limits that this episode's environment has for
/// its solver, and the clock of the screen.
pub(super) fn search_limits(head: &Head, config: &Config) -> SearchLimits {
    let seconds = config.settings().screen.distance_time;
    SearchLimits::from_options(&head.options, (seconds > 0).then(|| Duration::from_secs(seconds)))
}
