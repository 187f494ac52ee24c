//! The oracle: plays a shortest solution. It keeps the rest of its solution while the board is the expected
//! one, and searches again when it is not; both give the same moves.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::board::{Board, Direction};
use super::solver::{Measure, SolverPath};
use super::{explanation, solver, xsb};
use mageyard_domain::{
    Action, ActionSpace, Observation, Policy, PolicyError, SearchBudget, SearchFailure, Solution,
};

/// States the oracle may visit in one search.
const STATES: u64 = 2 * solver::DEFAULT_STATES;

/// The policy. Its memory saves work; where no shortest solution is known, it also keeps to the one it found.
pub(super) struct Oracle {
    /// States it may visit in one search.
    states: u64,
    /// The board expected next, and the rest of the solution from there.
    expected: Option<(Board, SolverPath)>,
}

impl Default for Oracle {
    fn default() -> Self {
        Self { states: STATES, expected: None }
    }
}

impl Policy for Oracle {
    fn next_action(
        &mut self,
        _step: u32,
        seen: &Observation,
        _space: &ActionSpace,
        stop: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        let board = board_from_facts(seen)?;
        let mut path = match self.expected.take() {
            Some((expected, path)) if expected == board => path,
            _ => search(&board, self.states, stop)?,
        };
        let Some(way) = path.directions.first().copied() else { return Ok(None) };
        let reason = explanation::explain_move(&board, &path);
        let mut after = board;
        after.step(way);
        path.directions.remove(0);
        self.expected = Some((after, path));
        Ok(Some((Action::plain(way.name()), reason)))
    }

    fn plan(
        &mut self,
        seen: &Observation,
        _space: &ActionSpace,
        limit: u32,
        stop: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        let board = board_from_facts(seen)?;
        let path = search(&board, self.states, stop)?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let actions = actions(&path.directions).take(limit).collect();
        Ok((actions, explanation::explain_plan(&board, &path, limit)))
    }
}

/// The next push of a solution; `None` if none is found or none is needed.
pub(super) fn next_push(board: &Board, stop: &AtomicBool) -> Option<String> {
    explanation::next_push(board, &search(board, STATES, stop).ok()?)
}

fn actions(ways: &[Direction]) -> impl Iterator<Item = Action> {
    ways.iter().map(|way| Action::plain(way.name()))
}

/// The board in the facts.
pub(super) fn board_from_facts(seen: &Observation) -> Result<Board, PolicyError> {
    let text = seen.facts().get("board").and_then(Value::as_str).unwrap_or_default();
    xsb::read_one(text)
        .map_err(|error| PolicyError::Unsolvable(format!("the facts have no valid Sokoban board: {error}")))
}

/// A shortest solution, or where a limit comes first any solution.
fn search(board: &Board, states: u64, stop: &AtomicBool) -> Result<SolverPath, PolicyError> {
    let memory = solver::DEFAULT_MEGABYTES << 20;
    let bounds = SearchBudget { memory, ..SearchBudget::with_states(states, stop) };
    solver::solve_or_find(board, Measure::Moves, bounds).map_err(|why| match why {
        SearchFailure::Unsolvable { .. } => {
            PolicyError::Unsolvable(format!("the boxes can no longer all be put on targets ({why})"))
        }
        _ => PolicyError::GaveUp(format!("the search for a solution {why}")),
    })
}

