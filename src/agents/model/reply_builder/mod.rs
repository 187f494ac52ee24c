//! Builds a reply from the chunks of a stream or from one body. Irrelevant fields are not validated.

mod ending;

use std::borrow::Cow;

use serde_json_borrow::Value;

use super::access::{Credentials, StreamRedactor};
use super::advice::{names_cause, names_no_endpoint};
use super::error::{RequestError, truncated};
use super::error_body::{error_code, error_message};
use super::finish_reason::FinishReason;
use super::halves::{HalfJoiner, replace_halves};
use super::rate_limit::{body_delay, is_account_limit};
use super::received_odds::ReceivedOdds;
use super::thoughts::{Piece, ThoughtSplitter};
use super::usage::{ReportedUsage, TokenReport, merged};
use mageyard_domain::{AgentError, AgentEvent, AgentObserver, ReplyOrigin, Thought, Usage};

/// The maximum size of text and reasoning of a reply.
pub(super) const MAX_REPLY_BYTES: usize = 4 << 20;
/// The reason for a stream that ended early without a network error.
pub(super) const CONNECTION_CLOSED: &str = "the server closed the connection";

/// The part of a reply received so far.
pub(super) struct ReplyBuilder {
    /// The text without thoughts.
    text: String,
    text_joiner: HalfJoiner,
    text_redactor: StreamRedactor,
    /// Sets the thoughts in the text apart, if that is wanted.
    splitter: Option<ThoughtSplitter>,
    thoughts: Vec<Thought>,
    /// The opening delimiter of a thought that is not closed.
    unclosed: Option<String>,
    reasoning: String,
    reasoning_joiner: HalfJoiner,
    reasoning_redactor: StreamRedactor,
    /// The bytes of text and reasoning so far.
    bytes: usize,
    /// Whether the texts of the current event have characters that stand for halves.
    has_halves: bool,
    notes: Vec<String>,
    /// The events that were skipped, and the beginning of the first.
    skipped: (usize, String),
    /// What came in place of a final mark, if the reply is kept without one.
    unmarked: Option<String>,
    refusal: String,
    tool_call: Option<String>,
    finish_reason: Option<String>,
    usage: Option<Usage>,
    /// Whether the server reports tokens of reasoning, which it may not show.
    has_hidden_reasoning: bool,
    /// The newest report of tokens, if its numbers contradict each other.
    contradiction: Option<ReportedUsage>,
    model: Option<String>,
    origin: ReplyOrigin,
    odds: ReceivedOdds,
    has_choice: bool,
    /// Whether the server has finished the reply.
    pub(super) done: bool,
}

impl ReplyBuilder {
    /// `whole` is set for a response that is not streamed, which needs no end marker.
    pub(super) fn new(credentials: &Credentials, whole: bool) -> Self {
        Self {
            text: String::new(),
            text_joiner: HalfJoiner::default(),
            text_redactor: credentials.stream_redactor(),
            splitter: None,
            thoughts: Vec::new(),
            unclosed: None,
            reasoning: String::new(),
            reasoning_joiner: HalfJoiner::default(),
            bytes: 0,
            has_halves: false,
            notes: Vec::new(),
            skipped: (0, String::new()),
            unmarked: None,
            reasoning_redactor: credentials.stream_redactor(),
            refusal: String::new(),
            tool_call: None,
            finish_reason: None,
            usage: None,
            has_hidden_reasoning: false,
            contradiction: None,
            model: None,
            origin: ReplyOrigin::default(),
            odds: ReceivedOdds::default(),
            has_choice: false,
            done: whole,
        }
    }

    /// The builder that sets thoughts in the text apart.
    pub(super) fn with_splitter(self, splitter: ThoughtSplitter) -> Self {
        Self { splitter: Some(splitter), ..self }
    }

    /// Begins the next event; `has_halves` says whether its texts have characters that stand for halves.
    pub(super) fn begin_event(&mut self, has_halves: bool) {
        self.has_halves = has_halves;
    }

    /// Adds a note on what had to be repaired, once.
    pub(super) fn add_note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes a part of the reply that is not used, by its kind, such as `image_url`. Texts are no such part.
    pub(super) fn note_unused(&mut self, kind: &str) {
        let kinds = ["image", "audio", "video"];
        if let Some(kind) = kinds.into_iter().find(|known| kind.contains(known)) {
            self.add_note(format!("the reply has {kind} data, which is not used"));
        }
    }

