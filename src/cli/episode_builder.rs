//! Builds episodes: turns a level, an environment, an agent and a journal into a driver.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::attribution::EpisodeId;
use super::context;
use super::context::Context;
use super::context::unix_time;
use super::error_codes::journal_failure;
use super::error_codes::mismatch_failure;
use super::error_codes::store_failure;
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

/// An episode that is ready to run.
pub(super) struct PreparedEpisode {
    pub(super) driver: Driver,
    pub(super) spec: &'static dyn EnvironmentSpec,
    pub(super) person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    /// Its session and number.
    pub(super) id: EpisodeId,
    /// A warning about its journal to show to the user.
    pub(super) note: Option<String>,
}

/// The head of a new episode with everything that this one was started with.
pub(super) fn restarted_head(head: &Head) -> Head {
    Head {
        program: concat!("mageyard ", env!("CARGO_PKG_VERSION")).into(),
        started: unix_time().as_secs(),
        ..head.clone()
    }
}

/// The head of a new episode from the settings, with this seed.
pub(super) fn new_head(
    config: &Config,
    selected: &SelectedLevel,
    rules: ReaderRules,
    seed: u64,
) -> Result<Head, Problem> {
    let play = &config.settings().play;
    Ok(Head {
        program: concat!("mageyard ", env!("CARGO_PKG_VERSION")).into(),
        started: context::unix_time().as_secs(),
        environment: selected.spec.name().into(),
        reference: selected.reference.clone(),
        title: selected.level.title.clone(),
        number: selected.level.number,
        level: selected.level.text.clone(),
        options: config.settings().options(selected.spec.name()),
        agent: play.agent.clone(),
        seated: if play.agent == "model" { config.settings().model.options.clone() } else { Options::new() },
        seed,
        repeat: Some(1),
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

/// The budget of an episode. A cost limit needs the price of the model.
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
    let what = format!("play.cost_limit: the price of {model:?} is unknown, so the cost cannot be limited");
    let path = config.folders().prices_file();
    let help = format!("add it to {}; `mageyard prices example` shows how", path.display());
    Err(config.problem_with("play.cost_limit", what).with_help(help))
}

/// Rejects a flag that would change the settings of a resumed episode, which keeps those it was started with.
pub(super) fn refuse_changed_settings(context: &Context) -> Result<(), Problem> {
    let changes = |given: &&SettingOverride| {
        matches!(given.origin, Origin::Flag(_))
            && ["play.", "memory.", "model."].iter().any(|table| given.name.starts_with(table))
    };
    let Some(given) = context.sources.overrides.iter().find(changes) else { return Ok(()) };
    let what = format!(
        "{} has no effect with --resume: an episode keeps the settings it was started with",
        given.origin
    );
    Err(Problem::new(what).with_help("remove the flag, or start a new episode"))
}

/// Starts a new episode with this number in a session.
pub(super) fn open_new(
    store: &Store,
    session: &Path,
    number: usize,
    head: Head,
    config: &Config,
) -> Result<PreparedEpisode, Failure> {
    let parts = EpisodeParts::of(&head, config)?;
    let folder = store.create_episode(session, number).map_err(|error| store_failure(&error))?;
    let journal = Journal::create(&folder, &head).map_err(|error| journal_failure(&error))?;
    let (spec, person) = (parts.spec, parts.person.clone());
    let driver = parts.driver(head, Box::new(journal));
    let id = EpisodeId { session: session.to_owned(), number: u32::try_from(number).ok() };
    Ok(PreparedEpisode { driver, spec, person, id, note: None })
}

/// A new episode without a journal.
pub(super) fn without_journal(head: Head, config: &Config) -> Result<Driver, Failure> {
    Ok(EpisodeParts::of(&head, config)?.driver(head, Box::new(NullSink)))
}

/// An episode that repeats a recording without a journal. It searches no best score, which the recording has.
pub(super) fn for_verification(head: Head, config: &Config) -> Result<Driver, Failure> {
    let mut parts = EpisodeParts::of(&head, config)?;
    parts.cast.reference_search = None;
    Ok(parts.driver(head, Box::new(NullSink)))
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

/// The parts that a head describes. A rejected setting is reported at the place where it was set.
struct EpisodeParts {
    spec: &'static dyn EnvironmentSpec,
    person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    cast: Participants,
}

impl EpisodeParts {
    fn of(head: &Head, config: &Config) -> Result<Self, Failure> {
        let spec = environment_spec(&head.environment)?;
        let form = reply_format(spec, head)?;
        let environment =
            environment_from_head(spec, head).map_err(|(name, why)| config.problem_with(&name, why))?;
        let seat = build_agent(spec, head, replay_source::recording_for(head)?)
            .map_err(|error| agent_problem(&error, config))?;
        let prompts: Arc<[Prompt]> = prompt_catalog::all(spec, config.folders(), &head.options)?.into();
        if head.agent != replay_source::REPLAY_AGENT {
            prompt_catalog::check_prompt_setting(spec, config)?;
        }
        let reference = Some(reference_search(spec, head));
        let cast =
            Participants { environment, agent: seat.agent, form, prompts, reference_search: reference };
        Ok(Self { spec, person: seat.human_actions, cast })
    }

    fn driver(self, head: Head, log: Box<dyn EventSink>) -> Driver {
        Driver::new(Episode::new(head.into()), self.cast, log, Duration::ZERO)
    }
}

/// The search for the best possible score; it runs when the driver first needs it.
fn reference_search(spec: &'static dyn EnvironmentSpec, head: &Head) -> ReferenceSearch {
    let (level, options) = (head.to_level(), head.options.clone());
    Box::new(move |stop| spec.reference(&level, &options, stop))
}

/// Resumes an unfinished episode from its journal.
pub(super) async fn resume(path: &Path, config: &Config) -> Result<PreparedEpisode, Failure> {
    let (journal, recorded) = Journal::open(path).map_err(|error| journal_failure(&error))?;
    let (spec, episode, environment) = restore_episode(path, &recorded).await?;
    let head = &recorded.head;
    let form = reply_format(spec, head)?;
    let seat = build_agent(spec, head, replay_source::recording_for(head)?)
        .map_err(|error| Problem::new(error.to_string()))?;
    let earlier = Duration::from_millis(recorded.lines.last().map_or(0, |line| line.at));
    let prompts = prompt_catalog::all(spec, config.folders(), &head.options)?.into();
    let reference = Some(reference_search(spec, head));
    let cast = Participants { environment, agent: seat.agent, form, prompts, reference_search: reference };
    let driver = Driver::new(episode, cast, Box::new(journal), earlier);
    let note = recorded.torn.map(|torn| {
        format!("{}: the last line is incomplete ({} bytes) and is dropped", path.display(), torn.bytes)
    });
    let id = EpisodeId::of_journal(path);
    Ok(PreparedEpisode { driver, spec, person: seat.human_actions, id, note })
}

/// Restores the episode of a journal together with its environment.
pub(super) async fn restore_episode(
    path: &Path,
    recorded: &JournalContents,
) -> Result<(&'static dyn EnvironmentSpec, Episode, Box<dyn Environment>), Failure> {
    let spec = environment_spec(&recorded.head.environment)?;
    let mut environment = environment_from_head(spec, &recorded.head)
        .map_err(|(_, why)| mismatch_failure(path, &format!("the head's {why}")))?;
    let episode = restore(recorded, environment.as_mut()).await.map_err(|error| {
        mismatch_failure(path, &format!("{error} (recorded by {})", recorded.head.program))
    })?;
    Ok((spec, episode, environment))
}

/// The level of a recorded episode.
pub(super) fn level_of(head: &Head) -> Result<SelectedLevel, Problem> {
    let (spec, level) = (environment_spec(&head.environment)?, head.to_level());
    Ok(SelectedLevel { spec, reference: head.reference.clone(), level })
}

/// The environment with this name.
pub(super) fn environment_spec(name: &str) -> Result<&'static dyn EnvironmentSpec, Problem> {
    let names = crate::envs::environments().iter().map(|spec| spec.name());
    crate::envs::environment(name).ok_or_else(|| {
        Problem::new(format!("there is no environment {name:?}")).with_suggestions(name, names)
    })
}

/// The environment's own reply format; the reader rules of the head may change it.
pub(super) fn reply_format(spec: &dyn EnvironmentSpec, head: &Head) -> Result<ReplyFormat, Problem> {
    spec.reply_format(head.setting)
        .ok_or_else(|| Problem::new(format!("{} has no {} setting", spec.name(), head.setting)))
}

fn environment_from_head(
    spec: &dyn EnvironmentSpec,
    head: &Head,
) -> Result<Box<dyn Environment>, RefusedOption> {
    runtime::create_environment(spec, &head.to_level(), &head.options)
}

/// A problem with an agent, reported at the place of the setting that causes it.
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
    spec: &dyn EnvironmentSpec,
    head: &Head,
    script: Option<Recording>,
) -> Result<CreatedAgent, AgentSetupError> {
    let wire =
        ModelConfig { options: head.seated.clone(), key_lookup: Arc::new(|name| std::env::var(name).ok()) };
    let (salt, oracle) = (head.level.clone(), spec.oracle());
    let seating = AgentContext { seed: head.seed, salt, oracle, model: Some(wire), recording: script };
    create_agent(&head.agent, seating)
}

/// The limits of a distance search: the solver limits of the episode's environment and the
/// `screen.distance_time` setting.
pub(super) fn search_limits(head: &Head, config: &Config) -> SearchLimits {
    let seconds = config.settings().screen.distance_time;
    SearchLimits::from_options(&head.options, (seconds > 0).then(|| Duration::from_secs(seconds)))
}
