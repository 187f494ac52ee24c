//! What is open over what: the one stack of views and dialogs that Esc goes back through.

use super::{Modal, Model};

/// The most places that are kept to go back to.
const MOST_COVERED: usize = 64;

/// What fills the screen, below the open dialog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    /// The panes of an episode.
    #[default]
    Episode,
    /// The tree of everything that can be opened.
    Home,
    /// The dashboard of a sweep.
    Sweep,
}

/// What was opened over a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cover {
    View,
    Dialog,
}

/// A place that is shown again when what was opened over it is closed.
#[derive(Clone, Debug)]
struct Covered {
    view: View,
    /// The index of its episode, if one was open.
    episode: Option<usize>,
    /// Its dialog, as it was.
    dialog: Option<Box<Modal>>,
    cover: Cover,
}

/// The shown view, and what it covers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    shown: View,
    /// The last one is shown next.
    covered: Vec<Covered>,
}

impl Stack {
    /// A stack that begins with this view.
    pub(crate) fn begin(shown: View) -> Self {
        Self { shown, covered: Vec::new() }
    }

    /// Whether a view is shown or covered.
    pub(crate) fn has(&self, view: View) -> bool {
        self.shown == view || self.covered.iter().any(|place| place.view == view)
    }
}

impl Model {
    /// The shown view.
    pub(crate) fn view(&self) -> View {
        self.stack.shown
    }

    /// The index of the shown episode, if one is open.
    pub(crate) fn shown_index(&self) -> Option<usize> {
        self.episode().map(|_| self.current)
    }

    /// The place that is shown now, with this dialog.
    pub(crate) fn place(&self, dialog: Option<Modal>) -> Place {
        Place { view: self.stack.shown, episode: self.shown_index(), dialog: dialog.map(Modal::settled) }
    }

    /// Shows a view over a place, to which Esc goes back.
    ///
    /// Only episodes are in the stack more than once: another view that is covered is shown again, without what is over it.
    pub(crate) fn show_view(&mut self, view: View, over: Place) {
        let covered = self.stack.covered.iter().position(|place| place.view == view);
        match covered.filter(|_| view != View::Episode) {
            Some(at) => self.stack.covered.truncate(at),
            None if self.view() == view && view != View::Episode => {}
            None => self.cover(over, Cover::View),
        }
        self.stack.shown = view;
        self.modal = None;
    }

    /// Opens a dialog over the open one, which is shown again when it is closed.
    pub(crate) fn open_over(&mut self, dialog: Modal) {
        if let Some(below) = self.modal.take() {
            let place = self.place(Some(below));
            self.cover(place, Cover::Dialog);
        }
        self.modal = Some(dialog);
    }

    fn cover(&mut self, Place { view, episode, dialog }: Place, cover: Cover) {
        if self.stack.covered.len() == MOST_COVERED {
            self.stack.covered.remove(0);
        }
        self.stack.covered.push(Covered { view, episode, dialog: dialog.map(Box::new), cover });
    }

    /// Whether Esc goes back to what the shown view was opened from.
    pub(crate) fn has_way_back(&self) -> bool {
        self.stack.covered.iter().any(|place| place.cover == Cover::View)
    }

    /// Shows a covered dialog again once the one over it was closed.
    pub(crate) fn uncover_dialog(&mut self) {
        while self.modal.is_none() {
            let Some(place) = self.stack.covered.pop_if(|place| place.cover == Cover::Dialog) else { return };
            self.modal = place.dialog.map(|dialog| *dialog);
        }
    }

    /// Shows what the shown view was opened from; false if nothing was.
    pub(crate) fn leave_view(&mut self) -> bool {
        while let Some(place) = self.stack.covered.pop() {
            if place.cover == Cover::View {
                self.show(place);
                return true;
            }
        }
        false
    }

    fn show(&mut self, place: Covered) {
        self.stack.shown = place.view;
        self.modal = place.dialog.map(|dialog| *dialog);
        let index = place.episode.filter(|index| *index < self.episodes.len() && *index != self.current);
        if let Some(index) = index {
            self.show_index(index);
        }
    }

    /// Shows an episode that a person selected. A followed recording is followed on while that is being written.
    pub(crate) fn show_index(&mut self, index: usize) {
        self.current = index;
        self.reset_position();
        self.following = self.follow && self.episode().is_some_and(|episode| !episode.is_over());
    }

    /// Shows an episode over a place, to which Esc goes back.
    pub(crate) fn show_episode(&mut self, index: usize, over: Place) {
        self.show_view(View::Episode, over);
        self.show_index(index);
    }

    /// Shows an episode that was just opened. Esc goes back to the dialog that waited for it, and from an episode to any other
    /// view.
    pub(crate) fn show_opened(&mut self, index: usize) {
        let waiting = self.modal.take_if(|dialog| dialog.waits_for_episode());
        let waiting = waiting.or_else(|| self.awaited.dialog.take().map(|dialog| *dialog));
        if waiting.is_some() || self.view() != View::Episode {
            let place = self.place(waiting);
            // That it is being opened is no news any more.
            self.notice = None;
            self.show_episode(index, place);
        } else {
            self.show_index(index);
        }
    }

