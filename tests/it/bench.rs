//! `bench`: every measurement with its unit, and the machine. The tests assert no speed.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const TWO_LEVELS: &str = "######\n#@$ .#\n######\n\n#######\n#     #\n# @$ .#\n#######\n";
const GROUPS: [&str; 8] = ["small-v0", "small-v1", "v0", "v1", "v2", "large-v0", "large-v1", "huge-v0"];

fn measure(args: &[&str], file: &str) -> Vec<Value> {
    let sandbox = Sandbox::new();
    sandbox.write("work/rooms.xsb", file);
    let result =
        sandbox.run(&[&["bench", "sokoban", "rooms.xsb", "--seconds", "1", "--json"], args].concat());
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    result.json_lines()
}

#[test]
fn every_measure_has_a_value_and_a_unit() {
    let rows = measure(&["--only", "frames,steps"], TWO_LEVELS);
    assert_eq!(json!([rows[0]["type"], rows[0]["optimised"]]), json!(["machine", !cfg!(debug_assertions)]));
    assert!(rows[0]["cores"].as_u64().unwrap() > 0);
    let names = |unit: &str| {
        let rates = rows[1..].iter().filter(|row| row["unit"] == unit && row["columns"] == 7);
        rates.map(|rate| rate["measure"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(names("steps/s"), ["step", "step-batch", "step-squares", "world-step", "world-step-observe"]);
    assert_eq!(
        names("frames/s"),
        [
            "step-whole-frame",
            "step-changed-frame",
            "fill-frame",
            "batch-whole-frame",
            "batch-changed-frame",
            "fill-batch"
        ]
    );
    assert_eq!(rows.len(), 1 + 2 * 11, "each in two sizes");
    for rate in &rows[1..] {
        assert!(rate["type"] == "rate" && rate["value"].as_f64().unwrap() > 0.0, "{rate}");
        assert!([json!([3, 6]), json!([4, 7])].contains(&json!([rate["rows"], rate["columns"]])), "{rate}");
    }
}

#[test]
fn every_group_is_generated_and_rejections_are_counted() {
    let rows = measure(&["--only", "generate"], TWO_LEVELS);
    assert_eq!(rows[1..].iter().map(|row| row["group"].as_str().unwrap()).collect::<Vec<_>>(), GROUPS);
    for row in &rows[1..] {
        assert_eq!(json!([row["type"], row["unit"]]), json!(["generate", "levels/s"]));
        assert!(row["value"].as_f64().unwrap() > 0.0 && row["levels"].as_u64().unwrap() > 0, "{row}");
        let fallen: u64 = row["fallen"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert_eq!(row["tried"].as_u64().unwrap(), fallen + row["levels"].as_u64().unwrap());
    }
}

#[test]
fn solve_times_are_per_group() {
    let rows = measure(&["--only", "solve"], &format!("{TWO_LEVELS}\n#####\n#$@ #\n#  .#\n#####\n"));
    let output: Vec<Value> = rows[1..]
        .iter()
        .map(|row| json!([row["group"], row["levels"], row["tried"], row["solved"]]))
        .collect();
    assert_eq!(
        output,
        [
            json!(["3x6-1", 1, 1, 1]),
            json!(["4x7-1", 1, 1, 1]),
            json!(["4x5-1", 1, 1, 0]),
            json!(["all", 3, 3, 2])
        ]
    );
    assert!(rows[1]["median"].as_f64().unwrap() > 0.0 && rows[1]["unit"] == "ms", "{}", rows[1]);
    assert_eq!(json!([rows[3]["median"], rows[3]["max"]]), json!([null, null]), "unsolvable level");
    assert_eq!(
        measure(&["--only", "solve"], "######\n#@$ .#\n######\n").len(),
        2,
        "one group needs no total"
    );
}

#[test]
fn the_tables_fit_the_terminal_and_name_the_machine() {
    let output = Sandbox::new().run(&["bench", "sokoban", "--seconds", "1"]).success();
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines[0].contains("cores, load average"), "{output}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80 && line.trim_end() == *line), "{output}");
    let titles = |name: &str| {
        let found = lines.iter().find(|line| line.split("  ").next() == Some(name));
        found.unwrap_or_else(|| panic!("{name}: {output}")).split("  ").map(str::trim).collect::<String>()
    };
    assert_eq!(titles("steps/s"), "steps/s7x710x1013x1113x13");
    assert_eq!(titles("steps/s, training API"), "steps/s, training API7x710x1013x1113x13");
    assert_eq!(titles("frames/s, training API"), "frames/s, training API7x710x1013x1113x13");
    assert_eq!(titles("generate"), "generatelevels/slevelsrooms triedlittle floorscore 0duplicates");
    assert_eq!(titles("solve, ms"), "solve, msmedianp90maxsolvedlevels tried");
    for group in GROUPS {
        assert_eq!(lines.iter().filter(|line| line.split(' ').next() == Some(group)).count(), 2, "{output}");
    }
}

#[test]
fn many_sizes_are_split_into_tables() {
    let sandbox = Sandbox::new();
    let room = |wide: usize| format!("{0}\n#@$.{1}#\n{0}\n\n", "#".repeat(wide + 5), " ".repeat(wide));
    sandbox.write("work/many.xsb", (0..6).map(room).collect::<String>());
    let output =
        sandbox.run(&["bench", "sokoban", "many.xsb", "--seconds", "1", "--only", "frames"]).success();
    let heads: Vec<_> = output.lines().filter(|line| line.starts_with("frames/s")).collect();
    assert_eq!(heads.len(), 2, "{output}");
    assert!(heads[0].ends_with("3x8") && heads[1].ends_with("3x10"), "{output}");
    assert_eq!(output.lines().filter(|line| line.starts_with("fill-batch ")).count(), 2, "{output}");
}

#[test]
fn levels_that_cannot_be_measured_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.run(&["bench", "sokoban", "hanoi"]).fails_with(2, &["is not a Sokoban level"]);
    let result = sandbox.run(&["bench", "sokoban", "--only", "sleep"]);
    assert!(
        result.code == Some(2) && result.err.contains("[possible values: steps, frames, generate, solve]"),
        "{result:?}"
    );
    sandbox.write("work/solved.xsb", "#####\n#@ *#\n#####\n");
    let args = ["bench", "sokoban", "solved.xsb", "--seconds", "1"];
    sandbox.run(&args).fails_with(2, &["no level of solved.xsb can be stepped", "--only generate,solve"]);
    sandbox.run(&[&args[..], &["--only", "solve"]].concat()).success();
}
