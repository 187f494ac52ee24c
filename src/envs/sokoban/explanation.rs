//! The oracle's analysis: why the next move, or a plan of moves, is right.

use super::board::{Board, Direction, Square};
use super::solver::SolverPath;

/// One push of a list of moves.
struct Push {
    from: Square,
    to: Square,
    direction: Direction,
}

/// Explains the first move of a solution.
pub(super) fn explain_move(board: &Board, path: &SolverPath) -> String {
    let directions = &path.directions;
    let pushes = pushes(board, directions);
    let (Some(push), Some(direction)) = (pushes.first(), directions.first()) else {
        return SOLVED.to_owned();
    };
    let moves = counted(directions.len(), "move");
    let toward = direction_text(push.direction);
    let from = board.ground.describe(push.from);
    let is_now = board.ground.neighbour(board.player, *direction) == push.from;
    let clause = if is_now {
        format!(
            "push the box at {from} {toward}, {}",
            toward_target(board, push, final_square(&pushes, push))
        )
    } else {
        format!("walk {}, to push the box at {from} {toward}", direction_text(*direction))
    };
    format!("{} from here takes {moves}; next I {clause}.", solution_name(path))
}

/// The next push of a solution, without the moves to it.
pub(super) fn next_push(board: &Board, path: &SolverPath) -> Option<String> {
    let pushes = pushes(board, &path.directions);
    let push = pushes.first()?;
    let from = board.ground.describe(push.from);
    let toward = direction_text(push.direction);
    let goal = toward_target(board, push, final_square(&pushes, push));
    Some(format!("on a shortest way, the next push moves the box at {from} {toward}, {goal}."))
}

/// Explains a plan, of which only the first `limit` moves are played.
pub(super) fn explain_plan(board: &Board, path: &SolverPath, limit: usize) -> String {
    let directions = &path.directions;
    let pushes = pushes(board, directions);
    if pushes.is_empty() {
        return SOLVED.to_owned();
    }
    let moves = counted(directions.len(), "move");
    let number = counted(pushes.len(), "push");
    let routes = board.boxes().iter().filter_map(|start| pushes.iter().find(|push| push.from == *start));
    let route = |push: &Push| {
        let home = board.ground.describe(final_square(&pushes, push));
        format!("the box at {} goes to the target at {home}", board.ground.describe(push.from))
    };
    let routes: Vec<String> = routes.map(route).collect();
    let cut = (limit < directions.len())
        .then(|| format!(" Only the first {} fit into the remaining steps.", counted(limit, "move")));
    format!(
        "{} takes {moves} with {number}: {}.{}",
        solution_name(path),
        routes.join("; "),
        cut.unwrap_or_default(),
    )
}

fn solution_name(path: &SolverPath) -> &'static str {
    if path.unproven.is_none() { "The shortest solution" } else { "The solution found (not proven shortest)" }
}

const SOLVED: &str = "Every box is on a target.";

fn toward_target(board: &Board, push: &Push, home: Square) -> String {
    let place = board.ground.describe(home);
    let toward = if push.to == home { "onto" } else { "towards" };
    format!("{toward} the target at {place}")
}

fn pushes(board: &Board, directions: &[Direction]) -> Vec<Push> {
    let mut board = board.clone();
    let push = |direction: &Direction| {
        let to = board.step(*direction).pushed?;
        Some(Push { from: board.player, to, direction: *direction })
    };
    directions.iter().filter_map(push).collect()
}

/// The square where a box ends, given its first push.
fn final_square(pushes: &[Push], first: &Push) -> Square {
    let later = pushes.iter().skip_while(|push| !std::ptr::eq(*push, first));
    later.fold(first.from, |at, push| if push.from == at { push.to } else { at })
}

fn direction_text(direction: Direction) -> String {
    direction.name().to_lowercase()
}

fn counted(number: usize, what: &str) -> String {
    let plural = if what.ends_with('h') { "es" } else { "s" };
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}{plural}"),
    }
}
