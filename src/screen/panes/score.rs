//! The score pane: the reward of the step, the sum of rewards, the optimum and the score.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::score_rows;
use crate::model::{EpisodeView, Model};
use crate::pane::Pane;
use mageyard_domain::{Judgement, sanitize};
use mageyard_engine::{Distance, Ending, Mark};
use mageyard_terminal::{StyleRole, decimal, signed, to_cells, truncate, wrap};

/// Columns of the names.
const NAME_WIDTH: usize = 12;
/// The least columns of the numbers.
const VALUE_WIDTH: usize = 7;

/// The rows of the score for which the pane is enlarged.
const MAX_ROWS: usize = 10;

/// The columns within the narrowest pane.
const LEAST_WIDTH: u16 = 24;

/// The value of what nothing has happened for yet.
const NOTHING: &str = "–";

/// What "mixed" in the title means.
const MIXED: &str = "mixed: a person intervened; left out of clean means";

/// The title on the right: the errors of the episode, and whether a person intervened.
pub(super) fn info(viewed: &EpisodeView) -> String {
    let faults = &viewed.snapshot.error_analysis;
    let names = [
        (faults.count(Mark::InvalidAction) > 0, "IA"),
        (faults.count(Mark::RepeatedAction) > 0, "RA"),
        (faults.dead_state.is_some(), "dead"),
        (viewed.snapshot.mixed, "mixed"),
    ];
    let names = names.iter().filter(|name| name.0).map(|name| name.1);
    names.collect::<Vec<_>>().join(" · ")
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.episode() else { return };
    let lines = lines(model, viewed, area.width);
    let [sums, rows] = split(model, area, lines.len());
    Text::from(lines).render(sums, buf);
    score_rows::draw(model, rows, buf);
}

/// The sums above, the rows below. In a small pane the rows get most of it while it has the focus.
fn split(model: &Model, area: Rect, sums: usize) -> [Rect; 2] {
    let wanted = to_cells(score_rows::height(model, area.width));
    let least = if model.panes.focus == Pane::Score { area.height * 2 / 3 } else { 0 };
    let rows = area.height.saturating_sub(to_cells(sums)).max(least).min(wanted);
    Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area)
}

pub(super) fn lines(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    let step = viewed.step();
    let returns = step.map(|step| step.returns).unwrap_or_default();
    let (name, reward) = latest_reward(viewed);
    let earned = reward.map_or(StyleRole::Dim, |reward| match super::reward_role(viewed, reward) {
        StyleRole::Dim => StyleRole::Text,
        role => role,
    });
    let mut lines = vec![
        row(model, width, name, &reward.map_or(NOTHING.into(), signed), earned, ""),
        row(model, width, "sum", &signed(returns.sum), StyleRole::Text, ""),
        row(model, width, "best so far", &signed(returns.best), StyleRole::Text, ""),
    ];
    lines.extend(optimum_lines(model, viewed, width));
    lines.extend(score_lines(model, viewed, width));
    lines.extend(verdict_lines(model, viewed, width));
    lines.extend(score_by_published(model, viewed, width));
    lines.extend(distance_lines(model, viewed, width));
    if viewed.snapshot.mixed {
        lines.extend(wrap(MIXED, width, &Span::raw(""), model.style(StyleRole::Warn)));
    }
    lines
}

/// The rows that the pane needs, including its border.
pub(crate) fn height(model: &Model) -> u16 {
    let shown = |is: fn(&EpisodeView) -> bool| if model.episode().is_some_and(is) { 2 } else { 0 };
    let is_mixed = model.episode().is_some_and(|viewed| viewed.snapshot.mixed);
    let mixed = if is_mixed { wrap(MIXED, LEAST_WIDTH, &Span::raw(""), Style::new()).len() } else { 0 };
    let verdict = model.episode().map_or(0, |viewed| verdict_lines(model, viewed, LEAST_WIDTH).len());
    9 + shown(|viewed| viewed.snapshot.published.is_some())
        + to_cells(verdict)
        + shown(has_distances)
        + to_cells(mixed)
        + to_cells(model.details().map_or(0, |details| details.score.len().min(MAX_ROWS)))
}

