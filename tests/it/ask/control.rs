//! The same requests in two asks, with a server that answers differently the second time.

use super::*;

/// A text that only the prompt `0s-CoT` has.
const ONE_PROMPT: &str = "Look at the image carefully and think step by step";

#[test]
fn the_same_request_again_shows_whether_the_server_has_moved() {
    let (sandbox, _) = played();
    let server = Server::start(Behavior::OwnReplies);
    let url = server.url();
    let args = ["ask", "last#7", "--prompts", "0s-CoT,HD-CoT", "--models", "mock", "--samples", "6"];
    let asked = |more: &[&str]| {
        let place = ["--store", "runs", "--json", "--base-url", &url];
        let result = sandbox.run(&[&args[..], &place, more].concat());
        assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
        of_type(&result.json_lines(), "ask_control")
    };
    server.decides_by("a text that no prompt has");
    assert_eq!(asked(&[]), [Value::Null; 0], "there is nothing to compare with");
    server.decides_by(ONE_PROMPT);
    let found = asked(&["--seed", "1"]);
    let shown: Vec<Value> = found
        .iter()
        .map(|one| {
            json!([
                one["variant"],
                one["seeds"],
                one["states"],
                one["replies"],
                one["moved"],
                one["distance"]
            ])
        })
        .collect();
    let expected = [json!([1, [1, 0], 1, [6, 6], true, 1.0]), json!([2, [1, 0], 1, [6, 6], false, 0.0])];
    assert_eq!(shown, expected);
    assert!(found[0]["p_corrected"].as_f64().unwrap() < 0.02, "{}", found[0]);
    assert_eq!(server.requests().len(), 24, "each seed has calls of its own");
    let text = sandbox.run(&["ask", "last#7", "--show", "--store", "runs"]).success();
    assert_eq!(text.matches("the server HAS MOVED").count(), 1, "{text}");
    assert_eq!(text.matches("no sign in the answers that the server has moved").count(), 1, "{text}");
    assert_eq!(server.requests().len(), 24);
}
