//! A request that has not been sent: the turns that it would have.

use ratatui::text::{Line, Span};

use super::{image_name, image_part, scale_text, text_part, turn_heading};
use crate::model::{EpisodeView, Model};
use crate::panes::{count_parts, request_size};
use crate::shown_request::{UnsentReason, unsent_message};
use mageyard_dialog::Request;
use mageyard_domain::{Message, MessagePart, Role as Speaker, TOKEN_ESTIMATE_RULE};
use mageyard_engine::Snapshot;
use mageyard_terminal::{StyleRole, count_of, wrap};

pub(super) fn lines(
    model: &Model,
    viewed: &EpisodeView,
    request: &Request,
    why: UnsentReason,
    width: u16,
) -> Vec<Line<'static>> {
    let snapshot = &viewed.snapshot;
    let measured = request_size(snapshot, request);
    let step = request.ledger.rows().first().map_or(0, |row| row.step);
    let past = snapshot.steps.iter().rev().skip(1).find(|past| past.number == step);
    let window = match why {
        UnsentReason::Preview | UnsentReason::AfterEnd => viewed.window(),
        _ => past.map_or(snapshot.window, |past| past.window),
    };
    let mut words = vec![
        unsent_message(snapshot, why),
        format!(
            "{}, {} characters, ~{} tokens ({TOKEN_ESTIMATE_RULE})",
            count_parts(|kind| request.ledger.count(kind)),
            measured.characters,
            measured.tokens
        ),
        format!(
            "prompt {}, AM {}, OM {}: {}, {}",
            viewed.prompt(),
            window.am(),
            window.om(),
            count_of(request.messages.len(), "turn"),
            count_of(request.ledger.outputs(), "output"),
        ),
    ];
    words.extend(super::thoughts_line(snapshot, request.ledger.outputs()));
    let head = words.iter().flat_map(|words| wrap(words, width, &Span::raw(""), model.style(StyleRole::Dim)));
    let mut lines: Vec<_> = head.collect();
    for (index, message) in request.messages.iter().enumerate() {
        let mark = has_cache_mark(snapshot, request, index);
        lines.extend(turn_lines(model, snapshot, (index + 1, mark), message, width));
    }
    lines
}

/// Whether this turn will have a mark for the cache: the system text, and the last turn that the next request repeats.
fn has_cache_mark(snapshot: &Snapshot, request: &Request, index: usize) -> bool {
    let asks = snapshot.requests.encoder.as_ref().is_some_and(|encoder| encoder.asks_for_caching());
    let is_system = index == 0 && request.messages.first().is_some_and(|first| first.role == Speaker::System);
    asks && (is_system || index + 1 == request.stable)
}

fn turn_lines(
    model: &Model,
    snapshot: &Snapshot,
    (number, cache_mark): (usize, bool),
    message: &Message,
    width: u16,
) -> Vec<Line<'static>> {
    let who = match message.role {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    let mut lines = turn_heading(model, number, who, cache_mark);
    lines.extend(message.parts.iter().flat_map(|piece| match piece {
        MessagePart::Text(segment, text) => text_part(model, Some(*segment), text, width),
        MessagePart::Image(part, picture) => {
            let painted = (picture.width(), picture.height());
            let size =
                snapshot.requests.encoder.as_ref().map_or(painted, |packing| packing.scaled_size(painted));
            let scale = scale_text(Some(painted), size);
            let words = format!("{}, {}×{} px{scale}", image_name(*part), size.0, size.1);
            image_part(model, &words, Some(*part), width)
        }
    }));
    lines
}
