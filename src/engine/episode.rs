//! The episode: a fold over events. It does nothing itself; it says what it needs next, and changes
//! only when it is told what happened.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::VecDeque;
use std::sync::Arc;

use thiserror::Error;

use super::edit;
use super::edit::Edit;
use super::edit::EditError;
use super::event::Asking;
use super::event::Ending;
use super::event::Event;
use super::faults::Repeats;
use super::head::Head;
use super::step::Attempt;
use super::step::Effect;
use super::step::Fate;
use super::step::Step;
use crate::dialog::Failure;
use crate::dialog::Marks;
use crate::domain::Action;
use crate::domain::OnRepeating;
use crate::domain::OnUnreadable;
use crate::domain::Opening;
use crate::domain::Outcome;
use crate::domain::Reference;
use crate::domain::Reply;
use crate::domain::Returns;
use crate::domain::Sent;
use crate::domain::Setting;
use crate::domain::Spent;
use crate::domain::Status;
use crate::domain::Window;

/// Attempts within a step: the first and two retries after a parse error (`MageBench`, agent settings).
pub const ATTEMPTS: u32 = 3;

/// What an episode needs next.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// The environment is to be opened.
    Open,
    /// The agent is to be asked: which step, which attempt, both from 1.
    Decide {
        /// The step.
        step: u32,
        /// The attempt within it.
        attempt: u32,
    },
    /// This reply is to be read.
    Read(Arc<str>),
    /// The attempts are used up: the step is to end without an action.
    Pass,
    /// This action is to be carried out.
    Act(Action),
    /// Nothing: it is over.
    Nothing(Ending),
}

/// An event that cannot happen now; the episode is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the event {event:?} cannot follow here: {needed}")]
pub struct OutOfTurn {
    event: &'static str,
    needed: String,
}

/// One agent on one level, from start to end.
#[derive(Clone, Debug)]
pub struct Episode {
    head: Arc<Head>,
    need: Need,
    steps: Vec<Arc<Step>>,
    plan: VecDeque<Action>,
    planned: bool,
    reference: Option<Reference>,
    window: Window,
    prompt: String,
    mixed: bool,
    /// The request that went out and has no reply yet.
    sent: Option<(Arc<Sent>, Asking)>,
    /// Followed only where repetition ends the episode.
    repeats: Repeats,
}

impl Episode {
    /// An episode at which nothing has happened yet.
    pub fn new(head: Arc<Head>) -> Self {
        let (window, prompt) = (head.window, head.prompt.clone());
        Self {
            head,
            need: Need::Open,
            steps: Vec::new(),
            plan: VecDeque::new(),
            planned: false,
            reference: None,
            window,
            prompt,
            mixed: false,
            sent: None,
            repeats: Repeats::default(),
        }
    }

    /// What it was started with.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// What it needs next.
    pub fn need(&self) -> &Need {
        &self.need
    }

    /// Its steps, oldest first; empty before it is opened.
    pub fn steps(&self) -> &[Arc<Step>] {
        &self.steps
    }

