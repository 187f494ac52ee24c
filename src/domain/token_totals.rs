//! What requests take: how many, and how many tokens.

use super::Usage;

/// What requests took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenTotals {
    /// How many requests went out and came to something.
    pub requests: usize,
    /// How many of them the server gave no tokens for.
    pub unmetered: usize,
    /// The tokens of the others.
    pub usage: Usage,
}

impl TokenTotals {
    /// One request.
    pub fn of_request(usage: Option<Usage>) -> Self {
        Self { requests: 1, unmetered: usize::from(usage.is_none()), usage: usage.unwrap_or_default() }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let (one, two) = (self.usage, other.usage);
        let usage = Usage {
            input: one.input.saturating_add(two.input),
            output: one.output.saturating_add(two.output),
            cached: one.cached.saturating_add(two.cached),
        };
        let (requests, unmetered) = (self.requests + other.requests, self.unmetered + other.unmetered);
        Self { requests, unmetered, usage }
    }

    /// The tokens of requests and replies together.
    pub fn total_tokens(self) -> u64 {
        self.usage.input.saturating_add(self.usage.output)
    }
}

impl std::iter::Sum for TokenTotals {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::plus)
    }
}
