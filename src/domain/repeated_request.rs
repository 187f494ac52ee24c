//! What successive requests have in common at their beginning: servers that cache prompts can read that much from their
//! cache. An estimate, because only the server knows where its tokens end and what it kept.

use std::sync::Arc;

use super::money::Amount;
use super::sent_request::{BLOB_SCHEME, SentImage, SentRequest, estimate_tokens};
use super::{Price, Usage};

/// How many of the input tokens of a request are probably those at the beginning of the request before it: the common
/// part of their turns, as a share of the tokens that the server counted.
pub fn repeated_tokens(before: &SentRequest, request: &SentRequest, input: u64) -> u64 {
    let mut before = before.turns.iter();
    let mut all = 0;
    let mut common = 0;
    for now in &request.turns {
        let whole = weight(request, now.json());
        all += whole;
        let Some(then) = before.next() else { continue };
        if Arc::ptr_eq(then, now) || then.json() == now.json() {
            common += whole;
        } else {
            common += weight(request, common_beginning(then.json(), now.json()));
            before = [].iter();
        }
    }
    let share = u128::from(input) * u128::from(common.min(all)) / u128::from(all.max(1));
    u64::try_from(share).unwrap_or(input)
}

fn common_beginning<'a>(then: &str, now: &'a str) -> &'a str {
    let same = then.bytes().zip(now.bytes()).take_while(|(then, now)| then == now).count();
    &now[..now.floor_char_boundary(same)]
}

/// The estimated tokens of a text of a turn, with the images whose whole digest it has.
fn weight(request: &SentRequest, text: &str) -> u64 {
    if request.frames.is_empty() {
        return estimate_tokens(text.chars().count(), []);
    }
    let mut pieces = text.split(BLOB_SCHEME);
    let mut letters = pieces.next().map_or(0, |first| first.chars().count());
    let mut images = Vec::new();
    for piece in pieces {
        let image = |image: &SentImage| {
            let digest = image.blob.digest.to_string();
            piece.starts_with(&digest).then_some((image.size, digest.len()))
        };
        let image = request.frames.iter().find_map(image);
        letters += piece.chars().count() - image.map_or(0, |(_, digest)| digest);
        images.extend(image.map(|(size, _)| size));
    }
    estimate_tokens(letters, images)
}

impl Price {
    /// The cost of a request if the server reads these repeated tokens from its cache and writes none into it.
    pub fn cost_with_cache(&self, usage: Usage, repeated: u64) -> Amount {
        self.cost_of(Usage { cached: repeated.min(usage.input), cache_writes: 0, ..usage })
    }

    /// The cost of a request if the server caches nothing.
    pub fn cost_without_cache(&self, usage: Usage) -> Amount {
        self.cost_of(Usage { cached: 0, cache_writes: 0, ..usage })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlobRef, PartId, Rate, SentImage, SentTurn};
    use super::*;

    fn request(turns: &[&str]) -> SentRequest {
        let bytes: Arc<[u8]> = b"image".as_slice().into();
        let blob = BlobRef::of("image/png", &bytes);
        let image = SentImage { part: PartId { step: 1, index: 0 }, blob, size: (256, 256), bytes };
        let digest = format!("blob:{}", image.blob.digest);
        let turn = |text: &&str| Arc::new(SentTurn::new(text.replace("IMAGE", &digest), []));
        SentRequest { turns: turns.iter().map(turn).collect(), frames: vec![image], ..SentRequest::default() }
    }

    #[test]
    fn the_common_beginning_counts_by_its_share() {
        let text = "x".repeat(400);
        let half = format!("{}{}", "x".repeat(200), "y".repeat(200));
        let of = |before: &[&str], now: &[&str]| repeated_tokens(&request(before), &request(now), 1000);
        assert_eq!(of(&[&text], &[&text]), 1000);
        assert_eq!(of(&[&text], &[&text, &text]), 500);
        assert_eq!(of(&[&half], &[&text]), 500);
        assert_eq!(of(&["a"], &[&text]), 0);
        assert_eq!(of(&[], &[]), 0);
        // An image of 255 tokens, 100 tokens of text.
        assert_eq!(of(&["IMAGE"], &["IMAGE", &text]), 718);
        assert_eq!(of(&["blob:?"], &["IMAGE"]), 0, "a part of a digest is no image");
    }

    #[test]
    fn costs_with_and_without_a_cache_ignore_what_was_cached() {
        let rate = |text| Rate::parse(text).unwrap();
        let input = rate("2");
        let output = rate("0");
        let cached = Some(rate("1"));
        let price = Price { input, output, cached, cache_write: None, currency: "USD".into() };
        let usage = Usage { input: 1_000_000, output: 0, cached: 7, cache_writes: 9 };
        assert_eq!(price.cost_without_cache(usage).to_string(), "2");
        assert_eq!(price.cost_with_cache(usage, 400_000).to_string(), "1.6");
        assert_eq!(price.cost_with_cache(usage, u64::MAX).to_string(), "1");
    }
}
