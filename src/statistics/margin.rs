//! What an interval of a difference says of a margin that was fixed beforehand.

use super::Interval;

/// A difference compared with a margin: whether something is better, or at least not worse by more than the margin
/// (non-inferiority, with both ends of a 95 % interval: Piaggio et al. 2012, *CONSORT for noninferiority trials*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginVerdict {
    /// The whole interval is above zero.
    Better,
    /// The interval contains zero or is below it, and the whole of it is above minus the margin.
    NotWorse,
    /// The whole interval is below zero, and part of it is below minus the margin.
    Worse,
    /// The interval contains zero and minus the margin, or there is none.
    Undecided,
}

impl MarginVerdict {
    /// The verdict for the interval of a difference, where more is better. `margin` is not negative, in the unit of the
    /// interval.
    ///
    /// An interval that touches zero or minus the margin does not exclude it.
    pub fn of(interval: Option<Interval>, margin: f64) -> Self {
        match interval {
            None => Self::Undecided,
            Some(found) if found.low > 0.0 => Self::Better,
            Some(found) if found.low > -margin => Self::NotWorse,
            Some(found) if found.high < 0.0 => Self::Worse,
            Some(_) => Self::Undecided,
        }
    }

    /// Whether the margin is kept for certain.
    pub fn is_kept(self) -> bool {
        matches!(self, Self::Better | Self::NotWorse)
    }

    /// The verdict as it is stored in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::NotWorse => "not_worse",
            Self::Worse => "worse",
            Self::Undecided => "undecided",
        }
    }
}