    /// Notes that an event was skipped, because it is no JSON object.
    pub(super) fn skip_event(&mut self, text: &str) {
        if self.skipped.0 == 0 {
            self.skipped.1 = truncated(text.trim(), 60);
        }
        self.skipped.0 += 1;
    }

    /// The text without thoughts so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the end of the reply is known.
    pub(super) fn is_ended(&self) -> bool {
        self.done || self.finish_reason.is_some() || self.unmarked.is_some()
    }

    /// Keeps the reply although the server has not marked its end; `why` says what came in its place.
    pub(super) fn set_unmarked(&mut self, why: String) {
        self.unmarked = Some(why);
    }

    /// Marks that the server has begun to reply.
    pub(super) fn begin(&mut self) {
        self.has_choice = true;
    }

    /// Whether neither text nor reasoning nor a refusal was received.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes == 0 && self.refusal.is_empty()
    }

    /// The number of tokens reported so far.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Adds a report of the server, if there is one.
    pub(super) fn add_report(&mut self, report: Option<ReportedUsage>, observer: &dyn AgentObserver) {
        self.has_hidden_reasoning |= report.is_some_and(ReportedUsage::has_reasoning);
        match report.map(ReportedUsage::reconciled) {
            Some(TokenReport::Known(usage)) => self.add_usage(usage, observer),
            Some(TokenReport::Contradictory(report)) => self.contradiction = Some(report),
            None => {}
        }
    }

    /// Adds the number of tokens so far, and notifies the observer. A request has some, so that zeros alone are those of a
    /// server that does not count.
    pub(super) fn add_usage(&mut self, usage: Usage, observer: &dyn AgentObserver) {
        let usage = merged(self.usage.unwrap_or_default(), usage);
        if usage.total() == 0 {
            return;
        }
        self.contradiction = None;
        self.usage = Some(usage);
        observer.notify(AgentEvent::UsageReported(usage));
    }

    /// Sets the name of the model that replies.
    pub(super) fn set_model(&mut self, model: &str) {
        self.model = Some(truncated(&self.whole(model), 200));
    }

    /// Sets the identifier of the response and the fingerprint, of which events of a stream may leave out either, and
    /// notifies the observer of what is new.
    pub(super) fn add_origin(
        &mut self,
        id: &Value<'_>,
        fingerprint: &Value<'_>,
        observer: &dyn AgentObserver,
    ) {
        let text = |value: &Value<'_>| value.as_str().map(|text| truncated(&self.whole(text), 200));
        let ReplyOrigin { id: known, fingerprint: known_fingerprint } = self.origin.clone();
        let now = ReplyOrigin {
            id: known.or_else(|| text(id)),
            fingerprint: text(fingerprint).or(known_fingerprint),
        };
        if now != self.origin {
            self.origin = now.clone();
            observer.notify(AgentEvent::OriginReported(now));
        }
    }

    /// Adds text and reasoning, and notifies the observer.
    pub(super) fn add_text(
        &mut self,
        text: &str,
        reasoning: &str,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError> {
        self.bytes += text.len() + reasoning.len();
        if self.bytes > MAX_REPLY_BYTES {
            let most = MAX_REPLY_BYTES >> 20;
            return Err(RequestError::malformed(format!("it is longer than {most} MiB, the maximum")));
        }
        let text = self.text_redactor.redact(&self.text_joiner.join(text, self.has_halves));
        let reasoning = self.reasoning_joiner.join(reasoning, self.has_halves);
        let reasoning = self.reasoning_redactor.redact(&reasoning);
        self.append(&text, &reasoning, observer);
        Ok(())
    }

    /// Adds the odds of tokens, a list.
    pub(super) fn add_odds(&mut self, tokens: &Value<'_>) {
        self.odds.add(tokens);
    }

    /// Adds a part of a refusal.
    pub(super) fn add_refusal(&mut self, refusal: &str) {
        self.refusal.push_str(&self.whole(refusal));
    }

    /// Sets the tool that the model calls; only the first one is kept.
    pub(super) fn set_tool_call(&mut self, name: &str) {
        let name = self.whole(name).into_owned();
        self.tool_call.get_or_insert_with(|| truncated(&name, 60));
    }

    /// Sets the reason for which the reply ends, if the word names one.
    pub(super) fn set_finish_reason(&mut self, reason: &str) {
        if !FinishReason::is_none(reason) {
            self.finish_reason = Some(self.whole(reason).into_owned());
        }
    }

    /// Ends the reply: adds the text that was held back.
    pub(super) fn flush(&mut self, observer: &dyn AgentObserver) {
        let text = self.text_redactor.redact(&self.text_joiner.finish()) + &self.text_redactor.finish();
        let reasoning = self.reasoning_redactor.redact(&self.reasoning_joiner.finish());
        let reasoning = reasoning + &self.reasoning_redactor.finish();
        self.append(&text, &reasoning, observer);
        if let Some(mut splitter) = self.splitter.take() {
            let unclosed = splitter.finish(&mut |piece| self.take_piece(piece, observer));
            self.unclosed = unclosed.map(str::to_owned);
        }
        self.note_replaced();
    }

    /// The text with U+FFFD in place of halves, which are joined only in texts that come in pieces.
    fn whole<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.has_halves { replace_halves(text).into() } else { text.into() }
    }

    fn note_replaced(&mut self) {
        match self.text_joiner.replaced() + self.reasoning_joiner.replaced() {
            0 => {}
            1 => self.add_note(
                "1 character of the reply could not be decoded and was replaced by U+FFFD".to_owned(),
            ),
            count => self.add_note(format!(
                "{count} characters of the reply could not be decoded and were replaced by U+FFFD"
            )),
        }
    }

    fn append(&mut self, text: &str, reasoning: &str, observer: &dyn AgentObserver) {
        if !reasoning.is_empty() {
            self.reasoning.push_str(reasoning);
            observer.notify(AgentEvent::ReasoningReceived(reasoning.to_owned()));
        }
        match self.splitter.take() {
            Some(mut splitter) => {
                splitter.push(text, &mut |piece| self.take_piece(piece, observer));
                self.splitter = Some(splitter);
            }
            None => self.take_piece(Piece::Text(text), observer),
        }
    }

    fn take_piece(&mut self, piece: Piece<'_>, observer: &dyn AgentObserver) {
        match (piece, self.thoughts.last_mut()) {
            (Piece::Text(""), _) => {}
            (Piece::Text(text), _) => {
                self.text.push_str(text);
                observer.notify(AgentEvent::TextReceived(text.to_owned()));
            }
            (Piece::Open(open), last) => {
                let separated = last.is_some() || !self.reasoning.is_empty();
                let thought = Thought { at: self.text.len(), open: open.to_owned(), ..Thought::default() };
                self.thoughts.push(thought);
                if separated {
                    observer.notify(AgentEvent::ReasoningReceived("\n\n".to_owned()));
                }
            }
            (Piece::Thought(text), Some(last)) => {
                last.text.push_str(text);
                observer.notify(AgentEvent::ReasoningReceived(text.to_owned()));
            }
            (Piece::Close(text) | Piece::Space(text), Some(last)) => last.close.push_str(text),
            (Piece::CloseOnly(close), last) => {
                let at = last.map_or(0, |last| last.at);
                let text = self.text.split_off(at);
                observer.notify(AgentEvent::TextWasReasoning { bytes: text.len() });
                self.thoughts.push(Thought { at, open: String::new(), text, close: close.to_owned() });
            }
            // The splitter opens a thought before it goes on with it.
            (Piece::Thought(_) | Piece::Close(_) | Piece::Space(_), None) => {}
        }
    }
}

/// Whether a field has something: an error, an image. Servers write null, false or something empty if it has not.
pub(super) fn is_given(value: &Value<'_>) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Str(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

/// An error within a successful response: in the body, in an event of a stream, or in a choice. Without a code, and without
/// words that name a cause which the next try would have too, the reply was interrupted.
pub(super) fn api_error(reply: &ReplyBuilder, chunk: &Value<'_>, said: &Value<'_>) -> RequestError {
    let body = chunk.to_string();
    // Some servers answer a wrong address with success.
    let wrong = || names_no_endpoint(&said.to_string()).then_some(404);
    let code = error_code(&said.into()).or_else(wrong);
    let message = error_message(&body);
    let status = code.unwrap_or(200);
    let pause = body_delay(&body);
    let said = said.to_string();
    let error = if is_account_limit(status, &body, pause) {
        AgentError::QuotaExhausted { status, message }
    } else if code.is_none() && !names_cause(&said) {
        AgentError::ConnectionLost { received: reply.received(), why: message }
    } else {
        AgentError::ErrorWithinReply { code, message }
    };
    RequestError { said: Some(said), pause, ..error.into() }
}
