//! Training data: the format, the rewards of each reply, and that nothing is overwritten.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// Solved in three moves; only the last one pushes a box.
const THREE_STEP_LEVEL: &str = "#######\n#@ $ .#\n#######\n";
/// The box is in a corner: the level is dead.
const DEAD_LEVEL: &str = "#####\n#$@ #\n#  .#\n#####\n";

fn played(args: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/three.xsb", THREE_STEP_LEVEL);
    sandbox.write("work/lost.xsb", DEAD_LEVEL);
    sandbox.run(&[&["run"], args, &["--store", "runs"]].concat()).success();
    sandbox
}

fn export(sandbox: &Sandbox, more: &[&str]) -> Vec<Value> {
    let result = sandbox
        .run(&[&["export", "last", "--rl", "--store", "runs", "--out", "out", "--json"], more].concat());
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let summary = result.json_lines().pop().unwrap();
    let text = fs::read_to_string(sandbox.path("work/out/episodes.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(summary["episodes"], lines.len());
    assert!(lines.iter().all(|line| line["schema"] == 1));
    lines
}

fn journal(sandbox: &Sandbox) -> PathBuf {
    let session = sandbox.sessions("work/runs").remove(0);
    session.join("0001/journal.jsonl")
}

/// All files of a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(
                files(&path)
                    .into_iter()
                    .map(|(file, bytes)| (PathBuf::from(path.file_name().unwrap()).join(file), bytes)),
            );
        } else {
            found.insert(path.file_name().unwrap().into(), fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn an_oracle_episode_has_the_expected_rewards() {
    let sandbox = played(&["three.xsb", "--agent", "oracle", "--reader", "think"]);
    let line = export(&sandbox, &[]).pop().unwrap();
    assert_eq!(
        json!([line["finished"], line["ending"], line["solved"], line["mixed"], line["cut"], line["score"]]),
        json!([true, "won", true, false, 0, 100.0])
    );
    let steps = line["steps"].as_array().unwrap();
    let of =
        |name: &str| steps.iter().map(|step| step["rewards"][name].as_f64().unwrap()).collect::<Vec<_>>();
    assert_eq!(of("task"), [0.0, 0.0, 11.0]);
    assert_eq!(of("format"), [0.5; 3]);
    assert_eq!(of("repetition"), [0.0; 3]);
    let mut lengths = Vec::new();
    let mut totals = Vec::new();
    for (step, task) in steps.iter().zip(of("task")) {
        let reply = step["replies"][0]["reply"].as_str().unwrap();
        assert!(reply.starts_with("<think>") && reply.ends_with("<answer>Right</answer>\n"), "{reply}");
        let thousandths = u32::try_from(reply.chars().count().min(200)).unwrap();
        lengths.push(f64::from(thousandths) / 1000.0);
        totals.push(((task + 0.5) * 1000.0 + f64::from(thousandths)).round() / 1000.0);
        assert_eq!(json!([step["action"], step["replies"][0]["actions"]]), json!(["Right", ["Right"]]));
    }
    assert_eq!((of("length"), of("total")), (lengths, totals));
    assert_eq!(json!([line["rewards"]["task"], line["rewards"]["format"]]), json!([11.0, 0.5]));
    assert_eq!(line["step_cost"], -0.3);
}

#[test]
fn requests_are_composed_for_agents_that_read_none() {
    let sandbox = played(&["three.xsb", "--agent", "oracle"]);
    let line = export(&sandbox, &[]).pop().unwrap();
    let steps = line["steps"].as_array().unwrap();
    let reply = &steps[2]["replies"][0];
    assert_eq!(reply["request"], "composed");
    let messages = reply["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user", "assistant", "user"]);
    assert_eq!(messages[2]["content"][0]["text"], steps[0]["replies"][0]["reply"]);
    let parts = messages.iter().flat_map(|message| message["content"].as_array().unwrap());
    let images: Vec<&str> = parts.filter_map(|part| part["image"].as_str()).collect();
    assert_eq!(images.len(), 1, "OM is 1");
    let picture = image::open(sandbox.path("work/out").join(images[0])).unwrap();
    assert_eq!((picture.width(), picture.height()), (7 * 16, 3 * 16));
    assert_eq!(fs::read_dir(sandbox.path("work/out/images")).unwrap().count(), 3, "each frame once");
}

#[test]
fn sent_requests_are_exported_unchanged() {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", "######\n#@$ .#\n######\n");
    let server = Server::start(Behavior::Normal);
    for _ in 0..2 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let model = ["--agent", "model", "--model", "mock", "--base-url", &server.url(), "--store", "runs"];
    sandbox.run(&[&["run", "two.xsb"], &model[..]].concat()).success();
    let line = export(&sandbox, &[]).pop().unwrap();
    for (step, received) in line["steps"].as_array().unwrap().iter().zip(server.requests()) {
        let reply = &step["replies"][0];
        assert_eq!(reply["request"], "sent");
        let (ours, theirs) =
            (reply["messages"].as_array().unwrap(), received["messages"].as_array().unwrap().clone());
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours["role"], theirs["role"]);
        }
        let images = ours
            .iter()
            .flat_map(|turn| turn["content"].as_array().unwrap())
            .filter_map(|part| part["image"].as_str());
        for path in images {
            let kept =
                journal(&sandbox).with_file_name("../blobs").join(path.strip_prefix("images/").unwrap());
            assert_eq!(fs::read(sandbox.path("work/out").join(path)).unwrap(), fs::read(kept).unwrap());
        }
    }
}

