//! The questions to a terminal at the start, and the time in which it may answer.

use std::io;
use std::io::Write;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process;
use tokio::time::Instant;

use super::answer::TerminalAnswer;
use super::events::{TerminalEvent, TerminalInput};
use super::late_answers::drop_input;
use crate::graphics::wrap_for_tmux;
use crate::known_terminal::KnownTerminal;
use crate::link::{LinkProbe, ProbeClock, QUESTION};
use crate::picture_form::{Surroundings, TerminalReport};
use crate::theme::ColorDepth;

/// How long the terminal may take for all answers before the screen is drawn.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long it may take where nothing waits for the screen.
const LONG_PATIENCE: Duration = Duration::from_secs(3);
/// Whether a picture of one pixel by Kitty's protocol would be accepted.
const KITTY: &str = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\";
/// Name and version, the size of a cell, and whether there is synchronized output.
const OTHERS: &str = "\x1b[>q\x1b[16t\x1b[?2026$p";
/// Whether it has the capabilities `RGB` or `Tc`, and which background it has after one of 24 bits was set. A terminal
/// that does not understand the colour sets others of these attributes, so all are set back.
const COLORS: &str = "\x1bP+q524742\x1b\\\x1bP+q5463\x1b\\\x1b[0;48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m";
/// Where the cursor is after a blank that is repeated three times. It is not in the first row, whose answer would look
/// like a key. The blank (U+2002) is no ASCII character, like the borders and blocks that are repeated: tmux 3.3 repeats
/// only ASCII characters.
const REPEATED: &str = "\r\n\u{2002}\x1b[3b\x1b[6n\r";
/// The device attributes, which every terminal answers: what was not answered before them is not known.
const LAST: &str = "\x1b[c";

/// How long the terminal outside of tmux may take before it is asked again: tmux drops the question while it redraws.
const ASK_AGAIN: Duration = Duration::from_millis(60);

/// Asks the terminal and waits for the answers, at most 0.2 s. What is typed meanwhile is returned. A late answer is
/// taken out of the input like any other. The terminal must be in raw mode. Inside tmux, which answers by itself, the one
/// outside is waited for if its pictures could be shown. The link is measured if it may be slow.
pub fn ask_terminal(
    out: &mut impl Write,
    input: &mut TerminalInput,
    around: Surroundings,
) -> io::Result<(TerminalReport, Vec<TerminalEvent>)> {
    let asked = AskedQuestions::ask(out, around)?.wait(out, input, PATIENCE)?;
    Ok((asked.report, asked.typed))
}

/// Questions that were asked, and what has come since.
struct AskedQuestions {
    around: Surroundings,
    /// When they were asked.
    begin: Instant,
    clock: ProbeClock,
    report: TerminalReport,
    typed: Vec<TerminalEvent>,
    /// How often the terminal outside of tmux was asked and has not answered.
    unanswered: u32,
    /// Whether there is no more input.
    has_ended: bool,
}

impl AskedQuestions {
    fn ask(out: &mut impl Write, around: Surroundings) -> io::Result<Self> {
        let kitty = match around.tmux {
            false => KITTY.to_owned(),
            true if around.asks_outside() => wrap_for_tmux(KITTY),
            true => String::new(),
        };
        let (ready, padding) =
            if around.remote { (QUESTION, ProbeClock::padding()) } else { ("", String::new()) };
        // tmux has no answers to these, GNU screen gives those of the terminal outside, and NO_COLOR holds in any case.
        let asks_colors = !around.tmux
            && around.known != Some(KnownTerminal::GnuScreen)
            && around.depth != ColorDepth::None;
        let colors = if asks_colors { COLORS } else { "" };
        write!(out, "{ready}{kitty}{OTHERS}{colors}{REPEATED}{padding}{LAST}")?;
        out.flush()?;
        Ok(Self {
            around,
            begin: Instant::now(),
            clock: ProbeClock::start(padding.len()),
            report: TerminalReport::default(),
            typed: Vec::new(),
            unanswered: u32::from(around.asks_outside()),
            has_ended: false,
        })
    }

    /// Waits until the last answer has come or this time is over.
    fn wait(
        mut self,
        out: &mut impl Write,
        input: &mut TerminalInput,
        patience: Duration,
    ) -> io::Result<Self> {
        while !self.report.is_finished(self.around) && !self.has_ended && !self.is_interrupted() {
            let passed = self.begin.elapsed();
            if passed >= patience {
                break;
            }
            let asks_again = self.around.asks_outside() && passed < PATIENCE;
            let left = patience.saturating_sub(passed);
            if !self.read(input, if asks_again { left.min(ASK_AGAIN) } else { left })? && asks_again {
                write!(out, "{}", wrap_for_tmux(KITTY))?;
                out.flush()?;
                self.unanswered += 1;
            }
        }
        self.report.find_cell();
        if self.around.remote {
            self.report.link = self.clock.result();
        }
        Ok(self)
    }

