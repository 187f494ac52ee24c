//! The rows of the ledger: one line per step, with what is in the request and why the rest is not.

use ratatui::text::{Line, Span};

use super::marks;
use super::request::ShownRequest;
use super::size::KINDS;
use crate::model::{EpisodeView, Model};
use mageyard_dialog::{Inclusion, LedgerPart, LedgerRow, LeftOut, ThoughtMemory};
use mageyard_domain::PartKind;
use mageyard_engine::Attempt;
use mageyard_terminal::{StyleRole, count_of};

/// The least columns of the step number, and the columns of an inclusion where there is room.
const STEP_WIDTH: usize = 4;
const INCLUSION_WIDTH: usize = 11;

/// The columns of the table in a pane of this width: the step numbers and the outputs; observations have the rest.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    step: usize,
    output: usize,
    observation: usize,
}

impl Columns {
    pub(super) fn new(request: &ShownRequest, width: u16) -> Self {
        let step = request.step.to_string().len().max(STEP_WIDTH);
        let room = usize::from(width).saturating_sub(step + 2);
        let output = INCLUSION_WIDTH.min(room.saturating_sub(INCLUSION_WIDTH - 1)).max(1);
        Self { step, output, observation: room.saturating_sub(output) }
    }
}

pub(super) fn row_text(columns: Columns, step: &str, output: &str, frame: &str) -> String {
    let Columns { step: number, output: outputs, .. } = columns;
    format!("{step:>number$}  {output:<outputs$}{frame}")
}

pub(super) fn ledger_line(
    model: &Model,
    viewed: &EpisodeView,
    request: &ShownRequest,
    row: &LedgerRow,
    Columns { step, output: width, observation: room }: Columns,
) -> Line<'static> {
    let number = if row.step == request.step { StyleRole::Title } else { StyleRole::Dim };
    let (output, role) = output_text(viewed, request, row);
    let (observation, observation_role) = observation_text(row, room);
    let output = format!("{output}{}", marks::sign(viewed, request.step, LeftOut::Row(row.step)));
    let observation = format!("{observation}{}", marks::sign(viewed, request.step, LeftOut::Frame(row.step)));
    Line::from(vec![
        Span::styled(format!("{:>step$}  ", row.step), model.style(number)),
        Span::styled(format!("{output:<width$}"), model.style(role)),
        Span::styled(observation, model.style(observation_role)),
    ])
}

/// Whether the output of a step is in the request, with signs for edits and thoughts.
fn output_text(viewed: &EpisodeView, request: &ShownRequest, row: &LedgerRow) -> (String, StyleRole) {
    if row.step == request.step {
        ("its reply".to_owned(), StyleRole::Dim)
    } else if row.output.is_included() && has_edited_output(viewed, row.step) {
        ("● in ✎".to_owned(), StyleRole::In)
    } else if row.output.is_included() && has_thoughts(viewed, row.step) {
        (format!("● in {}", thought_sign(viewed)), StyleRole::In)
    } else {
        inclusion_text(row.output)
    }
}

/// The sign of feedback that is sent with a state.
pub(super) const FEEDBACK_SIGN: &str = " ↩";
/// The sign of what a module said of a state, which is sent with it.
pub(super) const REFLECTION_SIGN: &str = " ◇";

/// Whether the output of a step is in the request, in words.
pub(super) fn output_words(viewed: &EpisodeView, request: &ShownRequest, row: &LedgerRow) -> String {
    let mark = marks::words(viewed, request.step, LeftOut::Row(row.step));
    without_dot(&output_text(viewed, request, row).0).replace('✎', "edited") + &mark
}

/// Which parts of an observation are in the request, in words.
pub(super) fn observation_words(viewed: &EpisodeView, request: &ShownRequest, row: &LedgerRow) -> String {
    let mark = marks::words(viewed, request.step, LeftOut::Frame(row.step));
    let words = observation_text(row, usize::MAX).0.replace(FEEDBACK_SIGN, ", with feedback");
    let words = words.replace(REFLECTION_SIGN, ", with what a module said");
    without_dot(&words).to_owned() + &mark
}

