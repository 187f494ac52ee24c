//! The table of an ask: for each variant a bar with its interval for each answer; the calls of one, or its branches; a reply; a
//! request.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::{diagnosis_table, suite_table};
use crate::layout::screen_dialog_area;
use crate::model::{AskLevel, AskProgress, AskedSheet, Model};
use mageyard_domain::{Rating, sanitize};
use mageyard_study::{AnswerBar, Sample, StudyRow, StudySort};
use mageyard_terminal::{StyleRole, to_cells, truncate, wrap};

/// The columns of the dialog with its border, at most.
const MAX_WIDTH: u16 = 116;
/// The columns of a bar and of the name of an answer.
const BAR: u16 = 20;
const ANSWER: u16 = 16;

/// The lines, and which of them are the selected row.
pub(super) struct Page {
    pub(super) lines: Vec<Line<'static>>,
    pub(super) selected: Range<usize>,
}

pub(super) fn draw(model: &Model, sheet: &AskedSheet, whole: Rect, buf: &mut Buffer) {
    let place = area(whole);
    let Page { lines, .. } = page(model, sheet, place.width.saturating_sub(4));
    let title = title(sheet);
    let foot = foot(sheet);
    let inner = super::draw_border(model, &title, foot, StyleRole::BorderFocus, place, buf);
    let most = to_cells(lines.len()).saturating_sub(inner.height);
    super::draw_lines(model, lines, sheet.scroll.min(most), inner, buf);
}

pub(super) fn area(whole: Rect) -> Rect {
    super::centered_area(whole, MAX_WIDTH, whole.height)
}

/// The largest scroll position, the lines of a page, and the lines of the selected row.
pub(crate) fn extent(model: &Model, sheet: &AskedSheet) -> (u16, u16, Range<u16>) {
    let place = area(screen_dialog_area(model));
    let Page { lines, selected } = page(model, sheet, place.width.saturating_sub(4));
    let height = place.height.saturating_sub(2).max(1);
    let selected = to_cells(selected.start)..to_cells(selected.end);
    (to_cells(lines.len()).saturating_sub(height), height, selected)
}

/// The lines as text, at any length.
pub(crate) fn text(model: &Model, sheet: &AskedSheet) -> Vec<String> {
    plain(&page(model, sheet, u16::MAX).lines)
}

pub(super) fn plain(lines: &[Line<'_>]) -> Vec<String> {
    lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect()
}

fn title(sheet: &AskedSheet) -> String {
    if let Some(suite) = &sheet.suite {
        let title = if sheet.view.title.is_empty() { &suite.name } else { &sheet.view.title };
        let title = sanitize(title).into_owned();
        return if sheet.is_diagnosis() { capitalized(&title) } else { title };
    }
    let what = match sheet.variant().filter(|_| sheet.level == AskLevel::Calls) {
        None => sheet.view.title.clone(),
        Some(variant) => variant_title(sheet, variant),
    };
    let subject = match sheet.view.sort {
        StudySort::Blame => "Blame".to_owned(),
        StudySort::Replies | StudySort::Suite | StudySort::States | StudySort::ToEnd => {
            format!("Step {}", sheet.step)
        }
    };
    sanitize(&format!("{subject}: {what}")).into_owned()
}

/// A sentence as a title has it.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn variant_title(sheet: &AskedSheet, variant: &StudyRow) -> String {
    match sheet.view.sort {
        StudySort::Blame => variant.name.clone(),
        StudySort::Replies | StudySort::Suite | StudySort::States | StudySort::ToEnd => {
            format!("variant {}: {}", variant.number, variant.name)
        }
    }
}

fn foot(sheet: &AskedSheet) -> &'static str {
    match (sheet.view.sort, sheet.level) {
        _ if sheet.suite.is_some() => suite_foot(sheet),
        (StudySort::ToEnd, AskLevel::Table) if sheet.is_running() => {
            "↑ ↓ select · Enter branches · Esc stops and keeps those that are over"
        }
        (StudySort::ToEnd, AskLevel::Table) => "↑ ↓ select · Enter branches · y copies · Esc closes",
        (StudySort::Blame, AskLevel::Table) if sheet.is_running() => {
            "↑ ↓ · Enter goes to the step · → branches · Esc stops and keeps those that are over"
        }
        (StudySort::Blame, AskLevel::Table) => {
            "↑ ↓ · Enter goes to the step · → branches · y copies · Esc closes"
        }
        _ => "↑ ↓ select · Enter opens or continues · Esc goes back",
    }
}

