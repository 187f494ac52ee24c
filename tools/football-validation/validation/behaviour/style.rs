//! How the game is played: duels, passes, speeds, distances.

use super::means::check;
use super::sample::SampleSet;
use crate::baseline::Baseline;
use crate::statistics::count;
use crate::validation::histogram::Histogram;
use crate::validation::observed::BINS;
use crate::validation::{Accepts, Check};

/// Recorded frames that a bin of duels needs.
const DUEL_FRAMES: usize = 80;
/// The largest ratio of the chances to lose the ball.
const DUEL_RATIO: f64 = 2.0;
/// Chances below this are equal.
const DUEL_NOTHING: f64 = 0.01;
/// How far the share of received passes may be off.
const PASSES: f64 = 0.1;
/// How far quartiles may be off, as a share.
const QUARTILES: f64 = 0.15;
/// Speeds (m/s) and distances (m) nearer than this are equal: a player who stands sways.
const NOTHING: f64 = 0.3;
/// Recorded values that quartiles need.
const QUARTILE_VALUES: usize = 80;

pub(super) fn checks(recorded: &SampleSet, simulated: &SampleSet) -> Vec<Check> {
    let mut checks: Vec<Check> = duels(recorded, simulated).into_iter().collect();
    if recorded.baseline == Baseline::Random16 {
        checks.extend(passes(recorded, simulated));
    }
    let one = &recorded.observed;
    let other = &simulated.observed;
    let names = ["speed of the carrier", "speed of the left outfield", "speed of the right outfield"];
    let speeds = names.iter().zip(one.speeds.iter().zip(&other.speeds));
    let names = ["distance of the nearest opponent", "distance of the second opponent"];
    let distances = names.iter().zip(one.distances.iter().zip(&other.distances));
    checks.extend(
        speeds
            .chain(distances)
            .filter_map(|(name, (one, other))| quartiles(name, recorded, simulated, one, other)),
    );
    checks
}

/// Bins of the distance to the nearest opponent in which the chance to lose the ball within 1 s is off.
fn duels(recorded: &SampleSet, simulated: &SampleSet) -> Option<Check> {
    let cells = recorded.observed.duels.iter().zip(&simulated.observed.duels).enumerate();
    let cells: Vec<Duel> = cells
        .filter(|(_, (recorded, _))| recorded[0] >= DUEL_FRAMES)
        .map(|(bin, (recorded, simulated))| Duel { bin, recorded: *recorded, simulated: *simulated })
        .collect();
    let notes: Vec<String> = cells.iter().filter(|cell| cell.is_off()).map(Duel::text).collect();
    let name = "distances whose chance to lose the ball is off";
    let value = Some(count(notes.len()));
    (!cells.is_empty()).then(|| {
        let check = check(recorded, name, value, Accepts::Most(0.0), simulated);
        check.samples(cells.len()).note(notes.join("; "))
    })
}

/// Frames in which the left team owns the ball at one distance, and those before a loss.
struct Duel {
    bin: usize,
    recorded: [usize; 2],
    simulated: [usize; 2],
}

impl Duel {
    fn chances(&self) -> [f64; 2] {
        [self.recorded, self.simulated]
            .map(|[frames, losses]| if frames == 0 { 0.0 } else { count(losses) / count(frames) })
    }

    fn is_off(&self) -> bool {
        let [one, other] = self.chances();
        one.max(other) >= DUEL_NOTHING && one.max(other) > DUEL_RATIO * one.min(other)
    }

    /// `4 to 6 m: 5 of 110 recorded, 12 of 900 simulated`.
    fn text(&self) -> String {
        let [one, other] = self.chances();
        let [frames, losses] = self.recorded;
        let bin = bin_name(self.bin);
        format!("{bin} m: {one:.3} ({losses} of {frames} frames) recorded, {other:.3} simulated")
    }
}

fn bin_name(bin: usize) -> String {
    let low = bin.checked_sub(1).map_or(0.0, |below| BINS[below]);
    BINS.get(bin).map_or_else(|| format!("over {low}"), |high| format!("{low} to {high}"))
}

fn passes(recorded: &SampleSet, simulated: &SampleSet) -> Option<Check> {
    let share = |set: &SampleSet| {
        let [kept, lost] = set.observed.passes;
        (kept + lost > 0).then(|| count(kept) / count(kept + lost))
    };
    let expected = share(recorded)?;
    let accepts = Accepts::Between(expected - PASSES, expected + PASSES);
    let check = check(recorded, "share of passes received", share(simulated), accepts, simulated);
    Some(check.recorded(Some(expected)).samples(simulated.observed.passes.iter().sum()))
}

fn quartiles(
    name: &str,
    recorded: &SampleSet,
    simulated: &SampleSet,
    one: &Histogram,
    other: &Histogram,
) -> Option<Check> {
    if one.total() < QUARTILE_VALUES {
        return None;
    }
    let of = |histogram: &Histogram| [0.25, 0.5, 0.75].map(|share| histogram.quantile(share));
    let expected = of(one).map(Option::unwrap_or_default);
    let measured = of(other);
    let off = |(expected, measured): (f64, &Option<f64>)| {
        let difference = (expected - (*measured)?).abs();
        Some(if difference <= NOTHING { 0.0 } else { difference / expected.max(NOTHING) })
    };
    let offs: Option<Vec<f64>> = expected.into_iter().zip(&measured).map(off).collect();
    let worst = offs.map(|offs| offs.into_iter().fold(0.0, f64::max));
    let shown = measured.map(Option::unwrap_or_default);
    let text = |values: [f64; 3]| values.map(|value| format!("{value:.1}")).join(", ");
    let note = format!("recorded {}; simulated {}", text(expected), text(shown));
    let check =
        check(recorded, &format!("quartiles of the {name}"), worst, Accepts::Most(QUARTILES), simulated);
    Some(check.samples(other.total()).note(note))
}
