//! What is retried, what stops a run, and what is shown while a request waits.

use super::runs::{args, sandbox};
use crate::pty::Pty;
use crate::sandbox::{CommandResult, Sandbox};
use crate::server::{Behavior, Server};

/// Three levels, each with a box in a corner.
fn three_levels() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write("work/many.xsb", ["#####\n#$@ #\n#  .#\n#####\n"; 4].join("\n"));
    sandbox
}

fn run(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    let url = server.url();
    let first = ["many.xsb", "--max-steps", "1"];
    sandbox.run(&args(&url, &[&first[..], more].concat()))
}

#[test]
fn a_failure_of_every_request_stops_the_run_at_the_first_one() {
    for (behavior, says) in [
        (
            Behavior::Unauthorized,
            "set a valid key in the variable that model.key_variable names, then resume",
        ),
        (Behavior::Forbidden, "use a key that may use this model, or another model, then resume"),
        (Behavior::QuotaUsedUp, "the quota of the account is used up, error 429: You exceeded"),
    ] {
        let sandbox = three_levels();
        let server = Server::start(behavior);
        sandbox.write("work/mageyard.toml", "[run]\nfailure_limit = 0\n");
        let result = run(&sandbox, &server, &[]);
        result.fails_with(1, &["the run stopped, because every request would fail: ", says, "run --resume"]);
        assert_eq!(result.err.matches("error 4").count(), 1, "one message: {}", result.err);
        assert_eq!(server.requests().len(), 1, "no other level was tried");
        server.set_behavior(Behavior::Normal);
        let result = sandbox.run(&["run", "--json", "--store=runs", "--resume", "last"]);
        assert_eq!(result.code, Some(0), "{}", result.err);
    }
}

#[test]
fn a_log_has_one_line_for_a_long_wait() {
    let sandbox = three_levels();
    let server = Server::start(Behavior::BusySeconds);
    let result = run(&sandbox, &server, &[]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let lines: Vec<_> = result.err.lines().collect();
    let [line] = lines.as_slice() else { panic!("{}", result.err) };
    assert!(line.starts_with("many.xsb#1: retry 1 of 2 in ") && line.contains("error 429: busy"), "{line}");
}

/// The seconds that this text counts after these words.
fn seconds(text: &str, words: &str) -> Option<u64> {
    let digits = text.split_once(words)?.1.split_once(" s")?.0;
    digits.parse().ok()
}

/// Waits until other seconds are shown after these words.
fn counts(pty: &mut Pty, words: &str) {
    pty.sees(words);
    let first = seconds(&pty.text(), words);
    pty.until(&format!("other seconds than {first:?}"), |screen| {
        seconds(&screen.contents(), words).is_some_and(|now| Some(now) != first)
    });
}

#[test]
fn a_terminal_counts_the_seconds_of_a_wait_in_one_line() {
    let sandbox = three_levels();
    let server = Server::start(Behavior::BusySeconds);
    let sandbox = sandbox.with("TERM", "xterm-256color");
    let url = server.url();
    let command = sandbox.command(&args(&url, &["many.xsb", "--max-steps", "1"]));
    let mut pty = Pty::start(&command, 120, 60);
    counts(&mut pty, "many.xsb#1: retry 1 of 2 in ");
    assert_eq!(pty.text().matches("retry 1 of 2").count(), 1, "{}", pty.text());
    assert!(pty.text().contains(" s: the server returned error 429: busy"), "{}", pty.text());
    pty.misses("retry 1 of 2");
}

#[test]
fn several_episodes_at_once_have_a_wait_line_above_the_bar() {
    let sandbox = three_levels();
    let server = Server::start(Behavior::BusySeconds);
    let sandbox = sandbox.with("TERM", "xterm-256color");
    let url = server.url();
    let command = sandbox.command(&args(&url, &["many.xsb", "--max-steps", "1", "--jobs", "2"]));
    let mut pty = Pty::start(&command, 120, 60);
    pty.until("a wait line above the bar", |screen| wait_line(&screen.contents()).is_some());
    let first = wait_line(&pty.text());
    pty.until(&format!("other seconds than {first:?}"), |screen| {
        wait_line(&screen.contents()).is_some_and(|line| Some(line) != first)
    });
    pty.misses("the server returned error 429");
}

/// The beginning of the only line of a wait, if the bar is below it. Full lines are read together with the next one.
fn wait_line(screen: &str) -> Option<String> {
    let error = " s: the server returned error 429";
    let (before, after) = screen.split_once(error)?;
    let is_above = after.contains(" of 4 episodes") && !after.contains(error);
    is_above.then(|| before[before.rfind("many.xsb#").unwrap_or(0)..].to_owned())
}

#[test]
fn the_screen_counts_the_seconds_of_a_wait() {
    let sandbox = three_levels();
    let server = Server::start(Behavior::BusySeconds);
    let url = server.url();
    let more =
        ["play", "many.xsb", "--store=runs", "--agent", "model", "--model", "mock", "--base-url", &url];
    let mut pty = Pty::start(&sandbox.command(&more), 140, 40);
    pty.sees("asks the agent").press("enter");
    counts(&mut pty, "retry 1 of 2 in ");
    server.set_behavior(Behavior::NeverAnswers);
    pty.misses("retry 1 of 2");
    counts(&mut pty, "waiting for the server, ");
}
