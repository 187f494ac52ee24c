//! The event loop of the dashboard: it sleeps until a key, a signal or a new view arrives.

use crossterm::event::KeyEventKind;
use ratatui::layout::Rect;
use tokio::sync::mpsc::unbounded_channel;

use super::content::{Content, DashboardSources};
use super::draw::{Look, draw};
use super::state::{DashboardState, Outcome};
use crate::appearance::Appearance;
use crate::inbox::{Inbox, InboxEvent, ScreenSignal};
use crate::keymap::Keymap;
use crate::requests::{LabLink, Requests};
use crate::update::Msg;
use mageyard_terminal::{
    Canvas, ScreenError, ScreenExit, SuspendTarget, Terminal, TerminalInput, TerminalReport, Theme,
    choose_depth, spawn_keyboard,
};

/// Why the dashboard was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DashboardExit {
    /// As any screen.
    Exit(ScreenExit),
    /// To show an episode: the index of its cell, and its folder in the session of the cell.
    Show(usize, String),
}

/// Takes over the terminal and shows the newest content until the user leaves.
pub(super) async fn run(
    sources: &mut DashboardSources,
    state: &mut DashboardState,
    look: &Appearance,
) -> Result<DashboardExit, ScreenError> {
    if !Terminal::is_available() {
        return Err(ScreenError::NoTerminal);
    }
    // Signals first: a signal during the terminal setup must still restore the terminal.
    let (_, no_files) = unbounded_channel();
    let mut inbox = Inbox::new(Box::pin(futures_util::stream::pending()), no_files);
    inbox.listen_to_signals()?;
    let mut terminal = Terminal::take(false, look.settings.console, look.settings.assumed_size)?;
    inbox.set_terminal_events(spawn_keyboard(TerminalInput::default(), Vec::new())?);
    let (depth, _) = choose_depth(&TerminalReport::default(), look.settings.surroundings());
    let theme = look.theme.for_depth(depth);
    let exit = Dashboard { canvas: &mut terminal, inbox, state, theme, keys: &look.keys }.run(sources).await;
    terminal.release();
    exit
}

struct Dashboard<'a, C> {
    canvas: &'a mut C,
    inbox: Inbox,
    state: &'a mut DashboardState,
    theme: Theme,
    keys: &'a Keymap,
}

impl<C: Canvas> Dashboard<'_, C> {
    async fn run(mut self, sources: &mut DashboardSources) -> Result<DashboardExit, ScreenError> {
        let mut requests = Requests::new(LabLink::new().0);
        loop {
            sources.open(self.state.open_cell());
            let content = sources.newest();
            self.draw(&content)?;
            let arrivals = tokio::select! {
                arrivals = self.inbox.next_batch(&mut requests) => arrivals,
                () = sources.changed() => continue,
            };
            for arrival in arrivals {
                if let Some(exit) = self.handle(&arrival, &content)? {
                    return Ok(exit);
                }
            }
            if self.canvas.has_panicked() {
                return Err(ScreenError::Panicked);
            }
        }
    }

    fn draw(&mut self, content: &Content) -> Result<(), ScreenError> {
        let Self { canvas, state, theme, keys, .. } = self;
        let look = Look { theme, keys: keys.dashboard() };
        canvas.draw(&mut |area: Rect, buffer| draw(content, state, look, area, buffer))?;
        Ok(())
    }

    fn handle(
        &mut self,
        arrival: &InboxEvent,
        content: &Content,
    ) -> Result<Option<DashboardExit>, ScreenError> {
        let exit = |exit| Ok(Some(DashboardExit::Exit(exit)));
        match arrival {
            InboxEvent::Msg(Msg::Key(key)) if key.kind != KeyEventKind::Release => {
                match self.state.press(*key, self.keys.dashboard(), content) {
                    Outcome::Draw => {}
                    Outcome::Show(cell, folder) => return Ok(Some(DashboardExit::Show(cell, folder))),
                    Outcome::Quit => return exit(ScreenExit::Quit),
                    Outcome::Interrupt => return exit(ScreenExit::Interrupted),
                    Outcome::Suspend => {
                        self.canvas.suspend(SuspendTarget::Job)?;
                        self.canvas.resume()?;
                    }
                    Outcome::Redraw => self.canvas.clear()?,
                }
            }
            InboxEvent::Signal(ScreenSignal::Interrupt) => return exit(ScreenExit::Interrupted),
            InboxEvent::Signal(ScreenSignal::Terminate) => return exit(ScreenExit::Terminated),
            InboxEvent::Signal(ScreenSignal::HangUp) | InboxEvent::TerminalClosed => {
                return exit(ScreenExit::HungUp);
            }
            InboxEvent::Signal(ScreenSignal::Stop) => self.canvas.suspend(SuspendTarget::Process)?,
            InboxEvent::Signal(ScreenSignal::Continue) => self.canvas.resume()?,
            // The next drawing has the new size.
            InboxEvent::Msg(_)
            | InboxEvent::Line(_)
            | InboxEvent::Answered(_)
            | InboxEvent::TerminalReady
            | InboxEvent::LateAnswer(_)
            | InboxEvent::Signal(ScreenSignal::Resize) => {}
        }
        Ok(None)
    }
}
