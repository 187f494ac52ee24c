//! Writes a report as Markdown with pipe tables.

use super::{Block, Document, Section, Table};
use mageyard_domain::sanitize;

/// The report as text.
pub fn write(document: &Document) -> String {
    let mut text = format!("# Report\n\n{}\n", escaped(&document.common));
    if !document.findings.is_empty() {
        text.push('\n');
        push_items(&document.findings, &mut text);
    }
    for section in &document.sections {
        push_section(section, &mut text);
    }
    text.push_str("\n## Definitions\n\n");
    push_items(&document.notes, &mut text);
    text
}

fn push_section(section: &Section, text: &mut String) {
    *text += &["\n## ", &escaped(&section.title), "\n\n"].concat();
    match &section.block {
        Block::Table(table) => push_table(table, text),
        Block::Map(map) => push_table(&map.to_table(), text),
        Block::Curves(curves) => push_table(&curves.to_table(), text),
    }
    if !section.notes.is_empty() {
        text.push('\n');
        push_items(&section.notes, text);
    }
}

fn push_items(notes: &[String], text: &mut String) {
    for note in notes {
        *text += &["- ", &escaped(note), "\n"].concat();
    }
}

fn push_table(table: &Table, text: &mut String) {
    let Some((head, rows)) = table.rows.split_first() else { return };
    push_row(head, head.len(), text);
    let rule = (0..head.len()).map(|column| if column < table.names { "---" } else { "---:" });
    push_line(&rule.collect::<Vec<_>>().join(" | "), text);
    for row in rows {
        push_row(row, head.len(), text);
    }
}

fn push_row(row: &[String], columns: usize, text: &mut String) {
    let cells = row.iter().map(|cell| escaped(cell)).chain(std::iter::repeat(String::new()));
    push_line(&cells.take(columns).collect::<Vec<_>>().join(" | "), text);
}

fn push_line(cells: &str, text: &mut String) {
    *text += &["| ", cells, " |\n"].concat();
}

/// Text without control characters in which no character is markup.
fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in sanitize(text).chars() {
        match c {
            '\n' | '\t' => shown.push(' '),
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' | '$' | '!' => {
                shown.push('\\');
                shown.push(c);
            }
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_no_markup() {
        let text = escaped("a|b <img src=x> [x](javascript:y) `c`\u{1b}[31m\nnext");
        assert_eq!(text, r"a\|b &lt;img src=x&gt; \[x\](javascript:y) \`c\`␛\[31m next");
    }
}
