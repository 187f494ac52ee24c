//! The table of an ask: how often each variant gave which answer, and how sure the differences are. It is made from what is
//! stored, so it is the same for an ask that has just ended and for one that is printed again.

use super::distance::set_distances;
use super::record::{AskCall, AskRecord, Variant};
use super::row::{VariantRow, variant_row};
use crate::VariantComparison;
use crate::comparison::pairs;
use mageyard_domain::Prices;
use mageyard_statistics::{Counted, DifferenceTest, Share, correct};

/// The table of an ask.
#[derive(Clone, Debug)]
pub struct AskTable {
    /// A row for each variant, in their order.
    pub rows: Vec<VariantRow>,
    /// The indices of the rows as they are shown: if parts are left out, the complete request comes first, and then what
    /// changes the answers most.
    order: Vec<usize>,
    /// All pairs of variants, or if parts are left out, each of these variants with the complete request; the surest first,
    /// and none without a target.
    pub comparisons: Vec<VariantComparison>,
    /// The replies of all variants.
    pub replies: usize,
}

impl AskTable {
    /// The table of these calls.
    pub fn of(record: &AskRecord, calls: &[AskCall], prices: &Prices) -> Self {
        let row = |(index, variant): (usize, &Variant)| {
            let own: Vec<&AskCall> = calls.iter().filter(|call| call.variant == index).collect();
            variant_row(record, &own, variant.model_name(), prices)
        };
        let mut rows: Vec<VariantRow> = record.variants.iter().enumerate().map(row).collect();
        if record.leaves_out() {
            set_distances(&mut rows);
        }
        let comparisons = comparisons(rows.iter().map(|row| row.target), record.leaves_out());
        let replies = rows.iter().map(|row| row.replies).sum();
        Self { order: shown_order(&rows, &comparisons, record.leaves_out()), comparisons, rows, replies }
    }

    /// The variants with their indices and rows, in the order in which they are shown.
    pub fn shown<'a>(
        &'a self,
        record: &'a AskRecord,
    ) -> impl Iterator<Item = (usize, &'a Variant, &'a VariantRow)> {
        self.order
            .iter()
            .filter_map(|index| Some((*index, record.variants.get(*index)?, self.rows.get(*index)?)))
    }

    /// The comparison of a variant without a part with the complete request.
    pub fn against_complete(&self, variant: usize) -> Option<&VariantComparison> {
        against_complete(&self.comparisons, variant)
    }
}

/// The order of the rows: if parts are left out, the complete request, those that differ from it, and the others, the latter
/// two by their distance.
fn shown_order(rows: &[VariantRow], comparisons: &[VariantComparison], leaves_out: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    if leaves_out {
        let differs = |index: usize| {
            against_complete(comparisons, index).is_some_and(|found| found.test.is_different())
        };
        let distance = |index: usize| rows.get(index).and_then(|row| row.distance).unwrap_or_default();
        let others = order.get_mut(1..).unwrap_or_default();
        others.sort_by(|one, other| {
            differs(*other).cmp(&differs(*one)).then(distance(*other).total_cmp(&distance(*one)))
        });
    }
    order
}

fn against_complete(comparisons: &[VariantComparison], variant: usize) -> Option<&VariantComparison> {
    comparisons.iter().find(|comparison| comparison.variants == (0, variant))
}

/// All pairs of variants by their shares, or only those with the first variant; the surest first. A variant without a share,
/// or without any cases, is compared with none.
pub(crate) fn comparisons(
    shares: impl Iterator<Item = Option<Share>>,
    only_first: bool,
) -> Vec<VariantComparison> {
    let shares = shares.enumerate().filter_map(|(index, share)| Some((index, share?)));
    let shares: Vec<(usize, Share)> = shares.filter(|(_, share)| share.of > 0).collect();
    let pairs = pairs(shares.len()).map(|(one, other)| (shares[one], shares[other]));
    let pairs: Vec<_> = pairs.filter(|((first, _), _)| !only_first || *first == 0).collect();
    let count = pairs.len();
    let compare = |((first, one), (second, other)): ((usize, Share), (usize, Share))| VariantComparison {
        variants: (first, second),
        difference: other.value().unwrap_or_default() - one.value().unwrap_or_default(),
        test: DifferenceTest::of_shares((one.count, one.of), (other.count, other.of), count),
    };
    let mut all: Vec<VariantComparison> = pairs.into_iter().map(compare).collect();
    correct(all.iter_mut().map(|one| &mut one.test), Counted::All);
    all.sort_by(|one, other| one.test.p.total_cmp(&other.test.p));
    all
}
