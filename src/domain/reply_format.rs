//! Reply formats: how analysis and action are delimited, and whether one action or a list is expected.

use std::borrow::Cow;
use std::fmt::Write;

use super::{Action, ActionKeys, ActionSpace, AnswerShape, Arg};

/// What delimits the analysis and the action of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// A heading on its own line above each part.
    Headings,
    /// An opening and a closing tag around each part.
    Tags,
    /// Two keys of one JSON object.
    Json,
    /// Nothing: the complete reply is read for actions, and the analysis is the text before the first one.
    Whole,
    /// A word before the answer, such as `Answer:`; the analysis is the text before it. An answer has the form of its
    /// [`AnswerShape`].
    Answer,
    /// The keys of one JSON object: the analysis, the name of the action, its arguments by [`ActionKeys`], and a remark
    /// (`WebCanvas`).
    Keys,
    /// A fenced block: the first one of the reply is the action, and the analysis is the text before it (`AgentStudio`).
    Cell,
}

/// How an action with its arguments is written in a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// As text: `Left`, or `click(at=(120, 40))`. In a JSON object, an action with arguments is an object too.
    #[default]
    Call,
    /// As a JSON object: `{"name": "click", "args": {"at": [120, 40]}}`.
    Json,
    /// As code blocks, each with the label of a parameter for code ([`ActionSpace::code_label`]); no two parameters of
    /// the action space have the same label. Blocks of one action follow each other, and a later block replaces an earlier
    /// one with the same label. Other arguments and actions are written as text on a line of their own, before the blocks. In a JSON
    /// object the same as [`Notation::Json`].
    CodeBlocks,
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
    /// How an action is written.
    pub notation: Notation,
    /// The keys of arguments, where [`Delimiter::Keys`] are used.
    pub keys: ActionKeys,
}

impl ReplyFormat {
    /// A format with two headings.
    pub const fn headings(analysis: &'static str, action: &'static str, list: bool) -> Self {
        let analysis = Cow::Borrowed(analysis);
        let action = Cow::Borrowed(action);
        let notation = Notation::Call;
        Self { delimiter: Delimiter::Headings, analysis, action, list, notation, keys: ActionKeys::WEB }
    }

    /// A format without headings: the code blocks of the complete reply.
    pub const fn whole_blocks(list: bool) -> Self {
        let analysis = Cow::Borrowed("");
        let action = Cow::Borrowed("");
        let notation = Notation::CodeBlocks;
        Self { delimiter: Delimiter::Whole, analysis, action, list, notation, keys: ActionKeys::WEB }
    }

    /// A format of free text with an answer at its end. The heading of the analysis is for readers that need one.
    pub fn answer() -> Self {
        Self { delimiter: Delimiter::Answer, ..Self::headings("Analysis:", "Answer:", false) }
    }

    /// The format with this notation.
    #[must_use]
    pub fn with_notation(self, notation: Notation) -> Self {
        Self { notation, ..self }
    }

    /// Whether these delimiters are a tag of the format.
    pub fn has_tag(&self, open: &str, close: &str) -> bool {
        let is_tag = |name: &str| {
            let names = |tag: &str, begin| {
                tag.strip_prefix(begin).and_then(|rest| rest.strip_suffix('>')) == Some(name)
            };
            names(open, "<") || names(close, "</")
        };
        self.delimiter == Delimiter::Tags && (is_tag(&self.analysis) || is_tag(&self.action))
    }

    /// Writes a reply in this format. Text of the analysis that looks like a delimiter is quoted, so that a
    /// reader always finds these actions. `space` has the labels of code blocks.
    pub fn write(&self, reason: &str, actions: &[Action], space: &ActionSpace) -> String {
        let Self { analysis, action, .. } = self;
        let body = self.body(actions, space);
        match self.delimiter {
            Delimiter::Whole => format!("{}\n\n{body}\n", self.quote_blocks(reason, space)),
            Delimiter::Headings => {
                let reason = self.quote_headings(&self.quote_action(&self.quote_blocks(reason, space)));
                format!("{analysis}\n{reason}\n\n{action}\n{body}\n")
            }
            Delimiter::Tags => {
                let reason = self.escape_tags(reason);
                format!("<{analysis}>{reason}</{analysis}>\n<{action}>{body}</{action}>\n")
            }
            Delimiter::Json => self.json_object(reason, actions),
            Delimiter::Keys => self.keys.object(self, reason, actions, space),
            Delimiter::Cell => {
                let reason = reason.replace("```", "'''");
                format!("{reason}\n\n{}\n", self.cell(&body, actions, space))
            }
            Delimiter::Answer => {
                let reason = self.quote_answer(&self.quote_blocks(reason, space));
                format!("{reason}\n\n{action}{}\n", self.answer_body(actions, space))
            }
        }
    }

