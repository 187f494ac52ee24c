//! The rules: the effect of a move and its reward (`MageBench`, the Sokoban environment; gym-sokoban's
//! values times 5).

use super::board::{Board, Direction, Square};

/// Rewards are counted in half points, so that sums are exact.
pub(super) const STEP_COST: i32 = -1;
pub(super) const BOX_ON_TARGET: i32 = 10;
pub(super) const SOLVED_BONUS: i32 = 100;
/// Points in a unit of gym-sokoban.
pub(super) const POINTS_PER_UNIT: f64 = 5.0;

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveEffect {
    /// The reward in half points.
    pub(super) half_points: i32,
    /// Whether the player moved.
    pub(super) moved: bool,
    /// The new square of the pushed box.
    pub(super) pushed: Option<Square>,
}

impl MoveEffect {
    /// The reward in points.
    pub(super) fn reward(self) -> f64 {
        points(self.half_points)
    }
}

/// Converts half points to points.
pub(super) fn points(halves: i32) -> f64 {
    f64::from(halves) / 2.0
}

/// The half points earned by solving this board in `moves` moves. Only the number of moves matters: what a
/// box earns on a target it loses by leaving it.
pub(super) fn solution_half_points(board: &Board, moves: usize) -> i32 {
    let away = count(board.boxes().len() - board.boxes_on_target());
    match away {
        0 => 0,
        away => BOX_ON_TARGET * away + SOLVED_BONUS + STEP_COST * count(moves),
    }
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX / BOX_ON_TARGET / 2)
}

impl Board {
    /// Walks, or pushes the box ahead. A blocked move changes nothing and costs its usual half point.
    pub(super) fn step(&mut self, way: Direction) -> MoveEffect {
        let ahead = self.ground.neighbour(self.player, way);
        if self.ground.is_wall(ahead) {
            return MoveEffect { half_points: STEP_COST, moved: false, pushed: None };
        }
        if self.has_box(ahead) {
            return self.push(ahead, way);
        }
        self.player = ahead;
        MoveEffect { half_points: STEP_COST, moved: true, pushed: None }
    }

    fn push(&mut self, from: Square, way: Direction) -> MoveEffect {
        let to = self.ground.neighbour(from, way);
        if self.ground.is_wall(to) || self.has_box(to) {
            return MoveEffect { half_points: STEP_COST, moved: false, pushed: None };
        }
        self.player = from;
        self.move_box(from, to);
        let halves = STEP_COST
            + match (self.ground.is_target(from), self.ground.is_target(to)) {
                (false, true) if self.is_solved() => BOX_ON_TARGET + SOLVED_BONUS,
                (false, true) => BOX_ON_TARGET,
                (true, false) => -BOX_ON_TARGET,
                _ => 0,
            };
        MoveEffect { half_points: halves, moved: true, pushed: Some(to) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::xsb::board;
    use super::*;

    /// The half points of each move, written as `l r u d`, and the final board.
    fn play(rows: &[&str], moves: &str) -> (Vec<i32>, String) {
        let mut board = board(&rows.join("\n"));
        let way = |letter| match letter {
            'l' => Direction::Left,
            'r' => Direction::Right,
            'u' => Direction::Up,
            _ => Direction::Down,
        };
        let halves = moves.chars().map(|letter| board.step(way(letter)).half_points).collect();
        (halves, board.to_string())
    }

    #[test]
    fn a_walk_costs_half_a_point() {
        let (halves, after) = play(&["#####", "#@ $#", "#  .#", "#####"], "rdlu");
        assert_eq!(halves, [-1, -1, -1, -1]);
        assert_eq!(after, "#####\n#@ $#\n#  .#\n#####");
    }

    #[test]
    fn a_wall_or_two_boxes_in_line_block_and_nothing_changes() {
        let rows = ["#######", "#@$$ .#", "#    .#", "#######"];
        let (halves, after) = play(&rows, "rlu");
        assert_eq!(halves, [-1, -1, -1]);
        assert_eq!(after, rows.join("\n"));
        let (halves, after) = play(&["####", "#@$#", "#. #", "####"], "r");
        assert_eq!(halves, [-1]);
        assert_eq!(after, "####\n#@$#\n#. #\n####");
    }

    #[test]
    fn pushing_a_box_onto_and_off_a_target_has_the_right_reward() {
        let rows = ["########", "#@$. $.#", "########"];
        let (halves, after) = play(&rows, "rrrr");
        assert_eq!(halves, [9, -11, -1, -1], "onto the target, off it, then blocked by two in line");
        assert_eq!(after, "########\n#  +$$.#\n########");
    }

    #[test]
    fn the_last_box_earns_fifty_more() {
        let (halves, after) = play(&["######", "#@$ .#", "######"], "rr");
        assert_eq!(halves, [-1, 109]);
        assert_eq!(after, "######\n#  @*#\n######");
    }

    #[test]
    fn a_push_from_target_to_target_costs_half_a_point() {
        let (halves, after) = play(&["#######", "#@*.  #", "#   $ #", "#######"], "r");
        assert_eq!(halves, [-1]);
        assert_eq!(after, "#######\n# +*  #\n#   $ #\n#######");
    }

    #[test]
    fn the_total_reward_follows_from_the_number_of_moves() {
        let start = board("######\n#@$ .#\n#    #\n######");
        assert_eq!(solution_half_points(&start, 2), 108);
        let solved = board("####\n#@*#\n####");
        assert_eq!(solution_half_points(&solved, 0), 0);
    }
}
