//! The dialog that asks again at a step: its fields, below them the plan, and the asks that are stored.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::layout::screen_dialog_area;
use crate::model::{ASK_FIELDS, AskSheet, Model};
use mageyard_domain::sanitize;
use mageyard_study::{StudySort, StudyTable};
use mageyard_terminal::{StyleRole, column_window, to_cells, truncate, wrap};

/// The columns of the dialog with its border.
const WIDTH: u16 = 100;
/// The columns of the names of the fields.
const NAME: usize = 12;

/// What may be written in each field.
const HELP: [&str; ASK_FIELDS.len()] = [
    "prompt variants, separated by commas; → completes",
    "values of AM, such as 1,5; an impossible window is listed with its reason",
    "values of OM, such as 1,3",
    "models, separated by commas",
    "calls of each variant; not with to-end",
    "how many times each variant plays on to the end, in branches; compares how often the goal is reached; empty: single replies",
    "what counts: an action, optimal, legal or readable; empty: exploratory, no difference is tested",
    "rows, frames or segments: each is left out in turn",
    "seed=1, concurrency=2, a setting such as temperature=0, or unsafe with to-end",
];

pub(super) fn draw(model: &Model, sheet: &AskSheet, whole: Rect, buf: &mut Buffer) {
    let place = area(model, sheet, whole);
    let lines = lines(model, sheet, width(whole));
    let enter = match (sheet.selected(), sheet.known_plan()) {
        (Some(_), _) => "Enter opens it",
        (None, Some(Ok(plan))) if plan.left == 0 => "Enter shows the table",
        (None, Some(Ok(plan))) if plan.sort != StudySort::Replies => "Enter plays the branches",
        (None, Some(Ok(_))) => "Enter makes the calls",
        (None, _) => "Enter shows the plan",
    };
    let what = if sheet.is_candidates { "Candidates" } else { "Ask again" };
    let title = format!("{what} at step {}", sheet.step);
    let foot = format!("↑ ↓ fields · {enter} · Esc closes");
    let inner = super::draw_border(model, &title, &foot, StyleRole::BorderFocus, place, buf);
    let most = to_cells(lines.len()).saturating_sub(inner.height);
    super::draw_lines(model, lines, sheet.scroll.min(most), inner, buf);
}

/// The largest scroll position, and the lines of a page.
pub(crate) fn extent(model: &Model, sheet: &AskSheet) -> (u16, u16) {
    let whole = screen_dialog_area(model);
    let page = area(model, sheet, whole).height.saturating_sub(2).max(1);
    (to_cells(lines(model, sheet, width(whole)).len()).saturating_sub(page), page)
}

fn width(whole: Rect) -> u16 {
    super::centered_area(whole, WIDTH, whole.height).width.saturating_sub(4)
}

fn area(model: &Model, sheet: &AskSheet, whole: Rect) -> Rect {
    let count = to_cells(lines(model, sheet, width(whole)).len());
    super::centered_area(whole, WIDTH, count.saturating_add(2))
}

fn lines(model: &Model, sheet: &AskSheet, width: u16) -> Vec<Line<'static>> {
    let focused = sheet.focused_field();
    let fields = sheet.fields().enumerate();
    let mut lines: Vec<Line<'static>> =
        fields.map(|(index, field)| field_line(model, field, focused == Some(index), width)).collect();
    let mut add = |text: &str, role| lines.extend(wrap(text, width, &Span::raw(""), model.style(role)));
    if let Some(help) = focused.and_then(|index| HELP.get(index)) {
        let known =
            if focused == Some(0) { format!(": {}", sheet.prompts.join(", ")) } else { String::new() };
        add(&format!("{help}{known}"), StyleRole::Dim);
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
            add("planning …", StyleRole::Dim);
        }
        None => {}
    }
    lines.extend(stored_lines(model, sheet, width));
    lines
}

/// The name and the text of a field; of a long text its end.
pub(super) fn field_line(
    model: &Model,
    (name, text): (&str, &str),
    focused: bool,
    width: u16,
) -> Line<'static> {
    let text = sanitize(text).into_owned();
    let room = width.saturating_sub(to_cells(NAME + 3));
    let shown = column_window(&text, text.width().saturating_sub(room.into()), room);
    let mut spans = vec![
        Span::styled(if focused { "▸ " } else { "  " }, model.style(StyleRole::Key)),
        Span::styled(format!("{name:<NAME$}"), model.style(StyleRole::Dim)),
        Span::styled(shown, model.style(StyleRole::Text)),
    ];
    spans.extend(focused.then(|| Span::styled("█", model.style(StyleRole::Key))));
    Line::from(spans)
}

fn stored_lines(model: &Model, sheet: &AskSheet, width: u16) -> Vec<Line<'static>> {
    let say =
        |text: &str, role| vec![Line::default(), Line::styled(truncate(text, width), model.style(role))];
    let asks = match &sheet.stored {
        None => return say("reading the asks of this step …", StyleRole::Dim),
        Some(Err(problem)) => return say(&format!("! {problem}"), StyleRole::Fault),
        Some(Ok(asks)) if asks.is_empty() => {
            return say("nothing was asked at this step yet", StyleRole::Dim);
        }
        Some(Ok(asks)) => asks,
    };
    let mut lines = vec![Line::default(), super::heading(model, "Stored at this step")];
    lines.extend(asks.iter().enumerate().map(|(index, ask)| {
        let selected = sheet.selected() == Some(index);
        let style = model.style(if selected { StyleRole::Selection } else { StyleRole::Text });
        Line::from(vec![
            Span::styled(if selected { "▸ " } else { "  " }, model.style(StyleRole::Key)),
            Span::styled(truncate(&stored_line(ask), width.saturating_sub(2)), style),
        ])
    }));
    lines
}

/// A stored ask in one line.
pub(crate) fn stored_line(ask: &StudyTable) -> String {
    let id: String = ask.id.chars().take(8).collect();
    let replies = if ask.done < ask.all { format!(", {} replies", ask.done) } else { String::new() };
    format!("{id}  {}{replies}", ask.title)
}