    /// The block of a cell: code as it is, anything else in a fence.
    fn cell(&self, body: &str, actions: &[Action], space: &ActionSpace) -> String {
        let program = space.only_program().filter(|_| self.notation == Notation::CodeBlocks);
        let (label, code) = match (program, actions) {
            (Some((spec, _)), [action]) if action.name == spec.name => {
                labelled_code(action, space).first().copied().unwrap_or_default()
            }
            _ => ("", body.trim_end()),
        };
        let fence = fence_for(code);
        format!("{fence}{label}\n{code}\n{fence}")
    }

    /// What follows the word of the answer: the answer in its form, or the body in another notation.
    fn answer_body(&self, actions: &[Action], space: &ActionSpace) -> String {
        let body = match (self.notation, actions) {
            (Notation::CodeBlocks, _) => format!("\n{}", self.body(actions, space)),
            (Notation::Call, [answer]) if !self.list => AnswerShape::of(space).write(answer, space),
            (Notation::Call | Notation::Json, _) => self.body(actions, space),
        };
        if body.starts_with('\n') { body } else { format!(" {body}") }
    }

    /// The analysis with `;` in place of the colon of each word of an answer, in any capitals.
    fn quote_answer(&self, reason: &str) -> String {
        let word = self.action.as_bytes();
        let mut safe = reason.to_owned();
        while let Some(at) =
            safe.as_bytes().windows(word.len().max(1)).position(|part| part.eq_ignore_ascii_case(word))
        {
            let colon = at + word.len() - 1;
            safe.replace_range(colon..=colon, ";");
        }
        safe
    }

    /// The actions in the notation. A closing tag within a string is escaped.
    fn body(&self, actions: &[Action], space: &ActionSpace) -> String {
        let close = format!("</{}>", self.action);
        let written =
            |texts: Vec<String>| texts.join(", ").replace(&close, &format!("\\u003c{}", &close[1..]));
        match self.notation {
            Notation::CodeBlocks => code_blocks(actions, space),
            Notation::Call => written(actions.iter().map(Action::to_string).collect()),
            Notation::Json => {
                let objects = written(actions.iter().map(json_action).collect());
                if self.list { format!("[{objects}]") } else { objects }
            }
        }
    }

    /// The analysis without the action heading, which may be anywhere in a line.
    fn quote_action(&self, reason: &str) -> String {
        reason.replace(&*self.action, &self.action.replacen(' ', "_", 1))
    }

    /// Where actions are code blocks, the analysis without code fences.
    fn quote_blocks<'a>(&self, reason: &'a str, space: &ActionSpace) -> Cow<'a, str> {
        if self.notation != Notation::CodeBlocks {
            return reason.into();
        }
        let quoted = reason.replace("```", "'''").replace("~~~", "'''");
        if self.action.is_empty() {
            // A line that is an action would be read as one.
            let is_action = |line: &str| space.read_without_code(line.trim()).is_ok();
            let quote = |line| [if is_action(line) { "> " } else { "" }, line];
            return quoted.split_inclusive('\n').flat_map(quote).collect();
        }
        quoted.into()
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

    fn json_object(&self, reason: &str, actions: &[Action]) -> String {
        let bare = |action: &Action| self.notation == Notation::Call && action.args.is_empty();
        let value =
            |action: &Action| if bare(action) { json_text(&action.name) } else { json_action(action) };
        let mut value = actions.iter().map(value).collect::<Vec<_>>().join(", ");
        if self.list {
            value = format!("[{value}]");
        }
        let mut object = String::from("{");
        let analysis = json_text(&self.analysis);
        let action = json_text(&self.action);
        // Writing to a string does not fail.
        let _ = writeln!(object, "{analysis}: {}, {action}: {value}}}", json_text(reason));
        object
    }
}

