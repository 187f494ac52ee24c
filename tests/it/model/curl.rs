//! A recorded request as a `curl` command sends the same request.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::runs::{args, sandbox};
use crate::sandbox::{CommandResult, Sandbox, wait_with_output};
use crate::server::{Behavior, Server};

const HOSTILE_REPLY: &str = "it's \"$HOME\" `ls` \\\\ !! \u{1b}[201~ \u{202e}\u{9b} é\n# action\nFly";

/// An episode of one step with this first reply, so that the second request contains it.
fn played(server: &Server, first: &str) -> Sandbox {
    let sandbox = sandbox().with("MY_KEY", "sk-secret");
    sandbox.write("work/mageyard.toml", "[model]\nkey_variable = \"MY_KEY\"\n");
    server.queue_reply(first);
    server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    let result = sandbox.run(&args(&server.url(), &["lost.xsb", "--max-steps", "1"]));
    assert_eq!((result.code, server.requests().len()), (Some(0), 2), "{result:?}");
    sandbox
}

fn print_step(sandbox: &Sandbox, run: &str, more: &[&str]) -> CommandResult {
    sandbox.run(&[&["view", run, "--store", "runs", "--print"], more].concat())
}

/// Runs the command in a shell with these variables and returns the response. Without curl, returns the arguments
/// that the shell parsed; the last one is the body.
pub(super) fn run_in_shell(
    sandbox: &Sandbox,
    command: &str,
    variables: &[(&str, &str)],
) -> Result<String, Vec<String>> {
    let there = Command::new("curl").arg("--version").stdout(Stdio::null()).status().is_ok();
    let text = if there {
        command.to_owned()
    } else {
        format!("curl() {{ for word do printf '%s\\0' \"$word\"; done; }}\n{command}")
    };
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &text])
        .current_dir(sandbox.path("work"))
        .envs(variables.iter().copied())
        .env("no_proxy", "*");
    let result = wait_with_output(
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().as_mut().unwrap(),
    );
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""), "{command}");
    if there { Ok(result.out) } else { Err(result.out.split('\0').map(str::to_owned).collect()) }
}

/// Asserts that the printed command sends the last request again, with the key, and gets a response.
fn assert_sends_same_request(sandbox: &Sandbox, server: &Server, command: &str) {
    let sent = server.requests().pop().unwrap();
    match run_in_shell(sandbox, command, &[("MY_KEY", "sk-mine")]) {
        Ok(answer) => {
            assert!(answer.contains("data: ") && answer.contains("[DONE]"), "{answer}");
            assert_eq!(server.requests().pop().unwrap(), sent);
            assert_eq!(server.keys().pop().unwrap(), "Bearer sk-mine");
        }
        Err(words) => {
            let body = words.iter().rev().find(|word| !word.is_empty()).unwrap();
            let body =
                body.strip_prefix('@').map_or(body.clone(), |path| std::fs::read_to_string(path).unwrap());
            assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), sent);
            assert!(words.contains(&"Authorization: Bearer sk-mine".to_owned()), "{words:?}");
        }
    }
}

#[test]
fn the_printed_command_repeats_the_request() {
    let server = Server::start(Behavior::Normal);
    let sandbox = played(&server, HOSTILE_REPLY);
    let command = print_step(&sandbox, "last#1", &["curl"]).success();
    assert!(
        !command.contains("sk-secret") && command.contains("\"Authorization: Bearer $MY_KEY\""),
        "{command}"
    );
    assert!(!command.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{command:?}");
    assert!(!sandbox.path("work/runs").join("copies").exists());
    assert_sends_same_request(&sandbox, &server, &command);
}

#[test]
fn a_request_too_long_for_a_command_line_is_in_a_file() {
    let server = Server::start(Behavior::Normal);
    let sandbox = played(&server, &"words that go on ".repeat(12_000));
    let command = print_step(&sandbox, "last#1", &["curl"]).success();
    assert!(command.len() < 1000 && command.contains("--data-binary @/"), "{command}");
    assert_sends_same_request(&sandbox, &server, &command);
    let again = print_step(&sandbox, "last#1", &["curl"]).success();
    assert_eq!(again, command, "the same text is saved once");
}

#[test]
fn every_part_of_a_step_is_printed_and_missing_parts_are_reported() {
    let server = Server::start(Behavior::Normal);
    let sandbox = played(&server, HOSTILE_REPLY);
    assert_eq!(print_step(&sandbox, "last#1", &["action"]).success(), "Right\n");
    let board = print_step(&sandbox, "last#1", &["board"]).success();
    assert!(board.starts_with("#####\n#$@ #\n#  .#\n#####\n\n# wall, "), "{board}");
    assert_eq!(
        print_step(&sandbox, "last#1", &["reply", "--attempt", "1"]).success(),
        format!("{HOSTILE_REPLY}\n")
    );
    let first = print_step(&sandbox, "last#1", &["request", "--attempt", "1"]).success();
    assert_eq!(serde_json::from_str::<Value>(&first).unwrap(), server.requests()[0]);
    print_step(&sandbox, "last", &["curl"]).fails_with(2, &["--print needs a step", "SESSION#3"]);
    let misspelt = print_step(&sandbox, "last#1", &["crul"]);
    assert!(misspelt.code == Some(2) && misspelt.err.contains("'curl'"), "{misspelt:?}");
    print_step(&sandbox, "last#1", &["curl", "--attempt", "3"])
        .fails_with(2, &["has no attempt 3", "it has 2"]);
    print_step(&sandbox, "last#9", &["curl"]).fails_with(2, &["there is no step 9"]);
    sandbox
        .run(&["run", "lost.xsb", "--store", "oracles", "--max-steps", "1", "--agent", "random"])
        .success();
    let none = sandbox.run(&["view", "last#1", "--store", "oracles", "--print", "curl"]);
    none.fails_with(2, &["no request was sent at this step"]);
    let session = sandbox.sessions("work/runs").remove(0);
    std::fs::remove_dir_all(session.join("blobs")).unwrap();
    print_step(&sandbox, "last#1", &["curl"]).fails_with(5, &["cannot read the image"]);
}
