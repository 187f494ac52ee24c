//! Episodes of the whole program: every shipped task by its written cell, and what a killed program leaves.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use mageyard_desktop::handlers::disabled_extensions_query;
use mageyard_sandbox::Confinement;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Test;
use crate::room::{PYTHON, Room};

pub(super) const TESTS: &[Test] = &[
    ("every_shipped_task_is_done_by_its_cell", every_shipped_task),
    ("no_shipped_task_is_done_by_its_wrong_cell", no_wrong_cell),
    ("the_released_code_agrees_except_on_answers", the_released_code_agrees),
    ("disabled_extensions_are_read_from_the_database", disabled_extensions_are_read),
    ("a_killed_program_leaves_nothing", a_killed_program_leaves_nothing),
    ("an_episode_is_repeated_when_it_is_resumed", an_episode_is_repeated),
    ("without_a_sandbox_a_person_confirms_or_trust_is_set", without_a_sandbox),
    ("a_failed_task_is_tried_again_with_the_feedback", a_failed_task_is_tried_again),
    ("without_a_sandbox_nothing_starts_before_a_person_allows_it", nothing_starts_before),
];

/// The program with folders of its own.
fn program(home: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mageyard"));
    command.args(arguments).current_dir(home.path());
    command.env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin").env("TMPDIR", home.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A home folder that the user of a sandbox may pass through.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    home
}

/// The shipped tasks.
const TASKS: &str = include_str!("../../levels/desktop/offline.json");

/// Text tasks whose wrong cell leaves more than nothing, with a part of what the verdict says about it.
const SENTENCES: [(&str, &str); 8] = [
    ("os-create-file", "has the content \"remember the milk\", expected is \"remember the milk\\n\""),
    ("os-make-executable", "has the permissions 0o777, expected is 0o755"),
    ("os-symbolic-link", "expected is \"yes\""),
    ("os-ini-user", "the section User is missing"),
    ("os-json-settings", "settings.json is "),
    ("os-set-time", "expected is 2024-03-01T12:00:00"),
    ("os-start-process", "no process with the name sleep$ runs"),
    ("os-count-scripts", "the answer is \"1\", expected is \"3\""),
];

