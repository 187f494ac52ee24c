//! The state of the dialog in which a person answers a question of the episode.

use mageyard_dialog::{OpenQuestion, PersonAnswer};
use std::sync::Arc;

use super::{EpisodeView, LineText};

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct PersonSheet {
    pub(crate) asked: AskedAt,
    /// The reason or the answer that is typed; `None` while a key chooses.
    pub(crate) typed: Option<LineText>,
    pub(crate) scroll: u16,
    /// Whether the next Enter sends an empty answer.
    pub(crate) sends_empty: bool,
}

/// A question, and where in the episode it is asked: the same question can be asked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedAt {
    pub(crate) open: Arc<OpenQuestion>,
    /// Steps, and the replies to the agent and to others at the last two of them.
    place: (usize, usize),
}

impl AskedAt {
    /// The question that is open in a live episode.
    pub(crate) fn of(viewed: &EpisodeView) -> Option<Self> {
        let snapshot = &viewed.snapshot;
        let open = snapshot.run.question.clone().filter(|_| viewed.live)?;
        let newest = snapshot.steps.iter().rev().take(2);
        let replies = newest.map(|step| step.attempts.len() + step.side.len()).sum();
        Some(Self { open, place: (snapshot.steps.len(), replies) })
    }
}

impl PersonSheet {
    pub(crate) fn new(asked: AskedAt) -> Self {
        let typed = asked.open.question.takes_text().then(LineText::default);
        Self { asked, typed, scroll: 0, sends_empty: false }
    }

    /// The answer that is typed.
    pub(crate) fn answer(&self) -> Option<PersonAnswer> {
        let text: Arc<str> = self.typed.as_ref()?.as_str().trim().into();
        let takes_text = self.asked.open.question.takes_text();
        Some(if takes_text { PersonAnswer::Text(text) } else { PersonAnswer::Refuse(text) })
    }
}
