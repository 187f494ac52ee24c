//! A request that has not been sent: the turns it would be made of.

use ratatui::text::Line;
use ratatui::text::Span;

use super::image;
use super::said;
use super::scale;
use super::speaker;
use crate::dialog::Request;
use crate::domain::ESTIMATE;
use crate::domain::Message;
use crate::domain::Piece;
use crate::domain::Role as Speaker;
use crate::engine::Snapshot;
use crate::tui::asked::Why;
use crate::tui::asked::unsent;
use crate::tui::figures::many;
use crate::tui::model::Model;
use crate::tui::panes::measure;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

pub(super) fn lines(
    model: &Model,
    snapshot: &Snapshot,
    request: &Request,
    why: Why,
    width: u16,
) -> Vec<Line<'static>> {
    let measured = measure(snapshot, request);
    let step = request.ledger.rows().first().map_or(0, |row| row.step);
    let past = snapshot.steps.iter().rev().skip(1).find(|past| past.number == step);
    let window = past.map_or(snapshot.window, |past| past.window);
    let words = [
        unsent(snapshot, why),
        format!(
            "{}, {} characters, ~{} tokens ({ESTIMATE})",
            many(measured.images, "image"),
            measured.characters,
            measured.tokens
        ),
        format!(
            "by the prompt {}, AM {}, OM {}: {}, {}",
            snapshot.prompt,
            window.am(),
            window.om(),
            many(request.messages.len(), "turn"),
            many(request.ledger.outputs(), "output"),
        ),
    ];
    let head = words.iter().flat_map(|words| wrap(words, width, &Span::raw(""), model.style(Role::Dim)));
    let mut lines: Vec<_> = head.collect();
    for (index, message) in request.messages.iter().enumerate() {
        lines.extend(turn(model, snapshot, index + 1, message, width));
    }
    lines
}

fn turn(
    model: &Model,
    snapshot: &Snapshot,
    number: usize,
    message: &Message,
    width: u16,
) -> Vec<Line<'static>> {
    let who = match message.role {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    let mut lines = speaker(model, number, who);
    lines.extend(message.pieces.iter().flat_map(|piece| match piece {
        Piece::Text(segment, text) => said(model, Some(*segment), text, width),
        Piece::Frame(step, picture) => {
            let painted = (picture.width(), picture.height());
            let size = snapshot.packing.as_ref().map_or(painted, |packing| packing.scaled(painted));
            let scale = scale(Some(painted), size);
            let words = format!("image: the frame of step {step}, {}×{} px{scale}", size.0, size.1);
            image(model, &words, width)
        }
    }));
    lines
}
