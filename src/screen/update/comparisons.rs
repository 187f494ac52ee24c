//! Comparisons: two requests, or two episodes. The other side is open already, or its recording is read first.

use crate::requests::{LoadedRecording, Request, WantedRecording};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};

use super::scrolling::scroll_target;
use super::{Effect, found};
use crate::command::{CommandId, meaning};
use crate::modals;
use crate::model::{
    AwaitedComparison, ComparedEpisode, ComparedRequest, EpisodeComparison, EpisodeView, Modal, Model,
    RequestComparison,
};
use mageyard_config::Problem;
use mageyard_engine::{Snapshot, Step};

/// What the shown episode is called in a comparison.
const THIS: &str = "this episode";

/// What is named to compare the repeats of a session.
const REPEATS: &str = "repeats";

/// Compares the shown episode with what was named: a branch, a session or its repeats; without a name with what is nearest.
pub(super) fn compare_episodes(model: &mut Model, named: &str, effects: &mut Vec<Effect>) {
    let Some((viewed, _)) = shown_step(model) else { return };
    if named == REPEATS {
        return found::list_partings(model, effects);
    }
    let journal = viewed.snapshot.journal.clone();
    let wanted = match named {
        "" => journal.map(WantedRecording::RelatedTo),
        named => Some(WantedRecording::Reference(named.to_owned())),
    };
    match wanted {
        Some(wanted) => await_recording(model, AwaitedComparison::Episode, wanted, effects),
        None => model.notify("this episode is not recorded, so it has no branches to compare with"),
    }
}

/// The shown episode and the number of its shown step; without a step a notice says so.
fn shown_step(model: &mut Model) -> Option<(&EpisodeView, u32)> {
    if model.episode()?.step().is_none() {
        model.notify("there is no step yet");
    }
    let viewed = model.episode()?;
    Some((viewed, viewed.step()?.number))
}

/// Compares the request of the shown step with what was named: a step or a recording; without a name with what is nearest.
pub(super) fn compare_requests_with(model: &mut Model, named: &str, effects: &mut Vec<Effect>) {
    let Some((viewed, step)) = shown_step(model) else { return };
    let parent = viewed.snapshot.head.parent.as_ref().map(|parent| parent.step);
    let step = last_asked(viewed, step);
    let own = viewed.snapshot.journal.clone().filter(|_| parent.is_some_and(|parent| step >= parent));
    let what = AwaitedComparison::Request { step };
    match (named.parse::<u32>(), own) {
        (Ok(number), _) => compare_own_requests(model, number, step),
        (Err(_), _) if !named.is_empty() => {
            await_recording(model, what, WantedRecording::Reference(named.to_owned()), effects);
        }
        (Err(_), Some(journal)) => {
            await_recording(model, what, WantedRecording::RelatedTo(journal), effects);
        }
        (Err(_), None) if step == 1 => {
            model.notify("this is the first step; :diff-requests SESSION#STEP names another request");
        }
        (Err(_), None) => compare_own_requests(model, step - 1, step),
    }
}

/// The step itself, or at the end of an episode the last one that was asked for, which the dialog names.
fn last_asked(viewed: &EpisodeView, step: u32) -> u32 {
    let asked = |step: &&Arc<Step>| step.attempts.iter().any(|attempt| attempt.sent.is_some());
    let is_end = step > viewed.last_step();
    let earlier = viewed.snapshot.steps.iter().rev().find(asked).filter(|_| is_end);
    earlier.map_or(step, |asked| asked.number)
}

/// Compares the shown episode with a recording.
pub(super) fn with_recording(model: &mut Model, wanted: WantedRecording, effects: &mut Vec<Effect>) {
    await_recording(model, AwaitedComparison::Episode, wanted, effects);
}

fn await_recording(
    model: &mut Model,
    what: AwaitedComparison,
    wanted: WantedRecording,
    effects: &mut Vec<Effect>,
) {
    model.awaited.comparison = Some((what, wanted.clone()));
    model.notify("reading the recording to compare with …");
    effects.push(Effect::Request(Request::LoadRecording(wanted)));
}

/// A recording was read: the comparison that waits for it is shown.
pub(super) fn loaded(model: &mut Model, wanted: &WantedRecording, answer: Result<LoadedRecording, Problem>) {
    let Some((what, _)) = model.awaited.comparison.take_if(|(_, awaited)| awaited == wanted) else { return };
    model.notice = None;
    let other = match answer {
        Ok(other) => other,
        Err(problem) => return model.notify(format!("nothing to compare with: {problem}")),
    };
    let Some(own) = model.episode().map(|viewed| viewed.snapshot.clone()) else { return };
    match what {
        AwaitedComparison::Episode => {
            let old = ComparedEpisode { name: other.name, snapshot: other.snapshot };
            let new = ComparedEpisode { name: THIS.to_owned(), snapshot: own };
            let diff = EpisodeComparison::new(old, new);
            if diff.first_difference().is_none() {
                model.notify("every state and every action is equal");
            }
            model.modal = Some(Modal::Diff(diff.into()));
        }
        AwaitedComparison::Request { step } => {
            let number = other.step.unwrap_or(step);
            compare_requests(model, (&other.name, &other.snapshot, number), (THIS, &own, step));
        }
    }
}

