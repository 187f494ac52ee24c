//! How free the way of a pass and of a shot is, in public units (`MageBench`, supplement, terms 5 and 6).

/// Where a shot may go: y of five points of the goal line. The fourth is 0.022 in the released code.
const TARGETS: [f64; 5] = [-0.044, -0.02, 0.0, 0.022, 0.044];
/// How many points of a lane are measured: the last is the target, the ball itself is none of them.
const POINTS: u32 = 100;

pub(super) fn distance(from: [f64; 2], to: [f64; 2]) -> f64 {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    (x * x + y * y).sqrt()
}

/// How free a receiver is: the least distance of an opponent, of which those between him and the goal (1, 0) count
/// up to eleven times.
pub(super) fn freedom(from: [f64; 2], opponents: &[[f64; 2]]) -> f64 {
    let weighted = opponents.iter().map(|opponent| {
        let length = distance(from, *opponent);
        length / (10.0 * cosine(from, *opponent, [1.0, 0.0]).max(0.0) + 1.0)
    });
    weighted.fold(f64::INFINITY, f64::min)
}

/// The cosine of the angle at a point between two others; 0 where one of them is the point itself.
fn cosine(at: [f64; 2], one: [f64; 2], other: [f64; 2]) -> f64 {
    let product = (one[0] - at[0]) * (other[0] - at[0]) + (one[1] - at[1]) * (other[1] - at[1]);
    let lengths = distance(at, one) * distance(at, other);
    if lengths > 0.0 { product / lengths } else { 0.0 }
}

/// The distance of the nearest opponent to the freest of the five lanes to the goal.
pub(super) fn clearance(from: [f64; 2], opponents: &[[f64; 2]]) -> f64 {
    TARGETS.iter().map(|y| lane_clearance(from, [1.0, *y], opponents)).fold(0.0, f64::max)
}

fn lane_clearance(from: [f64; 2], target: [f64; 2], opponents: &[[f64; 2]]) -> f64 {
    let nearest = |point: [f64; 2]| {
        opponents.iter().map(|opponent| distance(point, *opponent)).fold(f64::INFINITY, f64::min)
    };
    (1..=POINTS).map(|index| nearest(between(from, target, index))).fold(f64::INFINITY, f64::min)
}

fn between(from: [f64; 2], target: [f64; 2], index: u32) -> [f64; 2] {
    let share = f64::from(index) / f64::from(POINTS);
    [0, 1].map(|axis| from[axis] + share * (target[axis] - from[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opponent_in_front_of_the_goal_counts_eleven_times() {
        assert!((freedom([0.0, 0.0], &[[0.5, 0.0]]) - 0.5 / 11.0).abs() < 1e-12);
        assert!((freedom([0.0, 0.0], &[[-0.5, 0.0]]) - 0.5).abs() < 1e-12);
        assert!((freedom([0.0, 0.0], &[[0.0, 0.2], [-0.5, 0.0]]) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn a_shot_takes_the_freest_of_five_lanes() {
        let keeper = [1.0, 0.044];
        assert!((clearance([0.9, 0.0], &[keeper]) - 0.0806).abs() < 1e-3);
        assert!((clearance([0.5, 0.0], &[[0.5, 0.0]]) - 0.005).abs() < 1e-3);
    }
}
