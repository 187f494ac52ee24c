//! Side requests of a step in the agent pane: who was asked, and what was answered. The request dialog has them whole.

use ratatui::text::Line;

use super::paragraph::hanging_indent;
use crate::model::Model;
use mageyard_domain::{SideRole, sanitize};
use mageyard_engine::{SideExchange, Step};
use mageyard_terminal::StyleRole;

/// The sign of a side request.
const SIGN: &str = "◇";

/// The answers that belong to the decision of a step.
pub(super) fn before_decision(model: &Model, step: &Step, width: u16) -> Vec<Line<'static>> {
    lines(model, step, SideRole::is_module, width)
}

/// The answers about the outcome of a step and about the episode.
pub(super) fn after_action(model: &Model, step: &Step, width: u16) -> Vec<Line<'static>> {
    lines(model, step, |role| !role.is_module(), width)
}

fn lines(model: &Model, step: &Step, of: impl Fn(SideRole) -> bool, width: u16) -> Vec<Line<'static>> {
    let exchanges = step.side.iter().filter(|exchange| of(exchange.role()));
    exchanges
        .flat_map(|exchange| {
            let (words, style) = answer_words(exchange);
            hanging_indent(model, &format!("{SIGN} {}: {words}", exchange.role()), style, width)
        })
        .collect()
}

/// The answer in a line.
pub(crate) fn answer_words(exchange: &SideExchange) -> (String, StyleRole) {
    let again = if exchange.reused { " (used again)" } else { "" };
    match &exchange.answer {
        Some(Ok(answer)) => {
            let text = exchange.role().reflection(answer).map_or_else(|| answer.to_string(), str::to_owned);
            (format!("{}{again}", sanitize(&text)), StyleRole::Text)
        }
        Some(Err(why)) => (format!("cannot be read: {}", sanitize(why)), StyleRole::MarkUnread),
        None => match exchange.attempt.failure() {
            Some(failed) => (format!("failed: {}", sanitize(&failed.why)), StyleRole::Fault),
            None => ("no complete answer received".to_owned(), StyleRole::Warn),
        },
    }
}
