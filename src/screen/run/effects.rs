//! Performs the effects of updates: session commands, files, the clipboard, the user's editor.

use std::sync::Arc;

use tokio::time::Instant;

use super::screen::Screen;
use crate::external_editor::{EditorOutcome, ExternalEdit};
use crate::model::EditSubject;
use crate::update::{Effect, Msg, update};
use crate::{copy, sent_frame};
use mageyard_config::Problem;
use mageyard_engine::{SessionCommand, Snapshot};
use mageyard_terminal::{Canvas, ScreenError, ScreenExit, SuspendTarget};

impl<C: Canvas> Screen<'_, C> {
    /// Updates the model and performs effects; their results are messages again, until none is left.
    pub(super) fn handle_msg(&mut self, msg: Msg) -> Result<Option<ScreenExit>, ScreenError> {
        let mut due = vec![msg];
        while let Some(msg) = due.pop() {
            for effect in update(&mut self.model, msg) {
                match effect {
                    Effect::Quit => return Ok(Some(ScreenExit::Quit)),
                    effect => due.extend(self.perform(effect)?),
                }
            }
        }
        Ok(None)
    }

    fn perform(&mut self, effect: Effect) -> Result<Option<Msg>, ScreenError> {
        match effect {
            Effect::Command(number, order) => return Ok(self.send_command(number, order)),
            Effect::Open(reference) => return Ok(Some(Msg::Opened(self.open(&reference)))),
            Effect::Restart(number) => return Ok(self.restart(number).map(Msg::Opened)),
            Effect::PlaybackTimer(delay) => self.playback_due = Some(Instant::now() + delay),
            Effect::FrameTimer(interval) => self.frame_clock.start(interval, Instant::now()),
            Effect::Reload => {
                let answer = self.host.reload();
                self.model.levels = self.host.levels();
                self.model.themes = self.host.themes();
                return Ok(Some(Msg::Reloaded(Box::new(answer))));
            }
            Effect::Theme(name) => return Ok(Some(Msg::Themed(Box::new(self.host.theme(&name))))),
            Effect::Mouse(on) => self.canvas.set_mouse(on)?,
            Effect::DecodeFrame => {
                return Ok(Some(Msg::FrameDecoded(sent_frame::decode(&self.model).map(Box::new))));
            }
            Effect::Copy(what, to) => {
                let copied = copy::copy(&self.model, what, to);
                if let Some(sequence) = copied.sequence {
                    self.canvas.write_sequence(&sequence)?;
                }
                return Ok(Some(Msg::Copied(copied.message)));
            }
            Effect::NewPromptText { environment, from } => {
                let answer = self.host.new_prompt_text(&environment, &from);
                return Ok(Some(Msg::PromptTextReady(EditSubject::Prompt { environment, from }, answer)));
            }
            Effect::SavePrompt { environment, text } => {
                return Ok(Some(Msg::PromptSaved(Box::new(self.host.save_prompt(&environment, &text)))));
            }
            Effect::ExternalEditor(text, extension) => {
                match ExternalEdit::new(self.host.editor().as_deref(), &text, extension) {
                    Ok(handed) => self.external_edit = Some(handed),
                    Err(why) => return Ok(Some(Msg::EditorReturned(Err(why)))),
                }
            }
            Effect::ListSessions => self.host.list_sessions(),
            Effect::OpenRecorded(name) => self.host.open_recorded(&name),
            Effect::OpenTutorial => self.host.open_tutorial(),
            Effect::ListBranches(journal) => self.host.list_branches(&journal),
            Effect::Fork(order) => self.host.fork(order),
            Effect::AskOracle(number) => self.ask_oracle(number),
            Effect::ReadBreakpoints(text) => self.host.read_breakpoints(&text),
            Effect::OpenJournal(journal) => self.host.open_journal(&journal),
            Effect::ContinueJournal(journal) => self.host.continue_journal(&journal),
            Effect::LoadRecording(wanted) => self.host.load_recording(wanted),
            Effect::CopyText(name, text) => {
                let copied = copy::copy_text(&self.model, name, &text);
                if let Some(sequence) = copied.sequence {
                    self.canvas.write_sequence(&sequence)?;
                }
                return Ok(Some(Msg::Copied(copied.message)));
            }
            Effect::Find(number, condition) => self.host.find(number, &condition),
            Effect::FindPartings(number, journal) => self.host.find_partings(number, &journal),
            Effect::Ask(order) => self.host.ask(order),
            Effect::Suite(order) => self.host.order_suite(order),
            Effect::StopFinding => self.host.stop_finding(),
            Effect::Annotate(order) => {
                let answer = self.host.annotate(&order);
                return Ok(Some(Msg::Annotated(order, answer)));
            }
            Effect::Suspend => self.suspend(SuspendTarget::Job)?,
            Effect::Redraw => {
                self.canvas.clear()?;
                self.frame_cache.forget_screen();
            }
            Effect::Quit => {}
        }
        Ok(None)
    }

    fn ask_oracle(&mut self, number: u32) {
        let Some(snapshot) = self.model.episode().map(|viewed| viewed.snapshot.clone()) else { return };
        if let Some(step) = snapshot.steps.numbered(number) {
            self.host.ask_oracle(&snapshot.head.environment, step.clone());
        }
    }

    /// Sends a command; a session that has ended is marked as closed.
    fn send_command(&mut self, number: usize, order: SessionCommand) -> Option<Msg> {
        let sender = self.sessions.get(number)?.session()?.commands.as_ref()?;
        self.commands_sent += 1;
        sender.send(order).is_err().then_some(Msg::SessionClosed(number))
    }

    fn open(&mut self, reference: &str) -> Result<Arc<Snapshot>, Problem> {
        let session = self.host.open(reference)?;
        Ok(self.add_session(session))
    }

    fn restart(&mut self, number: usize) -> Option<Result<Arc<Snapshot>, Problem>> {
        let head = self.model.episodes.get(number)?.snapshot.head.clone();
        Some(self.host.restart(&head).map(|session| self.add_session(session)))
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
