//! The floor of a room: a walk that turns now and then and opens a few squares at every step.

use super::groups::Shape;
use super::random::RoomRandom;

/// Percent of steps that draw a new direction.
const TURN: usize = 35;
/// Rows down and columns right.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// The squares opened around the walker, besides his own.
const STAMPS: [&[(i32, i32)]; 5] = [
    &[(0, -1), (0, 1)],
    &[(-1, 0), (1, 0)],
    &[(0, -1), (1, 0)],
    &[(0, -1), (1, -1), (1, 0)],
    &[(0, 1), (1, 0)],
];

/// Opens the floor of a room of this shape; `open` has an entry per square, row by row.
pub(super) fn open_floor(shape: Shape, draw: &mut RoomRandom, open: &mut [bool]) {
    open.fill(false);
    let rows = i32::from(shape.rows);
    let columns = i32::from(shape.columns);
    // The walk may begin on the far border; the first step leads inside.
    let mut start = |side: u16| 1 + i32::try_from(draw.below(usize::from(side) - 1)).unwrap_or_default();
    let mut row = start(shape.rows);
    let mut column = start(shape.columns);
    let mut way = draw.below(4);
    for _ in 0..shape.steps {
        if draw.percent(TURN) {
            way = draw.below(4);
        }
        row = (row + DIRECTIONS[way].0).clamp(1, rows - 2);
        column = (column + DIRECTIONS[way].1).clamp(1, columns - 2);
        let mut dig = |row: i32, column: i32| {
            let within = (1..rows - 1).contains(&row) && (1..columns - 1).contains(&column);
            if let Some(square) = usize::try_from(row * columns + column).ok().filter(|_| within) {
                open[square] = true;
            }
        };
        dig(row, column);
        for (down, right) in STAMPS[draw.below(5)] {
            dig(row + down, column + right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::GROUPS;
    use super::*;

    #[test]
    fn the_border_stays_wall_and_the_floor_is_connected() {
        for group in &GROUPS {
            let rows = usize::from(group.shape.rows);
            let columns = usize::from(group.shape.columns);
            let mut open = vec![true; rows * columns];
            for number in 0..50 {
                open_floor(group.shape, &mut RoomRandom::of(3, group.shape, number), &mut open);
                let inside = |at: usize| {
                    (1..rows - 1).contains(&(at / columns)) && (1..columns - 1).contains(&(at % columns))
                };
                let floor: Vec<usize> = (0..open.len()).filter(|at| open[*at]).collect();
                assert!(floor.iter().all(|at| inside(*at)));
                let near = |at: &usize| {
                    [at - 1, at + 1, at - columns, at + columns]
                        .into_iter()
                        .filter(|at| open[*at])
                        .collect::<Vec<_>>()
                };
                assert_eq!(pathfinding::directed::bfs::bfs_reach(floor[0], near).count(), floor.len());
            }
        }
    }
}
