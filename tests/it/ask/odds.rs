//! Token odds (`model.top_logprobs`): the odds of the action beside it, where the server sends them.

use super::*;

const REPLY: &str = "# analyze\nx\n\n# action\nDown\n";

fn call_odds(protocol: &str, more: &[&str]) -> (Value, Value, Vec<Value>) {
    let (sandbox, _) = played();
    let server = Server::start(Behavior::Normal);
    server.queue_reply(REPLY);
    let url = server.url();
    let args = ["ask", "last#7", "--models", "mock", "--samples", "1", "--base-url", &url, "--store", "runs"];
    let settings =
        ["--set", &format!("model.protocol={protocol}"), "--set", "model.top_logprobs=2", "--json"];
    let result = sandbox.run(&[&args[..], &settings[..], more].concat());
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let shown = sandbox.run(&["ask", "last#7", "--show", "--json", "--store", "runs"]).json_lines();
    assert!(!result.out.contains('\u{1b}'), "a token of the server is never emitted as it is");
    let call = |objects: &[Value]| of_type(objects, "ask_call")[0]["odds"].clone();
    (call(&result.json_lines()), call(&shown), server.requests())
}

#[test]
fn the_odds_of_the_action_are_those_of_its_tokens() {
    // Two tokens of five characters have a part of the action.
    let first = json!([{"token": "n\nDow", "p": 0.5}, {"token": "\u{1b}[31m", "p": 0.25}]);
    for (protocol, more) in
        [("chat", &[][..]), ("chat", &["--set", "model.stream=false"]), ("responses", &[])]
    {
        let (odds, shown, requests) = call_odds(protocol, more);
        assert!((odds["p"].as_f64().unwrap() - 0.25).abs() < 1e-3, "{odds}");
        let tokens = odds["first_token"].as_array().unwrap();
        for (token, known) in tokens.iter().zip(first.as_array().unwrap()) {
            assert_eq!(token["token"], known["token"]);
            assert!((token["p"].as_f64().unwrap() - known["p"].as_f64().unwrap()).abs() < 1e-3);
        }
        assert_eq!((tokens.len(), &odds), (2, &shown));
        assert_eq!(requests[0]["top_logprobs"], 2);
    }
}

#[test]
fn a_session_keeps_the_odds_of_each_action() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::Normal);
    server.queue_reply(REPLY);
    let url = server.url();
    let args = ["run", "sokoban/full/1", "--agent", "model", "--model", "mock", "--base-url", &url];
    let settings = ["--max-steps", "2", "--set", "model.top_logprobs=1", "--store", "runs"];
    sandbox.run(&[&args[..], &settings[..]].concat());
    let steps = of_type(&sandbox.run(&["view", "last", "--json", "--store", "runs"]).json_lines(), "step");
    let p = steps[0]["replies"][0]["odds"]["p"].as_f64().unwrap();
    assert!((p - 0.25).abs() < 1e-3, "{p}");
}

#[test]
fn a_protocol_without_odds_refuses_the_setting() {
    let (sandbox, _) = played();
    let settings = ["--set", "model.protocol=messages", "--set", "model.top_logprobs=2"];
    let args = ["ask", "last#7", "--models", "mock", "--store", "runs"];
    sandbox.run(&[&args[..], &settings].concat()).fails_with(2, &["the protocol messages has no token odds"]);
}
