//! Episodes of the whole program: every shipped task by its written cell, and what a killed program leaves.

use std::fs;
use std::io::{BufRead, BufReader};
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

fn a_killed_program_leaves_nothing(_: Confinement) {
    for signal in [rustix::process::Signal::KILL, rustix::process::Signal::TERM] {
        let home = home();
        fs::write(home.path().join("long.json"), LONG).unwrap();
        let mut child = program(&home, &["run", "long.json", "--agent", "oracle"]).spawn().unwrap();
        Room::eventually("a sandbox is there", || folders(home.path()) > 0);
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

/// A session that was killed after its first step goes on where it was.
fn an_episode_is_repeated(_: Confinement) {
    let home = home();
    let record = LONG.replace("import time\\ntime.sleep(600)", "open('a', 'w').write('x')");
    fs::write(home.path().join("quick.json"), record).unwrap();
    let run = |arguments: &[&str]| {
        let mut child = program(&home, arguments).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let lines: Vec<String> = lines.map(Result::unwrap).collect();
        (child.wait().unwrap().code(), lines)
    };
    let (code, lines) = run(&["run", "quick.json", "--agent", "oracle"]);
    assert!(code == Some(0) && lines.iter().any(|line| line.contains("score 100")), "{lines:?}");
    // The journal without its verdict and its end.
    let sessions = home.path().join(".local/share/mageyard/sessions");
    let journal = find(&sessions, "journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let kept = text.lines().position(|line| line.contains("\"judged\"") || line.contains("\"ended\""));
    let lines: Vec<&str> = text.lines().take(kept.unwrap()).collect();
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    let _ = fs::remove_file(journal.with_file_name("summary.json"));
    let (code, lines) = run(&["run", "--resume", "last"]);
    assert!(code == Some(0) && lines.iter().any(|line| line.contains("score 100")), "{lines:?}");
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
