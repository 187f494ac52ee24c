//! Variants that would send the same request are asked once, and the replies count for each.

use super::*;

const SAMPLES: usize = 3;

/// At step 2 there is one output, so AM=2 and AM=5 send what AM=1 sends.
fn at_step_two(sandbox: &Sandbox, url: &str, more: &[&str]) -> CommandResult {
    let args = ["ask", "last#2", "--models", "mock", "--am", "1,2,5", "--om", "1", "--samples", "3"];
    sandbox.run(&[&args[..], &["--json", "--store", "runs", "--base-url", url], more].concat())
}

#[test]
fn variants_with_the_same_request_are_asked_once() {
    let (sandbox, journal) = played();
    let server = Server::start(Behavior::Normal);
    for action in ["Down", "Left", "Up"] {
        server.queue_reply(&format!("# analyze\nx\n\n# action\n{action}\n"));
    }
    let planned = at_step_two(&sandbox, &server.url(), &["--dry-run"]).json_lines();
    let plan = &of_type(&planned, "ask")[0];
    assert_eq!((&plan["calls"], &plan["calls_left"]), (&json!(SAMPLES), &json!(SAMPLES)));
    let objects = at_step_two(&sandbox, &server.url(), &[]).json_lines();
    assert_eq!(server.requests().len(), SAMPLES);

    let variants = of_type(&objects, "ask_variant");
    let of = |name: &str| variants.iter().map(|variant| variant[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("same_as"), [json!(null), json!(1), json!(1)]);
    assert_eq!(of("replies"), [json!(3), json!(3), json!(3)]);
    assert_eq!(of("requests"), [json!(3), json!(0), json!(0)], "only what was sent costs something");
    assert_eq!(
        (&variants[1]["answers"], &variants[2]["answers"]),
        (&variants[0]["answers"], &variants[0]["answers"])
    );
    assert_eq!(of_type(&objects, "ask_result")[0]["complete"], true);

    // A kill can come between a call and its copies; the same command completes them without a call.
    let folder = fs::read_dir(journal.with_file_name("asks")).unwrap().next().unwrap().unwrap().path();
    let calls = folder.join("calls.jsonl");
    let text = fs::read_to_string(&calls).unwrap();
    assert_eq!(text.lines().count(), 3 * SAMPLES);
    let sent = text.lines().filter(|line| line.contains("\"variant\":0")).map(|line| format!("{line}\n"));
    fs::write(&calls, sent.collect::<String>()).unwrap();
    let again = at_step_two(&sandbox, &server.url(), &[]).json_lines();
    assert_eq!(of_type(&again, "ask_variant"), variants);
    assert_eq!(server.requests().len(), SAMPLES);
    let report = sandbox.run(&["report", "last", "--store", "runs"]);
    assert!(report.err.contains("asks at these episodes, which no row has: 3 requests,"), "{}", report.err);
    let text = fs::read_to_string(&calls).unwrap();
    fs::write(&calls, format!("{{}}\n{text}")).unwrap();
    let report = sandbox.run(&["report", "last", "--store", "runs"]);
    assert!(
        report.err.contains("what was asked is not counted: ") && report.code == Some(0),
        "{}",
        report.err
    );
    fs::write(&calls, text).unwrap();
    let shown = sandbox.run(&["ask", "last#2", "--show", "--store", "runs"]).success();
    assert!(shown.contains("3 calls; 2 variants have the request of another, asked once"), "{shown}");
}
