//! A margin that is fixed before the calls, for a check that a change makes nothing worse: `0.05`, or with the variant that the
//! others are compared with, `0s-CoT:0.05`.

use std::fmt;

use super::compare::SuiteComparison;
use super::table::SuiteTable;
use super::threshold::named_variants;
use crate::Variant;
use mageyard_config::Problem;
use mageyard_statistics::{Interval, MarginVerdict};

/// The name of the flag.
const FLAG: &str = "--margin";

/// How much worse a variant may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    /// The prompt or the number of the variant that the others are compared with; `None` for the first one.
    pub base: Option<String>,
    /// The difference of the shares of accepted answers, from 0 to 1.
    pub size: f64,
}

/// A variant compared with the base.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginResult {
    /// The index of the base.
    pub base: usize,
    /// The index of the variant.
    pub variant: usize,
    /// Its share of accepted answers minus that of the base; `None` without states that both have replies to.
    pub difference: Option<f64>,
    /// Its 95 % interval, which is not corrected for the number of variants.
    pub interval: Option<Interval>,
    /// The states that count.
    pub states: usize,
    /// What that says.
    pub verdict: MarginVerdict,
}

impl Margin {
    /// Reads a margin of the command line.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let (base, size) = match text.rsplit_once(':') {
            Some((base, size)) => (Some(base.trim().to_owned()), size),
            None => (None, text),
        };
        let size = size.trim().parse::<f64>().ok().and_then(Self::of_size);
        size.map(|found| Self { base, ..found }).ok_or_else(|| {
            Problem::new(format!("{FLAG}: {text:?} has no number from 0 to 1")).with_help(
                "write for example 0.05 for five points, or 0s-CoT:0.05 to compare with that prompt",
            )
        })
    }

    /// A margin of this size, if it is from 0 to 1.
    pub fn of_size(size: f64) -> Option<Self> {
        (0.0..=1.0).contains(&size).then_some(Self { base: None, size })
    }

    /// The index of the variant that the others are compared with.
    pub fn base(&self, variants: &[Variant]) -> Result<usize, Problem> {
        if variants.len() < 2 {
            let problem = Problem::new("a margin compares variants, and there is one".to_owned());
            return Err(problem.with_help("add a prompt, a memory window or a model to compare with"));
        }
        let Some(name) = &self.base else { return Ok(0) };
        match named_variants(name, variants, FLAG)?.as_slice() {
            [base] => Ok(*base),
            several => {
                let numbers: Vec<String> = several.iter().map(|index| (index + 1).to_string()).collect();
                let problem = Problem::new(format!("{FLAG}: several variants are {name:?}"));
                Err(problem.with_help(format!("write the number of one: {}", numbers.join(", "))))
            }
        }
    }

    /// All other variants compared with the base; nothing with one variant.
    pub fn results(&self, variants: &[Variant], table: &SuiteTable) -> Result<Vec<MarginResult>, Problem> {
        if variants.len() < 2 {
            return Ok(Vec::new());
        }
        let base = self.base(variants)?;
        let others = (0..variants.len()).filter(|variant| *variant != base);
        Ok(others.map(|variant| self.result((base, variant), &table.comparisons)).collect())
    }

    fn result(&self, (base, variant): (usize, usize), comparisons: &[SuiteComparison]) -> MarginResult {
        let found = comparisons.iter().find_map(|one| match one.pair.variants {
            pair if pair == (base, variant) => Some((one, one.pair.difference, one.interval)),
            pair if pair == (variant, base) => {
                let turned = |ends: Interval| Interval { low: -ends.high, high: -ends.low };
                Some((one, -one.pair.difference, one.interval.map(turned)))
            }
            _ => None,
        });
        let interval = found.and_then(|(_, _, interval)| interval);
        MarginResult {
            base,
            variant,
            difference: found.map(|(_, difference, _)| difference),
            interval,
            states: found.map_or(0, |(one, ..)| one.states),
            verdict: MarginVerdict::of(interval, self.size),
        }
    }
}

/// As it is written.
impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(base) = &self.base {
            write!(f, "{base}:")?;
        }
        write!(f, "{}", self.size)
    }
}
