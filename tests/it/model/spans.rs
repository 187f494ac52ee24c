//! The log file: spans with numbers, filters by level and module, no key and no text of a request.

use std::fs;

use super::runs::{args, sandbox};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

const KEY: &str = "sk-in-the-log";

fn log(sandbox: &Sandbox) -> String {
    let folder = sandbox.path("state/mageyard");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| fs::read_to_string(file).unwrap()).collect()
}

fn logged(behavior: Behavior, filter: &[&str]) -> String {
    let sandbox = sandbox().with("OPENAI_API_KEY", KEY);
    let server = Server::start(behavior);
    let url = server.url();
    let result = sandbox.run(&args(&url, &[&["lost.xsb", "--max-steps", "1"], filter].concat()));
    assert_eq!(result.code, Some(0), "{}", result.err);
    log(&sandbox)
}

#[test]
fn every_try_has_a_span_with_its_status_and_tokens() {
    let log = logged(Behavior::Flaky, &["--log-filter", "mageyard::agents=debug"]);
    let first = log.lines().find(|line| line.contains("close") && line.contains("number=1")).expect(&log);
    assert!(first.contains("level=\"lost.xsb#1\" agent=\"model\"}:request{step=1 attempt=1}:"), "{first}");
    assert!(first.contains("episode{session=\"") && first.contains("try{number=1 status=500}"), "{first}");
    let second = log.lines().find(|line| line.contains("close") && line.contains("number=2")).expect(&log);
    assert!(second.contains("status=200 input_tokens=1200 output_tokens=34"), "{second}");
    assert!(second.contains("time.idle="), "{second}");
    assert!(log.contains("WARN") && log.contains("the request is retried"), "{log}");
    for secret in [KEY, "oops", "action is one of", "The crate is near", "base64"] {
        assert!(!log.contains(secret), "{secret} is in {log}");
    }
}

#[test]
fn the_span_of_a_side_request_has_its_role() {
    let module = ["--set", "roles.modules=reward", "--max-steps", "2"];
    let sandbox = sandbox().with("OPENAI_API_KEY", KEY);
    let server = Server::start(Behavior::Normal);
    let url = server.url();
    let filter = ["lost.xsb", "--log-filter", "mageyard::agents=debug"];
    sandbox.run(&args(&url, &[&filter[..], &module].concat())).success();
    let log = log(&sandbox);
    assert!(log.contains("request{step=2 attempt=1 role=\"reward\"}"), "{log}");
    assert!(log.contains("request{step=2 attempt=1}"), "a decision has no role: {log}");
}

#[test]
fn levels_select_by_severity_and_module() {
    assert!(
        !logged(Behavior::Normal, &[]).contains("request{"),
        "the default level has no spans of requests"
    );
    assert!(logged(Behavior::Normal, &[]).contains("episode=\"0001\" level=\"lost.xsb#1\""));
    let debug = logged(Behavior::Normal, &["--log-level", "debug"]);
    assert!(debug.contains("request{") && debug.contains("act{step=1}"), "{debug}");
    let filter = ["--log-level", "debug", "--log-filter", "mageyard::agents=off"];
    assert!(!logged(Behavior::Normal, &filter).contains("request{"));
    let sandbox = sandbox();
    for wrong in ["agents", "a=loud", "=debug"] {
        let run = ["run", "lost.xsb", "--log-filter", wrong];
        sandbox.run(&run).fails_with(2, &["--log-filter", "log.filter"]);
    }
}