    /// Forgets the episodes and dialogs that the shown episode was opened from, because a person goes on in it. Dialogs that
    /// are open over it stay.
    pub(crate) fn forget_way_back(&mut self) {
        if self.stack.shown == View::Episode {
            let places = &mut self.stack.covered;
            let end = places.iter().rposition(|place| place.cover == Cover::View).map_or(0, |last| last + 1);
            let other = places[..end].iter().rposition(|place| place.view != View::Episode);
            places.drain(other.map_or(0, |last| last + 1)..end);
        }
    }

    /// The dialogs that are open: the shown one, then the covered ones, the last one first.
    pub(crate) fn dialogs_mut(&mut self) -> impl Iterator<Item = &mut Modal> {
        let covered = self.stack.covered.iter_mut().rev().filter_map(|place| place.dialog.as_deref_mut());
        self.modal.as_mut().into_iter().chain(covered)
    }

    /// Takes a covered dialog that is to be shown again over what is shown.
    pub(crate) fn take_covered(&mut self, is_wanted: impl Fn(&Modal) -> bool) -> Option<Modal> {
        let mut places = self.stack.covered.iter_mut().rev();
        let taken = places.find_map(|place| place.dialog.take_if(|dialog| is_wanted(dialog)))?;
        self.stack.covered.retain(|place| place.cover == Cover::View || place.dialog.is_some());
        Some(*taken)
    }
}

/// A place on the screen: a view, its episode, and the dialog that is open over it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    view: View,
    episode: Option<usize>,
    dialog: Option<Modal>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CopyMenu, EpisodeList, Fault};
    use crate::testing;
    use crate::update::{Msg, update};
    use mageyard_config::Problem;

    fn press(model: &mut Model, keys: &str) {
        for key in keys.split(' ') {
            update(model, Msg::Key(testing::key(key)));
        }
    }

    fn over(model: &mut Model, view: View, dialog: Option<Modal>) {
        let place = model.place(dialog);
        model.show_view(view, place);
    }

    #[test]
    fn dialogs_are_closed_one_after_the_other() {
        let mut model = testing::model(120, 40);
        model.modal = Some(Modal::Request(2));
        model.open_over(Modal::Copy(CopyMenu::new(&model)));
        model.open_over(Modal::Fault(Fault::Branch(Problem::new("no"))));
        press(&mut model, "esc");
        assert!(matches!(model.modal, Some(Modal::Copy(_))));
        press(&mut model, "esc");
        assert!(matches!(model.modal, Some(Modal::Request(2))));
        press(&mut model, "esc");
        assert!(model.modal.is_none() && !model.has_way_back());
    }

    #[test]
    fn each_view_leads_back_to_the_one_below_with_its_dialog() {
        let mut model = testing::model(120, 40);
        let list = EpisodeList::at(&model, 0);
        over(&mut model, View::Home, Some(Modal::Episodes(list)));
        let place = model.place(None);
        model.show_episode(0, place);
        assert!(model.view() == View::Episode && model.leave_view() && model.view() == View::Home);
        assert!(model.modal.is_none() && model.leave_view());
        assert!(model.view() == View::Episode && matches!(model.modal, Some(Modal::Episodes(_))));
        assert!(!model.leave_view(), "this is where the screen began");
    }

    #[test]
    fn home_is_there_once_and_what_was_over_it_is_closed() {
        let mut model = testing::model(120, 40);
        model.stack = Stack::begin(View::Home);
        over(&mut model, View::Sweep, None);
        over(&mut model, View::Episode, None);
        assert!(model.stack.has(View::Sweep));
        over(&mut model, View::Home, None);
        assert!(model.view() == View::Home && !model.stack.has(View::Sweep) && !model.has_way_back());
        over(&mut model, View::Home, None);
        assert!(!model.has_way_back(), "it is shown already");
    }

    #[test]
    fn who_goes_on_in_an_episode_goes_back_to_the_last_other_view() {
        let mut model = testing::model(120, 40);
        model.stack = Stack::begin(View::Home);
        over(&mut model, View::Episode, None);
        over(&mut model, View::Episode, Some(Modal::Request(0)));
        model.modal = Some(Modal::Request(1));
        model.open_over(Modal::Prompts);
        model.modal = None;
        model.forget_way_back();
        model.uncover_dialog();
        assert!(matches!(model.modal, Some(Modal::Request(1))), "an open dialog stays");
        assert!(model.leave_view() && model.view() == View::Home && !model.leave_view());
    }

    #[test]
    fn only_so_many_places_are_kept() {
        let mut model = testing::model(120, 40);
        for _ in 0..2 * MOST_COVERED {
            over(&mut model, View::Episode, None);
        }
        let left = (0..3 * MOST_COVERED).take_while(|_| model.leave_view()).count();
        assert_eq!(left, MOST_COVERED);
    }
}
