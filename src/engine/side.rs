//! Side requests of an episode: who answers for a role, the question that is due, and what came of it.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attempt::{Attempt, FailedTry, PromptVersion};
use super::event::Ending;
use super::head::Head;
use super::recorded_agent::RecordedAgent;
use mageyard_domain::{Cost, Digest, Price, Prices, Question, Reply, SentRequest, SideRole, TokenTotals};

/// Who answers for a role, as the head records it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedRole {
    /// The agent that is asked.
    #[serde(flatten)]
    pub agent: RecordedAgent,
    /// A full copy of the prompt file, because it may change.
    pub prompt: Arc<str>,
    /// How often an answer that cannot be read is asked for again, the first time included: 1 to 3.
    pub tries: u32,
    /// The price of its model, if the cost of the episode is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

/// The roles of an episode.
pub type RecordedRoles = BTreeMap<SideRole, RecordedRole>;

/// What a question is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The next decision: a module of the agent asks.
    Decision,
    /// The end of a won episode: a module of the agent looks once more whether it declares that the task is done.
    LastLook,
    /// The outcome of the last action, which is settled with the answers.
    Outcome,
    /// The verdict on an episode that ended like this.
    Verdict(Ending),
}

impl Purpose {
    /// Whether a module of the agent asks for it.
    pub fn is_of_module(self) -> bool {
        matches!(self, Self::Decision | Self::LastLook)
    }
}

/// A question that must be asked now.
#[derive(Clone, Debug, PartialEq)]
pub struct Inquiry {
    /// The question.
    pub question: Arc<Question>,
    /// What it is for.
    pub purpose: Purpose,
    /// The number of this try, from 1; greater than 1 after an answer that cannot be read.
    pub number: u32,
    /// Whether a person answers it.
    pub by_person: bool,
}

/// What happens with a side request.
#[derive(Clone, Debug)]
pub enum SideEvent {
    /// It was sent, made from this prompt.
    Sent(Arc<SentRequest>, Arc<PromptVersion>),
    /// A try of it failed.
    Failed(FailedTry),
    /// It was sent again.
    Retried,
    /// The reply, and the answer that was read in it; an error is why it cannot be read.
    Replied(Reply, Result<Value, String>),
    /// It was cancelled; the partial reply is kept.
    Cancelled(Reply),
    /// The answer to an equal request of the episode, with this digest, was used again.
    Reused(Digest),
}

impl SideEvent {
    /// The event's name in journals.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Sent(..) => "side_sent",
            Self::Failed(_) => "side_failed",
            Self::Retried => "side_retried",
            Self::Replied(..) => "side_replied",
            Self::Cancelled(_) => "side_cut",
            Self::Reused(_) => "side_reused",
        }
    }

    pub(super) fn keeps_request_pending(&self) -> bool {
        !matches!(self, Self::Sent(..) | Self::Reused(_))
    }
}

/// A side request with its reply.
#[derive(Clone, Debug)]
pub struct SideExchange {
    /// The question.
    pub question: Arc<Question>,
    /// The number of the try, from 1.
    pub number: u32,
    /// The reply with its request. It is no attempt of its step.
    pub attempt: Attempt,
    /// The answer that was read; an error is why it cannot be read. `None` if the request was cancelled or lost.
    pub answer: Option<Result<Value, String>>,
    /// Whether the answer to an equal request was used again and nothing was sent.
    pub reused: bool,
}

impl SideExchange {
    /// Who was asked.
    pub fn role(&self) -> SideRole {
        self.question.role
    }

    /// The tokens of its request with all tries.
    pub fn spent(&self) -> TokenTotals {
        self.attempt.spent()
    }

    /// The answer on one line: what a module said, else the value; or why there is none.
    pub fn answer_text(&self) -> String {
        match &self.answer {
            Some(Ok(answer)) => {
                let said = self.role().reflection(answer);
                let text = said.map_or_else(|| answer.to_string(), str::to_owned);
                let reused = if self.reused { " (reused)" } else { "" };
                format!("{}{reused}", text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            Some(Err(why)) => format!("cannot be read: {why}"),
            None => "no answer".to_owned(),
        }
    }
}

/// What the side requests of one role came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoleTotals {
    /// The model that was asked; `None` if no model was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Requests that were sent, cancelled and lost ones included; the tries of one count once.
    pub requests: usize,
    /// Replies, those that could not be read included.
    pub replies: u32,
    /// Answers that were used again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reused: usize,
    /// Replies that could not be read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread: usize,
    /// Their tokens, which are part of those of the episode.
    pub spent: TokenTotals,
}

/// What the side requests of an episode came to, by role.
pub type TotalsByRole = BTreeMap<SideRole, RoleTotals>;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl RoleTotals {
    /// What the requests cost.
    pub fn cost(&self, prices: &Prices) -> Cost {
        prices.cost(self.model.as_deref(), self.spent)
    }

    /// Adds a side request to the totals of its role in an episode with this head.
    pub(super) fn add_to(roles: &mut TotalsByRole, exchange: &SideExchange, head: &Head) {
        let role = exchange.role();
        let model = head.model_of(role).map(str::to_owned);
        roles.entry(role).or_insert_with(|| Self { model, ..Self::default() }).add(exchange);
    }

    fn add(&mut self, exchange: &SideExchange) {
        self.requests += usize::from(exchange.attempt.sent.is_some());
        self.replies += u32::from(exchange.answer.is_some() && !exchange.reused);
        self.reused += usize::from(exchange.reused);
        self.unread += usize::from(matches!(exchange.answer, Some(Err(_))));
        self.spent = self.spent.plus(exchange.spent());
    }
}
