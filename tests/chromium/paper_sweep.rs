//! The cells of pages of the shipped sweep `paper`, played small by a model of a test server, and what `report` makes of them.

use std::fs;

use libtest_mimic::Trial;
use serde_json::json;
use tempfile::TempDir;

use super::harness::trial;
use super::model_server::{Behavior, Server};
use super::webui::{lines, program};

pub(crate) fn list() -> Vec<Trial> {
    vec![trial(
        "paper_sweep::the_online_column_of_table_1_comes_out_of_a_report",
        the_online_column_of_table_1_comes_out_of_a_report,
    )]
}

/// The cells of pages with two pages, two repeats and two iterations.
fn small_sweep() -> String {
    let mut parts = include_str!("../../sweeps/paper.toml").split("[[grid]]");
    let settings = parts.next().unwrap();
    let grids = parts.filter(|grid| grid.contains("levels = \"webui/mini\""));
    let small: Vec<&str> = std::iter::once(settings).chain(grids).collect();
    small
        .join("[[grid]]")
        .replace("\"webui/mini\"", "\"webui/mini/1..2\"")
        .replace("repeats = 3", "repeats = 2")
        .replace("max_steps = 4", "max_steps = 2")
}

async fn the_online_column_of_table_1_comes_out_of_a_report() {
    let server = Server::start(Behavior::Normal);
    // Four Global episodes, then four Online ones with two iterations each: every page is another one.
    for page in 1..=4 {
        server.queue_reply(&format!("```html\n<h1>Global {page}</h1>\n```\n"));
    }
    for page in 1..=8 {
        server.queue_reply(&format!(
            "# Analyze\nThe heading differs.\n\n# Regenerate\n```html\n<h1>Online {page}</h1>\n```\n"
        ));
    }
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("paper.toml"), small_sweep()).unwrap();
    let url = server.url();
    let run = ["sweep", "run", "paper.toml", "--model", "gpt-4o", "--base-url", &url, "--jobs", "1"];
    let ended = lines(&program(home.path(), &[&run[..], &["--store", "runs", "--json"]].concat()));
    let ended: Vec<_> = ended.iter().filter(|line| line["type"] == "sweep_cell_end").collect();
    assert!(ended.len() == 2 && ended.iter().all(|cell| cell["state"] == "done"), "{ended:?}");
    let report = ["report", "paper", "--store", "runs"];
    let rows = lines(&program(home.path(), &[&report[..], &["--json"]].concat()));
    let of = |setting: &str| rows.iter().filter(|row| row["setting"] == setting).collect::<Vec<_>>();
    assert_eq!((of("global").len(), of("online").len()), (1, 1), "{rows:?}");
    let online = of("online")[0];
    assert_eq!(
        json!([online["episodes"], online["levels"], online["prompt"]]),
        json!([4, 2, "HD-CoT"]),
        "{online}"
    );
    assert!(online["score_interval"].is_array(), "{online}");
    assert_eq!(
        online["score_by_step"].as_array().map(Vec::len),
        Some(3),
        "the start and two steps: {online}"
    );
    assert_eq!(online["best_of"].as_array().map(Vec::len), Some(2), "{online}");
    let printed = program(home.path(), &[&report[..], &["--paper"]].concat());
    let text = String::from_utf8_lossy(&printed.stdout);
    assert!(printed.status.success() && !text.contains("<h1>"), "{text}");
    let table = text.split("Published scores, mini sets").nth(1).unwrap_or_default();
    let head = table.lines().nth(1).unwrap_or_default();
    assert!(head.contains("webui-G") && head.contains("webui-O"), "{text}");
    let own = table.lines().find(|line| line.starts_with("gpt-4o ")).unwrap_or_default();
    assert!(own.matches("] n 4").count() == 2 && own.ends_with("this report"), "{text}");
    assert!(text.contains("Scores by step: webui/mini") && text.contains("Best of n: webui/mini"), "{text}");
}
