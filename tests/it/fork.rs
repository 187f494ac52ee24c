//! Branches of recorded episodes: what they share, what they change, and what refuses them.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::sandbox::{CommandResult, Sandbox};
use crate::server::{Behavior, Server};

/// A model's episode of six steps in the store.
fn recorded(server: &Server) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/lost.xsb", "#####\n#$@ #\n#  .#\n#####\n");
    let url = server.url();
    let run =
        ["run", "lost.xsb", "--agent", "model", "--model", "mock", "--base-url", &url, "--max-steps", "6"];
    assert_eq!(sandbox.run(&run).code, Some(0));
    sandbox
}

fn fork(sandbox: &Sandbox, more: &[&str]) -> CommandResult {
    sandbox.run(&[&["fork"], more].concat())
}

fn episode_folder(sandbox: &Sandbox) -> PathBuf {
    sandbox.sessions("data/mageyard/sessions").remove(0).join("0001")
}

fn lines(journal: &PathBuf) -> Vec<Value> {
    let text = fs::read_to_string(journal).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn training_data_name_the_model_the_repeat_and_the_branch() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    assert_eq!(fork(&sandbox, &["last#3", "--am", "1"]).code, Some(0));
    let exported = sandbox.run(&["export", "last/1", "last#b1", "--rl", "--out", "out"]);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let text = fs::read_to_string(sandbox.path("work/out/episodes.jsonl")).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let session = sandbox.sessions("data/mageyard/sessions").remove(0);
    let session = session.file_name().unwrap().to_str().unwrap();
    let named =
        |row: &Value| ["session", "episode", "repeat", "branch", "model"].map(|name| row[name].clone());
    let expected = |branch: Value| [session.into(), "0001".into(), 1.into(), branch, "mock".into()];
    assert_eq!(rows.iter().map(named).collect::<Vec<_>>(), [expected(Value::Null), expected("b1".into())]);
}

#[test]
fn a_branch_stores_only_its_own_lines_and_asks_with_the_changed_settings() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    let asked = server.requests().len();
    let made =
        fork(&sandbox, &["last#4", "--set", "prompt=HD-CoT", "--set", "am=2", "--why", "too much memory"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(made.out.contains("#b1  begins at step 4  exact\n"), "{}", made.out);
    assert!(made.out.contains("  prompt 0s-CoT -> HD-CoT\n  am 5 -> 2\n"), "{}", made.out);
    assert!(made.out.contains("2 changes at once: a difference is not attributable to one of them"));
    assert!(made.out.contains("  3 replies before it, not sent again\n"), "{}", made.out);
    assert_eq!(server.requests().len(), asked, "making a branch asks nothing");
    let played = sandbox.run(&["run", "--resume", "last#b1", "--json"]);
    assert_eq!(played.code, Some(0), "{}", played.err);
    assert_eq!(server.requests().len(), asked + 3, "steps 4 to 6");
    let sent = server.requests()[asked].to_string();
    assert!(sent.matches("\"role\":\"assistant\"").count() <= 2, "AM is 2");
    let episode = played.json_lines().pop().unwrap();
    assert_eq!(
        (&episode["branch"], &episode["mixed"], &episode["steps"]),
        (&"b1".into(), &true.into(), &6.into())
    );
    let own = lines(&episode_folder(&sandbox).join("b1/journal.jsonl"));
    let acted = own.iter().filter(|line| line["event"] == "acted").count();
    assert_eq!((own[0]["format"].as_u64(), acted), (Some(3), 3), "three steps of its own");
    // The images and the branch's settings are those of the session and of the head.
    assert!(!episode_folder(&sandbox).join("b1/blobs").exists());
    assert!(!episode_folder(&sandbox).join("blobs").exists());
}

#[test]
fn a_list_of_branches_says_whether_what_was_expected_came_true() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    let made =
        fork(&sandbox, &["last#3", "--am", "1", "--expect", "am=1 and step>=5", "--why", "less memory"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(made.out.contains("  expected: am=1 and step>=5\n"), "{}", made.out);
    let expected = |sandbox: &Sandbox| fork(sandbox, &["last", "--json"]).json_lines()[1]["expect"].clone();
    assert_eq!(expected(&sandbox)["outcome"], "open");
    assert_eq!(sandbox.run(&["run", "--resume", "last#b1"]).code, Some(0));
    let came_true = serde_json::json!({
        "condition": "am=1 and step>=5", "outcome": "came_true", "step": 5, "facts": ["am is 1", "step is 5"],
    });
    assert_eq!(expected(&sandbox), came_true);
    let list = fork(&sandbox, &["last"]).out;
    assert!(list.contains("expected am=1 and step>=5: came true at step 5 (am is 1, step is 5)"), "{list}");
    let wrong = fork(&sandbox, &["last#3", "--expect", "ra>x"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("\"x\" is not a number") && wrong.err.contains('^'), "{}", wrong.err);
    let listed = fork(&sandbox, &["last", "--expect", "ia"]);
    assert!(listed.err.contains("--expect has no effect on a list of branches"), "{}", listed.err);
}

#[test]
fn the_time_of_a_reply_is_stored_with_it_and_found() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    let step = sandbox.run(&["view", "last", "--json"]).json_lines().remove(0);
    let latency = step["replies"][0]["latency_ms"].as_u64().unwrap();
    assert!(latency < 60_000, "{step}");
    let find = |condition: &str| sandbox.run(&["find", condition, "last", "--json"]).json_lines().len();
    assert_eq!((find("latency>=0"), find("latency>60000")), (6, 0));
    let journal = episode_folder(&sandbox).join("journal.jsonl");
    assert!(fs::read_to_string(&journal).unwrap().contains(&format!("\"latency_ms\":{latency}")));
}

#[test]
fn every_verb_takes_the_address_of_a_branch() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    assert_eq!(fork(&sandbox, &["last#3", "--am", "1"]).code, Some(0));
    assert_eq!(sandbox.run(&["run", "--resume", "last#b1"]).code, Some(0));
    assert_eq!(fork(&sandbox, &["last#b1@5", "--agent", "random"]).code, Some(0));
    assert_eq!(sandbox.run(&["run", "--resume", "last#b2"]).code, Some(0));
    for branch in ["last#b1", "last#b2"] {
        let replay = sandbox.run(&["replay", branch]);
        assert_eq!(replay.code, Some(0), "{branch}: {}", replay.err);
        let steps = sandbox.run(&["view", branch, "--json"]).json_lines();
        assert_eq!(steps.iter().filter(|row| row["type"] == "step").count(), 6, "{branch}");
        assert_eq!(sandbox.run(&["find", "any", branch]).code, Some(0));
        assert_eq!(sandbox.run(&["log", "check", branch]).code, Some(0));
        assert_eq!(sandbox.run(&["report", branch, "--json"]).code, Some(0));
    }
    let prompt = sandbox.run(&["view", "last#b1@3", "--print", "request"]);
    assert_eq!(prompt.code, Some(0), "{}", prompt.err);
    let rows = fork(&sandbox, &["last", "--json"]).json_lines();
    let named: Vec<_> = rows.iter().map(|row| (row["branch"].clone(), row["parent"].clone())).collect();
    let expected =
        [(Value::Null, Value::Null), ("b1".into(), "the episode".into()), ("b2".into(), "b1".into())];
    assert_eq!(named, expected);
    // Branches are no episodes of the session: a report of it has one.
    let report = sandbox.run(&["report", "last", "--json"]).json_lines();
    assert_eq!(report[0]["episodes"], 1, "{report:?}");
}

#[test]
fn one_changed_byte_of_the_parent_or_the_branch_is_found() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    assert_eq!(fork(&sandbox, &["last#4", "--am", "1"]).code, Some(0));
    assert_eq!(sandbox.run(&["run", "--resume", "last#b1"]).code, Some(0));
    let folder = episode_folder(&sandbox);
    for journal in ["journal.jsonl", "b1/journal.jsonl"] {
        let path = folder.join(journal);
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        let at = bytes.len() / 3;
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let replay = sandbox.run(&["replay", "last#b1"]);
        assert_eq!(replay.code, Some(5), "{journal}: {}", replay.err);
        assert!(replay.err.contains(journal), "{}", replay.err);
        fs::write(&path, &whole).unwrap();
    }
    assert_eq!(sandbox.run(&["replay", "last#b1"]).code, Some(0));
}

