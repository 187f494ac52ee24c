//! Which recorded steps are asked about.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use mageyard_domain::{Ending, Setting};
use mageyard_engine::{Episode, Step};
use mageyard_lab::{LabError, Recordings};

/// A recorded step at which a model was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DrawnStep {
    pub(crate) journal: PathBuf,
    /// The reference of its level.
    pub(crate) level: String,
    /// The step.
    pub(crate) step: u32,
    /// Which third of its episode it is in, and whether the episode was won: steps are drawn from all of these alike.
    pub(crate) stratum: (u32, bool),
}

/// All such Online steps of recorded episodes, from this step of each on.
pub(crate) async fn asked_steps(recordings: Recordings<'_>, first: u32) -> Result<Vec<DrawnStep>, LabError> {
    let mut found = Vec::new();
    for recording in recordings {
        let recording = recording?;
        let restored = recording.restore().await?;
        found.extend(steps_of(&restored.episode, first).map(|(step, stratum)| DrawnStep {
            journal: recording.path().to_owned(),
            level: restored.episode.head().reference.clone(),
            step,
            stratum,
        }));
    }
    Ok(found)
}

fn steps_of(episode: &Episode, first: u32) -> impl Iterator<Item = (u32, (u32, bool))> {
    let is_won = episode.ending() == Some(Ending::Won);
    let steps = episode.steps();
    let count = u32::try_from(steps.len()).unwrap_or(u32::MAX).max(1);
    let is_asked =
        |step: &Step| step.number >= first && step.attempts.iter().any(|attempt| attempt.sent.is_some());
    let is_online = episode.head().setting == Setting::Online;
    let numbers: Vec<u32> =
        steps.iter().filter(|step| is_online && is_asked(step)).map(|step| step.number).collect();
    numbers.into_iter().map(move |number| (number, (3 * (number - 1) / count, is_won)))
}

/// The steps in the order in which they are drawn: one of each stratum in turn, in a random order that only the seed decides.
pub(crate) fn drawn(steps: Vec<DrawnStep>, seed: u64) -> Vec<DrawnStep> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut strata: BTreeMap<(u32, bool), Vec<(u64, DrawnStep)>> = BTreeMap::new();
    for step in steps {
        strata.entry(step.stratum).or_default().push((random.next_u64(), step));
    }
    for steps in strata.values_mut() {
        steps.sort_by_key(|(key, _)| *key);
    }
    let mut queues: Vec<_> = strata.into_values().map(Vec::into_iter).collect();
    let mut order = Vec::new();
    loop {
        let before = order.len();
        order.extend(queues.iter_mut().filter_map(Iterator::next).map(|(_, step)| step));
        if order.len() == before {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_are_drawn_in_turn_and_only_the_seed_decides() {
        let step = |number: u32, stratum| DrawnStep {
            journal: PathBuf::from("journal"),
            level: "level".to_owned(),
            step: number,
            stratum,
        };
        let steps: Vec<DrawnStep> =
            (1..=30).map(|number| step(number, (u32::from(number > 20), number > 25))).collect();
        let order = drawn(steps.clone(), 3);
        assert_eq!((order.len(), &order), (30, &drawn(steps.clone(), 3)));
        assert_ne!(order, drawn(steps, 4));
        for turn in order.chunks(3).take(5) {
            assert_eq!(
                turn.iter().map(|step| step.stratum).collect::<Vec<_>>(),
                [(0, false), (1, false), (1, true)]
            );
        }
    }
}
