//! A reply whose parts stand in tags, the analysis first.

use std::ops::Range;

use super::Failure;
use super::Liberty;
use super::Marks;
use super::shortened;
use super::trimmed;
use crate::dialog::rules::Tags;
use crate::domain::Form;

/// What stands in the action's tag.
pub(super) fn locate(
    ways: &Tags,
    form: &Form,
    reply: &str,
    marks: &mut Marks,
) -> Result<Range<usize>, Failure> {
    let mut at = 0;
    if let Some(open) = next(reply, at, &form.analysis, ways.outside) {
        note_outside(reply, at..open.start, marks);
        let (inner, end) = inside(reply, open, &form.analysis)?;
        marks.analysis = Some(inner);
        at = end;
    }
    let Some(open) = next(reply, at, &form.action, ways.outside) else {
        return Err(no_tag(reply, at, form));
    };
    note_outside(reply, at..open.start, marks);
    let (inner, end) = inside(reply, open, &form.action)?;
    marks.action = Some(inner.clone());
    let rest = trimmed(reply, end..reply.len());
    if !rest.is_empty() && !ways.outside {
        let why = format!("text follows </{}>: {:?}", form.action, shortened(&reply[rest.clone()]));
        return Err(Failure::at("outside", why, rest));
    }
    note_outside(reply, end..reply.len(), marks);
    Ok(inner)
}

/// The opening tag: the next thing there is, or anywhere behind where text may stand outside.
fn next(reply: &str, at: usize, tag: &str, anywhere: bool) -> Option<Range<usize>> {
    let tag = format!("<{tag}>");
    let start = trimmed(reply, at..reply.len()).start;
    let start = if anywhere { start + reply[start..].find(&tag)? } else { start };
    reply[start..].starts_with(&tag).then(|| start..start + tag.len())
}

/// What stands between this opening tag and the next closing one, and where that ends.
fn inside(reply: &str, open: Range<usize>, tag: &str) -> Result<(Range<usize>, usize), Failure> {
    let close = format!("</{tag}>");
    match reply[open.end..].find(&close) {
        Some(length) => {
            let end = open.end + length;
            Ok((trimmed(reply, open.end..end), end + close.len()))
        }
        None => Err(Failure::at("tag", format!("<{tag}> is never closed by {close}"), open)),
    }
}

fn no_tag(reply: &str, at: usize, form: &Form) -> Failure {
    let rest = trimmed(reply, at..reply.len());
    let place = if at > 0 { format!(" after </{}>", form.analysis) } else { String::new() };
    let wanted = format!("<{}> is wanted{place}", form.action);
    if rest.is_empty() {
        return Failure::missing("tag", format!("{wanted}, and nothing comes"));
    }
    let found = shortened(&reply[rest.clone()]);
    Failure::at("tag", format!("{wanted}, not {found:?}"), rest.start..rest.start + found.len())
}

fn note_outside(reply: &str, range: Range<usize>, marks: &mut Marks) {
    if !reply[range].trim().is_empty() {
        marks.take(Liberty::Outside);
    }
}
