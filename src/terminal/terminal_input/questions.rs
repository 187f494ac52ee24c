//! The questions to a terminal at the start, and the time in which it may answer.

use std::io;
use std::io::Write;
use std::time::Duration;

use ratatui::layout::Size;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::tcgetwinsize;
use tokio::time::Instant;

use super::answer::TerminalAnswer;
use super::events::{TerminalEvent, TerminalInput};
use crate::graphics::wrap_for_tmux;
use crate::link::{LinkProbe, ProbeClock, QUESTION};
use crate::picture_form::{Surroundings, TerminalReport};

/// How long the terminal may take for all answers.
const PATIENCE: Duration = Duration::from_millis(200);
/// Whether a picture of one pixel by Kitty's protocol would be accepted.
const KITTY: &str = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\";
/// Name and version, the size of a cell, and whether there is synchronized output.
const OTHERS: &str = "\x1b[>q\x1b[16t\x1b[?2026$p";
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
/// outside is waited for if its pictures could be shown. The link is measured if it may
/// be slow.
pub fn ask_terminal(
    out: &mut impl Write,
    input: &mut TerminalInput,
    around: Surroundings,
) -> io::Result<(TerminalReport, Vec<TerminalEvent>)> {
    let asks_outside = around.tmux && around.passthrough && around.outside.placeholders;
    let kitty = match around.tmux {
        false => KITTY.to_owned(),
        true if asks_outside => wrap_for_tmux(KITTY),
        true => String::new(),
    };
    let (ready, padding) =
        if around.remote { (QUESTION, ProbeClock::padding()) } else { ("", String::new()) };
    write!(out, "{ready}{kitty}{OTHERS}{REPEATED}{padding}{LAST}")?;
    out.flush()?;
    let mut clock = ProbeClock::start(padding.len());
    let until = Instant::now() + PATIENCE;
    let mut report = TerminalReport::default();
    let mut typed = Vec::new();
    let mut buffer = [0; 1024];
    while !report.is_complete() || asks_outside && report.kitty.is_none() {
        let left = until.saturating_duration_since(Instant::now());
        let wait = if asks_outside { left.min(ASK_AGAIN) } else { left };
        if left.is_zero() {
            break;
        }
        if !is_readable(wait)? {
            if asks_outside {
                write!(out, "{kitty}")?;
                out.flush()?;
            }
            continue;
        }
        let count = rustix::io::read(io::stdin(), &mut buffer)?;
        if count == 0 {
            break;
        }
        for event in input.take(&buffer[..count]) {
            match event {
                TerminalEvent::Answer(answer) => {
                    match answer {
                        TerminalAnswer::Ready => clock.first_answer(),
                        TerminalAnswer::Attributes(_) => clock.second_answer(),
                        _ => {}
                    }
                    report.add(answer);
                }
                event @ (TerminalEvent::Typed(_) | TerminalEvent::Line(_)) => typed.push(event),
            }
        }
    }
    report.cell = report.cell.or_else(cell_of_window);
    if around.remote {
        report.link = clock.result();
    }
    Ok((report, typed))
}

/// The size of a cell by that of the window, which the kernel knows if the terminal has told it.
fn cell_of_window() -> Option<Size> {
    let window = tcgetwinsize(io::stdout()).ok()?;
    let cell =
        Size::new(window.ws_xpixel.checked_div(window.ws_col)?, window.ws_ypixel.checked_div(window.ws_row)?);
    (cell.width > 0 && cell.height > 0).then_some(cell)
}

/// Whether something arrives on standard input within this time.
fn is_readable(wait: Duration) -> io::Result<bool> {
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

/// Asks the terminal outside of the screen. What is typed meanwhile is lost.
///
/// # Errors
///
/// If standard input is no terminal that can be read.
pub fn probe_terminal(around: Surroundings) -> io::Result<TerminalReport> {
    crossterm::terminal::enable_raw_mode()?;
    let asked = ask_terminal(&mut io::stdout(), &mut TerminalInput::default(), around);
    crossterm::terminal::disable_raw_mode()?;
    asked.map(|(report, _)| report)
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
