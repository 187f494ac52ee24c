//! Joins the lines of each paragraph, so that a prompt file can be wrapped without line breaks in what is sent.

/// The text with one line for each paragraph and each list item.
///
/// Kept as they are: blank lines, code fences and indented code, headings, quotes, table rows, rules, and lines that
/// are only a variable or a tag. A line that ends with a backslash or two spaces keeps its line break.
pub(super) fn join_paragraphs(text: &str) -> String {
    let mut joined = Joiner::default();
    for line in text.lines() {
        joined.push(line);
    }
    joined.lines.join("\n")
}

#[derive(Default)]
struct Joiner {
    lines: Vec<String>,
    /// The marker of the code fence that is open.
    fence: Option<&'static str>,
    /// Whether the next line of text continues the last line.
    continues: bool,
}

impl Joiner {
    fn push(&mut self, line: &str) {
        if let Some(marker) = self.fence {
            self.fence = self.fence.filter(|_| !line.trim_start().starts_with(marker));
            return self.keep(line);
        }
        self.fence = ["```", "~~~"].into_iter().find(|marker| line.trim_start().starts_with(marker));
        if self.fence.is_some() || is_kept(line.trim()) || !self.continues && is_indented_code(line) {
            return self.keep(line);
        }
        let (body, breaks) = without_hard_break(line);
        match self.lines.last_mut() {
            Some(last) if self.continues && !is_list_item(body) => {
                last.push(' ');
                last.push_str(body.trim());
            }
            _ => self.lines.push(body.trim_end().to_owned()),
        }
        self.continues = !breaks;
    }

    fn keep(&mut self, line: &str) {
        self.lines.push(line.trim_end().to_owned());
        self.continues = false;
    }
}

/// Whether a line stands alone, whatever comes before and after it.
fn is_kept(line: &str) -> bool {
    let is_heading = || {
        let rest = line.trim_start_matches('#');
        (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with([' ', '\t'])
    };
    let is_rule =
        || line.len() >= 3 && ["-", "*", "_", "="].iter().any(|sign| line.replace(sign, "").is_empty());
    let is_tag = || line.starts_with('<') && line.ends_with('>');
    line.is_empty()
        || line.starts_with(['>', '|'])
        || is_heading()
        || is_rule()
        || is_tag()
        || is_variable(line)
}

/// Whether a line is one variable, such as `{format}`.
fn is_variable(line: &str) -> bool {
    let name = line.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    name.is_some_and(|name| !name.contains(['{', '}']))
}

fn is_indented_code(line: &str) -> bool {
    (line.starts_with("    ") || line.starts_with('\t')) && !is_list_item(line)
}

/// Whether a line begins with `- `, `* `, `+ `, `1. ` or `1) `.
fn is_list_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(['-', '*', '+']),
        1..=9 => line[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// The line without the sign of a hard line break, and whether it had one.
fn without_hard_break(line: &str) -> (&str, bool) {
    match line.strip_suffix('\\') {
        Some(rest) => (rest, true),
        None => (line, line.ends_with("  ")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_lines_of_a_paragraph_are_joined() {
        for (text, expected) in [
            ("one\ntwo\n\nthree\nfour", "one two\n\nthree four"),
            ("steps:\n1. a\n   b\n2. c\nd\n- e", "steps:\n1. a b\n2. c d\n- e"),
            ("- a\n  - b\n    c", "- a\n  - b c"),
            ("# h\ntext\nmore\n### Actions\nUp", "# h\ntext more\n### Actions\nUp"),
            ("The actions are:\n{actions_help}\nNo\nmore.", "The actions are:\n{actions_help}\nNo more."),
            ("In {picture}\nyou see", "In {picture} you see"),
            ("a\n```json\n{\n  b\n}\n```\nc\nd", "a\n```json\n{\n  b\n}\n```\nc d"),
            ("a\n\n    code\n    more\n\nb", "a\n\n    code\n    more\n\nb"),
            ("a\n> b\n> c\n| d |\n| e |", "a\n> b\n> c\n| d |\n| e |"),
            ("<think>\nwhy\nand how\n</think>", "<think>\nwhy and how\n</think>"),
            ("a\\\nb  \nc\nd", "a\nb\nc d"),
            ("a\r\nb\r\n\r\nc", "a b\n\nc"),
            ("a\n---\nb", "a\n---\nb"),
            ("", ""),
        ] {
            assert_eq!(join_paragraphs(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn joining_changes_white_space_only(text in "[a-c#>|{}`0-9. \\-\n]{0,60}") {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let joined = join_paragraphs(&text);
            prop_assert_eq!(words(&joined), words(&text));
            prop_assert_eq!(joined.lines().count() <= text.lines().count(), true);
        }

        #[test]
        fn a_joined_text_stays_as_it_is(text in "[a-c#>|{}`0-9.\n -]{0,60}") {
            // A hard break is kept once: its sign is removed.
            let text: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
            let joined = join_paragraphs(&text.join("\n"));
            prop_assert_eq!(join_paragraphs(&joined), joined.clone());
        }
    }
}
