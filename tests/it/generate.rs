//! `levels generate` and `levels stats`.

use serde_json::{Value, json};

use crate::pty::Pty;
use crate::sandbox::Sandbox;

fn made(sandbox: &Sandbox, args: &[&str]) -> String {
    sandbox.run(&[&["levels", "generate", "--json"], args].concat()).success()
}

#[test]
fn a_seed_makes_the_same_file_with_any_number_of_threads() {
    let sandbox = Sandbox::new();
    let file = |name: &str, jobs: &str, seed: &str| {
        let bounds =
            ["--group", "small-v0,small-v1", "--count", "25", "--max-moves", "20", "--min-moves", "4"];
        made(&sandbox, &[&bounds[..], &["--seed", seed, "--jobs", jobs, "--out", name]].concat());
        std::fs::read_to_string(sandbox.path("work").join(name)).unwrap()
    };
    let one = file("one.xsb", "1", "7");
    assert_eq!(one, file("four.xsb", "4", "7"));
    assert_ne!(one, file("other.xsb", "4", "8"));
    assert!(
        one.contains("; mageyard levels generate --group small-v0,small-v1 --count 25 --seed 7"),
        "{one}"
    );
    let rows = sandbox.run(&["levels", "solve", "one.xsb", "--json"]).json_lines();
    let moves: Vec<u64> = rows.iter().map(|row| row["moves"].as_u64().unwrap()).collect();
    let stored: Vec<u64> = one
        .lines()
        .filter_map(|line| line.strip_prefix("; moves: ")?.split_once(',')?.0.parse().ok())
        .collect();
    assert_eq!((moves.len(), &moves), (50, &stored));
    assert!(moves.iter().all(|moves| (4..=20).contains(moves)), "{moves:?}");
    assert_eq!(json!([rows[0]["level"], rows[49]["level"]]), json!(["small-v0-1", "small-v1-25"]));
}

#[test]
fn excluded_levels_are_left_out_and_rejections_counted() {
    let sandbox = Sandbox::new();
    let args = ["--group", "small-v0", "--count", "30", "--seed", "1", "--max-moves", "50"];
    let output = made(&sandbox, &[&args[..], &["--exclude", "sokoban/mini-v1", "--out", "a.xsb"]].concat());
    let row: Value = serde_json::from_str(output.trim()).unwrap();
    assert_eq!(json!([row["group"], row["levels"]]), json!(["small-v0", 30]));
    assert_eq!(row["fallen"]["excluded"], 9, "the same seed makes the nine of mini-v1 again: {row}");
    let fallen: u64 = row["fallen"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert_eq!(row["tried"].as_u64().unwrap(), fallen + 30);
    let again = sandbox.run(&["levels", "show", "sokoban/mini-v1/1", "--json"]).json_lines();
    let file = std::fs::read_to_string(sandbox.path("work/a.xsb")).unwrap();
    assert!(!file.contains(again[0]["text"].as_str().unwrap()));
}

#[test]
fn a_file_is_overwritten_only_with_force() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", "mine");
    let args = ["levels", "generate", "--size", "6x7", "--boxes", "1", "--count", "2", "--out", "a.xsb"];
    sandbox.run(&args).fails_with(2, &["a.xsb", "already exists", "--force"]);
    assert_eq!(std::fs::read_to_string(sandbox.path("work/a.xsb")).unwrap(), "mine");
    let output = sandbox.run(&[&args[..], &["--force"]].concat()).success();
    assert!(output.starts_with("6x7-1  2 levels"), "{output}");
    assert_eq!(sandbox.run(&["levels", "list", "a.xsb"]).success().lines().count(), 2);
}

#[test]
fn the_summary_fits_a_narrow_terminal() {
    let bounds = ["--group", "small-v1,small-v0", "--count", "40", "--min-moves", "9", "--max-moves", "12"];
    let args = [&["levels", "generate", "--exclude", "sokoban/full", "--out", "a.xsb"], &bounds[..]].concat();
    let shown = Sandbox::new().terminal(&args, 80, 24).screen().contents();
    let rows: Vec<&str> = shown.lines().filter(|line| !line.trim().is_empty()).collect();
    assert!(rows[0].starts_with("small-v0  40 levels") && rows[0].contains("rooms tried ("), "{shown}");
    assert!(rows[1].starts_with("                    ") && shown.contains("too short"), "{shown}");
}

#[test]
fn without_out_the_levels_go_to_standard_output() {
    let result = Sandbox::new().run(&["levels", "generate", "--group", "small-v0", "--count", "2"]);
    assert_eq!(result.code, Some(0), "{result:?}");
    assert!(result.out.contains("; small-v0-2\n#######\n"), "{}", result.out);
    assert!(result.err.starts_with("small-v0  2 levels") && !result.err.contains('\u{1b}'), "{}", result.err);
}