/// Whether distances to the goal were searched for this episode.
fn has_distances(viewed: &EpisodeView) -> bool {
    !viewed.snapshot.distances.is_empty()
}

/// The distance to the goal from the state in view, or the step that made the level unsolvable, and the extra
/// moves so far.
fn distance_lines(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    let distances = &viewed.snapshot.distances;
    let index = viewed.index();
    if !has_distances(viewed) || viewed.step().is_none() {
        return Vec::new();
    }
    if distances.at(index) == Some(&Distance::Unreachable) {
        let (name, lost) = match distances.dead_step() {
            Some(0) => ("lost at", "start".to_owned()),
            Some(step) => ("dead since", format!("step {step}")),
            None => ("distance", "none".to_owned()),
        };
        let before = distances
            .dead_step()
            .filter(|_| !is_edited(viewed))
            .and_then(|step| step.checked_sub(1))
            .and_then(|steps| {
                let wasted = distances.total_extra_moves(usize::try_from(steps).ok()?)?;
                Some(row(model, width, "extra moves", &wasted.to_string(), StyleRole::Text, " before"))
            });
        return [row(model, width, name, &lost, StyleRole::MarkDead, "")].into_iter().chain(before).collect();
    }
    let (left, role) = match distances.at(index) {
        Some(Distance::Exact(moves)) => (moves.to_string(), StyleRole::Text),
        None if distances.is_pending(index) => ("searching".to_owned(), StyleRole::Dim),
        _ => ("unknown".to_owned(), StyleRole::Dim),
    };
    let left = row(model, width, "distance", &left, role, "");
    if is_edited(viewed) {
        return vec![left];
    }
    let awaited = distances.is_pending(index) || distances.is_pending(0);
    let wasted = match distances.total_extra_moves(index) {
        Some(moves) => row(model, width, "extra moves", &moves.to_string(), StyleRole::Text, " so far"),
        None if awaited => row(model, width, "extra moves", "…", StyleRole::Dim, " so far"),
        None => row(model, width, "extra moves", "unknown", StyleRole::Dim, ""),
    };
    vec![left, wasted]
}

/// Whether a person changed the state up to the shown step: then no moves lead from the first state to this one, and none of
/// them are extra.
fn is_edited(viewed: &EpisodeView) -> bool {
    viewed.snapshot.steps.iter().take(viewed.index() + 1).any(|step| step.state_set.is_some())
}

/// The score relative to a published optimum; the score above is relative to the true one.
fn score_by_published(model: &Model, viewed: &EpisodeView, width: u16) -> Option<Line<'static>> {
    let found = viewed.snapshot.published.as_ref()?;
    let score = if viewed.snapshot.steps_done() == 0 { NOTHING.to_owned() } else { decimal(found.score) };
    Some(row(model, width, "vs published", &score, StyleRole::Text, ""))
}

/// The reward of the step in view or, while it has none, of the step before.
fn latest_reward(viewed: &EpisodeView) -> (&'static str, Option<f64>) {
    let at = |index: usize| viewed.snapshot.steps.get(index)?.effect.as_ref().map(|effect| effect.reward);
    match (at(viewed.index()), viewed.index().checked_sub(1).and_then(at)) {
        (None, Some(before)) => ("last step", Some(before)),
        (here, _) => ("this step", here),
    }
}

/// A name, a number and its unit. Where that does not fit, the unit is left out and the name is shortened; the number
/// is never cut.
fn row(model: &Model, width: u16, name: &str, value: &str, role: StyleRole, unit: &str) -> Line<'static> {
    let value = truncate(&format!("{value:>VALUE_WIDTH$}"), width);
    let room = width.saturating_sub(to_cells(Span::raw(&value).width()));
    let name_width = to_cells(NAME_WIDTH);
    let unit_width = to_cells(Span::raw(unit).width());
    let unit = if name_width + unit_width <= room { unit } else { "" };
    let name = truncate(name, room.saturating_sub(1).min(name_width));
    let name_width = NAME_WIDTH.min(room.into());
    Line::from(vec![
        Span::styled(format!("{name:<name_width$}"), model.style(StyleRole::Dim)),
        Span::styled(value, model.style(role)),
        Span::styled(unit.to_owned(), model.style(StyleRole::Dim)),
    ])
}

