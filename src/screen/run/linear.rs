//! The event loop of the linear mode. Messages, effects and the model are those of the full screen; in place of
//! drawing, it prints what has changed.

use std::collections::VecDeque;
use std::io::{IsTerminal, Stdout};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use super::screen::Screen;
use super::spec::ScreenSpec;
use crate::appearance::Appearance;
use crate::home;
use crate::inbox::{Inbox, InboxEvent, ScreenSignal};
use crate::linear::{LineDecoder, LinearOutput, Narrator, Reading, close_what_was_read};
use crate::model::{EpisodeView, Modal, View};
use crate::requests::LabLink;
use crate::sweep::SweepNarrator;
use crate::update::Msg;
use mageyard_terminal::{ScreenError, ScreenExit, spawn_keyboard};

/// How long a command of a script waits for its first effect before the next one is read.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(2);

/// What is printed first.
const GREETING: &str = "Mageyard in lines: type a command and press Enter. An empty line does the next half of a step, \
help lists the commands, quit leaves.";

/// Shows the sessions as lines on standard output until the user quits. Commands are lines of standard input.
pub(super) async fn run(
    link: LabLink,
    spec: ScreenSpec,
    look: Appearance,
    changes: UnboundedReceiver<()>,
) -> Result<ScreenExit, ScreenError> {
    let mut inbox = Inbox::new(Box::pin(futures_util::stream::pending()), changes);
    inbox.listen_to_signals()?;
    inbox.set_terminal_events(spawn_keyboard(LineDecoder::default(), Vec::new())?);
    let mut output: LinearOutput<Stdout> = LinearOutput::new(std::io::stdout());
    if spec.sweep.is_none() && !spec.home {
        output.print(&[GREETING.to_owned()])?;
    }
    let screen = Screen::new(link, spec, look, inbox, &mut output)?;
    let is_script = !std::io::stdin().is_terminal();
    let mut lines = LinearScreen::new(screen, is_script);
    let exit = lines.event_loop().await;
    Box::pin(lines.screen.leave(exit)).await
}

/// The linear mode while it runs.
pub(super) struct LinearScreen<'a, W: std::io::Write> {
    screen: Screen<'a, LinearOutput<W>>,
    narrator: Narrator,
    sweep: SweepNarrator,
    /// Lines that were read and not performed yet.
    lines: VecDeque<String>,
    /// Whether a line waits until the one before it is done: the input is no person.
    is_script: bool,
    /// When the last command of a script counts as done even if nothing has come of it.
    settled: Option<Instant>,
    /// How many commands the shown session had carried out before the last line.
    carried_out: u64,
    has_ended: bool,
}

impl<'a, W: std::io::Write> LinearScreen<'a, W> {
    pub(super) fn new(screen: Screen<'a, LinearOutput<W>>, is_script: bool) -> Self {
        let narrator = Narrator::default();
        let sweep = SweepNarrator::default();
        let lines = VecDeque::new();
        Self { screen, narrator, sweep, lines, is_script, settled: None, carried_out: 0, has_ended: false }
    }

    pub(super) async fn event_loop(&mut self) -> Result<ScreenExit, ScreenError> {
        loop {
            self.tell()?;
            while let Some(line) = self.next_line() {
                if let Some(exit) = self.enter(&line).await? {
                    return Ok(exit);
                }
            }
            if self.has_ended && self.lines.is_empty() && self.is_settled() {
                return Ok(ScreenExit::Quit);
            }
            let due = [self.settled, self.map_due()].into_iter().flatten().min();
            let batch = self.screen.next_batch(due).await;
            for event in batch {
                if let Some(exit) = self.handle(event)? {
                    return Ok(exit);
                }
                if let Some(exit) = self.screen.run_external_editor().await? {
                    return Ok(exit);
                }
                self.tell()?;
            }
            if let Some(exit) = self.screen.pass_time()? {
                return Ok(exit);
            }
        }
    }

    fn handle(&mut self, event: InboxEvent) -> Result<Option<ScreenExit>, ScreenError> {
        match event {
            InboxEvent::Line(line) => self.lines.push_back(line),
            InboxEvent::TerminalClosed => self.has_ended = true,
            InboxEvent::Signal(ScreenSignal::Interrupt) => {
                self.narrator.line_entered();
                self.lines.clear();
                let exit = self.screen.handle_msg(Msg::Interrupted)?;
                return Ok(exit.map(|_| ScreenExit::Interrupted));
            }
            event => {
                match &event {
                    InboxEvent::Msg(Msg::Snapshot(_, snapshot))
                        if snapshot.run.commands > self.carried_out =>
                    {
                        self.settled = None;
                    }
                    InboxEvent::Msg(Msg::SessionClosed(_)) => self.settled = None,
                    _ => {}
                }
                return self.screen.handle(event);
            }
        }
        Ok(None)
    }

