//! What the finished episodes of a cell add up to, for its row on the dashboard.

use mageyard_domain::{Amount, Cost, Prices};
use mageyard_engine::{EpisodeSummary, Mark};
use mageyard_screen::CellView;

/// The errors that are counted.
const ERRORS: [Mark; 4] = [Mark::ParseError, Mark::InvalidAction, Mark::RepeatedAction, Mark::Dead];

/// Sums over finished episodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellResults {
    finished: usize,
    won: usize,
    /// The sum of scores, and how many there are.
    scores: (f64, u32),
    requests: usize,
    tokens: u64,
    cost: Option<(Amount, String)>,
    errors: [usize; ERRORS.len()],
}

impl CellResults {
    /// Adds an episode that is over, in which this model was asked.
    pub(crate) fn add(&mut self, summary: &EpisodeSummary, model: Option<&str>, prices: &Prices) {
        self.finished += 1;
        self.won += usize::from(summary.is_solved());
        if let Some(score) = summary.score {
            self.scores.0 += score;
            self.scores.1 += 1;
        }
        self.requests += summary.spent.requests;
        self.tokens += summary.spent.usage.total();
        // A cost in another currency than the first one is left out, as in reports.
        if let Cost::Known { amount, currency, .. } =
            prices.episode_cost(model, summary.spent, &summary.models)
        {
            match &mut self.cost {
                None => self.cost = Some((amount, currency)),
                Some((sum, known)) if *known == currency => *sum = sum.plus(amount),
                Some(_) => {}
            }
        }
        for (sum, mark) in self.errors.iter_mut().zip(ERRORS) {
            *sum += summary.count(mark);
        }
    }

    /// Writes the sums into a row.
    pub(crate) fn write_into(&self, view: &mut CellView) {
        view.finished = self.finished;
        view.won = Some(self.won);
        let (sum, count) = self.scores;
        view.score = (count > 0).then(|| sum / f64::from(count));
        view.tokens = (self.requests > 0).then_some(self.tokens);
        view.cost.clone_from(&self.cost);
        let errors = ERRORS.iter().zip(self.errors).filter(|(_, count)| *count > 0);
        view.errors = errors.map(|(mark, count)| (mark.name(), count)).collect();
    }
}

/// The errors of an episode with their counts: `parse 2, ia 1`.
pub(crate) fn error_text(summary: &EpisodeSummary) -> String {
    let counts = ERRORS.iter().map(|mark| (mark.name(), summary.count(*mark)));
    let counts = counts.filter(|(_, count)| *count > 0);
    counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}
