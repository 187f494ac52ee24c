//! How things look: theme, colors, motion, and the form of pictures.

use ratatui::layout::Size;
use ratatui::style::Style;
use tokio::time::Instant;

use super::{EpisodeView, Fault, Model};
use crate::appearance::{FrameView, Motion};
use mageyard_config::PictureForm;
use mageyard_engine::{Wait, Waiting};
use mageyard_terminal::{
    ChosenForm, ColorDepth, Link, PictureRoom, StyleRole, TerminalReport, Theme, Traffic, choose_depth,
    choose_form, possible_form,
};

impl Model {
    pub(crate) fn style(&self, role: StyleRole) -> Style {
        self.look.theme.style(role)
    }

    /// Whether nothing moves by itself and nothing counts.
    pub(crate) fn has_reduced_motion(&self) -> bool {
        let settings = &self.appearance.settings;
        settings.linear || settings.motion == Motion::Reduced
    }

    /// Whether the agent can be asked again after this fault.
    pub(crate) fn asks_again(&self, fault: &Fault) -> bool {
        let waits = |viewed: &EpisodeView| {
            let may_ask = viewed.live && viewed.snapshot.run.waiting == Waiting::Ask;
            may_ask && !viewed.is_human() && !viewed.looks_back()
        };
        matches!(fault, Fault::Session(_)) && self.episode().is_some_and(waits)
    }

    /// What is waited for, in a few words.
    pub(crate) fn wait_words(&self) -> Option<String> {
        let words = if self.has_reduced_motion() { Wait::uncounted } else { Wait::brief };
        self.wait.as_ref().map(words)
    }

    /// The colors that this screen uses: on a slow link few, because their sequences are short.
    pub(crate) fn depth(&self) -> ColorDepth {
        self.device.link.depth(self.appearance.settings.depth)
    }

    /// Takes over what the terminal has answered: its pictures, and the colors that it shows.
    pub(crate) fn set_terminal(&mut self, report: TerminalReport) {
        self.device.report = report;
        self.adopt_depth();
        self.dirty = true;
    }

    /// Takes over answers that came after the first drawing, and says once what has changed.
    pub(crate) fn set_late_terminal(&mut self, report: TerminalReport) {
        let before = (self.picture_form().0, self.appearance.settings.depth);
        self.set_terminal(report);
        let (form, why) = self.picture_form();
        let depth = self.appearance.settings.depth;
        let pictures = (form != before.0).then(|| format!("pictures: {}; {why}", form.name()));
        let colors = (depth != before.1).then(|| format!("colors: {}", depth.name()));
        let changes: Vec<String> = [pictures, colors].into_iter().flatten().collect();
        if !changes.is_empty() {
            self.notify(format!("the terminal answered late; {}", changes.join("; ")));
        }
    }

    /// Takes over the colors that the terminal shows by its answers.
    pub(crate) fn adopt_depth(&mut self) {
        let around = self.appearance.settings.surroundings();
        self.appearance.settings.depth = choose_depth(&self.device.report, around).0;
        self.look.theme = self.look.written.for_depth(self.depth());
    }

    /// Changes the theme.
    pub(crate) fn set_theme(&mut self, theme: Theme) {
        self.look.theme = theme.for_depth(self.depth());
        self.look.written = theme;
    }

    /// Takes over what is known of the link now.
    pub(crate) fn update_link(&mut self, link: &Link, traffic: &Traffic, now: Instant) {
        let before = self.depth();
        self.device.link.update(link, traffic, now);
        if self.depth() != before {
            self.look.theme = self.look.written.for_depth(self.depth());
        }
    }

    /// The form of pictures, and why it is this one.
    pub(crate) fn picture_form(&self) -> (PictureForm, &'static str) {
        match (self.device.chosen_form, self.appearance.settings.pictures) {
            (ChosenForm::Form(form), _) => self.possible_form(form, "chosen with a command"),
            (ChosenForm::Setting, Some(form)) => self.possible_form(form, "the setting screen.pictures"),
            _ => choose_form(&self.device.report, self.appearance.settings.surroundings()),
        }
    }

    /// These cells as the room of a picture.
    pub(crate) fn picture_room(&self, cells: Size) -> PictureRoom {
        PictureRoom::new(cells, self.picture_form().0, self.device.report.cell)
    }

    /// A form that was chosen for this reason, or half blocks where it does not get through tmux.
    fn possible_form(&self, form: PictureForm, reason: &'static str) -> (PictureForm, &'static str) {
        match possible_form(form, self.appearance.settings.surroundings()) {
            Ok(form) => (form, reason),
            Err(why) => (PictureForm::HalfBlocks, why),
        }
    }

    /// Whether frames are drawn as pictures.
    pub(crate) fn shows_pictures(&self) -> bool {
        let depth = self.appearance.settings.depth;
        match self.frame.shown_as {
            _ if self.picture_form().0 == PictureForm::Text => false,
            FrameView::Auto => depth.shows_pictures(),
            FrameView::Picture => depth != ColorDepth::None,
            FrameView::Text => false,
        }
    }
}
