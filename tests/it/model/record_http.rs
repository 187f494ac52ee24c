//! A recorded conversation with a server is served again, and gives the same episode.

use std::fs;

use serde_json::Value;

use super::runs::{args, sandbox};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Recording, Server, ServerState};

const KEY: &str = "sk-planted-0123";

/// Plays an episode with this server and returns the lines of its journal without what depends on time and place.
fn play(sandbox: &Sandbox, url: &str, store: &str, more: &[&str]) -> Vec<Value> {
    let mut words = args(url, more);
    let at = words.iter().position(|word| *word == "runs").unwrap();
    words[at] = store;
    let result = sandbox.run(&words);
    assert!(!format!("{result:?}").contains(KEY));
    let session = sandbox.sessions(format!("work/{store}")).pop().unwrap();
    let text = fs::read_to_string(session.join("0001/journal.jsonl")).unwrap();
    let lines = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let bare = |mut line: Value| {
        for name in ["at", "seal", "latency_ms"] {
            line.as_object_mut().unwrap().remove(name);
        }
        line
    };
    lines.map(bare).collect()
}

fn serve(sandbox: &Sandbox, file: &str) -> (Server, Recording) {
    let recording = Recording::read(&sandbox.path("work").join(file)).unwrap();
    (Server::with(ServerState::replaying(recording.clone())), recording)
}

#[test]
fn a_recorded_episode_is_played_again_by_the_recording() {
    for protocol in ["chat", "messages", "responses"] {
        for behavior in [Behavior::Normal, Behavior::Reasoning, Behavior::EndsEarly] {
            let sandbox = sandbox().with("OPENAI_API_KEY", KEY).with("ANTHROPIC_API_KEY", KEY);
            let more = format!("[model]\nprotocol = \"{protocol}\"\nmax_retries = 1\n");
            sandbox.write("work/mageyard.toml", more);
            let server = Server::start(behavior);
            server.queue_reply(&format!("# analyze\nYour key: {KEY} 🧙\n\n# action\nFly\n"));
            let level = ["lost.xsb", "--max-steps", "3"];
            let first = play(
                &sandbox,
                &server.url(),
                "first",
                &[&level[..], &["--record-http", "talk.jsonl"]].concat(),
            );
            let text = fs::read_to_string(sandbox.path("work/talk.jsonl")).unwrap();
            assert!(!text.contains(KEY) && !text.contains("base64,"), "{text}");
            let (again, recording) = serve(&sandbox, "talk.jsonl");
            let second = play(&sandbox, &again.url(), "second", &level);
            assert_eq!(first, second, "{protocol} {behavior:?}");
            assert_eq!(recording.left(), 0, "{protocol} {behavior:?}: everything was served");
            assert!(first.len() > 3, "{first:?}");
        }
    }
}

#[test]
fn a_request_that_was_not_recorded_is_answered_with_what_differs() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    play(&sandbox, &server.url(), "first", &["lost.xsb", "--max-steps", "1", "--record-http", "talk.jsonl"]);
    let (again, recording) = serve(&sandbox, "talk.jsonl");
    let words = args(&again.url(), &["lost.xsb", "--max-steps", "1", "--temperature", "0.5"]).join(" ");
    let words: Vec<&str> = words.split(' ').collect();
    sandbox.run(&words).fails_with(
        1,
        &["the request differs from the next one of the recording: body/temperature: recorded 0.1, now 0.5"],
    );
    assert_eq!(recording.left(), 1);
    let again = sandbox.run(&args(&server.url(), &["lost.xsb", "--record-http", "talk.jsonl"]));
    again.fails_with(2, &["cannot create talk.jsonl", "give --record-http another name"]);
}

#[test]
fn a_compressed_response_is_recorded_without_the_key_and_served_compressed() {
    for stream in ["true", "false"] {
        let sandbox = sandbox().with("OPENAI_API_KEY", KEY);
        sandbox.write("work/mageyard.toml", format!("[model]\nstream = {stream}\n"));
        let server = Server::start(Behavior::Gzip);
        server.queue_reply(&format!("# analyze\nYour key: {KEY}\n\n# action\nRight\n"));
        let level = ["lost.xsb", "--max-steps", "2"];
        let recorded = [&level[..], &["--record-http", "talk.jsonl"]].concat();
        let first = play(&sandbox, &server.url(), "first", &recorded);
        let text = fs::read_to_string(sandbox.path("work/talk.jsonl")).unwrap();
        let exchange: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        assert_eq!(exchange["response"]["coding"], "gzip");
        let chunks = exchange["response"]["chunks"].as_array().unwrap();
        let body: String = chunks.iter().map(|chunk| chunk["text"].as_str().unwrap()).collect();
        assert!(body.contains("\"choices\"") && !text.contains(KEY), "{text}");
        let (again, recording) = serve(&sandbox, "talk.jsonl");
        let second = play(&sandbox, &again.url(), "second", &level);
        assert_eq!((first, recording.left()), (second.clone(), 0));
        let notes = second.iter().filter(|line| line.to_string().contains("compressed with gzip"));
        assert!(notes.count() >= 2, "{second:?}");
    }
}
