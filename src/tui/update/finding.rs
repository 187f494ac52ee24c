//! Finding: from one marked step to the next. Nothing here reaches a session.

use super::looking;
use crate::engine::Attempt;
use crate::engine::Mark;
use crate::engine::Marked;
use crate::engine::Off;
use crate::tui::command::Deed;
use crate::tui::model::Model;
use crate::tui::model::Viewed;

/// Looks for steps with one of these marks, from the step that is looked at on.
pub(super) fn find(model: &mut Model, names: &str) {
    match names.parse() {
        Ok(sought) => {
            model.sought = sought;
            go_on(model, 1, true);
        }
        Err(why) => model.remark(why),
    }
}

/// The next such step, or the one before, so many times. After the last comes the first again.
pub(super) fn go_on(model: &mut Model, times: u32, ahead: bool) {
    let Some(viewed) = model.viewed() else { return };
    let marked = marked(viewed, model.sought);
    let Some(at) = turned(&marked, viewed.index(), times, ahead) else {
        let words = none(viewed, model.sought);
        return model.remark(words);
    };
    let (index, count) = (marked[at], marked.len());
    let number = viewed.snapshot.steps.get(index).map_or(0, |step| step.number);
    let again = if (index > viewed.index()) == ahead { "" } else { ", round the end" };
    let reply = refused(viewed, index).filter(|_| model.sought.has(Mark::Unread));
    let titles = titles(viewed, index, reply).join(", ");
    let shows = reply.map_or_else(String::new, |_| raw(model));
    let sought = if model.sought == Marked::ANY { String::new() } else { format!(" {}", model.sought) };
    let place = format!("{} of {count} marked{sought}{again}", at + 1);
    let words = format!("step {number}: {titles} ({place}){shows}");
    looking::look_at(model, index);
    model.reply = reply;
    model.remark(words);
}

/// The first reply of the step at this index that could not be read, from 0.
fn refused(viewed: &Viewed, index: usize) -> Option<usize> {
    viewed.snapshot.steps.get(index)?.attempts.iter().position(Attempt::is_refused)
}

/// The key that shows a reply as it was said, as the end of a sentence, unless it is shown so.
fn raw(model: &Model) -> String {
    let key = model.look.keys.keys(Deed::Raw).into_iter().next().filter(|_| !model.raw);
    key.map_or_else(String::new, |key| format!("; {key} shows it raw"))
}

/// What the marks of the step at this index are called, with the reply that could not be read, if that was
/// looked for.
fn titles(viewed: &Viewed, index: usize, reply: Option<usize>) -> Vec<String> {
    let Some(step) = viewed.snapshot.steps.get(index) else { return Vec::new() };
    let faults = &viewed.snapshot.faults;
    let title = |mark: Mark| match (mark, reply) {
        (Mark::Unread, Some(at)) => format!("parse error in reply {} of {}", at + 1, step.attempts.len()),
        (Mark::Off, _) => {
            let off = faults.off.iter().find(|off| off.step == step.number);
            off.map_or_else(|| mark.title().to_owned(), Off::words)
        }
        _ => mark.title().to_owned(),
    };
    faults.at(index).iter().map(title).collect()
}

/// That no step has what is looked for, and whether that is the last word on it.
fn none(viewed: &Viewed, sought: Marked) -> String {
    let words = format!("no step has {}", what(sought));
    if sought == Marked::ANY || !sought.has(Mark::Off) {
        return words;
    }
    viewed.doubt().map_or(words.clone(), |doubt| format!("{words}; {doubt}"))
}

fn what(sought: Marked) -> String {
    if sought == Marked::ANY { "a mark".to_owned() } else { format!("the mark {sought}") }
}

/// The indices of the steps with one of these marks.
fn marked(viewed: &Viewed, sought: Marked) -> Vec<usize> {
    let marks = viewed.snapshot.faults.marks.iter().enumerate();
    marks.filter(|(_, marks)| marks.meets(sought)).map(|(index, _)| index).collect()
}

/// Which of these indices, in ascending order, lies so many further on, or back; `None` when there is none.
fn turned(marked: &[usize], from: usize, times: u32, ahead: bool) -> Option<usize> {
    let count = marked.len();
    let more = usize::try_from(times.max(1) - 1).ok()?.checked_rem(count)?;
    let first = if ahead {
        marked.iter().position(|index| *index > from).unwrap_or(0)
    } else {
        marked.iter().rposition(|index| *index < from).unwrap_or(count - 1)
    };
    Some(if ahead { first + more } else { first + count - more } % count)
}

/// The filmstrip shows only steps with these marks, or all of them again.
pub(super) fn turn_only(model: &mut Model) {
    model.only = !model.only;
    let Some(viewed) = model.viewed() else { return };
    let words = match model.only {
        false => "every step is shown".to_owned(),
        true if marked(viewed, model.sought).is_empty() => none(viewed, model.sought),
        true => format!("only steps with {} are shown; :find chooses another", what(model.sought)),
    };
    model.remark(words);
}
