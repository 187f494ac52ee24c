//! Prompt caching: requests that begin alike, tokens that the server read from its cache, and marks for its cache.

use serde_json::{Value, json};

use super::runs::{args, sandbox};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// Requests of four steps in a room without an end.
fn requests(sandbox: &Sandbox, more: &[&str]) -> Vec<Value> {
    let server = Server::start(Behavior::Normal);
    let level = ["lost.xsb", "--max-steps", "6", "--on-repeating", "go_on"];
    let replies = ["Left", "Down", "Up", "Right", "Left", "Down"];
    for name in replies {
        server.queue_reply(&format!("# analyze\nSo.\n\n# action\n{name}\n"));
    }
    let result = sandbox.run(&args(&server.url(), &[&level[..], more].concat()));
    assert_eq!(result.code, Some(0), "{result:?}");
    server.requests()
}

/// The number of characters that a request has in common with the beginning of the next one.
fn common(before: &Value, next: &Value) -> usize {
    let before = before["messages"].to_string();
    let next = next["messages"].to_string();
    before.bytes().zip(next.bytes()).take_while(|(one, two)| one == two).count()
}

#[test]
fn a_stable_prefix_keeps_the_task_the_same_and_says_the_actions_left_last() {
    let sandbox = sandbox();
    let window = ["--am", "10", "--om", "10"];
    let usual = requests(&sandbox, &window);
    sandbox.write("work/mageyard.toml", "[memory]\nstable_prefix = true\n");
    let stable = requests(&sandbox, &window);
    assert_eq!(usual.len(), stable.len());
    for (index, (usual, stable)) in usual.windows(2).zip(stable.windows(2)).enumerate() {
        let task = usual[0]["messages"][0].to_string().len();
        assert!(common(&usual[0], &usual[1]) < task + 400, "the task differs early");
        let whole = stable[0]["messages"].to_string().len();
        let same = common(&stable[0], &stable[1]);
        assert!(same + 120 > whole, "request {index}: {same} of {whole}");
    }
    for (left, request) in (1..=6).rev().zip(&stable) {
        let text = request.to_string();
        let actions = if left == 1 { "1 action".to_owned() } else { format!("{left} actions") };
        assert_eq!(text.matches(" left.").count(), 1, "{text}");
        let last = request["messages"].as_array().unwrap().last().unwrap()["content"].as_array().unwrap();
        let sentence = format!("You have {actions} left.");
        assert_eq!(last.last().unwrap(), &json!({"type": "text", "text": sentence}));
    }
    let again = sandbox.run(&["run", "--json", "--store", "runs", "--agent", "replay", "--from", "last"]);
    assert_eq!(again.code, Some(0), "the recording has the layout: {again:?}");
}

/// The turns with a mark for the cache; the system text is turn 0.
fn marked(request: &Value) -> Vec<usize> {
    let turns = request["messages"].as_array().unwrap();
    let turns = std::iter::once(&request["system"]).chain(turns.iter().map(|turn| &turn["content"]));
    let has_mark = |content: &Value| content.to_string().contains("cache_control");
    turns.enumerate().filter(|(_, content)| has_mark(content)).map(|(index, _)| index).collect()
}

#[test]
fn marks_are_at_the_end_of_what_the_next_request_repeats() {
    for (window, prefix, places) in [
        (["--am", "10", "--om", "10"], true, [vec![0], vec![0, 2], vec![0, 4]]),
        (["--am", "10", "--om", "10"], false, [vec![0], vec![0], vec![0]]),
        (["--am", "10", "--om", "1"], true, [vec![0], vec![0, 2], vec![0, 4]]),
        (["--am", "2", "--om", "1"], true, [vec![0], vec![0, 2], vec![0, 1]]),
    ] {
        let sandbox = sandbox();
        let settings = format!(
            "[memory]\nstable_prefix = {prefix}\n[model]\nprotocol = \"messages\"\ncache = \"on\"\nkey_variable = \"\"\n"
        );
        sandbox.write("work/mageyard.toml", settings);
        let requests = requests(&sandbox, &window);
        let found: Vec<_> = requests.iter().take(3).map(marked).collect();
        assert_eq!(found, places, "{window:?} {prefix}");
        for (request, next) in requests.iter().zip(&requests[1..]) {
            let last = *marked(request).last().unwrap();
            let turns = |request: &Value| {
                let turns = request["messages"].as_array().unwrap();
                turns.iter().take(last).map(plain).collect::<Vec<_>>()
            };
            assert_eq!(turns(request), turns(next), "what is cached is repeated");
        }
    }
}

/// A turn without marks, with its content as a list.
fn plain(turn: &Value) -> Value {
    let mut turn = turn.clone();
    if let Some(text) = turn["content"].as_str() {
        turn["content"] = json!([{"type": "text", "text": text}]);
    }
    for part in turn["content"].as_array_mut().unwrap() {
        part.as_object_mut().unwrap().remove("cache_control");
    }
    turn
}

#[test]
fn cached_tokens_and_an_estimate_of_what_is_repeated_are_reported() {
    let sandbox = sandbox();
    let prices = "currency = \"USD\"\n[models.mock]\ninput = 1\noutput = 0\ncached = 0.1\n";
    sandbox.write("config/mageyard/prices.toml", prices);
    let server = Server::start(Behavior::CachedUsage);
    let level = ["lost.xsb", "--max-steps", "3"];
    let result = sandbox.run(&args(&server.url(), &level));
    assert_eq!(result.code, Some(0), "{result:?}");
    let episode = result.json_lines().pop().unwrap();
    let requests = episode["requests"].as_u64().unwrap();
    assert_eq!(episode["tokens_cached"], 700 * requests);
    assert_eq!(episode["tokens_cache_writes"], 0);
    let report = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(report["tokens_cached"], 700 * requests);
    let repeated = report["tokens_repeated"].as_u64().unwrap();
    assert!(repeated > 0 && repeated < 1200 * requests, "{report}");
    let costs = &report["cache_costs"]["USD"];
    let amount = |name: &str| costs[name].as_str().unwrap().parse::<f64>().unwrap();
    assert!(amount("with") < amount("without"), "{costs}");
    let without = 0.0012 * f64::from(u32::try_from(requests).unwrap());
    assert!((amount("without") - without).abs() < 1e-9, "a millionth of a dollar for a token: {costs}");
    let table = sandbox.run(&["report", "last", "--store", "runs"]).success();
    assert!(table.contains("repeated (estimate)") && table.contains("without a cache"), "{table}");
    let row = table.lines().skip_while(|line| !line.contains("repeated (estimate)")).nth(1).unwrap();
    assert_eq!(row.matches(" USD").count(), 2, "the price of cached tokens is known: {row}");
}
