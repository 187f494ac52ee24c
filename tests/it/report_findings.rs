//! `report`: the sentence about all rows, the correction of p values, the probably best row, and what repeats have in common.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// Two rows of the agent `random` that differ in the limit of steps, and one of `faulty`: eight levels and four repeats each.
const SWEEP: &str = "name = \"limits\"\nlevels = \"sokoban/mini/1..8\"\nrepeats = 4\nreference = { play.max_steps = 6 }\n\
                     [settings]\nplay.max_steps = 12\n[[grid]]\nplay.agent = \"random\"\nplay.max_steps = [6, 20]\n\
                     [[grid]]\nplay.agent = \"faulty\"\n";

fn played() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/limits.toml", SWEEP);
    sandbox.run(&["sweep", "run", "limits.toml", "--store", "runs", "--plain"]).success();
    sandbox
}

fn report(sandbox: &Sandbox, args: &[&str]) -> String {
    sandbox.run(&[&["report", "limits", "--store", "runs"], args].concat()).success()
}

fn objects(sandbox: &Sandbox, kind: &str, args: &[&str]) -> Vec<Value> {
    let json = [&["report", "limits", "--store", "runs", "--json"], args].concat();
    let mut all = sandbox.run(&json).json_lines();
    all.retain(|object| object["type"] == kind);
    all
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[test]
fn one_sentence_says_whether_any_row_differs_in_every_format() {
    let sandbox = played();
    let found = objects(&sandbox, "report_comparison", &[]);
    let [found] = found.as_slice() else { panic!("one reference: {found:?}") };
    assert_eq!(
        json!([found["compared"], found["correction"], found["points"], found["common_levels"]]),
        json!([2, "holm", 5.0, 8])
    );
    let counts = ["different", "inside_noise", "too_few_pairs"].map(|name| found[name].as_u64().unwrap());
    assert_eq!(counts.iter().sum::<u64>(), 2, "{found}");
    let text = found["text"].as_str().unwrap();
    let begins = if counts[0] == 0 { "no cell differs from " } else { "of 2 " };
    assert!(text.contains(begins) && text.contains(" beyond noise"), "{text}");
    let terminal = report(&sandbox, &[]);
    assert_eq!(terminal.lines().nth(1), Some(text), "{terminal}");
    assert!(terminal.contains("\"beyond noise\": p corrected by Holm"), "{terminal}");
    for format in ["md", "html", "latex"] {
        let page = report(&sandbox, &["--format", format]);
        let start: String = text.chars().take_while(|c| *c != '_' && *c != ';').collect();
        let shown = page.replace('\\', "");
        assert!(shown.contains(&start), "{format}: {page}");
    }
}

#[test]
fn a_smaller_difference_needs_more_levels() {
    let sandbox = played();
    let needed = |points: &str| {
        let found = &objects(&sandbox, "report_comparison", &["--difference", points])[0];
        assert!((number(&found["points"]) - points.parse::<f64>().unwrap()).abs() < 1e-12);
        (found["levels_needed"].as_u64(), found["out_of_reach"] == json!(true))
    };
    let [five, one] = ["5", "1"].map(|points| needed(points).0.unwrap());
    assert!(five < one, "{five} {one}");
    assert_eq!(needed("0.0001"), (None, true));
    let text = report(&sandbox, &["--difference", "0.0001"]);
    assert!(text.contains("no number of levels shows 0.0001 points"), "{text}");
}

#[test]
fn p_values_are_left_as_they_are_without_a_correction() {
    let sandbox = played();
    let differences = |args: &[&str]| -> Vec<Value> {
        let rows = objects(&sandbox, "report", args);
        rows.into_iter().map(|row| row["difference"].clone()).filter(|found| !found.is_null()).collect()
    };
    let plain = differences(&["--correction", "none"]);
    let holm = differences(&["--correction", "holm"]);
    assert_eq!(holm, differences(&[]), "Holm is the default");
    assert_eq!((plain.len(), holm.len()), (2, 2));
    for (plain, holm) in plain.iter().zip(&holm) {
        assert_eq!(plain["p"], plain["p_corrected"]);
        assert_eq!(plain["p"], holm["p"]);
        assert!(number(&holm["p_corrected"]) >= number(&plain["p"]));
        for measure in plain["measures"].as_array().unwrap() {
            assert_eq!(measure["p"], measure["p_corrected"], "{measure}");
        }
    }
    assert_eq!(objects(&sandbox, "report_comparison", &["--correction", "none"])[0]["correction"], "none");
    let text = report(&sandbox, &["--correction", "none"]);
    assert!(!text.contains("(Holm)") && text.contains("not corrected"), "{text}");
    assert!(report(&sandbox, &[]).contains("p (Holm)"));
    let wrong = sandbox.run(&["report", "limits", "--store", "runs", "--correction", "fdr"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("holm, none"), "{wrong:?}");
}

#[test]
fn the_probabilities_of_being_best_add_up() {
    let sandbox = played();
    let rows = objects(&sandbox, "report", &[]);
    let shares: Vec<f64> = rows.iter().map(|row| number(&row["best"]["probability"])).collect();
    assert_eq!(shares.len(), 3);
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
    assert!(rows.iter().all(|row| row["best"]["among"] == 3 && row["best"]["levels"] == 8), "{rows:?}");
    let text = report(&sandbox, &[]);
    assert!(
        text.contains("Probability of being best\n") && text.contains("the share of 10000 draws"),
        "{text}"
    );
    let metric = report(&sandbox, &["--metric", "best"]);
    assert!(
        metric.contains("P(best)") && metric.contains(&format!("{:.1} %", 100.0 * shares[0])),
        "{metric}"
    );
    // A row that is compared with nothing has no such probability.
    sandbox.run(&["run", "sokoban/mini/1", "--agent", "random", "--store", "single"]).success();
    let alone = sandbox.run(&["report", "single", "--store", "single", "--json"]).json_lines().remove(0);
    assert_eq!(
        json!([alone["best"], alone["repeated_levels"], alone["variance"]]),
        json!([null, null, null])
    );
    assert_eq!(alone["pass_hat"], json!([]));
}

#[test]
fn repeats_are_counted_as_their_episodes_say() {
    let sandbox = played();
    let rows = ["report", "limits", "--store", "runs", "--rows", "episodes", "--json"];
    let mut levels: BTreeMap<(String, String), Vec<bool>> = BTreeMap::new();
    for row in sandbox.run(&rows).json_lines() {
        let limit = row["play.max_steps"].to_string();
        let level = row["level"].as_str().unwrap().to_owned();
        levels.entry((limit, level)).or_default().push(row["ending"] == "won");
    }
    assert_eq!(levels.len(), 24);
    let mut split_in_all = 0;
    for row in objects(&sandbox, "report", &[]) {
        let limit = row["settings"]["play.max_steps"].to_string();
        let own: Vec<(&String, usize)> = levels
            .iter()
            .filter(|((of, _), _)| *of == limit)
            .map(|((_, level), won)| (level, won.iter().filter(|won| **won).count()))
            .collect();
        let count = |is: fn(usize) -> bool| own.iter().filter(|(_, solved)| is(*solved)).count();
        let split = count(|solved| solved > 0 && solved < 4);
        split_in_all += split;
        let found = &row["repeated_levels"];
        assert_eq!(
            json!([found["always"], found["never"], found["split"], found["once"]]),
            json!([count(|solved| solved == 4), count(|solved| solved == 0), split, 0]),
            "{limit}"
        );
        assert_eq!(found["split_levels"].as_array().unwrap().len(), split);
        // Of 4 repeats 2 are chosen in 6 ways.
        let pairs = |solved: usize| [0.0, 0.0, 1.0, 3.0, 6.0][solved] / 6.0;
        let twice = 100.0 * own.iter().map(|(_, solved)| pairs(*solved)).sum::<f64>() / 8.0;
        let curve = row["pass_hat"].as_array().unwrap();
        assert_eq!(curve.len(), 4);
        assert!((number(&curve[0]["rate"]) - number(&row["success_rate"])).abs() < 1e-9, "{row}");
        assert!((number(&curve[1]["rate"]) - twice).abs() < 1e-9, "{row}");
        let variance = &row["variance"];
        assert!(
            (number(&variance["between_estimate"]).max(0.0) - number(&variance["between"])).abs() < 1e-12
        );
    }
    assert!(split_in_all > 0, "the levels are too difficult to show anything");
    let text = report(&sandbox, &[]);
    assert!(text.contains("Repeats of levels\n") && text.contains("Pass^k: sokoban/mini\n"), "{text}");
    assert!(text.contains(" 1/4"), "{text}");
}