    /// Waits for the answers of a terminal outside of tmux that was asked more than once, as long as the first one took.
    fn drop_repeated(mut self, input: &mut TerminalInput) -> io::Result<Self> {
        let until = Instant::now() + self.begin.elapsed().max(PATIENCE);
        let is_due = |this: &Self| this.unanswered > 0 && this.report.kitty.is_some() && !this.has_ended;
        while is_due(&self) && Instant::now() < until {
            self.read(input, until.saturating_duration_since(Instant::now()))?;
        }
        Ok(self)
    }

    /// Takes what arrives within this time. Whether something arrived.
    fn read(&mut self, input: &mut TerminalInput, wait: Duration) -> io::Result<bool> {
        let mut buffer = [0; 1024];
        if !is_readable(wait)? {
            return Ok(false);
        }
        let count = rustix::io::read(io::stdin(), &mut buffer)?;
        if count == 0 {
            self.has_ended = true;
        }
        for event in input.take(&buffer[..count]) {
            match event {
                TerminalEvent::Answer(answer) => self.add(answer),
                event @ (TerminalEvent::Typed(_) | TerminalEvent::Line(_)) => self.typed.push(event),
            }
        }
        Ok(true)
    }

    fn add(&mut self, answer: TerminalAnswer) {
        match answer {
            TerminalAnswer::Ready => self.clock.first_answer(),
            TerminalAnswer::Attributes(_) => self.clock.second_answer(),
            TerminalAnswer::Kitty { .. } => self.unanswered = self.unanswered.saturating_sub(1),
            _ => {}
        }
        self.report.add(answer);
    }

    /// Whether Ctrl-C was typed, which is a key in raw mode.
    fn is_interrupted(&self) -> bool {
        let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        self.typed.contains(&TerminalEvent::Typed(Event::Key(key)))
    }
}

/// Whether something arrives on standard input within this time.
pub(super) fn is_readable(wait: Duration) -> io::Result<bool> {
    let stdin = io::stdin();
    let mut sources = [PollFd::new(&stdin, PollFlags::IN)];
    let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
    match poll(&mut sources, Some(&wait)) {
        Ok(ready) => Ok(ready > 0 && sources[0].revents().contains(PollFlags::IN)),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// How long the measurement of a link may take.
const MEASURE_TIME: Duration = Duration::from_secs(10);
/// How often the bytes of the first measurement are sent.
const MEASURE_PORTIONS: usize = 12;

/// Measures the link to the terminal with more bytes than at the start of the screen. What is typed meanwhile is lost.
///
/// # Errors
///
/// If standard input is no terminal that can be read.
pub fn measure_link() -> io::Result<LinkProbe> {
    crossterm::terminal::enable_raw_mode()?;
    let measured = measure(&mut TerminalInput::default());
    drop_input();
    crossterm::terminal::disable_raw_mode()?;
    measured
}

fn measure(input: &mut TerminalInput) -> io::Result<LinkProbe> {
    let padding = ProbeClock::padding().repeat(MEASURE_PORTIONS);
    let mut out = io::stdout();
    write!(out, "{QUESTION}{padding}{QUESTION}")?;
    out.flush()?;
    let mut clock = ProbeClock::start(padding.len());
    let until = Instant::now() + MEASURE_TIME;
    let mut answers = 0;
    let mut buffer = [0; 1024];
    while answers < 2 {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || !is_readable(left)? {
            break;
        }
        let count = rustix::io::read(io::stdin(), &mut buffer)?;
        let events = input.take(&buffer[..count]);
        for _ in events.iter().filter(|event| **event == TerminalEvent::Answer(TerminalAnswer::Ready)) {
            answers += 1;
            if answers == 1 { clock.first_answer() } else { clock.second_answer() }
        }
        if count == 0 {
            break;
        }
    }
    Ok(clock.result())
}

/// Asks the terminal outside of the screen, and waits up to 3 s for its answers, so that they do not reach the shell. What
/// is typed meanwhile is lost.
///
/// # Errors
///
/// If standard input is no terminal that can be read.
pub fn probe_terminal(around: Surroundings) -> io::Result<TerminalReport> {
    crossterm::terminal::enable_raw_mode()?;
    let asked = ask_long(around);
    drop_input();
    crossterm::terminal::disable_raw_mode()?;
    let asked = asked?;
    if asked.is_interrupted() {
        process::kill_process(process::getpid(), process::Signal::INT)?;
    }
    Ok(asked.report)
}

fn ask_long(around: Surroundings) -> io::Result<AskedQuestions> {
    let mut out = io::stdout();
    let mut input = TerminalInput::default();
    let asked = AskedQuestions::ask(&mut out, around)?.wait(&mut out, &mut input, LONG_PATIENCE)?;
    asked.drop_repeated(&mut input)
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthChar;

    use super::*;

    #[test]
    fn the_repeated_character_of_the_question_is_an_invisible_one_outside_of_ascii() {
        let asked = REPEATED.trim_start_matches("\r\n").chars().next().unwrap();
        assert!(!asked.is_ascii() && asked.is_whitespace(), "{asked:?}");
        assert_eq!(asked.width(), Some(1));
    }
}
