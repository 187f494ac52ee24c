//! Details of observations: those that were read last, and which view of the shown step the frame pane shows.

use std::sync::Arc;

use super::{EpisodeView, Model};
use crate::appearance::FrameView;
use mageyard_domain::{
    Digest, Film, FittedText, ObservationDetails, PairBoxes, PairPlace, PictureView, SharedDrawing, ViewPage,
};
use mageyard_engine::Step;

/// The most observations whose details are kept.
const MAX_KEPT: usize = 4;

/// The details of an observation, or why there are none.
#[derive(Clone, Debug)]
pub(crate) struct LoadedDetails {
    observation: Digest,
    details: Arc<Result<ObservationDetails, String>>,
    film: Option<Arc<Film>>,
    text: Option<Arc<dyn FittedText>>,
    drawing: Option<SharedDrawing>,
}

/// A page of the shown step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownPage<'a> {
    pub(crate) page: &'a ViewPage,
    /// The index of the page.
    pub(crate) index: usize,
    /// The number of pages.
    pub(crate) pages: usize,
}

impl ShownPage<'_> {
    /// `page 2 of 4: the menu is open`, or the title of the only page.
    pub(crate) fn label(self) -> String {
        let Self { page, index, pages } = self;
        if pages == 1 {
            return page.title.clone();
        }
        format!("page {} of {pages}: {}", index + 1, page.title)
    }
}

/// The view of the shown step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownView<'a> {
    pub(crate) view: &'a PictureView,
    /// The index of the page.
    pub(crate) index: usize,
}

/// What `v` walks through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameChoice {
    /// A picture of the observation.
    Picture,
    /// A view with this name.
    View(&'static str),
    /// The drawing in cells.
    Drawing,
    /// The text of the observation.
    Text,
}

impl FrameChoice {
    /// The name in the command `view`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::View(name) => name,
            Self::Drawing => "drawing",
            Self::Text => "text",
        }
    }
}

impl Model {
    /// Reads the details of the shown step and compares its code, unless that was done. It may load files, so it is
    /// called before drawing.
    pub(crate) fn prepare(&mut self) {
        let viewed = self.episode();
        let code = viewed.and_then(|viewed| viewed.snapshot.steps.get(viewed.code_index()?)).cloned();
        let shown = viewed.and_then(EpisodeView::step).cloned();
        let before = self.earlier_step().filter(|_| self.frame.before_and_after).cloned().map(Arc::new);
        for step in code.into_iter().chain(before).chain(shown) {
            self.load_details(&step);
        }
        self.load_step_drawings();
        self.load_claims();
        self.compare_code();
        self.compare_frames();
        self.mark_action();
    }

    fn load_details(&mut self, step: &Step) {
        let Some(inspector) = self.episode().and_then(|viewed| viewed.snapshot.presentation.inspector) else {
            return;
        };
        let observation = step.observation.digest();
        if self.frame.details.iter().any(|known| known.observation == observation) {
            return;
        }
        let details = inspector.inspect(&step.observation).map_err(|error| error.to_string());
        let film = inspector.film(&step.observation).filter(|film| film.frames.len() > 1).map(Arc::new);
        let text = inspector.fitted_text(&step.observation);
        let drawing = inspector.drawing(&step.observation);
        let excess = (self.frame.details.len() + 1).saturating_sub(MAX_KEPT);
        self.frame.details.drain(..excess);
        let details = Arc::new(details);
        self.frame.details.push(LoadedDetails { observation, details, film, text, drawing });
    }

    fn loaded(&self, step: &Step) -> Option<&LoadedDetails> {
        self.episode()?.snapshot.presentation.inspector?;
        let observation = step.observation.digest();
        self.frame.details.iter().find(|known| known.observation == observation)
    }

    /// What is drawn in the size of the frame pane at a step, if its details were read.
    pub(crate) fn fitted_text_of(&self, step: &Step) -> Option<&Arc<dyn FittedText>> {
        self.loaded(step)?.text.as_ref()
    }

    fn loaded_details(&self, step: &Step) -> Option<&Result<ObservationDetails, String>> {
        self.loaded(step).map(|known| &*known.details)
    }

    /// The film of a step, if it has one and its details were read.
    pub(super) fn film_of(&self, step: &Step) -> Option<&Arc<Film>> {
        self.loaded(step)?.film.as_ref()
    }

    /// What is drawn in the size of the frame pane: the shown frame of a film, or the beginning of the text of the step.
    pub(crate) fn fitted_text(&self) -> Option<&Arc<dyn FittedText>> {
        let film = self.film_frame().map(|frame| &frame.text);
        film.or_else(|| self.fitted_text_of(self.episode()?.step()?))
    }

    /// The details of a step, if they were read.
    pub(super) fn details_of(&self, step: &Step) -> Option<&ObservationDetails> {
        self.loaded_details(step)?.as_ref().ok()
    }

    /// The details of the shown step, if they were read.
    pub(crate) fn details(&self) -> Option<&ObservationDetails> {
        self.details_of(self.episode()?.step()?)
    }

