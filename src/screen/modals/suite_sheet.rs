//! The dialog that asks about a suite: what is compared, below it the plan, and the asks that are stored.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ask_sheet::field_line;
use super::asked::{marked, wrapped};
use crate::layout::screen_dialog_area;
use crate::model::{Model, SuiteSheet};
use mageyard_domain::sanitize;
use mageyard_study::StudyTable;
use mageyard_terminal::{StyleRole, to_cells};

/// The columns of the dialog with its border.
const WIDTH: u16 = 100;

/// What may be written.
const HELP: &str = "prompts=A,B am=1,5 om=1 models=M1,M2 samples=5 seed=1 concurrency=2, or a setting such as \
temperature=0; → completes. Without them each state has its own prompt and window.";

pub(super) fn draw(model: &Model, sheet: &SuiteSheet, whole: Rect, buf: &mut Buffer) {
    let place = area(model, sheet, whole);
    let lines = lines(model, sheet, width(whole));
    let enter = match (sheet.selected(), sheet.known_plan()) {
        (Some(_), _) => "Enter opens it",
        (None, Some(Ok(plan))) if plan.left == 0 => "Enter shows the report",
        (None, Some(Ok(_))) => "Enter makes the calls",
        (None, _) => "Enter shows the plan",
    };
    let title = sanitize(&format!("Ask about the suite {}", sheet.suite)).into_owned();
    let foot = format!("↑ ↓ select · {enter} · Esc closes");
    let inner = super::draw_border(model, &title, &foot, StyleRole::BorderFocus, place, buf);
    let most = to_cells(lines.len()).saturating_sub(inner.height);
    super::draw_lines(model, lines, sheet.scroll.min(most), inner, buf);
}

/// The largest scroll position, and the lines of a page.
pub(crate) fn extent(model: &Model, sheet: &SuiteSheet) -> (u16, u16) {
    let whole = screen_dialog_area(model);
    let page = area(model, sheet, whole).height.saturating_sub(2).max(1);
    (to_cells(lines(model, sheet, width(whole)).len()).saturating_sub(page), page)
}

fn width(whole: Rect) -> u16 {
    super::centered_area(whole, WIDTH, whole.height).width.saturating_sub(4)
}

fn area(model: &Model, sheet: &SuiteSheet, whole: Rect) -> Rect {
    let count = to_cells(lines(model, sheet, width(whole)).len());
    super::centered_area(whole, WIDTH, count.saturating_add(2))
}

fn lines(model: &Model, sheet: &SuiteSheet, width: u16) -> Vec<Line<'static>> {
    let is_focused = sheet.selected().is_none();
    let mut lines = vec![field_line(model, ("compare", sheet.words.as_str()), is_focused, width)];
    let mut add = |text: &str, role| lines.extend(wrapped(model, text, width, role));
    add(HELP, StyleRole::Dim);
    if !sheet.prompts().is_empty() {
        add(&format!("prompt variants: {}", sheet.prompts().join(", ")), StyleRole::Dim);
    }
    add("", StyleRole::Dim);
    match sheet.known_plan() {
        Some(Ok(plan)) => {
            for line in &plan.lines {
                add(line, StyleRole::Text);
            }
        }
        Some(Err(problem)) => add(&format!("! {}", super::sentence(problem)), StyleRole::Fault),
        None if sheet.is_planning() => {
            add("planning … (states that are not recorded here are played first)", StyleRole::Dim);
        }
        None => {}
    }
    lines.extend(stored_lines(model, sheet, width));
    lines
}

fn stored_lines(model: &Model, sheet: &SuiteSheet, width: u16) -> Vec<Line<'static>> {
    let say = |text: &str, role| [vec![Line::default()], wrapped(model, text, width, role)].concat();
    match &sheet.details {
        None => return say("reading the asks about this suite …", StyleRole::Dim),
        Some(Err(problem)) => return say(&format!("! {}", super::sentence(problem)), StyleRole::Fault),
        Some(Ok(known)) if known.stored.is_empty() => {
            return say("nothing was asked about this suite yet", StyleRole::Dim);
        }
        Some(Ok(_)) => {}
    }
    let mut lines = vec![Line::default(), super::heading(model, "Stored about this suite")];
    let row = |(index, view)| marked(model, sheet.selected() == Some(index), &stored_line(view), width);
    lines.extend(sheet.stored().iter().map(std::convert::AsRef::as_ref).enumerate().map(row));
    lines
}

/// A stored ask in one line.
pub(crate) fn stored_line(view: &StudyTable) -> String {
    let replies = if view.done < view.all { format!("; {} replies", view.done) } else { String::new() };
    let names: Vec<&str> = view.rows.iter().map(|row| row.name.as_str()).collect();
    format!("{}{replies}: {}", view.title, names.join(", "))
}
