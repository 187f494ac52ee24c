//! The solver: a shortest solution in moves, by breadth-first search over moves.
//!
//! States are visited in the order of the moves that lead to them, so the solution found is the
//! first of all shortest ones in the order of the action space. What is left of it after its first
//! move is therefore exactly what would be found from there: a plan and a fresh look agree.

use std::sync::atomic::Ordering;

use super::board::Board;
use super::board::Ground;
use super::board::Square;
use super::board::Way;
use super::dead;
use super::seen::Seen;
use crate::domain::Bounds;
use crate::domain::Unsolved;

/// States a search may meet unless somebody says otherwise: a second at worst, 60 MB.
pub(super) const STATES: u64 = 2_000_000;
/// Boxes beyond which a state counts as several, so that memory stays bounded by the limit.
const BOXES: usize = 15;
/// How many states pass between two looks at the stop flag.
const GLANCE: u32 = 4096;

/// A shortest solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) ways: Vec<Way>,
    /// States met on the way to it.
    pub(super) states: u64,
}

/// Searches from this board. A level with more than 15 boxes gets fewer states than the bounds
/// allow, in proportion to their size.
pub(super) fn solve(board: &Board, bounds: Bounds<'_>) -> Result<Found, Unsolved> {
    if board.is_solved() {
        return Ok(Found { ways: Vec::new(), states: 1 });
    }
    let mut search = Search::new(board);
    if search.is_lost() {
        return Err(Unsolved::Proven { states: 1 });
    }
    let goal = search.run(bounds)?;
    Ok(Found { ways: search.path(goal), states: u64::from(search.seen.len()) })
}

struct Search<'a> {
    ground: &'a Ground,
    marks: Box<[u8]>,
    seen: Seen,
    /// For each state but the first, the state it was met from.
    parents: Vec<u32>,
    /// The state under expansion, player first, and one of its successors.
    state: Vec<Square>,
    next: Vec<Square>,
}

impl<'a> Search<'a> {
    fn new(board: &'a Board) -> Self {
        let mut state = vec![board.player];
        state.extend(board.boxes());
        let mut seen = Seen::new(state.len());
        seen.insert(&state);
        let marks = dead::marks(&board.ground);
        Self { ground: &board.ground, marks, seen, parents: vec![0], next: state.clone(), state }
    }

    /// Whether a box stands where it can reach no target. One that is home is never lost, not even
    /// where nobody can reach it.
    fn is_lost(&self) -> bool {
        let lost = |mark: u8| mark & (dead::DEAD | dead::TARGET) == dead::DEAD;
        self.state[1..].iter().any(|square| lost(self.marks[usize::from(*square)]))
    }

    /// The number of the first state that is solved.
    fn run(&mut self, bounds: Bounds<'_>) -> Result<u32, Unsolved> {
        let limit = limit(bounds.states, self.state.len() - 1);
        let mut at = 0;
        while at < self.seen.len() {
            let states = u64::from(self.seen.len());
            if states > limit {
                return Err(Unsolved::GaveUp { states });
            }
            if at % GLANCE == 0 && bounds.stop.load(Ordering::Relaxed) {
                return Err(Unsolved::Stopped { states });
            }
            if let Some(goal) = self.expand(at) {
                return Ok(goal);
            }
            at += 1;
        }
        Err(Unsolved::Proven { states: u64::from(self.seen.len()) })
    }

    /// Meets the successors of a state; the number of one that is solved.
    fn expand(&mut self, at: u32) -> Option<u32> {
        self.state.copy_from_slice(self.seen.get(at));
        self.mark(|mark| mark | dead::BOX);
        let goal = Way::ALL.into_iter().find_map(|way| self.advance(at, way));
        self.mark(|mark| mark & !dead::BOX);
        goal
    }

    fn mark(&mut self, change: impl Fn(u8) -> u8) {
        for square in &self.state[1..] {
            let mark = &mut self.marks[usize::from(*square)];
            *mark = change(*mark);
        }
    }

