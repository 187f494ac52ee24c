//! What must be on the screen for a part of a lesson to be done.

use serde::Deserialize;

use crate::pane::Pane;
use mageyard_engine::Mark;

/// What must be on the screen; a field that is not set may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Condition {
    /// The number of the shown step.
    pub(crate) step: Option<u32>,
    /// The focused pane.
    pub(crate) focus: Option<String>,
    /// The open dialog, or `none`.
    pub(crate) dialog: Option<String>,
    /// The window of the request in the memory pane.
    pub(crate) am: Option<u16>,
    pub(crate) om: Option<u16>,
    /// The prompt variant of the request or of the preview.
    pub(crate) prompt: Option<String>,
    /// Whether a preview is shown.
    pub(crate) preview: Option<bool>,
    /// Whether the frame is shown as sent.
    pub(crate) sent: Option<bool>,
    /// Whether a reply is shown raw.
    pub(crate) raw: Option<bool>,
    /// The number of the raw reply.
    pub(crate) reply: Option<usize>,
    pub(crate) zoomed: Option<bool>,
    /// A mark of the shown step.
    pub(crate) mark: Option<String>,
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
}

/// The pane of this name.
pub(crate) fn pane_named(name: &str) -> Option<Pane> {
    Pane::ALL.into_iter().find(|pane| pane.name().eq_ignore_ascii_case(name))
}

pub(crate) fn mark_named(name: &str) -> Option<Mark> {
    Mark::ALL.into_iter().find(|mark| mark.name() == name)
}
