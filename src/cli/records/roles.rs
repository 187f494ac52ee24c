//! Side requests: the totals of a role, and one of a step.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{RequestFields, UsageFields};
use mageyard_domain::Prices;
use mageyard_engine::{Head, RoleTotals, SideExchange, TotalsByRole};

/// What the side requests of a role came to.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "role_totals")]
pub(crate) struct RoleRecord<'a> {
    /// Model that was asked; null if none was.
    model: Option<&'a str>,
    /// Side requests; the tries of one count once.
    side_requests: usize,
    /// Replies, those that could not be read included.
    replies: u32,
    /// Answers to equal requests that were used again.
    reused: usize,
    /// Replies that could not be read.
    unread: usize,
    #[serde(flatten)]
    usage: UsageFields,
}

impl<'a> RoleRecord<'a> {
    /// The objects of these roles by name.
    pub(crate) fn all(roles: &'a TotalsByRole, prices: &Prices) -> BTreeMap<&'static str, Self> {
        roles.iter().map(|(role, totals)| (role.name(), Self::new(totals, prices))).collect()
    }

    fn new(totals: &'a RoleTotals, prices: &Prices) -> Self {
        Self {
            model: totals.model.as_deref(),
            side_requests: totals.requests,
            replies: totals.replies,
            reused: totals.reused,
            unread: totals.unread,
            usage: UsageFields::new(totals.spent, &totals.cost(prices)),
        }
    }
}

/// A side request of a step.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "side_request")]
pub(crate) struct SideRecord<'a> {
    /// Role that was asked, such as `judge`.
    role: &'static str,
    /// Model that was asked; null if none was.
    model: Option<&'a str>,
    /// Number of the try; greater than 1 after an answer that could not be read.
    number: u32,
    /// Raw reply.
    reply: &'a str,
    /// Answer as it was read; null if there is none.
    answer: Option<&'a Value>,
    /// Why it could not be read.
    unread: Option<&'a str>,
    /// Whether the answer to an equal request was used again.
    reused: bool,
    /// Whether it was cancelled or lost.
    cancelled: bool,
    /// Milliseconds from the last sending to the complete reply.
    latency_ms: Option<u32>,
    #[serde(flatten)]
    requests: RequestFields,
}

impl<'a> SideRecord<'a> {
    pub(crate) fn new(exchange: &'a SideExchange, head: &'a Head) -> Self {
        let answer = exchange.answer.as_ref();
        Self {
            role: exchange.role().name(),
            model: head.model_of(exchange.role()),
            number: exchange.number,
            reply: &exchange.attempt.reply,
            answer: answer.and_then(|answer| answer.as_ref().ok()),
            unread: answer.and_then(|answer| answer.as_ref().err()).map(String::as_str),
            reused: exchange.reused,
            cancelled: answer.is_none(),
            latency_ms: exchange.attempt.latency_ms,
            requests: exchange.spent().into(),
        }
    }
}
