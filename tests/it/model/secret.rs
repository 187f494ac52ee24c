//! API keys: the test provokes errors and searches everything that was written for the key.

use std::fs;
use std::path::Path;

use super::runs::{args, sandbox};
use crate::server::{Behavior, Server};

const KEY: &str = "sk-planted-0123456789abcdef";

/// The files below a folder that contain a text, and the number of files searched.
pub(super) fn files_with(folder: &Path, text: &str) -> (Vec<String>, usize) {
    let mut found = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let (below, files) = files_with(&path, text);
            found.extend(below);
            count += files;
        } else {
            count += 1;
            let bytes = fs::read(&path).unwrap();
            if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    (found, count)
}

#[test]
fn an_api_key_is_sent_and_stored_nowhere() {
    let sandbox = sandbox().with("OPENAI_API_KEY", KEY);
    let mut keys = Vec::new();
    for behavior in [Behavior::Unauthorized, Behavior::Normal, Behavior::Down, Behavior::HtmlPage] {
        let server = Server::start(behavior);
        server.queue_reply(&format!("# analyze\nYour key is {KEY}.\n\n# action\nUp\n"));
        let url = server.url();
        let more = ["lost.xsb", "--max-steps", "2", "--max-retries", "0", "--log-level", "trace"];
        let result = sandbox.run(&args(&url, &more));
        assert!(!result.out.contains(KEY) && !result.err.contains(KEY), "{result:?}");
        if behavior == Behavior::Unauthorized {
            result.fails_with(
                1,
                &["Incorrect API key provided: Bearer [the key] (the key is from OPENAI_API_KEY)"],
            );
        }
        keys.extend(server.keys());
    }
    assert!(keys.len() >= 4 && keys.iter().all(|key| *key == format!("Bearer {KEY}")), "{keys:?}");
    let (found, count) = files_with(&sandbox.path(""), KEY);
    assert!(found.is_empty(), "the key is in {found:?}");
    assert!(count > 10, "only {count} files were looked at");
}

#[test]
fn a_key_in_place_of_its_variable_is_refused_without_being_shown() {
    let server = Server::start(Behavior::Normal);
    let sandbox = sandbox().with("MY_KEY", "mine-0123");
    sandbox.write("work/mageyard.toml", "[model]\nkey_variable = \"MY_KEY\"\n");
    let url = server.url();
    assert_eq!(sandbox.run(&args(&url, &["lost.xsb", "--max-steps", "1"])).code, Some(0));
    assert_eq!(server.keys(), ["Bearer mine-0123"]);
    sandbox.write("work/mageyard.toml", "[model]\nkey_variable = \"\"\n");
    assert_eq!(sandbox.run(&args(&url, &["lost.xsb", "--max-steps", "1"])).code, Some(0));
    assert_eq!(server.keys()[1], "", "a local server needs none");
}
