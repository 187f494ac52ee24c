//! `report`: what a row is, what rows are compared with, and which episodes count.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A sandbox with the sweep `s`: two models with two windows each, and the agent `random`.
fn swept(server: &Server) -> Sandbox {
    let sandbox = Sandbox::new();
    let sweep = format!(
        "levels = \"sokoban/first/1..2\"\nrepeats = 2\nreference = {{ memory.am = 5, memory.om = 1 }}\n\
         [settings]\nplay.max_steps = 2\nmodel.base_url = \"{}\"\n\
         [[grid]]\nplay.agent = \"model\"\nmodel.name = [\"model-a\", \"model-b\"]\nmemory.am = [1, 5]\n\
         [[grid]]\nplay.agent = \"random\"\n",
        server.url()
    );
    sandbox.write("work/s.toml", sweep);
    let done = sandbox.run(&["sweep", "run", "s.toml", "--store", "runs", "--plain"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    sandbox
}

fn rows(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    sandbox.run(&[&["report", "--store", "runs", "--json"], args].concat()).json_lines()
}

#[test]
fn a_baseline_in_a_sweep_leaves_the_comparison_as_it_is() {
    let server = Server::start(Behavior::Normal);
    let sandbox = swept(&server);
    let rows = rows(&sandbox, &["s"]);
    let shown: Vec<Value> = rows
        .iter()
        .map(|row| {
            let compared = &row["difference"]["reference"];
            json!([
                row["agent"],
                row["model"],
                row["prompt"],
                row["am"],
                row["reference"],
                compared["model"],
                compared["am"]
            ])
        })
        .collect();
    let expected = [
        json!(["model", "model-a", "0s-CoT", 1, false, "model-a", 5]),
        json!(["model", "model-a", "0s-CoT", 5, true, null, null]),
        json!(["model", "model-b", "0s-CoT", 1, false, "model-b", 5]),
        json!(["model", "model-b", "0s-CoT", 5, true, null, null]),
        json!(["random", null, null, null, false, null, null]),
    ];
    assert_eq!(shown, expected);
    assert_eq!(rows[0]["differs"], json!(["agent", "AM"]), "the prompts do not differ");
    let text = sandbox.run(&["report", "s", "--store", "runs"]).success();
    assert!(!text.contains('~'), "no name is split: {text}");
    assert!(text.contains("in rows that have it: prompt 0s-CoT, OM 1"), "{text}");
    assert_eq!(
        text.matches("compared with AM 5, OM 1\n").count(),
        2,
        "each map has its own reference: {text}"
    );
    assert!(text.contains("Paired differences of scores"), "{text}");
}

#[test]
fn a_reference_that_matches_nothing_is_an_error() {
    let server = Server::start(Behavior::Normal);
    let sandbox = swept(&server);
    for (reference, what) in [
        ("memory.am=7", "AM=7: no row has these values"),
        ("model.name=model-c", "model.name=model-c: no row has these values"),
        ("memory.amm=5", "no row has a setting memory.amm"),
    ] {
        let failed = sandbox.run(&["report", "s", "--store", "runs", "--reference", reference]);
        failed.fails_with(2, &[what, "the rows differ in: agent, AM"]);
    }
    let found = rows(&sandbox, &["s", "--reference", "play.agent=random"]);
    assert_eq!(found[0]["difference"]["reference"]["agent"], "random");
    let plan =
        "levels = \"sokoban/first\"\nreference = { memory.am = 5 }\nsettings.play.agent = \"random\"\n";
    sandbox.write("work/none.toml", plan);
    sandbox.run(&["sweep", "plan", "none.toml"]).fails_with(2, &["no cell that is run has all these values"]);
}

#[test]
fn counts_have_units_won_is_no_other_ending_and_addresses_are_short() {
    let sandbox = Sandbox::new();
    let sweep = "name = \"a-sweep-whose-name-is-as-long-as-the-names-of-sweeps-may-be-64-byte\"\n\
        levels = \"sokoban/first/1..2\"\n[settings]\nplay.agent = \"faulty\"\nplay.max_steps = 60\n";
    sandbox.write("work/long.toml", sweep.replace("-64-byte", ""));
    sandbox.run(&["sweep", "run", "long.toml", "--store", "runs", "--plain"]).success();
    let name = "a-sweep-whose-name-is-as-long-as-the-names-of-sweeps-may-be";
    let row = rows(&sandbox, &[name]).remove(0);
    let of = |name: &str| {
        let errors = row["errors"].as_array().unwrap();
        errors.iter().find(|error| error["name"] == name).unwrap().clone()
    };
    assert_eq!(json!([of("parse")["unit"], of("rule heading")["unit"]]), json!(["steps", "replies"]));
    let replies = row["parse_errors"].as_u64().unwrap();
    assert!(of("parse")["count"].as_u64().unwrap() < replies);
    let address = of("parse")["first"].as_str().unwrap().to_owned();
    assert!(address.len() < 120 && address.starts_with(name), "{address}");
    sandbox.run(&["view", &address, "--json", "--store", "runs"]).success();
    let text = sandbox.run(&["report", name, "--store", "runs"]).success();
    assert!(text.contains(&format!("{replies} replies in 100.0 %")), "{text}");
    assert!(text.contains(&format!("{} steps", of("parse")["count"])), "{text}");
    assert_eq!(json!([row["endings"]["won"], text.contains(" won")]), json!([2, false]), "{text}");
}
