//! Verifies a serialized request before it is sent: the decoded body must match the composed messages.

use thiserror::Error;

use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;

/// The first difference between a request body and the composed messages. Such a request must not be sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the request differs from the memory window: {0}")]
pub struct Mismatch(pub String);

/// Compares the messages turn by turn. `encoded` gives the digest of the encoded frame of a step.
pub fn verify(
    messages: &[Message],
    sent: &[DecodedTurn],
    encoded: &dyn Fn(u32) -> Option<Digest>,
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
    expected: &Message,
    sent: &DecodedTurn,
    encoded: &dyn Fn(u32) -> Option<Digest>,
) -> Result<(), String> {
    if expected.role != sent.role {
        return Err(format!("expected the role {:?}, the body has {:?}", expected.role, sent.role));
    }
    if expected.text() != sent.text {
        return Err("the text differs".to_owned());
    }
    let steps: Vec<u32> = expected.frames().map(|(step, _)| step).collect();
    if steps.len() != sent.image_digests.len() {
        return Err(format!("expected {} images, the body has {}", steps.len(), sent.image_digests.len()));
    }
    let wrong =
        steps.iter().zip(&sent.image_digests).find(|(step, digest)| encoded(**step) != Some(**digest));
    wrong.map_or(Ok(()), |(step, _)| Err(format!("the image is not the frame of step {step}")))
}
