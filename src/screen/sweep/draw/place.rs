//! A place of a map: a stripe whose density says how high the score is, the score with its sign, its interval, and the
//! difference from the reference. No meaning is in colours alone.

use unicode_width::UnicodeWidthStr;

use super::heat::heat_style;
use super::pen::Pen;
use crate::sweep::score_map::{MapSquare, PlaceContent, PlaceScore};
use crate::sweep::view::{CellPhase, SweepView};
use mageyard_terminal::StyleRole;

/// Columns of the stripe, with the space after it.
const STRIPE: u16 = 2;
const MARGIN: u16 = 3;

/// Draws a place of this size.
pub(super) fn draw_place(
    place: &MapSquare,
    view: &SweepView,
    pen: &mut Pen<'_>,
    (column, row): (u16, u16),
    (width, height): (u16, u16),
    is_selected: bool,
) {
    let shown = shown(place, view);
    let ground = match &place.content {
        _ if is_selected => pen.theme.style(StyleRole::Cursor),
        PlaceContent::Score(score) => heat_style(pen.theme, score.shade, shown.role),
        _ => pen.theme.style(shown.role),
    };
    let stripe = if shown.is_struck { width } else { STRIPE };
    let marks = shown.stripe.to_string().repeat(usize::from(stripe));
    let room = width.saturating_sub(MARGIN);
    pen.fill((column, row), (width, height), ground);
    let fits = |text: &&String| text.width() <= usize::from(room);
    // A line of which nothing fits is left out.
    let mut texts = shown.lines.iter().filter_map(|texts| texts.iter().find(fits));
    for line in row..row.saturating_add(height) {
        pen.put_within((column, line), &marks, stripe, shown.bar);
        if let Some(text) = texts.next() {
            let space = if text.width() + 2 <= usize::from(width - STRIPE) { " " } else { "" };
            let sign = if is_selected && line == row { "▸" } else { " " };
            let text = format!("{sign}{text}{space}");
            pen.put_styled((column + STRIPE, line), &text, width - STRIPE, ground);
        }
    }
}

/// What a place shows: for each line the texts from the longest to the shortest, of which the first that fits is taken.
struct Shown {
    stripe: char,
    bar: StyleRole,
    lines: Vec<Vec<String>>,
    role: StyleRole,
    /// Whether the stripe covers all of it.
    is_struck: bool,
}

fn shown(place: &MapSquare, view: &SweepView) -> Shown {
    match &place.content {
        PlaceContent::Score(score) => of_score(score, place, view),
        PlaceContent::NoScore => {
            let progress = progress(place, view).unwrap_or_else(|| ("·".to_owned(), CellPhase::Queued));
            let (finished, planned) = episodes(place, view);
            let counts = vec![format!("{finished} of {planned} episodes"), format!("{finished}/{planned}")];
            let name = vec![format!("{} {}", progress.0, progress.1.name()), progress.0];
            Shown {
                stripe: ' ',
                bar: StyleRole::Dim,
                lines: vec![name, counts],
                role: progress.1.role(),
                is_struck: false,
            }
        }
        PlaceContent::Struck(_) => {
            let words = vec!["× cannot be played".to_owned(), "× illegal".to_owned(), "×".to_owned()];
            Shown {
                stripe: '╱',
                bar: StyleRole::Dim,
                lines: vec![words],
                role: StyleRole::Dim,
                is_struck: true,
            }
        }
        PlaceContent::Absent => {
            let words = vec!["– not planned".to_owned(), "–".to_owned()];
            Shown {
                stripe: ' ',
                bar: StyleRole::Dim,
                lines: vec![words],
                role: StyleRole::Dim,
                is_struck: false,
            }
        }
    }
}

fn of_score(score: &PlaceScore, place: &MapSquare, view: &SweepView) -> Shown {
    let PlaceScore { score: mean, interval, episodes, verdict, short_verdict, sign, shade, .. } = score;
    let going = progress(place, view).filter(|(_, state)| *state != CellPhase::Done);
    let going = going.map_or_else(String::new, |(sign, _)| format!(" {sign}"));
    let first = vec![
        format!("{sign} {mean}  n {episodes}{going}"),
        format!("{sign} {mean}{going}"),
        format!("{sign} {mean}"),
        mean.clone(),
    ];
    let difference =
        vec![format!("  {verdict}"), verdict.clone(), format!("  {short_verdict}"), short_verdict.clone()];
    let lines = vec![first, vec![format!("  {interval}"), interval.clone()], difference];
    // The lowest shade is a space in print; here a mark shows that it is one.
    let stripe = if *shade == ' ' { '·' } else { *shade };
    Shown { stripe, bar: StyleRole::Bar, lines, role: StyleRole::Text, is_struck: false }
}

/// The sign and the state of the cell of a place that is least done.
fn progress(place: &MapSquare, view: &SweepView) -> Option<(String, CellPhase)> {
    let states = place.cells.iter().filter_map(|index| view.cells.get(*index)).map(|cell| cell.state);
    states.min().map(|state| (state.sign().to_owned(), state))
}

/// The finished and the planned episodes of a place.
pub(super) fn episodes(place: &MapSquare, view: &SweepView) -> (usize, usize) {
    let cells = place.cells.iter().filter_map(|index| view.cells.get(*index));
    cells.fold((0, 0), |(finished, planned), cell| (finished + cell.finished, planned + cell.planned))
}
