//! Mean rewards, mean terms, and the order of the baselines.

use super::sample::SampleSet;
use crate::statistics::count;
use crate::validation::{Accepts, Check, Level};

/// The names of the terms of the reward.
const TERMS: [&str; 6] = ["advance", "opponents passed", "goal", "loss", "pass received", "shot"];
/// How far a mean may be off: a share, an amount, and so many standard errors of the recordings; the widest counts.
const MEAN: (f64, f64, f64) = (0.15, 1.1, 3.2);
/// How far the mean of a term may be off: a share, an amount.
const TERM: (f64, f64) = (0.35, 0.7);

pub(super) fn checks(pairs: &[(&SampleSet, SampleSet)]) -> Vec<Check> {
    let mut checks: Vec<Check> =
        pairs.iter().map(|(recorded, simulated)| mean(recorded, simulated)).collect();
    checks.extend(order(pairs));
    for (recorded, simulated) in pairs {
        checks.extend((0..TERMS.len()).map(|index| term(index, recorded, simulated)));
    }
    checks
}

fn mean(recorded: &SampleSet, simulated: &SampleSet) -> Check {
    let (expected, error) = recorded.mean(|sample| sample.reward).unwrap_or_default();
    let measured = simulated.mean(|sample| sample.reward);
    let note = format!(
        "standard errors {error:.2} recorded, {:.2} simulated; mean frames {:.0} and {:.0}",
        measured.map_or(0.0, |row| row.1),
        recorded.mean(|sample| sample.frames).unwrap_or_default().0,
        simulated.mean(|sample| sample.frames).unwrap_or_default().0,
    );
    let accepts = Accepts::around(expected, MEAN.0, MEAN.1.max(MEAN.2 * error));
    check(recorded, "mean reward", measured.map(|row| row.0), accepts, simulated)
        .recorded(Some(expected))
        .note(note)
}

/// The baselines from the weakest to the strongest are the same.
fn order(pairs: &[(&SampleSet, SampleSet)]) -> Option<Check> {
    let mean = |set: &SampleSet| set.mean(|sample| sample.reward).unwrap_or_default().0;
    let mut ordered: Vec<_> =
        pairs.iter().map(|(recorded, simulated)| (mean(recorded), mean(simulated))).collect();
    ordered.sort_by(|one, other| one.0.total_cmp(&other.0));
    let neighbours = count(ordered.len().checked_sub(1).filter(|neighbours| *neighbours > 0)?);
    let kept = ordered.windows(2).filter(|pair| pair[0].1 < pair[1].1).count();
    let name = "neighbours in the recorded order of the policies";
    Some(
        Check::new(Level::Behaviour, name, Some(count(kept)), Accepts::Least(neighbours))
            .samples(ordered.len()),
    )
}

fn term(index: usize, recorded: &SampleSet, simulated: &SampleSet) -> Check {
    let expected = recorded.mean(|sample| sample.terms[index]).unwrap_or_default().0;
    let measured = simulated.mean(|sample| sample.terms[index]).map(|row| row.0);
    let accepts = Accepts::around(expected, TERM.0, TERM.1);
    let name = format!("term {}, {}", index + 1, TERMS[index]);
    check(recorded, &name, measured, accepts, simulated).recorded(Some(expected))
}

pub(super) fn check(
    recorded: &SampleSet,
    name: &str,
    value: Option<f64>,
    accepts: Accepts,
    simulated: &SampleSet,
) -> Check {
    let name = format!("{}: {name}", recorded.baseline.name());
    Check::new(Level::Behaviour, name, value, accepts).samples(simulated.samples.len())
}
