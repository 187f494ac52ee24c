//! What requests and their answers carry.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use mageyard_config::Problem;
use mageyard_engine::{Annotation, Ending, EpisodeAnnotations, Snapshot, Step};
use mageyard_lab::SessionFields;

/// A recorded session in the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionSummary {
    /// Its name, which is the name of its folder.
    pub name: String,
    /// Number of episodes.
    pub episodes: usize,
    /// Levels, agent and settings in one line; empty until it was read.
    pub summary: String,
    /// Whether it is a sweep, which has sessions of its own.
    pub is_sweep: bool,
    /// What filters compare; empty until it was read, and of a sweep.
    pub fields: SessionFields,
}

/// What was read of recorded sessions after they were listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionBatch {
    /// What lists show of them now.
    pub read: Vec<SessionSummary>,
    /// The names of sessions and sweeps without an episode, which no list shows.
    pub gone: Vec<String>,
    /// All that can be continued, newest first, once that is known.
    pub unfinished: Option<Vec<String>>,
}

impl SessionBatch {
    /// Replaces the sessions that were read, and removes those without an episode.
    pub(crate) fn apply(&self, sessions: &mut Vec<SessionSummary>) {
        let read: HashMap<&str, &SessionSummary> =
            self.read.iter().map(|session| (session.name.as_str(), session)).collect();
        let gone: HashSet<&str> = self.gone.iter().map(String::as_str).collect();
        if !gone.is_empty() {
            sessions.retain(|session| !gone.contains(session.name.as_str()));
        }
        for session in sessions {
            let new = read.get(session.name.as_str()).filter(|new| new.is_sweep == session.is_sweep);
            if let Some(new) = new {
                session.clone_from(new);
            }
        }
    }
}

/// A branch that a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForkOrder {
    /// The journal of the parent.
    pub journal: PathBuf,
    /// The step that the branch begins with, from 1.
    pub step: u32,
    /// What changes, such as `prompt=HD-CoT am=1 hint mind the corner why it forgets`.
    pub changes: String,
    /// The state of the environment that it begins with instead of that of the step, in its notation.
    pub state: Option<String>,
    /// Whether it is made; otherwise only what it would be is said.
    pub is_made: bool,
}

/// A recording to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedRecording {
    /// The one that this reference names, such as `last#b1` or `last#3`.
    Reference(String),
    /// The episode or branch of this journal.
    Journal(PathBuf),
    /// The parent of the branch of this journal, or of an episode its first branch.
    RelatedTo(PathBuf),
}

/// A recording that was read to be compared with.
#[derive(Clone, Debug)]
pub struct LoadedRecording {
    /// Its reference, without a step.
    pub name: String,
    /// The step that was named, from 1.
    pub step: Option<u32>,
    /// The episode.
    pub snapshot: Arc<Snapshot>,
}

/// What a search of everything stored has found, in parts.
#[derive(Clone, Debug, PartialEq)]
pub enum FindProgress {
    /// The steps of one more episode.
    Steps(Vec<FoundRow>),
    /// Why an episode, or steps of it, could not be judged.
    Unknown(String),
    /// It is over, or was refused.
    Ended(Result<(), Problem>),
}

/// A step that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRow {
    /// The journal of its episode.
    pub journal: PathBuf,
    /// Its number, from 1.
    pub step: u32,
    /// Its reference, as verbs take it.
    pub run: String,
    /// Its action, marks, and what makes the condition true.
    pub facts: String,
}

/// A tag or a comment that a person adds or removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationOrder {
    /// The journal of the episode.
    pub journal: PathBuf,
    /// The step, from 1.
    pub step: u32,
    /// The tag or the comment.
    pub annotation: Annotation,
    /// Whether it is removed.
    pub is_removed: bool,
}

/// The annotations of an episode after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// Whether something has changed; otherwise it was there, or there was nothing to remove.
    pub has_changed: bool,
    /// The tags and comments now.
    pub annotations: EpisodeAnnotations,
}

/// An episode or a branch of it, as the tree of branches shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchRow {
    /// Its journal.
    pub journal: PathBuf,
    /// How many ancestors it has.
    pub depth: usize,
    /// Its name, and where it leaves its parent.
    pub name: String,
    /// The rewards of its own steps, in order.
    pub rewards: Vec<f64>,
    /// Why it is over; `None` if it can be continued.
    pub ending: Option<Ending>,
    /// What it changed, why it was made, and where it met another one.
    pub notes: Vec<String>,
}

/// A step at which the oracle of an environment is asked.
#[derive(Clone, Debug)]
pub struct OracleQuestion {
    /// The environment.
    pub environment: String,
    /// The step, which was taken.
    pub step: Arc<Step>,
}

impl PartialEq for OracleQuestion {
    fn eq(&self, other: &Self) -> bool {
        self.environment == other.environment && self.step.state == other.step.state
    }
}

/// What completions know of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownNames {
    /// All levels.
    pub levels: Vec<String>,
    /// All themes.
    pub themes: Vec<String>,
}

/// Who is to play a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// The agent of this name.
    Agent(String),
    /// A model, by its name or that of a profile.
    Model(String),
}

impl KnownNames {
    /// The level after this one in its set; none after the last one, or if the level is not known.
    pub(crate) fn level_after(&self, level: &str) -> Option<&str> {
        let at = self.levels.iter().position(|known| known == level)?;
        let set = |level: &str| level.rfind('/').map(|end| level[..end].to_owned());
        let next = self.levels.get(at + 1)?;
        (set(next) == set(level)).then_some(next)
    }
}
