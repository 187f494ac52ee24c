//! Tokens and costs: shown, totalled and limited. An unknown cost is never zero.
//! not known.

use std::fs;

use serde_json::{Value, json};

use crate::pty::Pty;
use crate::sandbox::{CommandResult, Sandbox};
use crate::server::{Behavior, Server};

/// The box is in a corner: the level is dead.
const DEAD_LEVEL: &str = "#####\n#$@ #\n#  .#\n#####\n";
/// The server reports 1200 input and 34 output tokens per request.
const PRICES: &str = "currency = \"USD\"\n[models.\"mo*\"]\ninput = 2.5\noutput = 10\n";
/// The cost of one request at these prices.
const COST_OF_ONE_REQUEST: &str = "0.00334";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/lost.xsb", DEAD_LEVEL);
    sandbox
}

fn priced() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write("config/mageyard/prices.toml", PRICES);
    sandbox
}

fn run(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    let url = server.url();
    let first =
        ["run", "lost.xsb", "--store", "runs", "--agent", "model", "--model", "mock", "--base-url", &url];
    sandbox.run(&[&first[..], more].concat())
}

fn last_object(result: &CommandResult) -> Value {
    result.json_lines().pop().unwrap()
}

/// Tokens, cost and ending of an episode.
fn usage_fields(object: &Value) -> Value {
    let names = ["requests", "unmetered", "tokens_in", "tokens_out", "cost", "currency"];
    names.iter().map(|name| object[name].clone()).collect()
}

