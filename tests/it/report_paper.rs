//! The tables of the paper as `report` prints them: table 1, the supplement's tables 4 and 7, and its figure 9.

use serde_json::{Value, json};

use crate::episodes::reseal_all;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// The part of a report that begins with a line with this beginning, without spaces at the ends of lines.
fn section(report: &str, title: &str) -> String {
    let lines = report.lines().skip_while(|line| !line.starts_with(title));
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).map(str::trim_end).collect();
    assert!(!lines.is_empty(), "{title}: {report}");
    lines.join("\n")
}

/// Adds Online episodes of pages as a cell of a sweep has them: two levels with two repeats, each with files of its own at the
/// start. An episode wins `gain` more points at its second step than the one before.
fn record_pages(sandbox: &Sandbox, model: &str, cell: &str) {
    let recorded = include_str!("data/webui/journal.jsonl");
    for number in 1..=4_u32 {
        let level = number.div_ceil(2);
        let repeat = 2 - number % 2;
        let page = format!("<!DOCTYPE html>\n<h1>The page of episode {number}</h1>\n");
        let options = json!({ "start": format!("{cell}-global"), "start_files": { "html": page } });
        let gain = format!("\"reward\":{}.0", 30 + 2 * number);
        let text = recorded
            .replacen("\"webui/mini/1\"", &format!("\"webui/mini/{level}\""), 1)
            .replacen("Twelve buttons", &format!("The buttons of level {level}"), 1)
            .replacen("\"options\":{}", &format!("\"options\":{options},\"repeat\":{repeat}"), 1)
            .replacen("\"agent\":\"random\"", &format!("\"agent\":\"{model}\""), 1)
            .replacen("\"reward\":40.0", &gain, 1);
        assert!(text.contains("start_files") && text.contains(&gain), "the recording has another form");
        sandbox.write(format!("work/runs/{cell}/000{number}/journal.jsonl"), reseal_all(&text));
    }
}

#[test]
fn an_online_cell_of_pages_is_one_row_with_mean_interval_steps_and_best_of_n() {
    let sandbox = Sandbox::new();
    record_pages(&sandbox, "random", "pages");
    let report = |args: &[&str]| sandbox.run(&[&["report", "runs", "--store", "runs"], args].concat());
    let rows = report(&["--json"]).json_lines();
    assert_eq!(rows.len(), 1, "{rows:?}");
    let row = &rows[0];
    assert_eq!(json!([row["episodes"], row["levels"], row["differs"]]), json!([4, 2, []]));
    // The start and the first step have none. Second steps of 32, 34, 36 and 38 points, and 20 more at the third.
    assert_eq!((&row["score"], &row["score_by_step"]), (&json!(55.0), &json!([0.0, 0.0, 35.0, 55.0])));
    assert!(row["score_interval"].is_array() && row["score_by_step_intervals"][2].is_array(), "{row}");
    let best: Vec<&Value> = row["best_of"].as_array().unwrap().iter().map(|point| &point["score"]).collect();
    assert_eq!(best, [&json!(55.0), &json!(56.0)]);
    assert_eq!(row["settings"]["webui.start"], "pages-global");
    assert_eq!(row["settings"]["webui.start_files"], Value::Null);
    for format in ["text", "md", "html"] {
        let text = report(&["--paper", "--format", format]).success();
        assert!(!text.contains("The page of episode") && !text.contains("DOCTYPE html>\\n"), "{text}");
    }
    let text = report(&["--paper"]).success();
    insta::assert_snapshot!("figure_9", section(&text, "Scores by step"));
    insta::assert_snapshot!("best_of_n", section(&text, "Best of n"));
    insta::assert_snapshot!("table_1_pages", section(&text, "Published scores, mini sets"));
}

/// A sweep like `error-table`, played by two models.
fn error_table(sandbox: &Sandbox, server: &Server) -> String {
    let text = include_str!("../../sweeps/error-table.toml")
        .replace("sokoban/mini\"", "sokoban/mini/1..2\"")
        .replace("football/mini\"", "football/mini/1..2\"")
        .replace("repeats = 10", "repeats = 1")
        .replace("max_steps = 50", "max_steps = 12")
        .replace("max_steps = 400", "max_steps = 2");
    sandbox.write("work/errors.toml", text);
    let url = server.url();
    let models = "model.name=[model-a,model-b]";
    let run = [
        "sweep",
        "run",
        "errors.toml",
        "--store",
        "runs",
        "--set",
        models,
        "--base-url",
        &url,
        "--jobs",
        "1",
    ];
    sandbox.run(&run).success();
    sandbox.run(&["report", "errors", "--store", "runs", "--paper"]).success()
}

