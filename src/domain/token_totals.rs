//! Totals of requests and tokens: a known part, and the number of requests whose part is unknown.

use serde::{Deserialize, Serialize};

use super::Usage;

/// How a request ended, as far as counts and costs are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestOutcome {
    /// There is a reply.
    Replied,
    /// It never left, because no connection could be established. It is not counted.
    NotSent,
    /// The server refused it before it generated anything: it costs nothing.
    Refused,
    /// It failed after the server had, or may have, begun to generate.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// The program ended before the reply came.
    Lost,
}

/// Totals of requests and tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenTotals {
    /// The number of requests that were sent, with each try of a request that was sent again.
    pub requests: usize,
    /// The number of requests whose tokens are unknown.
    pub unmetered: usize,
    /// The tokens of the other requests.
    pub usage: Usage,
    /// The number of requests without a reply, by outcome.
    #[serde(default)]
    pub unanswered: UnansweredRequests,
    /// An estimate of the tokens of those requests whose tokens are unknown, if the limits of the episode count it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated: Option<Usage>,
}

/// The number of requests without a reply, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnansweredRequests {
    /// Refused by the server before it generated anything.
    pub refused: usize,
    /// Failed otherwise.
    pub failed: usize,
    /// Cancelled.
    pub cancelled: usize,
    /// Without a reply when the program ended.
    pub lost: usize,
}

impl UnansweredRequests {
    fn of(outcome: RequestOutcome) -> Self {
        let one = |which| usize::from(outcome == which);
        Self {
            refused: one(RequestOutcome::Refused),
            failed: one(RequestOutcome::Failed),
            cancelled: one(RequestOutcome::Cancelled),
            lost: one(RequestOutcome::Lost),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            refused: self.refused + other.refused,
            failed: self.failed + other.failed,
            cancelled: self.cancelled + other.cancelled,
            lost: self.lost + other.lost,
        }
    }

    fn since(self, earlier: Self) -> Self {
        Self {
            refused: self.refused.saturating_sub(earlier.refused),
            failed: self.failed.saturating_sub(earlier.failed),
            cancelled: self.cancelled.saturating_sub(earlier.cancelled),
            lost: self.lost.saturating_sub(earlier.lost),
        }
    }

    /// All of them.
    pub fn count(self) -> usize {
        self.refused + self.failed + self.cancelled + self.lost
    }
}

impl TokenTotals {
    /// The totals of one request with a reply.
    pub fn of_request(usage: Option<Usage>) -> Self {
        Self::of(RequestOutcome::Replied, usage)
    }

    /// The totals of one request with this outcome. What the server reported counts, however the request ended.
    pub fn of(outcome: RequestOutcome, usage: Option<Usage>) -> Self {
        if outcome == RequestOutcome::NotSent {
            return Self::default();
        }
        let is_unknown = usage.is_none() && outcome != RequestOutcome::Refused;
        Self {
            requests: 1,
            unmetered: usize::from(is_unknown),
            usage: usage.unwrap_or_default(),
            unanswered: UnansweredRequests::of(outcome),
            estimated: None,
        }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            unmetered: self.unmetered + other.unmetered,
            usage: self.usage.plus(other.usage),
            unanswered: self.unanswered.plus(other.unanswered),
            estimated: match (self.estimated, other.estimated) {
                (Some(one), Some(another)) => Some(one.plus(another)),
                (one, another) => one.or(another),
            },
        }
    }

    /// What was added since earlier totals of the same requests.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        let estimated = self.estimated.map(|usage| usage.since(earlier.estimated.unwrap_or_default()));
        Self {
            requests: self.requests.saturating_sub(earlier.requests),
            unmetered: self.unmetered.saturating_sub(earlier.unmetered),
            usage: self.usage.since(earlier.usage),
            unanswered: self.unanswered.since(earlier.unanswered),
            estimated: estimated.filter(|usage| usage.total() > 0),
        }
    }

    /// Input and output tokens together.
    pub fn total_tokens(self) -> u64 {
        self.usage.total()
    }

    /// Whether the tokens of no request are known.
    pub fn is_unknown(self) -> bool {
        self.unmetered > 0
            && self.unmetered + self.unanswered.refused >= self.requests
            && self.usage.total() == 0
    }

    /// `1200 tokens in, 34 out`, with the number of requests whose tokens are unknown.
    pub fn text(self) -> String {
        if self.is_unknown() {
            return format!("tokens unknown{}", self.estimate_text());
        }
        format!("{}{}", self.usage, self.unknown_text())
    }

    /// The number of unknown parts as text after a known one, with the estimate if it counts: ` + 2 unknown`,
    /// ` + 2 unknown (~2600, estimate)`, or nothing.
    pub fn unknown_text(self) -> String {
        format!("{}{}", unknown_text(self.unmetered), self.estimate_text())
    }

    /// The estimate of the unknown parts, marked as one: ` (~2600, estimate)`; empty if none counts.
    pub fn estimate_text(self) -> String {
        self.estimated.map_or_else(String::new, |usage| format!(" (~{}, estimate)", usage.total()))
    }
}

/// The number of unknown parts as text after a known one.
pub(super) fn unknown_text(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" + {count} unknown") }
}

impl Usage {
    /// The sum, saturating at the maximum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached: self.cached.saturating_add(other.cached),
            cache_writes: self.cache_writes.saturating_add(other.cache_writes),
        }
    }

    /// What was added since an earlier sum.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            input: self.input.saturating_sub(earlier.input),
            output: self.output.saturating_sub(earlier.output),
            cached: self.cached.saturating_sub(earlier.cached),
            cache_writes: self.cache_writes.saturating_sub(earlier.cache_writes),
        }
    }

    /// Input and output tokens together.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl std::iter::Sum for TokenTotals {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_has_a_known_part_and_a_number_of_unknowns() {
        let usage = Some(Usage { input: 100, output: 10, ..Usage::default() });
        let total: TokenTotals = [
            TokenTotals::of_request(usage),
            TokenTotals::of(RequestOutcome::NotSent, None),
            TokenTotals::of(RequestOutcome::Refused, None),
            TokenTotals::of(RequestOutcome::Failed, usage),
            TokenTotals::of(RequestOutcome::Cancelled, None),
            TokenTotals::of(RequestOutcome::Lost, None),
        ]
        .into_iter()
        .sum();
        assert_eq!((total.requests, total.unmetered, total.total_tokens()), (5, 2, 220));
        assert_eq!(total.unanswered, UnansweredRequests { refused: 1, failed: 1, cancelled: 1, lost: 1 });
        assert_eq!((total.unknown_text().as_str(), total.is_unknown()), (" + 2 unknown", false));
        assert_eq!(TokenTotals::of_request(usage).unknown_text(), "");
        let counted = |input| TokenTotals {
            estimated: Some(Usage { input, output: 100, ..Usage::default() }),
            ..TokenTotals::of(RequestOutcome::Lost, None)
        };
        let total = counted(400).plus(counted(2000)).plus(TokenTotals::of_request(usage));
        assert_eq!(total.unknown_text(), " + 2 unknown (~2600, estimate)");
    }

    #[test]
    fn a_total_without_a_known_part_is_unknown() {
        let (lost, refused) =
            (TokenTotals::of(RequestOutcome::Lost, None), TokenTotals::of(RequestOutcome::Refused, None));
        assert!(lost.is_unknown() && lost.plus(refused).is_unknown());
        assert!(!refused.is_unknown() && !TokenTotals::default().is_unknown());
    }
}
