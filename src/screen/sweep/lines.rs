//! The dashboard as lines: what is said of a sweep, and what a typed line does. It reads and writes nothing.

use std::path::PathBuf;

use super::activity::{Incident, RunningEpisode};
use super::cell_episodes::EpisodeRow;
use super::content::Content;
use super::page::Page;
use super::score_map::{MapSquare, PlaceContent, ScoreMap};
use super::sort::SortColumn;
use super::state::DashboardState;
use super::view::{CellPhase, CellView, SweepView};
use crate::requests::SweepOrder;
use mageyard_terminal::{count_of, truncate};

/// The commands.
pub(super) const HELP: &str = "Commands: an empty line or status says how far the sweep is; cells lists the cells with \
numbers, sort and a column sorts them; map prints the scores by AM and OM; now lists running episodes, failures and retries, \
watch and a number shows one; a number opens that cell, and in a cell that episode; back leaves the cell; find and a condition \
lists steps; readers compares readers; pause pauses all workers or resumes them, cancel sweep ends them, requeue queues failed and \
parked cells again; help; quit.";

/// What a typed line does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Say(Vec<String>),
    /// The episodes of the opened cell are said once they are known.
    List,
    /// Show home.
    Home,
    /// Show the episode of this journal.
    Show(PathBuf),
    /// List the steps that meet this condition.
    Find(String),
    /// Compare readers.
    Readers,
    /// Order all workers of the sweep to do something.
    Order(SweepOrder),
    Quit,
}

/// Performs a line.
pub(super) fn answer(line: &str, state: &mut DashboardState, content: &Content) -> Answer {
    let in_cell = state.open_cell();
    match (line.trim(), in_cell) {
        ("" | "status", _) => Answer::Say(status(&content.view)),
        ("cells", _) => {
            state.page = Page::Table;
            Answer::Say(cells(state, content))
        }
        ("map" | "maps", _) => Answer::Say(maps(content)),
        ("now", _) => Answer::Say(now(&content.view)),
        ("readers", _) => Answer::Readers,
        ("pause", _) => Answer::Order(SweepOrder::PauseOrResume),
        ("requeue", _) => Answer::Order(SweepOrder::Requeue),
        ("cancel sweep", _) => Answer::Order(SweepOrder::Cancel),
        ("episodes", Some(_)) => Answer::List,
        ("back", Some(_)) => {
            state.page = Page::Table;
            Answer::Say(status(&content.view))
        }
        ("help" | "?", _) => Answer::Say(vec![HELP.to_owned()]),
        ("home", _) => Answer::Home,
        ("quit" | "q", _) => Answer::Quit,
        (line, _) => match line.split_once(' ') {
            Some(("find", condition)) => Answer::Find(condition.trim().to_owned()),
            Some(("sort", column)) => sort(column.trim(), state, content),
            Some(("watch", number)) => watched(number.trim(), content),
            _ => numbered(line, state, content),
        },
    }
}

/// Sorts the list of cells, and says it.
fn sort(column: &str, state: &mut DashboardState, content: &Content) -> Answer {
    let Some(sort) = SortColumn::named(column) else {
        let names = SortColumn::names().join(", ");
        return Answer::Say(vec![format!("Error: cells are sorted by one of: {names}")]);
    };
    state.sort = sort;
    Answer::Say(cells(state, content))
}

/// Shows the running episode with this number.
fn watched(number: &str, content: &Content) -> Answer {
    let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match index.and_then(|index| content.view.running.get(index)) {
        Some(episode) => Answer::Show(episode.journal.clone()),
        None => Answer::Say(vec![format!(
            "Error: no running episode has the number {}; now lists them",
            quoted(number)
        )]),
    }
}

