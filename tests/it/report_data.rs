//! `report`: rows of episodes and steps, chosen columns and metrics, LaTeX, and the length of a text report.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// Two levels, of which one is solved by two moves to the right.
const LEVELS: &str = "#######\n#@ $ .#\n#######\n\n#######\n#@ $. #\n#######\n";

/// A store with a model at these windows and step limits, two repeats each.
fn played(windows: &[&str], limits: &[&str]) -> Sandbox {
    let server = Server::start(Behavior::Normal);
    let url = server.url();
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", LEVELS);
    for am in windows {
        for limit in limits {
            let args = ["run", "two.xsb", "--agent", "model", "--model", "mock", "--base-url", &url];
            let more = ["--repeats", "2", "--store", "runs", "--am", am, "--max-steps", limit];
            sandbox.run(&[&args[..], &more].concat()).success();
        }
    }
    sandbox
}

fn report(sandbox: &Sandbox, args: &[&str]) -> String {
    sandbox.run(&[&["report", "runs", "--store", "runs"], args].concat()).success()
}

fn objects(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    let json = [&["report", "runs", "--store", "runs", "--json"], args].concat();
    let mut objects = sandbox.run(&json).json_lines();
    objects.retain(|object| object["type"] != "report_comparison");
    objects
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / f64::from(u32::try_from(values.len()).unwrap())
}

#[test]
fn episode_rows_have_one_schema_and_give_the_numbers_of_the_report() {
    let sandbox = played(&["1", "2"], &["4"]);
    // An episode on the same level in another file, which is unfinished.
    sandbox.write("work/other.xsb", "; another title\n#######\n#@ $ .#\n#######\n");
    sandbox.run(&["run", "other.xsb", "--agent", "idle", "--setting", "global", "--store", "runs"]);
    let rows = objects(&sandbox, &["--rows", "episodes"]);
    assert_eq!(rows.len(), 2 * 2 * 2 + 1);
    let names = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(rows.iter().all(|row| names(row) == names(&rows[0])), "one schema");
    let start = ["schema", "type", "address", "session", "episode", "repeat", "branch", "environment"];
    assert_eq!(names(&rows[0])[..8], start);
    let of =
        |row: &Value| json!([row["episode"], row["repeat"], row["seed"], row["am"], row["play.max_steps"]]);
    assert_eq!(of(&rows[1]), json!([2, 2, 1, 1, 4]));
    assert_eq!(rows[8]["level_digest"], rows[0]["level_digest"], "equal levels, other names");
    assert_ne!(rows[8]["level"], rows[0]["level"]);
    let digests: BTreeSet<&str> = rows.iter().filter_map(|row| row["level_digest"].as_str()).collect();
    assert_eq!(digests.len(), 2);
    assert!(rows.iter().all(|row| row["marks.off_path"].is_null()));
    for sum in objects(&sandbox, &[]) {
        let own = || {
            let is_same = |row: &&Value| {
                row["counted"] == true && row["am"] == sum["am"] && row["agent"] == sum["agent"]
            };
            rows.iter().filter(is_same)
        };
        assert_eq!(sum["episodes"], own().count());
        let score = mean(own().map(|row| row["score"].as_f64().unwrap()));
        assert!((sum["score"].as_f64().unwrap() - score).abs() < 1e-9);
        let solved = mean(own().map(|row| if row["solved"] == true { 100.0 } else { 0.0 }));
        assert!((sum["success_rate"].as_f64().unwrap() - solved).abs() < 1e-9);
        assert_eq!(sum["steps"], own().map(|row| row["steps"].as_u64().unwrap()).sum::<u64>());
        let parse: usize = own().filter(|row| row["marks.same"].as_u64().unwrap() > 0).count();
        let episodes = sum["episodes"].as_f64().unwrap();
        let share = 100.0 * f64::from(u32::try_from(parse).unwrap()) / episodes;
        assert!((sum["same"].as_f64().unwrap() - share).abs() < 1e-9);
    }
}

