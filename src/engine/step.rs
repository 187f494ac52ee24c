//! A step as it stands: one decision and its effect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::Deserialize;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::OnceLock;

use crate::dialog::ParseError;
use crate::dialog::Spans;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::Digest;
use crate::domain::Observation;
use crate::domain::Reply;
use crate::domain::Returns;
use crate::domain::Segment;
use crate::domain::SentRequest;
use crate::domain::TokenTotals;
use crate::domain::Usage;
use crate::domain::Window;

/// Which words a request was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptVersion {
    /// The prompt variant's name.
    pub prompt: String,
    /// Its segments in this setting, each with the digest of its text.
    pub segments: BTreeMap<Segment, Digest>,
}

/// One reply of the agent within a step.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The raw text.
    pub reply: Arc<str>,
    /// The model's own reasoning, where the server gave it apart. Never read for actions.
    pub reasoning: Option<Arc<str>>,
    /// What it cost in tokens, where that is known.
    pub usage: Option<Usage>,
    /// The request that led to it, if one was sent.
    pub sent: Option<Arc<SentRequest>>,
    /// Which words that request was made of.
    pub prompt_version: Option<PromptVersion>,
    /// The reader's verdict, with the action or the plan that was read; `None` while it is still to be read.
    pub verdict: Option<Result<Vec<Action>, ParseError>>,
    /// Which characters were read as what.
    pub marks: Spans,
    /// Whether a person cut it short; it then has no verdict and does not count.
    pub cancelled: bool,
    /// The attempt as the agent gave it, where a person has edited the reply since.
    pub unedited: Option<Arc<Attempt>>,
}

/// What the environment answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The reward of this step.
    pub reward: f64,
    /// The environment's remark, if any.
    pub note: Option<String>,
    /// Whether the observation is the same as before (an ineffective action).
    pub unchanged: bool,
}

/// One step. The last step of an episode is the one under way, or, after the end, one that only
/// shows the final observation.
#[derive(Clone, Debug)]
pub struct Step {
    /// From 1.
    pub number: u32,
    /// What the agent was shown.
    pub observation: Observation,
    /// The fingerprint of what it was shown.
    pub state: Digest,
    /// What it was allowed to do.
    pub space: ActionSpace,
    /// The memory window that held.
    pub window: Window,
    /// Its replies, in order.
    pub attempts: Vec<Attempt>,
    /// The action that was accepted, or the plan's next one.
    pub action: Option<Action>,
    /// Whether a person put the action there, or the rest of the plan that it belongs to.
    pub edited: bool,
    /// What came of it.
    pub effect: Option<Effect>,
    /// Whether the step ended without an action.
    pub skipped: bool,
    /// The sums after this step (before its effect: those so far).
    pub returns: Returns,
    /// What is known of whether the goal is out of reach from here.
    pub dead_state: DeadStateCache,
}

/// Why the goal is out of reach from a state, if it is: found out when somebody first asks, and kept.
#[derive(Clone, Debug, Default)]
pub struct DeadStateCache(OnceLock<Option<Arc<str>>>);

impl Attempt {
    /// Whether it could not be read.
    pub fn is_refused(&self) -> bool {
        matches!(self.verdict, Some(Err(_)))
    }

    /// Whether a person has edited the reply.
    pub fn is_edited(&self) -> bool {
        self.unedited.is_some()
    }

    /// The attempt as the agent gave it, whatever a person has made of it.
    pub fn original(&self) -> &Self {
        self.unedited.as_deref().unwrap_or(self)
    }

    /// The same attempt with these words, still to be read. What the agent said stays with it.
    #[must_use]
    pub fn edited(self, words: &str) -> Self {
        let given = self.unedited.clone().unwrap_or_else(|| Arc::new(self.clone()));
        let given = (*given.reply != *words).then_some(given);
        Self { reply: words.into(), verdict: None, marks: Spans::default(), unedited: given, ..self }
    }

    /// What its request took; nothing where none was sent.
    pub fn spent(&self) -> TokenTotals {
        if self.sent.is_some() { TokenTotals::of_request(self.usage) } else { TokenTotals::default() }
    }

    /// An attempt that is still to be read.
    pub fn pending(reply: Reply, sent: Option<(Arc<SentRequest>, PromptVersion)>) -> Self {
        let (sent, prompt_version) = sent.unzip();
        Self {
            reply: reply.text.into(),
            reasoning: reply.reasoning.map(Into::into),
            usage: reply.usage,
            sent,
            prompt_version,
            verdict: None,
            marks: Spans::default(),
            cancelled: false,
            unedited: None,
        }
    }
}

impl Step {
    /// Whether the step is over.
    pub fn is_done(&self) -> bool {
        self.effect.is_some() || self.skipped
    }

    /// Whether a person edited its reply or its action.
    pub fn is_edited(&self) -> bool {
        self.edited || self.attempts.iter().any(Attempt::is_edited)
    }

    /// What its requests took.
    pub fn spent(&self) -> TokenTotals {
        self.attempts.iter().map(Attempt::spent).sum()
    }

    /// How many replies could not be read.
    pub fn parse_errors(&self) -> usize {
        self.attempts.iter().filter(|attempt| attempt.is_refused()).count()
    }

    /// Whether its action left the state as it was.
    pub fn is_unchanged(&self) -> bool {
        self.effect.as_ref().is_some_and(|effect| effect.unchanged)
    }

    /// The attempt that decides: the last whole one, as it was edited if it was.
    pub fn last_reply(&self) -> Option<&Attempt> {
        self.attempts.iter().rev().find(|attempt| !attempt.cancelled)
    }

    /// The text of the last whole reply, which a later request can carry.
    pub fn output(&self) -> Option<&Arc<str>> {
        self.last_reply().map(|attempt| &attempt.reply)
    }

    /// Why the goal is out of reach from what was seen at this step, as this proof has it in a sentence. The
    /// proof is asked once; its answer is kept.
    pub fn dead_state_reason(&self, proof: &dyn Fn(&Observation) -> Option<String>) -> Option<&str> {
        self.dead_state.0.get_or_init(|| proof(&self.observation).map(Arc::from)).as_deref()
    }

    /// Whether the agent gave an output that a later request can carry.
    pub fn has_output(&self) -> bool {
        self.output().is_some()
    }
}
