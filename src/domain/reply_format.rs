//! The form of a reply: how its two parts are set apart, and whether one action or a list is asked for.

use std::borrow::Cow;
use std::fmt::Write;

use super::Action;

/// What marks the analysis and the action of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// A heading on a line of its own above each.
    Headings,
    /// Each between an opening and a closing tag.
    Tags,
    /// Two keys of one JSON object.
    Json,
}

/// How a reply is laid out (`MageBench`, supplement: output formats). An agent that speaks without
/// a model writes in it; a reader reads by it; a prompt shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyFormat {
    /// What marks the two parts.
    pub delimiter: Delimiter,
    /// The heading above the free text, such as `# analyze`; or the name of its tag, or its key.
    pub analysis: Cow<'static, str>,
    /// The heading above the action or the list, such as `# action`; or the name of its tag, or its key.
    pub action: Cow<'static, str>,
    /// Whether a list is asked for, separated by commas (an array in JSON), not one action.
    pub list: bool,
}

impl ReplyFormat {
    /// The form of an environment: two headings.
    pub const fn headings(analysis: &'static str, action: &'static str, list: bool) -> Self {
        let (analysis, action) = (Cow::Borrowed(analysis), Cow::Borrowed(action));
        Self { delimiter: Delimiter::Headings, analysis, action, list }
    }

    /// A reply in this form. What in the reason could be taken for a part of the form is quoted, so that a
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

    /// The reason with `> ` before each line that begins like one of the headings.
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

    /// The reason with `‹` in place of the `<` of each of the tags.
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

/// Whether it begins with a sign that makes a heading.
fn has_heading_mark(line: &str) -> bool {
    line.trim_start().starts_with(['#', '*'])
}

/// A line or a heading without what may decorate a heading, in small letters.
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
