//! Lines with labels. Text from outside is made visible here, and its later lines are indented, so that none of them
//! can pass for a line of the program.

use ratatui::text::Line;

use mageyard_domain::sanitize;

/// The most characters of a text that is told with an event; commands print it in full.
const MAX_TOLD: usize = 4000;

/// The spaces before the second and all later lines of a text.
const INDENT: &str = "  ";

/// A label with a text: `Analysis: …`, further lines below it.
pub(crate) fn labelled(label: &str, text: &str) -> Vec<String> {
    let shown = sanitize(text.trim_end());
    let mut lines = shown.lines().map(|line| line.replace('\t', INDENT));
    let first = lines.next().unwrap_or_default();
    let rest = lines.map(|line| format!("{INDENT}{line}"));
    std::iter::once(format!("{label}: {first}")).chain(rest).collect()
}

/// A label with the beginning of a text, and how much of it was left out.
pub(super) fn shortened(label: &str, text: &str) -> Vec<String> {
    let text = text.trim_end();
    let Some((end, _)) = text.char_indices().nth(MAX_TOLD) else { return labelled(label, text) };
    let mut lines = labelled(label, &text[..end]);
    let left = text[end..].chars().count();
    lines.push(format!("{INDENT}… {left} more characters; raw prints all of them"));
    lines
}

/// A question, its numbered choices, and how to answer.
pub(crate) fn choices(question: &str, rows: impl IntoIterator<Item = String>, how: &str) -> Vec<String> {
    let rows = (1..).zip(rows).map(|(number, row): (usize, String)| format!("{number}: {row}"));
    let head = std::iter::once(format!("Question: {question}"));
    head.chain(rows).chain([format!("Answer: {how}")]).collect()
}

/// One line: line breaks in a text from outside become spaces.
pub(crate) fn one_line(text: &str) -> String {
    sanitize(text).replace(['\n', '\t'], " ")
}

/// Lines of the full screen as plain text, without the signs that only guide the eye.
pub(super) fn plain(lines: &[Line<'_>]) -> Vec<String> {
    let words = lines.iter().map(|line| plain_line(&line.to_string()));
    words.filter(|line| !line.is_empty()).collect()
}

/// A line without rules, bars and signs at its beginning.
fn plain_line(line: &str) -> String {
    let is_rule = |c: char| matches!(c, '─' | '━' | '╌');
    let line = line.trim_end().trim_end_matches(is_rule).trim_end();
    let line = line.strip_prefix("── ").unwrap_or(line);
    match line.split_once(['│', '┊']) {
        // The label in the margin of a raw reply, or the bar beside a text.
        Some((label, text)) if label.chars().count() <= 10 => match without_sign(label.trim()) {
            "" => text.strip_prefix(' ').unwrap_or(text).to_owned(),
            label => format!("{label}:{text}"),
        },
        _ => without_sign(line).to_owned(),
    }
}

/// The text without the sign of an event of the full screen before it.
pub(super) fn without_sign(line: &str) -> &str {
    let signs = ['▶', '✓', '✗', '✂', '•', '·', '…', '▣', '■', '●', '○', '▾', '▸'];
    let rest = line.trim_start();
    match rest.strip_prefix(signs) {
        Some(rest) => rest.trim_start(),
        None => line,
    }
}
