//! A request as it was sent: the stored body, turn by turn, and what it asked for beside its turns.

use ratatui::text::Line;
use ratatui::text::Span;
use serde_json::Value;

use super::image;
use super::said;
use super::scale;
use super::speaker;
use crate::domain::Blob;
use crate::domain::ESTIMATE;
use crate::domain::Sent;
use crate::domain::Told;
use crate::domain::ToldPart;
use crate::domain::estimated;
use crate::engine::Asking;
use crate::engine::Snapshot;
use crate::tui::figures::many;
use crate::tui::model::Model;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

pub(super) fn lines(
    model: &Model,
    snapshot: &Snapshot,
    sent: &Sent,
    asking: Option<&Asking>,
    width: u16,
) -> Vec<Line<'static>> {
    let turns = sent.turns();
    let mut lines = Vec::new();
    for words in heading(&turns, asking) {
        lines.extend(wrap(&words, width, &Span::raw(""), model.style(Role::Dim)));
    }
    for (index, turn) in turns.iter().enumerate() {
        lines.extend(speaker(model, index + 1, turn.role));
        lines.extend(turn.parts.iter().flat_map(|part| shown(model, snapshot, part, width)));
    }
    lines.extend(fields(model, &sent.body, width));
    lines
}

fn heading(turns: &[Told<'_>], asking: Option<&Asking>) -> Vec<String> {
    let parts = || turns.iter().flat_map(|turn| &turn.parts);
    let characters = parts().map(|part| match part {
        ToldPart::Text(_, text) => text.chars().count(),
        ToldPart::Image(_) | ToldPart::Strange(_) => 0,
    });
    let characters: usize = characters.sum();
    let images = || {
        parts().filter_map(|part| match part {
            ToldPart::Image(blob) => Some(blob.map_or((0, 0), |blob| blob.size)),
            ToldPart::Text(..) | ToldPart::Strange(_) => None,
        })
    };
    let (count, tokens) = (images().count(), estimated(characters, images()));
    let by = asking.map_or_else(String::new, |asking| format!("by the prompt {}, ", asking.prompt));
    let outputs = turns.iter().filter(|turn| turn.role == "assistant").count();
    vec![
        format!("{}, {characters} characters, ~{tokens} tokens ({ESTIMATE})", many(count, "image")),
        format!("{by}{}, {}", many(turns.len(), "turn"), many(outputs, "output")),
    ]
}

fn shown(model: &Model, snapshot: &Snapshot, part: &ToldPart<'_>, width: u16) -> Vec<Line<'static>> {
    match part {
        ToldPart::Text(segment, text) => said(model, *segment, text, width),
        ToldPart::Image(Some(blob)) => image(model, &described(snapshot, blob), width),
        ToldPart::Image(None) => image(model, "image: a picture that was not noted", width),
        ToldPart::Strange(value) => said(model, None, &value.to_string(), width),
    }
}

/// The step, size, scale, media type and digest of an image.
fn described(snapshot: &Snapshot, blob: &Blob) -> String {
    let Blob { size, step, media, digest, .. } = blob;
    let scale = scale(painted(snapshot, *step), *size);
    format!("image: the frame of step {step}, {}×{} px{scale}, {media}, {digest}", size.0, size.1)
}

/// The size of a step's frame as it was painted.
pub(crate) fn painted(snapshot: &Snapshot, step: u32) -> Option<(u32, u32)> {
    let step = snapshot.steps.iter().find(|past| past.number == step)?;
    step.seen.picture().map(|picture| (picture.width(), picture.height()))
}

/// Model, sampling and whatever else stands in the body.
fn fields(model: &Model, body: &Value, width: u16) -> Vec<Line<'static>> {
    let fields = body.as_object().into_iter().flatten().filter(|(name, _)| *name != "messages");
    let words: Vec<String> = fields.map(|(name, value)| format!("{name} {value}")).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::default(), super::super::heading(model, "beside the turns")];
    lines.extend(wrap(&words.join(", "), width, &Span::raw("  "), model.style(Role::Dim)));
    lines
}
