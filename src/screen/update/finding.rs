//! Search for marked steps. It sends no commands to a session.

use super::navigation;
use crate::command::CommandId;
use crate::model::{EpisodeView, Model};
use mageyard_engine::{Attempt, Mark, MarkSet};

/// Shows the next step with one of these marks.
pub(super) fn find(model: &mut Model, names: &str) {
    match names.parse() {
        Ok(sought) => {
            model.marks.searched = sought;
            find_next(model, 1, true);
        }
        Err(why) => model.notify(why),
    }
}

/// Shows the next or previous match, wrapping at the ends.
pub(super) fn find_next(model: &mut Model, times: u32, ahead: bool) {
    let Some(viewed) = model.episode() else { return };
    let marked = marked(viewed, model.marks.searched);
    let Some(at) = wrapped_position(&marked, viewed.index(), times, ahead) else {
        let words = no_match_message(viewed, model.marks.searched);
        return model.notify(words);
    };
    let index = marked[at];
    let count = marked.len();
    let number = viewed.snapshot.steps.get(index).map_or(0, |step| step.number);
    let again = if (index > viewed.index()) == ahead { "" } else { ", wrapped" };
    let reply = first_refused(viewed, index).filter(|_| model.marks.searched.has(Mark::ParseError));
    let titles = titles(viewed, index, reply).join(", ");
    let shows = reply.map_or_else(String::new, |_| raw_key_hint(model));
    let sought = if model.marks.searched == MarkSet::ANY {
        String::new()
    } else {
        format!(" {}", model.marks.searched)
    };
    let place = format!("{} of {count} marked{sought}{again}", at + 1);
    let words = format!("step {number}: {titles} ({place}){shows}");
    navigation::show_step(model, index);
    model.agent.shown_reply = reply;
    model.notify(words);
}

/// Index of the first reply of this step that could not be parsed.
fn first_refused(viewed: &EpisodeView, index: usize) -> Option<usize> {
    viewed.snapshot.steps.get(index)?.attempts.iter().position(Attempt::is_refused)
}

/// A hint to the key for the raw reply, unless it is shown already.
fn raw_key_hint(model: &Model) -> String {
    let key = model.key(CommandId::Raw).filter(|_| !model.agent.raw);
    key.map_or_else(String::new, |key| format!("; {key} shows the raw reply"))
}

/// Titles of the marks of this step; `reply` is the reply that could not be parsed, if that was searched.
fn titles(viewed: &EpisodeView, index: usize, reply: Option<usize>) -> Vec<String> {
    let Some(step) = viewed.snapshot.steps.get(index) else { return Vec::new() };
    let faults = &viewed.snapshot.error_analysis;
    let title = |mark: Mark| match (mark, reply) {
        (Mark::ParseError, Some(at)) => format!("parse error in reply {} of {}", at + 1, step.attempts.len()),
        (Mark::OffPath, _) => {
            let detour = viewed.snapshot.distances.detour(index);
            detour.map_or_else(|| mark.title().to_owned(), |detour| detour.describe())
        }
        _ => mark.title().to_owned(),
    };
    faults.at(index).iter().map(title).collect()
}

/// Says that no step matches, and whether that may still change.
fn no_match_message(viewed: &EpisodeView, sought: MarkSet) -> String {
    let words = format!("no step has {}", marks_phrase(sought));
    if sought == MarkSet::ANY || !sought.has(Mark::OffPath) {
        return words;
    }
    viewed.distance_caveat().map_or(words.clone(), |doubt| format!("{words}; {doubt}"))
}

fn marks_phrase(sought: MarkSet) -> String {
    if sought == MarkSet::ANY { "a mark".to_owned() } else { format!("the mark {sought}") }
}

/// Indices of the steps with one of these marks.
fn marked(viewed: &EpisodeView, sought: MarkSet) -> Vec<usize> {
    let marks = viewed.snapshot.error_analysis.marks().iter().enumerate();
    marks.filter(|(_, marks)| marks.intersects(sought)).map(|(index, _)| index).collect()
}

/// Position in `marked` (ascending) of the match `times` further, wrapping; `None` if there is none.
fn wrapped_position(marked: &[usize], from: usize, times: u32, ahead: bool) -> Option<usize> {
    let count = marked.len();
    let more = usize::try_from(times.max(1) - 1).ok()?.checked_rem(count)?;
    let first = if ahead {
        marked.iter().position(|index| *index > from).unwrap_or(0)
    } else {
        marked.iter().rposition(|index| *index < from).unwrap_or(count - 1)
    };
    Some(if ahead { first + more } else { first + count - more } % count)
}

/// Switches the filmstrip between matching steps and all steps.
pub(super) fn toggle_only_marked(model: &mut Model) {
    model.marks.only = !model.marks.only;
    let Some(viewed) = model.episode() else { return };
    let words = match model.marks.only {
        false => "all steps are shown".to_owned(),
        true if marked(viewed, model.marks.searched).is_empty() => {
            no_match_message(viewed, model.marks.searched)
        }
        true => {
            format!(
                "only steps with {} are shown; :marked selects other marks",
                marks_phrase(model.marks.searched)
            )
        }
    };
    model.notify(words);
}
