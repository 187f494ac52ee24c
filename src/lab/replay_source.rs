//! Recordings for the agent `replay`: finds the recorded episode that a new episode repeats.

use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;

use super::LabError;
use super::configured_reader;
use super::unix_time;
use crate::agents::Recording;
use crate::config::Config;
use crate::config::Origin;
use crate::config::Problem;
use crate::domain::Budget;
use crate::domain::Options;
use crate::domain::Window;
use crate::engine::Head;
use crate::engine::REPLAY_SOURCE;
use crate::engine::Store;
use crate::engine::read_journal;
use crate::engine::recorded_replies;

/// The name of the agent.
pub const REPLAY_AGENT: &str = "replay";
/// The maximum number of recordings listed in an error message.
const MAX_LISTED: usize = 8;

/// The recorded episodes of a session.
pub struct ReplaySource {
    given: String,
    episodes: Vec<(PathBuf, Head)>,
}

impl ReplaySource {
    /// The configured recording; `None` if the agent is not `replay`.
    pub fn from_config(config: &Config) -> Result<Option<Self>, LabError> {
        let play = &config.settings().play;
        if play.agent != REPLAY_AGENT {
            return refuse_unused_flag(config).map(|()| None).map_err(LabError::from);
        }
        if play.from.is_empty() {
            let problem =
                config.problem_with("play.agent", "the agent replay needs a recording, and none is given");
            return Err(problem
                .with_help("add --from SESSION: a session name, `last`, a folder or a journal")
                .into());
        }
        let found = Store::new(config.store_folder()).find(&play.from);
        let journals = found?.into_iter();
        let head = |path: PathBuf| {
            let head = read_journal(&path)?.head;
            Ok((std::path::absolute(&path).unwrap_or(path), head))
        };
        let episodes = journals.map(head).collect::<Result<_, LabError>>()?;
        Ok(Some(Self { given: play.from.clone(), episodes }))
    }

    /// The heads that repeat all episodes of the recording.
    pub fn heads(&self, config: &Config) -> Result<Vec<Head>, Problem> {
        self.episodes.iter().map(|(path, recorded)| replay_head(recorded, path, config)).collect()
    }

    /// Makes a new episode repeat its recording: the one of the same level. Several recordings of a level are told
    /// apart by seed and setting. Everything but what flags set comes from the recording. The head of another agent
    /// is not changed.
    pub fn assign(&self, head: &mut Head, config: &Config) -> Result<(), Problem> {
        if head.agent != REPLAY_AGENT {
            return Ok(());
        }
        let fits = |recorded: &Head| {
            let level = |head: &Head| (head.environment.clone(), head.level.clone());
            level(recorded) == level(head)
                && (!is_flag(config, "play.seed") || recorded.seed == head.seed)
                && (!is_flag(config, "play.setting") || recorded.setting == head.setting)
        };
        let mut fitting: Vec<_> = self.episodes.iter().filter(|(_, recorded)| fits(recorded)).collect();
        if fitting.len() > 1 {
            fitting.retain(|(_, recorded)| recorded.seed == head.seed && recorded.setting == head.setting);
        }
        match fitting.as_slice() {
            [(path, recorded)] => {
                *head = replay_head(recorded, path, config)?;
                Ok(())
            }
            [] => Err(Problem::new(format!("{}: there is no recording of {}", self.given, describe(head)))
                .with_help(format!("it has: {}", self.available()))),
            several => {
                let folders: Vec<_> = several.iter().map(|(path, _)| episode_folder(path)).collect();
                let what = format!("{}: has {} recordings of {}", self.given, several.len(), describe(head));
                Err(Problem::new(what).with_help(format!("name the folder of one: {}", folders.join(", "))))
            }
        }
    }

    fn available(&self) -> String {
        let names: Vec<_> = self.episodes.iter().take(MAX_LISTED).map(|(_, head)| describe(head)).collect();
        match self.episodes.len().saturating_sub(MAX_LISTED) {
            0 => names.join("; "),
            more => format!("{}; and {more} more", names.join("; ")),
        }
    }
}

/// Rejects a recording given by a flag when the agent does not use one.
fn refuse_unused_flag(config: &Config) -> Result<(), Problem> {
    let row = config.resolved_settings().iter().find(|row| row.name() == "play.from");
    match row.map(|row| &row.origin) {
        Some(Origin::Flag(flag)) => {
            let agent = &config.settings().play.agent;
            Err(Problem::new(format!("{flag} has no effect: the agent {agent} does not use a recording"))
                .with_help("add --agent replay, or remove the flag"))
        }
        _ => Ok(()),
    }
}

/// Whether a flag sets this setting.
fn is_flag(config: &Config, name: &str) -> bool {
    let mut rows = config.resolved_settings().iter();
    rows.any(|row| row.name() == name && matches!(row.origin, Origin::Flag(_)))
}

/// The head of an episode that repeats a recording: everything comes from the recording, except what flags set to
/// find out whether it makes a difference.
pub fn replay_head(recorded: &Head, journal: &Path, config: &Config) -> Result<Head, Problem> {
    let settings = config.settings();
    let flag = |name: &str| is_flag(config, name);
    let mut head = Head {
        program: concat!("mageyard ", env!("CARGO_PKG_VERSION")).into(),
        started: unix_time().as_secs(),
        agent: REPLAY_AGENT.to_owned(),
        seated: Options::new(),
        // Nothing is sent, so nothing is spent.
        budget: Budget::default(),
        ..recorded.clone()
    };
    let path = std::path::absolute(journal).unwrap_or_else(|_| journal.to_owned());
    head.seated.insert(REPLAY_SOURCE.to_owned(), Value::from(path.to_string_lossy()));
    if flag("memory.am") || flag("memory.om") {
        let (own, set) = (recorded.window, config.window());
        let am = if flag("memory.am") { set.am() } else { own.am() };
        let om = if flag("memory.om") { set.om() } else { own.om() };
        head.window = Window::new(am, om).map_err(|error| Problem::new(error.to_string()))?;
    }
    if flag("play.prompt") {
        head.prompt.clone_from(&settings.play.prompt);
    }
    if flag("play.reader") {
        head.rules = configured_reader(config.folders(), config)?;
    }
    if flag("play.max_steps") {
        head.max_steps = settings.play.max_steps;
    }
    if flag("play.max_time") {
        head.max_time = settings.play.max_time();
    }
    if flag("play.on_unreadable") || flag("play.on_repeating") {
        head.conduct = settings.episode_policy();
    }
    Ok(head)
}

fn describe(head: &Head) -> String {
    format!("{}, seed {}, {}", head.reference, head.seed, head.setting)
}

fn episode_folder(journal: &Path) -> String {
    journal.parent().unwrap_or(journal).display().to_string()
}

/// The recording for the agent of this head; `None` if the agent is not `replay`.
pub(super) fn recording_for(head: &Head) -> Result<Option<Recording>, LabError> {
    if head.agent != REPLAY_AGENT {
        return Ok(None);
    }
    let Some(from) = head.seated.get(REPLAY_SOURCE).and_then(Value::as_str) else {
        return Err(LabError::Mismatch(Problem::new(
            "the head of the episode names no recording for the agent replay",
        )));
    };
    let recorded = read_journal(Path::new(from))?;
    let (cues, model) = (recorded_replies(&recorded.lines), recorded.head.seated);
    Ok(Some(Recording { source: episode_folder(Path::new(from)), model, replies: cues }))
}
