//! Every request that left is counted once, with its outcome: the journal has as many as the server received.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::runs::{args, sandbox};
use crate::sandbox::{CommandResult, Sandbox, wait};
use crate::server::{Behavior, Server};

/// The server reports 1200 input and 34 output tokens for a reply.
const PRICES: &str = "currency = \"USD\"\n[models.\"mo*\"]\ninput = 2.5\noutput = 10\n";

fn priced() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write("config/mageyard/prices.toml", PRICES);
    sandbox.write("work/mageyard.toml", "[model]\ntimeout = 1\n");
    sandbox
}

fn run(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    sandbox.run(&args(&server.url(), &[&["lost.xsb", "--max-steps", "1"], more].concat()))
}

/// The row of the report over all episodes.
fn report(sandbox: &Sandbox) -> Value {
    let result = sandbox.run(&["report", "last", "--store", "runs", "--json"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    result.json_lines().pop().unwrap()
}

/// Requests, those without a reply by outcome, and those with unknown tokens.
fn counts(row: &Value) -> Value {
    let names = ["", "_refused", "_failed", "_cancelled", "_lost"].map(|ending| format!("requests{ending}"));
    let tokens = ["unmetered", "tokens_in", "tokens_out"].map(str::to_owned);
    names.iter().chain(&tokens).map(|name| row[name].clone()).collect()
}

#[test]
fn every_try_that_left_is_counted_with_its_outcome() {
    for (behavior, expected) in [
        (Behavior::Normal, json!([1, 0, 0, 0, 0, 0, 1200, 34])),
        (Behavior::BusyAfter, json!([2, 1, 0, 0, 0, 0, 1200, 34])),
        (Behavior::OverloadedOnce, json!([2, 1, 0, 0, 0, 0, 1200, 34])),
        (Behavior::Flaky, json!([2, 0, 1, 0, 0, 1, 1200, 34])),
        (Behavior::SilentOnce, json!([2, 0, 1, 0, 0, 1, 1200, 34])),
        (Behavior::BadGatewayInsideOnce, json!([2, 0, 1, 0, 0, 1, 1200, 34])),
        (Behavior::BreaksAfterUsageOnce, json!([2, 0, 1, 0, 0, 0, 2200, 41])),
        (Behavior::Down, json!([3, 3, 0, 0, 0, 0, 0, 0])),
        (Behavior::ConnectionLost, json!([3, 0, 3, 0, 0, 3, 0, 0])),
        (Behavior::Unauthorized, json!([1, 1, 0, 0, 0, 0, 0, 0])),
        (Behavior::StallsMidway, json!([1, 0, 1, 0, 0, 1, 0, 0])),
    ] {
        let sandbox = priced();
        let server = Server::start(behavior);
        run(&sandbox, &server, &[]);
        let row = report(&sandbox);
        assert_eq!(counts(&row), expected, "{behavior:?}");
        assert_eq!(row["requests"], server.requests().len(), "{behavior:?}");
        sandbox.run(&["log", "check", "--store", "runs"]).success();
    }
}

#[test]
fn a_request_that_never_left_is_not_counted() {
    let gone = Server::start(Behavior::Normal).url();
    let sandbox = priced();
    let result = sandbox.run(&args(&gone, &["lost.xsb"]));
    result.fails_with(1, &["the server cannot be reached", "tried 3 times"]);
    assert_eq!(counts(&report(&sandbox)), json!([0, 0, 0, 0, 0, 0, 0, 0]));
}

#[test]
fn a_kill_during_a_request_leaves_one_unknown() {
    for behavior in [Behavior::NeverAnswers, Behavior::StallsMidway] {
        let sandbox = priced();
        let server = Server::start(behavior);
        sandbox.write("work/mageyard.toml", "[model]\ntimeout = 60\n");
        let url = server.url();
        let more = ["lost.xsb", "--max-steps", "2"];
        let command = &mut sandbox.command(&args(&url, &more));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while server.requests().is_empty() {
            assert!(Instant::now() < deadline, "no request");
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        assert_eq!(wait(&mut child), None);
        assert_eq!(counts(&report(&sandbox)), json!([1, 0, 0, 0, 1, 1, 0, 0]));
        server.set_behavior(Behavior::Normal);
        let result = sandbox.run(&["run", "--json", "--store", "runs", "--resume", "last"]);
        assert_eq!(result.code, Some(0), "{}", result.err);
        let episode = result.json_lines().pop().unwrap();
        assert_eq!(counts(&episode), json!([3, 0, 0, 0, 1, 1, 2400, 68]));
        assert_eq!(episode["cost"], "0.00668");
        assert_eq!(server.requests().len(), 3);
        let row = report(&sandbox);
        assert_eq!(json!([row["costs"], row["uncosted_requests"]]), json!([{"USD": "0.00668"}, 1]));
        let table = sandbox.run(&["report", "last", "--store", "runs"]).success();
        assert!(table.contains("1 (1 lost)") && table.contains("0.00668 USD + 1 unknown"), "{table}");
    }
}

#[test]
fn an_unknown_request_does_not_hide_the_known_part() {
    let sandbox = priced();
    let server = Server::start(Behavior::Flaky);
    let url = server.url();
    let shown: Vec<_> =
        args(&url, &["lost.xsb", "--max-steps", "1"]).into_iter().filter(|arg| *arg != "--json").collect();
    let text = sandbox.run(&shown).success();
    let line = "1200 tokens in, 34 out + 1 unknown, 0.00334 USD + 1 unknown";
    assert_eq!(text.matches(line).count(), 2, "{text}");
}

#[test]
fn a_budget_counts_what_is_known_or_an_estimate_too() {
    let limits = ["lost.xsb", "--max-steps", "3", "--max-tokens", "2400"];
    for (unknown_usage, requests) in [("ignore", 3), ("estimate", 2)] {
        let sandbox = priced();
        let server = Server::start(Behavior::Flaky);
        sandbox.write("work/mageyard.toml", format!("[play]\nunknown_usage = \"{unknown_usage}\"\n"));
        let result = sandbox.run(&args(&server.url(), &limits));
        assert_eq!(result.code, Some(4), "{}", result.err);
        let episode = result.json_lines().pop().unwrap();
        assert_eq!(json!([episode["ending"], episode["requests"]]), json!(["budget", requests]));
        assert_eq!(episode["unknown_usage"], unknown_usage);
        let estimated = &episode["tokens_estimated"];
        assert_eq!(estimated.is_u64(), unknown_usage == "estimate", "{episode}");
        let table = sandbox.run(&["report", "last", "--store", "runs"]).success();
        assert_eq!(table.matches(", estimate)").count(), if estimated.is_u64() { 2 } else { 0 }, "{table}");
        assert!(
            !estimated.is_u64() || !table.contains(&format!("~{estimated},")),
            "each column has its part"
        );
        assert_eq!(server.requests().len(), requests);
    }
}

#[test]
fn an_estimate_makes_a_budget_work_without_any_token_count() {
    let sandbox = priced();
    let server = Server::start(Behavior::NoUsage);
    sandbox.write("work/mageyard.toml", "[play]\nunknown_usage = \"estimate\"\n");
    let result = sandbox.run(&args(&server.url(), &["lost.xsb", "--max-steps", "9", "--max-tokens", "5000"]));
    assert_eq!(result.code, Some(4), "{}", result.err);
    let steps = result.json_lines().pop().unwrap()["steps"].as_u64().unwrap();
    assert!((1..9).contains(&steps), "{steps}");
}
