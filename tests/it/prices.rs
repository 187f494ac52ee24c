//! What a model takes in tokens and money: shown, summed up and limited; and never nothing where it is only
//! not known.

use std::fs;

use serde_json::Value;
use serde_json::json;

use crate::pty::Pty;
use crate::sandbox::CommandResult;
use crate::sandbox::Sandbox;
use crate::server::Behavior;
use crate::server::Server;

/// The box stands in a corner: nobody ever wins.
const DEAD_LEVEL: &str = "#####\n#$@ #\n#  .#\n#####\n";
/// The server says 1200 tokens in and 34 out of every request.
const PRICES: &str = "currency = \"USD\"\n[models.\"mo*\"]\ninput = 2.5\noutput = 10\n";
/// What one request costs by it.
const COST_OF_ONE_REQUEST: &str = "0.00334";

fn world() -> Sandbox {
    let world = Sandbox::new();
    world.write("work/lost.xsb", DEAD_LEVEL);
    world
}

fn priced() -> Sandbox {
    let world = world();
    world.write("config/mageyard/prices.toml", PRICES);
    world
}

fn run(world: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    let url = server.url();
    let first =
        ["run", "lost.xsb", "--store", "runs", "--agent", "model", "--model", "mock", "--base-url", &url];
    world.run(&[&first[..], more].concat())
}

fn last_object(ran: &CommandResult) -> Value {
    ran.json_lines().pop().unwrap()
}

/// Tokens, cost and ending of an episode.
fn usage_fields(object: &Value) -> Value {
    let names = ["requests", "unmetered", "tokens_in", "tokens_out", "cost", "currency"];
    names.iter().map(|name| object[name].clone()).collect()
}

