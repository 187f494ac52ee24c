//! Which request the pane shows, and its ledger.

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::EpisodeView;
use mageyard_dialog::{Ledger, LedgerRow, LedgerRules, LedgerStep, PromptImages, build_ledger, older_row};
use mageyard_domain::{Setting, Window};
use mageyard_engine::{Step, Waiting};

/// The request that the pane shows.
pub(crate) struct ShownRequest {
    pub(crate) step: u32,
    pub(crate) window: Window,
    /// Which images its prompt sends.
    images: PromptImages,
    pub(crate) ledger: Ledger,
    /// Whether it has not been sent yet.
    pub(crate) is_next: bool,
    /// Whether it will never be sent: a preview, or a request after the end.
    pub(crate) hypothetical: bool,
}

impl ShownRequest {
    /// The number of rows: one per step, those of older steps included.
    pub(super) fn rows(&self) -> usize {
        self.ledger.rows().len() + usize::try_from(self.ledger.older()).unwrap_or(usize::MAX)
    }

    /// The row at this index, newest first.
    pub(super) fn row<'a>(&'a self, viewed: &EpisodeView, index: usize) -> Option<Cow<'a, LedgerRow>> {
        if let Some(row) = self.ledger.rows().get(index) {
            return Some(Cow::Borrowed(row));
        }
        let at = self.rows().checked_sub(index + 1)?;
        let steps = &viewed.snapshot.steps;
        let before = at.checked_sub(1).and_then(|before| steps.get(before));
        let step = ledger_step(before.map(|before| &**before), steps.get(at)?);
        if let Some(kept) = self.ledger.kept().iter().find(|row| row.step == step.number) {
            return Some(Cow::Borrowed(kept));
        }
        Some(Cow::Owned(older_row(self.images, step)))
    }
}

/// The request of the step in view; in the Global setting the only one. `None` after the end, where no request
/// was sent and none will be.
pub(crate) fn shown_request(viewed: &EpisodeView) -> Option<ShownRequest> {
    let only = viewed.snapshot.head.setting == Setting::Global;
    let index = if only { 0 } else { viewed.index() };
    let step = viewed.snapshot.steps.get(index)?;
    let after_end = viewed.is_end(index) && step.attempts.is_empty();
    let coming = index == viewed.newest_index() && awaits_request(viewed);
    let hypothetical = after_end || viewed.previews();
    let window = if coming || hypothetical { viewed.window() } else { step.window };
    let images = sends_images(viewed, Some(step).filter(|_| !coming && !hypothetical));
    let rules = ledger_rules(viewed, window, images);
    let ledger = build_ledger(rules, &remembered_steps(viewed, index, rules));
    let is_next = coming && !hypothetical;
    Some(ShownRequest { step: step.number, window, images, ledger, is_next, hypothetical })
}

/// What the ledger of a request of this episode depends on.
fn ledger_rules(viewed: &EpisodeView, window: Window, images: PromptImages) -> LedgerRules {
    let head = &viewed.snapshot.head;
    head.layout.ledger_rules(window, images, head.setting)
}

/// Whether the request of the newest step has not been sent yet.
fn awaits_request(viewed: &EpisodeView) -> bool {
    matches!(viewed.snapshot.run.waiting, Waiting::Ask | Waiting::Opening)
}

/// The step at this index and the steps before it that a window can include.
fn remembered_steps(viewed: &EpisodeView, index: usize, rules: LedgerRules) -> Vec<LedgerStep<'_>> {
    let oldest = index.saturating_sub(usize::from(rules.window.am()));
    let first = if rules.keep.keeps_frames() { 0 } else { oldest };
    let last = viewed.snapshot.steps.len().min(index + 1);
    let steps = &viewed.snapshot.steps;
    // The feedback on an action is sent with its output, and always with the present state.
    let follows = |at: usize| (at > oldest || at == index).then(|| at.checked_sub(1)).flatten();
    let ledger_step = |at: usize| {
        let before = follows(at).and_then(|before| steps.get(before));
        Some(ledger_step(before.map(|before| &**before), steps.get(at)?))
    };
    (first..last).filter_map(ledger_step).collect()
}

/// A step after another one, whose action may have been refused or failed.
fn ledger_step<'a>(before: Option<&Step>, step: &'a Step) -> LedgerStep<'a> {
    LedgerStep {
        number: step.number,
        observation: &step.observation,
        has_output: step.has_output(),
        has_feedback: before.is_some_and(|before| before.problem().is_some()),
        has_reflection: step.reflection.is_some(),
        rewarded: before
            .is_some_and(|before| before.effect.as_ref().is_some_and(|effect| effect.reward > 0.0)),
    }
}

/// Which images a request sends: by what was sent at the step, otherwise by the prompt variant.
fn sends_images(viewed: &EpisodeView, step: Option<&Arc<Step>>) -> PromptImages {
    let sent = |step: &Arc<Step>| step.attempts.iter().rev().find_map(|attempt| attempt.sent.clone());
    let variant = viewed.snapshot.requests.prompts.iter().find(|prompt| prompt.name == viewed.prompt());
    let images = variant.map_or(PromptImages::All, |prompt| prompt.images);
    match step.and_then(|step| Some((step, sent(step)?))) {
        Some((_, sent)) if sent.images > 0 && images == PromptImages::None => PromptImages::All,
        Some((step, sent)) if sent.images == 0 && step.observation.picture().is_some() => PromptImages::None,
        _ => images,
    }
}

/// The next request, if there will be one.
pub(in crate::panes) fn next_request(viewed: &EpisodeView) -> Option<ShownRequest> {
    if viewed.is_over() || viewed.snapshot.head.setting == Setting::Global || viewed.step().is_none() {
        return None;
    }
    let newest = viewed.newest_index();
    let window = viewed.window();
    let images = sends_images(viewed, None);
    let rules = ledger_rules(viewed, window, images);
    let mut steps = remembered_steps(viewed, newest, rules);
    if !awaits_request(viewed) {
        // The reply in flight will be the output of its step; the next observation is assumed to be like this one.
        let last = steps.last_mut()?;
        last.has_output |= viewed.snapshot.run.waiting == Waiting::Reply;
        let next = LedgerStep {
            number: last.number + 1,
            has_output: false,
            has_feedback: false,
            has_reflection: false,
            rewarded: false,
            ..*last
        };
        steps.push(next);
    }
    let ledger = build_ledger(rules, &steps);
    let step = steps.last()?.number;
    Some(ShownRequest { step, window, images, ledger, is_next: true, hypothetical: false })
}
