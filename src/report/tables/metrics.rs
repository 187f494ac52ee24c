//! A table of the metrics that are asked for: one row per combination of settings, one column per metric.

use super::findings::best_text;
use super::{ReportTables, interval_text, percent};
use crate::document::Section;
use crate::{GroupStats, Rates};
use mageyard_engine::Mark;

/// A number that a report has for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Metric {
    /// Mean score with its 95 % interval
    Score,
    /// Solved episodes in percent with the 95 % interval
    Success,
    /// Paired difference of the score from the reference
    Difference,
    /// Probability of being the best of the compared rows
    Best,
    /// Mean score relative to published optima
    Published,
    /// Mean number of steps
    Steps,
    /// Episodes with a parse error in percent
    Parse,
    /// Episodes with dropped members in percent
    Dropped,
    /// Episodes with an invalid action in percent
    Ia,
    /// Episodes with a repeating action in percent
    Ra,
    /// Episodes with an action without effect in percent
    Same,
    /// Episodes with a dead state in percent
    Dead,
    /// Seconds per step
    Seconds,
    /// Input tokens per step
    TokensIn,
    /// Output tokens per step
    TokensOut,
    /// Cost per step
    Cost,
}

impl Metric {
    /// Those of a report with many rows.
    pub const MAIN: [Self; 3] = [Self::Score, Self::Success, Self::Difference];

    fn title(self) -> &'static str {
        match self {
            Self::Score => "score [95 %]",
            Self::Success => "success % [95 %]",
            Self::Difference => "difference",
            Self::Best => "P(best)",
            Self::Published => "published score",
            Self::Steps => "steps",
            Self::Parse => "parse %",
            Self::Dropped => "dropped %",
            Self::Ia => "IA %",
            Self::Ra => "RA %",
            Self::Same => "same %",
            Self::Dead => "dead %",
            Self::Seconds => "s/step",
            Self::TokensIn => "tokens in/step",
            Self::TokensOut => "tokens out/step",
            Self::Cost => "cost/step",
        }
    }

    fn cell(self, stats: &GroupStats) -> String {
        let rate = |value: fn(&Rates) -> Option<f64>, digits: usize| {
            number(stats.effort.per_step().as_ref().and_then(value), digits)
        };
        match self {
            Self::Score => {
                format!("{} {}", number(stats.score(), 2), interval_text(stats.results.score, 2))
            }
            Self::Success => {
                format!("{} {}", number(stats.success_rate(), 1), interval_text(stats.results.success, 1))
            }
            Self::Difference => difference(stats),
            Self::Best => stats.results.best.map_or_else(|| "–".to_owned(), |best| best_text(best.share)),
            Self::Published => number(stats.published(), 2),
            Self::Steps => number(steps(stats), 1),
            Self::Parse => percent(stats.marked(Mark::ParseError)),
            Self::Dropped => percent(stats.marked(Mark::Dropped)),
            Self::Ia => percent(stats.marked(Mark::InvalidAction)),
            Self::Ra => percent(stats.marked(Mark::RepeatedAction)),
            Self::Same => percent(stats.marked(Mark::Unchanged)),
            Self::Dead => percent(stats.marked(Mark::Dead)),
            Self::Seconds => rate(|rates| Some(rates.seconds), 3),
            Self::TokensIn => rate(|rates| rates.tokens_in, 0),
            Self::TokensOut => rate(|rates| rates.tokens_out, 0),
            Self::Cost => cost(stats.effort.per_step().as_ref()),
        }
    }
}

impl ReportTables<'_> {
    /// The table of these metrics, with the number of episodes. A column in which no row has a value is left out.
    pub fn metrics(&self, metrics: &[Metric]) -> Option<Section> {
        let is_known = |metric: &&Metric| {
            **metric != Metric::Difference
                || self.groups.values().any(|stats| stats.results.difference.is_some())
        };
        let shown: Vec<Metric> = metrics.iter().filter(is_known).copied().collect();
        let titles: Vec<&str> =
            std::iter::once("n").chain(shown.iter().map(|metric| metric.title())).collect();
        let table = self.table(&titles, |_, stats| {
            let cells = shown.iter().map(|metric| metric.cell(stats));
            Some(std::iter::once(stats.episodes.to_string()).chain(cells).collect())
        });
        Section::table("Metrics", true, table)
    }
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

fn steps(stats: &GroupStats) -> Option<f64> {
    let steps = u32::try_from(stats.steps).ok()?;
    let episodes = u32::try_from(stats.episodes).ok().filter(|episodes| *episodes > 0)?;
    Some(f64::from(steps) / f64::from(episodes))
}

fn difference(stats: &GroupStats) -> String {
    match &stats.results.difference {
        None if stats.results.is_reference => "reference".to_owned(),
        None => "–".to_owned(),
        Some(found) => {
            let mean = found.paired.mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:+.2}"));
            format!("{mean} {}", found.paired.test.verdict().text())
        }
    }
}

fn cost(rates: Option<&Rates>) -> String {
    let costs = rates.and_then(|rates| rates.costs.as_ref());
    let texts = costs.map(|costs| costs.iter().map(|(currency, cost)| format!("{cost:.5} {currency}")));
    let text = texts.map(|texts| texts.collect::<Vec<_>>().join(" + "));
    text.filter(|text| !text.is_empty()).unwrap_or_else(|| "–".to_owned())
}
