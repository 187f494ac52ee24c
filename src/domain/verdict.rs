//! The verdict of an environment on an episode that is over.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Action, Answered, Ending, Level, Observation, Options, Question};

/// What an environment says of an episode that is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The score, in the unit of the environment's scores; `None` if it gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Whether the task is done in full.
    pub success: bool,
    /// What is right and wrong, a sentence each. It may have text of a page or a file, so it is untrusted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<String>,
    /// Figures beside the score, by their names in [`Scoring::metrics`](crate::Scoring::metrics).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
    /// Details for people.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub details: Value,
    /// What must be answered before there is a verdict; empty in one that is given.
    #[serde(skip)]
    pub questions: Vec<Question>,
}

/// How an episode was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// By this verdict.
    Verdict(Verdict),
    /// Not at all, for this reason. Such an episode has no score.
    NotJudged(Arc<str>),
}

impl Judgement {
    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<&Verdict> {
        match self {
            Self::Verdict(verdict) => Some(verdict),
            Self::NotJudged(_) => None,
        }
    }
}

/// What is known of an episode when it is judged, besides the state of its environment.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// Why it is over.
    pub ending: Ending,
    /// The text of the last complete reply of the agent.
    pub last_reply: Option<Arc<str>>,
    /// The questions of the environment that were answered in the episode, oldest first.
    pub answers: Vec<Answered>,
    /// What was observed at each step, the last state included, with the action that followed.
    pub steps: Vec<StoredStep>,
}

/// An episode as it is stored, to be judged again.
#[derive(Clone, Copy, Debug)]
pub struct StoredEpisode<'a> {
    /// The level.
    pub level: &'a Level,
    /// The options of the environment.
    pub options: &'a Options,
    /// How it ended, and its steps.
    pub conclusion: &'a Conclusion,
    /// The verdict that was given at its end.
    pub verdict: Option<&'a Verdict>,
}

/// A step as it is stored.
#[derive(Clone, Debug)]
pub struct StoredStep {
    /// What was observed.
    pub observation: Observation,
    /// What the agent did, if it did something.
    pub action: Option<Action>,
    /// Why that was refused or failed.
    pub problem: Option<super::ActProblem>,
    /// The reward of the action; 0 without one.
    pub reward: f64,
}

/// Judges episodes that are over. [`Environment::judge`](crate::Environment::judge) gives the verdict.
pub trait Judging: Send + Sync {
    /// Whether episodes of this level with these options are judged when they are over.
    fn judges(&self, level: &Level, options: &Options) -> bool {
        let _ = (level, options);
        true
    }

    /// The verdict on an episode from what is stored of it, without its environment: a pure function. `None` if only the
    /// environment can judge; an error is why what is stored is not enough.
    fn judge_again(&self, episode: &StoredEpisode<'_>) -> Option<Result<Verdict, String>> {
        let _ = episode;
        None
    }

    /// The verdict on an answer to a state, or on none, as an episode would get that ends with it: a pure function. `None` if
    /// an answer alone cannot be judged; an error is why this one cannot.
    fn judge_answer(
        &self,
        level: &Level,
        options: &Options,
        seen: &Observation,
        answer: Option<&Action>,
    ) -> Option<Result<Verdict, String>> {
        let _ = (level, options, seen, answer);
        None
    }
}