/// The end of each episode of these levels by their written cells.
fn ends(home: &TempDir, levels: &str, rules: &str) -> Vec<Value> {
    let rules = format!("desktop.rules={rules}");
    let arguments =
        ["run", levels, "--agent", "oracle", "--jobs", "4", "--json", "--set", "desktop.observe=text"];
    let output = program(home, &[&arguments[..], &["--set", &rules]].concat()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found: Vec<_> = lines.filter(|line| line["type"] == "episode").collect();
    assert!(!found.is_empty(), "{}{text}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(folders(home.path()), 0);
    found
}

fn every_shipped_task(_: Confinement) {
    let home = home();
    let done = ends(&home, "desktop/offline", "standard");
    assert_eq!(done.len(), 38);
    let failed: Vec<_> = done.iter().filter(|end| end["score"] != 100.0).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

/// The wrong cells in the place of the right ones.
fn no_wrong_cell(_: Confinement) {
    let home = home();
    let mut tasks: Vec<Value> = serde_json::from_str(TASKS).unwrap();
    for task in &mut tasks {
        task["oracle"] = task["wrong"].clone();
    }
    fs::write(home.path().join("wrong.json"), serde_json::to_string(&tasks).unwrap()).unwrap();
    let failed = ends(&home, "wrong.json", "standard");
    assert_eq!(failed.len(), 38);
    for end in &failed {
        assert!(end["score"] == 0.0 && end["verdict"]["feedback"] != json!([]), "{end}");
    }
    for (id, part) in SENTENCES {
        let end = failed.iter().find(|end| end["level"] == id).unwrap();
        let sentences: Vec<&str> =
            end["verdict"]["feedback"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(sentences.join("\n").contains(part), "{id}: {sentences:?}");
    }
}

/// The released code cannot judge answers.
fn the_released_code_agrees(_: Confinement) {
    let home = home();
    for end in ends(&home, "desktop/offline", "code") {
        let answer = end["verdict"]["details"]["procedures"].to_string().contains("\"qa.");
        let expected = if answer { Value::Null } else { json!(100.0) };
        assert_eq!(end["score"], expected, "{end}");
    }
}

/// Which extensions of VS Code are disabled is in a database, which Python reads.
fn disabled_extensions_are_read(_: Confinement) {
    let home = home();
    let database = home.path().join("it's.vscdb");
    let script = r#"import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.execute("CREATE TABLE ItemTable (key TEXT, value TEXT)")
store.execute("INSERT INTO ItemTable VALUES (?, ?)", ("extensionsIdentifiers/disabled", sys.argv[2]))
store.commit()"#;
    let list = r#"[{"id": "a.b"}]"#;
    let made = Command::new(PYTHON).args(["-c", script]).arg(&database).arg(list).status().unwrap();
    assert!(made.success());
    let query = disabled_extensions_query(database.to_str().unwrap());
    let read = Command::new("sh").args(["-c", &query]).output().unwrap();
    assert_eq!(String::from_utf8(read.stdout).unwrap().trim(), list);
}

/// The folders of sandboxes.
fn folders(temporary: &Path) -> usize {
    let names = fs::read_dir(temporary).unwrap().flatten().map(|entry| entry.file_name());
    names.filter(|name| name.to_string_lossy().starts_with("mageyard-desktop-")).count()
}

const LONG: &str = r#"{"task_id": "long", "instruction": "Wait.", "visual": false, "max_steps": 2, "max_time": 60,
"eval_procedure": [{"evaluator": "filesystem", "function": "exists", "params": {"file_to_check": {"${AS_ROOT}/a": true}}}],
"reset_procedure": null, "cleanup_procedure": null, "oracle": "import time\ntime.sleep(600)"}"#;

/// Whether the kernel of a sandbox has begun.
fn has_kernel(temporary: &Path) -> bool {
    let kernel = |folder: &Path| folder.join("tmp/.kernel").is_dir();
    fs::read_dir(temporary).unwrap().flatten().any(|entry| kernel(&entry.path()))
}

fn a_killed_program_leaves_nothing(_: Confinement) {
    use rustix::process::Signal;
    let moments: [fn(&Path) -> bool; 2] = [|temporary| folders(temporary) > 0, has_kernel];
    for (signal, is_there) in
        moments.into_iter().flat_map(|moment| [(Signal::KILL, moment), (Signal::TERM, moment)])
    {
        let home = home();
        fs::write(home.path().join("long.json"), LONG).unwrap();
        let mut child = program(&home, &["run", "long.json", "--agent", "oracle"]).spawn().unwrap();
        Room::eventually("a sandbox is there", || is_there(home.path()));
        let id = i32::try_from(child.id()).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(id).unwrap(), signal).unwrap();
        child.wait().unwrap();
        Room::eventually("its folder is gone", || folders(home.path()) == 0);
        let mark = home.path().display().to_string();
        let left = || {
            fs::read_dir("/proc").unwrap().flatten().any(|entry| {
                fs::read(entry.path().join("cmdline"))
                    .is_ok_and(|line| line.windows(mark.len()).any(|part| part == mark.as_bytes()))
            })
        };
        Room::eventually("its processes are gone", || !left());
    }
}

/// A session that was killed after any of its events ends with the same score.
fn an_episode_is_repeated(_: Confinement) {
    let home = home();
    let record = LONG.replace("import time\\ntime.sleep(600)", "open('a', 'w').write('x')");
    fs::write(home.path().join("quick.json"), record).unwrap();
    let run = |arguments: &[&str]| {
        let output = program(&home, arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("score 100"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["run", "quick.json", "--agent", "oracle"]);
    let journal = find(&home.path().join(".local/share/mageyard/sessions"), "journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 6, "{text}");
    for kept in 1..lines.len() {
        fs::write(&journal, lines[..kept].join("\n") + "\n").unwrap();
        let _ = fs::remove_file(journal.with_file_name("summary.json"));
        run(&["run", "--resume", "last"]);
    }
}

/// A task whose cell leaves a file, and a program that goes on.
const LEAVING: &str = r#"{"task_id": "leaving", "instruction": "Make the file a.", "visual": false, "max_steps": 1, "max_time": 60,
"eval_procedure": [{"evaluator": "filesystem", "function": "exists", "params": {"file_to_check": {"${AS_ROOT}/a": true}}}],
"reset_procedure": null, "cleanup_procedure": null,
"oracle": "import subprocess\n_ = subprocess.Popen(['setsid', 'sleep', '77.25'])\nopen('a', 'w').close()"}"#;

fn without_a_sandbox(_: Confinement) {
    let home = home();
    fs::write(home.path().join("leaving.json"), LEAVING).unwrap();
    let run = |more: &[&str]| {
        let arguments = ["run", "leaving.json", "--agent", "oracle", "--set", "desktop.sandbox=none"];
        let output = program(&home, &[&arguments[..], more].concat()).output().unwrap();
        let words = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&words).into_owned())
    };
    let (code, words) = run(&[]);
    let flat = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code == Some(2) && flat.contains("confirmed by a person"), "{words}");
    assert!(flat.contains("desktop.trust = true") && flat.contains("mageyard doctor"), "{words}");
    assert!(!home.path().join(".local/share/mageyard/sessions").exists(), "nothing was started");
    let (code, words) = run(&["--without-person", "park"]);
    assert!(code == Some(3) && words.contains("parked at a question to a person"), "{code:?} {words}");
    let (code, words) = run(&["--set", "desktop.trust=true"]);
    assert!(code == Some(0) && words.contains("score 100"), "{words}");
    assert_eq!(folders(home.path()), 0);
    let runs = || {
        fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .any(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == b"sleep\x0077.25\0"))
    };
    assert!(!runs(), "its program still runs");
}

