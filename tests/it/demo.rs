//! The agent `demo`: the whole way of a model without a key, a server or a network.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// A home folder in which every request into the network would fail: proxies that are not there.
fn offline() -> Sandbox {
    let nowhere = "http://127.0.0.1:1";
    Sandbox::new().with("HTTP_PROXY", nowhere).with("HTTPS_PROXY", nowhere).with("ALL_PROXY", nowhere)
}

fn of_type<'a>(objects: &'a [Value], sort: &str) -> Vec<&'a Value> {
    objects.iter().filter(|object| object["type"] == sort).collect()
}

fn total(objects: &[&Value], field: &str) -> f64 {
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_default();
    objects.iter().map(|object| number(&object[field])).sum()
}

#[test]
fn episodes_are_played_priced_and_replayed_without_a_network() {
    let sandbox = offline();
    let args = ["run", "sokoban/mini/1..3", "--agent", "demo", "--json", "--store", "runs"];
    let played = sandbox.run(&args);
    assert_eq!(played.code, Some(0), "{}", played.err);
    let objects = played.json_lines();
    let episodes = of_type(&objects, "episode");
    assert_eq!(episodes.len(), 3);
    for episode in &episodes {
        assert_eq!((&episode["agent"], &episode["model"]), (&json!("demo"), &json!("demo")), "{episode}");
        assert_eq!(episode["currency"], "DEMO", "{episode}");
    }
    assert!(total(&episodes, "tokens_in") > 1000.0 && total(&episodes, "tokens_out") > 100.0);
    let replayed = sandbox.run(&["replay", "last", "--store", "runs"]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.err);
    assert_eq!(replayed.out.matches("identical").count(), 3, "{}", replayed.out);
    let session = sandbox.sessions("work/runs").remove(0);
    let journal = fs::read_to_string(session.join("0001/journal.jsonl")).unwrap();
    assert!(journal.contains("http://demo.invalid/v1") && journal.contains("\"seed\""), "{journal}");
}

#[test]
fn an_episode_that_is_cut_anywhere_goes_on_as_if_it_was_not() {
    let sandbox = offline();
    let more = ["--set", "demo.parse_errors=0.2", "--set", "demo.rate_limits=0.2", "--seed", "4"];
    let args = ["run", "sokoban/mini/2", "--agent", "demo", "--model", "demo-weak", "--store", "runs"];
    sandbox.run(&[&args[..], &more].concat()).success();
    let journal = sandbox.sessions("work/runs").remove(0).join("0001/journal.jsonl");
    let steps = || {
        let reported = sandbox.run(&["view", "--json", "--store", "runs", "last"]).json_lines();
        let of_step =
            |step: &&Value| json!([step["action"], step["sum"], step["tokens_in"], step["tokens_out"]]);
        of_type(&reported, "step").iter().map(of_step).collect::<Vec<_>>()
    };
    let whole = steps();
    let bytes = fs::read(&journal).unwrap();
    for cut in [bytes.len() / 3, bytes.len() / 2, bytes.len() - 100] {
        fs::write(&journal, &bytes[..cut]).unwrap();
        let resumed = sandbox.run(&["run", "--resume", "last", "--store", "runs"]);
        assert_eq!(resumed.code, Some(0), "{}", resumed.err);
        let seen = steps();
        let actions = |of: &[Value]| of.iter().map(|step| json!([step[0], step[1]])).collect::<Vec<_>>();
        assert_eq!(actions(&seen), actions(&whole), "cut at {cut}");
    }
}

#[test]
fn an_ask_compares_a_weak_model_with_a_strong_one() {
    let sandbox = offline();
    sandbox.run(&["run", "sokoban/mini/1", "--agent", "demo", "--store", "runs"]).success();
    let args = ["ask", "last#2", "--models", "demo-weak,demo-strong", "--samples", "20"];
    let asked = sandbox.run(&[&args[..], &["--json", "--store", "runs"]].concat());
    assert_eq!(asked.code, Some(0), "{}", asked.err);
    let objects = asked.json_lines();
    let variants = of_type(&objects, "ask_variant");
    let models: Vec<&Value> = variants.iter().map(|variant| &variant["model"]).collect();
    assert_eq!(models, [&json!("demo-weak"), &json!("demo-strong")]);
    let most = |variant: &Value| variant["answers"][0]["count"].as_u64().unwrap();
    assert!(most(variants[0]) < most(variants[1]), "{} {}", variants[0], variants[1]);
    assert_eq!(of_type(&objects, "ask_result")[0]["complete"], true);
    let begun = sandbox.run(&["ask", "last#2", "--from-text", "# analyze", "--store", "runs"]);
    begun.fails_with(2, &["the simulated models of demo cannot continue an answer", "--models NAME"]);
}

