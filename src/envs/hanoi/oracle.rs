//! The oracle: plays the shortest solution. It searches at every step; a search takes microseconds.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::rules::Move;
use super::table::Table;
use super::{explanation, level_text, solver};
use mageyard_domain::{Action, ActionSpace, Observation, Policy, PolicyError, SearchBudget};

/// The policy.
pub(super) struct Oracle;

impl Policy for Oracle {
    fn next_action(
        &mut self,
        _step: u32,
        seen: &Observation,
        _space: &ActionSpace,
        stop: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        let (table, moves) = shortest_solution(seen, stop)?;
        let action = actions(&moves).next();
        Ok(action.map(|action| (action, explanation::explain_move(&table, &moves))))
    }

    fn plan(
        &mut self,
        seen: &Observation,
        _space: &ActionSpace,
        limit: u32,
        stop: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        let (table, moves) = shortest_solution(seen, stop)?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok((actions(&moves).take(limit).collect(), explanation::explain_plan(&table, &moves, limit)))
    }
}

/// Moves as actions.
pub(super) fn actions(moves: &[&Move]) -> impl Iterator<Item = Action> {
    moves.iter().map(|order| Action::plain(order.name))
}

/// Moves as pairs of letters: `AB AC BC`.
pub(super) fn notation(moves: &[&Move]) -> String {
    let pairs: Vec<String> = moves.iter().map(|order| format!("{}{}", order.from, order.to)).collect();
    pairs.join(" ")
}

/// The table in the facts, and its shortest solution.
fn shortest_solution(
    seen: &Observation,
    stop: &AtomicBool,
) -> Result<(Table, Vec<&'static Move>), PolicyError> {
    let table = table_from_facts(seen)?;
    let bounds = SearchBudget::with_states(u64::MAX, stop);
    let found = solver::solve(&table, bounds).map_err(|why| PolicyError::GaveUp(why.to_string()))?;
    Ok((table, found.moves))
}

/// The table in the facts.
pub(super) fn table_from_facts(seen: &Observation) -> Result<Table, PolicyError> {
    let text = seen.facts().get("board").and_then(Value::as_str).unwrap_or_default();
    level_text::read_one(text)
        .map_err(|error| PolicyError::Unsolvable(format!("the facts have no valid table of books: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    static GO: AtomicBool = AtomicBool::new(false);

    fn seen(facts: Value) -> Observation {
        Observation::from_parts(vec![], "", facts)
    }

    #[test]
    fn a_plan_is_cut_at_the_step_limit_and_empty_when_solved() {
        let space = ActionSpace::new(&[]);
        let start = seen(json!({"board": "A: 3 1\nB: 2\nC:"}));
        let (actions, reason) = Oracle.plan(&start, &space, 2, &GO).unwrap();
        let names: Vec<&str> = actions.iter().map(|action| action.name.as_str()).collect();
        assert_eq!(names, ["Put book in A to region B", "Put book in A to region C"]);
        assert!(reason.contains("takes 5 steps") && reason.contains("Only the first 2 steps"), "{reason}");
        let solved = seen(json!({"board": "A:\nB:\nC: 3 2 1"}));
        assert_eq!(Oracle.next_action(1, &solved, &space, &GO), Ok(None));
        assert!(Oracle.plan(&solved, &space, 9, &GO).unwrap().0.is_empty());
    }

    #[test]
    fn facts_without_a_table_are_refused() {
        let error = Oracle.next_action(1, &seen(Value::Null), &ActionSpace::new(&[]), &GO).unwrap_err();
        assert!(error.to_string().starts_with("the facts have no valid table of books"), "{error}");
    }
}