#[test]
fn tokens_and_cost_are_in_every_line_and_in_the_report() {
    let (world, server) = (priced(), Server::start(Behavior::Normal));
    let ran = run(&world, &server, &["--max-steps", "3", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let objects = ran.json_lines();
    assert_eq!(usage_fields(&objects[0]), json!([1, 0, 1200, 34, COST_OF_ONE_REQUEST, "USD"]));
    assert_eq!(usage_fields(&objects[3]), json!([3, 0, 3600, 102, "0.01002", "USD"]));
    let shown = world.run(&["report", "last", "--store", "runs"]).success();
    assert!(shown.contains("3600       102         0.01002 USD"), "{shown}");
    let sums = world.run(&["report", "last", "--store", "runs", "--json"]);
    let sum = last_object(&sums);
    assert_eq!(
        json!([sum["tokens_in"], sum["costs"], sum["uncosted"]]),
        json!([3600, {"USD": "0.01002"}, 0])
    );
    let ran = run(&world, &server, &["--max-steps", "1"]);
    assert_eq!(ran.out.matches("1200 tokens in, 34 out, 0.00334 USD").count(), 2, "{}", ran.out);
}

#[test]
fn missing_usage_is_unknown_and_no_request_costs_nothing() {
    let (world, server) = (world(), Server::start(Behavior::Normal));
    let ran = run(&world, &server, &["--max-steps", "2", "--json"]);
    assert_eq!(usage_fields(&last_object(&ran)), json!([2, 0, 2400, 68, null, null]));
    let shown = world.run(&["report", "last", "--store", "runs"]).success();
    assert!(shown.contains("2400       68          unknown (1 episode)"), "{shown}");
    let (world, quiet) = (priced(), Server::start(Behavior::NoUsage));
    let ran = run(&world, &quiet, &["--max-steps", "2", "--json"]);
    assert_eq!(usage_fields(&last_object(&ran)), json!([2, 2, 0, 0, null, null]));
    let ran = run(&world, &quiet, &["--max-steps", "1"]);
    assert!(ran.out.contains("tokens unknown, cost unknown"), "{}", ran.out);
    let shown = world.run(&["report", "last", "--store", "runs"]).success();
    assert!(shown.contains("unknown (1 of 1 requests)"), "{shown}");
    let ran = world.run(&[
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
    assert_eq!(usage_fields(&last_object(&ran)), json!([0, 0, 0, 0, null, null]));
    assert!(!world.run(&["report", "last", "--store", "other"]).success().contains("tokens"));
}

#[test]
fn a_budget_truncates_the_episode_without_a_score() {
    for (flag, most, steps) in
        [("--max-tokens", "2000", 2), ("--max-tokens", "1234", 1), ("--cost-limit", "0.0067", 3)]
    {
        let (world, server) = (priced(), Server::start(Behavior::Normal));
        let ran = run(&world, &server, &[flag, most, "--json"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(4), ""), "{flag} {most}");
        let episode = last_object(&ran);
        let came = json!([episode["ending"], episode["score"], episode["steps"]]);
        assert_eq!((came, server.requests().len()), (json!(["budget", null, steps]), steps), "{flag} {most}");
        let sum = last_object(&world.run(&["report", "last", "--store", "runs", "--json"]));
        assert_eq!(json!([sum["endings"], sum["scored"]]), json!([{"budget": 1}, 0]));
        let out = format!("out-{most}");
        world.run(&["export", "last", "--rl", "--store", "runs", "--out", &out]).success();
        let line = std::fs::read_to_string(world.path(format!("work/{out}/episodes.jsonl"))).unwrap();
        let exported: serde_json::Value = serde_json::from_str(line.trim()).unwrap();
        assert_eq!(json!([exported["ending"], exported["score"]]), json!(["budget", null]));
        let ran = world.run(&["run", "--resume", "last", "--store", "runs", "--json"]);
        assert_eq!((ran.code, server.requests().len()), (Some(4), steps), "it stays ended");
        world.run(&["log", "check", "--store", "runs"]).success();
    }
}

#[test]
fn a_cost_limit_without_a_price_is_refused() {
    let (world, server) = (world(), Server::start(Behavior::NoUsage));
    let ran = run(&world, &server, &["--cost-limit", "1"]);
    ran.fails_with(2, &["the price of \"mock\" is unknown, so no cost can be limited", "prices.toml"]);
    assert!(!world.path("work/runs").exists(), "nothing was begun");
    run(&world, &server, &["--cost-limit", "-1"]).fails_with(2, &["--cost-limit", "play.cost_limit"]);
    let ran = run(&world, &server, &["--max-tokens", "5000"]);
    ran.fails_with(
        1,
        &["the budget cannot be kept: the server gave no count of tokens for 1 of the replies"],
    );
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_reply_cut_at_the_token_limit_counts_its_tokens() {
    let (world, server) = (priced(), Server::start(Behavior::Length));
    let ran = run(&world, &server, &["--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let shown = world.run(&["report", "last", "--store", "runs", "--json"]);
    let sum = last_object(&shown);
    assert_eq!(
        json!([sum["unfinished"], sum["tokens_in"], sum["costs"]]),
        json!([1, 1200, {"USD": COST_OF_ONE_REQUEST}])
    );
}

#[test]
fn prices_are_listed_and_mistakes_reported_with_their_line() {
    let world = world();
    let listed = world.run(&["prices", "list"]).success();
    assert!(listed.contains("mageyard/prices.toml (none yet; mageyard prices example"), "{listed}");
    assert!(world.run(&["prices", "check"]).success().contains("none, so costs are unknown"));
    let example = world.run(&["prices", "example"]).success();
    world.write("config/mageyard/prices.toml", example.replace("#: ", ""));
    let listed = world.run(&["prices", "list"]).success();
    assert!(listed.contains("example-large*  2.5"), "{listed}");
    let objects = world.run(&["prices", "list", "--json"]).json_lines();
    assert_eq!(
        json!([objects[1]["model"], objects[1]["output"], objects[1]["currency"]]),
        json!(["example-small", "0.6", "EUR"])
    );
    assert!(world.run(&["config", "check"]).success().contains("2 models"));
    world.write("config/mageyard/prices.toml", "currency = \"USD\"\n[models.m]\ninput = 1e3\noutput = 1\n");
    let says = ["prices.toml:3:", "models.m.input: 1e3 is not a decimal number"];
    world.run(&["prices", "check"]).fails_with(2, &says);
    world.run(&["config", "check"]).fails_with(2, &says);
    world.run(&["run", "lost.xsb"]).fails_with(2, &says);
}

#[test]
fn the_status_line_follows_the_price_file() {
    let (world, server) = (world(), Server::start(Behavior::Normal));
    fs::create_dir_all(world.path("config/mageyard")).unwrap();
    let url = server.url();
    let args = ["play", "lost.xsb", "--agent", "model", "--model", "mock", "--base-url", &url];
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut pty = Pty::start(&world.command(&args), columns, rows);
        pty.sees("asks the agent").press("enter").sees("1 image · 1234 tokens · cost unknown");
        world.write("config/mageyard/prices.toml", PRICES);
        pty.sees("1234 tokens · 0.00334 USD").sees("cost 0.00334 USD");
        fs::remove_file(world.path("config/mageyard/prices.toml")).unwrap();
        pty.sees("1234 tokens · cost unknown").press("q");
        assert_eq!(pty.wait_for_exit().code, 0);
    }
}
