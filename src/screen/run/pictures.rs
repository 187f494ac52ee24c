//! Pictures are made beside the event loop: scaled and encoded by a thread, loaded and decoded by a task. What is quick is
//! waited for, so that it is drawn at once; no key waits longer than that.

use std::io;
use std::sync::mpsc;
use std::time::Duration;

use tokio::sync::mpsc::unbounded_channel;
use tokio::task::spawn_blocking;

use super::screen::Screen;
use crate::inbox::PictureNews;
use crate::sent_frame;
use crate::update::Msg;
use mageyard_terminal::{Canvas, ScreenError, ScreenExit};

/// How long a drawing waits for its pictures.
pub(super) const ENCODING_PATIENCE: Duration = Duration::from_millis(8);
/// How long a key waits for the frame as sent.
const DECODING_PATIENCE: Duration = Duration::from_millis(4);

impl<C: Canvas> Screen<'_, C> {
    /// Makes pictures beside the event loop from now on; a drawing waits at most so long for them.
    ///
    /// # Errors
    ///
    /// The thread cannot be started.
    pub(super) fn make_pictures_beside(&mut self, patience: Duration) -> io::Result<()> {
        let (news, received) = unbounded_channel();
        let tell = news.clone();
        self.frame_cache.encode_beside(patience, move || {
            // The screen may be gone.
            let _ = tell.send(PictureNews::Encoded);
        })?;
        self.inbox.set_picture_news(received);
        self.picture_news = Some(news);
        Ok(())
    }

    /// Takes a picture that was made.
    pub(super) fn take_picture(&mut self, news: PictureNews) -> Result<Option<ScreenExit>, ScreenError> {
        match news {
            // The next drawing takes it, and may want others than the last one.
            PictureNews::Encoded if self.model.dirty => Ok(None),
            PictureNews::Encoded => {
                self.model.dirty = self.frame_cache.take_finished();
                Ok(None)
            }
            PictureNews::Decoded(frame) => self.handle_msg(Msg::FrameDecoded(Some(frame))),
        }
    }

    /// Loads and decodes the frame as sent. Its message comes now, or later as news.
    pub(super) fn decode_frame(&self) -> Option<Msg> {
        let Some(decoding) = sent_frame::decoding(&self.model) else { return Some(Msg::FrameDecoded(None)) };
        let Some(news) = self.picture_news.clone() else {
            return Some(Msg::FrameDecoded(Some(Box::new(decoding.decode()))));
        };
        // Of no size: what is not received in time is given back.
        let (quick, received) = mpsc::sync_channel(0);
        spawn_blocking(move || {
            if let Err(late) = quick.send(Box::new(decoding.decode())) {
                // The screen may be gone.
                let _ = news.send(PictureNews::Decoded(late.0));
            }
        });
        received.recv_timeout(DECODING_PATIENCE).ok().map(|frame| Msg::FrameDecoded(Some(frame)))
    }
}
