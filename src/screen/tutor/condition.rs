//! What must be on the screen for a part of a lesson to be done.

use serde::Deserialize;

use crate::model::{EpisodeView, Modal, Model};
use crate::pane::Pane;
use mageyard_engine::{Mark, Waiting};

/// What must be on the screen; a field that is not set may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Condition {
    /// The focused pane.
    focus: Option<String>,
    /// The open dialog, or `none`.
    dialog: Option<String>,
    /// Whether the dialog says what would be made.
    planned: Option<bool>,
    /// Whether all calls or branches of the table are over.
    finished: Option<bool>,
    /// How many variants the dialog compares.
    columns: Option<usize>,
    /// Whether the dialog would play branches.
    branches: Option<bool>,
    /// Whether a reply waits to be applied.
    replied: Option<bool>,
    /// The least number of steps that are done.
    steps: Option<u32>,
    /// Whether the run has stopped.
    paused: Option<bool>,
    /// Whether a breakpoint is set.
    breaks: Option<bool>,
    /// Whether a breakpoint has stopped the run.
    stopped: Option<bool>,
    /// Whether an earlier step is shown.
    looks_back: Option<bool>,
    /// Whether a branch is shown.
    branch: Option<bool>,
    /// The window of the next request.
    am: Option<u16>,
    om: Option<u16>,
    /// The prompt variant of the next request.
    prompt: Option<String>,
    /// Whether the frame is shown as sent.
    sent: Option<bool>,
    /// Whether a reply is shown raw.
    raw: Option<bool>,
    /// The number of the raw reply.
    reply: Option<usize>,
    /// A mark of the shown step.
    mark: Option<String>,
}

impl Condition {
    /// Why it cannot be met: an unknown name, or nothing at all.
    pub(super) fn error(&self) -> Option<String> {
        let unknown = |name: &str, what| Some(format!("there is no {what} {name:?}"));
        match self {
            Self { focus: Some(name), .. } if pane_named(name).is_none() => unknown(name, "pane"),
            Self { mark: Some(name), .. } if mark_named(name).is_none() => unknown(name, "mark"),
            condition if *condition == Self::default() => Some("the condition is empty".to_owned()),
            _ => None,
        }
    }

    /// Whether the screen shows it.
    pub(crate) fn is_met(&self, model: &Model) -> bool {
        let dialog = model.modal.as_ref().map_or("none", Modal::name);
        is(self.focus.as_deref().and_then(pane_named), model.panes.focus)
            && is(self.dialog.as_deref(), dialog)
            && is(self.planned, model.modal.as_ref().is_some_and(Modal::has_plan))
            && is(self.finished, model.modal.as_ref().is_some_and(Modal::is_finished))
            && is(self.columns, model.modal.as_ref().map_or(0, Modal::columns))
            && is(self.branches, model.modal.as_ref().is_some_and(Modal::plays_branches))
            && is(self.sent, model.frame.as_sent)
            && is(self.raw, model.agent.raw)
            && is(self.reply, model.agent.shown_reply.map_or(0, |index| index + 1))
            && model.episode().is_some_and(|viewed| self.is_shown(viewed))
    }

    /// Whether the episode shows it.
    fn is_shown(&self, viewed: &EpisodeView) -> bool {
        let window = viewed.window();
        let marks = viewed.snapshot.error_analysis.at(viewed.index());
        is(self.replied, viewed.snapshot.run.waiting == Waiting::Apply)
            && self.steps.is_none_or(|least| viewed.snapshot.steps_done() >= least)
            && is(self.paused, !viewed.is_busy())
            && is(self.breaks, !viewed.breakpoints().is_empty())
            && is(self.stopped, viewed.snapshot.run.break_reason.is_some())
            && is(self.looks_back, viewed.looks_back())
            && is(self.branch, viewed.snapshot.head.parent.is_some())
            && is(self.am, window.am())
            && is(self.om, window.om())
            && is(self.prompt.as_deref(), viewed.prompt())
            && self.mark.as_deref().is_none_or(|name| mark_named(name).is_some_and(|mark| marks.has(mark)))
    }
}

/// Whether a value is the wanted one, if one is wanted.
fn is<T: Copy + PartialEq>(wanted: Option<T>, value: T) -> bool {
    wanted.is_none_or(|wanted| wanted == value)
}

/// The pane of this name.
pub(super) fn pane_named(name: &str) -> Option<Pane> {
    Pane::ALL.into_iter().find(|pane| pane.name().eq_ignore_ascii_case(name))
}

fn mark_named(name: &str) -> Option<Mark> {
    Mark::ALL.into_iter().find(|mark| mark.name() == name)
}
