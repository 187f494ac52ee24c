//! Football with the real binary: baselines, scenes and their mistakes, and scenarios of a checkout.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// A carrier far from the only opponent, the keeper; positions of our own.
const SCENE: &str = "scene alone\nball -0.5 0\nleft GK -0.98 0\nleft CF -0.515 0.004\nright GK -0.98 0\n";

fn episode(sandbox: &Sandbox, args: &[&str]) -> Value {
    let rows = sandbox.run(&[&["run", "alone.football", "--json"][..], args].concat()).json_lines();
    rows.into_iter().find(|row| row["type"] == "episode").unwrap()
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/alone.football", SCENE);
    sandbox
}

#[test]
fn baselines_play_until_the_end_of_the_scene() {
    let sandbox = sandbox();
    let idle = episode(&sandbox, &["--agent", "idle"]);
    assert_eq!(
        json!([idle["steps"], idle["ending"], idle["metrics"]]),
        json!([400, "time_limit", {"frames": 400}])
    );
    let sprint = episode(&sandbox, &["--agent", "sprint"]);
    assert!(sprint["score"].as_f64().unwrap() > 5.0, "{sprint}");
    assert!(sprint["steps"].as_u64() < sprint["metrics"]["frames"].as_u64(), "frames are skipped: {sprint}");
}

/// The six terms of the paper sum to the reward, in every output.
#[test]
fn the_terms_of_the_reward_are_in_steps_traces_and_reports() {
    let sandbox = sandbox();
    let names = ["advance", "passed", "goal", "loss", "received", "shot"];
    let sum = |terms: &Value| -> f64 { names.iter().map(|name| terms[name].as_f64().unwrap()).sum() };
    let near =
        |one: f64, other: &Value| assert!((one - other.as_f64().unwrap()).abs() < 1e-5, "{one} {other}");
    let run = ["run", "alone.football", "--agent", "sprint", "--max-steps", "8", "--store", "runs", "--json"];
    let rows = sandbox.run(&run).json_lines();
    let steps: Vec<&Value> = rows.iter().filter(|row| row["type"] == "step").collect();
    assert_eq!(steps.len(), 8);
    for step in &steps {
        near(sum(&step["reward_terms"]), &step["reward"]);
    }
    let total: f64 = steps.iter().map(|step| step["reward"].as_f64().unwrap()).sum();
    assert!(total > 1.0, "the carrier advances: {total}");
    let viewed = sandbox.run(&["view", "last", "--json", "--store", "runs"]).json_lines();
    let of_steps = |rows: &[Value]| -> Vec<Value> {
        rows.iter().filter(|row| row["type"] == "step").map(|row| row["reward_terms"].clone()).collect()
    };
    assert_eq!(of_steps(&viewed), of_steps(&rows));
    let report = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines();
    near(sum(&report[0]["reward_terms"]), &json!(total));
    let text = sandbox.run(&["report", "last", "--store", "runs"]).success();
    assert!(text.contains("mean of  advance  passed  goal  loss  received  shot"), "{text}");
    let actions = "action_right,action_sprint,action_right";
    let trace = ["levels", "trace", "alone.football", "--actions", actions];
    let traced = sandbox.run(&[&trace[..], &["--json"]].concat()).json_lines();
    for step in &traced {
        near(sum(&step["reward_terms"]), &step["reward"]);
    }
    assert!(sandbox.run(&trace).success().contains("advance +"), "in the text too");
    let screen = ["screen", "alone.football", "--agent", "sprint", "--halves", "8", "--size", "120x40"];
    let drawn = sandbox.run(&screen).success();
    for name in names {
        assert!(drawn.contains(name), "{name} in the score pane");
    }
}

/// Chance belongs to the world: a seed gives the same episode again.
#[test]
fn a_seed_repeats_an_episode() {
    let sandbox = sandbox();
    let played = |seed: &str| {
        let row = episode(&sandbox, &["--agent", "random", "--max-steps", "30", "--seed", seed]);
        json!([row["score"], row["steps"], row["metrics"]])
    };
    assert_eq!(played("5"), played("5"));
    sandbox.run(&["replay", "last"]).success();
}

#[test]
fn mistakes_are_reported_with_line_field_and_reason() {
    let sandbox = sandbox();
    sandbox.write("work/bad.football", SCENE.replace("ball -0.5 0", "ball -0.5 0.7"));
    let result = sandbox.run(&["levels", "check", "bad.football"]);
    result.fails_with(2, &["bad.football", ":2", "ball y: 0.7 is outside the pitch"]);
    sandbox.write("work/far.football", SCENE.replace("scene alone", "scene R5_T_1"));
    let result = sandbox.run(&["levels", "check", "far.football"]);
    for says in ["lies in zone R4, and the name says R5", "kind T: teammates who are free: 0"] {
        assert!(result.out.contains(says), "{}", result.out);
    }
}

#[test]
fn the_shipped_scenes_pass_their_check() {
    let sandbox = Sandbox::new();
    for (set, count) in [("football/mini", 20), ("football/full", 108)] {
        sandbox.run(&["levels", "check", set]).success();
        assert_eq!(sandbox.run(&["levels", "show", set, "--json"]).json_lines().len(), count);
    }
}

#[test]
fn a_checkout_is_imported_and_what_is_no_scenario_is_left_out() {
    let sandbox = Sandbox::new();
    let scenario = "def build_scenario(builder):\n  builder.SetBallPosition(0.5, 0)\n  builder.SetTeam(Team.e_Left)\n  \
                    builder.AddPlayer(-0.98, 0, e_PlayerRole_GK)\n  builder.AddPlayer(0.48, 0, e_PlayerRole_CF)\n  \
                    builder.SetTeam(Team.e_Right)\n  builder.AddPlayer(-0.98, 0, e_PlayerRole_GK)\n";
    sandbox
        .write("work/bench/resources/Football_all.json", r#"["Football/R6_P_1.py", "Football/R6_P_2.py"]"#);
    sandbox.write("work/bench/resources/Football_mini.json", r#"["Football/R6_P_1.py"]"#);
    sandbox.write("work/bench/resources/Football/R6_P_1.py", scenario);
    sandbox.write("work/bench/resources/Football/R6_P_2.py", format!("{scenario}  import os\n"));
    let told = sandbox.run(&["levels", "import", "magebench", "bench"]).success();
    assert!(told.contains("R6_P_2: left out: R6_P_2.py, line 8: "), "{told}");
    let shown = sandbox.run(&["levels", "show", "football/magebench-mini", "--json"]).json_lines();
    assert_eq!(json!([shown.len(), shown[0]["level"]]), json!([1, "R6_P_1"]));
    let single = sandbox
        .run(&["levels", "import", "bench/resources/Football/R6_P_1.py", "--format", "scenario"])
        .success();
    assert!(single.starts_with("scene R6_P_1\nball 0.5 0\nleft GK -0.98 0\n"), "{single}");
}
