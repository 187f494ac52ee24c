//! Players and ball in cells: each at its place, or beside it where that is taken.

use super::ground::Pitch;
use super::{PitchDrawing, shirt, symbol};
use mageyard_domain::{CellGrid, CellRole, Glyph};

/// Places beside the one that is meant, nearest first.
const BESIDE: [[i32; 2]; 17] = [
    [0, 0],
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [2, 0],
    [-2, 0],
    [1, 1],
    [-1, 1],
    [1, -1],
    [-1, -1],
    [-3, 0],
    [3, 0],
    [2, 1],
    [-2, 1],
    [2, -1],
    [-2, -1],
];

/// Draws the controlled player, the ball and all others. The tip of the action's arrow stays visible.
pub(super) fn draw(drawing: &PitchDrawing, pitch: &Pitch, tip: Option<[i32; 2]>, grid: &mut CellGrid) {
    let ball = (drawing.ball, Glyph::Ball, "*".to_owned());
    let labels = drawing.players().map(|(place, glyph, slot)| {
        let label = format!("{}{}", symbol(glyph), shirt(slot));
        (place, glyph, label)
    });
    let mut labels: Vec<_> = labels.collect();
    labels.insert(labels.len().min(1), ball);
    for (place, glyph, label) in labels {
        place_label(pitch.cell(place), glyph, &label, tip, grid);
    }
}

/// Writes a label at a cell or beside it; where there is no room for its number, only its symbol.
fn place_label(at: [i32; 2], glyph: Glyph, label: &str, tip: Option<[i32; 2]>, grid: &mut CellGrid) {
    let first: String = label.chars().take(1).collect();
    for text in [label, &first] {
        let length = i32::try_from(text.len()).unwrap_or(i32::MAX);
        let cells = |[right, down]: [i32; 2]| (0..length).map(move |x| [at[0] + right + x, at[1] + down]);
        let is_free = |by: &&[i32; 2]| cells(**by).all(|cell| Some(cell) != tip && is_free(cell, grid));
        if let Some([right, down]) = BESIDE.iter().find(is_free) {
            let start = (at[0] + right, at[1] + down);
            return grid.write(start, length, text, CellRole::Thing(glyph));
        }
    }
}

/// Whether a cell is within the grid and has neither a player nor the ball nor words.
fn is_free([x, y]: [i32; 2], grid: &CellGrid) -> bool {
    let taken = |role| matches!(role, CellRole::Thing(_) | CellRole::Note);
    grid.get(x, y).is_some_and(|cell| !taken(cell.role))
}
