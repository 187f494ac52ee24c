//! The shipped sweeps: the commands in their heads are accepted, `plan` as well as `run` with a model of a test server.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// The files of the shipped sweeps.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sweeps");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The commands of a verb in the head of a file, each on a line of its own, without the name of the program.
fn commands(text: &str, verb: &str) -> Vec<Vec<String>> {
    let start = format!("mageyard sweep {verb} ");
    let lines = text.lines().filter_map(|line| line.strip_prefix('#'));
    let own = lines.map(str::trim).filter(|line| line.starts_with(&start));
    own.map(|line| line.split(' ').skip(1).map(str::to_owned).collect()).collect()
}

#[test]
fn the_plans_in_the_heads_of_shipped_sweeps_are_accepted() {
    let sandbox = Sandbox::new();
    for file in files() {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let plans = commands(&text, "plan");
        assert!(!plans.is_empty(), "{name} says how it is planned");
        for plan in plans {
            assert_eq!(plan[2], name);
            let args: Vec<&str> = plan.iter().map(String::as_str).collect();
            let lines = sandbox.run(&[&args[..], &["--json"]].concat());
            assert_eq!(lines.code, Some(0), "{args:?}: {}", lines.err);
            let cells = &lines.json_lines()[0]["cells"];
            assert!(cells.as_u64().unwrap() > 0, "{args:?}");
        }
    }
}

/// The Online cell of pages follows the Global one of the same model, and nothing else of the sweep is struck out.
#[test]
fn the_paper_sweep_plans_online_pages_after_global_ones_for_each_model() {
    let sandbox = Sandbox::new();
    let models = "model.name=[gpt-4o,gemini-1.5-pro]";
    let lines = sandbox.run(&["sweep", "plan", "paper", "--set", models, "--json"]).json_lines();
    assert_eq!((lines[0]["cells"].as_u64(), lines[0]["struck"].as_u64()), (Some(10), Some(0)));
    let pages: Vec<_> = lines.iter().filter(|line| line["environment"] == "webui").collect();
    let of = |setting: &str, model: &str| {
        *pages.iter().find(|cell| cell["setting"] == setting && cell["model"] == model).unwrap()
    };
    for model in ["gpt-4o", "gemini-1.5-pro"] {
        let (global, online) = (of("global", model), of("online", model));
        assert_eq!(online["after"], global["cell"]);
        assert_eq!((&online["prompt"], &global["prompt"]), (&"HD-CoT".into(), &"0s-CoT".into()));
    }
}

/// The same files with few levels, repeats and steps. Cells with pages need a browser: they are played in `tests/chromium`.
#[test]
fn the_runs_in_the_heads_of_shipped_sweeps_play_every_cell_that_needs_no_browser() {
    let server = Server::start(Behavior::Normal);
    for file in files() {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let grids: Vec<&str> = text.split("[[grid]]").filter(|grid| !grid.contains("webui/mini")).collect();
        let mut small =
            grids.join("[[grid]]").replace("/mini/1..2\"", "/mini\"").replace("/mini\"", "/mini/1\"");
        for (long, short) in [
            ("repeats = 10", "repeats = 1"),
            ("repeats = 3", "repeats = 1"),
            ("max_steps = 50", "max_steps = 2"),
        ] {
            small = small.replace(long, short);
        }
        let sandbox = Sandbox::new();
        sandbox.write(
            format!("config/mageyard/sweeps/{name}.toml"),
            small.replace("max_steps = 400", "max_steps = 1"),
        );
        let runs = commands(&text, "run");
        assert!(!runs.is_empty(), "{name} says how it is run");
        for run in runs {
            let url = server.url();
            let more = ["--json", "--store", "runs", "--base-url", &url];
            let args: Vec<&str> = run.iter().map(String::as_str).chain(more).collect();
            let result = sandbox.run(&args);
            assert_eq!(result.code, Some(0), "{args:?}: {}{}", result.err, result.out);
            let lines = result.json_lines();
            let ended = lines.iter().filter(|line| line["type"] == "sweep_cell_end");
            assert!(
                ended.clone().count() > 0 && ended.clone().all(|cell| cell["state"] == "done"),
                "{args:?}"
            );
        }
    }
}
