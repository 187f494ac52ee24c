//! Up to which rank sets of answers to the same questions differ from a reference.

use std::collections::BTreeSet;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::number;
use super::resampling::{SEED, below};

/// How often answers are dealt out again for a p value.
const DEALS: usize = 4_999;

/// As many deals that are as far as what was found are enough: p is above 0.04 then.
const ENOUGH: usize = 200;

/// How often they are dealt out for the standard deviations.
const SPREAD_DEALS: usize = 499;

/// Standardized distances that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// A set of answers to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankedSet {
    /// Its rank.
    pub rank: u32,
    /// Its sort: sets of one rank and sort belong together over all questions.
    pub sort: u32,
    /// How often each answer was given, with the same answer at the same place in all sets of the question.
    pub counts: Vec<usize>,
}

/// The answers to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankedAnswers {
    /// Those of the reference.
    pub reference: Vec<usize>,
    /// The other sets.
    pub sets: Vec<RankedSet>,
}

/// The test of a rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankTest {
    /// The rank.
    pub rank: u32,
    /// The p value of the hypothesis that the reference and all sets of this rank or a higher one come from one distribution in each
    /// question; at least that of the lower ranks.
    pub p: f64,
}

/// Tests from the lowest rank upwards up to which one sets differ from the reference, and ends with the first test whose p is not below
/// `level`: no sign of a difference at this rank or a higher one. Each hypothesis contains that of the next rank, so a rank that is too
/// high is found with a probability of at most `level` although no p is corrected (fixed-sequence test, Maurer, Hothorn and Lehmacher
/// 1995).
///
/// A p value is that of a permutation test: in each question all answers that come from one distribution under the hypothesis are dealt
/// out to their sets again. The statistic is the largest standardized distance of a rank and sort: the sum over questions of
/// [`super::AnswerCounts::disagreement`] between a set and the reference with all sets of higher ranks, which are like it if the ranks
/// are in the right order. Sets with fewer than two answers do not count. There are at most 4,999 deals with a fixed seed, fewer as
/// soon as 200 are as far (Besag and Clifford 1991).
pub fn rank_tests(questions: &[RankedAnswers], level: f64) -> Vec<RankTest> {
    let usable = |question: &&RankedAnswers| question.reference.iter().sum::<usize>() >= 2;
    let questions: Vec<&RankedAnswers> = questions.iter().filter(usable).collect();
    let sets = questions.iter().flat_map(|question| question.sets.iter().filter(|set| has_two(set)));
    let ranks: BTreeSet<u32> = sets.map(|set| set.rank).collect();
    let mut tests = Vec::new();
    let mut highest: f64 = 0.0;
    for rank in ranks {
        highest = highest.max(joint_test(&questions, rank));
        tests.push(RankTest { rank, p: highest });
        if highest >= level {
            break;
        }
    }
    tests
}

fn has_two(set: &RankedSet) -> bool {
    set.counts.iter().sum::<usize>() >= 2
}

