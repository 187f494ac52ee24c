//! Questions about a room with answers that are computed, and ways to see a room wrongly.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::board::{Board, Direction, Ground, Square};
use super::room_view::{RoomView, board_of, in_words};
use super::view::BoardView;
use super::{claims, oracle, painter::Painter, tiles::TileStyle};
use mageyard_domain::{Claim, Misreading, Observation, Probe, ProbeForm, ProbeKind, Probes};

const PLAYER: ProbeKind = ProbeKind { name: "player", summary: "on which square the player is" };
const BOXES: ProbeKind = ProbeKind { name: "boxes", summary: "on which squares boxes are" };
const TARGETS: ProbeKind = ProbeKind { name: "targets", summary: "which squares are targets" };
const NEXT: ProbeKind =
    ProbeKind { name: "next", summary: "what is on each of the four squares beside the player" };
const LEFT: ProbeKind = ProbeKind { name: "left", summary: "how many boxes are not on a target yet" };

const MIRRORED: Misreading = Misreading { name: "columns", summary: "left and right are swapped" };
const MISSED: Misreading = Misreading { name: "box", summary: "a box is not seen, and a target with it" };
const MOVED: Misreading = Misreading { name: "player", summary: "the player is seen one square off" };

/// What can be on a square.
const CONTENTS: [&str; 3] = ["wall", "box", "free"];

/// The questions of Sokoban.
#[derive(Debug)]
pub(super) struct RoomProbes;

impl Probes for RoomProbes {
    fn kinds(&self) -> &'static [ProbeKind] {
        &[PLAYER, BOXES, TARGETS, NEXT, LEFT]
    }

    fn probes(&self, seen: &Observation, kind: &str, _seed: u64) -> Vec<Probe> {
        let Ok((board, _)) = board_of(seen) else { return Vec::new() };
        let ground = &board.ground;
        let places = |about: &str, squares: &mut dyn Iterator<Item = Square>| {
            vec![place_probe(kind, about, ground, squares)]
        };
        match kind {
            "player" => places("Where is the player?", &mut std::iter::once(board.player)),
            "boxes" => {
                places("Where are the boxes, those on targets included?", &mut board.boxes().iter().copied())
            }
            "targets" => places(
                "Where are the targets, those under boxes or the player included?",
                &mut ground.squares().filter(|square| ground.is_target(*square)),
            ),
            "next" => Direction::ALL.map(|direction| next_probe(&board, direction)).into(),
            "left" => vec![left_probe(&board)],
            _ => Vec::new(),
        }
    }

    fn in_words(&self, seen: &Observation) -> Option<String> {
        board_of(seen).ok().map(|(board, _)| in_words(&board))
    }

    fn claims(&self, seen: &Observation, analysis: &str) -> Vec<Claim> {
        board_of(seen).map_or_else(|_| Vec::new(), |(board, _)| claims::claims(&board, seen, analysis))
    }

    fn subgoal(&self, seen: &Observation, stop: &AtomicBool) -> Option<String> {
        oracle::next_push(&board_of(seen).ok()?.0, stop)
    }

    fn misreadings(&self) -> &'static [Misreading] {
        &[MIRRORED, MISSED, MOVED]
    }

    fn misread(&self, seen: &Observation, misreading: &str) -> Option<Observation> {
        let (board, _) = board_of(seen).ok()?;
        let wrong = match misreading {
            "columns" => mirrored(&board),
            "box" => without_a_box(&board)?,
            "player" => with_player_moved(&board)?,
            _ => return None,
        };
        (wrong != board).then(|| shown(wrong))
    }
}

fn place_probe(
    kind: &str,
    question: &str,
    ground: &Ground,
    squares: &mut dyn Iterator<Item = Square>,
) -> Probe {
    let place = |square: Square| {
        let (row, column) = ground.row_column(square);
        (u32::from(row), u32::from(column))
    };
    Probe {
        kind: kind.to_owned(),
        about: String::new(),
        question: question.to_owned(),
        form: ProbeForm::Places { rows: ground.rows.into(), columns: ground.columns.into() },
        right: ProbeForm::write_places(squares.map(place)),
    }
}