    /// The best that can be reached, where it is known.
    pub fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()
    }

    /// The memory window for the next request.
    pub fn window(&self) -> Window {
        self.window
    }

    /// The prompt variant for the next request.
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// Whether a person intervened, so that it stays out of clean averages.
    pub fn is_mixed(&self) -> bool {
        self.mixed
    }

    /// The sums so far.
    pub fn returns(&self) -> Returns {
        self.steps.last().map(|step| step.returns).unwrap_or_default()
    }

    /// What its requests took so far.
    pub fn spent(&self) -> Spent {
        self.steps.iter().map(|step| step.spent()).sum()
    }

    /// How many steps are done.
    pub fn steps_done(&self) -> u32 {
        let open = self.steps.last().is_some_and(|step| !step.is_done());
        u32::try_from(self.steps.len() - usize::from(open)).unwrap_or(u32::MAX)
    }

    /// Why it is over, if it is.
    pub fn ending(&self) -> Option<Ending> {
        match self.need {
            Need::Nothing(ending) => Some(ending),
            _ => None,
        }
    }

    /// Whether this can happen now; asked before anything is written.
    pub fn fits(&self, event: &Event) -> Result<(), OutOfTurn> {
        let fits = match (&self.need, event) {
            (Need::Open, Event::Opened(..)) | (Need::Pass, Event::Passed) => true,
            (Need::Decide { .. }, Event::Asked | Event::Sent(..) | Event::Replied(_)) => true,
            (Need::Decide { .. }, Event::Cut(_) | Event::Stood) => true,
            (Need::Read(_), Event::Accepted(..) | Event::Planned(..) | Event::Refused(..)) => true,
            (Need::Act(due), Event::Acted(action, _)) => due == action,
            (_, Event::Edited(edit)) => self.can_edit(edit).is_ok(),
            (need, event) => can_interrupt(need, event),
        };
        let refusal =
            || OutOfTurn { event: event.name(), needed: format!("the episode needs {:?}", self.need) };
        if fits { Ok(()) } else { Err(refusal()) }
    }

    /// Takes in what happened. An event that does not meet the present need is refused and changes
    /// nothing.
    pub fn apply(&mut self, event: Event) -> Result<(), OutOfTurn> {
        self.fits(&event)?;
        match event {
            Event::Opened(opening, reference) => self.opened(opening, reference),
            Event::Asked => {}
            Event::Sent(sent, asking) => self.sent = Some((sent, asking)),
            Event::Replied(reply) => self.replied(reply),
            Event::Cut(reply) => self.cut(reply),
            Event::Stood => self.end(Ending::Stood),
            Event::Accepted(action, marks) => self.accepted(action, marks),
            Event::Planned(actions, marks) => self.planned(actions, marks),
            Event::Refused(failure, marks) => self.refused(failure, marks),
            Event::Passed => self.passed(),
            Event::Edited(edit) => self.edited(edit),
            Event::Acted(_, outcome) => self.acted(outcome),
            Event::Set(window) => self.set(window),
            Event::Prompted(prompt) => (self.prompt, self.mixed) = (prompt, true),
            Event::Expired => self.end(Ending::TimeLimit),
            Event::Exhausted => self.end(Ending::Budget),
            Event::Abandoned => self.end(Ending::Abandoned),
        }
        Ok(())
    }

    fn opened(&mut self, opening: Opening, reference: Option<Reference>) {
        self.reference = reference;
        self.steps.push(Arc::new(Step {
            number: 1,
            state: opening.observation.digest(),
            seen: opening.observation,
            space: opening.space,
            window: self.window,
            attempts: Vec::new(),
            action: None,
            edited: false,
            effect: None,
            passed: false,
            returns: Returns::default(),
            fate: Fate::default(),
        }));
        self.go_on(opening.status, false);
    }

    fn replied(&mut self, reply: Reply) {
        let attempt = Attempt::unread(reply, self.sent.take());
        self.need = Need::Read(attempt.reply.clone());
        self.attempt(attempt);
    }

    fn cut(&mut self, reply: Reply) {
        let sent = self.sent.take();
        self.attempt(Attempt { cut: true, ..Attempt::unread(reply, sent) });
    }

    fn attempt(&mut self, attempt: Attempt) {
        if let Some(step) = self.open_step() {
            step.attempts.push(attempt);
        }
    }

    fn judge(&mut self, verdict: Result<Vec<Action>, Failure>, marks: Marks) {
        if let Some(attempt) = self.newest_reply() {
            attempt.verdict = Some(verdict);
            attempt.marks = marks;
        }
    }

    fn accepted(&mut self, action: Action, marks: Marks) {
        self.judge(Ok(vec![action.clone()]), marks);
        self.due(action);
    }

    fn planned(&mut self, actions: Vec<Action>, marks: Marks) {
        self.judge(Ok(actions.clone()), marks);
        self.planned = true;
        self.plan = actions.into();
        self.next_of_plan();
    }

    fn refused(&mut self, failure: Failure, marks: Marks) {
        self.judge(Err(failure), marks);
        let counted = self.steps.last().map_or(0, |step| step.parse_errors());
        self.need = match u32::try_from(counted).unwrap_or(u32::MAX) {
            counted if counted < ATTEMPTS => self.decide(counted + 1),
            _ if self.head.setting == Setting::Global => Need::Nothing(Ending::Unreadable),
            _ if self.head.conduct.on_unreadable == OnUnreadable::End => Need::Nothing(Ending::Unreadable),
            _ => Need::Pass,
        };
    }

    fn passed(&mut self) {
        let Some(step) = self.open_step() else { return };
        step.passed = true;
        let next = Step {
            number: step.number + 1,
            attempts: Vec::new(),
            passed: false,
            action: None,
            edited: false,
            ..step.clone()
        };
        self.begin(next, Status::Running);
    }

    fn acted(&mut self, outcome: Outcome) {
        let planned = self.planned;
        let Some(step) = self.open_step() else { return };
        let state = outcome.observation.digest();
        let unchanged = step.state == state;
        step.effect = Some(Effect { reward: outcome.reward, note: outcome.note, unchanged });
        step.returns = step.returns.and(outcome.reward);
        // What a person wrote of a plan goes on; an action of one step ends with it.
        let edited = step.edited && planned;
        let next = Step {
            number: step.number + 1,
            state,
            seen: outcome.observation,
            space: outcome.space,
            attempts: Vec::new(),
            action: None,
            edited,
            effect: None,
            fate: Fate::default(),
            ..step.clone()
        };
        self.begin(next, outcome.status);
    }

    fn begin(&mut self, next: Step, status: Status) {
        let repeating = self.repeats();
        self.steps.push(Arc::new(Step { window: self.window, ..next }));
        self.go_on(status, repeating);
    }

    /// Whether the step that is done now reaches the repetition limit, where there is one.
    fn repeats(&mut self) -> bool {
        let conduct = self.head.conduct;
        let limited = conduct.on_repeating == OnRepeating::End;
        let done = self.steps.last().filter(|_| limited);
        done.is_some_and(|step| self.repeats.take(step, conduct.thresholds).is_some())
    }

    /// After an observation: what comes next.
    fn go_on(&mut self, status: Status, repeating: bool) {
        match status {
            Status::Won => self.end(Ending::Won),
            Status::Lost => self.end(Ending::Lost),
            Status::Running if repeating => self.end(Ending::Repetition),
            Status::Running if self.steps_done() >= self.head.max_steps => self.end(Ending::StepLimit),
            Status::Running if self.planned => self.next_of_plan(),
            Status::Running => self.need = self.decide(1),
        }
    }

    fn next_of_plan(&mut self) {
        match self.plan.pop_front() {
            Some(action) => self.due(action),
            None => self.end(Ending::PlanEnded),
        }
    }

    fn due(&mut self, action: Action) {
        if let Some(step) = self.open_step() {
            step.action = Some(action.clone());
        }
        self.need = Need::Act(action);
    }

    fn decide(&self, attempt: u32) -> Need {
        let step = self.steps.last().map_or(1, |step| step.number);
        Need::Decide { step, attempt }
    }

    /// What a person wrote takes the place of what was pending: a reply is to be read anew, an action waits.
    fn edited(&mut self, edit: Edit) {
        self.mixed = true;
        match edit {
            Edit::Reply(words) => {
                (self.planned, self.plan) = (false, VecDeque::new());
                if let Some(step) = self.open_step() {
                    (step.action, step.edited) = (None, false);
                }
                if let Some(attempt) = self.newest_reply() {
                    *attempt = attempt.clone().edited(&words);
                }
                self.need = Need::Read(words.into());
            }
            Edit::Actions(actions) => {
                self.plan = actions.into();
                if let Some(step) = self.open_step() {
                    step.edited = true;
                }
                self.next_of_plan();
            }
        }
    }

    /// Whether a person can edit so now; if not, why.
    pub fn can_edit(&self, edit: &Edit) -> Result<(), EditError> {
        edit::judge(self, edit)
    }

    fn set(&mut self, window: Window) {
        self.window = window;
        self.mixed = true;
        // A step that has its action was asked by the window of before.
        if !matches!(self.need, Need::Act(_))
            && let Some(step) = self.open_step()
        {
            step.window = window;
        }
    }

    fn end(&mut self, ending: Ending) {
        self.need = Need::Nothing(ending);
    }

    /// The actions of the plan that are still to come, the one that is due excluded.
    pub fn plan(&self) -> impl Iterator<Item = &Action> {
        self.plan.iter()
    }

    /// The reply that the verdict of now is about: a thought that was cut short has none.
    fn newest_reply(&mut self) -> Option<&mut Attempt> {
        self.open_step()?.attempts.iter_mut().rev().find(|attempt| !attempt.cut)
    }

    fn open_step(&mut self) -> Option<&mut Step> {
        self.steps.last_mut().map(Arc::make_mut)
    }
}

/// A person or a clock may interrupt at any need except after the end.
fn can_interrupt(need: &Need, event: &Event) -> bool {
    let interrupts = matches!(
        event,
        Event::Set(_) | Event::Prompted(_) | Event::Expired | Event::Exhausted | Event::Abandoned
    );
    interrupts && !matches!(need, Need::Nothing(_))
}