#[test]
fn tokens_and_cost_are_in_every_line_and_in_the_report() {
    let sandbox = priced();
    let server = Server::start(Behavior::Normal);
    let result = run(&sandbox, &server, &["--max-steps", "3", "--json"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    assert_eq!(usage_fields(&objects[0]), json!([1, 0, 1200, 34, COST_OF_ONE_REQUEST, "USD"]));
    assert_eq!(usage_fields(&objects[3]), json!([3, 0, 3600, 102, "0.01002", "USD"]));
    let shown = sandbox.run(&["report", "last", "--store", "runs"]).success();
    assert!(shown.contains("3600       102         0.01002 USD"), "{shown}");
    let sums = sandbox.run(&["report", "last", "--store", "runs", "--json"]);
    let sum = last_object(&sums);
    assert_eq!(
        json!([sum["tokens_in"], sum["costs"], sum["uncosted"]]),
        json!([3600, {"USD": "0.01002"}, 0])
    );
    let result = run(&sandbox, &server, &["--max-steps", "1"]);
    assert_eq!(result.out.matches("1200 tokens in, 34 out, 0.00334 USD").count(), 2, "{}", result.out);
}

#[test]
fn missing_usage_is_unknown_and_no_request_costs_nothing() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let result = run(&sandbox, &server, &["--max-steps", "2", "--json"]);
    assert_eq!(usage_fields(&last_object(&result)), json!([2, 0, 2400, 68, null, null]));
    let shown = sandbox.run(&["report", "last", "--store", "runs"]).success();
    assert!(shown.contains("2400       68          unknown"), "{shown}");
    let sandbox = priced();
    let quiet = Server::start(Behavior::NoUsage);
    let result = run(&sandbox, &quiet, &["--max-steps", "2", "--json"]);
    assert_eq!(usage_fields(&last_object(&result)), json!([2, 2, 0, 0, null, null]));
    let result = run(&sandbox, &quiet, &["--max-steps", "1"]);
    assert!(result.out.contains("tokens unknown, cost unknown"), "{}", result.out);
    let shown = sandbox.run(&["report", "last", "--store", "runs"]).success();
    assert!(shown.contains("1         0                unknown    unknown     unknown"), "{shown}");
    let result = sandbox.run(&[
        "run",
        "lost.xsb",
        "--store",
        "other",
        "--agent",
        "random",
        "--max-steps",
        "2",
        "--json",
    ]);
    assert_eq!(usage_fields(&last_object(&result)), json!([0, 0, 0, 0, null, null]));
    assert!(!sandbox.run(&["report", "last", "--store", "other"]).success().contains("tokens in"));
}

#[test]
fn a_budget_truncates_the_episode_without_a_score() {
    for (flag, most, steps) in
        [("--max-tokens", "2000", 2), ("--max-tokens", "1234", 1), ("--cost-limit", "0.0067", 3)]
    {
        let sandbox = priced();
        let server = Server::start(Behavior::Normal);
        let result = run(&sandbox, &server, &[flag, most, "--json"]);
        assert_eq!((result.code, result.err.as_str()), (Some(4), ""), "{flag} {most}");
        let episode = last_object(&result);
        let came = json!([episode["ending"], episode["score"], episode["steps"]]);
        assert_eq!((came, server.requests().len()), (json!(["budget", null, steps]), steps), "{flag} {most}");
        let sum = last_object(&sandbox.run(&["report", "last", "--store", "runs", "--json"]));
        assert_eq!(json!([sum["endings"], sum["scored"]]), json!([{"budget": 1}, 0]));
        let out = format!("out-{most}");
        sandbox.run(&["export", "last", "--rl", "--store", "runs", "--out", &out]).success();
        let line = std::fs::read_to_string(sandbox.path(format!("work/{out}/episodes.jsonl"))).unwrap();
        let exported: serde_json::Value = serde_json::from_str(line.trim()).unwrap();
        assert_eq!(json!([exported["ending"], exported["score"]]), json!(["budget", null]));
        let result = sandbox.run(&["run", "--resume", "last", "--store", "runs", "--json"]);
        assert_eq!((result.code, server.requests().len()), (Some(4), steps), "it does not resume");
        sandbox.run(&["log", "check", "--store", "runs"]).success();
    }
}

#[test]
fn a_cost_limit_without_a_price_is_refused() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::NoUsage);
    let result = run(&sandbox, &server, &["--cost-limit", "1"]);
    result.fails_with(2, &["the price of \"mock\" is unknown, so the cost cannot be limited", "prices.toml"]);
    assert!(!sandbox.path("work/runs").exists(), "no session was started");
    run(&sandbox, &server, &["--cost-limit", "-1"]).fails_with(2, &["--cost-limit", "play.cost_limit"]);
    let result = run(&sandbox, &server, &["--max-tokens", "5000"]);
    result.fails_with(1, &["the budget cannot be enforced: the server reports no token counts"]);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_reply_cut_at_the_token_limit_counts_its_tokens() {
    let sandbox = priced();
    let server = Server::start(Behavior::Length);
    let result = run(&sandbox, &server, &["--max-steps", "1", "--json"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let shown = sandbox.run(&["report", "last", "--store", "runs", "--json"]);
    let sum = last_object(&shown);
    assert_eq!(
        json!([sum["requests"], sum["tokens_in"], sum["costs"]]),
        json!([3, 3600, {"USD": "0.01002"}])
    );
}

#[test]
fn prices_are_listed_and_mistakes_reported_with_their_line() {
    let sandbox = sandbox();
    let listed = sandbox.run(&["prices", "list"]).success();
    assert!(listed.contains("mageyard/prices.toml (does not exist; `mageyard prices example`"), "{listed}");
    assert!(sandbox.run(&["prices", "check"]).success().contains("no prices, so costs are unknown"));
    let example = sandbox.run(&["prices", "example"]).success();
    sandbox.write("config/mageyard/prices.toml", example.replace("#: ", ""));
    let listed = sandbox.run(&["prices", "list"]).success();
    assert!(listed.contains("example-large*  2.5"), "{listed}");
    let objects = sandbox.run(&["prices", "list", "--json"]).json_lines();
    assert_eq!(
        json!([objects[1]["model"], objects[1]["output"], objects[1]["currency"]]),
        json!(["example-small", "0.6", "EUR"])
    );
    assert!(sandbox.run(&["config", "check"]).success().contains("2 models"));
    sandbox.write("config/mageyard/prices.toml", "currency = \"USD\"\n[models.m]\ninput = 1e3\noutput = 1\n");
    let says = ["prices.toml:3:", "models.m.input: 1e3 is not a decimal number"];
    sandbox.run(&["prices", "check"]).fails_with(2, &says);
    sandbox.run(&["config", "check"]).fails_with(2, &says);
    sandbox.run(&["run", "lost.xsb"]).fails_with(2, &says);
}

#[test]
fn the_status_line_follows_the_price_file() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    fs::create_dir_all(sandbox.path("config/mageyard")).unwrap();
    let url = server.url();
    let args = ["play", "lost.xsb", "--agent", "model", "--model", "mock", "--base-url", &url];
    // At 80 columns the status line has no room for the cost; the agent pane shows it.
    for (columns, rows, status) in [(120, 40, "1234 tokens · 0.00334 USD"), (80, 24, "1234 tokens · …")] {
        let mut pty = Pty::start(&sandbox.command(&args), columns, rows);
        pty.sees("asks the agent").press("enter").sees("1234 tokens");
        sandbox.write("config/mageyard/prices.toml", PRICES);
        pty.sees(status).sees("cost 0.00334 USD");
        fs::remove_file(sandbox.path("config/mageyard/prices.toml")).unwrap();
        pty.misses("0.00334 USD").press("q");
        assert_eq!(pty.wait_for_exit().code, 0);
    }
}