    /// The next line that can be performed now.
    fn next_line(&mut self) -> Option<String> {
        let waits = self.is_script && (!self.is_settled() || self.map_due().is_some());
        if waits { None } else { self.lines.pop_front() }
    }

    /// Until when the next line of a script waits for the maps of a sweep.
    fn map_due(&self) -> Option<Instant> {
        let sweep = self.screen.model.shown_sweep().filter(|_| self.is_script)?;
        self.sweep.waits_for_map(sweep, self.lines.front())
    }

    /// Whether everything that was commanded is done.
    fn is_settled(&self) -> bool {
        let is_busy = |viewed: &EpisodeView| {
            let opens = viewed.live
                && viewed.step().is_none()
                && !viewed.is_over()
                && viewed.snapshot.run.error.is_none();
            viewed.live && (viewed.is_busy() || viewed.remaining_halves.is_some())
                || opens
                || viewed.playback.is_some()
        };
        let waits = self.settled.is_some_and(|due| due > Instant::now());
        let model = &self.screen.model;
        let loads = model.awaited.comparison.is_some();
        let opens = match &model.modal {
            Some(Modal::Episodes(list)) => list.opening.is_some(),
            Some(Modal::SweepForm(form)) => form.is_waiting(),
            Some(Modal::Found(list)) => list.is_searching() || list.is_opening || list.is_collecting,
            Some(Modal::Grid(grid)) => grid.is_planning(),
            Some(Modal::Models(sheet)) => sheet.is_waiting(),
            Some(Modal::Readers(sheet)) => sheet.is_waiting(),
            Some(Modal::Workshop(sheet)) => sheet.is_waiting(),
            _ => false,
        };
        !waits
            && !self.screen.requests.is_waiting()
            && !model.sweep.as_ref().is_some_and(|sweep| sweep.is_waiting())
            && !opens
            && !loads
            && model.awaited.episode.is_none()
            && model.awaited.lesson.is_none()
            && !self.screen.model.episode().is_some_and(is_busy)
    }

    async fn enter(&mut self, line: &str) -> Result<Option<ScreenExit>, ScreenError> {
        self.narrator.line_entered();
        let model = &self.screen.model;
        let reads = model.modal.is_none() && model.view() == View::Episode;
        let reading = Reading::of(line).filter(|_| reads);
        if let Some(reading) = reading {
            return self.read(reading).map(|()| None);
        }
        let sent = self.screen.commands_sent;
        self.carried_out = self.screen.model.episode().map_or(0, |viewed| viewed.snapshot.run.commands);
        if let Some(exit) = self.screen.handle_msg(Msg::Line(line.to_owned()))? {
            return Ok(Some(exit));
        }
        self.settled = (self.screen.commands_sent != sent).then(|| Instant::now() + COMMAND_TIMEOUT);
        if let Some(exit) = self.screen.run_external_editor().await? {
            return Ok(Some(exit));
        }
        let has_told = self.tell()?;
        let model = &self.screen.model;
        let waits =
            self.screen.requests.is_waiting() || model.sweep.as_ref().is_some_and(|sweep| sweep.is_waiting());
        if !has_told && self.settled.is_none() && !waits {
            // Silence would leave a listener in doubt.
            self.screen.canvas.print(&["Note: nothing has changed".to_owned()])?;
        }
        Ok(None)
    }

    /// Prints a pane, which gets the focus as on the full screen, or the status.
    fn read(&mut self, reading: Reading) -> Result<(), ScreenError> {
        if let Reading::Pane(pane) = reading {
            let command = format!("focus-{}", pane.name().to_lowercase());
            self.screen.handle_msg(Msg::Line(command))?;
            self.narrator.was_read(pane);
        }
        self.screen.model.prepare();
        self.screen.canvas.print(&reading.lines(&self.screen.model))?;
        self.tell()?;
        Ok(())
    }

    /// Prints what has changed; false if nothing has.
    fn tell(&mut self) -> Result<bool, ScreenError> {
        if self.screen.canvas.take_cleared() {
            self.narrator.forget();
        }
        self.screen.model.prepare();
        let model = &mut self.screen.model;
        let lines = match model.view() {
            View::Sweep => {
                let news = model.sweep.as_deref_mut().map(|sweep| self.sweep.news(sweep)).unwrap_or_default();
                [news, self.narrator.notices(model), self.narrator.question(model)].concat()
            }
            View::Home => {
                let news = model.home.as_deref_mut().map(home::news).unwrap_or_default();
                [news, self.narrator.notices(model), self.narrator.question(model)].concat()
            }
            View::Episode => self.narrator.news(model),
        };
        self.screen.canvas.print(&lines)?;
        close_what_was_read(&mut self.screen.model);
        Ok(!lines.is_empty())
    }
}
