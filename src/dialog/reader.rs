//! The reader: from the raw text of a reply to actions, or to the first rule that failed.
//!
//! It marks which characters it took, and never repairs: what the rules do not allow is refused in
//! words. One pass over the text, so its time is linear in the length.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::Serialize;

use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::Form;
use crate::domain::nearest;

/// A named set of reading rules. The name and version are kept with every verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// The benchmark's own (`MageBench`, supplement): what follows the action heading, trimmed, is
    /// exactly an action name; list members that name no action are dropped.
    Strict,
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("strict/1")
    }
}

/// Byte ranges of a reply that the reader took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// The analysis between its heading and the action heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Range<usize>>,
    /// What was read as the action or the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Range<usize>>,
}

/// The first rule that failed, and why in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The rule's short name: `heading`, `action` or `list`.
    pub rule: String,
    /// What was found and what would have been right.
    pub why: String,
}

/// A verdict on a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The actions (exactly one unless the form is a list), or the rule that failed.
    pub verdict: Result<Vec<Action>, Failure>,
    /// Which characters were taken for what.
    pub marks: Marks,
}

/// Reads a reply by these rules.
pub fn read(rules: Rules, form: &Form, reply: &str, space: &ActionSpace) -> Reading {
    let Rules::Strict = rules;
    let Some(heading) = find_heading(reply, form.action) else {
        let why = format!("the reply has no line that begins with {:?}", form.action);
        return refused("heading", why, Marks { analysis: analysis(reply, form, reply.len()), action: None });
    };
    let body = trimmed(reply, heading.end..reply.len());
    let marks = Marks { analysis: analysis(reply, form, heading.start), action: Some(body.clone()) };
    let written = &reply[body];
    let verdict = if form.list { list(written, space) } else { single(written, space) };
    match verdict {
        Ok(actions) => Reading { verdict: Ok(actions), marks },
        Err(failure) => Reading { verdict: Err(failure), marks },
    }
}

fn refused(rule: &str, why: String, marks: Marks) -> Reading {
    Reading { verdict: Err(Failure { rule: rule.into(), why }), marks }
}

/// The first line that begins with the heading: the range of the heading itself.
fn find_heading(reply: &str, heading: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in reply.split_inclusive('\n') {
        if line.starts_with(heading) {
            return Some(start..start + heading.len());
        }
        start += line.len();
    }
    None
}

fn analysis(reply: &str, form: &Form, end: usize) -> Option<Range<usize>> {
    let heading = find_heading(reply, form.analysis)?;
    (heading.end <= end).then(|| trimmed(reply, heading.end..end))
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

fn single(written: &str, space: &ActionSpace) -> Result<Vec<Action>, Failure> {
    let why = || match written {
        "" => "nothing follows the action heading".to_owned(),
        _ => format!("{:?} is no action{}", shortened(written), hint(written, space)),
    };
    space
        .find(written)
        .map(|action| vec![action])
        .ok_or_else(|| Failure { rule: "action".into(), why: why() })
}

fn list(written: &str, space: &ActionSpace) -> Result<Vec<Action>, Failure> {
    let members = written.split(',').map(str::trim);
    let actions: Vec<Action> = members.filter_map(|member| space.find(member)).collect();
    if !actions.is_empty() {
        return Ok(actions);
    }
    let why = match written {
        "" => "nothing follows the action heading".to_owned(),
        _ => format!(
            "no member of {:?} is an action; the actions are {}, separated by commas",
            shortened(written),
            space.names().collect::<Vec<_>>().join(", "),
        ),
    };
    Err(Failure { rule: "list".into(), why })
}

fn hint(written: &str, space: &ActionSpace) -> String {
    match nearest(shortened(written), space.names()).as_slice() {
        [] => format!("; the actions are {}", space.names().collect::<Vec<_>>().join(", ")),
        near => format!("; the nearest: {}", near.join(", ")),
    }
}

/// The first 60 characters: enough to recognise, never a flood.
fn shortened(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONLINE: Form = Form { analysis: "# analyze", action: "# action", list: false };
    const GLOBAL: Form = Form { analysis: "### Analyze", action: "### Actions", list: true };

    fn space() -> ActionSpace {
        ActionSpace::of(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")])
    }

    fn online(reply: &str) -> Reading {
        read(Rules::Strict, &ONLINE, reply, &space())
    }

    #[test]
    fn what_is_written_in_the_form_is_read() {
        let reply = ONLINE.write("The box is above.", &[Action::plain("Up")]);
        let reading = online(&reply);
        assert_eq!(reading.verdict, Ok(vec![Action::plain("Up")]));
        assert_eq!(&reply[reading.marks.analysis.unwrap()], "The box is above.");
        assert_eq!(&reply[reading.marks.action.unwrap()], "Up");
    }

    #[test]
    fn a_list_drops_members_that_are_no_action() {
        let reply = "### Analyze\nx\n### Actions\nUp, Jump, Left ,down,Right\n";
        let names: Vec<_> = ["Up", "Left", "Right"].map(Action::plain).to_vec();
        assert_eq!(read(Rules::Strict, &GLOBAL, reply, &space()).verdict, Ok(names));
    }

    #[test]
    fn strict_refuses_in_words() {
        for (reply, rule, says) in [
            ("Up", "heading", "has no line"),
            ("# action\n", "action", "nothing follows"),
            ("# action\nup", "action", "the nearest: Up"),
            ("# action\nUp.", "action", "the nearest: Up"),
            ("# action\nUp, Left", "action", "is no action"),
            ("# action\nfly away", "action", "the actions are Left, Right, Up, Down"),
        ] {
            let failure = online(reply).verdict.unwrap_err();
            assert_eq!(failure.rule, rule, "{reply:?}");
            assert!(failure.why.contains(says), "{reply:?}: {}", failure.why);
        }
    }

    proptest! {
        #[test]
        fn no_reply_makes_the_reader_panic(reply in any::<String>(), tail in any::<String>()) {
            for form in [&ONLINE, &GLOBAL] {
                let reply = format!("{reply}\n{}{tail}", form.action);
                let reading = read(Rules::Strict, form, &reply, &space());
                if let Some(range) = reading.marks.action {
                    prop_assert!(reply.get(range).is_some());
                }
            }
        }
    }
}
