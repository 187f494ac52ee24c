//! Where the players of a scene are seen at the start.

use super::{check, stage};
use crate::recording::{Trace, starting_scene};
use crate::validation::{Accepts, Check};
use mageyard_football::{FrameState, Team};

/// The most that a place may differ, in public units.
const PLACE: f64 = 1e-4;

pub(super) fn checks(traces: &[(String, Trace)]) -> Option<Check> {
    let difference = |trace: &Trace| {
        let scene = starting_scene(&trace.summary.scenario, &trace.initial);
        largest(&stage::game(&scene, trace.summary.seed).state(), &trace.initial)
    };
    let worst = traces.iter().map(|(name, trace)| (name, difference(trace)));
    let (name, value) = worst.max_by(|one, other| one.1.total_cmp(&other.1))?;
    let check = check("places at the start, public units", Some(value), Accepts::Most(PLACE));
    Some(check.samples(traces.len()).note(name.as_str()))
}

fn largest(one: &FrameState, other: &FrameState) -> f64 {
    let places = |state: &FrameState| {
        let squads = [Team::Left, Team::Right].map(|team| state.squad(team).positions().to_vec());
        [squads.concat(), vec![[state.ball[0], state.ball[1]]]].concat()
    };
    let one = places(one);
    let other = places(other);
    if one.len() != other.len() {
        return f64::INFINITY;
    }
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}