/// The p value of the hypothesis that nothing of this rank or a higher one differs.
fn joint_test(questions: &[&RankedAnswers], rank: u32) -> f64 {
    let is_in = |set: &&RankedSet| set.rank >= rank && has_two(set);
    let places = questions.iter().flat_map(|question| question.sets.iter().filter(is_in));
    let columns: Vec<(u32, u32)> =
        places.map(|set| (set.rank, set.sort)).collect::<BTreeSet<_>>().into_iter().collect();
    let mut found = vec![0.0; columns.len()];
    let mut pools = Vec::new();
    for question in questions {
        let mut sets: Vec<&RankedSet> = question.sets.iter().filter(is_in).collect();
        if sets.is_empty() {
            continue;
        }
        sets.sort_by_key(|set| std::cmp::Reverse(set.rank));
        let mut pool = Pool::of(question, &sets, &columns);
        pool.add_distances(&mut found);
        // From here on nothing depends on which answer was in which set.
        pool.answers.sort_unstable();
        pools.push(pool);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let spreads = spreads(&mut pools, columns.len(), &mut random);
    let found = largest(&found, &spreads);
    let mut as_far = 0;
    for deal in 1..=DEALS {
        let dealt = deal_distances(&mut pools, columns.len(), &mut random);
        as_far += usize::from(largest(&dealt, &spreads) >= found - EQUAL);
        if as_far == ENOUGH {
            return number(as_far) / number(deal);
        }
    }
    (number(as_far) + 1.0) / (number(DEALS) + 1.0)
}

/// The standard deviations of the distances if nothing differs; their means are 0.
fn spreads(pools: &mut [Pool], columns: usize, random: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let mut squares = vec![0.0; columns];
    for _ in 0..SPREAD_DEALS {
        for (square, distance) in squares.iter_mut().zip(deal_distances(pools, columns, random)) {
            *square += distance * distance;
        }
    }
    squares.into_iter().map(|square| (square / number(SPREAD_DEALS)).sqrt()).collect()
}

fn deal_distances(pools: &mut [Pool], columns: usize, random: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let mut distances = vec![0.0; columns];
    for pool in pools {
        pool.deal(random);
        pool.add_distances(&mut distances);
    }
    distances
}

/// The largest standardized distance; a distance that is always 0 counts as 0.
fn largest(distances: &[f64], spreads: &[f64]) -> f64 {
    let both = distances.iter().zip(spreads);
    both.map(|(distance, spread)| if *spread > 0.0 { distance / spread } else { 0.0 })
        .fold(f64::NEG_INFINITY, f64::max)
}

/// The answers to a question that come from one distribution if nothing differs.
struct Pool {
    /// Those of the reference first, then those of the sets, the highest rank first.
    answers: Vec<usize>,
    /// How many are of the reference.
    reference: usize,
    sets: Vec<PoolSet>,
    /// How often each answer is in the reference and in the sets of higher ranks.
    above: Vec<usize>,
    /// How often it is in the set.
    own: Vec<usize>,
}

#[derive(Clone, Copy)]
struct PoolSet {
    rank: u32,
    column: usize,
    size: usize,
}

impl Pool {
    fn of(question: &RankedAnswers, sets: &[&RankedSet], columns: &[(u32, u32)]) -> Self {
        let counts = || std::iter::once(&question.reference).chain(sets.iter().map(|set| &set.counts));
        let listed = |counts: &Vec<usize>| -> Vec<usize> {
            let each = counts.iter().enumerate();
            each.flat_map(|(answer, count)| std::iter::repeat_n(answer, *count)).collect()
        };
        let kinds = counts().map(Vec::len).max().unwrap_or(0);
        let set = |set: &&RankedSet| PoolSet {
            rank: set.rank,
            column: columns.binary_search(&(set.rank, set.sort)).unwrap_or_default(),
            size: set.counts.iter().sum(),
        };
        Self {
            answers: counts().flat_map(listed).collect(),
            reference: question.reference.iter().sum(),
            sets: sets.iter().map(set).collect(),
            above: vec![0; kinds],
            own: vec![0; kinds],
        }
    }

    fn deal(&mut self, random: &mut Xoshiro256PlusPlus) {
        let count = self.answers.len();
        for place in 1..count {
            self.answers.swap(place - 1, place - 1 + below(count - place + 1, random));
        }
    }

    /// Adds the disagreement of each set with the reference and all sets of higher ranks.
    fn add_distances(&mut self, distances: &mut [f64]) {
        let Self { answers, reference, sets, above, own, .. } = self;
        let (first, mut rest) = answers.split_at(*reference);
        count(first, above);
        let mut size = *reference;
        for same in sets.chunk_by(|one, other| one.rank == other.rank) {
            let begin = rest;
            for set in same {
                let (answers, following) = rest.split_at(set.size);
                rest = following;
                count(answers, own);
                distances[set.column] += disagreement((above, size), (own, set.size));
            }
            let taken = begin.len() - rest.len();
            begin[..taken].iter().for_each(|answer| above[*answer] += 1);
            size += taken;
        }
    }
}

/// Counts answers, from 0.
fn count(answers: &[usize], counts: &mut [usize]) {
    counts.fill(0);
    for answer in answers {
        counts[*answer] += 1;
    }
}

/// [`super::AnswerCounts::disagreement`] of two sets with these sizes of at least two.
fn disagreement((one, ones): (&[usize], usize), (other, others): (&[usize], usize)) -> f64 {
    let mut equal = 0;
    let mut in_one = 0;
    let mut in_other = 0;
    for (one, other) in one.iter().zip(other) {
        equal += one * other;
        in_one += one * one.saturating_sub(1);
        in_other += other * other.saturating_sub(1);
    }
    let pairs = |size: usize| number(size * (size - 1));
    let within = f64::midpoint(number(in_one) / pairs(ones), number(in_other) / pairs(others));
    within - number(equal) / number(ones * others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnswerCounts;

    fn set(rank: u32, counts: &[usize]) -> RankedSet {
        RankedSet { rank, sort: 0, counts: counts.to_vec() }
    }

    fn question(reference: &[usize], sets: &[RankedSet]) -> RankedAnswers {
        RankedAnswers { reference: reference.to_vec(), sets: sets.to_vec() }
    }

    fn ranks(tests: &[RankTest]) -> Vec<u32> {
        tests.iter().map(|test| test.rank).collect()
    }

    #[test]
    fn tests_go_on_up_to_the_first_rank_that_shows_nothing() {
        let asked = question(&[4, 0], &[set(0, &[0, 4]), set(1, &[0, 4]), set(2, &[4, 0]), set(3, &[4, 0])]);
        let tests = rank_tests(&vec![asked; 8], 0.0125);
        assert_eq!(ranks(&tests), [0, 1, 2]);
        assert!(tests[1].p < 0.001 && tests[0].p <= tests[1].p, "{tests:?}");
        assert!((tests[2].p - 1.0).abs() < 1e-12, "{tests:?}");
    }

    #[test]
    fn a_rank_behind_a_gap_is_found() {
        let asked = question(&[4, 0], &[set(0, &[4, 0]), set(1, &[4, 0]), set(2, &[0, 4]), set(3, &[4, 0])]);
        let tests = rank_tests(&vec![asked; 8], 0.0125);
        assert_eq!(ranks(&tests), [0, 1, 2, 3]);
        assert!(tests[2].p < 0.001 && tests[3].p > 0.9, "{tests:?}");
    }

    #[test]
    fn sets_of_one_answer_and_questions_without_a_reference_do_not_count() {
        assert_eq!(rank_tests(&[], 0.05), []);
        assert_eq!(rank_tests(&vec![question(&[1, 0], &[set(0, &[0, 4])]); 8], 0.05), []);
        let single = question(&[4, 0], &[set(0, &[0, 4]), set(1, &[0, 1])]);
        assert_eq!(ranks(&rank_tests(&vec![single; 8], 0.05)), [0]);
    }

    #[test]
    fn the_distance_is_that_of_the_single_test() {
        for (one, other) in [([3, 1, 0], [1, 2, 2]), ([2, 0, 0], [0, 0, 5]), ([1, 1, 1], [1, 1, 1])] {
            let counts = AnswerCounts { one: one.to_vec(), other: other.to_vec() };
            let sum = |counts: &[usize]| counts.iter().sum::<usize>();
            let found = disagreement((&one, sum(&one)), (&other, sum(&other)));
            assert!((found - counts.disagreement().unwrap()).abs() < 1e-12);
        }
    }

    /// Answers of one distribution in all sets: a difference is found at the level, or less often as p values are discrete.
    #[test]
    fn equal_sets_differ_as_often_as_the_level_says() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draw = || {
            let mut counts = vec![0; 3];
            for _ in 0..4 {
                counts[[0, 0, 0, 1, 2][below(5, &mut random)]] += 1;
            }
            counts
        };
        let trials = 200;
        let mut found = 0;
        for _ in 0..trials {
            let mut asked = || {
                let sets = (0..3).map(|rank| RankedSet { rank, sort: 0, counts: draw() }).collect();
                RankedAnswers { reference: draw(), sets }
            };
            let questions: Vec<RankedAnswers> = (0..6).map(|_| asked()).collect();
            found += usize::from(rank_tests(&questions, 0.1)[0].p < 0.1);
        }
        // 20 are expected; the bounds are four standard deviations away.
        assert!((3..=37).contains(&found), "{found}");
    }
}