/// The words without the sign in front of them.
fn without_dot(words: &str) -> &str {
    words.trim_start_matches(['●', '○', '·', '!']).trim_start()
}

/// Which parts of an observation are in the request, by kind where there is room; a single image is just in.
fn observation_text(row: &LedgerRow, room: usize) -> (String, StyleRole) {
    let left_out = row.parts.iter().find(|part| !part.inclusion.is_included());
    if !row.observation.is_included() {
        return inclusion_text(row.observation);
    }
    let feedback = if row.feedback.is_included() { FEEDBACK_SIGN } else { "" };
    let reflection = if row.reflection.is_included() { REFLECTION_SIGN } else { "" };
    let signs = format!("{feedback}{reflection}");
    let (words, role) = match (&row.parts[..], left_out) {
        ([LedgerPart { kind: PartKind::Image, inclusion, .. }], _) => inclusion_text(*inclusion),
        (parts, Some(part)) if !parts.iter().any(|part| part.inclusion.is_included()) => {
            inclusion_text(part.inclusion)
        }
        _ => {
            let room = room.saturating_sub(2 + signs.chars().count());
            let words = shortest(included_kinds(row), row.parts_included(), room);
            (format!("● {words}"), StyleRole::In)
        }
    };
    (words + &signs, role)
}

/// The words, or the number of parts if they need more than `room` columns: numbers are never cut.
fn shortest(words: String, parts: usize, room: usize) -> String {
    if words.chars().count() <= room { words } else { count_of(parts, "part") }
}

/// `2 images, 1 text`.
fn included_kinds(row: &LedgerRow) -> String {
    let shown = KINDS.iter().filter(|(kind, _)| row.count(*kind) > 0);
    shown.map(|(kind, noun)| count_of(row.count(*kind), noun)).collect::<Vec<_>>().join(", ")
}

/// Whether the output of this step was edited by a person.
pub(super) fn has_edited_output(viewed: &EpisodeView, number: u32) -> bool {
    let step = viewed.snapshot.steps.numbered(number);
    step.and_then(|step| step.last_reply()).is_some_and(Attempt::is_edited)
}

/// Whether thoughts were taken from the output of this step.
pub(super) fn has_thoughts(viewed: &EpisodeView, number: u32) -> bool {
    let step = viewed.snapshot.steps.numbered(number);
    step.and_then(|step| step.last_reply()).is_some_and(|reply| !reply.thoughts.is_empty())
}

/// The sign of an output with thoughts.
pub(super) fn thought_sign(viewed: &EpisodeView) -> &'static str {
    match viewed.snapshot.head.layout.thoughts {
        ThoughtMemory::Drop => "−",
        ThoughtMemory::Keep => "+",
    }
}

/// Whether something is in the request, by symbol, word and colour.
fn inclusion_text(inclusion: Inclusion) -> (String, StyleRole) {
    let (words, role) = match inclusion {
        Inclusion::Included => ("● in", StyleRole::In),
        Inclusion::Kept(rule) => return (format!("● {}", rule.name()), StyleRole::In),
        Inclusion::OutsideAm => ("○ past AM", StyleRole::Out),
        Inclusion::OutsideOm => ("○ past OM", StyleRole::Out),
        Inclusion::SentAsText => ("○ not sent", StyleRole::Out),
        Inclusion::NotText => ("○ not text", StyleRole::Out),
        Inclusion::StateImage => ("○ not sent", StyleRole::Out),
        Inclusion::OverLimit => ("○ over limit", StyleRole::Out),
        Inclusion::InFirstTurn => ("○ first turn", StyleRole::Out),
        Inclusion::OldFeedback => ("○ not newest", StyleRole::Out),
        Inclusion::LeftOut => ("○ left out", StyleRole::Out),
        Inclusion::AsFiles => ("● in, files", StyleRole::In),
        Inclusion::Unreadable => ("! unreadable", StyleRole::Fault),
        Inclusion::Absent => ("· none", StyleRole::Out),
    };
    (words.to_owned(), role)
}