fn compare_own_requests(model: &mut Model, old: u32, new: u32) {
    let Some(own) = model.episode().map(|viewed| viewed.snapshot.clone()) else { return };
    compare_requests(model, (THIS, &own, old), (THIS, &own, new));
}

/// An episode, how it is called, and a step of it.
type Side<'a> = (&'a str, &'a Arc<Snapshot>, u32);

fn compare_requests(model: &mut Model, old: Side<'_>, new: Side<'_>) {
    let request = |(name, snapshot, step): Side<'_>| ComparedRequest::of(name, snapshot, step);
    match (request(old), request(new)) {
        (Ok(old), Ok(new)) => {
            let diff = RequestComparison::new(old, new, model.request_reader);
            model.modal = Some(Modal::RequestDiff(diff.into()));
        }
        (Err(why), _) | (_, Err(why)) => model.notify(why),
    }
}

/// What a command means in the comparison of requests.
#[derive(Clone, Copy)]
enum RequestDiffKey {
    Close,
    Copy,
    MoveImages(isize),
}

const REQUEST_DIFF_KEYS: [(CommandId, RequestDiffKey); 8] = [
    (CommandId::Cancel, RequestDiffKey::Close),
    (CommandId::Quit, RequestDiffKey::Close),
    (CommandId::DiffRequests, RequestDiffKey::Close),
    (CommandId::Copy, RequestDiffKey::Copy),
    (CommandId::PreviousReply, RequestDiffKey::MoveImages(-1)),
    (CommandId::Left, RequestDiffKey::MoveImages(-1)),
    (CommandId::NextReply, RequestDiffKey::MoveImages(1)),
    (CommandId::Right, RequestDiffKey::MoveImages(1)),
];

/// Handles a key of the comparison of requests. The caller took the dialog out of the model.
pub(super) fn press_requests(
    model: &mut Model,
    mut diff: Box<RequestComparison>,
    key: KeyEvent,
    id: Option<CommandId>,
    effects: &mut Vec<Effect>,
) {
    match meaning(&REQUEST_DIFF_KEYS, id) {
        Some(RequestDiffKey::Close) => return,
        Some(RequestDiffKey::Copy) => {
            effects.push(Effect::CopyText("difference", modals::request_diff_text(model, &diff)));
        }
        Some(RequestDiffKey::MoveImages(by)) => diff.move_images(by),
        None if key.code == KeyCode::Enter => return,
        None => {}
    }
    let (most, page) = modals::request_diff_extent(model, &diff);
    let to = scroll_target(id, diff.scroll.min(most), (most, page));
    diff.scroll = to.unwrap_or(diff.scroll).min(most);
    model.modal = Some(Modal::RequestDiff(diff));
}

/// What a command means in the comparison of episodes.
#[derive(Clone, Copy)]
enum DiffKey {
    Close,
    MoveBy(isize),
    Show(usize),
    /// The next difference, or the previous one.
    Difference {
        ahead: bool,
    },
}

const DIFF_KEYS: [(CommandId, DiffKey); 11] = [
    (CommandId::Cancel, DiffKey::Close),
    (CommandId::Quit, DiffKey::Close),
    (CommandId::Diff, DiffKey::Close),
    (CommandId::Back, DiffKey::MoveBy(-1)),
    (CommandId::Left, DiffKey::MoveBy(-1)),
    (CommandId::Forward, DiffKey::MoveBy(1)),
    (CommandId::Right, DiffKey::MoveBy(1)),
    (CommandId::First, DiffKey::Show(0)),
    (CommandId::Newest, DiffKey::Show(usize::MAX)),
    (CommandId::NextMarked, DiffKey::Difference { ahead: true }),
    (CommandId::PreviousMarked, DiffKey::Difference { ahead: false }),
];

/// Handles a key of the comparison of episodes. The caller took the dialog out of the model.
pub(super) fn press_episodes(
    model: &mut Model,
    mut diff: Box<EpisodeComparison>,
    key: KeyEvent,
    id: Option<CommandId>,
) {
    match meaning(&DIFF_KEYS, id) {
        Some(DiffKey::Close) => return,
        Some(DiffKey::MoveBy(by)) => diff.move_by(by),
        Some(DiffKey::Show(row)) => diff.show(row),
        Some(DiffKey::Difference { ahead }) => show_difference(&mut diff, ahead),
        None if key.code == KeyCode::Enter => return,
        None => {
            let (most, page) = modals::episode_diff_extent(model, &diff);
            let to = scroll_target(id, diff.scroll.min(most), (most, page));
            diff.scroll = to.unwrap_or(diff.scroll);
        }
    }
    model.modal = Some(Modal::Diff(diff));
}

/// Shows the next or previous row that differs.
fn show_difference(diff: &mut EpisodeComparison, ahead: bool) {
    let (at, count) = diff.position();
    let found = if ahead {
        (at + 1..count).find(|row| diff.differs(*row))
    } else {
        (0..at).rev().find(|row| diff.differs(*row))
    };
    if let Some(row) = found {
        diff.show(row);
    }
}
