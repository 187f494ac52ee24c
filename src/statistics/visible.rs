//! What so few samples or levels can show at all, before anything is asked: the p value of the most extreme outcome, corrected
//! for the number of comparisons.

use super::{CONFIDENCE, fisher_exact, number};

/// The most samples or levels that are proposed.
const MOST: usize = 10_000;

/// The fewest samples of each of two variants with which a difference can be found by Fisher's exact test among so many
/// comparisons (Holm): that between none and all of them. `None` if more are needed than anything has.
pub fn samples_that_show(comparisons: usize) -> Option<usize> {
    (1..=MOST).find(|samples| is_below(fisher_exact((0, *samples), (*samples, *samples)), comparisons))
}

/// The fewest levels, or states, that must differ in one direction so that a test that flips their signs finds it among so many
/// comparisons (Holm): 2 of 2^n ways are as far from zero.
pub fn levels_that_show(comparisons: usize) -> usize {
    let p = |levels: usize| 2.0 * 0.5_f64.powf(number(levels));
    (1..=MOST).find(|levels| is_below(p(*levels), comparisons)).unwrap_or(MOST)
}

/// The smallest difference from this share, given as (found, n), that another variant with `n` samples could have and be called
/// different among so many comparisons; `None` if there is none.
pub fn smallest_visible_share(one: (usize, usize), n: usize, comparisons: usize) -> Option<f64> {
    if one.1 == 0 || n == 0 {
        return None;
    }
    let differs = |found: &usize| is_below(fisher_exact(one, (*found, n)), comparisons);
    let share = number(one.0) / number(one.1);
    let size = |found: usize| (number(found) / number(n) - share).abs();
    (0..=n).filter(differs).map(size).min_by(f64::total_cmp)
}

fn is_below(p: f64, comparisons: usize) -> bool {
    p * number(comparisons.max(1)) < 1.0 - CONFIDENCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_samples_show_nothing_once_there_are_seven_pairs() {
        // 2 of C(10, 5) = 252 tables are as extreme: 0.0079, and 7 of it are 0.0556.
        assert_eq!([1, 6, 7].map(samples_that_show), [Some(4), Some(5), Some(6)]);
        assert_eq!(smallest_visible_share((0, 5), 5, 6), Some(1.0));
        assert_eq!(smallest_visible_share((0, 5), 5, 7), None);
        // 0 of 5 and 4 of 5 have p = 0.0476.
        assert_eq!(smallest_visible_share((0, 5), 5, 1), Some(0.8));
        assert_eq!(smallest_visible_share((0, 0), 5, 1), None);
    }

    #[test]
    fn six_states_are_the_fewest_and_more_are_needed_for_more_pairs() {
        // 2/64 = 0.031, 2/128 · 3 = 0.047, 2/512 · 10 = 0.039.
        assert_eq!([1, 3, 10].map(levels_that_show), [6, 7, 9]);
    }
}
