//! The raw view of a reply: its text unchanged, with what each span was parsed as in the margin, and above it
//! the rule, the position and the nearest actions of an error.

use std::ops::Range;

use ratatui::text::Line;
use ratatui::text::Span;

use super::paragraph::hanging_indent;
use super::paragraph::titled_rule;
use crate::dialog::BlockSpan;
use crate::dialog::ParseError;
use crate::dialog::Spans;
use crate::domain::Action;
use crate::domain::Arg;
use crate::domain::ReplyEnding;
use crate::engine::Attempt;
use crate::engine::Step;
use crate::tui::model::EpisodeView;
use crate::tui::model::Model;
use crate::tui::theme::StyleRole;
use crate::tui::wrap::wrap;

/// Columns of the labels in the margin.
const LABEL_WIDTH: usize = 8;

/// The most arguments whose positions are listed.
const MAX_ARGUMENTS: usize = 8;

/// The most characters of the span in error that are quoted above the reply.
const MAX_QUOTED: usize = 40;

/// The selected reply in the raw view.
pub(super) fn lines(model: &Model, viewed: &EpisodeView, step: &Step, width: u16) -> Vec<Line<'static>> {
    let count = step.attempts.len();
    let at = model.shown_reply.unwrap_or(usize::MAX).min(count.saturating_sub(1));
    let Some(attempt) = step.attempts.get(at) else { return Vec::new() };
    let edited = if attempt.is_edited() { ", ✎ edited" } else { "" };
    let words = format!("raw reply {} of {count}, {} bytes{edited}", at + 1, attempt.reply.len());
    let mut lines = annotated_reply(model, viewed, step, attempt, &words, width);
    if attempt.is_edited() {
        let words = format!("the agent's own reply, {} bytes", attempt.original().reply.len());
        lines.push(Line::default());
        lines.extend(annotated_reply(model, viewed, step, attempt.original(), &words, width));
    }
    lines
}

/// The findings of the reader, and below them the reply.
fn annotated_reply(
    model: &Model,
    viewed: &EpisodeView,
    step: &Step,
    attempt: &Attempt,
    title: &str,
    width: u16,
) -> Vec<Line<'static>> {
    let mut lines = vec![titled_rule(model, title, width)];
    let findings = findings(viewed, step, attempt);
    lines.extend(findings.iter().flat_map(|(words, role)| hanging_indent(model, words, *role, width)));
    lines.push(Line::default());
    lines.extend(raw_lines(model, attempt, width));
    lines
}

/// What a span was parsed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpanKind {
    Unmarked,
    Analysis,
    Action,
    /// An argument of an action.
    Argument,
    Dropped,
    Wrong,
    /// Matched by a fallback rule, outside the action.
    Matched,
}

impl SpanKind {
    fn label(self, rejected: bool) -> (&'static str, StyleRole) {
        match self {
            Self::Unmarked => ("", StyleRole::Heading),
            Self::Analysis => ("analysis", StyleRole::Analysis),
            Self::Action if rejected => ("✗ action", StyleRole::ActionRejected),
            Self::Action => ("action", StyleRole::Action),
            Self::Argument => ("argument", StyleRole::Key),
            Self::Dropped => ("ignored", StyleRole::Warn),
            Self::Wrong => ("error", StyleRole::MarkUnread),
            Self::Matched => ("matched", StyleRole::Warn),
        }
    }
}

