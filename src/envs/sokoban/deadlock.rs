//! Boxes that can never reach a target: dead squares, which follow from walls and targets alone, and boxes
//! that lock one another.

use pathfinding::directed::bfs::bfs_reach;
use smallvec::SmallVec;

use super::board::{Board, Direction, Ground, Square};

/// Bits of a square.
pub(super) const WALL: u8 = 1;
pub(super) const BOX: u8 = 2;
pub(super) const TARGET: u8 = 4;
pub(super) const DEAD: u8 = 8;
const LOCKED: u8 = 16;
/// Squares of a board of usual size, 16 x 16.
const USUAL_SQUARES: usize = 256;

/// The bits of every square: walls, targets, dead squares; no boxes yet.
pub(super) fn square_marks(ground: &Ground) -> Box<[u8]> {
    let mut marks: Box<[u8]> =
        ground.walls.iter().map(|wall| if *wall { WALL | DEAD } else { DEAD }).collect();
    for square in bfs_reach(None, |from| pull_sources(ground, *from)).flatten() {
        marks[usize::from(square)] &= !DEAD;
    }
    for square in ground.squares().filter(|square| ground.is_target(*square)) {
        marks[usize::from(square)] |= TARGET;
    }
    marks
}

/// Squares from which one push leads here. The search runs backwards from the targets, which are the
/// successors of `None`.
fn pull_sources(ground: &Ground, from: Option<Square>) -> SmallVec<[Option<Square>; 4]> {
    let Some(square) = from else {
        return ground
            .squares()
            .filter(|at| ground.is_target(*at) && ground.is_inside(*at))
            .map(Some)
            .collect();
    };
    let pull = |way: Direction| {
        let to = ground.neighbour(square, way);
        let room = ground.is_inside(to) && ground.is_inside(ground.neighbour(to, way));
        room.then_some(Some(to))
    };
    Direction::ALL.into_iter().filter_map(pull).collect()
}

/// Whether the box that was just pushed here can never move again because of the boxes around it, and one
/// of them is not on a target. `marks` must contain the boxes. Linear in the size of the cluster.
pub(super) fn is_locked(ground: &Ground, marks: &mut [u8], at: Square) -> bool {
    if is_movable(ground, marks, at, WALL | BOX) {
        return false;
    }
    let cluster = mark_cluster(ground, marks, at);
    release_movable(ground, marks, &cluster);
    let held = |square: &Square| marks[usize::from(*square)] & LOCKED != 0;
    let stray = |square: &Square| held(square) && marks[usize::from(*square)] & TARGET == 0;
    let locked = held(&at) && cluster.iter().any(stray);
    for square in cluster {
        marks[usize::from(square)] &= !LOCKED;
    }
    locked
}

/// Writes the boxes that can never move again, because of walls and one another, into `locked`. `marks` must
/// contain the boxes.
pub(super) fn locked_boxes(ground: &Ground, marks: &mut [u8], boxes: &[Square], locked: &mut Vec<Square>) {
    for square in boxes {
        marks[usize::from(*square)] |= LOCKED;
    }
    release_movable(ground, marks, boxes);
    locked.clear();
    locked.extend(boxes.iter().filter(|square| marks[usize::from(**square)] & LOCKED != 0));
    for square in boxes {
        marks[usize::from(*square)] &= !LOCKED;
    }
}

/// The boxes connected to this one, all marked as locked.
fn mark_cluster(ground: &Ground, marks: &mut [u8], at: Square) -> SmallVec<[Square; 16]> {
    let mut cluster = SmallVec::from_slice(&[at]);
    marks[usize::from(at)] |= LOCKED;
    let mut seen = 0;
    while let Some(square) = cluster.get(seen).copied() {
        for near in Direction::ALL.map(|way| ground.neighbour(square, way)) {
            if marks[usize::from(near)] & (BOX | LOCKED) == BOX {
                marks[usize::from(near)] |= LOCKED;
                cluster.push(near);
            }
        }
        seen += 1;
    }
    cluster
}

/// Unmarks every box that could move if the boxes still marked were walls.
fn release_movable(ground: &Ground, marks: &mut [u8], cluster: &[Square]) {
    let mut open: SmallVec<[Square; 32]> = cluster.into();
    while let Some(square) = open.pop() {
        if marks[usize::from(square)] & LOCKED != 0 && is_movable(ground, marks, square, WALL | LOCKED) {
            marks[usize::from(square)] &= !LOCKED;
            open.extend(Direction::ALL.map(|way| ground.neighbour(square, way)));
        }
    }
}

