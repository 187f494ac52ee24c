//! What is above the grid: the chips, the values of the chip with the focus, and what the calls need.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::chips::{Chip, Choice};
use super::sheet::{AskGrid, Focus};
use crate::model::{AskProgress, Model};
use mageyard_config::Problem;
use mageyard_domain::sanitize;
use mageyard_study::PlannedStudy;
use mageyard_terminal::{StyleRole, column_window, to_cells, truncate, wrap};

/// The most columns of a chip that has not the focus.
const CHIP: u16 = 30;
/// How the lines of a plan begin that are shown beside its calls, and how many of them; the page of all figures has the rest.
const NOTES: [&str; 2] = ["note:", "not possible:"];
const MOST_NOTES: usize = 3;

/// The lines above the grid.
pub(super) fn head_lines(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    let chips = grid.chips.shown().map(|chip| chip_spans(model, grid, chip, width)).collect();
    let mut lines = in_rows(chips, width);
    lines.extend(value_lines(model, grid, width));
    lines.extend(plan_lines(model, grid, width));
    lines.push(Line::default());
    lines
}

/// Pieces beside each other in as many rows as they need.
fn in_rows(pieces: Vec<Vec<Span<'static>>>, width: u16) -> Vec<Line<'static>> {
    let mut rows = vec![Vec::new()];
    let mut used = 0;
    for piece in pieces {
        let columns: usize = piece.iter().map(Span::width).sum();
        if used > 0 && used + 2 + columns > usize::from(width) {
            rows.push(Vec::new());
            used = 0;
        }
        let row = rows.last_mut().into_iter();
        let gap = if used > 0 { 2 } else { 0 };
        for row in row {
            row.push(Span::raw(" ".repeat(gap)));
            row.extend(piece.iter().cloned());
        }
        used += gap + columns;
    }
    rows.into_iter().map(Line::from).collect()
}

fn is_focused(grid: &AskGrid, chip: Chip) -> bool {
    grid.focus == Focus::Chips && grid.chips.focused() == chip
}

/// The name of a chip and its text; of a long text that is typed its end.
fn chip_spans(model: &Model, grid: &AskGrid, chip: Chip, width: u16) -> Vec<Span<'static>> {
    let focused = is_focused(grid, chip);
    let typed = focused && (grid.chips.is_typing() || chip == Chip::Other);
    let text = sanitize(grid.chips.text(chip)).into_owned();
    let name = chip.name();
    let room = if focused { width } else { CHIP };
    let room = room.saturating_sub(to_cells(name.len()) + 4);
    let shown = match (text.as_str(), typed) {
        ("", false) if chip == Chip::Target => "none".to_owned(),
        ("", false) => "–".to_owned(),
        (text, true) => column_window(text, text.width().saturating_sub(room.into()), room),
        (text, false) => truncate(text, room),
    };
    let role = if focused { StyleRole::Selection } else { StyleRole::Text };
    let mut spans = vec![
        Span::styled(if focused { "▸" } else { " " }, model.style(StyleRole::Key)),
        Span::styled(format!("{name} "), model.style(StyleRole::Dim)),
        Span::styled(shown, model.style(role)),
    ];
    spans.extend(typed.then(|| Span::styled("█", model.style(StyleRole::Key))));
    spans
}

/// The values that can be chosen, or what can be written.
fn value_lines(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    if grid.focus != Focus::Chips {
        return Vec::new();
    }
    let choices = grid.chips.choices();
    if choices.is_empty() || (grid.chips.is_typing() && grid.chips.focused() != Chip::Samples) {
        return wrap(help(grid.chips.focused()), width, &Span::raw("  "), model.style(StyleRole::Dim));
    }
    let cursor = grid.chips.cursor();
    let is_list = grid.chips.focused().is_list();
    let piece = |(place, choice): (usize, &Choice)| choice_spans(model, choice, place == cursor, is_list);
    in_rows(choices.iter().enumerate().map(piece).collect(), width)
}

/// What can be written in a chip.
fn help(chip: Chip) -> &'static str {
    match chip {
        Chip::Prompts => "prompt variants, separated by commas; → completes",
        Chip::Samples => "calls of each variant",
        Chip::Am => "values of AM, separated by commas",
        Chip::Om => "values of OM, separated by commas",
        Chip::Models => "models, separated by commas, each NAME or NAME@URL; → completes",
        Chip::Views => "views of the state, separated by commas; empty: that of the step; → completes",
        Chip::Target => "what counts: an action, optimal, legal or readable; empty: exploratory",
        Chip::Other => {
            "to-end=5 plays on to the end (with unsafe), leave-out=rows, keep=first, from-text=…, seed=1, concurrency=2, temperature=0"
        }
    }
}

