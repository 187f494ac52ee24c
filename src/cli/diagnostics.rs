//! Prints a problem to standard error: what is wrong, where (with a caret), and what to do about it.

use std::io::{IsTerminal, Write};

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents,
};

use mageyard_config::{Problem, SourceLocation};
use mageyard_domain::sanitize;

use mageyard_terminal::surroundings::terminal_size;

/// Bytes of a long line shown on each side of the mistake.
const CONTEXT_BYTES: usize = 60;

/// The least and the most columns of a printed problem. In a terminal with fewer columns the terminal breaks the lines.
const WIDTHS: (usize, usize) = (40, 100);

/// Prints a problem to standard error, with colours and line drawing only where the terminal supports them.
pub fn print_problem(problem: &Problem) {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    let mut stderr = std::io::stderr().lock();
    let wide = usize::from(terminal_size().0).clamp(WIDTHS.0, WIDTHS.1);
    // Output that is not read on a terminal is not wrapped, so that it can be searched.
    let (theme, width) = match (stderr.is_terminal() && !dumb, set("NO_COLOR")) {
        (true, false) => (GraphicalTheme::unicode(), wide),
        (true, true) => (GraphicalTheme::unicode_nocolor(), wide),
        (false, _) => (GraphicalTheme::none(), usize::from(u16::MAX)),
    };
    let _ = stderr.write_all(render(problem, theme, width).as_bytes());
}

/// Prints a one-line message to standard error.
pub fn print_message(message: &str) {
    let _ = writeln!(std::io::stderr(), "{}", sanitize(message));
}

/// Writes what is to be answered behind it, in the same line.
pub fn print_prompt(prompt: &str) {
    let _ = write!(std::io::stderr(), "{}", sanitize(prompt));
}

/// Renders a problem as text; one that cannot be laid out with its source is rendered as one line.
fn render(problem: &Problem, theme: GraphicalTheme, width: usize) -> String {
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false);
    let mut text = String::new();
    let complaint = ProblemDiagnostic::from(problem);
    match handler.render_report(&mut text, &complaint) {
        Ok(()) => format!("{}\n", text.trim_end()),
        Err(_) => format!("{problem}\n"),
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{what}")]
struct ProblemDiagnostic {
    what: String,
    help: Option<String>,
    excerpt: Option<SourceLine>,
}

impl From<&Problem> for ProblemDiagnostic {
    fn from(problem: &Problem) -> Self {
        let excerpt = problem.location.as_ref().and_then(SourceLine::of);
        let place = problem.location.as_ref().map_or_else(String::new, |place| format!("{place}: "));
        Self {
            what: format!("{place}{}", sanitize(&problem.message)),
            help: problem.help.as_deref().map(|help| sanitize(help).into_owned()),
            excerpt,
        }
    }
}

impl Diagnostic for ProblemDiagnostic {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::new_with_span(None, self.excerpt.as_ref()?.span);
        Some(Box::new(std::iter::once(label)))
    }
}

/// The source line of a mistake, shortened if it is long, with control characters made visible.
#[derive(Debug)]
struct SourceLine {
    name: String,
    text: String,
    span: SourceSpan,
    line: usize,
    column: usize,
}

impl SourceLine {
    fn of(place: &SourceLocation) -> Option<Self> {
        let text = &place.text;
        let start = char_boundary(text, place.span.start);
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let to = text[start..].find(['\n', '\r']).map_or(text.len(), |at| start + at);
        let end = char_boundary(text, place.span.end.clamp(start, to));
        let left = char_boundary(text, from.max(start.saturating_sub(CONTEXT_BYTES)));
        let right = char_boundary(text, to.min(end + CONTEXT_BYTES).min(start + 2 * CONTEXT_BYTES));
        let [before, meant, after] =
            [&text[left..start], &text[start..end.min(right)], &text[end.min(right)..right]].map(sanitize);
        (left < right).then(|| Self {
            name: sanitize(&place.file.display().to_string()).into_owned(),
            span: (before.len(), meant.len()).into(),
            text: format!("{before}{meant}{after}"),
            line: place.line() - 1,
            column: text[from..start].chars().count(),
        })
    }
}

/// The last character boundary at or before this byte offset.
fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

impl SourceCode for SourceLine {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = SourceSpan::from((0, self.text.len()));
        let bytes = self.text.as_bytes();
        let contents =
            MietteSpanContents::new_named(self.name.clone(), bytes, whole, self.line, self.column, 1);
        Ok(Box::new(contents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, span: std::ops::Range<usize>) -> String {
        render(
            &Problem::new("wrong").at("a.toml", text, span).with_help("mend it"),
            GraphicalTheme::none(),
            100,
        )
    }

    #[test]
    fn a_location_is_shown_with_a_caret() {
        let shown = plain("one\ntwo = three\n", 10..15);
        assert!(shown.contains("a.toml:2: wrong"), "{shown}");
        assert!(shown.contains("2 | two = three\n"), "{shown}");
        assert!(shown.contains("  :       ^^^^^"), "{shown}");
        assert!(shown.contains("help: mend it"), "{shown}");
    }

    #[test]
    fn long_lines_are_shortened_and_control_characters_shown() {
        let long = format!("{}\u{1b}{}", "é".repeat(5_000), "x".repeat(5_000));
        let shown = plain(&long, 10_000..10_001);
        assert!(shown.contains('␛') && !shown.contains('\u{1b}'), "{shown}");
        assert!(shown.len() < 600, "{}", shown.len());
    }

    #[test]
    fn any_span_is_rendered_without_a_panic() {
        for text in ["", "a", "é\r\nü", "\n\n", "a\r"] {
            for start in 0..8 {
                for end in 0..8 {
                    assert!(plain(text, start..end).contains("wrong"), "{text:?} {start}..{end}");
                }
            }
        }
    }
}