/// Splits the reply into spans, in order and without gaps. Spans outside the text are ignored.
fn split_spans(attempt: &Attempt) -> Vec<(SpanKind, Range<usize>)> {
    let Spans { analysis, action, dropped, fallback, args, .. } = &attempt.marks;
    let wrong = attempt.verdict.as_ref().and_then(|verdict| verdict.as_ref().err()?.at.clone());
    let marked = |part| move |range: &Range<usize>| (part, range.clone());
    let marks: Vec<(SpanKind, Range<usize>)> = wrong
        .iter()
        .map(marked(SpanKind::Wrong))
        .chain(dropped.iter().map(marked(SpanKind::Dropped)))
        .chain(args.iter().map(|arg| (SpanKind::Argument, arg.at.clone())))
        .chain(action.iter().map(marked(SpanKind::Action)))
        .chain(fallback.iter().map(|found| (SpanKind::Matched, found.span.clone())))
        .chain(analysis.iter().map(marked(SpanKind::Analysis)))
        .filter(|(_, range)| attempt.reply.get(range.clone()).is_some())
        .collect();
    let mut cuts: Vec<usize> = marks.iter().flat_map(|(_, range)| [range.start, range.end]).collect();
    cuts.extend([0, attempt.reply.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut parts: Vec<(SpanKind, Range<usize>)> = Vec::new();
    for cut in cuts.windows(2) {
        let covers = |range: &Range<usize>| range.start <= cut[0] && cut[1] <= range.end;
        let part = marks.iter().find(|(_, range)| covers(range)).map_or(SpanKind::Unmarked, |mark| mark.0);
        match parts.last_mut() {
            Some((last, range)) if *last == part => range.end = cut[1],
            _ => parts.push((part, cut[0]..cut[1])),
        }
    }
    parts
}

fn raw_lines(model: &Model, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    let reply = &*attempt.reply;
    if reply.is_empty() {
        return vec![Line::styled(empty_reply_text(attempt), model.style(StyleRole::Dim))];
    }
    let mut lines = Vec::new();
    for (part, range) in split_spans(attempt) {
        let continues = !reply[..range.start].ends_with('\n') && range.start > 0;
        // Spaces before the next span would look like a line of their own.
        let text = reply[range].trim_end_matches([' ', '\t']);
        let text = text.strip_suffix('\n').unwrap_or(text);
        if continues && text.is_empty() {
            continue;
        }
        // The line break was already drawn.
        let text = if continues { text.strip_prefix('\n').unwrap_or(text) } else { text };
        let label = part.label(matches!(attempt.verdict, Some(Err(_))));
        lines.extend(span_lines(model, part, label, text, continues, width));
    }
    lines
}

/// A span with its label at the first line; the bar is dotted where the span continues a line of the reply.
fn span_lines(
    model: &Model,
    part: SpanKind,
    (word, role): (&str, StyleRole),
    text: &str,
    continues: bool,
    width: u16,
) -> Vec<Line<'static>> {
    let style = model.style(role);
    let mut lines = wrap(text, width, &Span::styled(format!("{:LABEL_WIDTH$} │ ", ""), style), style);
    if let Some(first) = lines.first_mut() {
        let bar = if continues && part != SpanKind::Unmarked { '┊' } else { '│' };
        first.spans[0] = Span::styled(format!("{word:>LABEL_WIDTH$} {bar} "), style);
    }
    lines
}

/// The findings of the reader, one per line.
pub(crate) fn findings(viewed: &EpisodeView, step: &Step, attempt: &Attempt) -> Vec<(String, StyleRole)> {
    let rules = &viewed.snapshot.head.rules;
    let mut found = match &attempt.verdict {
        _ if attempt.cancelled => vec![(cancelled_text(attempt), StyleRole::Warn)],
        None if attempt.continued => {
            vec![("… odd number of code fences: the agent was asked to continue".into(), StyleRole::Warn)]
        }
        None => vec![("… not parsed yet".into(), StyleRole::Dim)],
        Some(Ok(actions)) => accepted_findings(&rules.to_string(), actions, attempt),
        Some(Err(_)) if !attempt.ending.is_readable() => {
            vec![(format!("✗ not parsed: {}", attempt.ending), StyleRole::MarkUnread)]
        }
        Some(Err(failure)) => rejected_findings(&rules.to_string(), failure, step, attempt),
    };
    found.extend(remarks(attempt).into_iter().map(|words| (words, StyleRole::Warn)));
    found
}

/// Why a reply does not count.
pub(super) fn cancelled_text(attempt: &Attempt) -> String {
    match &attempt.ending {
        ReplyEnding::Complete => "✂ cancelled; not counted".to_owned(),
        ending => format!("✂ {ending}; the episode stopped, the reply is not counted"),
    }
}

/// What is unusual about a reply that was read: its end, and what was repaired.
pub(super) fn remarks(attempt: &Attempt) -> Vec<String> {
    let readable = attempt.ending.is_readable() && !attempt.ending.is_complete();
    let ending = readable.then(|| format!("· {}; it was parsed as usual", attempt.ending));
    ending.into_iter().chain(attempt.notes.iter().map(|note| format!("· {note}"))).collect()
}

fn accepted_findings(rules: &str, actions: &[Action], attempt: &Attempt) -> Vec<(String, StyleRole)> {
    let names: Vec<String> = actions.iter().take(8).map(shown_action).collect();
    let more = if actions.len() > names.len() { ", …" } else { "" };
    let mut found = vec![(format!("✓ parsed by {rules} as {}{more}", names.join(", ")), StyleRole::Ok)];
    found.extend(attempt.marks.fallback.iter().map(|fallback| {
        let position = position_text(&attempt.reply, &fallback.span);
        (format!("· fallback rule {:?} matched {position}", fallback.rule), StyleRole::Warn)
    }));
    let places = [("analysis", &attempt.marks.analysis), ("action", &attempt.marks.action)];
    let places = places.into_iter().filter_map(|(word, range)| Some((word, range.clone()?)));
    found.extend(places.map(|(word, range)| {
        (format!("· {word}: {}", position_text(&attempt.reply, &range)), StyleRole::Text)
    }));
    found.extend(attempt.marks.blocks.iter().take(MAX_ARGUMENTS).map(|block| {
        let role =
            if block.parameter.is_some() && !block.replaced { StyleRole::Text } else { StyleRole::Warn };
        (format!("· {}", block_text(&attempt.reply, block)), role)
    }));
    let args = attempt.marks.args.iter().filter(|_| attempt.marks.blocks.is_empty());
    found.extend(args.take(MAX_ARGUMENTS).map(|arg| {
        let position = position_text(&attempt.reply, &arg.at);
        (format!("· argument {}: {position}", arg.parameter), StyleRole::Text)
    }));
    found.extend(applied_leniencies(&attempt.marks).map(|words| (format!("· {words}"), StyleRole::Warn)));
    let dropped = attempt.marks.dropped.len();
    found.extend(
        (dropped > 0)
            .then(|| (format!("· ignored list entries that name no action: {dropped}"), StyleRole::Warn)),
    );
    found
}

/// The action in written form; code in it is only counted.
fn shown_action(action: &Action) -> String {
    let counted = |arg: &Arg| match arg {
        Arg::Code(code) => Arg::Text(format!("{} characters", code.chars().count())),
        arg => arg.clone(),
    };
    let args = action.args.iter().map(|(name, arg)| (name.clone(), counted(arg)));
    Action { args: args.collect(), ..action.clone() }.to_string()
}

/// What a code block was read as, by which rule, and where it is.
fn block_text(reply: &str, block: &BlockSpan) -> String {
    let name = block.parameter.as_deref().unwrap_or("none");
    let replaced = if block.replaced { ", replaced by a later block" } else { "" };
    let label = with_visible_blanks(reply.get(block.label.clone()).unwrap_or_default());
    let label = if label.is_empty() { String::new() } else { format!(" ⟦{label}⟧") };
    format!("block {name} ({}{label}{replaced}): {}", block.rule, position_text(reply, &block.at))
}

fn rejected_findings(
    rules: &str,
    failure: &ParseError,
    step: &Step,
    attempt: &Attempt,
) -> Vec<(String, StyleRole)> {
    let mut found = vec![(
        format!("✗ rejected by rule {} of {rules}: {}", failure.rule, failure.why),
        StyleRole::MarkUnread,
    )];
    found.extend(failure.at.clone().filter(|range| attempt.reply.get(range.clone()).is_some()).map(
        |range| {
            let text = with_visible_blanks(&attempt.reply[range.clone()]);
            (format!("· error at {}: ⟦{text}⟧", position_text(&attempt.reply, &range)), StyleRole::MarkUnread)
        },
    ));
    found.extend(
        suggested_actions(failure, step)
            .map(|words| (format!("· {words} (suggestion only)"), StyleRole::Text)),
    );
    found
}

/// The fallback rule and the deviations that the reader tolerated, or `None` for an exact reply.
pub(super) fn applied_leniencies(marks: &Spans) -> Option<String> {
    let words: Vec<String> = marks.liberties.iter().map(ToString::to_string).collect();
    let tolerated = (!words.is_empty()).then(|| format!("tolerated: {}", words.join(", ")));
    let fallback = marks.fallback.as_ref().map(|found| format!("fallback rule {:?}", found.rule));
    let found: Vec<String> = fallback.into_iter().chain(tolerated).collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// The nearest actions or, if there are none, all actions; `None` when the error is not about actions.
pub(super) fn suggested_actions(failure: &ParseError, step: &Step) -> Option<String> {
    let about_actions = matches!(failure.rule.as_str(), "action" | "list");
    match failure.near.as_slice() {
        [] => about_actions
            .then(|| format!("the actions are {}", step.space.names().collect::<Vec<_>>().join(", "))),
        near if about_actions => Some(format!("nearest actions: {}", near.join(", "))),
        near => Some(format!("nearest names: {}", near.join(", "))),
    }
}

/// The position of a span: characters and line counted from 1, and bytes from 0 as in the journal.
fn position_text(reply: &str, range: &Range<usize>) -> String {
    let before = reply.get(..range.start).unwrap_or(reply);
    let inside = reply.get(range.clone()).unwrap_or_default();
    let (first, line) = (before.chars().count() + 1, before.matches('\n').count() + 1);
    let characters = match inside.chars().count() {
        0 => format!("before character {first}"),
        1 => format!("character {first}"),
        count => format!("characters {first} to {}", first + count - 1),
    };
    format!("{characters}, line {line} (bytes {}..{})", range.start, range.end)
}

/// The text with visible spaces, tabs and line breaks. Other control characters are made visible when drawn.
fn with_visible_blanks(text: &str) -> String {
    let sign = |c: char| match c {
        ' ' => '·',
        '\t' => '⇥',
        '\n' => '⏎',
        c => c,
    };
    let mut shown: String = text.chars().take(MAX_QUOTED).map(sign).collect();
    shown.extend(text.chars().nth(MAX_QUOTED).map(|_| '…'));
    shown
}

/// The placeholder for a reply without text.
pub(super) fn empty_reply_text(attempt: &Attempt) -> &'static str {
    if attempt.cancelled { "(no text received)" } else { "(empty reply)" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing;

    /// The raw view of the replies of the fifth step of the sample episode.
    fn seen(reply: Option<usize>, width: u16) -> Vec<String> {
        let mut model = testing::model(120, 40);
        model.shown_reply = reply;
        let viewed = model.episode().unwrap();
        let step = viewed.snapshot.steps.iter().find(|step| step.attempts.len() == 3).unwrap();
        lines(&model, viewed, step, width).iter().map(|line| line.to_string().trim_end().to_owned()).collect()
    }

    #[test]
    fn a_rejected_reply_shows_the_characters_and_the_nearest_actions() {
        assert_eq!(
            seen(Some(0), 70),
            [
                "── raw reply 1 of 3, 32 bytes ────────────────────────────────────────",
                "✗ rejected by rule action of strict/1: \"left\" is not an action",
                "· error at characters 29 to 32, line 5 (bytes 28..32): ⟦left⟧",
                "· nearest actions: Left (suggestion only)",
                "",
                "         │ # analyze",
                "analysis │ nothing",
                "         │",
                "         │ # action",
                "   error │ left",
            ]
        );
    }

    #[test]
    fn the_last_reply_is_shown_by_default() {
        assert!(seen(None, 70)[0].starts_with("── raw reply 3 of 3"));
        assert!(seen(Some(1), 70)[0].starts_with("── raw reply 2 of 3"));
        assert!(seen(Some(99), 70)[0].starts_with("── raw reply 3 of 3"));
    }

    #[test]
    fn spans_within_a_line_are_shown_on_lines_of_their_own() {
        let marks =
            Spans { action: Some(4..11), dropped: std::iter::once(4..7).collect(), ..Spans::default() };
        let attempt = refused("# a\nx y, z\u{1b}\n", 9..10, marks);
        let model = testing::model(120, 40);
        let shown: Vec<_> = raw_lines(&model, &attempt, 40)
            .iter()
            .map(|line| line.to_string().trim_end().to_owned())
            .collect();
        assert_eq!(
            shown,
            ["         │ # a", " ignored │ x y", "✗ action ┊ ,", "   error ┊ z", "✗ action ┊ ␛"]
        );
    }

    #[test]
    fn a_fallback_rule_is_named_with_what_it_matched() {
        use crate::dialog::ReaderRules;
        use crate::domain::ActionSpace;
        use crate::domain::ReplyFormat;
        let (reply, space) = ("So.\nAnswer: Up", ActionSpace::new(&[("Up", ""), ("Down", "")]));
        let rules = ReaderRules::named("rescue").unwrap();
        let format = ReplyFormat::headings("# analyze", "# action", false);
        let outcome = crate::dialog::parse_reply(&rules, &format, reply, &space);
        let mut attempt = Attempt::pending(reply.to_owned().into(), None);
        (attempt.verdict, attempt.marks) = (Some(outcome.result), outcome.spans);
        let actions = attempt.verdict.clone().unwrap().unwrap();
        let found: Vec<_> =
            accepted_findings("rescue/1", &actions, &attempt).into_iter().map(|line| line.0).collect();
        assert_eq!(
            found[1],
            "· fallback rule \"answer line\" matched characters 5 to 14, line 2 (bytes 4..14)"
        );
        let model = testing::model(120, 40);
        let shown: Vec<_> = raw_lines(&model, &attempt, 40)
            .iter()
            .map(|line| line.to_string().trim_end().to_owned())
            .collect();
        assert_eq!(shown, ["analysis │ So.", " matched │ Answer:", "  action ┊ Up"]);
        assert_eq!(applied_leniencies(&attempt.marks).unwrap(), "fallback rule \"answer line\"");
    }

    #[test]
    fn arguments_are_marked_and_listed() {
        use crate::dialog::ReaderRules;
        use crate::domain::ReplyFormat;
        let (reply, space) = ("# action\nclick((1, 2), left)", testing::space_with_params());
        let rules = ReaderRules::named("strict").unwrap();
        let format = ReplyFormat::headings("# analyze", "# action", false);
        let outcome = crate::dialog::parse_reply(&rules, &format, reply, &space);
        let mut attempt = Attempt::pending(reply.to_owned().into(), None);
        (attempt.verdict, attempt.marks) = (Some(outcome.result), outcome.spans);
        let actions = attempt.verdict.clone().unwrap().unwrap();
        let found: Vec<_> =
            accepted_findings("strict/1", &actions, &attempt).into_iter().map(|line| line.0).collect();
        assert_eq!(found[2], "· argument at: characters 16 to 21, line 2 (bytes 15..21)");
        let model = testing::model(120, 40);
        let shown: Vec<_> = raw_lines(&model, &attempt, 40)
            .iter()
            .map(|line| line.to_string().trim_end().to_owned())
            .collect();
        let expected = [
            "         │ # action",
            "  action │ click(",
            "argument ┊ (1, 2)",
            "  action ┊ ,",
            "argument ┊ left",
            "  action ┊ )",
        ];
        assert_eq!(shown, expected);
    }

    fn refused(reply: &str, at: Range<usize>, marks: Spans) -> Attempt {
        let failure = ParseError { rule: "action".into(), why: "no".into(), at: Some(at), near: Vec::new() };
        let verdict = Some(Err(failure));
        Attempt { verdict, marks, ..Attempt::pending(reply.to_owned().into(), None) }
    }

    #[test]
    fn spans_outside_the_reply_are_ignored() {
        let attempt = refused("é", 1..9, Spans { analysis: Some(1..2), ..Spans::default() });
        assert_eq!(split_spans(&attempt), [(SpanKind::Unmarked, 0..2)]);
        assert_eq!(with_visible_blanks("a b\t\n"), "a·b⇥⏎");
        assert_eq!(position_text("é\nab", &(3..5)), "characters 3 to 4, line 2 (bytes 3..5)");
    }
}
