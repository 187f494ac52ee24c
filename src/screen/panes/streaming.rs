//! A reply in flight: the text as it streams, the reasoning, and the reason for a retry. Complete replies are
//! drawn by `reply`.

use ratatui::text::{Line, Span};

use super::paragraph::{hanging_indent, titled_rule};
use crate::model::{EpisodeView, Model};
use mageyard_domain::{Cost, sanitize};
use mageyard_engine::{Attempt, LiveReplySnapshot, RecordedAgent, Wait, Waiting};
use mageyard_terminal::{StyleRole, wrap};

/// The reply in flight in about `height` lines; of a longer text the end is shown.
pub(super) fn lines(model: &Model, viewed: &EpisodeView, width: u16, height: u16) -> Vec<Line<'static>> {
    let thinking = viewed.snapshot.run.waiting == Waiting::Reply && !viewed.looks_back();
    let Some(heard) = viewed.snapshot.run.live_reply.as_ref().filter(|_| thinking) else { return Vec::new() };
    let title = heard.role.map_or_else(|| "streaming".to_owned(), |role| format!("streaming: {role}"));
    let mut lines = vec![titled_rule(model, &title, width)];
    lines.extend(
        retry_notice(model)
            .into_iter()
            .flat_map(|words| hanging_indent(model, &words, StyleRole::Warn, width)),
    );
    let share = usize::from(height / 3).max(2);
    lines.extend(tail(model, reasoning(model, &heard.reasoning, width), share));
    let text = text_so_far(model, heard, width);
    let room = usize::from(height).saturating_sub(lines.len() + 1).max(share);
    lines.extend(tail(model, text, room));
    lines.push(Line::default());
    lines
}

fn retry_notice(model: &Model) -> Option<String> {
    match model.wait.as_ref()? {
        Wait::Retry { why, .. } => Some(format!("… {}: {}", model.wait_words()?, sanitize(why))),
        Wait::Reply { .. } => None,
    }
}

fn text_so_far(model: &Model, heard: &LiveReplySnapshot, width: u16) -> Vec<Line<'static>> {
    match heard.text.trim_end() {
        "" if heard.retry.is_some() => Vec::new(),
        "" => {
            let wait = model.wait_words().unwrap_or_else(|| "no text yet".to_owned());
            wrap(&format!("{wait} …"), width, &Span::raw(""), model.style(StyleRole::Dim))
        }
        text => wrap(&format!("{text} …"), width, &Span::raw(""), model.style(StyleRole::Text)),
    }
}

/// The model's reasoning. It is never parsed for actions.
pub(super) fn reasoning(model: &Model, text: &str, width: u16) -> Vec<Line<'static>> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let style = model.style(StyleRole::Dim);
    let mut lines = vec![Line::styled("reasoning (never parsed)", model.style(StyleRole::Heading))];
    lines.extend(wrap(text.trim(), width, &Span::styled("┆ ", style), style));
    lines.push(Line::default());
    lines
}

/// The tokens of a reply, and their cost where the price is known.
pub(super) fn usage_lines(
    model: &Model,
    agent: &RecordedAgent,
    attempt: &Attempt,
    width: u16,
) -> Vec<Line<'static>> {
    let Some(usage) = attempt.usage else { return Vec::new() };
    let cost = match model.appearance.prices.cost(agent.model.as_deref(), attempt.spent()) {
        cost @ Cost::Known { .. } => Some(format!("cost {cost}")),
        Cost::Unknown | Cost::NoRequests => None,
    };
    let words = std::iter::once(usage.to_string()).chain(cost);
    let style = model.style(StyleRole::Dim);
    words.flat_map(|words| wrap(&words, width, &Span::raw(""), style)).collect()
}

/// The last `most` lines, with a note about the lines above.
fn tail(model: &Model, lines: Vec<Line<'static>>, most: usize) -> Vec<Line<'static>> {
    let over = lines.len().saturating_sub(most.max(2));
    if over == 0 {
        return lines;
    }
    let left_out = Line::styled(format!("⋮ {} earlier lines", over + 1), model.style(StyleRole::Dim));
    std::iter::once(left_out).chain(lines.into_iter().skip(over + 1)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing;
    use mageyard_engine::{RunState, Snapshot};

    /// The lines while this reply is in flight.
    fn shown(heard: LiveReplySnapshot, height: u16) -> Vec<String> {
        shown_waiting(heard, None, height)
    }

    fn shown_waiting(heard: LiveReplySnapshot, wait: Option<Wait>, height: u16) -> Vec<String> {
        let mut model = testing::model(120, 40);
        model.wait = wait;
        let snapshot = Snapshot::clone(&model.episodes[0].snapshot);
        model.episodes[0].snapshot = Arc::new({
            let base = snapshot;
            Snapshot {
                run: RunState { live_reply: Some(heard), waiting: Waiting::Reply, ..base.run.clone() },
                ..base
            }
        });
        let lines = lines(&model, &model.episodes[0], 36, height);
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn streamed_text_is_marked_as_incomplete() {
        let heard = LiveReplySnapshot {
            text: "# analyze\nthe box\u{1b}".into(),
            reasoning: "let me see".into(),
            ..LiveReplySnapshot::default()
        };
        assert_eq!(
            shown(heard, 30),
            [
                "── streaming ───────────────────────",
                "reasoning (never parsed)",
                "┆ let me see",
                "",
                "# analyze",
                "the box␛ …",
                ""
            ]
        );
        assert_eq!(shown(LiveReplySnapshot::default(), 30)[1], "no text yet …");
    }

    #[test]
    fn a_retry_shows_its_reason_and_delay() {
        let wait = Wait::Retry { seconds: 14, attempt: 3, most: 3, why: "refused with 429\u{1b}".into() };
        let lines = shown_waiting(LiveReplySnapshot::default(), Some(wait), 30);
        assert_eq!(lines[1..3], ["… retry 2 of 2 in 14 s: refused with", "  429␛"]);
    }

    #[test]
    fn a_long_wait_for_the_first_text_is_counted() {
        let wait = Some(Wait::Reply { seconds: 34, attempt: 1, most: 1 });
        let lines = shown_waiting(LiveReplySnapshot::default(), wait, 30);
        assert_eq!(lines[1], "waiting for the server, 34 s …");
    }

    #[test]
    fn a_long_stream_shows_its_last_lines() {
        let long = (1..=100).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        let lines = shown(
            LiveReplySnapshot { text: long.clone(), reasoning: long, ..LiveReplySnapshot::default() },
            20,
        );
        assert!(lines.len() <= 20, "{lines:?}");
        assert_eq!(lines[lines.len() - 2], "100 …");
        assert_eq!(lines.iter().filter(|line| line.starts_with("⋮ ")).count(), 2);
    }
}
