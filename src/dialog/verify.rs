//! Verifies a serialized request before it is sent: the decoded body must have exactly the parts that the ledger and
//! the composed messages promise.

use std::borrow::Borrow;

use thiserror::Error;

use super::compose::Request;
use super::left_out::LeftOut;
use mageyard_domain::{DecodedPart, DecodedTurn, Digest, Message, MessagePart, PartId, PartKind, Segment};

/// The first difference between a request body, the composed messages and the ledger. Such a request must not be sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the request differs from the memory window: {0}")]
pub struct Mismatch(pub String);

impl Request {
    /// Compares the ledger with the messages, and the messages with the decoded body, part by part. `encoded` gives the
    /// digest of the encoded image of a part.
    pub fn verify(
        &self,
        sent: &[impl Borrow<DecodedTurn>],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), Mismatch> {
        let proof =
            self.verify_ledger().map_err(Mismatch).and_then(|()| verify(&self.messages, sent, encoded));
        proof.map_err(|Mismatch(difference)| match self.ledger.view() {
            Some(view) => Mismatch(format!("{difference} (view {view})")),
            None => Mismatch(difference),
        })
    }

    /// The messages must have exactly the outputs and parts that the ledger includes.
    fn verify_ledger(&self) -> Result<(), String> {
        if let Some(PartId { step, index }) = self.ledger.unreadable() {
            return Err(format!("part {} of the observation of step {step} cannot be loaded", index + 1));
        }
        let parts = || self.messages.iter().flat_map(|message| &message.parts);
        let promised = || self.ledger.included().map(StatePart::promised);
        let composed = || parts().filter_map(StatePart::composed);
        if !promised().eq(composed()) {
            return Err(format!(
                "the memory ledger includes {}, the messages have {}",
                listed(promised()),
                listed(composed())
            ));
        }
        let count = |wanted: Segment| {
            parts().filter(|part| matches!(part, MessagePart::Text(segment, _) if *segment == wanted)).count()
        };
        let is_left_out = |segment: Segment| self.left_out == Some(LeftOut::Segment(segment));
        if let Some(LeftOut::Segment(segment)) = self.left_out
            && count(segment) > 0
        {
            return Err(format!("the segment {segment} is left out, and the messages have it"));
        }
        match (self.ledger.feedback(), count(Segment::Feedback)) {
            (promised, composed) if promised == composed || is_left_out(Segment::Feedback) => {}
            (promised, composed) => {
                return Err(format!(
                    "feedback texts: the memory ledger includes {promised}, the messages have {composed}"
                ));
            }
        }
        match (self.ledger.reflections(), count(Segment::Reflection)) {
            (promised, composed) if promised == composed || is_left_out(Segment::Reflection) => {}
            (promised, composed) => {
                return Err(format!(
                    "texts of modules: the memory ledger includes {promised}, the messages have {composed}"
                ));
            }
        }
        // Each unreadable reply of this step is an output that a request for another reply follows.
        let outputs = count(Segment::Output);
        let retries = count(Segment::Retry);
        match (self.ledger.outputs(), outputs.saturating_sub(retries)) {
            (promised, composed) if promised == composed => Ok(()),
            (promised, composed) => {
                Err(format!("the memory ledger includes {promised} outputs, the messages have {composed}"))
            }
        }
    }
}

/// A part of an observation in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StatePart {
    Image(PartId),
    /// A text, or data as text.
    Text,
}

impl StatePart {
    fn promised((step, part): (u32, &super::memory::LedgerPart)) -> Self {
        match (part.kind, part.index) {
            (PartKind::Image, Some(index)) => Self::Image(PartId { step, index }),
            _ => Self::Text,
        }
    }

    fn composed(part: &MessagePart) -> Option<Self> {
        match part {
            MessagePart::Image(part, _) => Some(Self::Image(*part)),
            MessagePart::Text(Segment::StateText, _) => Some(Self::Text),
            MessagePart::Text(..) => None,
        }
    }
}

fn listed(parts: impl Iterator<Item = StatePart>) -> String {
    let name = |part: StatePart| match part {
        StatePart::Image(PartId { step, index: 0 }) => format!("the image of step {step}"),
        StatePart::Image(PartId { step, index }) => format!("image {} of step {step}", index + 1),
        StatePart::Text => "a text".to_owned(),
    };
    let names: Vec<String> = parts.map(name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// Compares the messages turn by turn: roles, texts and images, in order. `encoded` gives the digest of the encoded
/// image of a part.
pub fn verify(
    messages: &[Message],
    sent: &[impl Borrow<DecodedTurn>],
    encoded: &dyn Fn(PartId) -> Option<Digest>,
) -> Result<(), Mismatch> {
    for (index, (expected, sent)) in messages.iter().zip(sent).enumerate() {
        verify_turn(expected, sent.borrow(), encoded)
            .map_err(|difference| Mismatch(format!("turn {}: {difference}", index + 1)))?;
    }
    match (messages.len(), sent.len()) {
        (expected, sent) if expected == sent => Ok(()),
        (expected, sent) => Err(Mismatch(format!("expected {expected} turns, the body has {sent}"))),
    }
}

fn verify_turn(
    message: &Message,
    sent: &DecodedTurn,
    encoded: &dyn Fn(PartId) -> Option<Digest>,
) -> Result<(), String> {
    if sent.is_of(message, encoded) {
        return Ok(());
    }
    if message.role != sent.role {
        return Err(format!("expected the role {:?}, the body has {:?}", message.role, sent.role));
    }
    let parts: Vec<PartId> = message.images().map(|(part, _)| part).collect();
    if parts.len() != sent.images().count() {
        return Err(format!("expected {} images, the body has {}", parts.len(), sent.images().count()));
    }
    let wrong = parts.iter().zip(sent.images()).find(|(part, digest)| encoded(**part) != Some(*digest));
    if let Some((part, _)) = wrong {
        return Err(match part {
            PartId { step, index: 0 } => format!("the image is not the frame of step {step}"),
            PartId { step, index } => format!("the image is not part {} of step {step}", index + 1),
        });
    }
    let Some(expected) = expected_turn(message, encoded) else {
        return Err("an image was not encoded".to_owned());
    };
    let order = |turn: &DecodedTurn| turn.parts.iter().map(kind).collect::<Vec<_>>();
    if order(&expected) != order(sent) {
        return Err(format!(
            "expected the parts {}, the body has {}",
            order(&expected).join(", "),
            order(sent).join(", ")
        ));
    }
    Err("the text differs".to_owned())
}

fn kind(part: &DecodedPart) -> &'static str {
    match part {
        DecodedPart::Text(_) => "text",
        DecodedPart::Image(_) => "image",
    }
}

/// The turn that the bytes must have; `None` if an image was not encoded.
fn expected_turn(message: &Message, encoded: &dyn Fn(PartId) -> Option<Digest>) -> Option<DecodedTurn> {
    let parts = message.parts.iter().map(|part| match part {
        MessagePart::Text(_, text) => Some(DecodedPart::Text(text.to_string())),
        MessagePart::Image(part, _) => encoded(*part).map(DecodedPart::Image),
    });
    Some(DecodedTurn::new(message.role, parts.collect::<Option<Vec<_>>>()?))
}
