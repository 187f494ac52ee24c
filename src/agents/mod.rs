//! Whoever decides: the agents by name. They see what an [`Ask`](crate::domain::Ask) shows and nothing
//! else, and know neither the environments nor the engine.

mod faulty;
mod human;
mod idle;
mod lots;
mod model;
mod random;
mod replay;
mod spoken;

use std::sync::Arc;

use thiserror::Error;
use tokio::sync::mpsc;

use self::faulty::Faulty;
use self::human::Human;
use self::idle::Idle;
use self::model::Chat;
pub use self::model::{Keys, Wire, judge};
use self::random::Random;
use self::replay::Replay;
pub use self::replay::Script;
use self::spoken::Spoken;
use crate::domain::Action;
use crate::domain::Agent;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::Packing;
use crate::domain::Policy;
use crate::domain::nearest;

/// One row of the list of agents.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name, as flags and settings take it.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Whether it needs a person at the screen.
    pub person: bool,
}

impl Row {
    const fn new(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, person: false }
    }
}

/// Every agent.
pub const ROWS: &[Row] = &[
    Row::new("oracle", "plays a shortest solution, by the environment's solver"),
    Row::new("random", "draws uniformly from the allowed actions, by seed"),
    Row::new("idle", "does nothing: the floor of every score"),
    Row::new("faulty", "makes every known mistake of a reply, by seed, with good replies in between"),
    Row::new("model", "a multimodal model behind any server that speaks as OpenAI's does"),
    Row::new("replay", "speaks from a recording, and stops at the first request that differs"),
    Row { person: true, ..Row::new("human", "you, at the screen") },
];

/// What a seat is filled with.
#[derive(Default)]
pub struct Seating {
    /// The seed of everything random.
    pub seed: u64,
    /// What keeps the streams of different levels apart: the level's text.
    pub salt: String,
    /// The environment's best policy, if it has one.
    pub oracle: Option<Box<dyn Policy>>,
    /// The way to a model.
    pub model: Option<Wire>,
    /// The recording to speak from.
    pub script: Option<Script>,
}

/// A seat that is taken.
pub struct Seat {
    /// Who decides.
    pub agent: Box<dyn Agent>,
    /// Where a person's actions go, if a person decides.
    pub person: Option<mpsc::UnboundedSender<Vec<Action>>>,
}

/// Why a seat cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SeatError {
    /// There is no agent of this name.
    #[error("there is no agent {name:?}; {hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The nearest names, or all.
        hint: String,
    },
    /// The environment has no solver.
    #[error("this environment has no solver, so there is no oracle; take another agent")]
    NoOracle,
    /// There is no recording to speak from.
    #[error("the agent replay speaks from a recording, and none is named")]
    NoScript,
    /// The recording cannot be spoken from.
    #[error("the recording {from} cannot be replayed: {why}")]
    Script {
        /// The recording.
        from: String,
        /// What is wrong with it.
        why: String,
    },
    /// A setting of the agent is wrong.
    #[error("model.{}: {}", .0.name, .0.why)]
    Option(#[from] OptionError),
}

/// Puts the agent of this name into the seat.
pub fn seat(name: &str, seating: Seating) -> Result<Seat, SeatError> {
    let agent: Box<dyn Agent> = match name {
        "oracle" => Box::new(Spoken::deep("oracle", seating.oracle.ok_or(SeatError::NoOracle)?)),
        "random" => Box::new(Spoken::quick("random", Box::new(Random::new(seating.seed, &seating.salt)))),
        "faulty" => Box::new(Faulty::new(seating.seed, &seating.salt)),
        "idle" => Box::new(Idle),
        "model" => Box::new(Chat::new(seating.model.unwrap_or_default())?),
        "replay" => Box::new(Replay::new(seating.script.ok_or(SeatError::NoScript)?)?),
        "human" => {
            let (person, actions) = mpsc::unbounded_channel();
            return Ok(Seat { agent: Box::new(Human::new(actions)), person: Some(person) });
        }
        name => return Err(unknown(name)),
    };
    Ok(Seat { agent, person: None })
}

/// How the agent of this name with these settings packs requests; `None` for one that sends none.
pub fn packing(name: &str, options: &Options) -> Option<Arc<dyn Packing>> {
    // What an older program wrote down may no longer be good enough to be sent by.
    (name == "model").then(|| model::packing(options).ok()).flatten()
}

fn unknown(name: &str) -> SeatError {
    let names = || ROWS.iter().map(|row| row.name);
    let hint = match nearest(name, names()).as_slice() {
        [] => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    SeatError::Unknown { name: name.to_owned(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seating() -> Seating {
        Seating { seed: 1, ..Seating::default() }
    }

    #[test]
    fn every_row_can_be_seated_and_only_a_person_has_a_line() {
        for row in ROWS.iter().filter(|row| !["oracle", "model", "replay"].contains(&row.name)) {
            assert_eq!(seat(row.name, seating()).unwrap().person.is_some(), row.person, "{}", row.name);
        }
        assert_eq!(seat("oracle", seating()).err(), Some(SeatError::NoOracle));
        assert_eq!(seat("replay", seating()).err(), Some(SeatError::NoScript));
        let nameless = seat("model", seating()).err().unwrap().to_string();
        assert!(nameless.starts_with("model.name: "), "{nameless}");
    }

    #[test]
    fn a_misspelt_agent_gets_the_nearest() {
        let error = seat("orcale", seating()).err().unwrap();
        assert_eq!(error.to_string(), "there is no agent \"orcale\"; did you mean oracle?");
    }
}
