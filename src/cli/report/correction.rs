//! The methods of `--correction`.

use mageyard_statistics::Correction;

/// How p values are corrected for the number of comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum CorrectionName {
    /// By Holm: any of them is called different wrongly with 5 % or less
    #[default]
    Holm,
    /// Not at all: each for itself is called different wrongly with 5 %
    None,
}

impl From<CorrectionName> for Correction {
    fn from(name: CorrectionName) -> Self {
        match name {
            CorrectionName::Holm => Self::Holm,
            CorrectionName::None => Self::None,
        }
    }
}