    /// Why the details of the shown step cannot be shown.
    pub(crate) fn details_error(&self) -> Option<&str> {
        let step = self.episode()?.step()?;
        self.loaded_details(step)?.as_ref().err().map(String::as_str)
    }

    /// The drawing in cells of what the frame pane is about: the frame of a film, the page, or the observation.
    pub(crate) fn drawing(&self) -> Option<&SharedDrawing> {
        if self.appearance.settings.linear {
            return None;
        }
        if let Some(frame) = self.film_frame() {
            return frame.drawing.as_ref();
        }
        let page = self.chosen_page().and_then(|shown| shown.page.drawing.as_ref());
        page.or_else(|| self.loaded(self.episode()?.step()?)?.drawing.as_ref())
    }

    /// The drawing that the frame pane shows: a chosen one, and otherwise where the terminal shows no pictures of pixels.
    pub(crate) fn shown_drawing(&self) -> Option<&SharedDrawing> {
        if self.frame.as_sent || self.compares_frames() || self.frame.shown_as == FrameView::Text {
            return None;
        }
        let drawing = self.drawing()?;
        let is_shown = match self.frame.choice {
            Some(FrameChoice::Drawing) => true,
            Some(FrameChoice::View(name)) if self.view_has_boxes(name) => false,
            None if self.frame.shown_as == FrameView::Auto => !self.prefers_pixels(),
            _ => !self.shows_pictures(),
        };
        Some(drawing).filter(|_| is_shown)
    }

    /// Whether a picture is the usual form of the frame: the terminal gets its pixels, and they are not too many bytes.
    pub(crate) fn prefers_pixels(&self) -> bool {
        let spares = self.device.link.is_slow && self.chosen_page().is_none();
        self.shows_pictures() && self.picture_form().0.has_pixels() && !spares
    }

    /// Whether the view with this name of the chosen page has boxes, which are drawn on any terminal.
    fn view_has_boxes(&self, name: &str) -> bool {
        let views = self.chosen_page().map_or(&[][..], |shown| &shown.page.views);
        views.iter().any(|view| view.name == name && view.boxes.is_some())
    }

    /// The page that is chosen at the shown step, if it has pages.
    fn chosen_page(&self) -> Option<ShownPage<'_>> {
        let pages = &self.details()?.pages;
        let index = self.frame.page.min(pages.len().checked_sub(1)?);
        pages.get(index).map(|page| ShownPage { page, index, pages: pages.len() })
    }

    /// The page that the frame pane shows, by a view or by a drawing.
    pub(crate) fn shown_page(&self) -> Option<ShownPage<'_>> {
        let is_shown = self.shown_view().is_some() || self.shown_drawing().is_some();
        self.chosen_page().filter(|_| is_shown)
    }

    /// The view that the frame pane shows in place of the frame: the chosen one, otherwise the first one.
    pub(crate) fn shown_view(&self) -> Option<ShownView<'_>> {
        if self.frame.as_sent || self.frame.shown_as == FrameView::Text || self.shown_drawing().is_some() {
            return None;
        }
        let ShownPage { page, index, .. } = self.chosen_page()?;
        let shows_picture = self.frame.choice == Some(FrameChoice::Picture) && self.shown_picture().is_some();
        let chosen = page.views.iter().find(|view| Some(FrameChoice::View(view.name)) == self.frame.choice);
        let view = chosen.or_else(|| page.views.first().filter(|_| !shows_picture))?;
        Some(ShownView { view, index })
    }

    /// The boxes of the shown view.
    pub(crate) fn shown_boxes(&self) -> Option<&PairBoxes> {
        self.shown_view()?.view.boxes.as_ref()
    }

    /// The index of the selected pair on the shown page.
    pub(crate) fn selected_box(&self) -> Option<usize> {
        let index = self.shown_view()?.index;
        self.score.selected_pair.filter(|place: &PairPlace| place.page == index).map(|place| place.pair)
    }

    /// The forms in which the frame of the shown step can be shown: the views of the environment, the pictures that
    /// the agent was shown, the drawing and the text.
    pub(crate) fn frame_choices(&self) -> Vec<FrameChoice> {
        let page = self.chosen_page().map(|shown| shown.page);
        let views = page.into_iter().flat_map(|page| &page.views).map(|view| FrameChoice::View(view.name));
        let mut choices: Vec<_> = views.collect();
        let has_picture =
            self.shown_picture().is_some() || self.episode().and_then(EpisodeView::step).is_none();
        choices.extend((has_picture || choices.is_empty()).then_some(FrameChoice::Picture));
        choices.extend(self.drawing().map(|_| FrameChoice::Drawing));
        choices.push(FrameChoice::Text);
        choices
    }

    /// Shows the frame in this form.
    pub(crate) fn choose_frame(&mut self, choice: FrameChoice) {
        self.frame.shown_as = if choice == FrameChoice::Text { FrameView::Text } else { FrameView::Picture };
        self.frame.choice = Some(choice).filter(|choice| *choice != FrameChoice::Text);
    }
}
