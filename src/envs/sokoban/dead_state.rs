//! Detects dead states: a box that can provably never reach a target.

use serde_json::Value;

use super::board::{Board, Square};
use super::view::BoardView;
use super::{deadlock, xsb};
use mageyard_domain::Observation;

/// Why the board can no longer be solved, in a sentence; `None` where no box proves it. Only
/// walls, targets and boxes count, not the player.
pub(super) fn dead_reason(seen: &Observation) -> Option<String> {
    if let Some(view) = seen.source::<BoardView>() {
        return reason(&view.board, view.template.marks(&view.board));
    }
    let text = seen.facts().get("board").and_then(Value::as_str)?;
    let board = xsb::read_one(text).ok()?;
    reason(&board, &deadlock::square_marks(&board.ground))
}

fn reason(board: &Board, marks: &[u8]) -> Option<String> {
    board.boxes().iter().find_map(|at| {
        if board.ground.is_inside(*at) {
            deadlock::explain_dead_box(board, marks, *at)
        } else {
            unreachable(board, *at)
        }
    })
}

/// Why a box that the player can never reach makes the state dead: it stays where it is.
fn unreachable(board: &Board, at: Square) -> Option<String> {
    let stray = !board.ground.is_target(at);
    stray.then(|| format!("the box at {} is where the player can never get to it", board.ground.describe(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Room;
    use mageyard_domain::{Action, Level, Options, World};

    fn room(text: &str) -> Room {
        Room::new(&Level::from_text(1, None, text), &Options::new()).unwrap()
    }

    #[test]
    fn a_board_is_dead_from_the_fatal_push_on_and_says_why() {
        let mut room = room("#######\n#     #\n# @$  #\n#  .  #\n#     #\n#######");
        assert_eq!(dead_reason(&room.observe()), None);
        for (action, says) in [
            ("Right", None),
            ("Right", Some("row 3, column 6 can never be pushed to a target")),
            ("Left", Some("row 3, column 6 can never")),
        ] {
            room.step(&Action::plain(action)).unwrap();
            let why = dead_reason(&room.observe());
            assert_eq!(why.is_some(), says.is_some(), "{action}: {why:?}");
            assert!(why.unwrap_or_default().contains(says.unwrap_or_default()), "{action}");
        }
    }

    #[test]
    fn locked_boxes_make_a_board_dead_unless_they_are_on_targets() {
        for (text, says) in [
            ("#########\n#. $.   #\n#  $    #\n#   @   #\n#########", None),
            ("#########\n#. $$.  #\n#   @   #\n#       #\n#########", Some("locked")),
            ("#########\n#  **   #\n#   @   #\n#  $ .  #\n#########", None),
            ("####\n#@*#\n####", None),
            ("#####\n#@ $#\n# . #\n#####", Some("in a corner")),
        ] {
            let why = dead_reason(&room(text).observe());
            assert_eq!(why.is_some(), says.is_some(), "{text}\n{why:?}");
            assert!(why.unwrap_or_default().contains(says.unwrap_or_default()), "{text}");
        }
    }

    /// Level files contain such boxes, also at the very edge, where they have no neighbour on some sides.
    #[test]
    fn a_box_outside_the_walls_makes_a_board_dead_unless_it_is_on_a_target() {
        for (text, says) in [
            (" #####*\n #@$.#\n #####", None),
            ("*   ##\n #####\n #@$.#\n #####", None),
            ("#####\n#@$.#\n#####\n*#", None),
            ("######\n#@$ .#\n######\n#*##", None),
            ("$#\n######\n#@$..#\n######", Some("row 1, column 1 is where the player can never get")),
        ] {
            let why = dead_reason(&room(text).observe());
            assert_eq!(why.is_some(), says.is_some(), "{text}\n{why:?}");
            assert!(why.unwrap_or_default().contains(says.unwrap_or_default()), "{text}");
        }
    }

    #[test]
    fn a_board_that_is_known_only_from_facts_is_judged_too() {
        for (board, dead) in [("#####\n#@ $#\n# . #\n#####", true), ("######\n#@$ .#\n######", false)] {
            let seen = Observation::from_parts(vec![], "", serde_json::json!({ "board": board }));
            assert_eq!(dead_reason(&seen).is_some(), dead, "{board}");
            assert_eq!(dead_reason(&seen), dead_reason(&room(board).observe()));
        }
    }

    #[test]
    fn facts_without_a_board_prove_nothing() {
        for facts in [Value::Null, serde_json::json!({ "board": "###" })] {
            assert_eq!(dead_reason(&Observation::from_parts(vec![], "", facts)), None);
        }
    }

    /// No state on a solution of a shipped level may be called dead; levels that are hard to solve are left
    /// out.
    #[test]
    fn no_state_on_a_solution_is_dead() {
        use std::sync::atomic::AtomicBool;

        use crate::Sokoban;
        use mageyard_domain::{EnvironmentSpec, SearchBudget, Solver};
        let stop = AtomicBool::new(false);
        let mut states = 0;
        let mut levels = 0;
        for level in Sokoban.level_sets().iter().flat_map(|set| Sokoban.parse_levels(set.text).unwrap()) {
            let Some(Ok(solution)) = Sokoban.solve(
                &level,
                mageyard_domain::Objective::ACTIONS,
                SearchBudget::with_states(1000, &stop),
            ) else {
                continue;
            };
            let mut room = Room::new(&level, &Options::new()).unwrap();
            levels += 1;
            for action in &solution.actions {
                room.step(action).unwrap();
                states += 1;
                assert_eq!(dead_reason(&room.observe()), None, "{}", room.observe().text());
            }
        }
        assert!(levels > 100 && states > 1500, "{states} states of {levels} levels");
    }
}
