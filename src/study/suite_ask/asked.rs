//! An ask about a suite with what came back.

use crate::{AskCall, AskOutcome, JudgedState, StoredAsk, Suite, SuiteTable, Variant};
use mageyard_domain::Prices;

/// What there is after the calls, or of an ask that is stored.
pub struct AskedSuite<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The states that were asked.
    pub states: &'a [JudgedState],
    /// The ask of each of them.
    pub asks: Vec<&'a StoredAsk>,
    /// How the calls ended, if they were made just now.
    pub outcomes: Option<&'a [AskOutcome]>,
}

impl AskedSuite<'_> {
    /// The variants that were asked; empty before the first ask.
    pub fn variants(&self) -> &[Variant] {
        self.asks.first().map_or(&[], |ask| &ask.record.variants)
    }

    /// The number of calls of all states.
    pub fn calls(&self) -> usize {
        self.asks.iter().map(|ask| ask.record.calls()).sum()
    }

    /// The number of replies of all states when all calls were made.
    pub fn replies(&self) -> usize {
        self.asks.iter().map(|ask| ask.record.replies()).sum()
    }

    /// The shares of all variants, their comparisons, and the states in which they differ.
    pub fn table(&self, prices: &Prices) -> SuiteTable {
        let calls: Vec<&[AskCall]> = self.asks.iter().map(|ask| ask.calls.as_slice()).collect();
        SuiteTable::of(self.states, &calls, self.variants(), prices)
    }
}
