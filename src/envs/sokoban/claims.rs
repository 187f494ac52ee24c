//! What an analysis says of a room: which squares hold the player, boxes, targets and walls, and what is beside the player. A
//! sentence that denies, asks or supposes something is not read, nor is one that speaks of a later state.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::board::{Board, Direction, Square};
use super::probes::content_beside;
use mageyard_domain::{ActionShape, Claim, Observation, PixelBox};
use mageyard_kit::statements;

/// What is said to be on a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thing {
    Player,
    Box,
    Target,
    Wall,
}

impl Thing {
    fn named(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "player" | "i" => Self::Player,
            "box" | "boxes" | "crate" | "crates" => Self::Box,
            "target" | "targets" | "goal" | "goals" => Self::Target,
            "wall" | "walls" => Self::Wall,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Box => "box",
            Self::Target => "target",
            Self::Wall => "wall",
        }
    }

    fn is_at(self, board: &Board, square: Square) -> bool {
        match self {
            Self::Player => board.player == square,
            Self::Box => board.has_box(square),
            Self::Target => board.ground.is_target(square),
            Self::Wall => board.ground.is_wall(square),
        }
    }

    fn squares(self, board: &Board) -> Vec<Square> {
        match self {
            // Which of the walls was meant cannot be known.
            Self::Wall => Vec::new(),
            _ => board.ground.squares().filter(|square| self.is_at(board, *square)).collect(),
        }
    }
}

/// A thing with a place: `the player is at row 2, column 3`, `boxes at (2, 3)`. Where things are listed, each place after the first
/// follows `and`, a comma or a semicolon.
static PLACES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let place = PLACE;
    Regex::new(&format!(
        r"(?i)\b(player|I|box|boxes|crate|crates|target|targets|goal|goals|wall|walls)\b(?:\s+(?:is|are|am|stand(?:s)?|sits|sit|located|currently|now))*\s*(?:at|on|in|:)\s*((?:{place})(?:\s*(?:,|;|and|, and)\s*(?:{place}))*)"
    ))
    .ok()
});

/// A place: `row 2, column 3`, `(row 2, column 3)` or `(2, 3)`.
const PLACE: &str = r"\(?\s*row\s+\d+\s*,?\s*(?:and\s+)?column\s+\d+\s*\)?|\(\s*\d+\s*,\s*\d+\s*\)";

static PLACE_ALONE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i){PLACE}")).ok());

/// `the square to the left of the player is free`, `a wall is directly above me`.
static BESIDE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:square|cell|tile)\s+(?:directly\s+|immediately\s+)?(?:to\s+the\s+)?(left|right|above|below)(?:\s+of)?\s+(?:the\s+player|me)\s+(?:is|has|holds|contains)\s+(?:a\s+|an\s+)?(free|empty|floor|wall|box|crate)\b",
    )
    .ok()
});

/// What an analysis says of the board.
pub(super) fn claims(board: &Board, seen: &Observation, analysis: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (start, text) in statements(analysis) {
        claims.extend(place_claims(board, seen, text, start));
        claims.extend(beside_claims(board, seen, text, start));
    }
    claims.sort_by_key(|claim| claim.at.start);
    claims
}

fn place_claims(board: &Board, seen: &Observation, text: &str, from: usize) -> Vec<Claim> {
    let (Some(places), Some(place)) = (PLACES.as_ref(), PLACE_ALONE.as_ref()) else { return Vec::new() };
    let mut claims = Vec::new();
    for found in places.captures_iter(text) {
        let (Some(thing), Some(list)) = (found.get(1), found.get(2)) else { continue };
        let Some(thing) = Thing::named(thing.as_str()) else { continue };
        for at in place.find_iter(list.as_str()) {
            let Some((row, column)) = numbers(at.as_str()) else { continue };
            let start = from + list.start() + at.start();
            claims.push(place_claim(board, seen, thing, (row, column), start..start + at.len()));
        }
    }
    claims
}

fn place_claim(
    board: &Board,
    seen: &Observation,
    thing: Thing,
    (row, column): (u16, u16),
    at: Range<usize>,
) -> Claim {
    let square = square_at(board, row, column);
    let holds = square.is_some_and(|square| thing.is_at(board, square));
    let actual = if holds { Vec::new() } else { thing.squares(board) };
    Claim {
        at,
        says: format!("{} at row {row}, column {column}", thing.name()),
        holds,
        claimed: square.and_then(|square| area(board, seen, square)).into_iter().collect(),
        actual: actual.into_iter().filter_map(|square| area(board, seen, square)).collect(),
    }
}

fn beside_claims(board: &Board, seen: &Observation, text: &str, from: usize) -> Vec<Claim> {
    let Some(beside) = BESIDE.as_ref() else { return Vec::new() };
    let claim = |found: regex::Captures<'_>| {
        let (way, what) = (found.get(1)?.as_str().to_ascii_lowercase(), found.get(2)?.as_str());
        let (direction, side) = match way.as_str() {
            "left" => (Direction::Left, "left of"),
            "right" => (Direction::Right, "right of"),
            "above" => (Direction::Up, "above"),
            _ => (Direction::Down, "below"),
        };
        let said = match what.to_ascii_lowercase().as_str() {
            "wall" => "wall",
            "box" | "crate" => "box",
            _ => "free",
        };
        let square = board.ground.neighbour(board.player, direction);
        let holds = content_beside(board, direction) == said;
        let whole = found.get(0)?;
        Some(Claim {
            at: from + whole.start()..from + whole.end(),
            says: format!("{said} on the square {side} the player"),
            holds,
            claimed: area(board, seen, square).into_iter().collect(),
            actual: Vec::new(),
        })
    };
    beside.captures_iter(text).filter_map(claim).collect()
}

/// The two numbers of a place.
fn numbers(place: &str) -> Option<(u16, u16)> {
    let mut numbers = place.split(|sign: char| !sign.is_ascii_digit()).filter(|digits| !digits.is_empty());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// The square of a row and a column from 1; `None` outside of the board.
fn square_at(board: &Board, row: u16, column: u16) -> Option<Square> {
    let ground = &board.ground;
    let inside = (1..=ground.rows).contains(&row) && (1..=ground.columns).contains(&column);
    inside.then(|| (row - 1) * ground.columns + column - 1)
}

/// A square in pixels of the first picture of the observation.
fn area(board: &Board, seen: &Observation, square: Square) -> Option<ActionShape> {
    let (_, picture) = seen.images().next()?;
    let ground = &board.ground;
    let side = |pixels: u32, squares: u16| pixels.checked_div(squares.into()).filter(|side| *side > 0);
    let (wide, high) = (side(picture.width(), ground.columns)?, side(picture.height(), ground.rows)?);
    let (row, column) = ground.row_column(square);
    let (left, top) = (i64::from(column - 1) * i64::from(wide), i64::from(row - 1) * i64::from(high));
    Some(ActionShape::Area(PixelBox { left, top, width: wide, height: high }))
}
