//! Distances in `view`, `find` and `log list` with `--distance`.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// A sandbox with a recorded random episode that soon loses its level, in the store `runs`.
fn played(level: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let play = ["run", level, "--agent", "random", "--seed", "3", "--max-steps", "20", "--store", "runs"];
    sandbox.run(&play).success();
    sandbox
}

/// The steps that `view` prints, with distances.
fn view_steps(sandbox: &Sandbox, run: &str) -> Vec<Value> {
    let rows = sandbox.run(&["view", run, "--json", "--distance", "--store", "runs"]).json_lines();
    rows.into_iter().filter(|row| row["type"] == "step").collect()
}

fn distance_fields(row: &Value) -> Value {
    json!([row["remaining"], row["wasted"], row["off_path"], row["lost"]])
}

#[test]
fn view_and_trace_give_the_same_distances() {
    let sandbox = played("sokoban/full/3");
    let steps = view_steps(&sandbox, "last");
    let actions: Vec<&str> = steps.iter().map(|row| row["action"].as_str().unwrap()).collect();
    let actions = actions.join(",");
    let trace = ["levels", "trace", "sokoban/full/3", "--distance", "--json", "--actions", &actions];
    let traced = sandbox.run(&trace).json_lines();
    assert_eq!(
        steps.iter().map(distance_fields).collect::<Vec<_>>(),
        traced.iter().map(distance_fields).collect::<Vec<_>>()
    );
    let lost = steps.iter().position(|row| row["lost"] == true).expect("the recording has a dead step");
    assert!(steps[lost..].iter().all(|row| row["lost"] == true), "a dead level stays dead");
    let one = sandbox.run(&["view", "last#2", "--json", "--distance", "--store", "runs"]).json_lines();
    assert_eq!((one.len(), distance_fields(&one[0])), (2, distance_fields(&steps[1])));
    assert_eq!(json!([one[1]["lost"], one[1]["lost_by"]]), json!([true, lost + 1]));
    let plain = sandbox.run(&["view", "last#2", "--json", "--store", "runs"]).json_lines();
    assert!(plain.iter().all(|row| row.get("remaining").is_none() && row.get("lost").is_none()));
    let bare = sandbox.run(&["view", "last", "--distance", "--store", "runs"]);
    assert!(bare.code == Some(2) && bare.err.contains("--json"), "{bare:?}");
}

#[test]
fn find_computes_distances_only_where_needed() {
    let sandbox = played("sokoban/full/3");
    let find = |more: &[&str]| {
        let find = ["find", "last", "--json", "--store", "runs"];
        sandbox.run(&[&find[..1], more, &find[1..]].concat()).json_lines()
    };
    let numbers = |rows: &[Value]| rows.iter().map(|row| row["step"].as_u64().unwrap()).collect::<Vec<_>>();
    let steps = view_steps(&sandbox, "last");
    let lost = steps.iter().position(|row| row["lost"] == true).unwrap();
    let astray = |(index, row): &(usize, &Value)| *index == lost || row["off_path"].as_u64().unwrap_or(0) > 0;
    let expected: Vec<u64> =
        steps.iter().enumerate().filter(astray).map(|(_, row)| row["step"].as_u64().unwrap()).collect();
    let found = find(&["off_path"]);
    assert_eq!(numbers(&found), expected);
    assert!(found.iter().all(|row| row["marks"].as_array().unwrap().contains(&json!("off_path"))));
    assert_eq!(
        distance_fields(&found[0]),
        distance_fields(&steps[usize::try_from(expected[0]).unwrap() - 1])
    );
    assert_eq!(found.last().unwrap()["lost"], true);
    let any = find(&["any"]);
    assert!(any.iter().all(|row| !row["marks"].as_array().unwrap().contains(&json!("off_path"))));
    assert!(any.iter().all(|row| row.get("remaining").is_none()));
    let all = find(&["any", "--distance"]);
    assert!(expected.iter().all(|step| numbers(&all).contains(step)));
    let text = sandbox.run(&["find", "off_path", "last", "--store", "runs"]).success();
    assert!(text.contains(" extra move") && text.contains("distance 12, 1 extra move "), "{text}");
}

#[test]
fn an_unknown_distance_names_the_limit() {
    let sandbox = Sandbox::new();
    sandbox.write("work/mageyard.toml", "[sokoban]\nsolver_states = 1\n");
    let play = ["run", "sokoban/full/3", "--agent", "random", "--max-steps", "4", "--store", "runs"];
    sandbox.run(&play).success();
    let result = sandbox.run(&["find", "off_path", "last", "--store", "runs"]);
    assert_eq!((result.code, result.out.as_str()), (Some(0), ""));
    assert!(result.err.contains("4 steps could not be judged for off_path"), "{}", result.err);
    assert!(result.err.contains("no step has the mark off_path"), "{}", result.err);
    let row = sandbox.run(&["log", "list", "--distance", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(row["distance"]["unknown"], 1, "{row}");
}

#[test]
fn the_session_list_shows_solved_extra_moves_and_lost() {
    let sandbox = played("sokoban/full/3");
    sandbox.run(&["run", "sokoban/full/1", "--store", "runs"]).success();
    let rows = sandbox.run(&["log", "list", "--distance", "--json", "--store", "runs"]).json_lines();
    let (random, oracle) = if rows[0]["agent"] == "random" { (0, 1) } else { (1, 0) };
    let steps = view_steps(&sandbox, rows[random]["session"].as_str().unwrap());
    let lost = steps.iter().position(|row| row["lost"] == true).unwrap() + 1;
    assert_eq!(rows[random]["distance"]["lost"], json!([{ "level": "sokoban/full/3", "step": lost }]));
    assert_eq!(rows[oracle]["distance"]["solved"], json!([{ "level": "sokoban/full/1", "wasted": 0 }]));
    let text = sandbox.run(&["log", "list", "--distance", "--store", "runs"]).success();
    assert!(
        text.contains(&format!("dead state at step {lost}")) && text.contains("solved, 0 extra moves"),
        "{text}"
    );
    let plain = sandbox.run(&["log", "list", "--json", "--store", "runs"]).json_lines();
    assert!(plain.iter().all(|row| row.get("distance").is_none()));
}

#[test]
fn a_store_in_place_of_a_session_gets_a_hint() {
    let sandbox = played("sokoban/full/3");
    for verb in [&["view", "runs"][..], &["find", "any", "runs"]] {
        sandbox.run(verb).fails_with(
            2,
            &["runs contains 1 session and is not a session itself", "--store runs", "such as last"],
        );
    }
    std::fs::create_dir(sandbox.path("work/bare")).unwrap();
    sandbox.run(&["report", "bare"]).fails_with(2, &["bare contains no journal"]);
}
