//! The lines of the pitch in metres from its centre: x to the right, y down. Both views draw them.

use std::f64::consts::{PI, TAU};

/// Half the length and half the width of the pitch.
pub(super) const HALF: [f64; 2] = [55.0, 36.0];
/// Half the width, the height and the depth of a goal.
pub(super) const GOAL: [f64; 3] = [3.7, 2.5, 2.55];
/// The width of a line.
pub(super) const LINE: f64 = 0.12;
/// Metres in a public unit.
pub(super) const METRES: [f64; 2] = [54.4, 83.6];
/// The width of a mown stripe: twenty of them are the pitch.
pub(super) const STRIPE: f64 = 5.5;

const CIRCLE: f64 = 9.15;
/// Depth and half the width of the areas.
const AREAS: [[f64; 2]; 2] = [[16.5, 20.15], [5.5, 9.16]];
const SPOT: f64 = 11.0;
/// Points of a full circle.
const PIECES: u32 = 40;

/// A place in metres.
pub(super) type Metres = [f64; 2];

/// The metres of a place in public units.
pub(super) fn metres([x, y]: [f64; 2]) -> Metres {
    [x * METRES[0], y * METRES[1]]
}

/// The speed in metres a second of a movement in public units a frame.
pub(super) fn velocity(movement: [f64; 2]) -> Metres {
    metres(movement).map(|metres| metres * 10.0)
}

/// The length of a vector.
pub(super) fn length([x, y]: Metres) -> f64 {
    (x * x + y * y).sqrt()
}

/// All lines, each through its points.
pub(super) fn lines() -> Vec<Vec<Metres>> {
    let [x, y] = HALF;
    let mut all = vec![
        vec![[-x, -y], [x, -y], [x, y], [-x, y], [-x, -y]],
        vec![[0.0, -y], [0.0, y]],
        arc([0.0, 0.0], CIRCLE, 0.0, TAU),
    ];
    for side in [-1.0, 1.0] {
        let areas = AREAS.iter().map(|[depth, half]| {
            let inner = side * (x - depth);
            vec![[side * x, -half], [inner, -half], [inner, *half], [side * x, *half]]
        });
        all.extend(areas);
        // The part of the circle about the spot that is outside of the area.
        let reach = libm::acos((AREAS[0][0] - SPOT) / CIRCLE);
        let middle = if side > 0.0 { PI } else { 0.0 };
        all.push(arc([side * (x - SPOT), 0.0], CIRCLE, middle - reach, middle + reach));
        for end in [-1.0, 1.0] {
            let from = match (side > 0.0, end > 0.0) {
                (false, false) => 0.0,
                (true, false) => 0.5,
                (true, true) => 1.0,
                (false, true) => 1.5,
            };
            all.push(arc([side * x, end * y], 1.0, from * PI, (from + 0.5) * PI));
        }
    }
    all
}

/// The lines as quadrilaterals of the width of a line, all of the same orientation.
pub(super) fn quads() -> Vec<[Metres; 4]> {
    let lines = lines();
    let pieces = lines.iter().flat_map(|line| line.windows(2));
    let quads = pieces.filter_map(|piece| {
        let [from, to] = [piece[0], piece[1]];
        let along = [to[0] - from[0], to[1] - from[1]];
        let long = length(along);
        let [x, y] = along.map(|part| part / long * LINE / 2.0);
        // Half a width longer at both ends, so that corners are closed.
        let corner = |at: Metres, ahead: f64, aside: f64| {
            [at[0] + x * ahead - y * aside, at[1] + y * ahead + x * aside]
        };
        let corners =
            [corner(from, -1.0, -1.0), corner(to, 1.0, -1.0), corner(to, 1.0, 1.0), corner(from, -1.0, 1.0)];
        (long > 0.0).then_some(corners)
    });
    quads.collect()
}

/// The middles of the spots.
pub(super) fn spots() -> [Metres; 3] {
    [[SPOT - HALF[0], 0.0], [0.0, 0.0], [HALF[0] - SPOT, 0.0]]
}

/// Points of a circle between two angles, which grow clockwise from the right.
fn arc(middle: Metres, radius: f64, from: f64, to: f64) -> Vec<Metres> {
    let at = |piece: u32| {
        let angle = from + (to - from) * f64::from(piece) / f64::from(PIECES);
        [middle[0] + radius * libm::cos(angle), middle[1] + radius * libm::sin(angle)]
    };
    (0..=PIECES).map(at).collect()
}
