//! A step: one decision and its effect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::Deserialize;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::OnceLock;

use super::persistent_list::PersistentList;
use crate::dialog::ParseError;
use crate::dialog::Spans;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::Digest;
use crate::domain::Observation;
use crate::domain::Reply;
use crate::domain::ReplyEnding;
use crate::domain::ReplyFormat;
use crate::domain::RequestOutcome;
use crate::domain::Returns;
use crate::domain::Segment;
use crate::domain::SentRequest;
use crate::domain::Thought;
use crate::domain::TokenTotals;
use crate::domain::Usage;
use crate::domain::UsageEstimate;
use crate::domain::Window;
use crate::domain::merge_tags;
use crate::domain::with_thoughts;

/// The prompt version that a request was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptVersion {
    /// The prompt variant's name.
    pub prompt: String,
    /// The digest of each segment's text in this setting.
    pub segments: BTreeMap<Segment, Digest>,
}

/// A request that was sent and has no reply yet.
#[derive(Clone, Debug)]
pub struct PendingRequest {
    /// The request.
    pub request: Arc<SentRequest>,
    /// The prompt version that it was made from.
    pub version: Arc<PromptVersion>,
    /// The tries that have failed.
    pub failed_tries: Vec<FailedTry>,
    /// Whether a try is under way: its outcome is unknown until it replies or fails.
    pub under_way: bool,
}

/// A try of a request that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTry {
    /// The error.
    pub why: Arc<str>,
    /// The class of the error, such as `status 429`; empty in journals that do not have it.
    pub class: Arc<str>,
    /// How it counts.
    pub outcome: RequestOutcome,
    /// The tokens that the server had reported before it failed.
    pub usage: Option<Usage>,
}

impl FailedTry {
    /// A failed try of a journal that only says whether the server had refused it.
    pub(super) fn of_old_journal(why: &str, refused: bool) -> Self {
        let outcome = if refused { RequestOutcome::Refused } else { RequestOutcome::Failed };
        Self { why: why.into(), class: "".into(), outcome, usage: None }
    }

    fn spent(&self) -> TokenTotals {
        TokenTotals::of(self.outcome, self.usage)
    }
}

impl PendingRequest {
    /// The tokens of its tries, if its own reply never comes.
    pub fn spent(&self) -> TokenTotals {
        let lost = self.under_way.then(|| TokenTotals::of(RequestOutcome::Lost, None));
        self.failed_tries.iter().map(FailedTry::spent).chain(lost).sum()
    }
}

/// One reply of the agent within a step.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The raw text.
    pub reply: Arc<str>,
    /// The model's reasoning, if the server sent it separately. Never read for actions.
    pub reasoning: Option<Arc<str>>,
    /// The thoughts that were taken from the text, in order. Never read for actions.
    pub thoughts: Vec<Thought>,
    /// The token counts, if known.
    pub usage: Option<Usage>,
    /// How the reply ended.
    pub ending: ReplyEnding,
    /// What was repaired or ignored to read the response, as sentences.
    pub notes: Vec<String>,
    /// The request, if one was sent.
    pub sent: Option<Arc<SentRequest>>,
    /// The prompt version of that request.
    pub prompt_version: Option<Arc<PromptVersion>>,
    /// The tries of that request that failed.
    pub failed_tries: Vec<FailedTry>,
    /// How the try ended that was under way at the end of the attempt; `None` if there was none.
    pub last_try: Option<RequestOutcome>,
    /// The reader's verdict: the action or the plan, or the parse error; `None` if not read yet.
    pub verdict: Option<Result<Vec<Action>, ParseError>>,
    /// Which characters were read as what.
    pub marks: Spans,
    /// Whether the next reply continues it: both are read as one, and the text of that attempt has both.
    pub continued: bool,
    /// Whether the request was cancelled; the attempt then has no verdict and does not count.
    pub cancelled: bool,
    /// The attempt as the agent gave it, if a person has edited the reply.
    pub unedited: Option<Arc<Attempt>>,
}

/// The effect of an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The reward of this step.
    pub reward: f64,
    /// The environment's remark, if any.
    pub note: Option<String>,
    /// Whether the state is the same as before; `false` if the action was interrupted.
    pub unchanged: bool,
    /// Whether the action did not finish, or was dropped because the environment had changed by itself.
    pub interrupted: bool,
}

