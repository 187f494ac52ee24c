//! From the stretch that should name actions to the actions.

use std::ops::Range;

use super::Failure;
use super::Liberty;
use super::Marks;
use super::Member;
use super::fence;
use super::shortened;
use super::trimmed;
use crate::dialog::rules::Tolerance;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::nearest;

/// Dropped members that are marked; a reply may hold any number of them.
const MARKED: usize = 20;

/// The members of a stretch of the reply: itself, or what commas part.
pub(super) fn members<'a>(
    tolerate: &Tolerance,
    list: bool,
    reply: &'a str,
    body: Range<usize>,
    marks: &mut Marks,
) -> Result<Vec<Member<'a>>, Failure> {
    let inner = if tolerate.fence { fence::inside(reply, &body)? } else { None };
    if inner.is_some() {
        marks.take(Liberty::Fence);
    }
    let body = inner.unwrap_or(body);
    marks.action = Some(body.clone());
    let member = |at: Range<usize>| Member { text: reply[at.clone()].into(), at };
    if !list {
        return Ok(vec![member(body)]);
    }
    let parts = |c: char| c == ',' || tolerate.lines && c == '\n';
    let mut at = body.start;
    let mut members = Vec::new();
    for part in reply[body.clone()].split(parts) {
        members.push(member(trimmed(reply, at..at + part.len())));
        at += part.len() + 1;
    }
    let by_lines = tolerate.lines && members.len() > 1 && reply[body].contains('\n');
    if by_lines {
        marks.take(Liberty::Lines);
        members.retain(|member| !member.text.is_empty());
    }
    Ok(members)
}

/// The actions that these members name.
pub(super) fn judge(
    tolerate: &Tolerance,
    list: bool,
    members: &[Member<'_>],
    space: &ActionSpace,
    marks: &mut Marks,
) -> Result<Vec<Action>, Failure> {
    let eye = Eye { tolerate, space, lower: space.names().map(str::to_lowercase).collect() };
    let rule = if list { "list" } else { "action" };
    let mut actions = Vec::with_capacity(members.len());
    for member in members {
        match eye.find(&member.text, marks) {
            Some(action) => actions.push(action),
            None if list && tolerate.unknown => drop_member(member, marks),
            None => return Err(eye.refuse(rule, member)),
        }
    }
    match (actions.is_empty(), members) {
        (false, _) => Ok(actions),
        (true, []) => Err(Failure::missing(rule, "the list holds no action".into())),
        (true, [one]) => Err(eye.refuse(rule, one)),
        (true, [first, .., end]) => {
            let why = format!("none of the {} members of the list is an action", members.len());
            let refused = eye.refuse(rule, first);
            Err(Failure { why, at: Some(first.at.start..end.at.end), ..refused })
        }
    }
}

fn drop_member(member: &Member<'_>, marks: &mut Marks) {
    if !member.text.is_empty() && marks.dropped.len() < MARKED {
        marks.dropped.push(member.at.clone());
    }
}

/// Sees an action in a text, as far as the rules let it.
struct Eye<'a> {
    tolerate: &'a Tolerance,
    space: &'a ActionSpace,
    lower: Vec<String>,
}

impl Eye<'_> {
    fn find(&self, written: &str, marks: &mut Marks) -> Option<Action> {
        let written = written.trim();
        if let Some(action) = self.space.find(written) {
            return Some(action);
        }
        let mut liberties = Vec::new();
        let bare = self.bare(written, &mut liberties);
        let action = self.space.find(bare).or_else(|| {
            liberties.push(Liberty::Capitals);
            self.in_any_capitals(bare)
        });
        if action.is_some() {
            for liberty in liberties {
                marks.take(liberty);
            }
        }
        action
    }

    /// The text without what the rules let stand around an action.
    fn bare<'t>(&self, text: &'t str, liberties: &mut Vec<Liberty>) -> &'t str {
        let mut rest = text;
        while let Some((inner, liberty)) = self.peeled(rest) {
            if !liberties.contains(&liberty) {
                liberties.push(liberty);
            }
            rest = inner.trim();
        }
        rest
    }

    fn peeled<'t>(&self, text: &'t str) -> Option<(&'t str, Liberty)> {
        let marker = || without_marker(text).map(|rest| (rest, Liberty::Marker));
        let ending = || {
            let rest = text.strip_suffix(|c| self.tolerate.ending.contains(c))?;
            Some((rest, Liberty::Ending))
        };
        let around = || {
            let inner = |pair: &String| {
                let mut ends = pair.chars();
                text.strip_prefix(ends.next()?)?.strip_suffix(ends.next()?)
            };
            self.tolerate.around.iter().find_map(inner).map(|inner| (inner, Liberty::Around))
        };
        Some(()).filter(|()| self.tolerate.markers).and_then(|()| marker()).or_else(around).or_else(ending)
    }

    /// The one action of this name in whatever capitals; `None` also when there are two.
    fn in_any_capitals(&self, name: &str) -> Option<Action> {
        let longest = self.lower.iter().map(String::len).max().unwrap_or(0);
        // A longer text is none of them, and need not be copied.
        let name = Some(name).filter(|name| self.tolerate.capitals && name.len() <= 4 * longest)?;
        let name = name.to_lowercase();
        let mut meant = self.lower.iter().zip(self.space.verbs()).filter(|(lower, _)| **lower == name);
        match (meant.next(), meant.next()) {
            (Some((_, verb)), None) => Some(Action::plain(verb.name.clone())),
            _ => None,
        }
    }

    fn refuse(&self, rule: &str, member: &Member<'_>) -> Failure {
        let text = member.text.trim();
        if text.is_empty() {
            return Failure::at(rule, "nothing stands where an action is wanted".into(), member.at.clone());
        }
        let several = text.split([',', '\n']).filter(|part| self.space.find(part.trim()).is_some()).count();
        let why = match several {
            0 | 1 => format!("{:?} is no action", shortened(text)),
            several => format!("{:?} names {several} actions, and one is wanted", shortened(text)),
        };
        let near = nearest(shortened(text), self.space.names()).into_iter().map(str::to_owned).collect();
        Failure { near, ..Failure::at(rule, why, member.at.clone()) }
    }
}

/// What follows `- `, `* `, `+ `, `1. ` or `1) `.
fn without_marker(text: &str) -> Option<&str> {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => text.strip_prefix(['-', '*', '+', '•'])?,
        digits => text[digits..].strip_prefix(['.', ')'])?,
    };
    rest.strip_prefix([' ', '\t'])
}
