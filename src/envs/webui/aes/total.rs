//! The score over all sub-pages, and where the points go.

use serde::{Deserialize, Serialize};

use super::page::{PageScore, PageStatus};
use super::rules::{PaperRule, Rules};

/// Shares of 1 that are lost, by reason; together with the score they sum to 1 (MageBench, section 5.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// The reply had no code.
    pub par: f64,
    /// The page was not rendered.
    pub ren: f64,
    /// Interactions failed.
    pub act: f64,
    /// Targets have no match.
    pub unmatched: f64,
    /// The positions of matched elements differ.
    pub position: f64,
    /// The attributes of matched elements differ; below 0 if a negative length counts more than 1.
    pub attributes: f64,
}

impl Losses {
    /// All losses together.
    pub fn sum(&self) -> f64 {
        self.par + self.ren + self.act + self.unmatched + self.position + self.attributes
    }
}

/// The score over all sub-pages.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The atomic element similarity, from 0 to 1.
    pub aes: f64,
    /// Where the rest went.
    pub losses: Losses,
    /// Whether the target of a sub-page cannot be scored: then this is not a score, and 0.
    pub task_error: bool,
}

/// The score over all sub-pages. Without any weight it is 0, and everything is unmatched.
pub fn total(pages: &[PageScore], rules: Rules) -> Score {
    let any = |status| pages.iter().any(|page| page.status == status);
    let task_error = any(PageStatus::TaskError);
    let none = Losses::default();
    let (aes, losses) = if any(PageStatus::Par) {
        (0.0, Losses { par: 1.0, ..none })
    } else if any(PageStatus::Ren) {
        (0.0, Losses { ren: 1.0, ..none })
    } else if task_error || pages.iter().all(|page| page.weight == 0.0) {
        (0.0, Losses { unmatched: 1.0, ..none })
    } else {
        weighed(pages, rules)
    };
    Score { aes, losses, task_error }
}

fn weighed(pages: &[PageScore], rules: Rules) -> (f64, Losses) {
    let sum = |part: fn(&PageScore) -> f64| combined(pages, part, rules);
    let losses = Losses {
        act: sum(|page| page.lost.act),
        unmatched: sum(|page| page.lost.unmatched),
        position: sum(|page| page.lost.position),
        attributes: sum(|page| page.lost.attributes),
        ..Losses::default()
    };
    (sum(|page| page.score), losses)
}

/// A part of the weight over all pages: together as released, in the paper the mean over the pages that have weight.
#[expect(clippy::cast_precision_loss, reason = "there are a few sub-pages")]
fn combined(pages: &[PageScore], part: fn(&PageScore) -> f64, rules: Rules) -> f64 {
    if rules.has(PaperRule::MeanOfPages) {
        let counted = || pages.iter().filter(|page| page.weight > 0.0);
        return counted().map(|page| part(page) / page.weight).sum::<f64>() / counted().count() as f64;
    }
    pages.iter().map(part).sum::<f64>() / pages.iter().map(|page| page.weight).sum::<f64>()
}