/// Running episodes, failures and retries.
fn now(view: &SweepView) -> Vec<String> {
    let running = (1..).zip(&view.running).map(|(number, episode)| {
        let RunningEpisode { level, repeat, step, max_steps, score, action, .. } = episode;
        let cell = view.cells.get(episode.cell).map_or_else(String::new, |cell| view.values_of(cell));
        format!("Running {number}: {level}, repeat {repeat}, {cell}: step {step} of {max_steps}, {score}, action {action}")
    });
    let incidents = view.incidents.iter().map(|incident| {
        let Incident { kind, class, count, newest } = incident;
        let class = if class.is_empty() { String::new() } else { format!(" {class}") };
        format!("Incident: {count} {}{class}: {newest}", kind.name())
    });
    let limits = view.limits.iter().map(|limit| format!("Limit: {} {}", limit.name, limit.text));
    let errors = view.errors().iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>();
    let errors = (!errors.is_empty()).then(|| format!("Errors: {}", errors.join(", ")));
    let lines: Vec<String> = running.chain(incidents).chain(limits).chain(errors).collect();
    if lines.is_empty() {
        return vec!["Now: no episode is running, and nothing failed".to_owned()];
    }
    let ask = (!view.running.is_empty()).then(|| "watch and a number shows that episode.".to_owned());
    lines.iter().map(|line| visible(line)).chain(ask).collect()
}

/// Opens the cell or the episode with a number.
fn numbered(line: &str, state: &mut DashboardState, content: &Content) -> Answer {
    let wrong = |what: String| Answer::Say(vec![format!("Error: {what}")]);
    let Ok(number) = line.parse::<usize>() else {
        return wrong(format!("there is no command {}; help lists them", quoted(line)));
    };
    let index = number.wrapping_sub(1);
    let Some(cell) = state.open_cell() else {
        if index >= content.view.cells.len() {
            return wrong(format!("there is no cell {number}; cells lists them"));
        }
        (state.page, state.selected) = (Page::Cell, index);
        return Answer::List;
    };
    match content.episodes_of(cell).and_then(|found| found.episodes.get(index)) {
        Some(episode) => Answer::Show(episode.journal.clone()),
        None => wrong(format!("there is no episode {number}; episodes lists them")),
    }
}

/// How far a sweep is.
pub(super) fn status(view: &SweepView) -> Vec<String> {
    let counts = CellPhase::ALL.map(|state| (view.count(state), state.name()));
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let (finished, planned) = view.episodes();
    let cells = count_of(view.cells.len(), "cell");
    let first =
        format!("Sweep {}: {cells}, {}; {finished} of {planned} episodes", view.name, counts.join(", "));
    let rest = [("Spent", &view.spent), ("Servers", &view.servers), ("Note", &view.note)];
    let rest = rest.into_iter().filter(|(_, text)| !text.is_empty());
    let rest = rest.map(|(label, text)| format!("{label}: {text}"));
    std::iter::once(first).chain(control(view)).chain(rest).map(|line| visible(&line)).collect()
}

/// That the sweep is paused or cancelled.
fn control(view: &SweepView) -> Option<String> {
    (!view.control.is_empty()).then(|| format!("Sweep: {}", view.control.join(", ")))
}

fn cells(state: &DashboardState, content: &Content) -> Vec<String> {
    let view = &content.view;
    let listed = state.listed(content).into_iter().filter_map(|index| Some((index, view.cells.get(index)?)));
    let numbered = listed.map(|(index, cell)| {
        let difference = content.difference(index).filter(|found| found.sign != '◇');
        let difference = difference.map(|found| format!(", difference {:+.2}", found.points));
        format!("{}: {}{}", index + 1, cell_text(view, cell), difference.unwrap_or_default())
    });
    let ask = "A number opens that cell.".to_owned();
    numbered.map(|line| visible(&line)).chain([ask]).collect()
}

/// `done, am 1, om 1, 5 of 5 episodes, 1 won, score 52.25`.
fn cell_text(view: &SweepView, cell: &CellView) -> String {
    let values = view.columns.iter().zip(&cell.values).map(|(name, value)| format!("{name} {value}"));
    let progress = format!("{} of {} episodes", cell.finished, cell.planned);
    let won = cell.won.map(|won| format!("{won} won"));
    let score = cell.score.map(|score| format!("score {score:.2}"));
    let errors = Some(cell.error_count()).filter(|count| *count > 0).map(|count| count_of(count, "error"));
    let tokens = cell.tokens.map(|tokens| format!("{tokens} tokens"));
    let cost = cell.cost.as_ref().map(|(amount, currency)| format!("{} {currency}", amount.rounded()));
    let score = score.into_iter().chain(errors).chain(tokens).chain(cost);
    let note = Some(cell.note.clone()).filter(|note| !note.is_empty());
    let parts = std::iter::once(cell.state.name().to_owned()).chain(values).chain([progress]);
    parts.chain(won).chain(score).chain(note).collect::<Vec<_>>().join(", ")
}