fn suite_foot(sheet: &AskedSheet) -> &'static str {
    if sheet.is_diagnosis() {
        return if sheet.is_running() {
            "↑ ↓ states · ← → views · Enter opens · Esc stops and keeps the replies"
        } else {
            "↑ ↓ states · ← → views · Enter opens · y copies · Esc closes"
        };
    }
    if sheet.is_running() {
        "↑ ↓ states · Enter opens · Space page · Esc stops and keeps the replies"
    } else {
        "↑ ↓ states · Enter opens · Space page · y copies · Esc closes"
    }
}

/// How far the calls are, in one line.
pub(crate) fn state(sheet: &AskedSheet) -> String {
    let replies = sheet.view.done;
    let calls = sheet.view.all;
    let (verb, counts) = match sheet.view.sort {
        StudySort::Replies | StudySort::Suite | StudySort::States => {
            ("asking …", format!("{replies} of {calls} replies"))
        }
        StudySort::ToEnd => ("playing …", format!("{replies} of {calls} branches are over")),
        StudySort::Blame if sheet.is_running() => {
            ("playing …", format!("{replies} of at most {calls} branches are over"))
        }
        StudySort::Blame if replies == 1 => ("playing …", "1 branch is over".to_owned()),
        StudySort::Blame => ("playing …", format!("{replies} branches are over")),
    };
    progress_line(&sheet.progress, (verb, &counts), calls == 0)
}

/// How many results there are, and whether more are made; nothing was counted yet if it is at the beginning.
pub(super) fn progress_line(progress: &AskProgress, (verb, counts): (&str, &str), at_start: bool) -> String {
    match progress {
        AskProgress::Running if at_start => verb.to_owned(),
        AskProgress::Running => format!("{verb} {counts}"),
        AskProgress::Stopping => format!("stopping … {counts}"),
        AskProgress::Over => counts.to_owned(),
        AskProgress::Failed(problem) => format!("{counts}; ! {}", super::sentence(problem)),
    }
}

fn page(model: &Model, sheet: &AskedSheet, width: u16) -> Page {
    match (sheet.level, sheet.variant()) {
        (AskLevel::Calls, Some(variant)) => calls(model, sheet, variant, width),
        _ if sheet.is_diagnosis() => diagnosis_table::page(model, sheet, width),
        _ if sheet.suite.is_some() => suite_table::page(model, sheet, width),
        _ => table(model, sheet, width),
    }
}

pub(super) fn wrapped(model: &Model, text: &str, width: u16, role: StyleRole) -> Vec<Line<'static>> {
    wrap(text, width, &Span::raw(""), model.style(role))
}

fn table(model: &Model, sheet: &AskedSheet, width: u16) -> Page {
    let role =
        if matches!(sheet.progress, AskProgress::Failed(_)) { StyleRole::Fault } else { StyleRole::Dim };
    let mut lines = wrapped(model, &state(sheet), width, role);
    let mut tail = vec![&sheet.view.tail];
    // The verdict is what is looked for.
    if sheet.view.sort == StudySort::Blame {
        let verdict = tail.pop().into_iter().flatten();
        lines.extend(verdict.flat_map(|line| wrapped(model, line, width, StyleRole::Text)));
    }
    let mut selected = 0..0;
    for (index, variant) in sheet.view.rows.iter().enumerate() {
        lines.push(Line::default());
        let first = lines.len();
        lines.extend(variant_lines(model, sheet, variant, width));
        if index == sheet.row() {
            selected = first..lines.len();
        }
    }
    for block in tail.into_iter().chain([&sheet.view.head]) {
        lines.push(Line::default());
        lines.extend(block.iter().flat_map(|line| wrapped(model, line, width, StyleRole::Dim)));
    }
    Page { lines, selected }
}

