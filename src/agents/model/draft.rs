//! A reply while it comes: what the chunks of a stream, or a whole body at once, add up to. Read leniently
//! in what does not matter here (dates, tiers, numbers that are words) and strictly in what does.

use serde_json::Value;

use super::key::Secret;
use super::key::Veil;
use super::trouble::Trouble;
use super::trouble::after;
use super::trouble::said;
use super::trouble::shortened;
use crate::domain::AgentError;
use crate::domain::Cutoff;
use crate::domain::Line;
use crate::domain::News;
use crate::domain::Reply;
use crate::domain::Usage;

/// The most bytes of text and reasoning a reply may have.
pub(super) const MOST: usize = 4 << 20;
/// An end of the connection that is in good order, but too soon.
pub(super) const CLOSED: &str = "the server closed the connection";

/// What has come of a reply.
pub(super) struct Draft {
    text: String,
    text_veil: Veil,
    reasoning: String,
    reasoning_veil: Veil,
    refusal: String,
    tool: Option<String>,
    finish: Option<String>,
    usage: Option<Usage>,
    model: Option<String>,
    chosen: bool,
    /// Whether the server said that this is all.
    pub(super) done: bool,
}

impl Draft {
    /// For an answer that comes at once (`whole`, so nothing can be missing at its end) or in pieces.
    pub(super) fn new(secret: &Secret, whole: bool) -> Self {
        Self {
            text: String::new(),
            text_veil: secret.veil(),
            reasoning: String::new(),
            reasoning_veil: secret.veil(),
            refusal: String::new(),
            tool: None,
            finish: None,
            usage: None,
            model: None,
            chosen: false,
            done: whole,
        }
    }

    /// Takes a chunk of a stream, or a whole answer, and passes on what is new in it.
    pub(super) fn take(&mut self, chunk: &Value, line: &dyn Line) -> Result<(), Trouble> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(declared(chunk, error));
        }
        if let Some(usage) = usage(chunk) {
            self.usage = Some(usage);
            line.tell(News::Used(usage));
        }
        if let Some(model) = chunk["model"].as_str() {
            self.model = Some(shortened(model, 200));
        }
        let choice = chunk["choices"].as_array().and_then(|choices| choices.first());
        match choice {
            Some(choice) => self.choice(choice, line),
            None => Ok(()),
        }
    }

    fn choice(&mut self, choice: &Value, line: &dyn Line) -> Result<(), Trouble> {
        self.chosen = true;
        let part = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
        let reasoning = [&part["reasoning_content"], &part["reasoning"]].into_iter().find_map(Value::as_str);
        let text = words(&part["content"]);
        if self.text.len() + self.reasoning.len() + text.len() + reasoning.map_or(0, str::len) > MOST {
            let most = MOST >> 20;
            return Err(Trouble::nonsense(format!("it is longer than {most} MiB, the most that is read")));
        }
        let reasoning = self.reasoning_veil.pass(reasoning.unwrap_or_default());
        let text = self.text_veil.pass(&text);
        self.more(&text, &reasoning, line);
        self.refusal.push_str(part["refusal"].as_str().unwrap_or_default());
        self.tool = self.tool.take().or_else(|| tool(part));
        self.finish = choice["finish_reason"].as_str().map(str::to_owned).or(self.finish.take());
        Ok(())
    }

    /// Nothing more comes.
    pub(super) fn settle(&mut self, line: &dyn Line) {
        let (text, reasoning) = (self.text_veil.rest(), self.reasoning_veil.rest());
        self.more(&text, &reasoning, line);
    }

    fn more(&mut self, text: &str, reasoning: &str, line: &dyn Line) {
        if !reasoning.is_empty() {
            self.reasoning.push_str(reasoning);
            line.tell(News::Reasoning(reasoning.to_owned()));
        }
        if !text.is_empty() {
            self.text.push_str(text);
            line.tell(News::Text(text.to_owned()));
        }
    }

    /// The reply, or what it is instead of one. `limit` is the most new tokens that were asked for, and
    /// the name of its setting.
    pub(super) fn finish(self, limit: Option<(&'static str, u64)>) -> Result<Reply, Trouble> {
        if let Some(tool) = &self.tool {
            let what = format!("the model called the tool {tool:?}, and none was offered");
            return Err(Trouble::nonsense(what));
        }
        if !self.refusal.is_empty() {
            return Err(AgentError::Declined(shortened(&self.refusal, 500)).into());
        }
        match self.finish.as_deref() {
            Some("content_filter") => Err(AgentError::Filtered { after: self.come() }.into()),
            Some("length") => Err(AgentError::Length(Cutoff { asked: limit, used: self.used() }).into()),
            Some(gave_up @ ("abort" | "error")) => Err(Trouble::nonsense(format!(
                "the server gave up in the middle (finish_reason {gave_up:?})"
            ))),
            None if !self.done => Err(Trouble::broken(self.come(), CLOSED)),
            _ if !self.chosen => Err(Trouble::nonsense("it has an empty list of choices")),
            _ => Ok(self.reply()),
        }
    }

    fn used(&self) -> Option<u64> {
        self.usage.map(|usage| usage.output).filter(|&used| used > 0)
    }

    /// How much has come, in words.
    pub(super) fn come(&self) -> String {
        let characters = |text: &str| after(text.chars().count(), "character");
        match (self.text.as_str(), self.reasoning.as_str()) {
            ("", reasoning) if !reasoning.is_empty() => format!("{} of reasoning", characters(reasoning)),
            (text, _) => characters(text),
        }
    }

    fn reply(self) -> Reply {
        let reasoning = Some(self.reasoning).filter(|text| !text.is_empty());
        Reply { text: self.text, reasoning, usage: self.usage, model: self.model }
    }
}

/// An error that comes with a good status: in the body, or in the middle of a stream.
fn declared(chunk: &Value, error: &Value) -> Trouble {
    let code = ["code", "status"].iter().find_map(|name| match &error[*name] {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64(),
    });
    let status = code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code));
    Trouble::api(status.unwrap_or(200), said(&chunk.to_string()), None)
}

/// Text as a string, or as the list of parts that some servers make of it.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn tool(part: &Value) -> Option<String> {
    let call = part["tool_calls"].as_array().and_then(|calls| calls.first()).map(|call| &call["function"]);
    let call = call.or_else(|| part.get("function_call").filter(|call| call.is_object()))?;
    Some(shortened(call["name"].as_str().unwrap_or("?"), 60))
}

fn usage(chunk: &Value) -> Option<Usage> {
    let usage = chunk.get("usage").filter(|usage| usage.is_object())?;
    let cached = usage.pointer("/prompt_tokens_details/cached_tokens").and_then(Value::as_u64);
    Some(Usage {
        input: usage["prompt_tokens"].as_u64()?,
        output: usage["completion_tokens"].as_u64()?,
        cached: cached.unwrap_or_default(),
    })
}