    fn advance(&mut self, at: u32, way: Way) -> Option<u32> {
        let ahead = self.ground.next(self.state[0], way);
        let mark = self.marks[usize::from(ahead)];
        if mark & dead::WALL != 0 {
            return None;
        }
        self.next.copy_from_slice(&self.state);
        self.next[0] = ahead;
        let is_push = mark & dead::BOX != 0;
        if is_push && !self.push(ahead, way) || !self.seen.insert(&self.next) {
            return None;
        }
        self.parents.push(at);
        (is_push && self.is_goal()).then(|| self.seen.len() - 1)
    }

    /// Pushes the box from this square on in `next`; false when that is blocked or loses the box.
    fn push(&mut self, from: Square, way: Way) -> bool {
        let to = self.ground.next(from, way);
        if self.marks[usize::from(to)] & (dead::WALL | dead::BOX | dead::DEAD) != 0 {
            return false;
        }
        self.swap(from, to);
        let locked = dead::locks(self.ground, &mut self.marks, to);
        self.swap(to, from);
        if !locked {
            shift(&mut self.next[1..], from, to);
        }
        !locked
    }

    /// Takes the mark of a box from one square to another.
    fn swap(&mut self, from: Square, to: Square) {
        self.marks[usize::from(from)] &= !dead::BOX;
        self.marks[usize::from(to)] |= dead::BOX;
    }

    fn is_goal(&self) -> bool {
        self.next[1..].iter().all(|square| self.marks[usize::from(*square)] & dead::TARGET != 0)
    }

    /// The moves that led to a state.
    fn path(&self, goal: u32) -> Vec<Way> {
        let mut ways = Vec::new();
        let mut at = goal;
        while at != 0 {
            let parent = self.parents[at as usize];
            let (from, to) = (self.seen.get(parent)[0], self.seen.get(at)[0]);
            ways.extend(Way::ALL.into_iter().find(|way| self.ground.next(from, *way) == to));
            at = parent;
        }
        ways.reverse();
        ways
    }
}

/// The limit in states of this many boxes; the numbers of states are 32 bits wide.
fn limit(states: u64, boxes: usize) -> u64 {
    let share = boxes.max(BOXES) / BOXES;
    (states / u64::try_from(share).unwrap_or(u64::MAX)).min(u64::from(u32::MAX) - 8)
}