/// A row of a list, with a mark if it is selected.
pub(super) fn marked(model: &Model, selected: bool, text: &str, width: u16) -> Line<'static> {
    let style = model.style(if selected { StyleRole::Selection } else { StyleRole::Text });
    Line::from(vec![
        Span::styled(if selected { "▸ " } else { "  " }, model.style(StyleRole::Key)),
        Span::styled(truncate(text, width.saturating_sub(2)), style),
    ])
}

fn variant_lines(model: &Model, sheet: &AskedSheet, variant: &StudyRow, width: u16) -> Vec<Line<'static>> {
    let name = match sheet.view.sort {
        StudySort::Blame => variant.name.clone(),
        StudySort::Replies | StudySort::Suite | StudySort::States | StudySort::ToEnd => {
            format!("{}  {}", variant.number, variant.name)
        }
    };
    let selected = sheet.variant().is_some_and(|chosen| chosen.number == variant.number);
    let mut lines = vec![marked(model, selected, &name, width)];
    lines.extend(variant.answers.iter().map(|answer| bar_line(model, answer, width)));
    let indent = Span::raw("     ");
    lines.extend(wrap(&sheet.view.facts(variant).join(" · "), width, &indent, model.style(StyleRole::Dim)));
    lines
}

/// The answer, its bar with the interval, the numbers, and what the answer is.
fn bar_line(model: &Model, answer: &AnswerBar, width: u16) -> Line<'static> {
    let name = truncate(&answer.answer, ANSWER);
    let gap = " ".repeat(usize::from(ANSWER).saturating_sub(name.width()) + 1);
    let notes = if answer.notes.is_empty() { String::new() } else { format!("  {}", answer.notes) };
    let words = format!(" {}{notes}", answer.words);
    let [full, rest] = bar(answer.share);
    Line::from(vec![
        Span::raw("     "),
        Span::styled(name, model.style(StyleRole::Action)),
        Span::raw(gap),
        Span::styled(full, model.style(StyleRole::Bar)),
        Span::styled(rest, model.style(StyleRole::BarEmpty)),
        Span::styled(truncate(&words, width.saturating_sub(6 + ANSWER + BAR)), model.style(StyleRole::Text)),
    ])
}

/// A bar as long as the share, lighter from the low end of the interval on, and a line to its high end.
fn bar([share, low, high]: [f64; 3]) -> [String; 2] {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the columns of a bar"
    )]
    let columns = |share: f64| (share.clamp(0.0, 1.0) * f64::from(BAR)).round() as usize;
    let low = columns(low);
    let full = columns(share);
    let high = columns(high);
    let sure = "█".repeat(low.min(full));
    let line = "╌".repeat(high.saturating_sub(full));
    let end = " ".repeat(usize::from(BAR).saturating_sub(high.max(full)));
    [format!("{sure}{}", "▓".repeat(full.saturating_sub(low))), format!("{line}{end}")]
}

fn calls(model: &Model, sheet: &AskedSheet, variant: &StudyRow, width: u16) -> Page {
    let at = sheet.call_index();
    let row =
        |(index, call): (usize, &std::sync::Arc<Sample>)| marked(model, index == at, &call_line(call), width);
    let mut lines = wrapped(model, &state(sheet), width, StyleRole::Dim);
    let first = lines.len() + at;
    lines.extend(variant.samples.iter().enumerate().map(row));
    if variant.samples.is_empty() {
        let none = if sheet.has_replies() { "no call has come back yet" } else { "no branch is over yet" };
        lines.extend(wrapped(model, none, width, StyleRole::Dim));
    }
    Page { lines, selected: first..first + 1 }
}

/// A call in one line: its number, its answer, and the beginning of what was said.
pub(crate) fn call_line(call: &Sample) -> String {
    let answer = match (&call.answer, &call.text) {
        (Some(answer), _) => answer.as_str(),
        (None, Some(_)) => "unreadable",
        (None, None) => "failed",
    };
    if call.branch.is_some() {
        return format!("{:>3}   {answer:<12}  {}", call.number, call.facts.join(" · "));
    }
    let said = call.text.as_deref().unwrap_or_else(|| call.facts.first().map_or("", String::as_str));
    let said = said.split_whitespace().take(60).collect::<Vec<_>>().join(" ");
    let rating = call.rating.map_or(' ', Rating::sign);
    format!("{:>3} {rating} {answer:<12}  {said}", call.number)
}