/// One step. The last step of an episode is the current one, or, after the end, one that only shows the final
/// observation.
#[derive(Clone, Debug)]
pub struct Step {
    /// From 1.
    pub number: u32,
    /// What the agent was shown.
    pub observation: Observation,
    /// The digest of what it was shown.
    pub state: Digest,
    /// The allowed actions.
    pub space: ActionSpace,
    /// The memory window of its request.
    pub window: Window,
    /// Its replies, in order.
    pub attempts: Vec<Attempt>,
    /// The accepted action, or the next one of the plan.
    pub action: Option<Action>,
    /// Whether a person edited the action, or the plan that it belongs to.
    pub edited: bool,
    /// The effect of the action.
    pub effect: Option<Effect>,
    /// Whether the step ended without an action.
    pub skipped: bool,
    /// The sums after this step, or before its effect those so far.
    pub returns: Returns,
    /// Whether the goal is out of reach from here, cached.
    pub dead_state: DeadStateCache,
}

/// The steps of an episode, oldest first. Cheap to clone.
pub type Steps = PersistentList<Arc<Step>>;

/// Why the goal is out of reach from a state, if it is: computed on first use.
#[derive(Clone, Debug, Default)]
pub struct DeadStateCache(OnceLock<Option<Arc<str>>>);

impl Attempt {
    /// Whether the reply could not be read.
    pub fn is_refused(&self) -> bool {
        matches!(self.verdict, Some(Err(_)))
    }

    /// The attempt as the continuation of an earlier one: with both texts as one, the second as it is.
    pub(super) fn continuing(self, earlier: &Self) -> Self {
        let text = [&*earlier.reply, &*self.reply].concat();
        let shifted = self
            .thoughts
            .into_iter()
            .map(|thought| Thought { at: earlier.reply.len() + thought.at, ..thought });
        let thoughts = earlier.thoughts.iter().cloned().chain(shifted).collect();
        Self { reply: text.into(), thoughts, ..self }
    }

    /// Whether a person has edited the reply.
    pub fn is_edited(&self) -> bool {
        self.unedited.is_some()
    }

    /// The attempt as the agent gave it, before any edit.
    pub fn original(&self) -> &Self {
        self.unedited.as_deref().unwrap_or(self)
    }

    /// The attempt with this text, to be read again. The agent's own reply is kept.
    #[must_use]
    pub fn edited(self, words: &str) -> Self {
        let given = self.unedited.clone().unwrap_or_else(|| Arc::new(self.clone()));
        let given = (*given.reply != *words).then_some(given);
        let fresh = match given {
            // What a person writes is the whole reply.
            Some(_) => Self { thoughts: Vec::new(), ending: ReplyEnding::Complete, ..self },
            None => self.unedited.as_deref().cloned().unwrap_or(self),
        };
        Self { reply: words.into(), verdict: None, marks: Spans::default(), unedited: given, ..fresh }
    }

    /// The text as a reader with this format gets it.
    pub fn text_for(&self, format: &ReplyFormat) -> Cow<'_, str> {
        if self.thoughts.iter().any(|thought| thought.is_tag_of(format)) {
            return Cow::Owned(merge_tags(&self.reply, &self.thoughts, format).0);
        }
        Cow::Borrowed(&self.reply)
    }

    /// The reasoning that was sent separately, then the thoughts in the text; empty if there is neither.
    pub fn thinking(&self) -> Cow<'_, str> {
        let separate = self.reasoning.as_deref().unwrap_or_default();
        if self.thoughts.is_empty() {
            return Cow::Borrowed(separate);
        }
        let thoughts = self.thoughts.iter().map(|thought| thought.text.as_str());
        let parts = std::iter::once(separate).chain(thoughts).map(str::trim);
        Cow::Owned(parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n"))
    }

    /// The text with its thoughts, exactly as the agent gave it.
    pub fn content(&self) -> Cow<'_, str> {
        match &self.thoughts[..] {
            [] => Cow::Borrowed(&self.reply),
            thoughts => Cow::Owned(with_thoughts(&self.reply, thoughts)),
        }
    }

    /// The tokens of its request with all tries; zero if none was sent.
    pub fn spent(&self) -> TokenTotals {
        let last = self.last_try.map(|outcome| TokenTotals::of(outcome, self.usage));
        self.failed_tries.iter().map(FailedTry::spent).chain(last).sum()
    }

    /// Adds its requests to an estimate of the tokens that are unknown.
    pub(super) fn add_to(&self, estimate: &mut UsageEstimate) {
        let Some(request) = &self.sent else { return };
        let tries = self.failed_tries.iter().map(|failed| failed.usage);
        let replied = self.last_try.is_some().then_some(self.usage);
        tries.chain(replied).flatten().for_each(|usage| estimate.add_known(request, usage));
        estimate.add_unknown(request, self.spent().unmetered);
    }

    /// Whether the reply came without a token count.
    pub fn is_unmetered(&self) -> bool {
        self.sent.is_some() && self.usage.is_none() && !self.cancelled
    }

    /// An attempt that is not read yet.
    pub fn pending(reply: Reply, sent: Option<PendingRequest>) -> Self {
        Self::ended(reply, sent, RequestOutcome::Replied)
    }

    /// An attempt whose request ended like this, unless all its tries had failed.
    pub(super) fn ended(reply: Reply, sent: Option<PendingRequest>, outcome: RequestOutcome) -> Self {
        let last_try = sent.as_ref().filter(|sent| sent.under_way).map(|_| outcome);
        let (request, failed_tries) = match sent {
            Some(sent) => (Some((sent.request, sent.version)), sent.failed_tries),
            None => (None, Vec::new()),
        };
        let (sent, prompt_version) = request.unzip();
        Self {
            reply: reply.text.into(),
            reasoning: reply.reasoning.map(Into::into),
            thoughts: reply.thoughts,
            usage: reply.usage,
            ending: reply.ending,
            notes: reply.notes,
            sent,
            prompt_version,
            failed_tries,
            last_try,
            verdict: None,
            marks: Spans::default(),
            continued: false,
            cancelled: !matches!(outcome, RequestOutcome::Replied),
            unedited: None,
        }
    }
}

