//! Seats: who decides the next request, and whether that can be changed now.

use std::sync::Arc;

use super::{Episode, Need};
use crate::recorded_agent::RecordedAgent;
use crate::seat::{Seat, SeatError};
use crate::side::RecordedRole;
use mageyard_dialog::PersonQuestion;
use mageyard_domain::ModelTotals;

impl Episode {
    /// The change of seat that says who decides the next request; `None` if that is the agent of the head.
    pub fn seat(&self) -> Option<&Arc<Seat>> {
        self.seats.at(self.next_request())
    }

    /// Who decides the next request.
    pub fn agent(&self) -> &RecordedAgent {
        self.seat().map_or(&self.agent, |seat| &seat.agent)
    }

    /// The changes of seat that are not over.
    pub fn lasting_seats(&self) -> impl Iterator<Item = &Arc<Seat>> {
        self.seats.lasting(self.next_request())
    }

    /// Whether the seat can be changed now; if not, why.
    pub fn can_seat(&self) -> Result<(), SeatError> {
        match self.need {
            Need::Open | Need::Person(PersonQuestion::Allow(_)) => Err(SeatError::NotOpen),
            Need::Judge(_) | Need::Nothing(_) => Err(SeatError::Over),
            Need::Ask(_) | Need::Settle if self.end_of_play().is_some() => Err(SeatError::Over),
            Need::Finish(_) | Need::Look | Need::Settle => Err(SeatError::Acting),
            Need::Read(_) => Err(SeatError::Unread),
            Need::Act(_) | Need::Person(_) if self.planned => Err(SeatError::PlanGiven),
            Need::Act(_) | Need::Person(_) | Need::Decide { .. } | Need::Ask(_) | Need::Skip => Ok(()),
        }
    }

    /// The seat of this agent from the next request on, for so many steps or to the end.
    pub(crate) fn seat_of(&self, agent: RecordedAgent, steps: Option<u32>) -> Seat {
        let from = self.next_request();
        Seat { agent, from, until: steps.map(|steps| from.saturating_add(steps.max(1))) }
    }

    /// The step of the next request: the current one, unless it has its action already.
    fn next_request(&self) -> u32 {
        let step = self.steps.last().map_or(1, |step| step.number);
        step + u32::from(matches!(self.need, Need::Act(_) | Need::Person(_) | Need::Finish(_) | Need::Skip))
    }

    /// Who decides the step after the current one.
    pub(super) fn next_agent(&self) -> Arc<RecordedAgent> {
        let next = self.steps.last().map_or(1, |step| step.number + 1);
        let Some(seat) = self.seats.at(next) else { return self.agent.clone() };
        let now = self.steps.last().map(|step| &step.agent).filter(|agent| ***agent == seat.agent);
        now.cloned().unwrap_or_else(|| Arc::new(seat.agent.clone()))
    }

    /// The tokens by model; empty if all were spent on that of the head. A request without a reply is not among them.
    pub fn models(&self) -> Vec<ModelTotals> {
        let is_same = |role: &RecordedRole| role.agent.model == self.head.agent.model;
        if !self.several_models && self.head.roles.values().all(is_same) {
            return Vec::new();
        }
        let mut all: Vec<ModelTotals> = Vec::new();
        for step in &self.steps {
            ModelTotals::add(&mut all, step.agent.model.as_deref(), step.spent_on_attempts());
        }
        for role in self.roles().values() {
            ModelTotals::add(&mut all, role.model.as_deref(), role.spent);
        }
        all
    }

    /// Takes note of an agent that decides in place of that of the head.
    pub(super) fn note_model(&mut self, agent: &RecordedAgent) {
        self.several_models |= agent.model != self.head.agent.model;
    }

    pub(super) fn accepts_seat(&self, seat: &Seat) -> bool {
        self.can_seat().is_ok()
            && seat.from == self.next_request()
            && seat.until.is_none_or(|until| until > seat.from)
    }

    pub(super) fn seated(&mut self, seat: Arc<Seat>) {
        self.note_model(&seat.agent);
        let from = seat.from;
        let agent = Arc::new(seat.agent.clone());
        self.seats.add(seat);
        if let Some(step) = self.open_step().filter(|step| step.number == from) {
            step.agent = agent;
        }
    }
}
