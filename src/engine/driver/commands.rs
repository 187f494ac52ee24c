//! What a person orders of a driver. Each writes what waits before it changes anything.

use super::Driver;
use super::error::DriverError;
use crate::dialog::Prompt;
use crate::domain::Window;
use crate::engine::edit::Edit;
use crate::engine::edit::EditError;
use crate::engine::edit::EditTarget;
use crate::engine::episode::Need;
use crate::engine::event::Event;

impl Driver {
    /// Changes the prompt variant for the next request.
    pub fn set_prompt(&mut self, name: &str) -> Result<(), DriverError> {
        self.log.flush()?;
        self.participants.prompt(name)?;
        self.log.record(Event::PromptSet(name.to_owned()))
    }

    /// Adds a prompt variant that was written since, and takes it for the next request. One of the same name
    /// is replaced.
    pub fn add_prompt(&mut self, prompt: Prompt) -> Result<(), DriverError> {
        let name = prompt.name.clone();
        self.participants.add_prompt(prompt);
        self.set_prompt(&name)
    }

    /// Puts what a person wrote in the place of what is pending; a reply is then read. What was made for
    /// another spot is refused.
    pub fn edit(&mut self, meant: EditTarget, edit: Edit) -> Result<(), DriverError> {
        self.log.flush()?;
        let now = self
            .episode()
            .steps()
            .last()
            .map_or(EditTarget { step: 0, replies: 0 }, |step| EditTarget::of(step));
        if meant != now {
            return Err(EditError::Stale { meant, now }.into());
        }
        self.episode().can_edit(&edit)?;
        self.log.record(Event::Edited(edit))?;
        match self.episode().need().clone() {
            Need::Read(reply) => self.read(&reply),
            _ => Ok(()),
        }
    }

    /// Changes the memory window for the next request.
    pub fn set_window(&mut self, window: Window) -> Result<(), DriverError> {
        self.log.flush()?;
        self.log.record(Event::WindowSet(window))
    }

    /// Ends the episode because a person gives it up.
    pub fn abandon(&mut self) -> Result<(), DriverError> {
        self.log.flush()?;
        self.log.record(Event::Abandoned)
    }
}
