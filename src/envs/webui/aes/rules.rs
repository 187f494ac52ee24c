//! Which of two published definitions applies: the paper and its released code differ in several rules.

use std::fmt;

/// A rule of the paper that the released code does not follow. The row numbers are those of `docs/webui.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaperRule {
    /// 1: The score is the mean over sub-pages; released: all pairs of all sub-pages together.
    MeanOfPages,
    /// 3: Texts are compared by the overlap of their words; released: below ten words by equality.
    TextOverlap,
    /// 4: The pairing subtracts a thousandth of the difference in descendants; released: a hundred-thousandth of the
    /// descendants of the generated element.
    DescendantDifference,
    /// 5: A pair with different filter values never matches; released: it loses 1, so overlapping elements still match.
    StrictFilter,
    /// 6: Every target counts; released: one without a match counts only if it got no column.
    UnmatchedCount,
    /// 7: A target whose outer HTML did not change since the sub-page before is not scored again; released: it is.
    SkipUnchanged,
    /// 9: Only attributes are weighed; released: the position too, with weight 46.
    NoPositionWeight,
    /// 10: `border-top-width` reads the top border; released: the left one.
    OwnTopWidth,
    /// 11: `has_text`, `src`, `type`, `placeholder` and `value` are read; released: constants, or the visible text.
    RealAttributes,
    /// 12: The value of a negative length lies between 0 and 1; released: it may exceed 1.
    BoundedLengths,
    /// 13: Translucent and missing shadows, percentages and keywords are compared; released: skipped.
    CompareMissing,
    /// 14: `background` without a gradient, `border-bottom`, and colour and style of `border` are compared; released:
    /// they add nothing.
    CompleteShorthands,
    /// 16: A target with an unknown filter is kept, without a filter; released: it is dropped.
    KeepUnknownFilters,
    /// Not in the paper: addresses of images are compared from the page's folder on; released: as a whole, so that
    /// relative images in two folders are never equal.
    RelativeAddresses,
}

impl PaperRule {
    /// Every rule, in the order of the table.
    pub const ALL: [Self; 14] = [
        Self::MeanOfPages,
        Self::TextOverlap,
        Self::DescendantDifference,
        Self::StrictFilter,
        Self::UnmatchedCount,
        Self::SkipUnchanged,
        Self::NoPositionWeight,
        Self::OwnTopWidth,
        Self::RealAttributes,
        Self::BoundedLengths,
        Self::CompareMissing,
        Self::CompleteShorthands,
        Self::KeepUnknownFilters,
        Self::RelativeAddresses,
    ];

    /// The name of the flag.
    pub fn name(self) -> &'static str {
        match self {
            Self::MeanOfPages => "mean_of_pages",
            Self::TextOverlap => "text_overlap",
            Self::DescendantDifference => "descendant_difference",
            Self::StrictFilter => "strict_filter",
            Self::UnmatchedCount => "unmatched_count",
            Self::SkipUnchanged => "skip_unchanged",
            Self::NoPositionWeight => "no_position_weight",
            Self::OwnTopWidth => "own_top_width",
            Self::RealAttributes => "real_attributes",
            Self::BoundedLengths => "bounded_lengths",
            Self::CompareMissing => "compare_missing",
            Self::CompleteShorthands => "complete_shorthands",
            Self::KeepUnknownFilters => "keep_unknown_filters",
            Self::RelativeAddresses => "relative_addresses",
        }
    }

    /// The rule of this flag.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The rules of a score: those of the released code, except for the chosen ones of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    paper: u32,
}

impl Rules {
    /// The released code, which made the published numbers (mode `parity`).
    pub fn released() -> Self {
        Self { paper: 0 }
    }

    /// The paper as printed (mode `strict`).
    pub fn paper() -> Self {
        PaperRule::ALL.into_iter().fold(Self::released(), |rules, rule| rules.with(rule, true))
    }

    /// The same with one rule as in the paper, or as released.
    #[must_use]
    pub fn with(self, rule: PaperRule, as_in_paper: bool) -> Self {
        let others = self.paper & !rule.bit();
        Self { paper: others | if as_in_paper { rule.bit() } else { 0 } }
    }

    /// Whether this rule is as in the paper.
    pub fn has(self, rule: PaperRule) -> bool {
        self.paper & rule.bit() != 0
    }

    /// The rules that are as in the paper.
    pub fn flags(self) -> impl Iterator<Item = PaperRule> {
        PaperRule::ALL.into_iter().filter(move |rule| self.has(*rule))
    }

    /// `parity`, `strict`, or `mixed` if single rules were chosen.
    pub fn mode(self) -> &'static str {
        match self {
            _ if self == Self::released() => "parity",
            _ if self == Self::paper() => "strict",
            _ => "mixed",
        }
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.flags()).finish()
    }
}
