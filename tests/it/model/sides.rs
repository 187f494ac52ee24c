//! Side requests of the whole program: the sums over roles are what the server counted, and everything that handles
//! requests has them.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use super::runs::{args, sandbox};
use crate::sandbox::{Sandbox, complete, program, wait};
use crate::server::{Behavior, Server, side};

/// The server reports 1200 input and 34 output tokens for a reply.
const PRICES: &str = "currency = \"USD\"\n[models.\"mo*\"]\ninput = 1\noutput = 10\n\
    [models.other]\ninput = 2\noutput = 20\n";
const TIMEOUT: Duration = Duration::from_secs(30);
/// A model of its own for the module.
const MODULE: [&str; 4] = ["--set", "roles.modules=reward", "--set", "roles.reward=other"];

fn priced() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write("config/mageyard/prices.toml", PRICES);
    sandbox
}

fn number(row: &Value, name: &str) -> u64 {
    row[name].as_u64().unwrap_or_else(|| panic!("{name} of {row}"))
}

/// How many requests of this role the server received.
fn received(server: &Server, role: Option<&str>) -> u64 {
    server.requests().iter().filter(|request| side::role(request) == role).count() as u64
}

/// Compares the counts of an episode with those of the server: all requests, those of the role, and their tokens.
fn check(episode: &Value, server: &Server, role: &str) {
    let of_role = &episode["roles"][role];
    let received = |role| received(server, role);
    assert_eq!(number(episode, "requests"), server.requests().len() as u64, "{episode}");
    assert_eq!(number(of_role, "requests"), received(Some(role)), "{of_role}");
    let own = number(episode, "requests") - number(of_role, "requests");
    assert_eq!(own, received(None));
    for row in [episode, of_role] {
        let known = number(row, "requests") - number(row, "requests_refused") - number(row, "unmetered");
        assert_eq!(
            (number(row, "tokens_in"), number(row, "tokens_out")),
            (1200 * known, 34 * known),
            "{row}"
        );
    }
}

#[test]
fn the_sums_over_roles_are_those_of_the_server_with_retries() {
    for behavior in [Behavior::Normal, Behavior::BusyAfter, Behavior::OverloadedOnce, Behavior::Flaky] {
        let sandbox = priced();
        let server = Server::start(behavior);
        let url = server.url();
        let rows = sandbox.run(&args(&url, &[&["lost.xsb", "--max-steps", "3"], &MODULE[..]].concat()));
        assert_eq!(rows.code, Some(0), "{}", rows.err);
        let rows = rows.json_lines();
        let episode = rows.last().unwrap();
        check(episode, &server, "reward");
        assert_eq!(episode["roles"]["reward"]["side_requests"], 2, "before steps 2 and 3");
        let steps = rows.iter().filter(|row| row["type"] == "step");
        let side: Vec<_> = steps.map(|step| step["side"].as_array().map_or(0, Vec::len)).collect();
        assert_eq!(side, [0, 1, 1]);
        let report = sandbox.run(&["report", "last", "--store", "runs", "--json"]).json_lines().remove(0);
        assert_eq!(report["roles"]["reward"]["requests"], episode["roles"]["reward"]["requests"]);
        assert_eq!(report["roles"]["reward"]["costs"], json!({"USD": "0.00616"}), "2 of 0.0024 and 0.00068");
        assert_eq!(report["costs"], json!({"USD": "0.01078"}), "and 3 of 0.0012 and 0.00034");
        sandbox.run(&["log", "check", "--store", "runs"]).success();
    }
}

/// Waits until the server has received a side request.
fn wait_for_side(server: &Server) {
    let begun = Instant::now();
    while received(server, Some("reward")) == 0 {
        assert!(begun.elapsed() < TIMEOUT, "no side request came");
        thread::sleep(Duration::from_millis(2));
    }
}

