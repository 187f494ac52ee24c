//! Reply formats: how analysis and action are delimited, and whether one action or a list is expected.

use std::borrow::Cow;
use std::fmt::Write;

use super::Action;

/// What delimits the analysis and the action of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// A heading on its own line above each part.
    Headings,
    /// An opening and a closing tag around each part.
    Tags,
    /// Two keys of one JSON object.
    Json,
}

/// The format of a reply (`MageBench`, supplement: output formats). Prompts describe it, readers parse it, and
/// agents without a model write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyFormat {
    /// What delimits the two parts.
    pub delimiter: Delimiter,
    /// The heading, tag name or key of the analysis, such as `# analyze`.
    pub analysis: Cow<'static, str>,
    /// The heading, tag name or key of the action or list, such as `# action`.
    pub action: Cow<'static, str>,
    /// Whether a list is expected, separated by commas (an array in JSON), and not one action.
    pub list: bool,
}

impl ReplyFormat {
    /// A format with two headings.
    pub const fn headings(analysis: &'static str, action: &'static str, list: bool) -> Self {
        let (analysis, action) = (Cow::Borrowed(analysis), Cow::Borrowed(action));
        Self { delimiter: Delimiter::Headings, analysis, action, list }
    }

    /// Writes a reply in this format. Text of the analysis that looks like a delimiter is quoted, so that a
    /// reader always finds these actions.
    pub fn write(&self, reason: &str, actions: &[Action]) -> String {
        let Self { analysis, action, .. } = self;
        let names: Vec<String> = actions.iter().map(Action::to_string).collect();
        match self.delimiter {
            Delimiter::Headings => {
                let reason = self.quote_headings(reason);
                format!("{analysis}\n{reason}\n\n{action}\n{}\n", names.join(", "))
            }
            Delimiter::Tags => {
                let reason = self.escape_tags(reason);
                let names = names.join(", ");
                format!("<{analysis}>{reason}</{analysis}>\n<{action}>{names}</{action}>\n")
            }
            Delimiter::Json => self.json_object(reason, &names),
        }
    }

    /// The analysis with `> ` before each line that begins like a heading.
    fn quote_headings(&self, reason: &str) -> String {
        let words =
            [&self.analysis, &self.action].map(|heading| (has_heading_mark(heading), heading_text(heading)));
        let mut safe = String::with_capacity(reason.len());
        for line in reason.split_inclusive('\n') {
            let like = |(signed, word): &(bool, String)| {
                has_heading_mark(line) >= *signed && heading_text(line).starts_with(word.as_str())
            };
            let begins = words.iter().any(like);
            safe.push_str(if begins { "> " } else { "" });
            safe.push_str(line);
        }
        safe
    }

    /// The analysis with `‹` in place of the `<` of each tag.
    fn escape_tags(&self, reason: &str) -> String {
        [&self.analysis, &self.action].iter().fold(reason.to_owned(), |safe, tag| {
            safe.replace(&format!("<{tag}>"), &format!("‹{tag}>"))
                .replace(&format!("</{tag}>"), &format!("‹/{tag}>"))
        })
    }

    fn json_object(&self, reason: &str, names: &[String]) -> String {
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let members: Vec<String> = names.iter().map(|name| text(name)).collect();
        let mut value = members.join(", ");
        if self.list {
            value = format!("[{value}]");
        }
        let mut object = String::from("{");
        // Writing to a string does not fail.
        let _ =
            writeln!(object, "{}: {}, {}: {value}}}", text(&self.analysis), text(reason), text(&self.action));
        object
    }
}

/// Whether the line begins with a heading mark.
fn has_heading_mark(line: &str) -> bool {
    line.trim_start().starts_with(['#', '*'])
}

/// The beginning of a line or heading without decoration, in lower case.
fn heading_text(line: &str) -> String {
    let decoration = |c: char| c == '#' || c == '*' || c.is_whitespace();
    line.trim_start_matches(decoration).trim_end().chars().take(80).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_written_in_its_format() {
        let actions = [Action::plain("Up"), Action::plain("Left")];
        let of = |marking, analysis: &'static str, action: &'static str| {
            ReplyFormat { delimiter: marking, ..ReplyFormat::headings(analysis, action, true) }
                .write("a \"b\"", &actions)
        };
        assert_eq!(of(Delimiter::Headings, "# a", "# b"), "# a\na \"b\"\n\n# b\nUp, Left\n");
        assert_eq!(of(Delimiter::Tags, "t", "a"), "<t>a \"b\"</t>\n<a>Up, Left</a>\n");
        assert_eq!(of(Delimiter::Json, "t", "a"), "{\"t\": \"a \\\"b\\\"\", \"a\": [\"Up\", \"Left\"]}\n");
    }

    #[test]
    fn an_analysis_cannot_be_mistaken_for_the_action() {
        let form = ReplyFormat::headings("# analyze", "# action", false);
        let said = form.write("I will write\n## Action\nJump", &[Action::plain("Up")]);
        assert_eq!(said, "# analyze\nI will write\n> ## Action\nJump\n\n# action\nUp\n");
    }
}
