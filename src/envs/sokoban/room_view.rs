//! The views of a room: pictures in several styles, text, both, and a list of places. All have the same content.

use std::fmt::Write as _;
use std::sync::Arc;

use super::board::{Board, Ground, Square};
use super::board_template::BoardTemplate;
use super::options::Settings;
use super::painter::Painter;
use super::view::BoardView;
use super::xsb;
use mageyard_domain::{Observation, Options, View};

/// What a room is shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RoomView {
    /// A picture with the tiles of the settings.
    #[default]
    Image,
    /// A picture with the tiles of gym-sokoban.
    Classic,
    /// A picture in few strong colours.
    Contrast,
    /// A picture of three times the size.
    Large,
    /// A character for each square.
    Text,
    /// The picture, and the text.
    ImageText,
    /// The places of everything.
    Words,
}

/// The views by name, the default first.
pub(super) const NAMES: &[(&str, RoomView)] = &[
    ("image", RoomView::Image),
    ("classic", RoomView::Classic),
    ("contrast", RoomView::Contrast),
    ("large", RoomView::Large),
    ("text", RoomView::Text),
    ("image-text", RoomView::ImageText),
    ("words", RoomView::Words),
];

/// The views, in the order of [`NAMES`].
pub(super) const VIEWS: &[View] = &[
    View::picture("image", "a picture with the tiles of the settings"),
    View::picture("classic", "a picture with the tiles of gym-sokoban"),
    View::picture("contrast", "a picture in few strong colours"),
    View::picture("large", "a picture of three times the size, at most 64 pixels for each square"),
    View::written(
        "text",
        "a character for each square",
        "text: one character for each square, and a line that explains the characters",
    ),
    View::written(
        "image-text",
        "the picture, and a character for each square",
        "an image, and as text with one character for each square; both show the same.\n\nIn the image, {picture}",
    ),
    View::written(
        "words",
        "the places of everything in words",
        "a list of places: the row and the column of everything, counted from 1 from the top left corner",
    ),
];

/// The most pixels of a tile.
const LARGEST_TILE: u32 = 64;

impl RoomView {
    /// The pixels of a tile in this view.
    pub(super) fn tile(self, tile: u32) -> u32 {
        if self == Self::Large { (3 * tile).min(LARGEST_TILE) } else { tile }
    }
}

/// An observation of a room as the view of these options shows it.
pub(super) fn show(seen: &Observation, options: &Options) -> Result<Observation, String> {
    let settings = Settings::read(options).map_err(|error| error.to_string())?;
    let (board, template) = board_of(seen)?;
    let painter = Arc::new(Painter::new(&board.ground, settings.tiles, settings.tile));
    Ok(Observation::from_source(BoardView { board, painter, template, shown: settings.view }))
}

/// The board of an observation, which may be a recorded one.
pub(super) fn board_of(seen: &Observation) -> Result<(Board, Arc<BoardTemplate>), String> {
    if let Some(view) = seen.source::<BoardView>() {
        return Ok((view.board.clone(), view.template.clone()));
    }
    let text = seen.facts().get("board").and_then(|board| board.as_str());
    let board = xsb::read_one(text.ok_or("the observation has no board")?);
    board.map(|board| (board, Arc::default())).map_err(|error| error.to_string())
}

/// The places of everything in words: all that the text of a board says.
pub(super) fn in_words(board: &Board) -> String {
    let ground = &board.ground;
    let mut text = format!(
        "The room has {} rows and {} columns. Rows are counted from the top and columns from the left, both from 1.\n\
         The player is at {}.\n",
        ground.rows,
        ground.columns,
        ground.describe(board.player)
    );
    let targets: Vec<Square> = ground.squares().filter(|square| ground.is_target(*square)).collect();
    let on_target: Vec<Square> =
        board.boxes().iter().copied().filter(|square| ground.is_target(*square)).collect();
    for (name, squares) in
        [("Boxes", board.boxes()), ("Targets", &targets), ("Boxes on a target", &on_target)]
    {
        let _ = writeln!(text, "{name}: {}.", listed(ground, squares));
    }
    text.push_str("Walls:\n");
    for row in 0..ground.rows {
        let walls = runs(ground, row);
        if !walls.is_empty() {
            let _ = writeln!(text, "- row {}: {}", row + 1, walls.join(", "));
        }
    }
    text.push_str("Every other square is free.");
    text
}

fn listed(ground: &Ground, squares: &[Square]) -> String {
    let places: Vec<String> = squares.iter().map(|square| ground.describe(*square)).collect();
    if places.is_empty() { "none".to_owned() } else { places.join("; ") }
}

/// The columns of the walls in a row, such as `columns 1 to 3`.
fn runs(ground: &Ground, row: u16) -> Vec<String> {
    let columns: Vec<u16> =
        (0..ground.columns).filter(|column| ground.is_wall(row * ground.columns + column)).collect();
    let runs = columns.chunk_by(|left, right| left + 1 == *right);
    runs.filter_map(|run| match run {
        [] => None,
        [one] => Some(format!("column {}", one + 1)),
        [first, .., last] => Some(format!("columns {} to {}", first + 1, last + 1)),
    })
    .collect()
}
