//! The parts of messages: those of observations, and names in their place.

use std::sync::Arc;

use crate::memory::{Inclusion, LedgerPart};
use mageyard_domain::{Message, MessagePart, Observation, ObservationPart, PartId, Segment};

/// The name of a part in its place.
pub(super) fn named_part(step: u32, part: LedgerPart) -> MessagePart {
    MessagePart::Text(Segment::StateText, format!("{step}/{:?}", part.index).into())
}

/// A part of an observation as a part of a message. The ledger says so if it cannot be loaded.
pub(crate) fn message_part(
    observation: &Observation,
    step: u32,
    part: &mut LedgerPart,
) -> Option<MessagePart> {
    let text = |text: Arc<str>| Some(MessagePart::Text(Segment::StateText, text));
    let Some(index) = part.index else { return text(observation.text().clone()) };
    match observation.parts().get(usize::from(index))? {
        ObservationPart::Text(words) => text(words.clone()),
        ObservationPart::Image(picture) => Some(MessagePart::Image(PartId { step, index }, picture.clone())),
        ObservationPart::Data(blob) => {
            let words = blob.load_text().ok();
            if words.is_none() {
                part.inclusion = Inclusion::Unreadable;
            }
            words.and_then(text)
        }
    }
}

pub(crate) fn remove_empty_parts(message: &mut Message) {
    message.parts.retain(|part| !matches!(part, MessagePart::Text(_, text) if text.is_empty()));
}