#[test]
fn a_branch_that_cannot_be_made_is_refused_with_the_reason() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    let refusals: [(&[&str], &str); 6] = [
        (&["last#9"], "a branch begins at a step that was decided: 1 to 6"),
        (&["last#b1"], "last has no branch b1; it has none, and `mageyard fork` makes one"),
        (&["last#2", "--prompt", "nope"], "there is no prompt nope"),
        (&["last#2", "--set", "play.seed=3"], "a branch keeps the setting play.seed of its parent"),
        (&["last#2", "--am", "2", "--om", "3"], "OM=3 is more than AM=2"),
        (&["last", "--am", "2"], "memory.am has no effect on a list of branches"),
    ];
    for (args, reason) in refusals {
        let refused = fork(&sandbox, args);
        assert_eq!(refused.code, Some(2), "{args:?}: {}", refused.err);
        assert!(refused.err.contains(reason), "{args:?}: {}", refused.err);
    }
    let dry = fork(&sandbox, &["last#2", "--am", "2", "--dry-run"]);
    assert_eq!((dry.code, dry.out.as_str()), (Some(0), "  am 5 -> 2\n  1 reply before it, not sent again\n"));
    assert!(!episode_folder(&sandbox).join("b1").exists(), "nothing was made");
}

#[test]
fn two_requests_and_two_recordings_are_compared() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    assert_eq!(fork(&sandbox, &["last#4", "--prompt", "HD-CoT"]).code, Some(0));
    assert_eq!(sandbox.run(&["run", "--resume", "last#b1"]).code, Some(0));
    let diff = |args: &[&str]| {
        let result = sandbox.run(&[&["diff"], args].concat());
        assert_eq!(result.code, Some(0), "{args:?}: {}", result.err);
        result.out
    };
    let same = diff(&["last#4", "last#4"]);
    assert!(same.contains("\n0 turns removed, 0 added, 0 changed; images 1 -> 1\ntokens "), "{same}");
    let other = diff(&["last#4", "last#b1@4"]);
    assert!(other.contains("~ cot: ") && other.contains("{+"), "only the prompt differs: {other}");
    assert!(other.contains("\n0 turns removed, 0 added, 1 changed; images 1 -> 1\n"), "{other}");
    let next = diff(&["last#3", "last#4", "--full"]);
    assert!(next.contains("+ turn: The room after your last action:"), "{next}");
    assert!(
        next.contains("\n0 turns removed, 2 added, 1 changed; images 1 -> 1\n"),
        "one turn of each came: {next}"
    );
    let part = diff(&["last", "last#b1"]);
    assert!(part.starts_with("no difference") || part.starts_with("step "), "{part}");
    let refused = sandbox.run(&["diff", "last#4", "last"]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("one side names a step and the other does not"), "{}", refused.err);
}
