//! Keys that are plain words: they are sent, but replies keep the word, and this is said once.

use std::fs;

use super::runs::{args, sandbox};
use crate::server::{Behavior, Server};

#[test]
fn a_plain_word_is_no_secret_and_replies_keep_it() {
    let sandbox = sandbox().with("OPENAI_API_KEY", "ollama");
    let server = Server::start(Behavior::Normal);
    server.queue_reply("# analyze\nAn ollama model.\n\n# action\nFly\n");
    server.queue_reply("# analyze\nAgain ollama.\n\n# action\nUp\n");
    let url = server.url();
    let result = sandbox.run(&args(&url, &["lost.xsb", "--max-steps", "1"]));
    assert_eq!(result.code, Some(0), "{result:?}");
    assert_eq!(server.keys(), ["Bearer ollama", "Bearer ollama"]);
    let reply = sandbox.run(&["view", "last#1", "--store", "runs", "--print", "reply"]).success();
    assert!(reply.contains("Again ollama."), "{reply}");
    let log = fs::read_to_string(sandbox.path("state/mageyard/mageyard.log")).unwrap();
    let notes: Vec<&str> = log.lines().filter(|line| line.contains("the value is a plain word")).collect();
    assert!(
        notes.len() == 1 && notes[0].contains("OPENAI_API_KEY") && !notes[0].contains("ollama"),
        "{notes:?}"
    );
}

#[test]
fn doctor_says_where_the_key_is_from_and_whether_it_is_removed() {
    let server = Server::start(Behavior::Normal);
    let url = server.url();
    for (key, settings, verdict, says) in [
        (Some("sk-planted-0123"), &[][..], "ok", "the key is from OPENAI_API_KEY"),
        (Some("ollama"), &[], "ok", "it is a plain word, so it is not removed from replies and errors"),
        (None, &[], "ok", "OPENAI_API_KEY is not set; a server on this machine seldom needs a key"),
        (None, &["--set", "model.key_variable="], "ok", "no key is sent: model.key_variable is empty"),
        (None, &["--set", "model.headers.X-T=${T}"], "fail", "X-T takes its value from T, which is not set"),
    ] {
        let sandbox = sandbox();
        let sandbox = if let Some(key) = key { sandbox.with("OPENAI_API_KEY", key) } else { sandbox };
        let result =
            sandbox.run(&[&["doctor", "--json", "--model", "mock", "--base-url", &url], settings].concat());
        let row = result.json_lines().into_iter().find(|row| row["name"] == "model, key").expect("a finding");
        assert_eq!(row["verdict"], verdict, "{row}");
        assert!(row["detail"].as_str().unwrap().contains(says), "{says:?} is not in {row}");
        assert!(!result.out.contains("planted"), "{}", result.out);
    }
    let remote = sandbox().run(&["doctor", "--json", "--model", "mock", "--base-url", "http://0.0.0.0:1/v1"]);
    let row = remote.json_lines().into_iter().find(|row| row["name"] == "model, key").unwrap();
    assert_eq!(
        (&row["verdict"], &row["detail"]),
        (&"warn".into(), &"OPENAI_API_KEY is not set".into()),
        "{row}"
    );
}
