//! The size of a request: its outputs and parts by kind, its characters, and an estimate of its tokens.
use mageyard_dialog::Ledger;
use mageyard_domain::{Message, MessagePart, PartKind, estimate_tokens};
use mageyard_engine::Snapshot;
use mageyard_terminal::count_of;

/// The kinds of parts, with their names in counts.
pub(super) const KINDS: [(PartKind, &str); 3] =
    [(PartKind::Image, "image"), (PartKind::Text, "text"), (PartKind::Data, "data part")];

/// `2 outputs, 2 images, 1 text`.
pub(super) fn count_outputs_and_parts(ledger: &Ledger) -> String {
    format!("{}, {}", count_of(ledger.outputs(), "output"), count_parts(|kind| ledger.count(kind)))
}

/// `2 images, 1 text`: images always, other kinds if there are any.
pub(crate) fn count_parts(count: impl Fn(PartKind) -> usize) -> String {
    let shown = KINDS.iter().filter(|(kind, _)| *kind == PartKind::Image || count(*kind) > 0);
    shown.map(|(kind, noun)| count_of(count(*kind), noun)).collect::<Vec<_>>().join(", ")
}

/// The size of a request that has not been sent.
pub(crate) struct RequestSize {
    pub(crate) characters: usize,
    /// An estimate.
    pub(crate) tokens: u64,
}

/// Measures a request; images count with the size at which they would be sent.
pub(crate) fn request_size(snapshot: &Snapshot, request: &mageyard_dialog::Request) -> RequestSize {
    let pieces = || request.messages.iter().flat_map(|message| &message.parts);
    let characters = pieces().map(|piece| match piece {
        MessagePart::Text(_, text) => text.chars().count(),
        MessagePart::Image(..) => 0,
    });
    let characters = characters.sum();
    let frames: Vec<(u32, u32)> = request
        .messages
        .iter()
        .flat_map(Message::images)
        .map(|(_, picture)| (picture.width(), picture.height()))
        .map(|painted| {
            snapshot.requests.encoder.as_ref().map_or(painted, |packing| packing.scaled_size(painted))
        })
        .collect();
    RequestSize { characters, tokens: estimate_tokens(characters, frames) }
}
