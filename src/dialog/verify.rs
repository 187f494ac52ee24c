//! Verifies a serialized request before it is sent: the decoded body must match the composed messages.

use thiserror::Error;

use crate::domain::DecodedPart;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::PartId;

/// The first difference between a request body and the composed messages. Such a request must not be sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the request differs from the memory window: {0}")]
pub struct Mismatch(pub String);

/// Compares the messages turn by turn: roles, texts and images, in order. `encoded` gives the digest of the encoded
/// image of a part.
pub fn verify(
    messages: &[Message],
    sent: &[DecodedTurn],
    encoded: &dyn Fn(PartId) -> Option<Digest>,
) -> Result<(), Mismatch> {
    for (index, (expected, sent)) in messages.iter().zip(sent).enumerate() {
        verify_turn(expected, sent, encoded)
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
    if message.role != sent.role {
        return Err(format!("expected the role {:?}, the body has {:?}", message.role, sent.role));
    }
    let parts: Vec<PartId> = message.images().map(|(part, _)| part).collect();
    if parts.len() != sent.images().count() {
        return Err(format!("expected {} images, the body has {}", parts.len(), sent.images().count()));
    }
    let wrong = parts.iter().zip(sent.images()).find(|(part, digest)| encoded(**part) != Some(*digest));
    if let Some((part, _)) = wrong {
        return Err(format!("the image is not the frame of step {}", part.step));
    }
    match expected_turn(message, encoded) {
        Some(expected) if expected == *sent => Ok(()),
        _ => Err("the text differs".to_owned()),
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
