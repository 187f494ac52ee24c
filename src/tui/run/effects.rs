//! What an update asks for, done: orders, files, the clipboard, the person's own editor.

use std::sync::Arc;

use super::screen::Screen;
use crate::config::Problem;
use crate::engine::Order;
use crate::engine::Snapshot;
use crate::tui::canvas::Canvas;
use crate::tui::canvas::Whom;
use crate::tui::copy;
use crate::tui::exit::Exit;
use crate::tui::exit::ScreenError;
use crate::tui::handed::Came;
use crate::tui::handed::Handed;
use crate::tui::model::Subject;
use crate::tui::shot;
use crate::tui::update::Effect;
use crate::tui::update::Msg;
use crate::tui::update::update;

impl<C: Canvas> Screen<'_, C> {
    /// Updates, and performs effects until none is left; their answers are messages again.
    pub(super) fn tell(&mut self, msg: Msg) -> Result<Option<Exit>, ScreenError> {
        let mut due = vec![msg];
        while let Some(msg) = due.pop() {
            for effect in update(&mut self.model, msg) {
                match effect {
                    Effect::Leave => return Ok(Some(Exit::Left)),
                    effect => due.extend(self.perform(effect)?),
                }
            }
        }
        Ok(None)
    }

    fn perform(&mut self, effect: Effect) -> Result<Option<Msg>, ScreenError> {
        match effect {
            Effect::Order(number, order) => return Ok(self.order(number, order)),
            Effect::Open(reference) => return Ok(Some(Msg::Opened(self.open(&reference)))),
            Effect::Reload => {
                let answer = self.house.reload();
                if let Ok(look) = &answer {
                    self.canvas.set_mouse(look.settings.mouse)?;
                }
                self.model.levels = self.house.levels();
                self.model.themes = self.house.themes();
                return Ok(Some(Msg::Reloaded(Box::new(answer))));
            }
            Effect::Theme(name) => return Ok(Some(Msg::Themed(Box::new(self.house.theme(&name))))),
            Effect::Develop => return Ok(Some(Msg::Developed(shot::develop(&self.model).map(Box::new)))),
            Effect::Copy(what, to) => {
                let copied = copy::copy(&self.model, what, to);
                if let Some(sequence) = copied.sequence {
                    self.canvas.tell(&sequence)?;
                }
                return Ok(Some(Msg::Copied(copied.said)));
            }
            Effect::Draft { environment, from } => {
                let answer = self.house.draft(&environment, &from);
                return Ok(Some(Msg::Drafted(Subject::Prompt { environment, from }, answer)));
            }
            Effect::Keep { environment, text } => {
                return Ok(Some(Msg::Kept(Box::new(self.house.keep(&environment, &text)))));
            }
            Effect::Hand(text, extension) => {
                match Handed::new(self.house.editor().as_deref(), &text, extension) {
                    Ok(handed) => self.handed = Some(handed),
                    Err(why) => return Ok(Some(Msg::Returned(Err(why)))),
                }
            }
            Effect::Suspend => self.suspend(Whom::Job)?,
            Effect::Redraw => self.canvas.clear()?,
            Effect::Leave => {}
        }
        Ok(None)
    }

    /// An order to a session that has ended by itself closes it.
    fn order(&mut self, number: usize, order: Order) -> Option<Msg> {
        let sender = self.sessions.get(number)?.orders.as_ref()?;
        sender.send(order).is_err().then_some(Msg::Closed(number))
    }

    fn open(&mut self, reference: &str) -> Result<Arc<Snapshot>, Problem> {
        let session = self.house.open(reference)?;
        Ok(self.seat(session))
    }

    /// Gives the terminal to the person's own editor, if a text is meant for it, until it ends.
    pub(super) async fn hand_over(&mut self) -> Result<Option<Exit>, ScreenError> {
        let Some(handed) = self.handed.take() else { return Ok(None) };
        if self.inbox.stop_keys().is_err() {
            let why = "the keyboard is still being read, so no editor can have it: try again";
            return self.tell(Msg::Returned(Err(why.into())));
        }
        self.canvas.release();
        let came = handed.edit(&mut self.inbox).await;
        let text = match came {
            Came::Out(exit) => return Ok(Some(exit)),
            Came::Back(text) => text,
        };
        self.resume()?;
        self.inbox.go_on_with_keys();
        self.tell(Msg::Returned(text))
    }
}
