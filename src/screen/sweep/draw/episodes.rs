//! The page of a cell: its episodes.

use std::ops::Range;

use super::pen::Pen;
use super::table::{Table, TableRow};
use crate::episode_state::EpisodeState;
use crate::sweep::cell_episodes::EpisodeRow;
use crate::sweep::content::Content;
use crate::sweep::state::DashboardState;
use crate::sweep::view::CellPhase;
use mageyard_terminal::StyleRole;

/// The columns; on narrow screens the last ones are cut.
const TITLES: [&str; 10] =
    ["", "episode", "level", "ending", "repeat", "steps", "score", "errors", "time", "tokens"];
/// Those with numbers.
const NUMBERS: [usize; 5] = [4, 5, 6, 8, 9];

/// Draws the page; returns the details of the cell.
pub(super) fn draw(content: &Content, state: &DashboardState, pen: &mut Pen<'_>, rows: Range<u16>) -> String {
    let Some(cell) = content.view.cells.get(state.selected) else { return String::new() };
    let column = pen.put((1, rows.start), "Cell ", StyleRole::Title);
    pen.put((column, rows.start), &content.view.values_of(cell), StyleRole::TitleFocus);
    let rows = rows.start + 1..rows.end;
    let Some(found) = content.episodes_of(state.selected) else {
        pen.put((1, rows.start), "reading the episodes …", StyleRole::Dim);
        return cell.name.clone();
    };
    let listed = state.listed_episodes(found);
    let empty = match (found.problem.as_str(), found.episodes.is_empty()) {
        ("", true) => "no episode has started yet",
        ("", false) => "no episode is in this list",
        (problem, _) => problem,
    };
    let table = Table { titles: &TITLES, numbers: &NUMBERS, listed: &listed, selected: state.episode, empty };
    state.rows.set(table.draw(|index| row(&found.episodes[index], cell.state), pen, rows));
    cell.name.clone()
}

fn row(episode: &EpisodeRow, cell: CellPhase) -> TableRow {
    let EpisodeRow { folder, level, repeat, steps, score, errors, time, tokens, .. } = episode;
    let state = match (episode.state, cell) {
        (EpisodeState::Unfinished, CellPhase::Running) => EpisodeState::Running,
        (state, _) => state,
    };
    let word = state.word();
    let texts = [folder, level, &word, repeat, steps, score, errors, time, tokens].map(String::clone);
    let texts = std::iter::once(state.sign().to_owned()).chain(texts).collect();
    TableRow { texts, role: state.role(), note: String::new() }
}
