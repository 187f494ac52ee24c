//! What is beside maps and tables on wide screens: running episodes, failures and retries, and the selected cell with its
//! episodes.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use super::pen::Pen;
use super::running::Shown;
use super::{incidents, running};
use crate::episode_state::EpisodeState;
use crate::sweep::cell_episodes::{CellEpisodes, EpisodeRow};
use crate::sweep::content::Content;
use crate::sweep::state::DashboardState;
use mageyard_engine::Ending;
use mageyard_terminal::{StyleRole, count_of, to_cells, truncate, wrap};

/// The most rows of the running episodes, of all rows, in percent, where others need room too.
const RUNNING_SHARE: u16 = 60;
/// The least columns of a card of a running episode.
const CARD: u16 = 36;
/// The most rows of the details of the selected cell.
const DETAILS: usize = 6;

/// Draws the parts below each other.
pub(super) fn draw(
    content: &Content,
    state: &DashboardState,
    (details, has_frames): (&str, bool),
    pen: &mut Pen<'_>,
    rows: Range<u16>,
) {
    let height = rows.end.saturating_sub(rows.start);
    let most = rows.start + height * RUNNING_SHARE / 100;
    let shown = Shown { selected: None, has_frames, width: CARD };
    let (used, _) = running::draw(&content.view, &shown, pen, rows.start..most.min(rows.end));
    let next = rows.start + used + 1;
    let next = next + incidents::draw(&content.view, pen, next..rows.end) + 1;
    draw_selected(content, state, details, pen, next..rows.end);
}

/// The selected cell: what it is, how it did, and its episodes.
fn draw_selected(
    content: &Content,
    state: &DashboardState,
    details: &str,
    pen: &mut Pen<'_>,
    rows: Range<u16>,
) {
    let width = pen.area.width.saturating_sub(1);
    let lines = wrap(details, width, &Span::raw(""), Style::default());
    let mut lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    if lines.len() > DETAILS {
        lines.truncate(DETAILS);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    let mut rows = rows;
    let mut line = |text: &str, role: StyleRole| {
        if let Some(row) = rows.next() {
            pen.put((1, row), text, role);
        }
    };
    line("Selected cell", StyleRole::Title);
    for text in &lines {
        line(text, StyleRole::Text);
    }
    let Some(found) = content.episodes_of(state.selected) else { return };
    let rest = rows.len();
    for row in episode_rows(found, (width, rest)) {
        if let Some(at) = rows.next() {
            let (text, role) = row;
            pen.put((1, at), &text, role);
        }
    }
}

/// A line for each episode; where not all fit, one for each level.
fn episode_rows(found: &CellEpisodes, (width, most): (u16, usize)) -> Vec<(String, StyleRole)> {
    let all = &found.episodes;
    if all.len() <= most {
        return all.iter().map(|row| (episode_text(row, width), row.state.role())).collect();
    }
    let levels = level_rows(all, width);
    let fitting = if levels.len() > most { most.saturating_sub(1) } else { levels.len() };
    let more = levels.len() - fitting;
    let more = (more > 0 && most > 0).then(|| (format!("and {}", count_of(more, "level")), StyleRole::Dim));
    levels.into_iter().take(fitting).map(|text| (text, StyleRole::Text)).chain(more).collect()
}

/// `SET/1  5/8 won  46.50`, the mean at its end: a line for each level in its order.
fn level_rows(episodes: &[EpisodeRow], width: u16) -> Vec<String> {
    let mut levels: Vec<(&str, Vec<&EpisodeRow>)> = Vec::new();
    for row in episodes {
        match levels.iter_mut().find(|(level, _)| *level == row.level) {
            Some((_, rows)) => rows.push(row),
            None => levels.push((&row.level, vec![row])),
        }
    }
    let text = |(level, rows): &(&str, Vec<&EpisodeRow>)| {
        let won = rows.iter().filter(|row| row.state == EpisodeState::Ended(Ending::Won)).count();
        let scores: Vec<f64> = rows.iter().filter_map(|row| row.score.parse().ok()).collect();
        let count = u32::try_from(scores.len()).unwrap_or(u32::MAX);
        let mean = (count > 0).then(|| scores.iter().sum::<f64>() / f64::from(count));
        let mean = mean.map_or_else(String::new, |mean| format!("  {mean:.2}"));
        let rest = format!("  {won}/{} won{mean}", rows.len());
        truncate(level, width.saturating_sub(to_cells(rest.width()))) + &rest
    };
    levels.iter().map(text).collect()
}

/// `✓ SET/1 · 1  8 steps  49.00  parse 2`: the level with the repeat, and as much of the rest as fits. The score is always
/// there.
fn episode_text(row: &EpisodeRow, width: u16) -> String {
    let steps = if row.steps.is_empty() { String::new() } else { format!("  {} steps", row.steps) };
    let errors = if row.errors.is_empty() { String::new() } else { format!("  {}", row.errors) };
    let start = |level: &str| format!("{} {level} · {}", row.state.sign(), row.repeat);
    let short = start(row.level.split_once('/').map_or(&*row.level, |(_, rest)| rest));
    let score = format!("  {}", row.score);
    let texts = [
        [start(&row.level), steps.clone(), score.clone(), errors.clone()].concat(),
        [short.clone(), steps.clone(), score.clone(), errors].concat(),
        [short.clone(), steps, score.clone()].concat(),
    ];
    let fits = |text: &String| text.width() <= width.into();
    texts.into_iter().find(fits).unwrap_or_else(|| {
        let room = width.saturating_sub(to_cells(score.width()));
        truncate(&short, room) + &score
    })
}