impl PersistentList<Arc<Step>> {
    /// The step with this number, from 1.
    pub fn numbered(&self, number: u32) -> Option<&Arc<Step>> {
        self.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }
}

impl Step {
    /// A step that shows this observation and has no decision yet.
    pub(super) fn new(number: u32, observation: Observation, space: ActionSpace, window: Window) -> Self {
        Self {
            number,
            state: observation.digest(),
            observation,
            space,
            window,
            attempts: Vec::new(),
            action: None,
            edited: false,
            effect: None,
            skipped: false,
            returns: Returns::default(),
            dead_state: DeadStateCache::default(),
        }
    }

    /// Whether the step is finished.
    pub fn is_done(&self) -> bool {
        self.effect.is_some() || self.skipped
    }

    /// Whether a person edited its reply or its action.
    pub fn is_edited(&self) -> bool {
        self.edited || self.attempts.iter().any(Attempt::is_edited)
    }

    /// The tokens of its requests.
    pub fn spent(&self) -> TokenTotals {
        self.attempts.iter().map(Attempt::spent).sum()
    }

    /// The reply that the agent is asked to continue.
    pub fn continued_reply(&self) -> Option<&Attempt> {
        self.last_reply().filter(|attempt| attempt.continued)
    }

    /// How many replies could not be read.
    pub fn parse_errors(&self) -> usize {
        self.attempts.iter().filter(|attempt| attempt.is_refused()).count()
    }

    /// Whether one of its replies, before any edit, was truncated or refused, or has no known end.
    pub fn has_incomplete_reply(&self) -> bool {
        self.attempts.iter().any(|attempt| !attempt.original().ending.is_complete())
    }

    /// Whether its action left the state unchanged.
    pub fn is_unchanged(&self) -> bool {
        self.effect.as_ref().is_some_and(|effect| effect.unchanged)
    }

    /// Whether its action did not finish.
    pub fn is_interrupted(&self) -> bool {
        self.effect.as_ref().is_some_and(|effect| effect.interrupted)
    }

    /// The last complete attempt, with a person's edit if there is one.
    pub fn last_reply(&self) -> Option<&Attempt> {
        self.attempts.iter().rev().find(|attempt| !attempt.cancelled)
    }

    /// The text of the last complete reply, which a later request can carry.
    pub fn output(&self) -> Option<&Arc<str>> {
        self.last_reply().map(|attempt| &attempt.reply)
    }

    /// Whether it has a reply that a later request can carry.
    pub fn has_output(&self) -> bool {
        self.output().is_some()
    }

    /// Why the goal is out of reach at this step, as a sentence. `proof` is called once, and its result is cached.
    pub fn dead_state_reason(&self, proof: &dyn Fn(&Observation) -> Option<String>) -> Option<&str> {
        self.dead_state.0.get_or_init(|| proof(&self.observation.for_one_use()).map(Arc::from)).as_deref()
    }
}
