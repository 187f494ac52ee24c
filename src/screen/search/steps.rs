//! Which steps of an episode have a text, whatever is drawn of them.

use std::borrow::Cow;

use super::query::Query;
use crate::model::EpisodeView;
use crate::pane::Pane;
use mageyard_engine::{Attempt, StepAnnotations};

/// Characters of a line before and after what was found.
const AROUND: usize = 40;

/// The texts of a step that a pane is about, each with its name: of the frame the observation; of the agent replies,
/// action, remark, tags and comments; of the filmstrip all of them. Other panes have no text of a single step.
fn texts(viewed: &EpisodeView, index: usize, pane: Pane) -> Vec<(&'static str, Cow<'_, str>)> {
    let Some(step) = viewed.snapshot.steps.get(index) else { return Vec::new() };
    match pane {
        Pane::Frame => vec![("frame", Cow::Owned(step.observation.text().to_string()))],
        Pane::Memory | Pane::Score => Vec::new(),
        Pane::Steps => [texts(viewed, index, Pane::Agent), texts(viewed, index, Pane::Frame)].concat(),
        Pane::Agent => {
            let replies =
                step.attempts.iter().map(|attempt| ("reply", Cow::Borrowed(attempt.reply.as_ref())));
            let thoughts = step.attempts.iter().map(|attempt| ("thoughts", Attempt::thinking(attempt)));
            let action = step.action.iter().map(|action| ("action", Cow::Owned(action.label())));
            let note = step.effect.iter().filter_map(|effect| effect.note.as_deref());
            let own = viewed.annotations_at(index).into_iter();
            let tags =
                own.clone().flat_map(StepAnnotations::tag_names).map(|name| ("tag", Cow::Borrowed(name)));
            let comments = own.flat_map(|own| &own.comments);
            let comments = comments.map(|comment| ("comment", Cow::Borrowed(comment.text.as_str())));
            let notes = note.map(|note| ("remark", Cow::Borrowed(note)));
            tags.chain(comments).chain(thoughts).chain(replies).chain(action).chain(notes).collect()
        }
    }
}

/// The indices of the steps that have the text.
pub(crate) fn steps_with<'a>(
    viewed: &'a EpisodeView,
    pane: Pane,
    query: &'a Query,
) -> impl Iterator<Item = usize> + 'a {
    let has = move |index: &usize| texts(viewed, *index, pane).iter().any(|(_, text)| query.is_in(text));
    (0..viewed.snapshot.steps.len()).filter(has)
}

/// Each text of the episode that has the query: the index of the step, the name of the text, and the part around the
/// first place.
pub(crate) fn lines_with<'a>(
    viewed: &'a EpisodeView,
    pane: Pane,
    query: &'a Query,
) -> impl Iterator<Item = (usize, &'static str, String)> + 'a {
    (0..viewed.snapshot.steps.len()).flat_map(move |index| {
        let found = texts(viewed, index, pane).into_iter().filter_map(move |(name, text)| {
            let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let at = query.position(&query.comparable(&spaced))?;
            Some((index, name, part_around(&spaced, at, query, AROUND)))
        });
        found.collect::<Vec<_>>()
    })
}

/// The first part of a text that has the query, with so many characters around it.
pub(crate) fn excerpt(text: &str, query: &Query, around: usize) -> Option<String> {
    let at = query.position(&query.comparable(text))?;
    Some(part_around(text, at, query, around))
}

/// The first text of a step in this pane that has the query, as [`excerpt`] has it.
pub(crate) fn step_excerpt(
    viewed: &EpisodeView,
    index: usize,
    pane: Pane,
    query: &Query,
    around: usize,
) -> Option<String> {
    let mut texts = texts(viewed, index, pane).into_iter();
    texts.find_map(|(_, text)| {
        let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
        excerpt(&spaced, query, around)
    })
}

/// The part of a text around this byte of it, as it is compared, with an ellipsis at each cut end.
fn part_around(text: &str, at: usize, query: &Query, around: usize) -> String {
    let from = text.get(..at).map_or(0, |before| before.chars().count());
    let length = query.letters().len();
    let start = from.saturating_sub(around);
    let part: String = text.chars().skip(start).take(from - start + length + around).collect();
    let is_end = text.chars().count() <= from + length + around;
    format!("{}{part}{}", if start > 0 { "…" } else { "" }, if is_end { "" } else { "…" })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::testing;
    use crate::testing::ScriptedEpisode;
    use mageyard_domain::{Setting, Status};
    use mageyard_engine::Snapshot;

    #[test]
    fn two_thousand_steps_are_searched_at_once() {
        let reply = format!("# analyze\n{}\n\n# action\nUp", "the box is on the left side ".repeat(40));
        let told = ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).reply(&reply);
        let told = told.act(-0.5, true, Status::Running).snapshot();
        let steps = told.steps.iter().cloned().cycle().take(2000).collect();
        let model = testing::model_of(Snapshot { steps, ..told }, 120, 40);
        let viewed = model.episode().unwrap();
        for (text, count) in [("needle", 0), ("left side", 1000)] {
            let query = Query::new(text).unwrap();
            let begun = Instant::now();
            assert_eq!(steps_with(viewed, Pane::Steps, &query).count(), count);
            // A bound that no busy machine reaches; it takes a few milliseconds.
            assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        }
    }
}
