//! How much of the error has been spent by a share of the information.

use std::f64::consts::E;

use crate::distributions::{normal_probability, normal_quantile};

/// A spending function ("Discrete sequential boundaries for clinical trials", Biometrika 70, 1983).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorSpending {
    /// Like the boundaries of O'Brien and Fleming: nearly nothing at early looks, so that the last one is nearly an ordinary
    /// test.
    #[default]
    ObrienFleming,
    /// Like the boundaries of Pocock: about the same level at all looks, so that large differences end early.
    Pocock,
}

impl ErrorSpending {
    /// The part of the one-sided error `alpha` (0 < alpha < 1) that is spent when this share of the information is there, from
    /// 0 to 1: 2 - 2Φ(z(1 - alpha/2)/√t), or alpha ln(1 + (e - 1)t).
    pub fn spent(self, alpha: f64, share: f64) -> f64 {
        if share <= 0.0 {
            return 0.0;
        }
        if share >= 1.0 {
            return alpha;
        }
        match self {
            Self::ObrienFleming => 2.0 * normal_probability(normal_quantile(alpha / 2.0) / share.sqrt()),
            Self::Pocock => alpha * ((E - 1.0) * share).ln_1p(),
        }
    }

    /// Its name, as arguments and JSON have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ObrienFleming => "obrien-fleming",
            Self::Pocock => "pocock",
        }
    }
}
