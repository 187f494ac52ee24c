//! Answers of the terminal after the first drawing: they bring pixels and colours, and none reaches the next program.

use futures_util::FutureExt;
use tokio::time::Instant;

use super::screen::Screen;
use crate::inbox::InboxEvent;
use mageyard_terminal::{ANSWER_TIME, AwaitedAnswers, Canvas, TerminalAnswer, TerminalReport};

impl<C: Canvas> Screen<'_, C> {
    /// Takes an answer. Once the last one is there, the screen changes to what the terminal can do.
    pub(super) fn take_late_answer(&mut self, answer: TerminalAnswer) {
        let mut report = self.late_report.clone();
        report.add(answer);
        self.take_late_report(report);
    }

    fn take_late_report(&mut self, mut report: TerminalReport) {
        if report.is_finished(self.model.appearance.settings.surroundings()) {
            self.answers_until = None;
            report.find_cell();
            if report != self.model.device.report {
                self.model.set_late_terminal(report.clone());
            }
        }
        self.canvas.set_abilities(&report);
        self.late_report = report;
    }

    /// Takes the answers among what has arrived, and drops the rest: the screen is being left.
    pub(super) fn take_waiting_answers(&mut self) {
        let Some(arrivals) = self.inbox.next_batch(&mut self.requests).now_or_never() else { return };
        for arrival in arrivals {
            match arrival {
                InboxEvent::LateAnswer(answer) => self.take_late_answer(answer),
                InboxEvent::TerminalReady => self.link.answered(Instant::now()),
                _ => {}
            }
        }
    }

    /// Waits for answers that are due, before another program gets the terminal. Keys that are typed meanwhile are lost.
    pub(super) fn await_answers(&mut self) {
        let now = Instant::now();
        let due = |until: &Instant| *until > now;
        let ready = self.link.answer_due().filter(due).map(|until| until.min(now + ANSWER_TIME));
        let start = self.answers_until.take().filter(due);
        let Some(until) = ready.max(start) else { return };
        if self.inbox.pause_keyboard().is_err() {
            return;
        }
        let awaited = AwaitedAnswers {
            report: self.late_report.clone(),
            around: self.model.appearance.settings.surroundings(),
            ready: ready.is_some(),
            until,
        };
        // The terminal may be gone.
        if let Ok(report) = self.canvas.read_late_answers(awaited) {
            self.take_late_report(report);
        }
        self.link.answered(now);
        self.inbox.resume_keyboard();
    }
}
