//! The lines below the rows: what the reasons mean, an estimate of the tokens, and what the next request will contain.

use ratatui::text::{Line, Span};

use super::super::caching;
use super::marks;
use super::request::{ShownRequest, next_request};
use super::rows::{has_edited_output, has_thoughts, thought_sign};
use super::size::{count_outputs_and_parts, request_size};
use crate::command::CommandId;
use crate::model::{EpisodeView, Model};
use mageyard_dialog::{Inclusion, LedgerRow, ThoughtMemory};
use mageyard_terminal::{StyleRole, wrap};

/// What the reasons mean, and what the next request will contain.
pub(super) fn legend(
    model: &Model,
    viewed: &EpisodeView,
    request: &ShownRequest,
    width: u16,
) -> Vec<Line<'static>> {
    let mut words = vec![String::new()];
    let has = |wanted: Inclusion| {
        let wanted = |row: &LedgerRow| {
            row.observation == wanted || row.parts.iter().any(|part| part.inclusion == wanted)
        };
        request.ledger.rows().iter().any(wanted)
    };
    let usual = viewed.snapshot.perception.views.first().map(|view| view.name);
    if let Some(view) = request.ledger.view().filter(|view| Some(*view) != usual) {
        words.push(format!("states are shown in the view {view}"));
    }
    if request.ledger.older() > 0 {
        words.push(format!("past AM: older than {}", last_n(request.window.am(), "output")));
    }
    if has(Inclusion::OutsideOm) {
        words.push(format!(
            "past OM: older than {}; a placeholder is sent",
            last_n(request.window.om(), "frame")
        ));
    }
    let is_kept = |row: &LedgerRow| matches!(row.observation, Inclusion::Kept(_));
    if request.ledger.all_rows().any(is_kept) {
        words.push(format!(
            "first, every, new, reward, text: kept by memory.keep = {:?}",
            viewed.snapshot.head.layout.keep.to_string()
        ));
    }
    if has(Inclusion::SentAsText) {
        words.push("not sent: the prompt variant sends no images; the state is sent as text".into());
    }
    if has(Inclusion::StateImage) {
        words.push("not sent: the prompt variant sends the images of the task only".into());
    }
    if has(Inclusion::InFirstTurn) {
        words.push("first turn: the task is sent once, at the beginning".into());
    }
    if has(Inclusion::OverLimit) {
        let most = viewed.snapshot.head.layout.plan_images;
        words
            .push(format!("over limit: more than {most} images (memory.plan_images); a placeholder is sent"));
    }
    if request.ledger.rows().iter().any(|row| row.output == Inclusion::AsFiles) {
        words.push("output: in, as files: the newest observation has what it wrote".into());
    }
    if request.ledger.feedback() > 0 {
        words.push("↩: with feedback on the action before, which was refused or failed".into());
    }
    if request.ledger.reflections() > 0 {
        words.push("◇: with what a module said of the state".into());
    }
    let is_old = |inclusion| inclusion == Inclusion::OldFeedback;
    if request.ledger.rows().iter().any(|row| is_old(row.feedback) || is_old(row.reflection)) {
        words.push("feedback on earlier steps is not sent (memory.feedback = newest)".into());
    }
    if has(Inclusion::NotText) {
        words.push("not text: data that is not text is never sent".into());
    }
    let edited = |row: &LedgerRow| row.output.is_included() && has_edited_output(viewed, row.step);
    if request.ledger.rows().iter().any(edited) {
        words.push("✎: edited by a person".into());
    }
    let thoughtful = |row: &LedgerRow| row.output.is_included() && has_thoughts(viewed, row.step);
    if request.ledger.rows().iter().any(thoughtful) {
        words.push(format!(
            "{}: {}",
            thought_sign(viewed),
            thoughts_text(viewed.snapshot.head.layout.thoughts)
        ));
    }
    words.extend(marks::legend(viewed, request.step));
    words.extend(token_estimate(model, viewed, request));
    let was_sent = !request.is_next && !request.hypothetical;
    words.extend(caching::estimate_of_first(model, viewed, request.step).filter(|_| was_sent));
    words.extend(next_request_preview(viewed, request));
    let style = model.style(StyleRole::Dim);
    words.iter().flat_map(|words| wrap(words, width, &Span::raw(""), style)).collect()
}

/// What happens to the thoughts of past outputs.
pub(crate) fn thoughts_text(memory: ThoughtMemory) -> &'static str {
    match memory {
        ThoughtMemory::Drop => "past outputs are sent without their thoughts (memory.thoughts = drop)",
        ThoughtMemory::Keep => "past outputs are sent with their thoughts (memory.thoughts = keep)",
    }
}

/// The estimated tokens of the next request, once all of it is known.
fn token_estimate(model: &Model, viewed: &EpisodeView, request: &ShownRequest) -> Option<String> {
    let coming = request.is_next && viewed.live && !viewed.is_over();
    let next = viewed.snapshot.request().filter(|_| coming)?;
    let tokens = request_size(&viewed.snapshot, &next).tokens;
    let key = model
        .appearance
        .keys
        .keys(CommandId::Request)
        .into_iter()
        .next()
        .unwrap_or_else(|| ":request".into());
    Some(format!("~{tokens} tokens (estimate, see {key})"))
}

fn last_n(count: u16, noun: &str) -> String {
    match count {
        0 => format!("the last 0 {noun}s"),
        1 => format!("the last {noun}"),
        count => format!("the last {count} {noun}s"),
    }
}

/// While a request is in flight, what the next one will contain with the current window.
fn next_request_preview(viewed: &EpisodeView, request: &ShownRequest) -> Option<String> {
    let next = next_request(viewed).filter(|_| !request.is_next && !viewed.looks_back())?;
    Some(format!("step {} will send {}", next.step, count_outputs_and_parts(&next.ledger)))
}