pub(super) fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// An action as a JSON object. Code is a plain string: the parameter says what it is.
pub(super) fn json_action(action: &Action) -> String {
    let value = |arg: &Arg| match arg {
        Arg::Point { x, y } => format!("[{x}, {y}]"),
        arg => arg.to_string(),
    };
    let args: Vec<String> =
        action.args.iter().map(|(name, arg)| format!("{}: {}", json_text(name), value(arg))).collect();
    match args.as_slice() {
        [] => format!("{{\"name\": {}}}", json_text(&action.name)),
        args => format!("{{\"name\": {}, \"args\": {{{}}}}}", json_text(&action.name), args.join(", ")),
    }
}

/// Actions as code blocks. A line with the name and the other arguments comes first where there are any, where the
/// action has no code, and where its blocks would replace those of the action before.
fn code_blocks(actions: &[Action], space: &ActionSpace) -> String {
    let mut text = String::new();
    let mut previous = None;
    for action in actions {
        let is_code = |arg: &Arg| matches!(arg, Arg::Code(_));
        let mut rest = action.clone();
        rest.args.retain(|_, arg| !is_code(arg));
        let same = previous.replace(&action.name) == Some(&action.name);
        if same || !rest.args.is_empty() || !action.args.values().any(is_code) {
            let _ = write!(text, "\n{}", unchanged_code(action, actions, space).unwrap_or(rest.to_string()));
        }
        for (label, code) in labelled_code(action, space) {
            let fence = fence_for(code);
            let _ = write!(text, "\n{fence}{label}\n{code}\n{fence}");
        }
    }
    text.push('\n');
    text.strip_prefix('\n').unwrap_or(&text).to_owned()
}

/// The sentences that say of each code that it does not change, where the only action is one that could write code and
/// writes none.
fn unchanged_code(action: &Action, actions: &[Action], space: &ActionSpace) -> Option<String> {
    let spec = space.spec(&action.name).filter(|spec| actions.len() == 1 && !spec.params.is_empty())?;
    if !action.args.is_empty() || spec.params.iter().any(|param| param.required || !param.kind.is_code()) {
        return None;
    }
    let labels = spec.params.iter().map(|param| space.code_label(param));
    let sentences = labels.map(|label| format!("*The {label} does not need to be changed.*"));
    Some(sentences.collect::<Vec<_>>().join("\n"))
}

/// The code of an action with its labels, in the order of its parameters.
fn labelled_code<'a>(action: &'a Action, space: &'a ActionSpace) -> Vec<(&'a str, &'a str)> {
    let params = space.spec(&action.name).map_or(&[][..], |spec| &spec.params);
    let place = |name: &str| params.iter().position(|param| param.name == name);
    let mut args: Vec<_> = action.args.iter().collect();
    args.sort_by_key(|(name, _)| place(name));
    let labelled = args.into_iter().filter_map(|(name, arg)| {
        let label = params.iter().find(|param| param.name == *name).map(|param| space.code_label(param));
        Some((label.unwrap_or(name), if let Arg::Code(code) = arg { code.as_str() } else { return None }))
    });
    labelled.collect()
}

/// A code fence that is longer than every row of backticks at the beginning of a line.
fn fence_for(code: &str) -> String {
    let row = |line: &str| line.trim_start().bytes().take_while(|byte| *byte == b'`').count();
    "`".repeat(code.lines().map(row).max().unwrap_or(0).max(2) + 1)
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
            ReplyFormat { delimiter: marking, ..ReplyFormat::headings(analysis, action, true) }.write(
                "a \"b\"",
                &actions,
                &ActionSpace::new(&[]),
            )
        };
        assert_eq!(of(Delimiter::Headings, "# a", "# b"), "# a\na \"b\"\n\n# b\nUp, Left\n");
        assert_eq!(of(Delimiter::Tags, "t", "a"), "<t>a \"b\"</t>\n<a>Up, Left</a>\n");
        assert_eq!(of(Delimiter::Json, "t", "a"), "{\"t\": \"a \\\"b\\\"\", \"a\": [\"Up\", \"Left\"]}\n");
    }

    #[test]
    fn an_analysis_cannot_be_mistaken_for_the_action() {
        let form = ReplyFormat::headings("# analyze", "# action", false);
        let said =
            form.write("I will write\n## Action\nJump", &[Action::plain("Up")], &ActionSpace::new(&[]));
        assert_eq!(said, "# analyze\nI will write\n> ## Action\nJump\n\n# action\nUp\n");
        let said = form.write("I name # action here", &[Action::plain("Up")], &ActionSpace::new(&[]));
        assert_eq!(said, "# analyze\nI name #_action here\n\n# action\nUp\n");
    }
}