#[test]
fn an_ask_at_a_step_of_the_solver_compares_two_prompts() {
    let sandbox = offline();
    sandbox.run(&["run", "sokoban/mini/1", "--agent", "oracle", "--store", "runs"]).success();
    let args = ["ask", "last#2", "--models", "demo", "--prompts", "0s-CoT,HD-CoT", "--samples", "4"];
    let objects = sandbox.run(&[&args[..], &["--json", "--store", "runs"]].concat()).json_lines();
    let variants = of_type(&objects, "ask_variant");
    assert_eq!(
        variants.iter().map(|variant| &variant["replies"]).collect::<Vec<_>>(),
        [&json!(4), &json!(4)]
    );
}

/// Two models on two levels.
const SWEEP: &str = r#"
about = "A weak and a strong simulated model"
[settings]
play.agent = "demo"
demo.lost_connections = 0.0
[[grid]]
levels = "sokoban/mini/1..2"
repeats = 2
model.name = ["demo-weak", "demo-strong"]
demo.loops = [0.0, 0.3]
"#;

#[test]
fn a_sweep_over_models_has_costs_and_published_values_leave_it_out() {
    let sandbox = offline();
    sandbox.write("work/models.toml", SWEEP);
    let run = sandbox.run(&["sweep", "run", "models.toml", "--store", "runs"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let rows = sandbox.run(&["report", "models", "--json", "--store", "runs"]).json_lines();
    let rows = of_type(&rows, "report");
    assert_eq!(rows.len(), 4);
    let shown = |row: &Value| format!("{} {}", row["model"], row["settings"]["demo.loops"]);
    let mut names: Vec<String> = rows.iter().map(|row| shown(row)).collect();
    names.sort();
    let expected = ["\"demo-strong\" 0.0", "\"demo-strong\" 0.3", "\"demo-weak\" 0.0", "\"demo-weak\" 0.3"];
    assert_eq!(names, expected);
    let text = sandbox.run(&["report", "models", "--tables", "all", "--store", "runs"]).success();
    assert!(text.contains(" DEMO"), "{text}");

    let published = sandbox.run(&["report", "models", "--paper", "--json", "--store", "runs"]);
    assert!(
        published.err.contains("16 episodes of simulated models are left out: published values"),
        "{}",
        published.err
    );
    assert!(published.err.contains("there are no others") && published.out.is_empty(), "{published:?}");
    let text = sandbox.run(&["report", "models", "--paper", "--store", "runs"]);
    assert!(text.code == Some(0) && text.out.is_empty() && text.err.lines().count() == 1, "{text:?}");
}

#[test]
fn settings_out_of_range_are_refused_with_their_names() {
    let sandbox = offline();
    let run = |more: &[&str]| {
        sandbox.run(&[&["run", "sokoban/mini/1", "--agent", "demo", "--store", "runs"], more].concat())
    };
    run(&["--set", "demo.skill=2"]).fails_with(2, &["demo.skill: 2.0 is out of range, allowed is 0 to 1"]);
    run(&["--set", "demo.cuts=0.95"]).fails_with(2, &["the shares of mistakes add up to 1."]);
    run(&["--model", "gpt-4o"]).fails_with(2, &["has no model \"gpt-4o\"", "demo-weak", "--agent model"]);
    sandbox.write("work/sweep.toml", SWEEP.replace("[0.0, 0.3]", "[0.0, 3.0]"));
    let plan = sandbox.run(&["sweep", "plan", "sweep.toml", "--store", "runs"]);
    plan.fails_with(2, &["demo.loops: 3.0 is out of range"]);
}

#[test]
fn a_branch_changes_one_setting_of_the_table_and_keeps_the_others() {
    let sandbox = offline();
    let run = ["run", "sokoban/mini/1", "--agent", "demo", "--set", "demo.loops=0.25", "--store", "runs"];
    sandbox.run(&run).success();
    let fork = sandbox.run(&["fork", "last#2", "--set", "demo.skill=0.5", "--store", "runs"]).success();
    assert!(fork.contains("demo.skill -1.0 -> 0.5") && !fork.contains("demo.loops"), "{fork}");
    let played = sandbox.run(&["run", "--resume", "last#b1", "--store", "runs"]);
    assert_eq!(played.code, Some(0), "{}", played.err);
}