fn maps(content: &Content) -> Vec<String> {
    if content.maps().is_empty() {
        let none =
            "Map: none; there is one where cells differ in AM or OM and episodes are finished".to_owned();
        return std::iter::once(none)
            .chain(content.scores.findings.iter().map(|line| visible(line)))
            .collect();
    }
    content.maps().iter().flat_map(map).map(|line| visible(&line)).collect()
}

fn map(map: &ScoreMap) -> Vec<String> {
    let parts = ["Map: score by AM and OM", &map.name, &map.baselines];
    let title = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let places = map.rows.iter().flat_map(|(row, places)| {
        let named = map.columns.iter().zip(places);
        named.map(move |(column, place)| format!("{row}, {column}: {}", place_text(place)))
    });
    std::iter::once(title).chain(map.findings.iter().cloned()).chain(places).collect()
}

fn place_text(place: &MapSquare) -> String {
    match &place.content {
        PlaceContent::Score(score) => score.details.clone(),
        PlaceContent::NoScore => "no episode is finished".to_owned(),
        PlaceContent::Struck(reason) => format!("cannot be played: {reason}"),
        PlaceContent::Absent => "the sweep does not have this window".to_owned(),
    }
}

/// The episodes of the opened cell, once they are known.
pub(super) fn episodes(state: &DashboardState, content: &Content) -> Option<Vec<String>> {
    let index = state.open_cell()?;
    let found = content.episodes_of(index)?;
    let cell = content.view.cells.get(index)?;
    let title = format!("Cell {}: {}", index + 1, cell_text(&content.view, cell));
    let rows = (1..).zip(&found.episodes).map(|(number, row)| format!("{number}: {}", episode_text(row)));
    let end = match (found.problem.as_str(), found.episodes.is_empty()) {
        ("", true) => "no episode has started yet; back leaves the cell",
        ("", false) => "A number shows that episode, back leaves the cell.",
        (problem, _) => problem,
    };
    Some(std::iter::once(title).chain(rows).chain([end.to_owned()]).map(|line| visible(&line)).collect())
}

/// `won, LEVEL, repeat 1, 8 steps, score 49.00, errors parse 2, 0.4 s, 9872 tokens`.
fn episode_text(row: &EpisodeRow) -> String {
    let with = |label: &str, text: &str, unit: &str| {
        (!text.is_empty()).then(|| [label, text, unit].concat().trim().to_owned())
    };
    let parts = [
        with("", &row.state.word(), ""),
        with("", &row.level, ""),
        with("repeat ", &row.repeat, ""),
        with("", &row.steps, " steps"),
        with("score ", &row.score, ""),
        with("errors ", &row.errors, ""),
        with("", &row.time, ""),
        with("", &row.tokens, " tokens"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What has changed between two views: a line for each cell whose state or note is another one.
pub(super) fn news(before: &SweepView, now: &SweepView) -> Vec<String> {
    let cells = (1..).zip(before.cells.iter().zip(&now.cells));
    let changed = cells.filter(|(_, (old, new))| (old.state, &old.note) != (new.state, &new.note));
    let mut lines: Vec<String> =
        changed.map(|(number, (_, cell))| format!("Cell {number}: {}", cell_text(now, cell))).collect();
    if now.control != before.control {
        lines.push(control(now).unwrap_or_else(|| "Sweep: running again".to_owned()));
    }
    if now.note != before.note && !now.note.is_empty() {
        lines.push(format!("Note: {}", now.note));
    }
    lines.iter().map(|line| visible(line)).collect()
}

/// A text in one line, with visible control characters.
fn visible(text: &str) -> String {
    truncate(text, u16::MAX)
}

fn quoted(text: &str) -> String {
    format!("{:?}", truncate(text, 60))
}
