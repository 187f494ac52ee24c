//! The screen inside a real tmux. Where there is none the tests are listed as ignored; with `MAGEYARD_REQUIRE_TMUX=1` its
//! absence is a failure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]
#![allow(dead_code, reason = "parts of the other tests are used")]

#[path = "../it/pty.rs"]
mod pty;
#[path = "../it/sandbox.rs"]
mod sandbox;

use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};

use self::pty::Pty;
use self::sandbox::{Sandbox, complete, program};

/// The kind that the list shows where there is no tmux.
const MISSING: &str = "tmux is not installed";
/// Three steps to the right solve it.
const HALL_LEVEL: &str = "; the hall\n#######\n#@ $ .#\n#######\n";
/// The time limit of every wait.
const TIMEOUT: Duration = Duration::from_secs(20);
/// A placeholder cell of Kitty's protocol.
const PLACEHOLDER: char = '\u{10eeee}';

/// A terminal with a tmux in it, which runs the screen on the hall. Everything ends with this value.
struct Tmux {
    sandbox: Sandbox,
    outside: Pty,
}

impl Tmux {
    /// Starts tmux with these options in a terminal that gives its answers to questions.
    fn start(options: &str, answers: Answers, args: &[&str]) -> Self {
        let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("LC_ALL", "C.UTF-8");
        let path = std::env::var("PATH").unwrap_or_default();
        let sandbox = sandbox.with("PATH", &path).with("COLORTERM", "truecolor");
        sandbox.write("work/hall.xsb", HALL_LEVEL);
        sandbox.write("work/tmux.conf", format!("set -g status off\nset -s escape-time 10\n{options}\n"));
        let socket = sandbox.path("tmux.socket").display().to_string();
        let program = program("mageyard");
        let program = program.display();
        // The program starts when tmux knows the terminal.
        let line = format!("tmux wait-for ready; exec {program} play hall.xsb {}", args.join(" "));
        let front = ["-u", "-S", &socket, "-f", "tmux.conf", "new-session", "sh", "-c", &line];
        let outside = Pty::start_silent(&sandbox.command_of("tmux".as_ref(), &front), 120, 40);
        let mut this = Self { sandbox, outside };
        this.answer(answers);
        this.sees("step 1 of");
        this
    }

    /// Answers as the terminal outside: the questions of tmux itself, then those of the program.
    fn answer(&mut self, answers: Answers) {
        self.outside.wrote(b"\x1b[>q");
        if let Answers::Kitty(_) = answers {
            self.outside.send(b"\x1bP>|kitty(0.36.4)\x1b\\");
            let deadline = Instant::now() + TIMEOUT;
            let version = || self.tmux(&["display-message", "-p", "#{client_termtype}"]);
            while !version().starts_with("kitty") {
                assert!(Instant::now() < deadline, "tmux does not know the terminal");
                thread::sleep(Duration::from_millis(20));
            }
        }
        self.tmux(&["wait-for", "-S", "ready"]);
        if let Answers::Kitty(after) = answers {
            self.outside.wrote(b"a=q,t=d,f=24;AAAA");
            thread::sleep(after);
            self.outside.send(b"\x1b_Gi=31;OK\x1b\\");
        }
    }

    fn tmux(&self, args: &[&str]) -> String {
        let socket = self.sandbox.path("tmux.socket").display().to_string();
        let args = [&["-u", "-S", &socket], args].concat();
        complete(&mut self.sandbox.command_of("tmux".as_ref(), &args)).out
    }

