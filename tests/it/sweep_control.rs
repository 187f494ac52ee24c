//! `sweep status` and `sweep merge`, on sweeps whose control folders are written here.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sandbox::Sandbox;

const SWEEP: &str = "levels = \"hanoi/first/1\"\n[[grid]]\nplay.agent = [\"idle\", \"random\"]\n";

/// A sweep in the store with these files in its control folder; each cell gets a copy of a recorded session.
fn store_sweep(sandbox: &Sandbox, name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = sandbox.path("data/mageyard/sessions/sweeps").join(name);
    for subfolder in ["known", "adding", "queue", "claimed", "done", "failed", "parked", "notes"] {
        fs::create_dir_all(folder.join(".sweep").join(subfolder)).unwrap();
    }
    for (path, text) in files {
        fs::write(folder.join(".sweep").join(path), text).unwrap();
        if let Some(cell) = path.strip_prefix("known/") {
            let session = sandbox.sessions(sandbox.path("data/mageyard/sessions")).remove(0);
            copy(&session, &folder.join(cell));
        }
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, &target).map(drop).unwrap() }
    }
}

fn sandbox_with_session() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "hanoi/first/1", "--agent", "idle", "--repeats", "2"]).success();
    sandbox
}

#[test]
fn the_status_shows_states_workers_episodes_and_failures() {
    let sandbox = sandbox_with_session();
    let note = r#"{"class":"rate limit","text":"HTTP 429\u001b[31m"}"#;
    let files = [
        ("known/a", "w"),
        ("done/a.w.1", ""),
        ("known/b", "w"),
        ("failed/b.w.2", ""),
        ("notes/b.w.2", note),
        ("known/c", "w"),
        ("claimed/c.node-7.1.42", ""),
    ];
    store_sweep(&sandbox, "demo", &files);
    let text = sandbox.run(&["sweep", "status", "demo"]).success();
    for part in
        ["3 cells: 1 claimed, 1 failed, 1 done", "6 of 6 episodes", "node-7", "failures: 1 rate limit"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains('\u{1b}') && text.contains("HTTP 429"), "{text}");
    let lines = sandbox.run(&["sweep", "status", "demo", "--json"]).json_lines();
    assert_eq!(lines.len(), 4);
    assert_eq!((&lines[2]["state"], &lines[2]["class"]), (&"failed".into(), &"rate limit".into()));
    assert!(lines[3]["heartbeat_age"].as_f64().unwrap() < 100.0);
    sandbox.run(&["sweep", "status", "none"]).fails_with(2, &["there is no sweep here", "sweep run"]);
}

#[test]
fn foreign_files_in_the_control_folder_are_named() {
    let sandbox = sandbox_with_session();
    let folder = store_sweep(&sandbox, "demo", &[("known/a", "w"), ("queue/a.txt", "")]);
    let file = folder.join(".sweep/queue/a.txt").display().to_string();
    sandbox.run(&["sweep", "status", "demo"]).fails_with(1, &[&file]);
}

#[test]
fn sweeps_are_merged_unless_a_cell_differs() {
    let sandbox = sandbox_with_session();
    store_sweep(&sandbox, "one", &[("known/a", "w"), ("done/a.w.1", "")]);
    let two = store_sweep(
        &sandbox,
        "two",
        &[("known/a", "w"), ("done/a.w.1", ""), ("known/b", "w"), ("done/b.w.1", "")],
    );
    let planned = sandbox.run(&["sweep", "merge", "all", "one", "two", "--dry-run"]).success();
    assert!(planned.ends_with("2 cells would be copied, 1 equal\n"), "{planned}");
    let merged = sandbox.run(&["sweep", "merge", "all", "one", "two"]).success();
    assert!(merged.ends_with("2 cells copied, 1 equal\n"), "{merged}");
    let status = sandbox.run(&["sweep", "status", "all"]).success();
    assert!(status.starts_with("2 cells: 2 done"), "{status}");
    let journal = two.join("a/0001/journal.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 1]).unwrap();
    let text = journal.display().to_string();
    sandbox.run(&["sweep", "merge", "all", "two"]).fails_with(5, &[&text, "all/a/0001/journal.jsonl"]);
}

#[test]
fn job_files_are_shown_and_a_missing_client_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("work/grid.toml", SWEEP);
    let slurm =
        sandbox.run(&["sweep", "submit", "grid.toml", "--to", "slurm", "--nodes", "3", "--print"]).success();
    assert!(slurm.contains("#SBATCH --array=1-3\n") && slurm.contains("sweep work \"$plan\""), "{slurm}");
    let server = ["sweep", "submit", "grid.toml", "--print", "--server", "serve --port $PORT", "--to"];
    let slurm = sandbox.run(&[&server[..], &["slurm"]].concat()).success();
    assert!(slurm.contains("bash -c 'serve --port $PORT' &\n"), "{slurm}");
    sandbox.run(&[&server[..], &["ray"]].concat()).fails_with(2, &["--server", "--to slurm"]);
    let ray = sandbox.run(&["sweep", "submit", "grid.toml", "--to", "ray", "--print"]).success();
    assert!(ray.contains("WORKERS = 4\n"), "{ray}");
    let result = sandbox.run(&["sweep", "submit", "grid.toml", "--to", "kubernetes"]);
    assert_eq!(result.code, Some(2));
    assert!(["--image", "--volume"].iter().all(|flag| result.err.contains(flag)), "{}", result.err);
    let sandbox = sandbox.with("PATH", "/nonexistent");
    let result = sandbox.run(&["sweep", "submit", "grid.toml", "--to", "slurm"]);
    result.fails_with(1, &["sbatch is not installed", "job.slurm.sh"]);
    let folder = sandbox.path("data/mageyard/sessions/sweeps/grid/.sweep");
    assert!(folder.join("job.slurm.sh").is_file());
}
