//! An estimate of the tokens of requests whose tokens are unknown, from the requests whose tokens are known.
//!
//! The size of a request is a token per 4 bytes of its text and 1000 for each image. Its input is this size, scaled by
//! the ratio of tokens to sizes of the known requests; its output is the mean output of the known replies. As long as no
//! request is known, the scale is 1 and the output 500 tokens.

use super::{SentRequest, Usage};

/// The bytes of text that are about a token.
const BYTES_PER_TOKEN: u64 = 4;
/// The size of an image in tokens.
const TOKENS_PER_IMAGE: u64 = 1000;
/// The output of a request while no output is known.
const OUTPUT: u64 = 500;

/// The sums over known and unknown requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageEstimate {
    known_size: u64,
    known_input: u64,
    known_output: u64,
    known: u64,
    unknown_size: u64,
    unknown: u64,
}

impl UsageEstimate {
    /// Adds a request whose tokens are known.
    pub fn add_known(&mut self, request: &SentRequest, usage: Usage) {
        self.known_size = self.known_size.saturating_add(size(request));
        self.known_input = self.known_input.saturating_add(usage.input);
        self.known_output = self.known_output.saturating_add(usage.output);
        self.known += 1;
    }

    /// Adds requests of this form whose tokens are unknown.
    pub fn add_unknown(&mut self, request: &SentRequest, count: usize) {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.unknown_size = self.unknown_size.saturating_add(size(request).saturating_mul(count));
        self.unknown = self.unknown.saturating_add(count);
    }

    /// The estimated tokens of the unknown requests.
    pub fn of_unknown(&self) -> Usage {
        Usage {
            input: scaled(self.unknown_size, self.known_input, self.known_size),
            output: match self.known {
                0 => self.unknown.saturating_mul(OUTPUT),
                known => scaled(self.unknown, self.known_output, known),
            },
            ..Usage::default()
        }
    }
}

/// `number * over / under`, rounded up; `number` if `under` is 0.
fn scaled(number: u64, over: u64, under: u64) -> u64 {
    if under == 0 {
        return number;
    }
    let product = u128::from(number) * u128::from(over);
    u64::try_from(product.div_ceil(u128::from(under))).unwrap_or(u64::MAX)
}

/// The size of a request in tokens.
fn size(request: &SentRequest) -> u64 {
    let bytes: u64 = request.turns.iter().map(|turn| turn.json().len() as u64).sum();
    bytes.div_ceil(BYTES_PER_TOKEN).saturating_add(u64::from(request.images) * TOKENS_PER_IMAGE)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::SentTurn;

    fn request(bytes: usize, images: u32) -> SentRequest {
        let turn = Arc::new(SentTurn::new("x".repeat(bytes), []));
        SentRequest { turns: vec![turn], images, ..SentRequest::default() }
    }

    #[test]
    fn without_a_known_request_the_size_is_the_input() {
        let mut estimate = UsageEstimate::default();
        assert_eq!(estimate.of_unknown(), Usage::default());
        estimate.add_unknown(&request(401, 2), 1);
        assert_eq!(estimate.of_unknown(), Usage { input: 2101, output: 500, ..Usage::default() });
    }

    #[test]
    fn known_requests_scale_the_estimate() {
        let mut estimate = UsageEstimate::default();
        estimate.add_known(&request(4000, 1), Usage { input: 600, output: 30, ..Usage::default() });
        estimate.add_known(&request(4000, 1), Usage { input: 400, output: 50, ..Usage::default() });
        estimate.add_unknown(&request(4000, 1), 3);
        assert_eq!(estimate.of_unknown(), Usage { input: 1500, output: 120, ..Usage::default() });
    }
}
