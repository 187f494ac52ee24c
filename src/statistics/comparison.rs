//! What the test of a difference says: the same for shares of independent cases and for pairs on the same levels.

use super::exact::{fisher_exact, holm};
use super::visible::smallest_visible_share;
use super::{CONFIDENCE, number};

/// What a difference says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Equal cells differ as much in more than 5 % of experiments.
    InsideNoise,
    /// The p value is below 0.05, and the interval does not contain zero.
    Different,
    /// There are so few cases, or levels that differ, that no result could be called different.
    TooFew,
}

impl Verdict {
    /// The verdict as it is printed.
    pub fn text(self) -> &'static str {
        match self {
            Self::InsideNoise => "inside noise",
            Self::Different => "different",
            Self::TooFew => "too few pairs",
        }
    }
}

/// The test of a difference, two-sided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceTest {
    /// The p value.
    pub p: f64,
    /// The same, corrected for the number of tests that it is one of ([`correct`]); at first the same.
    pub corrected: f64,
    /// The smallest difference that could be found, or is found with a probability of 0.8; `None` if none could.
    pub smallest_visible: Option<f64>,
    /// Whether the interval of the difference speaks against the test: it contains zero.
    pub has_zero: bool,
}

impl DifferenceTest {
    /// Fisher's exact test of two shares of independent cases, each given as (found, n), which is one of so many comparisons.
    pub fn of_shares(one: (usize, usize), other: (usize, usize), comparisons: usize) -> Self {
        let p = fisher_exact(one, other);
        let smallest_visible = smallest_visible_share(one, other.1, comparisons);
        Self { p, corrected: p, smallest_visible, has_zero: false }
    }

    /// Whether the difference is more than chance, at the level of all tests together.
    pub fn is_different(&self) -> bool {
        self.corrected < 1.0 - CONFIDENCE && !self.has_zero
    }

    /// What it says.
    pub fn verdict(&self) -> Verdict {
        match self.smallest_visible {
            _ if self.is_different() => Verdict::Different,
            Some(_) => Verdict::InsideNoise,
            None => Verdict::TooFew,
        }
    }

    /// The verdict in words: inside noise, with these words for the smallest difference that could be seen.
    pub fn words(&self, size: impl Fn(f64) -> String, too_few: &str) -> String {
        match (self.verdict(), self.smallest_visible) {
            (Verdict::TooFew, _) => too_few.to_owned(),
            (verdict @ Verdict::InsideNoise, Some(visible)) => {
                format!("{} (visible from {})", verdict.text(), size(visible))
            }
            (verdict, _) => verdict.text().to_owned(),
        }
    }
}

/// Which tests of a family count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All of them.
    All,
    /// Those that could find a difference at all; the others stay as they are (Tarone 1990, "A modified Bonferroni method for
    /// discrete data").
    Possible,
}

/// How p values are corrected for a number of comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// By Holm (1979): with 5 % or less any of the comparisons is called different wrongly.
    #[default]
    Holm,
    /// Not at all: each comparison for itself is called different wrongly with 5 %.
    None,
}

impl Correction {
    /// Its name in options and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holm => "holm",
            Self::None => "none",
        }
    }

    /// Corrects p values as [`correct`] does, or leaves them as they are.
    pub fn apply<'a>(self, tests: impl IntoIterator<Item = &'a mut DifferenceTest>, counted: Counted) {
        if self == Self::Holm {
            correct(tests, counted);
        }
    }
}

/// Corrects the p values of tests for how many of them count (Holm 1979).
pub fn correct<'a>(tests: impl IntoIterator<Item = &'a mut DifferenceTest>, counted: Counted) {
    let counts = |test: &&mut DifferenceTest| counted == Counted::All || test.smallest_visible.is_some();
    let tests: Vec<&mut DifferenceTest> = tests.into_iter().filter(counts).collect();
    let values: Vec<f64> = tests.iter().map(|test| test.p).collect();
    for (test, corrected) in tests.into_iter().zip(holm(&values)) {
        test.corrected = corrected;
    }
}

/// A p value with three decimals; a smaller one is not zero.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// The share of `count` out of `of`, from 0 to 1; `None` of nothing.
pub fn share(count: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| number(count) / number(of))
}
