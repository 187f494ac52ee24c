//! Performs the effects of updates: session commands, files, the clipboard, the user's editor.

use tokio::time::Instant;

use super::screen::Screen;
use crate::copy;
use crate::external_editor::{EditorOutcome, ExternalEdit, editor};
use crate::update::{Effect, Msg, update};
use mageyard_engine::SessionCommand;
use mageyard_terminal::{Canvas, ScreenError, ScreenExit, SuspendTarget};

impl<C: Canvas> Screen<'_, C> {
    /// Updates the model and performs effects; their results are messages again, until none is left.
    pub(super) fn handle_msg(&mut self, msg: Msg) -> Result<Option<ScreenExit>, ScreenError> {
        let mut due = vec![msg];
        while let Some(msg) = due.pop() {
            for effect in update(&mut self.model, msg) {
                match effect {
                    Effect::Quit => return Ok(Some(ScreenExit::Quit)),
                    Effect::Interrupt => return Ok(Some(ScreenExit::Interrupted)),
                    effect => due.extend(self.perform(effect)?),
                }
            }
        }
        Ok(None)
    }

    fn perform(&mut self, effect: Effect) -> Result<Option<Msg>, ScreenError> {
        match effect {
            Effect::Command(number, order) => return Ok(self.send_command(number, order)),
            Effect::Request(request) => self.requests.send(request),
            Effect::PlaybackTimer(delay) => self.playback_due = Some(Instant::now() + delay),
            Effect::FrameTimer(interval) => self.frame_clock.start(interval, Instant::now()),
            Effect::Mouse(on) => self.canvas.set_mouse(on)?,
            Effect::DecodeFrame => return Ok(self.decode_frame()),
            Effect::Copy(what, to) => {
                let copied = copy::copy(&self.model, what, to);
                if let Some(sequence) = copied.sequence {
                    self.canvas.write_sequence(&sequence)?;
                }
                return Ok(Some(Msg::Copied(copied.message)));
            }
            Effect::ExternalEditor(text, extension) => {
                match ExternalEdit::new(editor().as_deref(), &text, extension) {
                    Ok(handed) => self.external_edit = Some(handed),
                    Err(why) => return Ok(Some(Msg::EditorReturned(Err(why)))),
                }
            }
            Effect::CopyText(name, text) => {
                let copied = copy::copy_text(&self.model, name, &text);
                if let Some(sequence) = copied.sequence {
                    self.canvas.write_sequence(&sequence)?;
                }
                return Ok(Some(Msg::Copied(copied.message)));
            }
            Effect::Suspend => self.suspend(SuspendTarget::Job)?,
            Effect::Redraw => {
                self.canvas.clear()?;
                self.frame_cache.forget_screen();
            }
            Effect::CloseSweep => {
                self.open_cell = None;
                self.inbox.watch_sweep(None);
            }
            Effect::WatchCell(cell) => {
                if let Some(open) = &self.open_cell {
                    open.send_replace(cell);
                }
            }
            Effect::Quit | Effect::Interrupt => {}
        }
        Ok(None)
    }

    /// Sends a command; a session that has ended is marked as closed.
    fn send_command(&mut self, number: usize, order: SessionCommand) -> Option<Msg> {
        let sender = self.sessions.get(number)?.session()?.commands.as_ref()?;
        self.commands_sent += 1;
        sender.send(order).is_err().then_some(Msg::SessionClosed(number))
    }

    /// Runs the user's editor if a text is waiting for it.
    pub(super) async fn run_external_editor(&mut self) -> Result<Option<ScreenExit>, ScreenError> {
        let Some(handed) = self.external_edit.take() else { return Ok(None) };
        self.await_answers();
        if self.inbox.pause_keyboard().is_err() {
            let why = "the keyboard is still in use, so the editor cannot start: try again";
            return self.handle_msg(Msg::EditorReturned(Err(why.into())));
        }
        self.canvas.release();
        let came = handed.edit(&mut self.inbox).await;
        let text = match came {
            EditorOutcome::Signalled(exit) => return Ok(Some(exit)),
            EditorOutcome::Finished(text) => text,
        };
        self.resume()?;
        self.inbox.resume_keyboard();
        self.handle_msg(Msg::EditorReturned(text))
    }
}
