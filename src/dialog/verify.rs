//! The proof: what was serialised, read back, against what the ledger says must be in it.

use thiserror::Error;

use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;

/// The first difference between a body and its ledger. Nothing may be sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the request differs from the memory window: {0}")]
pub struct Mismatch(pub String);

/// Compares turn by turn; `encoded` gives the digest of a frame's bytes as they were encoded.
pub fn verify(
    messages: &[Message],
    sent: &[DecodedTurn],
    encoded: &dyn Fn(u32) -> Option<Digest>,
) -> Result<(), Mismatch> {
    for (index, (due, sent)) in messages.iter().zip(sent).enumerate() {
        verify_turn(due, sent, encoded).map_err(|what| Mismatch(format!("turn {}: {what}", index + 1)))?;
    }
    match (messages.len(), sent.len()) {
        (due, sent) if due == sent => Ok(()),
        (due, sent) => Err(Mismatch(format!("{due} turns are due, the body has {sent}"))),
    }
}

fn verify_turn(
    due: &Message,
    sent: &DecodedTurn,
    encoded: &dyn Fn(u32) -> Option<Digest>,
) -> Result<(), String> {
    if due.role != sent.role {
        return Err(format!("{:?} is due, the body has {:?}", due.role, sent.role));
    }
    if due.text() != sent.text {
        return Err("the text differs".to_owned());
    }
    let steps: Vec<u32> = due.frames().map(|(step, _)| step).collect();
    if steps.len() != sent.image_digests.len() {
        return Err(format!("{} images are due, the body has {}", steps.len(), sent.image_digests.len()));
    }
    let wrong =
        steps.iter().zip(&sent.image_digests).find(|(step, digest)| encoded(**step) != Some(**digest));
    wrong.map_or(Ok(()), |(step, _)| Err(format!("the image is not the frame of step {step}")))
}
