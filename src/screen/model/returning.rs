//! The way back: from where the shown episodes were opened.

use std::mem::discriminant;

use super::{Modal, Model};

/// Where an episode was opened from.
#[derive(Clone, Debug)]
pub(crate) enum ReturnPlace {
    /// The report of a suite, which the model keeps, because it can still grow.
    SuiteReport,
    /// The list of found steps, which the model keeps for the same reason.
    Found,
    /// Home.
    Home,
    /// The dashboard of the sweep.
    Sweep,
    /// Another dialog, as it was.
    Dialog(Box<Modal>),
}

impl ReturnPlace {
    /// Whether both are the same kind of dialog.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dialog(one), Self::Dialog(other)) => discriminant(&**one) == discriminant(&**other),
            _ => discriminant(self) == discriminant(other),
        }
    }
}

/// An episode that was opened from a dialog.
#[derive(Clone, Debug)]
pub(crate) struct OpenedFrom {
    pub(crate) place: ReturnPlace,
    /// The index of the episode that was shown before; `None` if there was none.
    pub(crate) before: Option<usize>,
    /// The index of the opened episode.
    episode: usize,
}

impl Model {
    /// The index of the shown episode, if one is open.
    pub(crate) fn shown_index(&self) -> Option<usize> {
        self.episode().map(|_| self.current)
    }

    /// Notes that the shown episode was opened from a place, while the episode of this index was shown.
    pub(crate) fn note_opened_from(&mut self, place: ReturnPlace, before: Option<usize>) {
        let episode = self.current;
        self.returns.retain(|opened| opened.episode != episode);
        self.returns.push(OpenedFrom { place, before, episode });
    }

    /// Whether Esc leads back to where the shown episode was opened from.
    pub(crate) fn has_way_back(&self) -> bool {
        self.returns.iter().any(|opened| self.leads_back(opened))
    }

    /// Whether this is a way back from the shown episode. A list that is kept may be shown again by its command.
    fn leads_back(&self, opened: &OpenedFrom) -> bool {
        let is_there = match opened.place {
            ReturnPlace::SuiteReport => self.suite_report.is_some(),
            ReturnPlace::Found => self.found.is_some(),
            ReturnPlace::Home | ReturnPlace::Sweep | ReturnPlace::Dialog(_) => true,
        };
        is_there && opened.episode == self.current
    }

    /// Takes the way back from the shown episode.
    pub(crate) fn take_way_back(&mut self) -> Option<OpenedFrom> {
        let at = self.returns.iter().rposition(|opened| self.leads_back(opened))?;
        Some(self.returns.remove(at))
    }

    /// Forgets a way back from the shown episode to the same kind of dialog, so that Esc does not go round in a circle.
    pub(crate) fn forget_way_back_to(&mut self, place: &ReturnPlace) {
        let shown = self.current;
        self.returns.retain(|opened| opened.episode != shown || !opened.place.is_like(place));
    }

    /// Forgets the way back from the shown episode, because a person goes on in it.
    pub(crate) fn forget_way_back(&mut self) {
        let shown = self.current;
        self.returns.retain(|opened| opened.episode != shown);
    }
}