/// Its reset and its verdict would start programs of the task's choice.
fn nothing_starts_before(_: Confinement) {
    let home = home();
    for stage in ["eval_procedure", "reset_procedure", "cleanup_procedure"] {
        let mark = home.path().join(stage);
        let mut task: serde_json::Value = serde_json::from_str(LEAVING).unwrap();
        let command = format!("touch {}", mark.display());
        let exec =
            serde_json::json!({"evaluator": "system", "function": "exec", "params": {"command": command}});
        let exists = task["eval_procedure"][0].clone();
        task[stage] = serde_json::json!([exec, exists]);
        if stage != "eval_procedure" {
            task[stage] = serde_json::json!([exec]);
        }
        fs::write(home.path().join("exec.json"), task.to_string()).unwrap();
        let arguments = ["run", "exec.json", "--agent", "oracle", "--set", "desktop.sandbox=none"];
        let output = program(&home, &arguments).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && words.contains("allowed to open by a person"), "{words}");
        assert!(!mark.exists(), "{stage}");
    }
}

/// Two of three tasks fail at each try, and are tried twice more. Only the first tries are in the first session.
fn a_failed_task_is_tried_again(_: Confinement) {
    let home = home();
    let task = |id: &str, cell: &str| {
        LEAVING.replace("leaving", id).replace("open('a', 'w').close()", cell).replace('\n', " ")
    };
    let tasks = [task("good", "open('a', 'w')"), task("bad", "pass"), task("worse", "exit()")];
    fs::write(home.path().join("three.jsonl"), tasks.join("\n")).unwrap();
    let run = |arguments: &[&str]| {
        let output = program(&home, arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        (output.status.code(), lines.collect::<Vec<_>>())
    };
    let setting = ["--set", "desktop.feedback=retry:2"];
    let (code, lines) = run(&[&["run", "three.jsonl", "--agent", "oracle", "--json"][..], &setting].concat());
    let scores: Vec<_> = lines
        .iter()
        .filter(|line| line["type"] == "episode")
        .map(|end| end["score"].as_f64().unwrap())
        .collect();
    assert_eq!((code, scores), (Some(0), vec![100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    let sessions = home.path().join(".local/share/mageyard/sessions");
    let mut names: Vec<_> = fs::read_dir(&sessions).unwrap().flatten().map(|entry| entry.path()).collect();
    names.retain(|path| path.is_dir());
    names.sort();
    assert_eq!(names.len(), 3, "{names:?}");
    let journals = names.iter().map(|session| fs::read_to_string(find(session, "journal.jsonl")).unwrap());
    let journals: Vec<String> = journals.collect();
    let told = "An earlier try of this task failed";
    assert_eq!(
        journals.iter().map(|journal| journal.contains(told)).collect::<Vec<_>>(),
        [false, true, true]
    );
    assert_eq!(
        journals.iter().map(|journal| journal.contains("\"try\":3")).collect::<Vec<_>>(),
        [false, false, true]
    );
}

/// The first file below a folder whose name ends so.
fn find(folder: &Path, end: &str) -> std::path::PathBuf {
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                return path;
            }
        }
    }
    panic!("no file {end} in {}", folder.display());
}