#[test]
fn repetition_has_the_expected_penalty() {
    let sandbox = Sandbox::new();
    sandbox.write("work/lost.xsb", DEAD_LEVEL);
    let server = Server::start(Behavior::Normal);
    for name in ["Down", "Up", "Up", "Up", "Up", "Up", "Up", "Down"] {
        server.queue_reply(&format!("# analyze\nOn.\n\n# action\n{name}\n"));
    }
    let model = ["--agent", "model", "--model", "mock", "--base-url", &server.url(), "--store", "runs"];
    sandbox.run(&[&["run", "lost.xsb", "--max-steps", "8"], &model[..]].concat()).success();
    let line = export(&sandbox, &[]).pop().unwrap();
    assert_eq!(line["thresholds"], json!({"unchanged": 5, "same": 10}));
    let steps = line["steps"].as_array().unwrap();
    let paid: Vec<f64> = steps.iter().map(|step| step["rewards"]["repetition"].as_f64().unwrap()).collect();
    assert_eq!(paid, [0.0, 0.0, -0.2, -0.2, -0.2, -0.2, -0.2, 0.0], "the first Up moved");
    assert!(steps.iter().all(|step| step["rewards"]["format"] == 0.0), "its replies use headings");
    // 27 characters for Up, 29 for Down: 6 * 0.027 + 2 * 0.029, over 8.
    assert_eq!(
        line["rewards"],
        json!({"task": 0.0, "format": 0.0, "length": 0.0275, "repetition": -0.2, "total": -0.1725})
    );
    assert_eq!(line["repeating"], "Up 5 times in a row with the state unchanged, steps 3 to 7");
}

#[test]
fn unfinished_episodes_are_marked_or_left_out() {
    let sandbox = played(&["three.xsb", "--agent", "oracle"]);
    let journal = journal(&sandbox);
    let text = fs::read_to_string(&journal).unwrap();
    let before: Vec<&str> = text.lines().collect();
    fs::write(&journal, before[..before.len() - 1].join("\n") + "\n").unwrap();
    let line = export(&sandbox, &[]).pop().unwrap();
    assert_eq!(json!([line["finished"], line["ending"], line["rewards"]["task"]]), json!([false, null, 0.0]));
    let result = sandbox.run(&["export", "last", "--rl", "--clean", "--store", "runs", "--out", "clean"]);
    assert_eq!(
        result.success(),
        "0 episodes, 0 replies, 0 images in clean; left out: 1 (0 mixed, 1 unfinished)\n"
    );
    assert_eq!(fs::read(sandbox.path("work/clean/episodes.jsonl")).unwrap(), b"");
}

#[test]
fn the_same_episodes_give_the_same_bytes_and_nothing_is_overwritten() {
    let sandbox = played(&["three.xsb", "--agent", "random", "--max-steps", "5"]);
    export(&sandbox, &[]);
    let again = |out: &str| sandbox.run(&["export", "last", "--rl", "--store", "runs", "--out", out]);
    again("more").success();
    let one = files(&sandbox.path("work/out"));
    let two = files(&sandbox.path("work/more"));
    assert!(one.len() > 1 && one == two);
    again("out").fails_with(2, &["out already exists and is not overwritten"]);
    again("no/out").fails_with(2, &["the parent folder does not exist"]);
    sandbox.write("work/.new.draft/x", "");
    again("new").fails_with(2, &["another export is running, or one was killed"]);
    assert_eq!(files(&sandbox.path("work/out")), one);
    let left: Vec<_> =
        fs::read_dir(sandbox.path("work")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| *name == *".out.draft" || *name == *".more.draft"), "{left:?}");
}

#[test]
fn books_and_football_are_exported_with_rewards() {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.hanoi", "A: 1\nB: 2\nC:\n");
    sandbox.run(&["run", "two.hanoi", "--agent", "oracle", "--store", "runs"]).success();
    let episode = |out: &str| -> Value {
        sandbox.run(&["export", "last", "--rl", "--store", "runs", "--out", out]).success();
        let text = fs::read_to_string(sandbox.path("work").join(out).join("episodes.jsonl")).unwrap();
        serde_json::from_str(text.lines().next().unwrap()).unwrap()
    };
    let books = episode("books");
    let task: Vec<_> =
        books["steps"].as_array().unwrap().iter().map(|step| &step["rewards"]["task"]).collect();
    assert_eq!(json!(task), json!([1.0, 6.0]), "a book in place, and the last with its bonus: {books}");
    assert_eq!(books["step_cost"], json!(-0.1));
    assert!(books["steps"][0].get("reward_terms").is_none(), "{books}");
    let run = ["run", "football/mini/1", "--agent", "sprint", "--max-steps", "6", "--store", "runs"];
    sandbox.run(&run).success();
    let football = episode("football");
    for step in football["steps"].as_array().unwrap() {
        let terms: f64 = step["reward_terms"].as_object().unwrap().values().filter_map(Value::as_f64).sum();
        assert!((terms - step["points"].as_f64().unwrap()).abs() < 1e-5, "{step}");
        let task = step["rewards"]["task"].as_f64().unwrap();
        assert!((task - terms / 40.0).abs() < 1e-5, "a goal is one unit: {step}");
    }
}

#[test]
fn environments_without_training_rewards_are_refused() {
    let sandbox = Sandbox::new();
    crate::page_recordings::record(&sandbox, "pages");
    let result = sandbox.run(&["export", "pages", "--rl", "--store", "runs", "--out", "out"]);
    result.fails_with(2, &["no rewards are defined for webui", "sokoban"]);
    assert!(!sandbox.path("work/out").exists() && !sandbox.path("work/.out.draft").exists());
}