/// Replaces one number in an ascending list by another and keeps the order.
fn shift(boxes: &mut [Square], from: Square, to: Square) {
    let Some(mut at) = boxes.iter().position(|square| *square == from) else { return };
    while at + 1 < boxes.len() && boxes[at + 1] < to {
        boxes[at] = boxes[at + 1];
        at += 1;
    }
    while at > 0 && boxes[at - 1] > to {
        boxes[at] = boxes[at - 1];
        at -= 1;
    }
    boxes[at] = to;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::collections::VecDeque;
    use std::sync::atomic::AtomicBool;

    use proptest::prelude::*;

    use super::super::xsb::board;
    use super::super::xsb::read_one;
    use super::*;

    fn solved(board: &Board, states: u64) -> Result<Found, Unsolved> {
        solve(board, Bounds { states, stop: &AtomicBool::new(false) })
    }

    /// A plain search without any pruning: the fewest moves, or none.
    fn plainly(board: &Board) -> Option<usize> {
        let mut seen = HashSet::from([(board.player, board.boxes().to_vec())]);
        let mut queue = VecDeque::from([(board.clone(), 0)]);
        while let Some((board, moves)) = queue.pop_front() {
            if board.is_solved() {
                return Some(moves);
            }
            for way in Way::ALL {
                let mut next = board.clone();
                if next.step(way).moved && seen.insert((next.player, next.boxes().to_vec())) {
                    queue.push_back((next, moves + 1));
                }
            }
        }
        None
    }

    #[test]
    fn known_levels_take_the_known_moves() {
        for (text, moves) in [
            ("######\n#@$ .#\n######", 2),
            ("####\n#@*#\n####", 0),
            ("#######\n#@$ .##\n#######\n#*#####\n#######", 2),
            ("#######\n#. @ .#\n# $ $ #\n#     #\n#######", 11),
            ("#######\n##   .#\n# $   #\n#$ @  #\n#    ##\n#.   ##\n#######", 17),
        ] {
            assert_eq!(solved(&board(text), STATES).unwrap().ways.len(), moves, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_solved_is_proven_and_limits_hold() {
        let corner = board("#####\n#@ $#\n# . #\n#####");
        assert_eq!(solved(&corner, STATES), Err(Unsolved::Proven { states: 1 }));
        let apart = board("########\n#@ #   #\n#  # $.#\n#  #   #\n########");
        assert!(matches!(solved(&apart, STATES), Err(Unsolved::Proven { .. })));
        let sealed = board("######\n#@$ .#\n######\n#$#.##\n######");
        assert_eq!(solved(&sealed, STATES), Err(Unsolved::Proven { states: 1 }));
        let room = board("#########\n#@      #\n# $ $ $ #\n#  . . .#\n#       #\n#########");
        assert!(matches!(solved(&room, 10), Err(Unsolved::GaveUp { states: 11..=14 })));
        let stop = AtomicBool::new(true);
        assert!(matches!(
            solve(&room, Bounds { states: STATES, stop: &stop }),
            Err(Unsolved::Stopped { .. })
        ));
    }

    #[test]
    fn large_states_count_for_several() {
        assert_eq!(limit(1000, 3), 1000);
        assert_eq!(limit(1000, 15), 1000);
        assert_eq!(limit(1000, 150), 100);
    }

    #[test]
    fn boxes_stay_in_order_so_that_no_state_is_met_twice() {
        for (from, to, after) in
            [(3, 4, [4, 5, 9]), (3, 6, [5, 6, 9]), (3, 12, [5, 9, 12]), (9, 1, [1, 3, 5])]
        {
            let mut boxes = [3, 5, 9];
            shift(&mut boxes, from, to);
            assert_eq!(boxes, after);
        }
    }

    /// Rooms of 4 x 5 inside a wall with one to three boxes, most of them solvable. Below some lies a
    /// cell that nobody can reach, with a box at home in it.
    fn rooms() -> impl Strategy<Value = Board> {
        let squares = Just((0..20_usize).collect::<Vec<_>>()).prop_shuffle();
        let parts = (squares, 1..=3_usize, 0..5_usize, any::<bool>());
        parts.prop_filter_map("no level", |(squares, boxes, walls, cell)| {
            let mut inner = [b' '; 20];
            inner[squares[0]] = b'@';
            squares[1..=boxes].iter().for_each(|at| inner[*at] = b'$');
            squares[4..4 + boxes].iter().for_each(|at| inner[*at] = b'.');
            squares[8..8 + walls].iter().for_each(|at| inner[*at] = b'#');
            let rows = inner.chunks(5).map(|row| format!("#{}#", String::from_utf8_lossy(row)));
            let below = if cell { "\n#*#####\n#######" } else { "" };
            let text = format!("#######\n{}\n#######{below}", rows.collect::<Vec<_>>().join("\n"));
            read_one(&text).ok()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn a_plain_search_agrees(board in rooms()) {
            let found = solved(&board, u64::MAX).ok();
            prop_assert_eq!(found.as_ref().map(|found| found.ways.len()), plainly(&board));
        }

        #[test]
        fn what_is_left_of_a_solution_is_the_solution_from_there(board in rooms()) {
            let Ok(found) = solved(&board, u64::MAX) else { return Ok(()) };
            let marks = dead::marks(&board.ground);
            let mut board = board;
            for (done, way) in found.ways.iter().enumerate() {
                prop_assert_eq!(solved(&board, u64::MAX).unwrap().ways, &found.ways[done..]);
                prop_assert!(board.step(*way).moved);
                let lost = |at: &Square| marks[usize::from(*at)] & (dead::DEAD | dead::TARGET) == dead::DEAD;
                prop_assert!(!board.boxes().iter().any(lost));
            }
            prop_assert!(board.is_solved());
        }
    }
}
