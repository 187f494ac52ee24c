//! Recordings for the agent `replay`: finds the recorded episode that a new episode repeats.

use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;

use super::error_codes;
use super::exit::Exit;
use super::exit::Failure;
use crate::agents::Recording;
use crate::config::Config;
use crate::config::Origin;
use crate::config::Problem;
use crate::engine::Head;
use crate::engine::REPLAY_SOURCE;
use crate::engine::Store;
use crate::engine::read_journal;
use crate::engine::recorded_replies;

/// The name of the agent.
const REPLAY_AGENT: &str = "replay";
/// The maximum number of recordings listed in an error message.
const MAX_LISTED: usize = 8;

/// The recorded episodes of a session.
pub(super) struct ReplaySource {
    given: String,
    episodes: Vec<(PathBuf, Head)>,
}

impl ReplaySource {
    /// The configured recording; `None` if the agent is not `replay`.
    pub(super) fn from_config(config: &Config) -> Result<Option<Self>, Failure> {
        let play = &config.settings().play;
        if play.agent != REPLAY_AGENT {
            return refuse_unused_flag(config).map(|()| None).map_err(Failure::from);
        }
        if play.from.is_empty() {
            let problem =
                config.problem_with("play.agent", "the agent replay needs a recording, and none is given");
            return Err(problem
                .with_help("add --from SESSION: a session name, `last`, a folder or a journal")
                .into());
        }
        let found = Store::new(config.store_folder()).find(&play.from);
        let journals = found.map_err(|error| error_codes::store_failure(&error))?.into_iter();
        let head = |path: PathBuf| {
            let head = read_journal(&path).map_err(|error| error_codes::journal_failure(&error))?.head;
            Ok((std::path::absolute(&path).unwrap_or(path), head))
        };
        let episodes = journals.map(head).collect::<Result<_, Failure>>()?;
        Ok(Some(Self { given: play.from.clone(), episodes }))
    }

    /// Puts the recording that a new episode repeats into its head: the one with the same level, seed and
    /// setting. The head of another agent is not changed.
    pub(super) fn assign(&self, head: &mut Head) -> Result<(), Problem> {
        if head.agent != REPLAY_AGENT {
            return Ok(());
        }
        let fitting: Vec<&PathBuf> = self
            .episodes
            .iter()
            .filter(|(_, recorded)| has_same_start(recorded, head))
            .map(|(path, _)| path)
            .collect();
        match fitting.as_slice() {
            [path] => {
                let path = path.to_string_lossy().into_owned();
                head.seated.insert(REPLAY_SOURCE.to_owned(), Value::from(path));
                Ok(())
            }
            [] => Err(Problem::new(format!("{}: there is no recording of {}", self.given, describe(head)))
                .with_help(format!("it has: {}", self.available()))),
            several => {
                let folders: Vec<_> = several.iter().map(|path| episode_folder(path)).collect();
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

fn has_same_start(recorded: &Head, head: &Head) -> bool {
    let level = |head: &Head| (head.environment.clone(), head.level.clone());
    level(recorded) == level(head) && recorded.seed == head.seed && recorded.setting == head.setting
}

fn describe(head: &Head) -> String {
    format!("{}, seed {}, {}", head.reference, head.seed, head.setting)
}

fn episode_folder(journal: &Path) -> String {
    journal.parent().unwrap_or(journal).display().to_string()
}

/// The recording for the agent of this head; `None` if the agent is not `replay`.
pub(super) fn recording_for(head: &Head) -> Result<Option<Recording>, Failure> {
    if head.agent != REPLAY_AGENT {
        return Ok(None);
    }
    let Some(from) = head.seated.get(REPLAY_SOURCE).and_then(Value::as_str) else {
        return Err(Failure::Problem(
            Exit::Mismatch,
            Problem::new("the head of the episode names no recording for the agent replay"),
        ));
    };
    let recorded = read_journal(Path::new(from)).map_err(|error| error_codes::journal_failure(&error))?;
    let (cues, model) = (recorded_replies(&recorded.lines), recorded.head.seated);
    Ok(Some(Recording { source: episode_folder(Path::new(from)), model, replies: cues }))
}
