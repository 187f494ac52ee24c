//! The ball after a kick, from the recorded state on, until a player touches it.

use super::check;
use super::stage::length;
use crate::recording::FlightMeasure;
use crate::statistics::{count, quantile};
use crate::validation::{Accepts, Check};
use mageyard_football::sim::KickedBall;

/// After so many frames, and the largest median distance in metres there.
const PLACES: [(usize, f64); 2] = [(10, 0.5), (20, 1.5)];
/// The largest median difference of the frame of the first bounce.
const BOUNCE: f64 = 1.0;
/// The speed above which a kick gives no more spin, m/s.
const SPIN_SPEED: f64 = 15.0;

pub(super) fn checks(flights: &[FlightMeasure]) -> Vec<Check> {
    let mut checks = Vec::new();
    for (parity, name) in ["even", "odd"].iter().enumerate() {
        let own: Vec<&FlightMeasure> = flights.iter().skip(parity).step_by(2).collect();
        if own.is_empty() {
            continue;
        }
        let sign = if parity == 0 { 1.0 } else { -1.0 };
        for (frames, most) in PLACES {
            let values: Vec<f64> = own.iter().filter_map(|flight| distance(flight, sign, frames)).collect();
            let name = format!("ball {:.0} s after a kick, {name} seeds, m", count(frames) / 10.0);
            checks.push(median_check(name, &values, most));
        }
        let values: Vec<f64> = own.iter().filter_map(|flight| bounce(flight, sign)).collect();
        checks.push(median_check(format!("first bounce, {name} seeds, frames"), &values, BOUNCE));
    }
    checks
}

fn median_check(name: String, values: &[f64], most: f64) -> Check {
    let worst = values.iter().copied().fold(0.0, f64::max);
    let check = check(name, quantile(values, 0.5), Accepts::Most(most)).samples(values.len());
    check.note(format!("median; largest {worst:.2}"))
}

/// How far the simulated ball is from the recorded one after this many frames, if nobody touched it before.
fn distance(flight: &FlightMeasure, sign: f64, frames: usize) -> Option<f64> {
    let free = free_frames(flight);
    let recorded = flight.tr.get(flight.kick + frames).filter(|_| frames < free)?.0;
    let simulated = kicked(flight, sign)?.fly(frames).last()?.0;
    let [x, y, z] = [0, 1, 2].map(|axis| recorded[axis] - simulated[axis]);
    Some(length([length([x, y]), z]))
}

/// The difference of the frames of the first bounce.
fn bounce(flight: &FlightMeasure, sign: f64) -> Option<f64> {
    let free = free_frames(flight);
    let recorded = flight.tr.get(flight.kick..)?.iter().take(free).map(|point| point.1[2]);
    let start = flight.tr.get(flight.kick)?.1[2];
    let simulated = kicked(flight, sign)?.fly(free);
    let simulated = std::iter::once(start).chain(simulated.into_iter().map(|point| point.1));
    Some((first_rise(recorded)? - first_rise(simulated)?).abs())
}

/// The first frame in which the ball rises faster than in the one before.
fn first_rise(speeds: impl Iterator<Item = f64>) -> Option<f64> {
    let speeds: Vec<f64> = speeds.collect();
    speeds.windows(2).position(|pair| pair[1] > pair[0] + 0.5).map(count)
}

/// How many frames after the kick no player has the ball.
fn free_frames(flight: &FlightMeasure) -> usize {
    flight.tr.iter().skip(flight.kick).take_while(|point| point.2 < 0).count()
}

fn kicked(flight: &FlightMeasure, spin_sign: f64) -> Option<KickedBall> {
    let (place, velocity, _) = *flight.tr.get(flight.kick)?;
    let rolled = flight.kick.checked_sub(1).and_then(|before| flight.tr.get(before))?.1;
    let [x, y, z] = velocity;
    let speed = length([length([x, y]), z]).min(SPIN_SPEED);
    let (surface, share) = match flight.kind.as_str() {
        "high" => (-1.3 * speed, 0.9),
        "shot" => (-20.0, 0.7),
        _ => (3.5 * speed, 0.9),
    };
    Some(KickedBall { place, velocity, surface, share, rolled, spin_sign })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recording of the simulator's own kick.
    fn flight(sign: f64) -> FlightMeasure {
        let rolling = [5.0, 0.0, 0.0];
        let velocity = [18.0, 3.0, 4.0];
        let start = ([-30.0, 0.0, 0.2], velocity, -1);
        let mut measure =
            FlightMeasure { kind: "high".into(), kick: 1, tr: vec![([0.0; 3], rolling, 1), start] };
        let path = kicked(&measure, sign).unwrap().fly(30);
        measure.tr.extend(path.into_iter().map(|(place, rise)| (place, [0.0, 0.0, rise], -1)));
        measure
    }

    #[test]
    fn the_own_flight_is_matched_and_that_of_the_other_spin_is_not() {
        let own = checks(&[flight(1.0), flight(-1.0)]);
        assert_eq!((own.len(), own.iter().filter(|check| check.passes()).count()), (6, 6));
        assert!(own.iter().all(|check| check.value == Some(0.0)));
        let other = checks(&[flight(-1.0), flight(1.0)]);
        assert!(other.iter().any(|check| !check.passes()), "{other:?}");
    }

    #[test]
    fn a_ball_that_was_touched_is_not_compared() {
        let mut measure = flight(1.0);
        measure.tr[8].2 = 2;
        assert_eq!((distance(&measure, 1.0, 10), free_frames(&measure)), (None, 7));
        measure.kick = 99;
        assert_eq!(distance(&measure, 1.0, 10), None);
    }
}
