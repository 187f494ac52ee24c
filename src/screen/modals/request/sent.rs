//! A request as it was sent: the stored body turn by turn, then its other fields.

use ratatui::text::{Line, Span};

use super::{image_name, image_part, scale_text, text_part, turn_heading};
use crate::model::Model;
use crate::panes::count_parts;
use mageyard_domain::{
    BlobRef, PartId, PartKind, Segment, SentImage, SentRequest, TOKEN_ESTIMATE_RULE, Turn, TurnPart,
    estimate_tokens,
};
use mageyard_engine::{PromptVersion, Snapshot};
use mageyard_terminal::{StyleRole, count_of, wrap};

pub(super) fn lines(
    model: &Model,
    snapshot: &Snapshot,
    sent: &SentRequest,
    (asking, caching): (Option<&PromptVersion>, Option<String>),
    width: u16,
) -> Vec<Line<'static>> {
    let turns = sent.read_turns(model.request_reader);
    let mut lines = Vec::new();
    let outputs = turns.iter().filter(|turn| turn.role == "assistant").count();
    let thoughts = super::thoughts_line(snapshot, outputs);
    for words in summary(&turns, asking).into_iter().chain(caching).chain(thoughts) {
        lines.extend(wrap(&words, width, &Span::raw(""), model.style(StyleRole::Dim)));
    }
    for (index, turn) in turns.iter().enumerate() {
        lines.extend(turn_heading(model, index + 1, &turn.role, turn.cache_mark));
        lines.extend(turn.parts.iter().flat_map(|part| part_lines(model, snapshot, part, width)));
    }
    lines.extend(other_fields(model, sent, width));
    lines
}

fn summary(turns: &[Turn], asking: Option<&PromptVersion>) -> Vec<String> {
    let parts = || turns.iter().flat_map(|turn| &turn.parts);
    let characters = parts().map(|part| match part {
        TurnPart::Text(_, text) => text.chars().count(),
        TurnPart::Image { .. } | TurnPart::Unknown(_) => 0,
    });
    let characters: usize = characters.sum();
    let images = || {
        parts().filter_map(|part| match part {
            TurnPart::Image { image, .. } => Some(image.as_ref().map_or((0, 0), |image| image.size)),
            TurnPart::Text(..) | TurnPart::Unknown(_) => None,
        })
    };
    let tokens = estimate_tokens(characters, images());
    let texts = || parts().filter(|part| matches!(part, TurnPart::Text(Some(Segment::StateText), _)));
    let count = |kind| match kind {
        PartKind::Image => images().count(),
        PartKind::Text => texts().count(),
        PartKind::Data => 0,
    };
    let by = asking.map_or_else(String::new, |asking| format!("prompt {}, ", asking.prompt));
    let outputs = turns.iter().filter(|turn| turn.role == "assistant").count();
    vec![
        format!("{}, {characters} characters, ~{tokens} tokens ({TOKEN_ESTIMATE_RULE})", count_parts(count)),
        format!("{by}{}, {}", count_of(turns.len(), "turn"), count_of(outputs, "output")),
    ]
}

fn part_lines(model: &Model, snapshot: &Snapshot, part: &TurnPart, width: u16) -> Vec<Line<'static>> {
    match part {
        TurnPart::Text(segment, text) => text_part(model, *segment, text, width),
        TurnPart::Image { image: Some(image), .. } => {
            image_part(model, &image_description(snapshot, image), Some(image.part), width)
        }
        TurnPart::Image { image: None, .. } => image_part(model, "image: not recorded", None, width),
        TurnPart::Unknown(json) => text_part(model, None, json, width),
    }
}

/// The step, size, scale, media type and digest of an image.
fn image_description(snapshot: &Snapshot, image: &SentImage) -> String {
    let SentImage { size, part, blob: BlobRef { digest, media_type: media, .. }, .. } = image;
    let scale = scale_text(rendered_size(snapshot, *part), *size);
    format!("{}, {}×{} px{scale}, {media}, {digest}", image_name(*part), size.0, size.1)
}

/// The size of an image as it was rendered.
fn rendered_size(snapshot: &Snapshot, part: PartId) -> Option<(u32, u32)> {
    let step = snapshot.steps.numbered(part.step)?;
    let (_, picture) = step.observation.images().find(|(index, _)| *index == part.index)?;
    Some((picture.width(), picture.height()))
}

/// The fields of the body other than the turns, such as model and sampling.
fn other_fields(model: &Model, sent: &SentRequest, width: u16) -> Vec<Line<'static>> {
    let fields = model.request_reader.parameters(sent).into_iter();
    let words: Vec<String> = fields.map(|(name, value)| format!("{name} {value}")).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::default(), super::super::heading(model, "other fields")];
    lines.extend(wrap(&words.join(", "), width, &Span::raw("  "), model.style(StyleRole::Dim)));
    lines
}
