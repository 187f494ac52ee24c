//! The oracle's analysis: why the next move, or a plan of moves, is right.

use super::board::Board;
use super::board::Direction;
use super::board::Square;

/// One push of a list of moves.
struct Push {
    from: Square,
    to: Square,
    way: Direction,
}

/// Explains the first of these moves.
pub(super) fn explain_move(board: &Board, ways: &[Direction]) -> String {
    let pushes = pushes(board, ways);
    let (Some(push), Some(way)) = (pushes.first(), ways.first()) else {
        return SOLVED.to_owned();
    };
    let (moves, toward) = (counted(ways.len(), "move"), direction(push.way));
    let from = board.ground.describe(push.from);
    let is_now = board.ground.neighbour(board.player, *way) == push.from;
    let clause = if is_now {
        format!(
            "push the box at {from} {toward}, {}",
            toward_target(board, push, final_square(&pushes, push))
        )
    } else {
        format!("walk {}, to push the box at {from} {toward}", direction(*way))
    };
    format!("The shortest solution from here takes {moves}; next I {clause}.")
}

/// Explains a plan, of which only the first `limit` moves are played.
pub(super) fn explain_plan(board: &Board, ways: &[Direction], limit: usize) -> String {
    let pushes = pushes(board, ways);
    if pushes.is_empty() {
        return SOLVED.to_owned();
    }
    let (moves, number) = (counted(ways.len(), "move"), counted(pushes.len(), "push"));
    let routes = board.boxes().iter().filter_map(|start| pushes.iter().find(|push| push.from == *start));
    let route = |push: &Push| {
        let home = board.ground.describe(final_square(&pushes, push));
        format!("the box at {} goes to the target at {home}", board.ground.describe(push.from))
    };
    let routes: Vec<String> = routes.map(route).collect();
    let cut = (limit < ways.len())
        .then(|| format!(" Only the first {} fit into the remaining steps.", counted(limit, "move")));
    format!(
        "The shortest solution takes {moves} with {number}: {}.{}",
        routes.join("; "),
        cut.unwrap_or_default(),
    )
}

const SOLVED: &str = "Every box is on a target.";

fn toward_target(board: &Board, push: &Push, home: Square) -> String {
    let place = board.ground.describe(home);
    let toward = if push.to == home { "onto" } else { "towards" };
    format!("{toward} the target at {place}")
}

fn pushes(board: &Board, ways: &[Direction]) -> Vec<Push> {
    let mut board = board.clone();
    let push = |way: &Direction| {
        let to = board.step(*way).pushed?;
        Some(Push { from: board.player, to, way: *way })
    };
    ways.iter().filter_map(push).collect()
}

/// The square where a box ends, given its first push.
fn final_square(pushes: &[Push], first: &Push) -> Square {
    let later = pushes.iter().skip_while(|push| !std::ptr::eq(*push, first));
    later.fold(first.from, |at, push| if push.from == at { push.to } else { at })
}

fn direction(way: Direction) -> String {
    way.name().to_lowercase()
}

fn counted(number: usize, what: &str) -> String {
    let plural = if what.ends_with('h') { "es" } else { "s" };
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}{plural}"),
    }
}