/// The digit of a value, whether it is chosen, and its text; one that is not possible is struck out.
fn choice_spans(model: &Model, choice: &Choice, is_at: bool, is_list: bool) -> Vec<Span<'static>> {
    let name = truncate(&sanitize(&choice.text), CHIP);
    let is_number = choice.digit.is_some_and(|digit| name.len() == 1 && name.starts_with(digit));
    let digit = choice.digit.filter(|_| !is_number).map(|digit| format!("{digit} ")).unwrap_or_default();
    let sign = match (choice.is_chosen, choice.is_possible) {
        (true, true) => "●",
        (true, false) => "✗",
        (false, true) => "○",
        (false, false) => "×",
    };
    let mut style = model.style(match (is_at && is_list, choice.is_possible) {
        (true, _) => StyleRole::Selection,
        (false, true) => StyleRole::Text,
        (false, false) => StyleRole::Dim,
    });
    if !choice.is_possible {
        style = style.add_modifier(Modifier::CROSSED_OUT);
    }
    vec![
        Span::styled(format!(" {digit}"), model.style(StyleRole::Key)),
        Span::styled(
            format!("{sign} "),
            model.style(if choice.is_chosen { StyleRole::Ok } else { StyleRole::Dim }),
        ),
        Span::styled(name, style),
    ]
}

/// What the calls need, how far they are, or why they are not possible.
fn plan_lines(model: &Model, grid: &AskGrid, width: u16) -> Vec<Line<'static>> {
    let say = |text: &str, role| wrap(text, width, &Span::raw(" "), model.style(role));
    let (words, role) = state(grid);
    let mut lines = say(&words, role);
    let is_plan = !grid.is_running() && !grid.is_opened && grid.focus == Focus::Chips;
    if let Some(Ok(planned)) = grid.planned().filter(|_| is_plan) {
        lines.extend(planned_notes(planned).iter().flat_map(|line| say(line, StyleRole::Dim)));
    }
    lines
}

/// What is said of a plan besides its calls: what is not possible, and the notes; of branches all of it.
fn planned_notes(planned: &PlannedStudy) -> Vec<&String> {
    if planned.brief.is_empty() {
        return planned.lines.iter().collect();
    }
    let is_note = |line: &&String| NOTES.iter().any(|start| line.starts_with(start));
    planned.lines.iter().filter(is_note).take(MOST_NOTES).collect()
}

/// How many replies there are.
pub(super) fn counts(grid: &AskGrid) -> String {
    format!("{} of {} replies", grid.view.done, grid.view.all)
}

/// How far what is asked is, in one line, and how it is drawn.
pub(super) fn state(grid: &AskGrid) -> (String, StyleRole) {
    let counts = counts(grid);
    let is_new = grid.view.all == 0;
    match &grid.progress {
        AskProgress::Running if is_new => {
            ("asking … · Esc stops and keeps the replies".to_owned(), StyleRole::Warn)
        }
        AskProgress::Running => {
            (format!("asking … {counts} · Esc stops and keeps the replies"), StyleRole::Warn)
        }
        AskProgress::Stopping => (format!("stopping … {counts}"), StyleRole::Warn),
        AskProgress::Failed(problem) => (format!("{counts}; ! {}", sentence(problem)), StyleRole::Fault),
        AskProgress::Over if grid.is_opened => {
            (format!("stored: {} · {counts} · Esc leaves it", grid.view.title), StyleRole::Text)
        }
        AskProgress::Over => plan_words(grid, &counts),
    }
}

fn plan_words(grid: &AskGrid, counts: &str) -> (String, StyleRole) {
    match grid.planned() {
        None => ("planning …".to_owned(), StyleRole::Dim),
        Some(Err(problem)) => (format!("! {}", sentence(problem)), StyleRole::Fault),
        Some(Ok(planned)) => {
            let variants = match grid.columns() {
                0 | 1 => String::new(),
                count => format!("{count} variants · "),
            };
            let there = if grid.view.done > 0 { format!("{counts} · ") } else { String::new() };
            let needs = match planned.brief.as_str() {
                "" => "Enter plays the branches".to_owned(),
                brief => brief.to_owned(),
            };
            (format!("{variants}{there}{needs}"), StyleRole::Text)
        }
    }
}

/// What is wrong and what to do.
pub(super) fn sentence(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{}; {help}", problem.message),
        None => problem.message.clone(),
    }
}
