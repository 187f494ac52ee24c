//! The event loop of the dashboard in lines: prints what has changed and performs typed lines.

use std::collections::VecDeque;
use std::io::{IsTerminal, Stdout};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::unbounded_channel;

use super::content::{Content, DashboardSources};
use super::event_loop::DashboardExit;
use super::lines;
use super::lines::Answer;
use super::state::DashboardState;
use super::view::SweepView;
use crate::inbox::{Inbox, InboxEvent, ScreenSignal};
use crate::linear::{LineDecoder, LinearOutput};
use crate::requests::{LabLink, Requests};
use mageyard_terminal::{ScreenError, ScreenExit, spawn_keyboard};

/// How long a script waits for maps, which a sweep may not have.
const MAP_TIMEOUT: Duration = Duration::from_secs(3);

/// What is printed instead of an episode where the input is no person's.
const NO_EPISODE: &str =
    "Note: an episode is shown where a person types; `mageyard view EPISODE --linear` reads it here";

/// Shows the newest content in lines until the user leaves.
pub(super) async fn run(
    sources: &mut DashboardSources,
    state: &mut DashboardState,
) -> Result<DashboardExit, ScreenError> {
    let (_, no_files) = unbounded_channel();
    let mut inbox = Inbox::new(Box::pin(futures_util::stream::pending()), no_files);
    inbox.listen_to_signals()?;
    inbox.set_terminal_events(spawn_keyboard(LineDecoder::default(), Vec::new())?);
    let out = LinearOutput::new(std::io::stdout());
    let is_script = !std::io::stdin().is_terminal();
    let begun = Instant::now();
    let dashboard =
        LineDashboard { out, state, is_script, begun, lines: VecDeque::new(), told: None, lists: false };
    dashboard.run(sources, inbox).await
}

struct LineDashboard<'a> {
    out: LinearOutput<Stdout>,
    state: &'a mut DashboardState,
    is_script: bool,
    begun: Instant,
    /// Lines that were read and not performed yet.
    lines: VecDeque<String>,
    /// The view that was said last.
    told: Option<Arc<SweepView>>,
    /// Whether the episodes of the opened cell are said when they are known.
    lists: bool,
}

impl LineDashboard<'_> {
    async fn run(
        mut self,
        sources: &mut DashboardSources,
        mut inbox: Inbox,
    ) -> Result<DashboardExit, ScreenError> {
        let mut has_ended = false;
        let mut requests = Requests::new(LabLink::new().0);
        loop {
            sources.open(self.state.open_cell());
            let content = sources.newest();
            self.tell(&content)?;
            if let Some(exit) = self.perform(&content)? {
                return Ok(exit);
            }
            sources.open(self.state.open_cell());
            if has_ended && self.lines.is_empty() && !self.lists {
                return Ok(DashboardExit::Exit(ScreenExit::Quit));
            }
            let arrivals = tokio::select! {
                arrivals = inbox.next_batch(&mut requests) => arrivals,
                () = sources.changed() => continue,
                () = tokio::time::sleep(MAP_TIMEOUT), if !self.lines.is_empty() => continue,
            };
            for arrival in arrivals {
                match arrival {
                    InboxEvent::Line(line) => self.lines.push_back(line),
                    InboxEvent::TerminalClosed => has_ended = true,
                    InboxEvent::Signal(ScreenSignal::Interrupt) => {
                        return Ok(DashboardExit::Exit(ScreenExit::Interrupted));
                    }
                    InboxEvent::Signal(ScreenSignal::Terminate) => {
                        return Ok(DashboardExit::Exit(ScreenExit::Terminated));
                    }
                    InboxEvent::Signal(ScreenSignal::HangUp) => {
                        return Ok(DashboardExit::Exit(ScreenExit::HungUp));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Says what has changed, first everything.
    fn tell(&mut self, content: &Content) -> Result<(), ScreenError> {
        let said = match self.told.replace(content.view.clone()) {
            None => {
                let mut said = vec![lines::HELP.to_owned()];
                said.extend(lines::status(&content.view));
                said
            }
            Some(before) => lines::news(&before, &content.view),
        };
        self.out.print(&said)?;
        let remark = std::mem::take(&mut self.state.remark);
        if !remark.is_empty() {
            self.out.print(&[format!("Note: {remark}")])?;
        }
        Ok(())
    }

    /// Performs the lines that can be performed now.
    fn perform(&mut self, content: &Content) -> Result<Option<DashboardExit>, ScreenError> {
        loop {
            if self.lists {
                let Some(listed) = lines::episodes(self.state, content) else { return Ok(None) };
                self.lists = false;
                self.out.print(&listed)?;
            }
            if self.waits_for_map(content) {
                return Ok(None);
            }
            let Some(line) = self.lines.pop_front() else { return Ok(None) };
            match lines::answer(&line, self.state, content) {
                Answer::Say(said) => self.out.print(&said)?,
                Answer::List => self.lists = true,
                Answer::Show(..) if self.is_script => self.out.print(&[NO_EPISODE.to_owned()])?,
                Answer::Show(cell, folder) => return Ok(Some(DashboardExit::Show(cell, folder))),
                Answer::Quit => return Ok(Some(DashboardExit::Exit(ScreenExit::Quit))),
            }
        }
    }

    /// Whether the next line of a script is about maps that are not made yet.
    fn waits_for_map(&self, content: &Content) -> bool {
        let wants = self.lines.front().is_some_and(|line| line.trim().starts_with("map"));
        self.is_script && wants && content.maps.is_empty() && self.begun.elapsed() < MAP_TIMEOUT
    }
}
