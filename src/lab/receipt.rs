//! The receipt of a replay: digests of everything that was compared, so that somebody else can compare it too.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use mageyard_domain::{Digest, Observation, SentRequest};
use mageyard_engine::{Episode, Step};

/// What was compared, step by step. It is made from the replay, not from the recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// The steps, the one that only shows the final observation included.
    pub steps: Vec<ReceiptStep>,
}

/// A step of a receipt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReceiptStep {
    /// Its number, from 1.
    pub step: u32,
    /// The digest of the state that it begins with.
    pub state: Digest,
    /// The digest of the pixels of each picture that the agent was shown.
    pub pictures: Vec<Digest>,
    /// The digest of each request that is equal to the recorded one.
    pub requests: Vec<Digest>,
    /// The digest of each reply.
    pub replies: Vec<Digest>,
    /// The action that was carried out.
    pub action: Option<String>,
    /// Its reward.
    pub reward: Option<f64>,
}

/// A difference between two receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptDifference {
    /// The step.
    pub step: u32,
    /// What differs there.
    pub what: &'static str,
}

impl Receipt {
    /// The receipt of a replayed episode and of its requests, each with its step.
    pub(super) fn of(episode: &Episode, requests: Vec<(u32, Arc<SentRequest>)>) -> Self {
        let sent: Vec<(u32, Digest)> =
            requests.into_iter().map(|(step, request)| (step, request_digest(&request))).collect();
        Self { steps: episode.steps().iter().map(|step| ReceiptStep::of(step, &sent)).collect() }
    }

    /// The first difference to another receipt.
    pub fn difference(&self, other: &Self) -> Option<ReceiptDifference> {
        let mut pairs = self.steps.iter().zip(&other.steps);
        let first = pairs.find_map(|(own, other)| own.difference(other));
        let longer = self.steps.get(other.steps.len()).or_else(|| other.steps.get(self.steps.len()));
        first.or_else(|| longer.map(|step| ReceiptDifference { step: step.step, what: "number of steps" }))
    }
}

impl ReceiptStep {
    fn of(step: &Step, requests: &[(u32, Digest)]) -> Self {
        let own = requests.iter().filter(|(number, _)| *number == step.number);
        Self {
            step: step.number,
            state: step.state,
            pictures: picture_digests(&step.observation.for_one_use()),
            requests: own.map(|(_, digest)| *digest).collect(),
            replies: step.attempts.iter().map(|attempt| Digest::of(attempt.reply.as_bytes())).collect(),
            action: step.action.as_ref().map(ToString::to_string),
            reward: step.effect.as_ref().map(|effect| effect.reward),
        }
    }

    fn difference(&self, other: &Self) -> Option<ReceiptDifference> {
        let what = match self {
            _ if self.step != other.step => "number of the step",
            _ if self.state != other.state => "state",
            _ if self.pictures != other.pictures => "pixels of a picture",
            _ if self.requests != other.requests => "request",
            _ if self.replies != other.replies => "reply",
            _ if self.action != other.action => "action",
            _ if self.reward != other.reward => "reward",
            _ => return None,
        };
        Some(ReceiptDifference { step: self.step, what })
    }
}

/// The digests of the pixels of the pictures of an observation, with their sizes. A picture that cannot be decoded has the
/// digest of the reason.
fn picture_digests(seen: &Observation) -> Vec<Digest> {
    let digest = |(_, picture): (u16, &Arc<mageyard_domain::Picture>)| match picture.pixels() {
        Ok(pixels) => {
            let mut bytes = format!("{}x{}\n", picture.width(), picture.height()).into_bytes();
            bytes.extend_from_slice(&pixels);
            Digest::of(&bytes)
        }
        Err(error) => Digest::of(error.to_string().as_bytes()),
    };
    seen.images().map(digest).collect()
}

/// The digest of a request: its envelope and its turns, which have their images as digests.
fn request_digest(request: &SentRequest) -> Digest {
    let mut text = request.envelope.to_string();
    for turn in &request.turns {
        text.push('\n');
        text.push_str(turn.json());
    }
    Digest::of(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use mageyard_domain::Picture;

    fn digest(pixel: u8) -> Vec<Digest> {
        let paint = move |pixels: &mut [u8]| pixels[4 * 3] = pixel;
        let picture = Arc::new(Picture::painted(3, 3, 1, paint).unwrap());
        let seen =
            Observation::from_parts(vec![mageyard_domain::ObservationPart::Image(picture)], "", Value::Null);
        picture_digests(&seen)
    }

    #[test]
    fn one_pixel_makes_another_digest() {
        assert_eq!(digest(1), digest(1));
        assert_ne!(digest(1), digest(2));
    }
}