/// The highest possible sum and the fewest steps that reach it, and the published values. A person who plays sees them
/// at the end.
fn optimum_lines(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    if viewed.snapshot.hides_solver() {
        return Vec::new();
    }
    let mut lines = match &viewed.snapshot.reference {
        Some(best) => vec![
            row(model, width, "optimum", &signed(best.best), StyleRole::Text, ""),
            row(
                model,
                width,
                "  reached in",
                &best.steps.to_string(),
                StyleRole::Text,
                if best.steps == 1 { " step" } else { " steps" },
            ),
        ],
        None => vec![row(model, width, "optimum", "unknown", StyleRole::Dim, "")],
    };
    let published = viewed.snapshot.published.as_ref().map(|published| {
        let unit = format!(" in {}", published.reference.steps);
        row(model, width, "published", &signed(published.reference.best), StyleRole::Text, &unit)
    });
    lines.extend(published);
    lines
}

/// The score of the episode so far, even while an earlier step is in view.
fn score_lines(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    let Some(score) = viewed.snapshot.score else {
        let (value, unit) = match viewed.snapshot.run.waiting.ending() {
            _ if viewed.snapshot.hides_solver() => ("hidden", ""),
            Some(Ending::Budget) => ("none", " budget"),
            Some(_) if viewed.snapshot.judgement.is_some() => ("none", ""),
            _ => ("unknown", ""),
        };
        return vec![row(model, width, "score", value, StyleRole::Dim, unit)];
    };
    // Without an optimum, the score is a sum without a limit.
    let is_share = viewed.snapshot.reference.is_some();
    if viewed.snapshot.steps_done() == 0 {
        let nothing = row(model, width, "score", NOTHING, StyleRole::Dim, "");
        return std::iter::once(nothing).chain(is_share.then(|| score_bar(model, 0.0, width))).collect();
    }
    let unit = match (viewed.looks_back(), is_share) {
        (true, _) => " now",
        (false, true) => " of 100",
        (false, false) => "",
    };
    let score_row = row(model, width, "score", &sanitize(&decimal(score)), StyleRole::Title, unit);
    std::iter::once(score_row).chain(is_share.then(|| score_bar(model, score, width))).collect()
}

/// How the environment judged the episode: success or not, then what is right and wrong.
fn verdict_lines(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    let Some(judgement) = &viewed.snapshot.judgement else { return Vec::new() };
    let (word, role, sentences) = match judgement {
        Judgement::Verdict(verdict) if verdict.success => ("success", StyleRole::In, &verdict.feedback[..]),
        Judgement::Verdict(verdict) => ("no success", StyleRole::Fault, &verdict.feedback[..]),
        Judgement::NotJudged(why) => {
            let why = sanitize(why).into_owned();
            let first = row(model, width, "verdict", "not judged", StyleRole::Warn, "");
            let rest = wrap(&why, width, &Span::raw(""), model.style(StyleRole::Warn));
            return std::iter::once(first).chain(rest).collect();
        }
    };
    let first = row(model, width, "verdict", word, role, "");
    let style = model.style(StyleRole::Dim);
    let rest = sentences.iter().flat_map(|words| wrap(&sanitize(words), width, &Span::raw(""), style));
    std::iter::once(first).chain(rest).collect()
}

fn score_bar(model: &Model, score: f64, width: u16) -> Line<'static> {
    let share = (score / 100.0).clamp(0.0, 1.0);
    let full = (1..=width).filter(|cell| f64::from(*cell) <= share * f64::from(width) + 0.5).count();
    let rest = usize::from(width) - usize::from(to_cells(full));
    Line::from(vec![
        Span::styled("━".repeat(full), model.style(StyleRole::Bar)),
        Span::styled("╌".repeat(rest), model.style(StyleRole::BarEmpty)),
    ])
}
