//! `report --baseline`: recorded people beside other agents, on the same levels only.

use serde_json::json;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

const FIRST: &str = "#######\n#@ $ .#\n#######\n";
const SECOND: &str = "#######\n#@ $. #\n#######\n";
const OTHER: &str = "########\n#@ $  .#\n########\n";

/// A store with the agent `idle` on two levels, and a person on the first of them, under another name, and on another level.
fn played_by_a_person() -> Sandbox {
    played_with(&[])
}

/// The same with these flags.
fn played_with(flags: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", format!("{FIRST}\n{SECOND}"));
    sandbox.run(&["run", "two.xsb", "--agent", "idle", "--max-steps", "3", "--store", "runs"]).success();
    for (file, level, moves) in [("one.xsb", FIRST, 3), ("other.xsb", OTHER, 4)] {
        sandbox.write(format!("work/{file}"), level);
        let args = ["play", file, "--agent", "human", "--store", "runs/sweeps/people"];
        let mut screen = Pty::start(&sandbox.command(&[&args[..], flags].concat()), 120, 40);
        screen.sees("step 1 of").settle();
        for step in 0..moves {
            screen.press("right");
            if step + 1 < moves {
                screen.sees(&format!("step {} of", step + 2));
            }
        }
        screen.sees("WON").press("q");
        screen.wait_for_exit().assert_restored(0);
    }
    sandbox
}

#[test]
fn people_count_on_the_levels_of_the_report_and_missing_ones_are_named() {
    let sandbox = played_by_a_person();
    let report = |more: &[&str]| sandbox.run(&[&["report", "runs", "--store", "runs"], more].concat());
    let rows = report(&["--baseline", "people", "--json"]).json_lines();
    assert_eq!((rows.len(), &rows[0]["agent"], &rows[0]["baseline"]), (2, &json!("idle"), &json!(null)));
    let row = &rows[1];
    let found = &rows[1]["baseline"];
    assert_eq!(json!([row["agent"], row["episodes"], row["level_set"]]), json!(["human", 1, "two.xsb"]));
    assert_eq!(found, &json!({ "levels": 2, "missing": ["two.xsb#2"] }));
    let text = report(&["--baseline", "people"]).success();
    assert!(text.contains("recorded baseline") && text.contains("1 of 2"), "{text}");
    assert!(!report(&[]).success().contains("human"), "only with the flag");
    report(&["--baseline", "nothing"]).fails_with(2, &["nothing"]);
}

#[test]
fn a_person_sees_only_the_frame_and_rewards_before_the_end() {
    let sandbox = Sandbox::new();
    sandbox.write("work/one.xsb", FIRST);
    for setting in ["online", "global"] {
        let args = ["play", "one.xsb", "--agent", "human", "--setting", setting];
        let screen = Pty::start(&sandbox.command(&args), 120, 40).sees("step 1 of").settle().screen();
        let text = screen.contents();
        for part in ["optimum", "distance", "extra moves", " of 100"] {
            assert!(!text.contains(part), "{setting}, {part}: {text}");
        }
        assert!(text.contains("score        hidden"), "{text}");
        let args = [&args[..], &["--solver-visible"]].concat();
        let mut screen = Pty::start(&sandbox.command(&args), 120, 40);
        screen.sees("optimum").sees("extra moves").sees("distance 3");
    }
    let args = ["play", "one.xsb", "--agent", "human", "--store", "runs"];
    let mut screen = Pty::start(&sandbox.command(&args), 120, 40);
    screen.sees("step 1 of").press("right").sees("step 2 of").press("right").sees("step 3 of").press("right");
    screen.sees("WON").sees("optimum").sees("100 of 100");
}

#[test]
fn a_person_who_saw_the_solver_is_no_baseline() {
    let sandbox = played_with(&["--solver-visible"]);
    let report = ["report", "runs", "--store", "runs", "--baseline", "people", "--json"];
    let rows = sandbox.run(&report).json_lines();
    assert_eq!(rows.len(), 1, "{rows:?}");
}

#[test]
fn a_sweep_names_its_baselines_and_they_may_come_later() {
    let sandbox = played_by_a_person();
    let sweep = |people: &str| {
        format!("levels = \"two.xsb\"\nbaselines = [\"{people}\"]\n[settings]\nplay.agent = \"random\"\n")
    };
    for (name, people) in [("early", "none-yet"), ("late", "people")] {
        sandbox.write(format!("work/{name}.toml"), sweep(people));
        let file = format!("{name}.toml");
        sandbox.run(&["sweep", "run", &file, "--store=runs", "--plain"]).success();
    }
    let early = sandbox.run(&["report", "early", "--store=runs"]);
    assert!(early.err.contains("baseline none-yet: no finished episode"), "{}", early.err);
    assert_eq!(early.code, Some(0));
    let late = sandbox.run(&["report", "late", "--store=runs"]).success();
    assert!(late.contains("human") && late.contains("two.xsb#2"), "{late}");
    sandbox.write("work/wrong.toml", "levels = \"two.xsb\"\nbaselines = 3\n");
    sandbox
        .run(&["sweep", "plan", "wrong.toml"])
        .fails_with(2, &["wrong.toml:2", "baselines must be a list"]);
}
