//! Finding: from one marked step to the next. Nothing here reaches a session.

use super::looking;
use crate::engine::Mark;
use crate::engine::Marked;
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
        let what = what(model.sought);
        return model.remark(format!("no step has {what}"));
    };
    let (index, count) = (marked[at], marked.len());
    let number = viewed.snapshot.steps.get(index).map_or(0, |step| step.number);
    let marks: Marked = viewed.snapshot.faults.at(index);
    let again = if (index > viewed.index()) == ahead { "" } else { ", round the end" };
    let titles = marks.iter().map(Mark::title).collect::<Vec<_>>().join(", ");
    let words = format!("step {number}: {titles} ({} of {count} with {}{again})", at + 1, what(model.sought));
    looking::look_at(model, index);
    model.remark(words);
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
    let found = model.viewed().map_or(0, |viewed| marked(viewed, model.sought).len());
    let what = what(model.sought);
    model.remark(match model.only {
        false => "every step is shown".to_owned(),
        true if found == 0 => format!("no step has {what}"),
        true => format!("only steps with {what} are shown; :find chooses another"),
    });
}
