//! How a session carries out commands: at once, or, while the driver is busy, what can be done without it.

use super::SessionTask;
use super::steps::Work;
use crate::domain::Action;
use crate::engine::breakpoints::Breakpoint;
use crate::engine::driver::Driver;
use crate::engine::driver::DriverError;
use crate::engine::episode::Need;
use crate::engine::session::SessionCommand;
use crate::engine::snapshot::Mode;

impl SessionTask {
    /// Carries out a command while the driver is idle.
    pub(super) async fn handle(&mut self, command: SessionCommand, driver: &mut Driver) {
        self.error = None;
        (self.break_reason, self.unjudged_step) = (None, None);
        // These continue by hand, so the last step of the run no longer decides whether the run goes on.
        if matches!(command, SessionCommand::Step | SessionCommand::Play(_) | SessionCommand::Abandon) {
            self.off_path_check = None;
        }
        match command {
            SessionCommand::Step => self.half(driver).await,
            SessionCommand::Play(actions) => self.play(actions, driver).await,
            SessionCommand::SetWindow(window) => self.change(driver, |driver| driver.set_window(window)),
            SessionCommand::SetPrompt(name) => self.change(driver, |driver| driver.set_prompt(&name)),
            SessionCommand::AddPrompt(prompt) => self.change(driver, |driver| driver.add_prompt(*prompt)),
            SessionCommand::Edit(target, edit) => self.change(driver, |driver| driver.edit(target, edit)),
            SessionCommand::Abandon => self.change(driver, Driver::abandon),
            command => self.handle_without_driver(command),
        }
    }

    /// Changes the episode, unless it is over.
    fn change(&mut self, driver: &mut Driver, change: impl FnOnce(&mut Driver) -> Result<(), DriverError>) {
        if let Some(ending) = driver.episode().ending() {
            return self.fail_over(ending);
        }
        let changed = change(driver);
        self.report(changed);
    }

    /// Plays a person's decision: asked, read and, unless it is a plan, applied.
    async fn play(&mut self, actions: Vec<Action>, driver: &mut Driver) {
        if self.person.is_none() {
            let agent = &driver.episode().head().agent.name;
            return self
                .fail(format!("the agent {agent} decides here; start with --agent human to play by hand"));
        }
        // A key held down repeats after the last step; the screen shows the end already.
        if driver.episode().ending().is_some() {
            return;
        }
        if let Need::Act(action) = driver.episode().need() {
            return self.fail(format!("{action} is pending: Enter applies it first"));
        }
        self.decision = Some(actions);
        self.half(driver).await;
        self.decision = None;
    }

    /// Carries out a command that needs no driver; the others are deferred.
    fn handle_without_driver(&mut self, command: SessionCommand) {
        match command {
            SessionCommand::Run(left) => {
                self.mode = Mode::Running { left };
                self.last_half = None;
            }
            SessionCommand::Pause | SessionCommand::Cancel => self.mode = Mode::Paused,
            SessionCommand::SetBreakpoints(breakpoints) => {
                self.breakpoints = breakpoints;
                self.off_path_check = self.off_path_check.filter(|_| breakpoints.has(Breakpoint::OffPath));
            }
            SessionCommand::SetPace(pace) => self.pace = pace,
            SessionCommand::Leave => self.leaving = true,
            SessionCommand::Step
            | SessionCommand::Play(_)
            | SessionCommand::SetWindow(_)
            | SessionCommand::SetPrompt(_)
            | SessionCommand::AddPrompt(_)
            | SessionCommand::Edit(..)
            | SessionCommand::Abandon => {
                self.deferred.push_back(command);
            }
        }
    }

    /// Takes a command while the driver works; true if it ends that.
    pub(super) fn handle_during(&mut self, work: Work, command: Option<SessionCommand>) -> bool {
        match work {
            Work::Open => self.handle_during_opening(command),
            Work::Reply { .. } => self.handle_during_reply(command),
            Work::ComeBack | Work::Act => self.handle_during_act(command),
        }
    }

    /// Takes a command while the environment acts; true if it interrupts the action.
    fn handle_during_act(&mut self, command: Option<SessionCommand>) -> bool {
        match command {
            Some(SessionCommand::Step) => false,
            Some(SessionCommand::Cancel) => {
                self.mode = Mode::Paused;
                true
            }
            command => self.handle_during_opening(command),
        }
    }

    /// Takes a command while the agent replies; true if it cancels the request.
    fn handle_during_reply(&mut self, command: Option<SessionCommand>) -> bool {
        match command {
            None => {
                self.leaving = true;
                true
            }
            Some(SessionCommand::Play(actions)) => {
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
            Some(SessionCommand::Step) => false,
            Some(command) => {
                let cancels = matches!(
                    command,
                    SessionCommand::Cancel | SessionCommand::Leave | SessionCommand::Abandon
                );
                self.handle_without_driver(command);
                cancels
            }
        }
    }

    /// Takes a command while the level opens; true if it cancels the opening. No request is running yet, so only
    /// leaving and abandoning do.
    fn handle_during_opening(&mut self, command: Option<SessionCommand>) -> bool {
        let Some(command) = command else {
            self.leaving = true;
            return true;
        };
        let cancels = matches!(command, SessionCommand::Leave | SessionCommand::Abandon);
        self.handle_without_driver(command);
        cancels
    }
}
