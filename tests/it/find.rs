//! `find`: marked steps over sessions, each with the reference that `view` opens; and the same on the screen.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::json;

use crate::pty::Pty;
use crate::world::World;

/// One push down and the box can never reach its target.
const EDGE: &str = "#######\n# @   #\n# $ . #\n#     #\n#######\n";

fn played() -> World {
    let world = World::new();
    world.write("work/edge.xsb", EDGE);
    let faulty =
        ["--agent", "faulty", "--seed", "2", "--repeats", "2", "--max-steps", "25", "--store", "runs"];
    world.run(&[&["run", "edge.xsb"][..], &faulty].concat()).done();
    world
}

fn found(world: &World, marks: &str) -> Vec<Value> {
    world.run(&["find", marks, "last", "--json", "--store", "runs"]).objects()
}

fn has(row: &Value, mark: &str) -> bool {
    row["marks"].as_array().unwrap().iter().any(|found| found == mark)
}

#[test]
fn every_mark_is_found_over_all_episodes_and_opens_by_its_reference() {
    let world = played();
    let all = found(&world, "any");
    for mark in ["parse", "ia", "ra", "same", "dead"] {
        let rows = found(&world, mark);
        assert!(!rows.is_empty(), "{mark} was never found in\n{all:#?}");
        let expected: Vec<&Value> = all.iter().filter(|row| has(row, mark)).collect();
        assert_eq!(rows.iter().collect::<Vec<_>>(), expected, "{mark}");
    }
    let both = found(&world, "ia,dead");
    assert!(both.iter().all(|row| has(row, "ia") || has(row, "dead")));
    let mut dead: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in found(&world, "dead") {
        dead.entry(row["run"].as_str().unwrap().split('#').next().unwrap().to_owned()).or_default().push(row);
    }
    assert_eq!(dead.len(), 2, "both episodes lose their box");
    for rows in dead.values() {
        assert!(rows[0]["note"].as_str().unwrap().contains("can never"), "{}", rows[0]);
        let steps: Vec<u64> = rows.iter().map(|row| row["step"].as_u64().unwrap()).collect();
        assert_eq!(steps, (steps[0]..=25).collect::<Vec<_>>(), "lost stays lost");
        let run = rows[0]["run"].as_str().unwrap();
        let step = world.run(&["view", run, "--json", "--store", "runs"]).objects().remove(0);
        assert_eq!(json!([step["step"], step["action"]]), json!([rows[0]["step"], rows[0]["action"]]));
    }
}

#[test]
fn people_read_a_line_a_step_and_hear_when_there_is_none() {
    let world = played();
    let text = world.run(&["find", "ia", "last", "--store", "runs"]).done();
    assert!(
        text.lines().all(|line| line.contains("/000") && line.contains('#') && line.contains("(none)")),
        "{text}"
    );
    world.run(&["run", "sokoban/mini/1", "--store", "good"]).done();
    let ran = world.run(&["find", "ia,ra", "last", "--store", "good"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    assert!(ran.err.contains("no step has the mark ia,ra"), "{}", ran.err);
    let ran = world.run(&["find", "any", "last", "--store", "good"]);
    assert!(ran.err.contains("no step has a mark"), "{}", ran.err);
    let ran = world.run(&["find", "deed", "last", "--store", "good"]);
    assert_eq!((ran.code, ran.err.contains("did you mean dead?")), (Some(2), true), "{}", ran.err);
    world.run(&["find", "ia", "last/7", "--store", "good"]).refused(2, &["0007", "no journal"]);
}

#[test]
fn on_the_screen_marks_are_seen_found_filtered_and_explained() {
    let world = played().with("TERM", "xterm-256color");
    let dead = found(&world, "dead");
    let run = dead[0]["run"].as_str().unwrap().split('#').next().unwrap().to_owned();
    let first = dead[0]["step"].as_u64().unwrap();
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut screen = Pty::start(&world.command(&["view", &run, "--store", "runs"]), columns, rows);
        screen.sees("RECORDED").drawn().command("find dead").sees(&format!("step {first}: "));
        screen.sees("marked dead").press("n").sees(&format!("step {}: ", first + 1));
        screen.press("N").sees(&format!("step {first}: ")).command("find ia").sees("invalid action (IA)");
        if columns == 80 {
            screen.press("tab tab tab tab").sees("[Steps]");
        }
        screen.sees("†").sees("×").press("M").sees("only ia: ").press("M").sees("█ gain");
        screen.press("V").sees("Verdict").sees("ended without a legal action").press("esc").misses("Verdict");
        screen.command("find nothing").sees("there is no mark").press("q");
        screen.ends().gave_back(0);
        // The other episode begins with one action for ever.
        let mut screen = Pty::start(&world.command(&["view", "last/2", "--store", "runs"]), columns, rows);
        screen.sees("RECORDED").drawn().press("tab tab tab tab").sees("≡≡≡≡≡≡≡≡≡≡≡≡");
        screen.press("q");
        screen.ends().gave_back(0);
    }
}