fn next_probe(board: &Board, direction: Direction) -> Probe {
    let where_to = match direction {
        Direction::Left => "left of",
        Direction::Right => "right of",
        Direction::Up => "above",
        Direction::Down => "below",
    };
    Probe {
        kind: NEXT.name.to_owned(),
        about: direction.name().to_lowercase(),
        question: format!(
            "What is on the square directly {where_to} the player? A target without a box is free."
        ),
        form: ProbeForm::Choice(CONTENTS.map(str::to_owned).into()),
        right: content_beside(board, direction).to_owned(),
    }
}

/// What is on the square beside the player.
pub(super) fn content_beside(board: &Board, direction: Direction) -> &'static str {
    content(board, board.ground.neighbour(board.player, direction))
}

pub(super) fn content(board: &Board, square: Square) -> &'static str {
    match square {
        square if board.has_box(square) => CONTENTS[1],
        square if board.ground.is_wall(square) => CONTENTS[0],
        _ => CONTENTS[2],
    }
}

fn left_probe(board: &Board) -> Probe {
    let boxes = i64::try_from(board.boxes().len()).unwrap_or(i64::MAX);
    let left = board.boxes().iter().filter(|square| !board.ground.is_target(**square)).count();
    Probe {
        kind: LEFT.name.to_owned(),
        about: String::new(),
        question: "How many boxes are not on a target yet?".to_owned(),
        form: ProbeForm::Number { least: 0, most: boxes },
        right: left.to_string(),
    }
}

/// A board that no level has, as an observation.
fn shown(board: Board) -> Observation {
    let painter = Painter::new(&board.ground, TileStyle::default(), 16).into();
    Observation::from_source(BoardView { board, painter, template: Arc::default(), shown: RoomView::Image })
}

/// The board with left and right swapped.
fn mirrored(board: &Board) -> Board {
    let ground = &board.ground;
    let columns = ground.columns;
    let swapped = |square: Square| square / columns * columns + (columns - 1 - square % columns);
    let flags = |flags: &[bool]| ground.squares().map(|square| flags[usize::from(swapped(square))]).collect();
    let mirrored = Ground {
        rows: ground.rows,
        columns,
        walls: flags(&ground.walls),
        targets: flags(&ground.targets),
        inside: flags(&ground.inside),
    };
    Board::new(mirrored, swapped(board.player), board.boxes().iter().map(|square| swapped(*square)))
}

/// The board without its first box that is not on a target, and without a target that is free; `None` if a single box is left.
fn without_a_box(board: &Board) -> Option<Board> {
    let ground = &board.ground;
    let missed = board.boxes().iter().copied().find(|square| !ground.is_target(*square))?;
    let target = ground.squares().find(|square| ground.is_target(*square) && !board.has_box(*square))?;
    if board.boxes().len() < 2 {
        return None;
    }
    let mut targets = ground.targets.clone();
    targets[usize::from(target)] = false;
    let (walls, inside) = (ground.walls.clone(), ground.inside.clone());
    let fewer = Ground { rows: ground.rows, columns: ground.columns, walls, targets, inside };
    let boxes = board.boxes().iter().copied().filter(|square| *square != missed);
    Some(Board::new(fewer, board.player, boxes))
}

/// The board with the player on the first free square beside it; `None` if there is none.
fn with_player_moved(board: &Board) -> Option<Board> {
    let beside = Direction::ALL.map(|direction| board.ground.neighbour(board.player, direction));
    let free = beside.into_iter().find(|square| content(board, *square) == CONTENTS[2])?;
    Some(Board::on(board.ground.clone(), free, board.boxes().iter().copied()))
}
