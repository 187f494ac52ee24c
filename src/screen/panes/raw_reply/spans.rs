//! What each span of a reply was parsed as.

use std::ops::Range;

use mageyard_dialog::Spans;
use mageyard_engine::Attempt;
use mageyard_terminal::StyleRole;

/// What a span was parsed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpanKind {
    Unmarked,
    Analysis,
    Action,
    /// An argument of an action.
    Argument,
    Dropped,
    Wrong,
    /// Matched by a fallback rule, outside the action.
    Matched,
    /// A thought, which is never parsed.
    Thought,
}

impl SpanKind {
    pub(super) fn label(self, rejected: bool) -> (&'static str, StyleRole) {
        match self {
            Self::Unmarked => ("", StyleRole::Heading),
            Self::Analysis => ("analysis", StyleRole::Analysis),
            Self::Action if rejected => ("✗ action", StyleRole::ActionRejected),
            Self::Action => ("action", StyleRole::Action),
            Self::Argument => ("argument", StyleRole::Key),
            Self::Dropped => ("dropped", StyleRole::Warn),
            Self::Wrong => ("error", StyleRole::MarkUnread),
            Self::Matched => ("matched", StyleRole::Warn),
            Self::Thought => ("thought", StyleRole::Dim),
        }
    }
}

/// Splits the reply into spans, in order and without gaps, also where a thought was. Spans outside the text are ignored.
pub(super) fn split_spans(attempt: &Attempt) -> Vec<(SpanKind, Range<usize>)> {
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
    let had_thought = |at: usize| attempt.thoughts.iter().any(|thought| thought.at == at);
    cuts.extend(
        attempt.thoughts.iter().map(|thought| thought.at).filter(|at| attempt.reply.is_char_boundary(*at)),
    );
    cuts.extend([0, attempt.reply.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut parts: Vec<(SpanKind, Range<usize>)> = Vec::new();
    for cut in cuts.windows(2) {
        let covers = |range: &Range<usize>| range.start <= cut[0] && cut[1] <= range.end;
        let part = marks.iter().find(|(_, range)| covers(range)).map_or(SpanKind::Unmarked, |mark| mark.0);
        match parts.last_mut() {
            Some((last, range)) if *last == part && !had_thought(cut[0]) => range.end = cut[1],
            _ => parts.push((part, cut[0]..cut[1])),
        }
    }
    parts
}
