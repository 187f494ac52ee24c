//! The proof: what was serialised, read back, against what the ledger says must be in it.

use thiserror::Error;

use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::SentTurn;

/// The first difference between a body and its ledger. Nothing may be sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the request differs from the memory window: {0}")]
pub struct Mismatch(pub String);

/// Compares turn by turn; `encoded` gives the digest of a frame's bytes as they were encoded.
pub fn prove(
    messages: &[Message],
    sent: &[SentTurn],
    encoded: &dyn Fn(u32) -> Option<Digest>,
) -> Result<(), Mismatch> {
    for (index, (due, sent)) in messages.iter().zip(sent).enumerate() {
        turn(due, sent, encoded).map_err(|what| Mismatch(format!("turn {}: {what}", index + 1)))?;
    }
    match (messages.len(), sent.len()) {
        (due, sent) if due == sent => Ok(()),
        (due, sent) => Err(Mismatch(format!("{due} turns are due, the body has {sent}"))),
    }
}

fn turn(due: &Message, sent: &SentTurn, encoded: &dyn Fn(u32) -> Option<Digest>) -> Result<(), String> {
    if due.role != sent.role {
        return Err(format!("{:?} is due, the body has {:?}", due.role, sent.role));
    }
    if due.text() != sent.text {
        return Err("the text differs".to_owned());
    }
    let steps: Vec<u32> = due.frames().map(|(step, _)| step).collect();
    if steps.len() != sent.pictures.len() {
        return Err(format!("{} images are due, the body has {}", steps.len(), sent.pictures.len()));
    }
    let wrong = steps.iter().zip(&sent.pictures).find(|(step, digest)| encoded(**step) != Some(**digest));
    wrong.map_or(Ok(()), |(step, _)| Err(format!("the image is not the frame of step {step}")))
}
