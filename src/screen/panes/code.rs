//! The code that an action writes, with line numbers and its changes since the step before.

use ratatui::text::{Line, Span};

use super::paragraph::titled_rule;
use crate::command::CommandId;
use crate::model::{CodeText, CodeView, Model, StepCode};
use mageyard_domain::sanitize;
use mageyard_terminal::{ChangedLine, LineChange, ShownLines, StyleRole, count_of, folded, wrap};

/// One line about the code above the replies: its texts, how much they changed, and the key that shows them.
pub(super) fn summary(model: &Model, width: u16) -> Vec<Line<'static>> {
    let Some(code) = &model.agent.code else { return Vec::new() };
    let key = model.key_or_name(CommandId::Code);
    let texts = code.texts.iter().map(title).collect::<Vec<_>>().join("; ");
    let words = format!("{texts}; {key} shows the changes");
    let mut lines = wrap(&words, width, &Span::raw(""), model.style(StyleRole::Dim));
    lines.push(Line::default());
    lines
}

/// `html: 120 lines, +12 -3 since step 2`.
fn title(text: &CodeText) -> String {
    let lines = count_of(text.lines(), "line");
    let added = text.count(LineChange::Added);
    let removed = text.count(LineChange::Removed);
    let change = match &text.since {
        None => "new".to_owned(),
        Some(since) if added + removed == 0 => format!("unchanged since {since}"),
        Some(since) => format!("+{added} -{removed} since {since}"),
    };
    format!("{}: {lines}, {change}", text.name)
}

/// The texts below each other.
pub(super) fn lines(model: &Model, code: &StepCode, width: u16) -> Vec<Line<'static>> {
    code.texts.iter().flat_map(|text| text_lines(model, text, width)).collect()
}

fn text_lines(model: &Model, text: &CodeText, width: u16) -> Vec<Line<'static>> {
    let numbers = text.changes.iter().map(|line| line.number).max().unwrap_or(0).to_string().len();
    let mut lines = vec![titled_rule(model, &sanitize(&title(text)), width)];
    let all = || vec![ShownLines::Lines(0..text.changes.len())];
    // Code that was not there before has nothing to fold.
    let parts = if model.agent.code_view == CodeView::Changes { folded(&text.changes) } else { all() };
    for part in parts {
        match part {
            ShownLines::Folded(count) => lines.push(fold(model, count, numbers)),
            ShownLines::Lines(range) => {
                let rows = text.changes[range].iter();
                lines.extend(rows.flat_map(|line| code_line(model, text, line, numbers, width)));
            }
        }
    }
    lines.push(Line::default());
    lines
}

fn fold(model: &Model, count: usize, numbers: usize) -> Line<'static> {
    let words = format!("{:>numbers$} … {}", "", count_of(count, "equal line"));
    Line::styled(words, model.style(StyleRole::Dim))
}

/// The number, the sign of the change and the text; rows that continue a long line have neither number nor sign.
fn code_line(
    model: &Model,
    text: &CodeText,
    line: &ChangedLine,
    numbers: usize,
    width: u16,
) -> Vec<Line<'static>> {
    let (sign, role) = match line.change {
        LineChange::Added if text.since.is_some() => ("+", StyleRole::CodeAdded),
        LineChange::Removed => ("-", StyleRole::CodeRemoved),
        LineChange::Added | LineChange::Same => (" ", StyleRole::Text),
    };
    let gutter = Span::raw(" ".repeat(numbers + 3));
    let mut rows = wrap(&line.text, width, &gutter, model.style(role));
    let number = Span::styled(format!("{:>numbers$} ", line.number), model.style(StyleRole::Dim));
    for row in rows.iter_mut().take(1) {
        row.spans.splice(0..1, [number.clone(), Span::styled(format!("{sign} "), model.style(role))]);
    }
    rows
}
