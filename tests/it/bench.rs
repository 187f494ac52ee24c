//! `bench` by the real binary: every measure, each with its unit, and what it was measured on. How fast it is nobody
//! says here.

use serde_json::json;

use crate::world::World;

#[test]
fn every_measure_has_a_value_and_a_unit() {
    let world = World::new();
    world.write("work/two.xsb", "######\n#@$ .#\n######\n\n#######\n#     #\n# @$ .#\n#######\n");
    let ran = world.run(&["bench", "sokoban", "two.xsb", "--seconds", "1", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let rows = ran.objects();
    assert_eq!(json!([rows[0]["type"], rows[0]["optimised"]]), json!(["machine", !cfg!(debug_assertions)]));
    assert!(rows[0]["cores"].as_u64().unwrap() > 0);
    let rates: Vec<_> = rows.iter().filter(|row| row["type"] == "rate").collect();
    assert_eq!(rates.len(), 18, "nine measures in two sizes");
    for rate in rates {
        assert!(rate["value"].as_f64().unwrap() > 0.0, "{rate}");
        assert!(["steps/s", "frames/s"].contains(&rate["unit"].as_str().unwrap()), "{rate}");
        assert!([json!([3, 6]), json!([4, 7])].contains(&json!([rate["rows"], rate["columns"]])), "{rate}");
    }
    let solve = rows.last().unwrap();
    assert_eq!(json!([solve["levels"], solve["solved"], solve["unit"]]), json!([2, 2, "ms"]));
}

#[test]
fn the_table_says_what_it_was_measured_on() {
    let world = World::new();
    world.write("work/one.xsb", "######\n#@$ .#\n######\n");
    let told = world.run(&["bench", "sokoban", "one.xsb", "--seconds", "1"]).done();
    assert!(told.lines().next().unwrap().contains("cores, load average"), "{told}");
    assert!(told.contains("3x6") && told.contains("step-changed-frame"), "{told}");
    assert!(told.lines().last().unwrap().starts_with("solve: 1 of 1 levels"), "{told}");
    world.run(&["bench", "sokoban", "hanoi"]).refused(2, &["is no level of Sokoban"]);
}
