//! Totals of requests and tokens.

use serde::Deserialize;
use serde::Serialize;

use super::Usage;

/// Totals of requests and tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenTotals {
    /// The number of requests that were sent, with each try of a request that was sent again.
    pub requests: usize,
    /// The number of requests without token usage from the server.
    pub unmetered: usize,
    /// The tokens of the other requests.
    pub usage: Usage,
}

impl TokenTotals {
    /// The totals of one request.
    pub fn of_request(usage: Option<Usage>) -> Self {
        Self { requests: 1, unmetered: usize::from(usage.is_none()), usage: usage.unwrap_or_default() }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let (one, two) = (self.usage, other.usage);
        let usage = Usage {
            input: one.input.saturating_add(two.input),
            output: one.output.saturating_add(two.output),
            cached: one.cached.saturating_add(two.cached),
            cache_writes: one.cache_writes.saturating_add(two.cache_writes),
        };
        let (requests, unmetered) = (self.requests + other.requests, self.unmetered + other.unmetered);
        Self { requests, unmetered, usage }
    }

    /// Input and output tokens together.
    pub fn total_tokens(self) -> u64 {
        self.usage.input.saturating_add(self.usage.output)
    }
}

impl std::iter::Sum for TokenTotals {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::plus)
    }
}
