//! Writes a report as LaTeX: a table environment per part, with the rules of the package booktabs.

use super::{Block, Document, Section, Table};
use mageyard_domain::sanitize;

/// The report as text, to be included by a document.
pub fn write(document: &Document) -> String {
    let mut text = format!("% \\usepackage{{booktabs}}\n% {}\n", comment(&document.common));
    for finding in &document.findings {
        text += &["\n", &escaped(finding), "\n"].concat();
    }
    for section in &document.sections {
        push_section(section, &mut text);
    }
    for note in &document.notes {
        text += &["% ", &comment(note), "\n"].concat();
    }
    text
}

fn push_section(section: &Section, text: &mut String) {
    match &section.block {
        Block::Table(table) => push_table(section, table, text),
        Block::Map(map) => push_table(section, &map.to_table(), text),
        Block::Curves(curves) => push_table(section, &curves.to_table(), text),
    }
}

fn push_table(section: &Section, table: &Table, text: &mut String) {
    let Some((head, rows)) = table.rows.split_first() else { return };
    let align: String = (0..head.len()).map(|column| if column < table.names { 'l' } else { 'r' }).collect();
    *text += "\n\\begin{table}\n\\centering\n";
    let title = escaped(&section.title);
    *text += &[
        "\\caption{",
        &title,
        "}
\\begin{tabular}{",
        &align,
        "}
\\toprule
",
    ]
    .concat();
    push_row(head, head.len(), text);
    *text += "\\midrule\n";
    for row in rows {
        push_row(row, head.len(), text);
    }
    *text += "\\bottomrule\n\\end{tabular}\n";
    for note in &section.notes {
        *text += &["\\par\\footnotesize ", &escaped(note), "\n"].concat();
    }
    *text += "\\end{table}\n";
}

fn push_row(row: &[String], columns: usize, text: &mut String) {
    let cells = row.iter().map(|cell| escaped(cell)).chain(std::iter::repeat(String::new()));
    let cells = cells.take(columns).collect::<Vec<_>>().join(" & ");
    // A bracket after a line break would be an argument of it.
    let start = if cells.starts_with('[') { "{}" } else { "" };
    *text += &[start, &cells, " \\\\\n"].concat();
}

/// Text on one line, which can be in a comment.
fn comment(text: &str) -> String {
    sanitize(text).replace(['\n', '\t'], " ")
}

/// Text without control characters in which no character is markup. Signs that fonts of LaTeX do not have are written as
/// their commands, and shades are left out.
fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in sanitize(text).chars() {
        match c {
            '\n' | '\t' => shown.push(' '),
            '\\' => shown.push_str("\\textbackslash{}"),
            '~' => shown.push_str("\\textasciitilde{}"),
            '^' => shown.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                shown.push('\\');
                shown.push(c);
            }
            '<' | '>' | '|' => shown.extend(['$', c, '$']),
            '±' => shown.push_str("$\\pm$"),
            '×' => shown.push_str("$\\times$"),
            '≈' => shown.push_str("$\\approx$"),
            '◇' => shown.push_str("$\\diamond$"),
            '▲' => shown.push_str("$\\uparrow$"),
            '▼' => shown.push_str("$\\downarrow$"),
            '·' => shown.push_str("$\\cdot$"),
            '–' => shown.push_str("--"),
            '…' => shown.push_str("\\ldots{}"),
            '░' | '▒' | '▓' | '█' => {}
            c => shown.push(c),
        }
    }
    shown.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_no_markup() {
        let text = escaped("50 % ± 1 \\input{/etc/passwd} a_b & $x^2$ ▒ ~\nnext");
        let expected = "50 \\% $\\pm$ 1 \\textbackslash{}input\\{/etc/passwd\\} a\\_b \\& \\$x\\textasciicircum{}2\\$  \\textasciitilde{} next";
        assert_eq!(text, expected);
        assert_eq!(comment("a\nb"), "a b", "a comment ends with its line");
    }

    #[test]
    fn a_table_has_rules_and_a_column_for_each_cell() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let table = Table { rows: vec![row(["agent", "score"]), row(["[a", "1.00"])], names: 1 };
        let section = Section::table("Scores", true, table).unwrap();
        let document =
            Document { common: "x".to_owned(), findings: vec![], sections: vec![section], notes: vec![] };
        let expected = "% \\usepackage{booktabs}\n% x\n\n\\begin{table}\n\\centering\n\\caption{Scores}\n\
            \\begin{tabular}{lr}\n\\toprule\nagent & score \\\\\n\\midrule\n{}[a & 1.00 \\\\\n\\bottomrule\n\
            \\end{tabular}\n\\end{table}\n";
        assert_eq!(write(&document), expected);
    }
}
