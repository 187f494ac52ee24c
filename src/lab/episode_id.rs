//! The JSON fields that identify an episode: who played what, and with which settings. Every object about an episode
//! or a step has them, so that each line of a file can be attributed by itself.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::merged;
use mageyard_engine::{Head, Step, branch_name, episode_folder};

/// An episode of a session.
#[derive(Clone, Debug)]
pub struct EpisodeId {
    /// The folder of the session.
    pub session: PathBuf,
    /// The number of the episode in the session, from 1; `None` for a journal outside a session.
    pub number: Option<u32>,
    /// The number of the branch of that episode, from 1; `None` for the episode itself.
    pub branch: Option<u32>,
}

impl EpisodeId {
    /// The episode of this journal.
    pub fn of_journal(journal: &Path) -> Self {
        let (folder, branch) = episode_folder(journal);
        let number = folder.file_name().and_then(|name| name.to_str()?.parse().ok());
        let session = folder.parent().unwrap_or(Path::new("."));
        Self { session: session.to_owned(), number, branch }
    }

    /// The name of the session, as references to it are written.
    pub fn session_name(&self) -> String {
        self.session.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The fields of an episode.
    pub fn fields(&self, head: &Head) -> Value {
        let own = json!({
            "session": self.session_name(), "folder": self.session, "episode": self.number, "repeat": head.repeat,
            "branch": self.branch.map(branch_name),
        });
        merged(own, head_fields(head))
    }

    /// The fields of a step: those of its episode, with the agent, the prompt and the window of the step.
    pub fn step_fields(&self, head: &Head, step: &Step) -> Value {
        let version = step.attempts.iter().rev().find_map(|attempt| attempt.prompt_version.as_ref());
        let prompt = version.map_or(&head.prompt, |version| &version.prompt);
        let own = json!({ "prompt": prompt, "am": step.window.am(), "om": step.window.om(),
            "agent": step.agent.name, "model": step.agent.model,
            "temperature": step.agent.options.get("temperature"),
        });
        merged(self.fields(head), own)
    }
}

/// The settings of an episode at its start.
pub fn head_fields(head: &Head) -> Value {
    let level = head.title.as_deref().map_or_else(|| Value::from(head.number), Value::from);
    let fields = json!({
        "environment": head.environment, "level": level, "reference": head.reference, "options": head.options,
        "agent": head.agent.name, "model": head.model(), "temperature": head.agent.options.get("temperature"),
        "prompt": head.prompt, "reader": head.rules.to_string(), "setting": head.setting,
        "am": head.window.am(), "om": head.window.om(), "seed": head.seed,
        "max_steps": head.max_steps, "max_time": head.max_time, "max_tokens": head.budget.tokens,
        "cost_limit": head.budget.cost.as_ref().map(|(limit, _)| limit),
        "unknown_usage": head.budget.unknown,
        "on_unreadable": head.conduct.on_unreadable, "on_repeating": head.conduct.on_repeating,
        "on_cut": head.conduct.on_cut, "on_refusal": head.conduct.on_refusal,
    });
    let engine = head.engine.as_ref().map_or(Value::Null, |engine| json!({ "engine": engine }));
    merged(fields, engine)
}
