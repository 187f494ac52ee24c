//! What a person orders of a driver. Each writes what waits before it changes anything.

use super::Driver;
use super::error::DriveError;
use crate::dialog::Prompt;
use crate::domain::Window;
use crate::engine::edit::Edit;
use crate::engine::edit::EditError;
use crate::engine::edit::Spot;
use crate::engine::episode::Need;
use crate::engine::event::Event;

impl Driver {
    /// Changes the prompt variant for the next request.
    pub fn prompt(&mut self, name: &str) -> Result<(), DriveError> {
        self.journaled.write()?;
        self.cast.prompt(name)?;
        self.journaled.happen(Event::Prompted(name.to_owned()))
    }

    /// Adds a prompt variant that was written since, and takes it for the next request. One of the same name
    /// is replaced.
    pub fn write_prompt(&mut self, prompt: Prompt) -> Result<(), DriveError> {
        let name = prompt.name.clone();
        self.cast.add(prompt);
        self.prompt(&name)
    }

    /// Puts what a person wrote in the place of what is pending; a reply is then read. What was made for
    /// another spot is refused.
    pub fn edit(&mut self, meant: Spot, edit: Edit) -> Result<(), DriveError> {
        self.journaled.write()?;
        let now = self.episode().steps().last().map_or(Spot { step: 0, replies: 0 }, |step| Spot::of(step));
        if meant != now {
            return Err(EditError::Moved { meant, now }.into());
        }
        self.episode().can_edit(&edit)?;
        self.journaled.happen(Event::Edited(edit))?;
        match self.episode().need().clone() {
            Need::Read(reply) => self.read(&reply),
            _ => Ok(()),
        }
    }

    /// Changes the memory window for the next request.
    pub fn set(&mut self, window: Window) -> Result<(), DriveError> {
        self.journaled.write()?;
        self.journaled.happen(Event::Set(window))
    }

    /// Ends the episode because a person gives it up.
    pub fn abandon(&mut self) -> Result<(), DriveError> {
        self.journaled.write()?;
        self.journaled.happen(Event::Abandoned)
    }
}
