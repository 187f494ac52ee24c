//! A side request: the answer and what was read in it, then the request as it was sent.

use ratatui::text::{Line, Span};

use super::sent;
use crate::model::{EpisodeView, Model};
use crate::panes::side_answer_words;
use mageyard_domain::sanitize;
use mageyard_engine::SideExchange;
use mageyard_terminal::{StyleRole, wrap};

pub(super) fn lines(
    model: &Model,
    viewed: &EpisodeView,
    exchange: &SideExchange,
    width: u16,
) -> Vec<Line<'static>> {
    let (words, style) = side_answer_words(exchange);
    let mut lines = vec![super::super::heading(model, "answer".to_owned())];
    lines.extend(wrap(&words, width, &Span::raw("  "), model.style(style)));
    let content = exchange.attempt.content();
    let reply = sanitize(&content);
    if !reply.trim().is_empty() {
        lines.push(super::super::heading(model, "reply".to_owned()));
        lines.extend(wrap(reply.trim(), width, &Span::raw("  "), model.style(StyleRole::Text)));
    }
    lines.extend(
        facts(exchange)
            .iter()
            .flat_map(|words| wrap(words, width, &Span::raw("  "), model.style(StyleRole::Dim))),
    );
    lines.push(Line::default());
    match &exchange.attempt.sent {
        Some(request) => {
            let version = exchange.attempt.prompt_version.as_deref();
            lines.extend(sent::lines(model, &viewed.snapshot, request, (version, None), width));
        }
        None => lines.extend(wrap(
            "nothing was sent: an equal request of the episode had this answer",
            width,
            &Span::raw(""),
            model.style(StyleRole::Dim),
        )),
    }
    lines
}

/// Which try it is, its tokens and its time.
fn facts(exchange: &SideExchange) -> Vec<String> {
    let again = (exchange.number > 1).then(|| format!("try {}", exchange.number));
    let usage = exchange.attempt.usage.map(|usage| usage.to_string());
    let time = exchange.attempt.latency_ms.map(|time| format!("{time} ms"));
    let failed =
        exchange.attempt.failed_tries.iter().map(|failed| format!("a try failed: {}", sanitize(&failed.why)));
    again.into_iter().chain(usage).chain(time).chain(failed).collect()
}
