//! The turns of the last request: most of them are in the next one too, with the same texts, so they are neither written
//! nor read again.

use std::sync::Arc;

use super::decode::ReadTurn;
use mageyard_domain::{Message, MessagePart, Outline, SentTurn};

/// A turn that was written and read.
pub(super) struct KnownTurn {
    message: Message,
    /// Whether it asks the server to cache everything up to its end.
    marked: bool,
    read: Arc<ReadTurn>,
    /// Its stored form.
    pub(super) sent: Arc<SentTurn>,
}

impl KnownTurn {
    /// Whether it was written from this message.
    pub(super) fn is_of(&self, message: &Message, marked: bool) -> bool {
        let known = &self.message.parts;
        let parts = &message.parts;
        self.marked == marked
            && self.message.role == message.role
            && known.len() == parts.len()
            && known.iter().zip(parts).all(|(known, part)| is_same(known, part))
    }
}

fn is_same(known: &MessagePart, part: &MessagePart) -> bool {
    match (known, part) {
        (MessagePart::Text(known, before), MessagePart::Text(segment, text)) => {
            known == segment && (Arc::ptr_eq(before, text) || before == text)
        }
        (MessagePart::Image(known, before), MessagePart::Image(part, picture)) => {
            known == part && Arc::ptr_eq(before, picture)
        }
        _ => false,
    }
}

/// A turn as it is written into a body.
pub(super) enum WrittenTurn {
    Known(Arc<KnownTurn>),
    New { text: String, marked: bool },
}

impl WrittenTurn {
    /// Its text in the body.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Known(turn) => turn.read.written(),
            Self::New { text, .. } => text,
        }
    }

    /// What was read from this text before.
    pub(super) fn read(&self) -> Option<&Arc<ReadTurn>> {
        match self {
            Self::Known(turn) => Some(&turn.read),
            Self::New { .. } => None,
        }
    }
}

/// The turns of a request, from what was read from its bytes.
pub(super) fn known_turns(
    request: &[Message],
    written: Vec<WrittenTurn>,
    read: &[Arc<ReadTurn>],
) -> Vec<Arc<KnownTurn>> {
    let turns = request.iter().zip(written).zip(read);
    let turn = |((message, written), read): ((&Message, WrittenTurn), &Arc<ReadTurn>)| {
        let marked = match written {
            WrittenTurn::Known(turn) if Arc::ptr_eq(&turn.read, read) => return turn,
            WrittenTurn::Known(turn) => turn.marked,
            WrittenTurn::New { marked, .. } => marked,
        };
        let sent = SentTurn::new(read.stored(), Outline::of(message));
        KnownTurn { message: message.clone(), marked, read: read.clone(), sent: sent.into() }.into()
    };
    turns.map(turn).collect()
}
