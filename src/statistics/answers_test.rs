//! Whether two sets of answers to the same questions come from one distribution.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::number;
use super::resampling::{SEED, below};

/// How often answers are dealt out again.
const DEALS: u32 = 9_999;

/// Distances that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// How often each answer to one question was given, in two sets. Both lists have an entry for each answer, the same one at the same
/// place in all questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    /// In one set.
    pub one: Vec<usize>,
    /// In the other one.
    pub other: Vec<usize>,
}

impl AnswerCounts {
    /// How often an answer of one set differs from one of the other set, minus how often two answers of the same set differ, the mean
    /// of both sets. Its mean is 0 if both come from one distribution, for any number of answers: it is unbiased, so it can be below
    /// 0 by chance. It is 1 if each set always has one answer and these differ. `None` unless both have two answers.
    pub fn disagreement(&self) -> Option<f64> {
        let (one, other) = (self.one.iter().sum::<usize>(), self.other.iter().sum::<usize>());
        if one < 2 || other < 2 {
            return None;
        }
        let both = self.one.iter().zip(&self.other);
        let equal: f64 = both.map(|(one, other)| number(*one) * number(*other)).sum();
        let same = |counts: &[usize], all: usize| {
            let pairs: f64 = counts.iter().map(|count| number(*count) * (number(*count) - 1.0)).sum();
            pairs / (number(all) * (number(all) - 1.0))
        };
        let within = f64::midpoint(same(&self.one, one), same(&self.other, other));
        Some(within - equal / (number(one) * number(other)))
    }
}

/// How far two sets of answers are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnswersTest {
    /// The total variation distance, from 0 to 1: half the sum of the differences of all shares, averaged over questions.
    pub distance: f64,
    /// The distance of the shares that are averaged over questions first, from 0 to 1 and at most `distance`. It is large if the
    /// answers have changed in the same way everywhere.
    pub pooled: f64,
    /// The probability of such a sum of the two distances or of a larger one if both sets come from the same distribution.
    pub p: f64,
}

/// A permutation test of the sum of the two distances: the answers to each question are dealt out to the two sets again, 9,999 times
/// and with a fixed seed, and p is the share of the deals, with the found one, whose sum is not smaller. It is exact for any number
/// of answers if the replies are independent. With few answers to each of many questions the first distance varies too much to
/// show a change, and the second one shows it; with one question they are equal. `None` if no question has answers in both sets.
pub fn answers_test(questions: &[AnswerCounts]) -> Option<AnswersTest> {
    let sum = |counts: &[usize]| counts.iter().sum::<usize>();
    let asked = questions.iter().filter(|counts| sum(&counts.one) > 0 && sum(&counts.other) > 0);
    let mut dealt: Vec<Dealt> = asked.map(Dealt::of).collect();
    let (distance, pooled) = distances(&dealt);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut is_as_far = || {
        for question in &mut dealt {
            question.deal(&mut random);
        }
        let (one, other) = distances(&dealt);
        one + other >= distance + pooled - EQUAL
    };
    let found = (0..DEALS).filter(|_| is_as_far()).count();
    let p = (number(found) + 1.0) / (f64::from(DEALS) + 1.0);
    (!dealt.is_empty()).then_some(AnswersTest { distance, pooled, p })
}

/// A permutation test of the sum of [`AnswerCounts::disagreement`] over questions: the answers to each question are dealt out to the
/// two sets again, as in [`answers_test`], and p is the share of the deals, with the found one, whose sum is not smaller. `None` if no
/// question has two answers in both sets.
pub fn disagreement_test(questions: &[AnswerCounts]) -> Option<f64> {
    let asked = questions.iter().filter(|counts| counts.disagreement().is_some());
    let mut dealt: Vec<Dealt> = asked.map(Dealt::of).collect();
    let sum = |dealt: &[Dealt]| dealt.iter().filter_map(|one| one.counts().disagreement()).sum::<f64>();
    let found = sum(&dealt);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut is_as_far = || {
        for question in &mut dealt {
            question.deal(&mut random);
        }
        sum(&dealt) >= found - EQUAL
    };
    let as_far = (0..DEALS).filter(|_| is_as_far()).count();
    (!dealt.is_empty()).then(|| (number(as_far) + 1.0) / (f64::from(DEALS) + 1.0))
}

/// The distance of each question, averaged, and the distance of the averaged shares.
fn distances(questions: &[Dealt]) -> (f64, f64) {
    let kinds = questions.iter().map(|question| question.kinds).max().unwrap_or(0);
    let mut sums = vec![0.0; kinds];
    let mut all = 0.0;
    for question in questions {
        for (sum, difference) in sums.iter_mut().zip(question.differences()) {
            *sum += difference;
            all += difference.abs();
        }
    }
    let halves = 2.0 * number(questions.len());
    (all / halves, sums.iter().map(|sum| sum.abs()).sum::<f64>() / halves)
}

/// All answers to a question, those of one set first.
struct Dealt {
    answers: Vec<usize>,
    /// How many are of one set.
    one: usize,
    /// How many answers there can be.
    kinds: usize,
}

impl Dealt {
    fn of(counts: &AnswerCounts) -> Self {
        let listed = |counts: &[usize]| {
            let each = counts.iter().enumerate();
            each.flat_map(|(answer, count)| std::iter::repeat_n(answer, *count)).collect::<Vec<_>>()
        };
        let mut answers = listed(&counts.one);
        let one = answers.len();
        answers.extend(listed(&counts.other));
        Self { answers, one, kinds: counts.one.len().max(counts.other.len()) }
    }

    /// Deals the answers out again.
    fn deal(&mut self, random: &mut Xoshiro256PlusPlus) {
        let count = self.answers.len();
        for place in 0..self.one {
            self.answers.swap(place, place + below(count - place, random));
        }
    }

    /// How often each answer is in the two sets.
    fn counts(&self) -> AnswerCounts {
        let (one, other) = self.answers.split_at(self.one);
        let count = |answers: &[usize]| {
            let mut counts = vec![0; self.kinds];
            for answer in answers {
                counts[*answer] += 1;
            }
            counts
        };
        AnswerCounts { one: count(one), other: count(other) }
    }

    /// The share of each answer in one set minus that in the other one.
    fn differences(&self) -> impl Iterator<Item = f64> {
        let (one, other) = self.answers.split_at(self.one);
        let share = |answers: &[usize], kind: usize| {
            number(answers.iter().filter(|answer| **answer == kind).count()) / number(answers.len())
        };
        (0..self.kinds).map(move |kind| share(one, kind) - share(other, kind))
    }
}
