//! Counts of values in bins of equal width, which add up over many episodes.

use crate::statistics::count;

/// How many values lie in each bin; the last bin has everything above.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Histogram {
    width: f64,
    counts: Vec<usize>,
}

impl Histogram {
    /// Bins of this width from 0.
    pub(super) fn new(width: f64, bins: usize) -> Self {
        Self { width, counts: vec![0; bins] }
    }

    pub(super) fn add(&mut self, value: f64) {
        let last = self.counts.len() - 1;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within 0 and the last bin"
        )]
        let bin = (value / self.width).clamp(0.0, count(last)) as usize;
        self.counts[bin.min(last)] += 1;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (sum, more) in self.counts.iter_mut().zip(&other.counts) {
            *sum += more;
        }
    }

    pub(super) fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The value below which this share of the values lies, to half a bin; none of no values.
    pub(super) fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = share * count(self.total());
        let mut below = 0.0;
        for (index, number) in self.counts.iter().enumerate().filter(|(_, number)| **number > 0) {
            let number = count(*number);
            if below + number >= wanted {
                return Some(self.width * (count(index) + ((wanted - below) / number).clamp(0.0, 1.0)));
            }
            below += number;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_exact_to_a_bin_and_add_up() {
        let mut one = Histogram::new(0.1, 100);
        (0..100).for_each(|step| one.add(f64::from(step) / 20.0));
        let mut both = one.clone();
        both.merge(&one);
        assert_eq!((one.total(), both.total()), (100, 200));
        for histogram in [&one, &both] {
            assert!((histogram.quantile(0.5).unwrap() - 2.5).abs() < 0.1);
        }
        one.add(1e9);
        one.add(f64::NAN);
        assert_eq!((one.total(), Histogram::new(1.0, 3).quantile(0.5)), (102, None));
    }
}
