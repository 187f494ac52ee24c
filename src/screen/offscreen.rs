//! Draws the screen without a terminal, for documents and tests.

use crate::requests::Request;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use tokio::time::Instant;

use super::appearance::Appearance;
use super::keymap::parse_key;
use super::model::{EpisodeView, Model};
use super::requests::{AskOrder, SuiteOrder};
use super::update::{Effect, Msg, update};
use super::{sent_frame, view};
use mageyard_config::{LinkSetting, PictureForm};
use mageyard_domain::RequestReader;
use mageyard_engine::{Mode, Snapshot};
use mageyard_terminal::{CellWriter, FrameCache, Link, LinkProbe, Traffic, skipped_cells};

/// A screen without a terminal: it shows one episode and cannot change it.
pub struct OffscreenScreen {
    model: Model,
    frames: FrameCache,
    /// What the terminal would show.
    sent: Buffer,
    writer: CellWriter,
}

/// The terminal for which the bytes of a screen are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedTerminal {
    /// The form of pictures.
    pub form: PictureForm,
    /// How fast the link to it is.
    pub link: LinkSetting,
    /// Whether it repeats a character by a sequence (REP).
    pub repeats: bool,
}

impl OffscreenScreen {
    /// A screen of this many columns and rows that shows this snapshot.
    pub fn new(
        snapshot: Arc<Snapshot>,
        look: &Appearance,
        reader: &'static dyn RequestReader,
        (width, height): (u16, u16),
    ) -> Self {
        let live = snapshot.run.mode != Mode::Recorded;
        let episodes = vec![EpisodeView::new(snapshot, live)];
        let model = Model::new(look.clone(), reader, Size::new(width, height), episodes);
        let sent = Buffer::empty(Rect::new(0, 0, width, height));
        Self { model, frames: FrameCache::default(), sent, writer: CellWriter::default() }
    }

    /// Sets the terminal for which bytes are counted. It shows nothing yet.
    pub fn set_terminal(&mut self, terminal: CountedTerminal) {
        let CountedTerminal { form, link, repeats } = terminal;
        let settings = &mut self.model.appearance.settings;
        (settings.pictures, settings.link, settings.remote) = (Some(form), link, true);
        self.model.device.link.setting = link;
        let link = Link::new(link, true, true, LinkProbe::default());
        self.model.update_link(&link, &Traffic::default(), Instant::now());
        self.frames.set_form(form, None, true, false);
        self.frames.set_pace(link.pace());
        self.writer = CellWriter::new(repeats, false);
        self.sent.reset();
    }

    /// The bytes that the terminal gets for what has changed since the last call, in all their parts.
    pub fn send(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            self.model.prepare();
            let mut buffer = draw_model(&self.model, &mut self.frames);
            let sequences = self.frames.finish(&mut buffer);
            self.writer.forget(skipped_cells(&buffer));
            bytes.extend_from_slice(self.writer.write(self.sent.diff(&buffer).into_iter()).as_bytes());
            bytes.extend_from_slice(sequences.as_bytes());
            self.sent = buffer;
            if !self.frames.has_more() {
                return bytes;
            }
        }
    }

    /// Shows a newer snapshot of the episode.
    pub fn show(&mut self, snapshot: Arc<Snapshot>) {
        update(&mut self.model, Msg::Snapshot(0, snapshot));
    }

    /// Presses keys: letters or names, separated by spaces. Keys can navigate and open dialogs; a key that would
    /// change the session or end the program is an error.
    pub fn press(&mut self, keys: &str) -> Result<(), String> {
        keys.split_whitespace().try_for_each(|name| press_key(&mut self.model, name))
    }

    /// Draws the screen.
    pub fn draw(&mut self) -> Buffer {
        self.model.prepare();
        draw_model(&self.model, &mut self.frames)
    }
}

/// Whether an effect only reads what a dialog shows. Its answer never comes here.
fn is_look(effect: &Effect) -> bool {
    match effect {
        Effect::DecodeFrame | Effect::Request(Request::ListBranches(_)) => true,
        Effect::Request(Request::Fork(order)) => !order.is_made,
        Effect::Request(Request::Ask(order)) => !matches!(order, AskOrder::Make(_) | AskOrder::Rate(_)),
        Effect::Request(Request::Suite(order)) => !matches!(order, SuiteOrder::Make(_) | SuiteOrder::Add(_)),
        _ => false,
    }
}

fn press_key(model: &mut Model, name: &str) -> Result<(), String> {
    // As after every key on the screen.
    model.prepare();
    let key = parse_key(name)
        .ok_or_else(|| format!("there is no key {name:?}; keys are written as in keys.toml"))?;
    for effect in update(model, Msg::Key(key)) {
        if !is_look(&effect) {
            return Err(format!("the key {name} changes the session, which is not possible here"));
        }
        let decoded = sent_frame::decoding(model).map(|decoding| Box::new(decoding.decode()));
        update(model, Msg::FrameDecoded(decoded));
    }
    Ok(())
}

fn draw_model(model: &Model, frames: &mut FrameCache) -> Buffer {
    let whole = Rect::new(0, 0, model.size.width, model.size.height);
    view::prepare_frame(model, whole, frames);
    let mut buffer = Buffer::empty(whole);
    view::draw(model, frames, whole, &mut buffer);
    buffer
}

/// Draws the screen of this model.
#[cfg(test)]
pub(crate) fn render(model: &Model) -> Buffer {
    let mut model = model.clone();
    model.prepare();
    draw_model(&model, &mut FrameCache::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn drawn(keys: &str) -> Result<String, String> {
        let snapshot = testing::model_with_prompts().episodes[0].snapshot.clone();
        let look = testing::appearance("dark");
        let mut screen = OffscreenScreen::new(snapshot, &look, &testing::ListReader, (120, 40));
        screen.press(keys)?;
        Ok(screen.draw().content.iter().map(ratatui::buffer::Cell::symbol).collect())
    }

    #[test]
    fn keys_that_change_the_session_are_refused() {
        assert!(drawn("").unwrap().contains("step 7 of 50"));
        assert!(drawn("0 l R").unwrap().contains("Request of step 2, never sent"));
        assert!(drawn("s").unwrap().contains("nothing was sent at this step:"));
        for (keys, says) in
            [("R esc enter", "the key enter changes"), ("q", "the key q changes"), ("nokey", "no key")]
        {
            let why = drawn(keys).unwrap_err();
            assert!(why.contains(says), "{why}");
        }
    }
}
