//! What has been heard of a thought under way: the text as it streams, the reasoning apart, and why it
//! waits. What is finished is shown as a reply.

use ratatui::text::Line;
use ratatui::text::Span;

use super::margin::hanging;
use super::margin::rule;
use crate::domain::Cost;
use crate::domain::Usage;
use crate::engine::Attempt;
use crate::engine::Heard;
use crate::engine::Pause;
use crate::engine::Waiting;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

/// The thought under way, as far as it was heard, in about so many lines: of what is longer, the end.
pub(super) fn lines(model: &Model, viewed: &Viewed, width: u16, height: u16) -> Vec<Line<'static>> {
    let thinking = viewed.snapshot.waiting == Waiting::Thinking && !viewed.looks_back();
    let Some(heard) = viewed.snapshot.heard.as_ref().filter(|_| thinking) else { return Vec::new() };
    let mut lines = vec![rule(model, "being said, unfinished", width)];
    lines.extend(pause(heard).into_iter().flat_map(|words| hanging(model, &words, Role::Warn, width)));
    let share = usize::from(height / 3).max(2);
    lines.extend(end(model, reasoning(model, &heard.reasoning, width), share));
    let text = said(model, heard, width);
    let room = usize::from(height).saturating_sub(lines.len() + 1).max(share);
    lines.extend(end(model, text, room));
    lines.push(Line::default());
    lines
}

fn pause(heard: &Heard) -> Option<String> {
    let Pause { why, milliseconds, attempt } = heard.waiting.as_ref()?;
    let tenths = milliseconds.saturating_add(50) / 100;
    Some(format!("… try {attempt} in {}.{} s: {why}", tenths / 10, tenths % 10))
}

fn said(model: &Model, heard: &Heard, width: u16) -> Vec<Line<'static>> {
    match heard.text.trim_end() {
        "" if heard.waiting.is_some() => Vec::new(),
        "" => vec![Line::styled("no word yet …", model.style(Role::Dim))],
        text => wrap(&format!("{text} …"), width, &Span::raw(""), model.style(Role::Text)),
    }
}

/// The model's own reasoning, set apart: it is never read for actions.
pub(super) fn reasoning(model: &Model, text: &str, width: u16) -> Vec<Line<'static>> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let style = model.style(Role::Dim);
    let mut lines = vec![Line::styled("its reasoning, never read", model.style(Role::Heading))];
    lines.extend(wrap(text.trim(), width, &Span::styled("┆ ", style), style));
    lines.push(Line::default());
    lines
}

/// What a reply took, and what that costs where its price is known.
pub(super) fn cost(model: &Model, viewed: &Viewed, attempt: &Attempt) -> Vec<Line<'static>> {
    let Some(Usage { input, output, .. }) = attempt.usage else { return Vec::new() };
    let cost = match model.look.prices.cost(viewed.snapshot.head.model(), attempt.spent()) {
        cost @ Cost::Known(..) => Some(format!("cost {cost}")),
        Cost::Unknown | Cost::Nothing => None,
    };
    let words = std::iter::once(format!("{input} tokens in, {output} out")).chain(cost);
    words.map(|words| Line::styled(words, model.style(Role::Dim))).collect()
}

/// The last of these lines, with a word for those that are left out.
fn end(model: &Model, lines: Vec<Line<'static>>, most: usize) -> Vec<Line<'static>> {
    let over = lines.len().saturating_sub(most.max(2));
    if over == 0 {
        return lines;
    }
    let left_out = Line::styled(format!("⋮ {} lines before", over + 1), model.style(Role::Dim));
    std::iter::once(left_out).chain(lines.into_iter().skip(over + 1)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::Snapshot;
    use crate::tui::testing;

    /// The lines while this is heard.
    fn shown(heard: Heard, height: u16) -> Vec<String> {
        let mut model = testing::model(120, 40);
        let snapshot = Snapshot::clone(&model.episodes[0].snapshot);
        model.episodes[0].snapshot =
            Arc::new(Snapshot { heard: Some(heard), waiting: Waiting::Thinking, ..snapshot });
        let lines = lines(&model, &model.episodes[0], 36, height);
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_streams_is_marked_as_unfinished() {
        let heard = Heard {
            text: "# analyze\nthe box\u{1b}".into(),
            reasoning: "let me see".into(),
            ..Heard::default()
        };
        assert_eq!(
            shown(heard, 30),
            [
                "── being said, unfinished ──────────",
                "its reasoning, never read",
                "┆ let me see",
                "",
                "# analyze",
                "the box␛ …",
                ""
            ]
        );
        assert_eq!(shown(Heard::default(), 30)[1], "no word yet …");
    }

    #[test]
    fn a_pause_says_why_and_how_long() {
        let why = "the server refused with 429".into();
        let waiting = Some(Pause { why, milliseconds: 1960, attempt: 2 });
        let lines = shown(Heard { waiting, ..Heard::default() }, 30);
        assert_eq!(lines[1..3], ["… try 2 in 2.0 s: the server refused", "  with 429"]);
    }

    #[test]
    fn of_a_long_stream_the_end_is_in_sight() {
        let long = (1..=100).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        let lines = shown(Heard { text: long.clone(), reasoning: long, ..Heard::default() }, 20);
        assert!(lines.len() <= 20, "{lines:?}");
        assert_eq!(lines[lines.len() - 2], "100 …");
        assert_eq!(lines.iter().filter(|line| line.starts_with("⋮ ")).count(), 2);
    }
}
