//! What is retried, what stops a run, and what is shown while a request waits.

use mageyard::domain::{AgentError, EndpointFailure, Treatment};
use serde_json::json;

use super::agent_fixture::{RecordingObserver, agent, ask, request};
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

#[tokio::test]
async fn a_failure_that_may_pass_is_retried() {
    for (behavior, class) in [
        (Behavior::TooEarlyOnce, EndpointFailure::Status(425)),
        (Behavior::OverloadedOnce, EndpointFailure::Status(529)),
        (Behavior::Flaky, EndpointFailure::Status(500)),
        (Behavior::BadGatewayInsideOnce, EndpointFailure::WithinReply(Some(502))),
        (Behavior::BreaksAfterUsageOnce, EndpointFailure::Interrupted),
        (Behavior::SilentOnce, EndpointFailure::Silent),
    ] {
        let server = Server::start(behavior);
        let observer = RecordingObserver::new(request());
        let mut agent = agent(&server.url(), &json!({"timeout": 1}));
        ask(agent.as_mut(), &request(), &observer).await.unwrap();
        assert_eq!(server.requests().len(), 2, "{behavior:?}");
        let tries = observer.tries.lock().unwrap();
        let [Some(error), None] = &tries[..] else { panic!("{tries:?}") };
        assert_eq!(EndpointFailure::of(error), Some(class), "{error}");
    }
}

#[tokio::test]
async fn a_failure_that_stays_is_not_retried() {
    for (behavior, treatment) in [
        (Behavior::Unauthorized, Treatment::StopRun),
        (Behavior::Forbidden, Treatment::StopRun),
        (Behavior::QuotaUsedUp, Treatment::StopRun),
        (Behavior::NoModel, Treatment::StopRun),
        (Behavior::Moved, Treatment::StopRun),
        (Behavior::NoField, Treatment::GiveUp),
        (Behavior::StallsMidway, Treatment::GiveUp),
        (Behavior::HtmlPage, Treatment::GiveUp),
    ] {
        let server = Server::start(behavior);
        let mut agent = agent(&server.url(), &json!({"timeout": 1}));
        let observer = RecordingObserver::new(request());
        let error = ask(agent.as_mut(), &request(), &observer).await.unwrap_err();
        assert_eq!(EndpointFailure::of(&error).unwrap().treatment(), treatment, "{error}");
        assert_eq!(server.requests().len(), 1, "{behavior:?}");
    }
}

#[tokio::test]
async fn a_pause_that_is_too_long_is_named() {
    let server = Server::start(Behavior::BusyLong);
    let mut agent = agent(&server.url(), &json!({}));
    let error = ask(agent.as_mut(), &request(), &RecordingObserver::new(request())).await.unwrap_err();
    assert!(matches!(error, AgentError::PauseTooLong { seconds: 3600, most: 120, .. }), "{error}");
    let text = error.to_string();
    assert!(text.ends_with("; the server asks to wait 1 h, and a request waits 2 min at most"), "{text}");
    assert_eq!(server.requests().len(), 1);
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