    /// What tmux shows in its pane.
    fn capture(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    fn until(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let text = self.capture();
            if holds(&text) {
                return text;
            }
            assert!(Instant::now() < deadline, "timeout waiting for {what}\nscreen:\n{text}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    fn sees(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn command(&self, line: &str) {
        self.tmux(&["send-keys", "-l", &format!(":{line}")]);
        self.sees(line);
        self.keys(&["Enter"]);
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// What the terminal outside of tmux answers.
#[derive(Clone, Copy)]
enum Answers {
    /// Nothing.
    None,
    /// As Kitty, to the question about pictures after this time.
    Kitty(Duration),
}

/// No part of a sequence or of an answer is on the screen, and no dialog was opened by one.
fn assert_clean(text: &str) {
    for part in ["Gi=31", "OK\\", "a=T", "[?", "61;4", "1337", ">|", "Find", "SIXEL", "╭ Keys "] {
        assert!(!text.contains(part), "{part:?} in\n{text}");
    }
}

fn without_passthrough_there_are_half_blocks() {
    let tmux = Tmux::start("set -g allow-passthrough off", Answers::None, &[]);
    let text = tmux.until("half blocks", |text| text.contains('▀') || text.contains('▄'));
    assert!(!text.contains(PLACEHOLDER));
    assert_clean(&text);
    tmux.command("pictures");
    tmux.sees("pictures: half-blocks; tmux hands no pictures on: set -g allow-passthrough on");
    tmux.keys(&["Enter"]);
    thread::sleep(Duration::from_millis(300));
    assert_clean(&tmux.capture());
}

fn a_form_that_does_not_get_through_is_refused() {
    for form in ["kitty", "iterm2", "sixel"] {
        let tmux = Tmux::start("set -g allow-passthrough off", Answers::None, &["--pictures", form]);
        let text = tmux.until("half blocks", |text| text.contains('▀') || text.contains('▄'));
        assert!(!text.contains(PLACEHOLDER), "{form}");
        assert_clean(&text);
        tmux.command("pictures");
        tmux.sees("pictures: half-blocks; tmux");
    }
}

/// Each row of placeholder cells begins with one that names its place.
fn assert_placeholders(text: &str) {
    let rows: Vec<&str> = text.lines().filter(|line| line.contains(PLACEHOLDER)).collect();
    assert!(rows.len() >= 3, "{text}");
    for row in rows {
        let mut after = row[row.find(PLACEHOLDER).unwrap()..].chars().skip(1);
        assert!(after.next().is_some_and(|next| ('\u{300}'..'\u{900}').contains(&next)), "{row:?}");
    }
}

fn through_tmux_a_terminal_with_placeholders_gets_pixels() {
    let mut tmux = Tmux::start("set -g allow-passthrough on", Answers::Kitty(Duration::ZERO), &[]);
    let text = tmux.until("placeholder cells", |text| text.contains(PLACEHOLDER));
    assert_placeholders(&text);
    assert_clean(&text);
    tmux.outside.wrote(b"\x1b_Ga=T,U=1,q=2,f=100,i=");
    tmux.keys(&["?"]);
    tmux.sees("╭ Keys ");
    tmux.keys(&["Escape"]);
    let text = tmux.until("the picture again", |text| !text.contains("╭ Keys "));
    assert_placeholders(&text);
    tmux.keys(&["Enter"]);
    tmux.sees("Right");
    assert_clean(&tmux.capture());
}

fn a_late_answer_is_no_key() {
    let tmux = Tmux::start("set -g allow-passthrough on", Answers::Kitty(Duration::from_millis(600)), &[]);
    thread::sleep(Duration::from_millis(400));
    let text = tmux.capture();
    assert_clean(&text);
    assert!(text.contains("step 1 of"), "{text}");
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let found =
        Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    let required = std::env::var_os("MAGEYARD_REQUIRE_TMUX").is_some_and(|value| value == "1");
    let tests: [(&str, fn()); 4] = [
        ("without_passthrough_there_are_half_blocks", without_passthrough_there_are_half_blocks),
        ("a_form_that_does_not_get_through_is_refused", a_form_that_does_not_get_through_is_refused),
        (
            "through_tmux_a_terminal_with_placeholders_gets_pixels",
            through_tmux_a_terminal_with_placeholders_gets_pixels,
        ),
        ("a_late_answer_is_no_key", a_late_answer_is_no_key),
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        let run = move || {
            if !found {
                return Err(MISSING.into());
            }
            test();
            Ok(())
        };
        let trial = Trial::test(name, run).with_ignored_flag(!found && !required);
        if found { trial } else { trial.with_kind(MISSING) }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