/// Whether a box here can move along its row or column, with `solid` squares as walls. A move between two
/// dead squares does not count.
fn is_movable(ground: &Ground, marks: &[u8], at: Square, solid: u8) -> bool {
    let free = |one: Direction, other: Direction| {
        let (one, other) =
            (marks[usize::from(ground.neighbour(at, one))], marks[usize::from(ground.neighbour(at, other))]);
        (one | other) & solid == 0 && one & other & DEAD == 0
    };
    free(Direction::Left, Direction::Right) || free(Direction::Up, Direction::Down)
}

/// Why a push to this square can no longer be repaired, in a sentence; `None` if it can.
pub(super) fn explain_dead_box(board: &Board, marks: &[u8], at: Square) -> Option<String> {
    let ground = &board.ground;
    if marks[usize::from(at)] & DEAD != 0 {
        let place = ground.describe(at);
        return Some(if is_corner(ground, at) {
            format!("the box at {place} is in a corner without a target: it can never reach one")
        } else {
            format!("the box at {place} can never be pushed to a target from there")
        });
    }
    // Most pushes have nothing to report, and those must not allocate on a board of usual size.
    let mut marks: SmallVec<[u8; USUAL_SQUARES]> = marks.into();
    for square in board.boxes() {
        marks[usize::from(*square)] |= BOX;
    }
    is_locked(ground, &mut marks, at).then(|| {
        let place = ground.describe(at);
        format!(
            "the box at {place} is locked in by what is around it: it can never move again, \
             and not every box there is on a target"
        )
    })
}

fn is_corner(ground: &Ground, at: Square) -> bool {
    let wall = |way| ground.is_wall(ground.neighbour(at, way));
    (wall(Direction::Left) || wall(Direction::Right)) && (wall(Direction::Up) || wall(Direction::Down))
}

#[cfg(test)]
mod tests {
    use super::super::xsb::board;
    use super::*;

    /// The board with a cross on every dead floor square.
    fn crossed(text: &str) -> String {
        let board = board(text);
        let marks = square_marks(&board.ground);
        let lines = text.lines().zip(marks.chunks(usize::from(board.ground.columns)));
        let cross = |(c, mark): (char, &u8)| match c {
            ' ' if mark & DEAD != 0 => 'x',
            c => c,
        };
        let lines: Vec<String> =
            lines.map(|(line, marks)| line.chars().zip(marks).map(cross).collect()).collect();
        lines.join("\n")
    }

    #[test]
    fn corners_and_walls_without_targets_are_dead() {
        let text = "#######\n#     #\n# $@  #\n#   . #\n#     #\n#######";
        assert_eq!(crossed(text), "#######\n#xxxxx#\n#x$@ x#\n#x  .x#\n#xxxxx#\n#######");
        let text = "#######\n#  .  #\n# $@  #\n#     #\n#######";
        assert_eq!(crossed(text), "#######\n#x . x#\n#x$@ x#\n#xxxxx#\n#######");
    }

    fn said(text: &str, way: Direction) -> Option<String> {
        let mut board = board(text);
        let marks = square_marks(&board.ground);
        let pushed = board.step(way).pushed.expect("a push");
        explain_dead_box(&board, &marks, pushed)
    }

    #[test]
    fn each_dead_box_has_its_explanation() {
        for (text, way, says) in [
            ("#####\n#@$ #\n# . #\n#####", Direction::Right, "row 2, column 4 is in a corner"),
            ("######\n#    #\n#@$  #\n# .  #\n#    #\n######", Direction::Right, ""),
            (
                "#######\n#     #\n#  $  #\n#  @. #\n#######",
                Direction::Up,
                "row 2, column 4 can never be pushed",
            ),
            ("########\n#  ##  #\n#   $. #\n# @$   #\n#  ##. #\n########", Direction::Right, ""),
            ("#######\n# . . #\n#  $  #\n#@$ $.#\n#  #  #\n#######", Direction::Right, ""),
        ] {
            let note = said(text, way).unwrap_or_default();
            assert!(note.contains(says) && note.is_empty() == says.is_empty(), "{text}\n{note}");
        }
    }

    #[test]
    fn two_boxes_side_by_side_at_a_wall_lock() {
        let text = "########\n#  .   #\n#@$ $  #\n#  .   #\n########";
        assert_eq!(said(text, Direction::Right), None, "they can still move up and down");
        let text = "#########\n# .   . #\n#   $   #\n#  $@   #\n#       #\n#########";
        assert_eq!(said(text, Direction::Left), None);
        let wall = "#########\n#.$.    #\n#   $   #\n#   @   #\n#       #\n#########";
        assert_eq!(said(wall, Direction::Up), None, "apart");
        let wall = "#########\n#. $.   #\n#   $   #\n#   @   #\n#       #\n#########";
        assert!(said(wall, Direction::Up).unwrap().contains("locked"), "one on its target, the other not");
        let wall = "#########\n#  *.   #\n#   $   #\n#   @   #\n#       #\n#########";
        assert_eq!(said(wall, Direction::Up), None, "locked, but both on targets");
    }
}
