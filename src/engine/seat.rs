//! Changes of seat: who decides from a step on, and until when. Then the agent before it is seated again.
//!
//! A change names the first step that it decides and the first one that it does not, so its end needs no event: the
//! newest change that covers a step says who decides it, else an older one, else the head.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::sync::mpsc;

use super::recorded_agent::RecordedAgent;
use mageyard_domain::{Action, Agent};

/// A change of seat, as its event has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Who is seated.
    #[serde(flatten)]
    pub agent: RecordedAgent,
    /// The first step that it decides, from 1.
    pub from: u32,
    /// The first step that it does not decide any more; `None` if it stays to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u32>,
}

impl Seat {
    /// Whether this step is decided by it, unless a later change says otherwise.
    pub fn covers(&self, step: u32) -> bool {
        self.from <= step && self.until.is_none_or(|until| step < until)
    }
}

/// The changes of seat of an episode, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Seats(Vec<Arc<Seat>>);

impl Seats {
    pub(super) fn add(&mut self, seat: Arc<Seat>) {
        self.0.push(seat);
    }

    /// The change that says who decides this step; `None` if that is the agent of the head.
    pub(super) fn at(&self, step: u32) -> Option<&Arc<Seat>> {
        self.0.iter().rev().find(|seat| seat.covers(step))
    }

    /// The changes that say something of this step or a later one.
    pub(super) fn lasting(&self, step: u32) -> impl Iterator<Item = &Arc<Seat>> {
        self.0.iter().filter(move |seat| seat.until.is_none_or(|until| step < until))
    }
}

/// An agent that was created to be seated.
pub struct SeatedAgent {
    /// The agent.
    pub agent: Box<dyn Agent>,
    /// Takes the actions of a person, for an agent that needs one.
    pub person: Option<mpsc::UnboundedSender<Vec<Action>>>,
}

/// An agent that a person can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatChoice {
    /// Its name.
    pub name: String,
    /// What it is, in a line.
    pub summary: String,
    /// Why it cannot be seated in this episode, if it cannot.
    pub refusal: Option<String>,
}

/// Why a seat cannot be changed now.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SeatError {
    /// Nothing has happened yet.
    #[error("the episode is not open yet; choose who decides when its first step is shown")]
    NotOpen,
    /// It is over.
    #[error("the episode is over, so nothing is decided any more; f begins a branch at an earlier step")]
    Over,
    /// The environment is busy.
    #[error("an action is running; choose who decides when it has ended")]
    Acting,
    /// A reply waits to be read.
    #[error("the reply of this step is not read yet; Enter reads it, then choose who decides")]
    Unread,
    /// A Global plan is carried out.
    #[error(
        "the plan was given at the first step, and no other request follows; f begins a branch at step 1"
    )]
    PlanGiven,
    /// The episode was opened without other agents.
    #[error("no other agent can decide in this episode")]
    NotOffered,
    /// This agent cannot be seated.
    #[error("{0}")]
    Refused(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(name: &str, from: u32, until: Option<u32>) -> Arc<Seat> {
        Arc::new(Seat { agent: RecordedAgent::named(name), from, until })
    }

    #[test]
    fn when_the_steps_of_a_seat_are_over_the_agent_before_it_is_seated_again() {
        let mut seats = Seats::default();
        let names = |seats: &Seats| -> Vec<String> {
            let name = |step| seats.at(step).map_or("-".to_owned(), |seat| seat.agent.name.clone());
            (1..=9).map(name).collect()
        };
        assert_eq!(names(&seats).concat(), "---------");
        seats.add(seat("o", 2, Some(6)));
        seats.add(seat("r", 4, Some(5)));
        assert_eq!(names(&seats).concat(), "-ooro----");
        seats.add(seat("h", 8, None));
        assert_eq!(names(&seats).concat(), "-ooro--hh");
        assert_eq!(seats.lasting(5).count(), 2, "o until step 6, and h");
    }

    #[test]
    fn a_seat_is_stored_with_the_settings_of_its_agent() {
        let text = r#"{"agent":"oracle","from":4,"until":7}"#;
        let read: Seat = serde_json::from_str(text).unwrap();
        assert_eq!(read, (*seat("oracle", 4, Some(7))).clone());
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}