fn start(sandbox: &Sandbox, url: &str) -> Child {
    let mut command = sandbox.command(&args(url, &[&["lost.xsb", "--max-steps", "3"], &MODULE[..]].concat()));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn resumed(sandbox: &Sandbox) -> Value {
    let result = sandbox.run(&["run", "--json", "--store", "runs", "--resume", "last"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    result.json_lines().pop().unwrap()
}

#[test]
fn a_side_request_that_a_kill_has_lost_is_counted_and_sent_again() {
    let sandbox = priced();
    sandbox.write("work/mageyard.toml", "[model]\ntimeout = 60\n");
    let server = Server::start(Behavior::NeverAnswersSides);
    let mut child = start(&sandbox, &server.url());
    wait_for_side(&server);
    child.kill().unwrap();
    assert_eq!(wait(&mut child), None);
    server.set_behavior(Behavior::Normal);
    let episode = resumed(&sandbox);
    check(&episode, &server, "reward");
    let reward = &episode["roles"]["reward"];
    assert_eq!(json!([reward["requests"], reward["requests_lost"], reward["replies"]]), json!([3, 1, 2]));
}

#[test]
fn a_side_request_that_a_signal_has_cancelled_is_counted_and_sent_again() {
    let sandbox = priced();
    sandbox.write("work/mageyard.toml", "[model]\ntimeout = 60\n");
    let server = Server::start(Behavior::NeverAnswersSides);
    let mut child = start(&sandbox, &server.url());
    wait_for_side(&server);
    let id = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(wait(&mut child), Some(130));
    server.set_behavior(Behavior::Normal);
    let episode = resumed(&sandbox);
    check(&episode, &server, "reward");
    assert_eq!(episode["roles"]["reward"]["requests_cancelled"], 1);
}

/// A form whose judge is asked at each typed text and for the verdict.
fn judged(server: &Server, more: &[&str]) -> (Sandbox, String) {
    let sandbox = priced();
    let surface = sandbox.path("surface");
    let level = format!("field hello\nsurface {}\nasks\njudge ask\n", surface.display());
    sandbox.write("work/live.pages", level);
    let url = format!("model.base_url={}", server.url());
    let first = ["run", "live.pages", "--agent", "oracle", "--store", "runs", "--set", &url];
    let judge = ["--set", "roles.judge=other temperature=0"];
    let args = [&first[..], &judge, more].concat();
    let result = complete(&mut sandbox.command_of(&program("examples/pages"), &args));
    assert_eq!(result.code, Some(0), "{}", result.err);
    (sandbox, result.out)
}

#[test]
fn the_judge_of_an_environment_is_counted_for_an_agent_without_a_model() {
    let server = Server::start(Behavior::BusyAfter);
    let (sandbox, out) = judged(&server, &["--json"]);
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let episode = rows.last().unwrap();
    check(episode, &server, "judge");
    assert_eq!(episode["roles"]["judge"]["model"], "other");
    let answers: Vec<&Value> =
        rows.iter().filter_map(|row| row["side"].as_array()).flatten().map(|side| &side["answer"]).collect();
    assert!(!answers.is_empty() && answers.iter().all(|answer| **answer == 0.5), "{out}");
    let pages = program("examples/pages");
    let found =
        complete(&mut sandbox.command_of(&pages, &["find", "role=judge", "--store", "runs", "--json"]));
    assert!(!found.json_lines().is_empty(), "{}", found.err);
}

#[test]
fn answers_are_printed_below_their_step_and_totals_at_the_end() {
    let server = Server::start(Behavior::Normal);
    let (_, out) = judged(&server, &[]);
    assert!(out.contains("\n      judge: 0.5\n"), "{out}");
    let last = out.lines().last().unwrap();
    assert!(last.contains("  judge: ") && last.contains(" side request"), "{out}");
}

/// An episode of the simulated model with a module.
fn reflected() -> Sandbox {
    let sandbox = Sandbox::new();
    let exact = ["parse_errors", "invalid_actions", "refusals", "cuts", "rate_limits", "lost_connections"];
    let exact: Vec<String> = exact.iter().map(|name| format!("demo.{name}=0")).collect();
    let exact: Vec<&str> = exact.iter().flat_map(|setting| ["--set", setting.as_str()]).collect();
    let first =
        ["run", "sokoban/mini/1", "--agent", "demo", "--store", "runs", "--max-steps", "4", "--seed", "1"];
    sandbox.run(&[&first[..], &["--set", "roles.modules=reward"], &exact].concat()).success();
    sandbox
}

#[test]
fn steps_with_side_requests_are_found_by_role_tokens_and_cost() {
    let sandbox = reflected();
    let steps = |condition: &str| {
        let found = sandbox.run(&["find", condition, "last", "--store", "runs", "--json"]);
        assert_eq!(found.code, Some(0), "{}", found.err);
        found.json_lines().iter().map(|row| row["step"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(steps("role=reward"), [2, 3, 4]);
    assert_eq!(steps("step<=4 and role!=reward"), [1]);
    assert_eq!(steps("tokens(reward)>0"), [2, 3, 4]);
    assert_eq!(steps("cost(reward)>0 and tokens_out(agent)>0"), [2, 3, 4]);
    assert_eq!(steps("tokens(judge)>0"), [] as [u64; 0]);
    sandbox.run(&["find", "tokens(rewrad)>0", "--store", "runs"]).fails_with(2, &["did you mean reward?"]);
    let early = ["run", "sokoban", "--agent", "demo", "--break", "role=reward before request"];
    sandbox.run(&early).fails_with(2, &["role=reward is not known before request"]);
}

#[test]
fn a_side_request_is_printed_exported_and_compared_like_others() {
    let sandbox = reflected();
    let print =
        |more: &[&str]| sandbox.run(&[&["view", "last#3", "--store", "runs", "--print"], more].concat());
    let curl = print(&["curl", "--role", "reward"]).success();
    assert!(curl.starts_with("curl ") && curl.contains("You watch an agent"), "{curl}");
    let reply: Value = serde_json::from_str(&print(&["reply", "--role", "reward"]).success()).unwrap();
    assert_eq!(reply["status"], "doing");
    print(&["reply", "--role", "judge"]).fails_with(2, &["the role judge was not asked at step 3"]);
    print(&["curl", "--role", "reward", "--attempt", "2"]).fails_with(2, &["no side request 2"]);
    sandbox.run(&["export", "last", "--rl", "--out", "out", "--store", "runs"]).success();
    let line = fs::read_to_string(sandbox.path("work/out/episodes.jsonl")).unwrap();
    let exported: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    let side = &exported["steps"][2]["side"][0];
    assert_eq!(
        json!([side["role"], side["number"], side["answer"]["status"]]),
        json!(["reward", 1, "doing"])
    );
    assert!(side["messages"].as_array().unwrap().len() > 1, "{side}");
    let requests =
        sandbox.run(&["diff", "last#2", "last#3", "--role", "reward", "--store", "runs"]).success();
    assert!(requests.contains("1 changed") && requests.contains("assessment before it"), "{requests}");
    let same = sandbox.run(&["diff", "last", "last", "--store", "runs"]).success();
    assert!(same.starts_with("no difference: "), "{same}");
    let replayed = sandbox.run(&["replay", "last", "--store", "runs"]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.err);
}

#[test]
fn rows_of_data_have_columns_for_the_roles_of_a_session() {
    let sandbox = reflected();
    let rows = |kind: &str| {
        sandbox.run(&["report", "last", "--store", "runs", "--rows", kind, "--json"]).json_lines()
    };
    let episode = rows("episodes").remove(0);
    let steps = rows("steps");
    let column = |row: &Value, name: &str| row[format!("roles.reward.{name}")].clone();
    assert_eq!(column(&episode, "replies"), 3);
    let sum = |name| steps.iter().filter_map(|step| column(step, name).as_u64()).sum::<u64>();
    for name in ["requests", "tokens_in", "tokens_out"] {
        assert_eq!(column(&episode, name), sum(name), "{name}");
    }
    assert!(column(&steps[0], "requests").is_null(), "{}", steps[0]);
    let table = sandbox.run(&["report", "last", "--store", "runs"]).success();
    assert!(table.contains("reward requests") && table.contains("reward tokens in"), "{table}");
    let plain =
        sandbox.run(&["run", "sokoban/mini/1", "--agent", "idle", "--max-steps", "1", "--store", "plain"]);
    plain.success();
    let plain = sandbox.run(&["report", "last", "--store", "plain"]).success();
    assert!(!plain.contains("reward"), "{plain}");
}

#[test]
fn a_plan_counts_side_requests_by_role() {
    let sandbox = Sandbox::new();
    let plan = |more: &[&str]| {
        let args =
            ["sweep", "plan", "memory-ablation", "--model", "demo", "--set", "play.agent=demo", "--json"];
        sandbox.run(&[&args[..], more].concat()).json_lines().remove(0)
    };
    let without = plan(&[]);
    let with = plan(&["--set", "roles.modules=reward"]);
    assert!(without.get("roles").is_none(), "{without}");
    let reward = &with["roles"]["reward"];
    let highest = |row: &Value, name: &str| row[name]["highest"].as_u64().unwrap();
    assert!(highest(reward, "calls") > 0 && highest(reward, "output_tokens") > 0, "{reward}");
    assert_eq!(highest(&with, "calls"), highest(&without, "calls") + highest(reward, "calls"));
    let agent = highest(&with, "input_tokens") - highest(reward, "input_tokens");
    assert!(agent > highest(&without, "input_tokens"), "what it says makes later requests longer");
}

#[test]
fn the_prompt_of_a_role_is_shown_and_a_mistake_in_a_file_of_ones_own_is_found() {
    let sandbox = Sandbox::new();
    let shipped = include_str!("../../../src/dialog/side/prompts/reward.md");
    assert_eq!(sandbox.run(&["prompts", "show", "hanoi/roles/reward"]).success(), shipped);
    sandbox.run(&["prompts", "show", "hanoi/roles/rewrad"]).fails_with(2, &["did you mean reward?"]);
    sandbox.write("config/mageyard/prompts/sokoban/roles/reward.md", shipped.replace("{trace}", "{trce}"));
    for args in [["prompts", "check"], ["prompts", "list"], ["config", "check"]] {
        sandbox.run(&args).fails_with(2, &["roles/reward.md:", "trce"]);
    }
    sandbox.write("config/mageyard/prompts/sokoban/roles/reward.md", shipped);
    sandbox.write("config/mageyard/prompts/sokoban/roles/guess.md", "x");
    sandbox.run(&["prompts", "check"]).fails_with(2, &["there is no role guess"]);
}
