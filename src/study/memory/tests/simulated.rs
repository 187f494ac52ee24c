//! Simulated answers, as counts: models that need known frames, in studies of a known size. The benchmark `memory_study` uses them
//! too, so the types come from the parent module.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{MemoryAnswers, MemoryPart, Remembered};

/// Four actions, and replies that cannot be read.
const ACTIONS: usize = 4;

/// The share of replies that cannot be read.
const UNREADABLE: f64 = 0.02;

/// The share of the right action if all is there that a decision needs.
const RIGHT: f64 = 0.8;

/// The last step of an episode.
const LAST_STEP: u64 = 20;

/// What a decision depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing: the answers are the same whether or not a part is there.
    Nothing,
    /// The frame of the step and all frames up to this many steps back.
    UpTo(u32),
    /// The frame of the step, and one of two neighbours, the nearer one this many steps back; either is enough.
    EitherOf(u32),
}

/// A model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) needs: Needs,
    /// The share of its favourite action where something is missing. The favourite of a state is drawn among all actions.
    pub(crate) favourite: f64,
    /// The share of states in which something missing changes its answers at all.
    pub(crate) affected: f64,
}

/// A study.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    pub(crate) am: u32,
    pub(crate) om: u32,
    pub(crate) calls: u64,
    pub(crate) samples: u32,
    pub(crate) pairs: bool,
}

/// Random numbers.
struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Between 0 and 1.
    fn share(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 0.5) / (f64::from(u32::MAX) + 1.0)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit
    }
}

/// The answers of a study.
pub(crate) fn simulated_study(model: Model, design: Design, seed: u64) -> Vec<MemoryAnswers> {
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut left = design.calls;
    let mut states = Vec::new();
    loop {
        let step = u32::try_from(2 + random.below(LAST_STEP - 1)).unwrap_or(u32::MAX);
        let parts = parts(design, step);
        let calls = u64::from(design.samples) * (1 + parts.len() as u64);
        if calls > left {
            return states;
        }
        left -= calls;
        states.push(answers(model, design, (step, parts), &mut random));
    }
}

/// The parts of the request of a step.
fn parts(design: Design, step: u32) -> Vec<MemoryPart> {
    let (rows, frames) = (design.am.min(step - 1), design.om.min(step));
    let mut ranges = vec![(Remembered::Row, 1..=rows), (Remembered::Frame, 0..=frames - 1)];
    if design.pairs {
        ranges.push((Remembered::RowPair, 1..=rows.saturating_sub(1)));
        ranges.extend((frames > 1).then(|| (Remembered::FramePair, 0..=frames - 2)));
    }
    ranges.into_iter().flat_map(|(what, backs)| backs.map(move |back| MemoryPart { what, back })).collect()
}

fn answers(
    model: Model,
    design: Design,
    (step, parts): (u32, Vec<MemoryPart>),
    random: &mut Random,
) -> MemoryAnswers {
    let whole = spread(random.below(ACTIONS as u64), RIGHT);
    let other = spread(random.below(ACTIONS as u64), model.favourite);
    let is_affected = random.share() < model.affected;
    let mut drawn = |is_missing: bool| {
        let shares = if is_missing && is_affected { &other } else { &whole };
        let mut counts = vec![0; shares.len()];
        for _ in 0..design.samples {
            let mut place = random.share();
            let found = shares.iter().position(|share| {
                place -= share;
                place < 0.0
            });
            counts[found.unwrap_or(shares.len() - 1)] += 1;
        }
        counts
    };
    let complete = drawn(false);
    let without = parts.into_iter().map(|part| (part, drawn(is_missing(model.needs, part, design.om, step))));
    let without = without.collect();
    MemoryAnswers { level: format!("level {}", step % 8), step, complete, without, optimal: None }
}

/// The shares of the actions and of unreadable replies.
fn spread(favourite: u64, share: f64) -> Vec<f64> {
    let others = (1.0 - share - UNREADABLE) / 3.0;
    let of = |action: u64| if action == favourite { share } else { others };
    (0..ACTIONS as u64).map(of).chain([UNREADABLE]).collect()
}

/// Whether something is missing that a decision needs. A past step has its frame if that is in OM.
fn is_missing(needs: Needs, part: MemoryPart, om: u32, step: u32) -> bool {
    let last = part.back + u32::from(part.what.is_pair());
    let gone = |back: u32| (part.back..=last).contains(&back) && back < om && back < step;
    match needs {
        Needs::Nothing => false,
        Needs::UpTo(most) => (0..=most).any(gone),
        Needs::EitherOf(nearer) => gone(0) || (gone(nearer) && gone(nearer + 1)),
    }
}

/// The window that has all that a model needs; `None` if it needs nothing.
pub(crate) fn right_window(needs: Needs) -> Option<(u32, u32)> {
    let om = match needs {
        Needs::Nothing => return None,
        Needs::UpTo(back) | Needs::EitherOf(back) => back + 1,
    };
    Some((if om > 1 { om } else { 0 }, om))
}
