//! An attempt: one reply of the agent within a step, with the request and its tries.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use mageyard_dialog::{ParseError, Spans};
use mageyard_domain::{
    Action, ActionOdds, Digest, Reply, ReplyEnding, ReplyFormat, RequestOutcome, Segment, SentRequest,
    Thought, TokenOdds, TokenTotals, Usage, UsageEstimate, merge_tags, with_thoughts,
};

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

/// One reply of the agent within a step. Most have none of its lists, so those take one word each: an episode keeps tens
/// of thousands of attempts.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The raw text.
    pub reply: Arc<str>,
    /// The model's reasoning, if the server sent it separately. Never read for actions.
    pub reasoning: Option<Arc<str>>,
    /// The thoughts that were taken from the text, in order. Never read for actions.
    pub thoughts: ThinVec<Thought>,
    /// The token counts, if known.
    pub usage: Option<Usage>,
    /// The name of the model as the server returned it.
    pub model: Option<Arc<str>>,
    /// The odds of the tokens of the text with the thoughts, if the server sent them.
    pub token_odds: ThinVec<TokenOdds>,
    /// How the reply ended.
    pub ending: ReplyEnding,
    /// What was repaired or ignored to read the response, as sentences.
    pub notes: ThinVec<String>,
    /// Milliseconds from the last time that its request was sent to the complete reply, if they are known.
    pub latency_ms: Option<u32>,
    /// The request, if one was sent.
    pub sent: Option<Arc<SentRequest>>,
    /// The prompt version of that request.
    pub prompt_version: Option<Arc<PromptVersion>>,
    /// The tries of that request that failed.
    pub failed_tries: ThinVec<FailedTry>,
    /// How the try ended that was under way at the end of the attempt; `None` if there was none.
    pub last_try: Option<RequestOutcome>,
    /// The reader's verdict: the action or the plan, or the parse error; `None` if not read yet.
    pub verdict: Option<Result<Vec<Action>, Box<ParseError>>>,
    /// Which characters were read as what.
    pub marks: Spans,
    /// Whether the next reply continues it: both are read as one, and the text of that attempt has both.
    pub continued: bool,
    /// Whether the request was cancelled; the attempt then has no verdict and does not count.
    pub cancelled: bool,
    /// Whether a person had the agent asked again: the reply is kept and does not count.
    pub replaced: bool,
    /// The attempt as the agent gave it, if a person has edited the reply.
    pub unedited: Option<Arc<Attempt>>,
    /// Where the reply comes from, if a person picked it and the agent was not asked.
    pub picked_from: Option<Arc<str>>,
}

impl Attempt {
    /// Whether the reply could not be read.
    pub fn is_refused(&self) -> bool {
        matches!(self.verdict, Some(Err(_)))
    }

    /// Whether the text is not read because of its ending.
    pub fn is_unread(&self) -> bool {
        match &self.verdict {
            None => !self.ending.is_readable(),
            Some(Ok(_)) => false,
            Some(Err(error)) => self.ending.name() == Some(&*error.rule),
        }
    }

    /// The failure that left the request without a reply: the server refused it, lost it, or was not reached. `None` if there
    /// is a reply, or if a try was cancelled while it was under way.
    pub fn failure(&self) -> Option<&FailedTry> {
        self.failed_tries.last().filter(|_| self.cancelled && self.last_try.is_none())
    }

    /// How many list members that are not actions, or code blocks with an unknown label, were ignored when the reply was
    /// read; 0 if the reply could not be read.
    pub fn dropped(&self) -> usize {
        if matches!(self.verdict, Some(Ok(_))) { self.marks.dropped_count() } else { 0 }
    }

    /// The first of those, at most twenty, each on one line and of at most 60 characters.
    pub fn dropped_words(&self) -> Vec<String> {
        let ranges = self.marks.dropped.iter().filter(|_| self.dropped() > 0);
        ranges.filter_map(|range| self.reply.get(range.clone())).map(on_one_line).collect()
    }

    /// The attempt as the continuation of an earlier one: with both texts as one, the second as it is.
    pub(super) fn continuing(self, earlier: &Self) -> Self {
        let text = [&*earlier.reply, &*self.reply].concat();
        let shifted = self
            .thoughts
            .into_iter()
            .map(|thought| Thought { at: earlier.reply.len() + thought.at, ..thought });
        let thoughts = earlier.thoughts.iter().cloned().chain(shifted).collect();
        let before = with_thoughts(&earlier.reply, &earlier.thoughts).len();
        let shifted = self.token_odds.into_iter().map(|token| TokenOdds { at: before + token.at, ..token });
        let token_odds = earlier.token_odds.iter().cloned().chain(shifted).collect();
        Self { reply: text.into(), thoughts, token_odds, ..self }
    }

    /// Whether it is a complete reply that counts as an attempt of its step.
    pub fn counts(&self) -> bool {
        !self.cancelled && !self.replaced
    }

    /// Whether a person has edited the reply.
    pub fn is_edited(&self) -> bool {
        self.unedited.is_some()
    }

    /// The odds of the text that was read as the action, if the server sent them.
    pub fn action_odds(&self) -> Option<ActionOdds> {
        ActionOdds::of(&self.token_odds, &self.thoughts, self.marks.action.as_ref()?)
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
            Some(_) => Self {
                thoughts: ThinVec::new(),
                token_odds: ThinVec::new(),
                ending: ReplyEnding::Complete,
                ..self
            },
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
        for usage in tries.chain(replied).flatten() {
            estimate.add_known(request, usage);
        }
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
    pub fn ended(reply: Reply, sent: Option<PendingRequest>, outcome: RequestOutcome) -> Self {
        let last_try = sent.as_ref().filter(|sent| sent.under_way).map(|_| outcome);
        let (request, failed_tries) = match sent {
            Some(sent) => (Some((sent.request, sent.version)), sent.failed_tries),
            None => (None, Vec::new()),
        };
        let (sent, prompt_version) = request.unzip();
        Self {
            reply: reply.text.into(),
            reasoning: reply.reasoning.map(Into::into),
            thoughts: reply.thoughts.into(),
            usage: reply.usage,
            model: reply.model.map(Into::into),
            token_odds: reply.token_odds.into(),
            ending: reply.ending,
            notes: reply.notes.into(),
            latency_ms: reply.latency_ms,
            sent,
            prompt_version,
            failed_tries: failed_tries.into(),
            last_try,
            verdict: None,
            marks: Spans::default(),
            continued: false,
            cancelled: !matches!(outcome, RequestOutcome::Replied),
            replaced: false,
            unedited: None,
            picked_from: None,
        }
    }
}

/// The most characters of an ignored part of a reply.
const MAX_DROPPED_WORD: usize = 60;

/// A text on one line; a long one is cut and ends with `…`.
fn on_one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_DROPPED_WORD) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
