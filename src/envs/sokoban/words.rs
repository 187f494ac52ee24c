//! The oracle's reasons: a list of moves on a board, told in a sentence.

use super::board::Board;
use super::board::Square;
use super::board::Way;

/// One push of a list of moves.
struct Push {
    from: Square,
    to: Square,
    way: Way,
}

/// The next of these moves and what it is for.
pub(super) fn next(board: &Board, ways: &[Way]) -> String {
    let pushes = pushes(board, ways);
    let (Some(push), Some(way)) = (pushes.first(), ways.first()) else {
        return DONE.to_owned();
    };
    let (moves, toward) = (count(ways.len(), "move"), direction(push.way));
    let from = board.ground.words(push.from);
    let is_now = board.ground.next(board.player, *way) == push.from;
    let clause = if is_now {
        format!("push the box at {from} {toward}, {}", aim(board, push, home(&pushes, push)))
    } else {
        format!("walk {}, to push the box at {from} {toward}", direction(*way))
    };
    format!("The shortest way home from here takes {moves}; next I {clause}.")
}

/// All of these moves, of which the first `limit` are carried out.
pub(super) fn whole(board: &Board, ways: &[Way], limit: usize) -> String {
    let pushes = pushes(board, ways);
    if pushes.is_empty() {
        return DONE.to_owned();
    }
    let (moves, number) = (count(ways.len(), "move"), count(pushes.len(), "push"));
    let journeys = board.boxes().iter().filter_map(|start| pushes.iter().find(|push| push.from == *start));
    let journey = |push: &Push| {
        let home = board.ground.words(home(&pushes, push));
        format!("the box at {} goes to the target at {home}", board.ground.words(push.from))
    };
    let journeys: Vec<String> = journeys.map(journey).collect();
    let cut = (limit < ways.len())
        .then(|| format!(" Only the first {} fit into the steps that are left.", count(limit, "move")));
    format!(
        "The shortest way home takes {moves} with {number}: {}.{}",
        journeys.join("; "),
        cut.unwrap_or_default(),
    )
}

const DONE: &str = "Every box is on a target.";

fn aim(board: &Board, push: &Push, home: Square) -> String {
    let place = board.ground.words(home);
    let toward = if push.to == home { "onto" } else { "towards" };
    format!("{toward} the target at {place}")
}

fn pushes(board: &Board, ways: &[Way]) -> Vec<Push> {
    let mut board = board.clone();
    let push = |way: &Way| {
        let to = board.step(*way).pushed?;
        Some(Push { from: board.player, to, way: *way })
    };
    ways.iter().filter_map(push).collect()
}

/// Where the box ends that this push moves, the push being the first one of that box.
fn home(pushes: &[Push], first: &Push) -> Square {
    let later = pushes.iter().skip_while(|push| !std::ptr::eq(*push, first));
    later.fold(first.from, |at, push| if push.from == at { push.to } else { at })
}

fn direction(way: Way) -> String {
    way.name().to_lowercase()
}

fn count(number: usize, what: &str) -> String {
    let plural = if what.ends_with('h') { "es" } else { "s" };
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}{plural}"),
    }
}