#[test]
fn ctrl_c_while_generating_keeps_the_levels_so_far() {
    let sandbox = Sandbox::new();
    let mut command = sandbox
        .command(&["levels", "generate", "--group", "small-v0", "--count", "1000000", "--out", "a.xsb"]);
    command.env("TERM", "xterm-256color");
    let mut screen = Pty::start(&command, 80, 24);
    screen.sees("of 1000000 levels").sees("0 rooms tried").press("ctrl-c");
    let ended = screen.wait_for_exit();
    assert_eq!(ended.code, 130, "{}", ended.text);
    let files: Vec<_> = std::fs::read_dir(sandbox.path("work")).unwrap().collect();
    assert_eq!(files.len(), 1, "the level file and no temporary one");
    let file = std::fs::read_to_string(sandbox.path("work/a.xsb")).unwrap();
    let count = sandbox.run(&["levels", "list", "a.xsb"]).success().lines().count();
    assert!(
        count > 0 && file.contains(&format!("; stopped early: {count} of 1000000 levels\n")),
        "{file:.300}"
    );
    let message = format!("stopped; {count} of 1000000 levels were written to a.xsb");
    assert!(ended.text.contains(&message), "{}", ended.text);
    sandbox.run(&["levels", "check", "a.xsb"]).success();
}

#[test]
fn ctrl_c_before_the_first_level_writes_nothing() {
    let sandbox = Sandbox::new();
    let bounds = ["--count", "1", "--min-moves", "900", "--tries", "1000000", "--out", "a.xsb"];
    let args = [&["levels", "generate", "--group", "small-v0"], &bounds[..]].concat();
    let mut command = sandbox.command(&args);
    command.env("TERM", "xterm-256color");
    let mut screen = Pty::start(&command, 80, 24);
    screen.sees("rooms tried").press("ctrl-c");
    let ended = screen.wait_for_exit();
    assert!(ended.code == 130 && ended.text.contains("stopped; no level was generated"), "{}", ended.text);
    assert_eq!(std::fs::read_dir(sandbox.path("work")).unwrap().count(), 0);
}

#[test]
fn usage_errors_have_a_hint() {
    let sandbox = Sandbox::new();
    for (code, args, says) in [
        (2, &["--count", "3"][..], &["the kind of levels is missing", "--preset"][..]),
        (2, &["--group", "v0"], &["the number of levels is missing", "--count N"]),
        (2, &["--size", "3x9", "--boxes", "1", "--count", "1"], &["a room cannot have 3x9 squares"]),
        (
            2,
            &["--group", "v0", "--count", "1", "--min-moves", "9", "--max-moves", "8"],
            &["--min-moves 9 is greater than --max-moves 8"],
        ),
        (
            2,
            &["--group", "v0", "--count", "1", "--out", "none/a.xsb"],
            &["none: there is no such folder", "create it first"],
        ),
        (2, &["--group", "v0", "--count", "1", "--exclude", "hanoi/first"], &["is not a Sokoban level"]),
        (
            4,
            &["--group", "small-v0", "--count", "2", "--min-moves", "900", "--tries", "3", "--out", "a.xsb"],
            &["0 of 2 levels of small-v0 found in 6 rooms", "raise --tries above 3"],
        ),
    ] {
        sandbox.run(&[&["levels", "generate"], args].concat()).fails_with(code, says);
        assert!(!sandbox.path("work/a.xsb").exists());
    }
}

#[test]
fn stats_are_per_group() {
    let rows =
        Sandbox::new().run(&["levels", "stats", "sokoban/mini", "--plays", "20", "--json"]).json_lines();
    let output = Sandbox::new().run(&["levels", "stats", "sokoban/mini"]).success();
    assert!(output.lines().all(|line| line.chars().count() <= 80), "{output}");
    assert!(output.contains("\ngroup") && output.contains("random score"), "{output}");
    let groups: Vec<&str> = rows.iter().map(|row| row["group"].as_str().unwrap()).collect();
    assert_eq!(groups, ["small-v0", "small-v1", "v0", "v1", "large-v0", "huge-v0", "all"]);
    let small = &rows[0];
    assert_eq!(json!([small["levels"], small["unsolved"], small["moves_max"]]), json!([9, 0, 6]));
    assert!((small["moves"]["mean"].as_f64().unwrap() - 44.0 / 9.0).abs() < 1e-9, "{small}");
    let idle = small["idle"]["mean"].as_f64().unwrap();
    assert!((idle - (100.0 - 60.0 + 44.0 / 18.0)).abs() < 1e-9, "idle score: {small}");
    assert!(small["random"]["mean"].as_f64().unwrap() >= idle);
}

#[test]
fn the_train_flag_is_the_train_preset() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&["levels", "generate", "--help"]).success();
    assert!(help.contains("--train") && help.contains("Short for --preset train"), "{help}");
    for other in [["--preset", "mini"], ["--group", "small-v0"], ["--count", "3"]] {
        let args = [&["levels", "generate", "--train"], &other[..]].concat();
        let result = sandbox.run(&args);
        assert_eq!(result.code, Some(2), "{result:?}");
        assert!(result.err.contains("'--train' cannot be used with"), "{result:?}");
    }
}