#[test]
fn tables_over_environments_have_a_row_for_each_model() {
    let server = Server::start(Behavior::Normal);
    server.decides_by("nothing has this text");
    let sandbox = Sandbox::new();
    let text = error_table(&sandbox, &server);
    insta::assert_snapshot!("table_7_own", section(&text, "IA/RA in % of episodes"));
    insta::assert_snapshot!("table_7", section(&text, "Published invalid and repeated actions"));
    insta::assert_snapshot!("table_1", section(&text, "Published scores, mini sets"));
    insta::assert_snapshot!("table_4", section(&text, "Published scores, full sets"));
}

/// A recorded baseline stands beside the published rows too, with its levels if some are missing.
#[test]
fn recorded_baselines_are_in_the_published_table() {
    let sandbox = Sandbox::new();
    let idle = "levels = \"sokoban/mini/1..2\"\n[settings]\nplay.agent = \"idle\"\n";
    for (name, text) in
        [("own", idle.to_owned()), ("others", idle.replace("1..2", "1").replace("idle", "oracle"))]
    {
        sandbox.write(format!("work/{name}.toml"), text);
        sandbox.run(&["sweep", "run", &format!("{name}.toml"), "--store", "runs"]).success();
    }
    let report = ["report", "own", "--store", "runs", "--paper", "--baseline", "others"];
    let table = section(&sandbox.run(&report).success(), "Published scores, mini sets");
    let row = |agent: &str| table.lines().find(|line| line.starts_with(agent)).unwrap().to_owned();
    assert!(row("idle ").contains(" n 2  "), "{table}");
    assert!(row("oracle ").contains("100.00 n 1 (1 of 2 levels)"), "{table}");
}

/// Doing nothing is played on the levels of the report, and is what `idle` has.
#[test]
fn doing_nothing_stands_beside_published_scores() {
    let sandbox = Sandbox::new();
    for agent in ["oracle", "idle"] {
        let sweep = format!("levels = \"sokoban/mini/1..3\"\n[settings]\nplay.agent = \"{agent}\"\n");
        sandbox.write(format!("work/{agent}.toml"), sweep);
        sandbox.run(&["sweep", "run", &format!("{agent}.toml"), "--store", "runs"]).success();
    }
    let of_idle = sandbox.run(&["report", "idle", "--store", "runs", "--json"]).json_lines();
    let lines = sandbox.run(&["report", "oracle", "--store", "runs", "--paper", "--json"]).json_lines();
    let [computed, played] =
        [&lines[0]["idle_score"], &of_idle[0]["score"]].map(|score| score.as_f64().unwrap());
    assert!((computed - played).abs() < 1e-9 && played > 30.0, "{computed} {played}");
    assert!(of_idle[0]["idle_score"].is_null(), "only beside published scores");
    let text = sandbox.run(&["report", "oracle", "--store", "runs", "--paper"]).success();
    for title in ["Published scores, mini sets", "Published scores by memory window"] {
        let table = section(&text, title);
        let row = table.lines().find(|line| line.starts_with("doing nothing")).expect(&table);
        assert!(row.contains(&format!("{played:.2}")) && row.contains("computed on these levels"), "{table}");
    }
}

#[test]
fn published_figures_are_objects_too() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/mini/1", "--agent", "idle", "--store", "runs"]).success();
    let lines = sandbox.run(&["report", "last", "--store", "runs", "--paper", "--json"]).json_lines();
    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    assert_eq!(of("report").len(), 1);
    // 17 models in two settings, 19 windows, and 28 models in two settings.
    assert_eq!((of("published_score").len(), of("published_errors").len()), (34 + 19 + 56, 14));
    let find = |agent: &str, set: &str, setting: &str| {
        let scores = of("published_score");
        let mut fitting = scores.into_iter().filter(|line| {
            line["agent"] == agent
                && line["level_set"] == set
                && line["setting"] == setting
                && line["am"].is_null()
        });
        let found = fitting.next().unwrap();
        json!([found["score"], found["ife"], found["deviation"]])
    };
    assert_eq!(find("GPT-4o", "full", "online"), json!([48.63, false, 0.4]));
    assert_eq!(find("Claude-3.5-Sonnet", "mini", "global"), json!([48.26, false, null]));
    assert_eq!(find("Llama-3.2-90B-Vision-Instruct", "mini", "online"), json!([null, true, null]));
}
