//! A reply whose parts stand below headings.

use std::ops::Range;

use super::Failure;
use super::Liberty;
use super::Marks;
use super::fence;
use super::trimmed;
use crate::dialog::rules::Headings;
use crate::dialog::rules::Rules;
use crate::domain::Form;

/// A heading that was found.
struct Heading {
    at: Range<usize>,
    exact: bool,
}

/// What follows the action heading.
pub(super) fn locate(
    rules: &Rules,
    ways: &Headings,
    form: &Form,
    reply: &str,
    marks: &mut Marks,
) -> Result<Range<usize>, Failure> {
    let whole = trimmed(reply, 0..reply.len());
    let inner = if rules.tolerate.fence { fence::around(reply, whole.clone()) } else { whole.clone() };
    if inner != whole {
        marks.take(Liberty::Fence);
    }
    let text = if inner == whole { 0..reply.len() } else { inner };
    let action = find(reply, &text, &form.action, ways, ways.last);
    let end = action.as_ref().map_or(text.end, |heading| heading.at.start);
    let analysis = find(reply, &text, &form.analysis, ways, false).filter(|heading| heading.at.end <= end);
    marks.analysis = analysis.as_ref().map(|heading| trimmed(reply, heading.at.end..end));
    let Some(action) = action else {
        return Err(Failure::missing(
            "heading",
            format!("the reply has no line that begins with {:?}", form.action),
        ));
    };
    if !action.exact || analysis.is_some_and(|heading| !heading.exact) {
        marks.take(Liberty::Heading);
    }
    Ok(trimmed(reply, action.at.end..text.end))
}

/// The first line that begins with the heading, or the last one; an exact one before one that is only alike.
fn find(reply: &str, text: &Range<usize>, heading: &str, ways: &Headings, last: bool) -> Option<Heading> {
    let (mut exact, mut alike) = (None, None);
    let mut start = text.start;
    for line in reply[text.clone()].split_inclusive('\n') {
        let is_exact = line.starts_with(heading);
        let length = if is_exact { Some(heading.len()) } else { decorated(line, heading, ways) };
        let slot = if is_exact { &mut exact } else { &mut alike };
        if let Some(length) = length.filter(|_| last || slot.is_none()) {
            *slot = Some(Heading { at: start..start + length, exact: is_exact });
        }
        start += line.len();
    }
    exact.or(alike)
}

/// How many bytes of the line are the heading, told by other signs than its own.
fn decorated(line: &str, heading: &str, ways: &Headings) -> Option<usize> {
    if !(ways.any_level || ways.bold || ways.capitals) {
        return None;
    }
    let word = heading.trim_start_matches('#').trim_matches([' ', ':']);
    let own = level(heading);
    let rest = line.trim_start_matches([' ', '\t']);
    let found = level(rest);
    let rest = rest[found..].trim_start_matches([' ', '\t']);
    let (bold, rest) = match rest.strip_prefix("**").filter(|_| ways.bold) {
        Some(rest) => (true, rest.trim_start_matches(' ')),
        None => (false, rest),
    };
    let marked = found == own || ways.any_level && (1..=6).contains(&found) || bold && found == 0;
    let rest = without(rest, word, ways.capitals).filter(|_| marked)?;
    let (closed, rest) = closing(rest, bold);
    (closed || rest.trim().is_empty()).then(|| line.len() - rest.len())
}

fn level(line: &str) -> usize {
    line.len() - line.trim_start_matches('#').len()
}

fn without<'a>(text: &'a str, word: &str, capitals: bool) -> Option<&'a str> {
    if !capitals {
        return text.strip_prefix(word);
    }
    let mut rest = text.chars();
    let same = |wanted: char, c: char| wanted == c || wanted.to_lowercase().eq(c.to_lowercase());
    word.chars().all(|wanted| rest.next().is_some_and(|c| same(wanted, c))).then_some(rest.as_str())
}

/// What follows the end of a bold word and a colon, and whether there was either.
fn closing(text: &str, bold: bool) -> (bool, &str) {
    let stars = |text: &'_ str| if bold { text.strip_prefix("**").map(str::len) } else { None };
    let after = |text: &str, left: Option<usize>| text.len() - left.unwrap_or(text.len());
    let mut at = after(text, stars(text));
    at += usize::from(text[at..].starts_with(':'));
    at += after(&text[at..], stars(&text[at..]).filter(|_| at < 2));
    (at > 0, &text[at..])
}
