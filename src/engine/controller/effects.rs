//! The effects of breakpoints that let the run go on: a branch is made, or the seat is given to another agent.

use std::path::PathBuf;
use std::sync::Arc;

use super::Controller;
use crate::breakpoints::{BreakEffect, DueEffect};
use crate::services::EpisodeServices;

impl Controller {
    /// Carries out the effects that are due. One that is not possible pauses the run, and says why.
    pub(crate) async fn carry_out_effects(&mut self) {
        let effects = self.control.take_effects();
        if effects.is_empty() {
            return;
        }
        // Effects read the journal.
        let written = self.driver.flush().map_err(|error| error.to_string());
        for DueEffect { effect, step, reason } in effects {
            if let Err(why) = &written {
                self.control.note_effect(&reason, Err(why.clone()));
                continue;
            }
            let done = match effect {
                BreakEffect::Pause => continue,
                BreakEffect::Tag(name) => self.tag(step, &name),
                BreakEffect::Fork(changes) => {
                    let services =
                        self.driver.services().map(|(services, journal)| (services, journal.to_owned()));
                    fork(services, step, &changes).await
                }
                BreakEffect::Seat(name, steps) => self.seat(&name, steps),
            };
            self.control.note_effect(&reason, done);
        }
    }

    /// What effects have done since the last call, in words.
    pub fn take_break_notes(&mut self) -> Vec<String> {
        self.control.take_notes()
    }

    fn tag(&self, step: u32, name: &str) -> Result<String, String> {
        let (services, journal) = self.driver.services().ok_or("the episode is not recorded")?;
        services.tag(journal, step, name)
    }

    fn seat(&mut self, name: &str, steps: Option<u32>) -> Result<String, String> {
        self.driver.seat(name, steps).map_err(|error| error.to_string())?;
        let until = match steps {
            None => "to the end".to_owned(),
            Some(1) => "for 1 step".to_owned(),
            Some(steps) => format!("for {steps} steps"),
        };
        Ok(format!("{name} decides from the next request on, {until}"))
    }
}

/// Makes a branch of the journal at this step.
async fn fork(
    services: Option<(Arc<dyn EpisodeServices>, PathBuf)>,
    step: u32,
    changes: &str,
) -> Result<String, String> {
    let not_recorded = || "the episode is not recorded, so no branch can be made".to_owned();
    let (services, journal) = services.ok_or_else(not_recorded)?;
    let name = services.fork(&journal, step, changes).await?;
    Ok(format!("branch {name} begins at step {step}"))
}
