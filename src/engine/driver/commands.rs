//! Commands from a person. Each writes pending events before it changes anything.

use std::sync::Arc;

use super::Driver;
use super::error::DriverError;
use crate::edit::{Edit, EditError, EditTarget};
use crate::episode::Need;
use crate::event::Event;
use mageyard_dialog::Prompt;
use mageyard_domain::{Options, Picture, Window};

impl Driver {
    /// Sets the prompt variant for the next request.
    pub fn set_prompt(&mut self, name: &str) -> Result<(), DriverError> {
        self.log.flush()?;
        self.participants.prompt(name)?;
        self.log.record(Event::PromptSet(name.to_owned()))
    }

    /// Adds a prompt variant and selects it for the next request. A variant with the same name is replaced.
    pub fn add_prompt(&mut self, prompt: Prompt) -> Result<(), DriverError> {
        let name = prompt.name.clone();
        self.participants.add_prompt(prompt);
        self.set_prompt(&name)
    }

    /// Replaces the pending reply or action with a person's edit; an edited reply is read again. An edit made for
    /// another target is refused.
    pub fn edit(&mut self, target: EditTarget, edit: Edit) -> Result<(), DriverError> {
        self.log.flush()?;
        let current = self
            .episode()
            .steps()
            .last()
            .map_or(EditTarget { step: 0, replies: 0 }, |step| EditTarget::of(step));
        if target != current {
            return Err(EditError::Stale { meant: target, now: current }.into());
        }
        self.episode().can_edit(&edit)?;
        self.log.record(Event::Edited(edit))?;
        match self.episode().need().clone() {
            Need::Read(reply) => self.read(&reply).and_then(|()| self.log.flush()),
            _ => Ok(()),
        }
    }

    /// Sets the memory window for the next request.
    pub fn set_window(&mut self, window: Window) -> Result<(), DriverError> {
        self.log.flush()?;
        self.log.record(Event::WindowSet(window))
    }

    /// Sets the hint that requests have in addition to the prompt; `None` or a blank text removes it.
    pub fn set_hint(&mut self, hint: Option<&str>) -> Result<(), DriverError> {
        self.log.flush()?;
        let hint = hint.map(str::trim).filter(|hint| !hint.is_empty());
        self.log.record(Event::HintSet(hint.map(Arc::from)))
    }

    /// Replaces settings of the connection from the next request on. The agent must have been created with them.
    pub fn set_connection(&mut self, settings: Options) -> Result<(), DriverError> {
        self.log.flush()?;
        self.log.record(Event::ConnectionSet(settings.into()))
    }

    /// Has the agent asked again at the current step. Its replies so far are kept and do not count.
    pub fn ask_again(&mut self) -> Result<(), DriverError> {
        self.log.flush()?;
        self.episode().can_ask_again()?;
        self.log.record(Event::AskedAgain)
    }

    /// Changes the state of the environment at the start of a step to the one with this text.
    pub async fn set_state(&mut self, state: &str) -> Result<(), DriverError> {
        self.log.flush()?;
        self.link.renew();
        let opening = self.participants.environment.set_state(state, &self.link.context).await?;
        self.log.record(Event::StateSet(state.into(), opening))
    }

    /// Shows the agent this PNG or JPEG image at the current step in place of the frame.
    pub fn set_frame(&mut self, image: &[u8]) -> Result<(), DriverError> {
        self.log.flush()?;
        let picture = Picture::of_file(image, &self.log.blobs())?;
        self.log.record(Event::FrameSet(picture.into()))
    }

    /// Ends the episode because a person gives it up.
    pub fn abandon(&mut self) -> Result<(), DriverError> {
        self.log.flush()?;
        self.log.record(Event::Abandoned)
    }
}