#[test]
fn csv_has_the_columns_of_json_and_steps_add_up_to_their_episodes() {
    let sandbox = played(&["1"], &["4"]);
    let text = report(&sandbox, &["--rows", "episodes", "--format", "csv"]);
    let episodes = objects(&sandbox, &["--rows", "episodes"]);
    let keys: Vec<&str> = episodes[0].as_object().unwrap().keys().skip(2).map(String::as_str).collect();
    assert_eq!(text.lines().next().unwrap(), keys.join(","));
    assert_eq!(text.lines().count(), 1 + episodes.len());
    let steps = objects(&sandbox, &["--rows", "steps"]);
    for episode in &episodes {
        let own: Vec<&Value> = steps.iter().filter(|step| step["address"] == episode["address"]).collect();
        assert_eq!(episode["steps"], own.len());
        let rewards: f64 = own.iter().map(|step| step["reward"].as_f64().unwrap()).sum();
        assert!((episode["sum"].as_f64().unwrap() - rewards).abs() < 1e-9);
        let unchanged = own.iter().filter(|step| step["marks.same"] == true).count();
        assert_eq!(episode["marks.same"], unchanged);
        assert_eq!((own[0]["step"].as_u64(), own[0]["am"].as_u64()), (Some(1), Some(1)));
    }
    let chosen = report(&sandbox, &["--rows", "episodes", "--format", "csv", "--columns", "seed,level"]);
    assert_eq!(chosen.lines().take(2).collect::<Vec<_>>(), ["seed,level", "0,two.xsb#1"]);
    let refused = sandbox.run(&["report", "runs", "--store", "runs", "--rows", "steps"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("add `--format csv` or `--format json`"), "{}", refused.err);
}

#[test]
fn the_rows_of_a_sweep_are_those_of_all_its_cells() {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", LEVELS);
    sandbox.write(
        "work/limits.toml",
        "levels = \"two.xsb\"\nrepeats = 2\n[settings]\nplay.agent = \"random\"\n\n[[grid]]\nplay.max_steps = [3, 4]\n",
    );
    let run = sandbox.run(&["sweep", "run", "limits.toml"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let rows = sandbox.run(&["report", "limits", "--rows", "episodes", "--json"]).json_lines();
    let mut limits: Vec<u64> = rows.iter().filter_map(|row| row["play.max_steps"].as_u64()).collect();
    limits.sort_unstable();
    assert_eq!(limits, [3, 3, 3, 3, 4, 4, 4, 4]);
    let cells: BTreeSet<&str> = rows.iter().filter_map(|row| row["session"].as_str()).collect();
    assert_eq!(cells.len(), 2);
    let addresses: BTreeSet<&str> = rows.iter().filter_map(|row| row["address"].as_str()).collect();
    assert_eq!(addresses.len(), 8, "an address names one episode");
}

#[test]
fn a_text_report_of_sixteen_rows_fits_two_screens() {
    let sandbox = played(&["1", "2", "3", "4"], &["2", "3", "4", "5"]);
    let brief = report(&sandbox, &[]);
    assert!(brief.lines().count() <= 48, "{brief}");
    for part in
        ["score [95 %]", "success % [95 %]", "too few pairs", "More tables: Scores, Score by AM and OM, "]
    {
        assert!(brief.contains(part), "{part}: {brief}");
    }
    let all = report(&sandbox, &["--tables", "all"]);
    assert!(all.lines().count() > 150 && all.contains("Produced by\n") && !all.contains("More tables"));
    let errors = report(&sandbox, &["--tables", "produced,differences"]);
    assert!(errors.contains("Paired differences of scores\n") && errors.contains("Produced by\n"));
    assert!(!errors.contains("Score by AM and OM"));
    let few = played(&["1", "2"], &["4"]);
    assert!(report(&few, &[]).contains("Produced by\n"), "of few rows all tables are shown");
}

#[test]
fn metrics_and_columns_are_chosen_in_every_format() {
    let sandbox = played(&["1", "2"], &["4"]);
    let sums = objects(&sandbox, &[]);
    let latex = report(&sandbox, &["--metric", "score,same,steps", "--format", "latex"]);
    let (score, low, high) =
        (&sums[0]["score"], &sums[0]["score_interval"][0], &sums[0]["score_interval"][1]);
    let number = |value: &Value| value.as_f64().unwrap();
    let steps = number(&sums[0]["steps"]) / number(&sums[0]["episodes"]);
    let row = format!(
        "mock & 1 & 4 & {:.2} [{:.2}, {:.2}] & {:.1} & {steps:.1} \\\\",
        number(score),
        number(low),
        number(high),
        number(&sums[0]["same"])
    );
    assert!(latex.contains(&row), "{row}: {latex}");
    assert!(latex.contains("agent & AM & n & score [95 \\%] & same \\% & steps \\\\\n\\midrule"), "{latex}");
    let csv =
        report(&sandbox, &["--format", "csv", "--columns", "am,score_interval.low,score_interval.high"]);
    assert_eq!(csv.lines().nth(1).unwrap(), format!("1,{low},{high}"));
    let text = report(&sandbox, &["--columns", "agent,am,score"]);
    assert_eq!(
        text.lines().skip(2).take(2).collect::<Vec<_>>(),
        ["agent  am  score".to_owned(), format!("model  1   {:.2}", number(score))]
    );
    let unknown = sandbox.run(&["report", "runs", "--store", "runs", "--columns", "skore"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("--columns: there is no column \"skore\""), "{}", unknown.err);
}