/// The solution in the form of the catalog, with LURD: a small letter walks, a capital pushes.
pub(super) fn solution_of(board: &Board, found: &solver::SolverPath) -> Solution {
    let mut board = board.clone();
    let letter = |way: &Direction| {
        let name = way.name().chars().take(1);
        if board.step(*way).pushed.is_some() {
            name.collect::<String>()
        } else {
            name.collect::<String>().to_lowercase()
        }
    };
    let notation: String = found.directions.iter().map(letter).collect();
    let pushes = notation.bytes().filter(u8::is_ascii_uppercase).count();
    let sizes = [found.directions.len(), pushes].map(|count| u32::try_from(count).unwrap_or(u32::MAX)).into();
    let actions = actions(&found.directions).collect();
    Solution { actions, sizes, notation, states: found.states, unproven: found.unproven }
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO: AtomicBool = AtomicBool::new(false);
    use mageyard_domain::{Level, Options, World};

    use super::super::Room;

    fn room(text: &str) -> Room {
        Room::new(&Level::from_text(1, None, text), &Options::new()).unwrap()
    }

    #[test]
    fn the_analysis_matches_the_move() {
        let mut room = room("######\n#  @ #\n#  $ #\n#   .#\n#    #\n######");
        let mut oracle = Oracle::default();
        let mut said = Vec::new();
        while let Some((action, reason)) = oracle.next_action(1, &room.observe(), &room.space(), &GO).unwrap()
        {
            said.push(reason);
            room.step(&action).unwrap();
        }
        assert_eq!(
            said[0],
            "The shortest solution from here takes 4 moves; next I push the box at row 3, column 4 down, towards the target at row 4, column 5."
        );
        assert_eq!(
            said[1],
            "The shortest solution from here takes 3 moves; next I walk left, to push the box at row 4, column 4 right."
        );
        assert_eq!(
            said[3],
            "The shortest solution from here takes 1 move; next I push the box at row 4, column 4 right, onto the target at row 4, column 5."
        );
        assert_eq!(said.len(), 4);
    }

    #[test]
    fn a_fresh_oracle_agrees_with_one_that_remembers() {
        let mut room = room("#######\n#. @ .#\n# $ $ #\n#     #\n#######");
        let mut keeper = Oracle::default();
        loop {
            let seen = room.observe();
            let kept = keeper.next_action(1, &seen, &room.space(), &GO).unwrap();
            assert_eq!(kept, Oracle::default().next_action(1, &seen, &room.space(), &GO).unwrap());
            let Some((action, _)) = kept else { break };
            room.step(&action).unwrap();
        }
    }

    #[test]
    fn it_searches_again_when_the_board_is_not_the_expected_one() {
        let mut room = room("#######\n#@ $ .#\n#     #\n#######");
        let mut oracle = Oracle::default();
        oracle.next_action(1, &room.observe(), &room.space(), &GO).unwrap();
        room.step(&Action::plain("Down")).unwrap();
        let (action, reason) = oracle.next_action(2, &room.observe(), &room.space(), &GO).unwrap().unwrap();
        assert_eq!(action, Action::plain("Right"));
        assert!(reason.contains("takes 4 moves"), "{reason}");
    }

    #[test]
    fn a_plan_is_cut_at_the_step_limit() {
        let mut room = room("#######\n#. @ .#\n# $ $ #\n#     #\n#######");
        let mut oracle = Oracle::default();
        let (actions, reason) = oracle.plan(&room.observe(), &room.space(), 50, &GO).unwrap();
        assert_eq!(actions.len(), 11);
        assert_eq!(
            reason,
            "The shortest solution takes 11 moves with 4 pushes: \
             the box at row 3, column 3 goes to the target at row 2, column 2; \
             the box at row 3, column 5 goes to the target at row 2, column 6."
        );
        let (cut, reason) = oracle.plan(&room.observe(), &room.space(), 2, &GO).unwrap();
        assert_eq!(cut, &actions[..2]);
        assert!(reason.ends_with("Only the first 2 moves fit into the remaining steps."), "{reason}");
    }

    #[test]
    fn a_solution_that_is_not_proven_shortest_is_played_and_says_so() {
        let mut room =
            room("##########\n#@       #\n# $ $ $  #\n#  . . . #\n#  $  .  #\n#        #\n##########");
        let mut oracle = Oracle { states: 400, expected: None };
        let plan = oracle.plan(&room.observe(), &room.space(), 99, &GO).unwrap();
        assert!(plan.1.starts_with("The solution found (not proven shortest) takes "), "{}", plan.1);
        let mut played = Vec::new();
        while let Some((action, reason)) = oracle.next_action(1, &room.observe(), &room.space(), &GO).unwrap()
        {
            assert!(
                reason.starts_with("The solution found (not proven shortest) from here takes "),
                "{reason}"
            );
            room.step(&action).unwrap();
            played.push(action);
        }
        assert_eq!((room.status(), played), (mageyard_domain::Status::Won, plan.0));
    }

    #[test]
    fn without_a_solution_it_says_why() {
        let mut lost = room("#####\n#@ $#\n# . #\n#####");
        let error = Oracle::default().next_action(1, &lost.observe(), &lost.space(), &GO).unwrap_err();
        assert!(
            matches!(&error, PolicyError::Unsolvable(why) if why.starts_with("the boxes can no longer")),
            "{error}"
        );
        let mut solved = room("####\n#@*#\n####");
        assert_eq!(Oracle::default().next_action(1, &solved.observe(), &solved.space(), &GO), Ok(None));
        let (actions, reason) = Oracle::default().plan(&solved.observe(), &solved.space(), 9, &GO).unwrap();
        assert_eq!((actions, reason.as_str()), (vec![], "Every box is on a target."));
        let stranger = Observation::from_parts(vec![], "", Value::Null);
        let error = Oracle::default().next_action(1, &stranger, &lost.space(), &GO).unwrap_err();
        assert!(error.to_string().starts_with("the facts have no valid Sokoban board"), "{error}");
    }
}
