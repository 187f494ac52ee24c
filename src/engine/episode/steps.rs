//! How a step ends and the next one begins, or the episode is over.

use std::sync::Arc;

use super::Episode;
use super::Need;
use crate::domain::Action;
use crate::domain::OnRepeating;
use crate::domain::Opening;
use crate::domain::Outcome;
use crate::domain::Reference;
use crate::domain::Returns;
use crate::domain::Status;
use crate::engine::event::Ending;
use crate::engine::step::DeadStateCache;
use crate::engine::step::Effect;
use crate::engine::step::Step;

impl Episode {
    pub(super) fn opened(&mut self, opening: Opening, reference: Option<Reference>) {
        self.reference = reference;
        self.steps.push(Arc::new(Step {
            number: 1,
            state: opening.observation.digest(),
            observation: opening.observation,
            space: opening.space,
            window: self.window,
            attempts: Vec::new(),
            action: None,
            edited: false,
            effect: None,
            skipped: false,
            returns: Returns::default(),
            dead_state: DeadStateCache::default(),
        }));
        self.set_need_after(opening.status, false);
    }

    pub(super) fn skipped(&mut self) {
        let Some(step) = self.open_step() else { return };
        step.skipped = true;
        let next = Step {
            number: step.number + 1,
            attempts: Vec::new(),
            skipped: false,
            action: None,
            edited: false,
            ..step.clone()
        };
        self.begin_step(next, Status::Running);
    }

    pub(super) fn acted(&mut self, outcome: Outcome) {
        let planned = self.planned;
        let Some(step) = self.open_step() else { return };
        let state = outcome.observation.digest();
        let unchanged = step.state == state;
        step.effect = Some(Effect { reward: outcome.reward, note: outcome.note, unchanged });
        step.returns = step.returns.plus(outcome.reward);
        // What a person wrote of a plan goes on; an action of one step ends with it.
        let edited = step.edited && planned;
        let next = Step {
            number: step.number + 1,
            state,
            observation: outcome.observation,
            space: outcome.space,
            attempts: Vec::new(),
            action: None,
            edited,
            effect: None,
            dead_state: DeadStateCache::default(),
            ..step.clone()
        };
        self.begin_step(next, outcome.status);
    }

    fn begin_step(&mut self, next: Step, status: Status) {
        let repeating = self.reaches_repetition_limit();
        self.steps.push(Arc::new(Step { window: self.window, ..next }));
        self.set_need_after(status, repeating);
    }

    /// Whether the step that is done now reaches the repetition limit, where there is one.
    fn reaches_repetition_limit(&mut self) -> bool {
        let conduct = self.head.conduct;
        let limited = conduct.on_repeating == OnRepeating::End;
        let done = self.steps.last().filter(|_| limited);
        done.is_some_and(|step| self.repeats.push(step, conduct.thresholds).is_some())
    }

    /// After an observation: what comes next.
    fn set_need_after(&mut self, status: Status, repeating: bool) {
        match status {
            Status::Won => self.end(Ending::Won),
            Status::Lost => self.end(Ending::Lost),
            Status::Running if repeating => self.end(Ending::Repetition),
            Status::Running if self.steps_done() >= self.head.max_steps => self.end(Ending::StepLimit),
            Status::Running if self.planned => self.next_of_plan(),
            Status::Running => self.need = self.need_decision(1),
        }
    }

    pub(super) fn next_of_plan(&mut self) {
        match self.plan.pop_front() {
            Some(action) => self.set_due_action(action),
            None => self.end(Ending::PlanEnded),
        }
    }

    pub(super) fn set_due_action(&mut self, action: Action) {
        if let Some(step) = self.open_step() {
            step.action = Some(action.clone());
        }
        self.need = Need::Act(action);
    }

    pub(super) fn need_decision(&self, attempt: u32) -> Need {
        let step = self.steps.last().map_or(1, |step| step.number);
        Need::Decide { step, attempt }
    }

    pub(super) fn end(&mut self, ending: Ending) {
        self.need = Need::Nothing(ending);
    }
}
