//! How a session carries out commands: at once, or, while the driver is busy, what can be done without it.

use super::SessionTask;
use crate::controller::{Controller, RunControl};
use crate::driver::{Driver, DriverError, Work};
use crate::episode::Need;
use crate::session::SessionCommand;
use crate::snapshot::Mode;
use mageyard_dialog::{PersonAnswer, PersonQuestion};
use mageyard_domain::Action;

impl SessionTask {
    /// Carries out a command while the driver is idle.
    pub(super) async fn handle(&mut self, command: SessionCommand, controller: &mut Controller) {
        self.error = None;
        self.commands += 1;
        controller.control_mut().clear_reasons();
        // These continue by hand, so the last step of the run no longer decides whether the run goes on.
        if matches!(command, SessionCommand::Step | SessionCommand::Play(_) | SessionCommand::Abandon) {
            controller.control_mut().drop_check();
        }
        match command {
            SessionCommand::Step => self.half(controller).await,
            SessionCommand::Play(actions) => self.play(actions, controller).await,
            SessionCommand::SetWindow(window) => self.change(controller, |driver| driver.set_window(window)),
            SessionCommand::SetPrompt(name) => self.change(controller, |driver| driver.set_prompt(&name)),
            SessionCommand::AddPrompt(prompt) => self.change(controller, |driver| driver.add_prompt(*prompt)),
            SessionCommand::SetHint(hint) => {
                self.change(controller, |driver| driver.set_hint(hint.as_deref()));
            }
            SessionCommand::AskAgain => self.ask_again(controller).await,
            SessionCommand::Edit(target, edit) => self.change(controller, |driver| driver.edit(target, edit)),
            SessionCommand::Seat(name, steps) => {
                self.change(controller, |driver| driver.seat(&name, steps));
                self.note_seat(controller);
            }
            SessionCommand::Answer(question, answer) => self.answer(&question, answer, controller).await,
            SessionCommand::Abandon => self.change(controller, Driver::abandon),
            command => self.handle_without_driver(command, controller.control_mut()),
        }
    }

    /// Changes the episode, unless it is over.
    fn change(
        &mut self,
        controller: &mut Controller,
        change: impl FnOnce(&mut Driver) -> Result<(), DriverError>,
    ) {
        if let Some(ending) = controller.episode().ending() {
            return self.fail_over(ending, controller.control_mut());
        }
        let changed = change(controller.driver_mut());
        self.report(changed, controller.control_mut());
    }

    /// Asks the agent again at the current step.
    async fn ask_again(&mut self, controller: &mut Controller) {
        self.change(controller, Driver::ask_again);
        if self.error.is_none() {
            self.half(controller).await;
        }
    }

    /// Plays a person's decision: asked, read and, unless it is a plan, applied.
    async fn play(&mut self, actions: Vec<Action>, controller: &mut Controller) {
        let episode = controller.episode();
        let refusal = match episode.need() {
            _ if self.person.is_none() => {
                let agent = &episode.agent().name;
                format!("the agent {agent} decides here; t lets you decide, or start with --agent human")
            }
            // A key held down repeats after the last step; the screen shows the end already.
            Need::Ask(_) | Need::Person(_) | Need::Settle | Need::Judge(_) | Need::Nothing(_) => return,
            Need::Act(action) => format!("{action} is pending: Enter applies it first"),
            _ => {
                self.decision = Some(actions);
                self.half(controller).await;
                self.decision = None;
                return;
            }
        };
        self.fail(refusal, controller.control_mut());
    }

    /// Takes the answer of a person. What follows from it is done at once; the agent is asked only while it runs.
    async fn answer(&mut self, question: &PersonQuestion, answer: PersonAnswer, controller: &mut Controller) {
        if let Err(error) = controller.answer(question, answer) {
            return self.report(Err(error), controller.control_mut());
        }
        let goes_on = !controller.episode().starts_decision() && !controller.episode().asks_person();
        let is_paused = !matches!(controller.control().mode(), Mode::Running { .. });
        if is_paused && goes_on && controller.episode().ending().is_none() {
            self.half(controller).await;
        }
    }

    /// Carries out a command that needs no driver; the others are deferred.
    fn handle_without_driver(&mut self, command: SessionCommand, control: &mut RunControl) {
        match command {
            SessionCommand::Run(left) => {
                control.run(left);
                self.last_half = None;
            }
            SessionCommand::Pause | SessionCommand::Cancel => control.pause(),
            SessionCommand::SetBreakpoints(breakpoints) => control.set_breakpoints(breakpoints),
            SessionCommand::SetPace(pace) => self.pace = pace,
            SessionCommand::Leave => self.leaving = true,
            SessionCommand::Step
            | SessionCommand::Play(_)
            | SessionCommand::SetWindow(_)
            | SessionCommand::SetPrompt(_)
            | SessionCommand::AddPrompt(_)
            | SessionCommand::Seat(..)
            | SessionCommand::SetHint(_)
            | SessionCommand::AskAgain
            | SessionCommand::Edit(..)
            | SessionCommand::Answer(..)
            | SessionCommand::Abandon => {
                self.deferred.push_back(command);
            }
        }
    }

    /// Takes a command while the driver works; true if it ends that.
    pub(super) fn handle_during(
        &mut self,
        work: Work,
        command: Option<SessionCommand>,
        control: &mut RunControl,
    ) -> bool {
        let Some(command) = command else {
            self.leaving = true;
            return true;
        };
        let deferred = self.deferred.len();
        let cancels = match work {
            Work::Open => self.handle_during_opening(command, control),
            Work::Reply { .. } | Work::Ask(_) => self.handle_during_reply(command, control),
            Work::ComeBack | Work::Act | Work::Settle | Work::Judge => {
                self.handle_during_act(command, control)
            }
        };
        self.commands += u64::from(self.deferred.len() == deferred);
        self.publish_busy(control);
        cancels
    }

    /// Takes a command while the environment acts; true if it interrupts the action.
    fn handle_during_act(&mut self, command: SessionCommand, control: &mut RunControl) -> bool {
        match command {
            SessionCommand::Step => false,
            SessionCommand::Cancel => {
                control.pause();
                true
            }
            command => self.handle_during_opening(command, control),
        }
    }

    /// Takes a command while the agent replies; true if it cancels the request.
    fn handle_during_reply(&mut self, command: SessionCommand, control: &mut RunControl) -> bool {
        match command {
            SessionCommand::Play(actions) => {
                // If the agent is a person, the request that is running is theirs.
                let unsent = match &self.person {
                    Some(person) => person.send(actions).err().map(|error| error.0),
                    None => Some(actions),
                };
                self.by_hand = unsent.is_none();
                self.deferred.extend(unsent.map(SessionCommand::Play));
                false
            }
            // The request is already in progress; a second Enter must not apply an action that was never shown.
            SessionCommand::Step => false,
            command => {
                let cancels = match command {
                    SessionCommand::Cancel | SessionCommand::Leave | SessionCommand::Abandon => true,
                    SessionCommand::Seat(..) => self.person.is_some(),
                    _ => false,
                };
                self.handle_without_driver(command, control);
                cancels
            }
        }
    }

    /// Takes a command while the level opens; true if it cancels the opening. No request is running yet, so only
    /// leaving and abandoning do.
    fn handle_during_opening(&mut self, command: SessionCommand, control: &mut RunControl) -> bool {
        let cancels = matches!(command, SessionCommand::Leave | SessionCommand::Abandon);
        self.handle_without_driver(command, control);
        cancels
    }
}
