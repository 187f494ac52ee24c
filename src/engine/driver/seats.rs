//! Changes of seat: recorded, and carried out by creating the agent that decides next.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::Driver;
use super::error::DriverError;
use crate::episode::Need;
use crate::event::Event;
use crate::person_clock::PersonClock;
use crate::recorded_agent::RecordedAgent;
use crate::seat::{Seat, SeatChoice, SeatError, SeatedAgent};
use crate::services::EpisodeServices;
use mageyard_domain::Action;

/// An agent that has taken the seat.
pub(crate) struct NewlySeated {
    /// Takes the actions of a person, if it is one.
    pub(crate) person: Option<mpsc::UnboundedSender<Vec<Action>>>,
}

impl Driver {
    /// The driver, for which the program around it does this.
    #[must_use]
    pub fn with_services(mut self, services: Arc<dyn EpisodeServices>) -> Self {
        self.services = Some(services);
        self
    }

    /// Gives the seat to the agent of this name from the next request on, for so many steps or to the end; words such as
    /// `temperature=0.7` after the name change its settings. Nothing is recorded if the agent cannot be created.
    pub fn seat(&mut self, words: &str, steps: Option<u32>) -> Result<(), DriverError> {
        self.log.flush()?;
        self.episode().can_seat()?;
        let services = self.services.as_ref().ok_or(SeatError::NotOffered)?;
        let agent = services.find_agent(words, self.episode().agent()).map_err(SeatError::Refused)?;
        let connected = agent.connected(self.episode().connection());
        let created = services.create_agent(&connected).map_err(SeatError::Refused)?;
        self.log.record(Event::Seated(self.episode().seat_of(agent.clone(), steps).into()))?;
        self.take_seat(agent, created);
        Ok(())
    }

    /// Records a change of seat as another episode has it.
    pub fn repeat_seat(&mut self, seat: Seat) -> Result<(), DriverError> {
        self.log.flush()?;
        self.log.record(Event::Seated(Arc::new(seat)))?;
        self.follow_seats()
    }

    /// All agents, each with the reason if it cannot be seated here.
    pub fn seat_choices(&self) -> Vec<SeatChoice> {
        self.services.as_ref().map_or(Vec::new(), |services| services.seat_choices())
    }

    /// The clock of a person who is to decide.
    pub(crate) fn person_clock(&self) -> Option<PersonClock> {
        let is_due =
            matches!(self.episode().need(), Need::Decide { .. }) && self.participants.agent.is_person();
        is_due.then(|| PersonClock {
            since: self.log.undecided_since(),
            before: self.episode().time_of_persons(),
        })
    }

    /// What the program around the episode does for it, and the journal.
    pub(crate) fn services(&self) -> Option<(Arc<dyn EpisodeServices>, &Path)> {
        Some((self.services.clone()?, self.log.path()?))
    }

    /// The agent that has taken the seat since the last call.
    pub(crate) fn take_newly_seated(&mut self) -> Option<NewlySeated> {
        self.newly_seated.take()
    }

    /// Creates the agent that decides next, if it is another one. A repeated recording keeps its agent.
    pub(super) fn follow_seats(&mut self) -> Result<(), DriverError> {
        let Some(services) = &self.services else { return Ok(()) };
        if *self.log.episode().agent() == self.seated {
            return Ok(());
        }
        let agent: RecordedAgent = self.log.episode().agent().clone();
        let connected = agent.connected(self.log.episode().connection());
        let created = services.create_agent(&connected).map_err(SeatError::Refused)?;
        self.take_seat(agent, created);
        Ok(())
    }

    fn take_seat(&mut self, agent: RecordedAgent, created: SeatedAgent) {
        (self.participants.agent, self.seated) = (created.agent, agent);
        self.newly_seated = Some(NewlySeated { person: created.person });
        self.asks_for_caching = self.participants.asks_for_caching();
    }
}
