//! Lengths and ends of episodes, and the ranks of scenes.

use super::means::check;
use super::sample::SampleSet;
use crate::baseline::Baseline;
use crate::recording::RecordedEnd;
use crate::statistics::{count, largest_distance, mean, rank_correlation, total_variation};
use crate::validation::{Accepts, Check};

/// The largest distance of the distributions of lengths.
const LENGTHS: f64 = 0.2;
/// The largest total variation of the ends.
const ENDS: f64 = 0.15;
/// The share of scenes in which the most frequent end of `idle` is right.
const MAJORITY: f64 = 10.0 / 12.0;
/// The least rank correlation of the means of scenes.
const RANKS: f64 = 0.7;
/// Fewer scenes have no ranks worth comparing.
const RANKED_SCENES: usize = 4;

pub(super) fn checks(pairs: &[(&SampleSet, SampleSet)], scenes: usize) -> Vec<Check> {
    let mut checks: Vec<Check> =
        pairs.iter().flat_map(|(recorded, simulated)| shapes(recorded, simulated)).collect();
    for (recorded, simulated) in pairs {
        if recorded.baseline == Baseline::Idle {
            checks.push(majority(recorded, simulated));
        }
        if matches!(recorded.baseline, Baseline::Idle | Baseline::Sprint) && scenes >= RANKED_SCENES {
            checks.push(ranks(recorded, simulated));
        }
    }
    checks
}

fn shapes(recorded: &SampleSet, simulated: &SampleSet) -> [Check; 2] {
    let frames = |set: &SampleSet| set.values(|sample| sample.frames);
    let distance = largest_distance(&frames(recorded), &frames(simulated));
    let ends = |set: &SampleSet| set.values(|sample| sample.end);
    let variation = total_variation(&ends(recorded), &ends(simulated));
    let note = format!("recorded {}; simulated {}", shares(&ends(recorded)), shares(&ends(simulated)));
    [
        check(recorded, "distance of the lengths", distance, Accepts::Most(LENGTHS), simulated),
        check(recorded, "variation of the ends", variation, Accepts::Most(ENDS), simulated).note(note),
    ]
}

/// `limit 52 %, possession 47 %`, the most frequent first.
fn shares(ends: &[RecordedEnd]) -> String {
    let counted = counts(ends);
    let share = |number: &usize| 100.0 * count(*number) / count(ends.len());
    let parts: Vec<String> =
        counted.iter().map(|(end, number)| format!("{} {:.0} %", end.name(), share(number))).collect();
    parts.join(", ")
}

/// How often each end occurs, the most frequent first.
fn counts(ends: &[RecordedEnd]) -> Vec<(RecordedEnd, usize)> {
    let mut counts: Vec<(RecordedEnd, usize)> = Vec::new();
    for end in ends {
        match counts.iter_mut().find(|known| known.0 == *end) {
            Some(known) => known.1 += 1,
            None => counts.push((*end, 1)),
        }
    }
    counts.sort_by_key(|known| std::cmp::Reverse(known.1));
    counts
}

/// In how many scenes the most frequent simulated end is a most frequent recorded one.
fn majority(recorded: &SampleSet, simulated: &SampleSet) -> Check {
    let groups = recorded.by_scene(|sample| sample.end);
    let others = simulated.by_scene(|sample| sample.end);
    let right = |(scene, ends): &&(usize, Vec<RecordedEnd>)| {
        let expected = counts(ends);
        let most = expected.first().map_or(0, |first| first.1);
        let found = others.iter().find(|group| group.0 == *scene).map(|group| counts(&group.1));
        let first = found.and_then(|counts| Some(counts.first()?.0));
        expected.iter().any(|(end, number)| *number == most && Some(*end) == first)
    };
    let right = count(groups.iter().filter(right).count());
    let least = (MAJORITY * count(groups.len())).ceil();
    check(recorded, "scenes with the recorded majority end", Some(right), Accepts::Least(least), simulated)
}

fn ranks(recorded: &SampleSet, simulated: &SampleSet) -> Check {
    let others = simulated.by_scene(|sample| sample.reward);
    let pair = |(scene, values): &(usize, Vec<f64>)| {
        let other = others.iter().find(|group| group.0 == *scene)?;
        Some((mean(values)?, mean(&other.1)?))
    };
    let pairs: Vec<(f64, f64)> = recorded.by_scene(|sample| sample.reward).iter().filter_map(pair).collect();
    let correlation = rank_correlation(&pairs);
    check(recorded, "rank correlation of the scenes", correlation, Accepts::Least(RANKS), simulated)
}
