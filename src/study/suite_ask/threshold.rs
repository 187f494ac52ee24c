//! A share that a variant must reach, for a check in CI: `optimal>=0.6`, or for one variant `HD-CoT:optimal>=0.6`. With `!` at its end
//! the end of the interval must reach it, so that chance does not decide a check: `optimal>=0.6!`.

use std::fmt;

use super::measure::{MEASURES, Measure};
use super::table::SuiteTable;
use crate::Variant;
use mageyard_config::Problem;
use mageyard_statistics::Share;

/// A bound on a share.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The prompt or the number of the variant that it is about; `None` for each.
    pub variant: Option<String>,
    /// What is measured.
    pub measure: Measure,
    /// Whether the share must not be above the bound; otherwise it must not be below.
    pub is_most: bool,
    /// The bound, from 0 to 1.
    pub bound: f64,
    /// Whether the whole 95 % interval must be within the bound, and not only the share.
    pub is_sure: bool,
}

/// A variant held against a threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct ThresholdResult {
    /// The index of the variant.
    pub variant: usize,
    /// Its share; `None` if it has no replies that can be judged.
    pub share: Option<Share>,
    /// Whether it is met.
    pub is_met: bool,
}

impl Threshold {
    /// Reads a threshold.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let wrong = |what: &str| {
            Problem::new(format!("--threshold: {text:?} {what}"))
                .with_help("write for example optimal>=0.6, losing<=0.1, HD-CoT:optimal>=0.6, or optimal>=0.6! for the low end of the interval")
        };
        let (is_most, parts) = match (text.split_once(">="), text.split_once("<=")) {
            (Some(parts), _) => (false, parts),
            (_, Some(parts)) => (true, parts),
            _ => return Err(wrong("has neither >= nor <=")),
        };
        let (variant, name) = match parts.0.rsplit_once(':') {
            Some((variant, name)) => (Some(variant.trim().to_owned()), name.trim()),
            None => (None, parts.0.trim()),
        };
        let measure = MEASURES.into_iter().find(|measure| measure.name() == name).ok_or_else(|| {
            let names = MEASURES.iter().map(|measure| measure.name());
            wrong("names no share").with_suggestions(name, names)
        })?;
        let written = parts.1.trim();
        let (written, is_sure) = written.strip_suffix('!').map_or((written, false), |bound| (bound, true));
        let bound = written.trim().parse::<f64>().ok().filter(|bound| (0.0..=1.0).contains(bound));
        Ok(Self {
            variant,
            measure,
            is_most,
            bound: bound.ok_or_else(|| wrong("has no number from 0 to 1"))?,
            is_sure,
        })
    }

    /// The indices of the variants that it is about.
    pub fn variants(&self, variants: &[Variant]) -> Result<Vec<usize>, Problem> {
        let Some(name) = &self.variant else { return Ok((0..variants.len()).collect()) };
        named_variants(name, variants, "--threshold")
    }

    /// What of a share is compared with the bound: itself, or the end of its interval that is nearer to the bound.
    fn compared(&self, share: Share) -> Option<f64> {
        if !self.is_sure {
            return share.value();
        }
        share.interval.map(|interval| if self.is_most { interval.high } else { interval.low })
    }

    /// Holds the variants against it.
    pub fn results(&self, variants: &[Variant], table: &SuiteTable) -> Result<Vec<ThresholdResult>, Problem> {
        let result = |variant: usize| {
            let share =
                table.rows.get(variant).and_then(|row| row.share(self.measure)).map(|found| found.share);
            let is_within = |share: f64| if self.is_most { share <= self.bound } else { share >= self.bound };
            let is_met = share.and_then(|share| self.compared(share)).is_some_and(is_within);
            ThresholdResult { variant, share, is_met }
        };
        Ok(self.variants(variants)?.into_iter().map(result).collect())
    }
}

/// The indices of the variants with this prompt or number, at least one; `flag` named them.
pub(super) fn named_variants(name: &str, variants: &[Variant], flag: &str) -> Result<Vec<usize>, Problem> {
    let is_meant =
        |(index, variant): &(usize, &Variant)| variant.prompt == name || (index + 1).to_string() == name;
    let found: Vec<usize> = variants.iter().enumerate().filter(is_meant).map(|(index, _)| index).collect();
    if found.is_empty() {
        let prompts = variants.iter().map(|variant| variant.prompt.as_str());
        return Err(Problem::new(format!("{flag}: no variant is {name:?}")).with_suggestions(name, prompts));
    }
    Ok(found)
}

/// As it is written.
impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(variant) = &self.variant {
            write!(f, "{variant}:")?;
        }
        let relation = if self.is_most { "<=" } else { ">=" };
        write!(f, "{}{relation}{}{}", self.measure, self.bound, if self.is_sure { "!" } else { "" })
    }
}
