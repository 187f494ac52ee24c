//! The verbs of the real binary: output and usage errors.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::pty::Pty;
use crate::sandbox::{CommandResult, Sandbox, first_line, wait, wait_with_output};

const ONE_PUSH_LEVEL: &str = "#####\n#@$.#\n#####\n";
const DEAD_LEVEL: &str = "#####\n#$@ #\n#  .#\n#####\n";

fn solve(sandbox: &Sandbox, args: &[&str]) -> CommandResult {
    sandbox.run(&[&["levels", "solve", "--json"], args].concat())
}

#[test]
fn a_level_is_solved_in_the_fewest_moves() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", format!("{ONE_PUSH_LEVEL}\n; push\n{DEAD_LEVEL}"));
    let result = solve(&sandbox, &["a.xsb"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let rows = result.json_lines();
    for field in ["schema", "level", "solved", "moves", "pushes", "lurd", "states", "seconds"] {
        assert!(rows.iter().all(|row| row.get(field).is_some()), "{field}");
    }
    let facts = |row: &Value| json!([row["solved"], row["moves"], row["pushes"], row["lurd"]]);
    assert_eq!(facts(&rows[0]), json!([true, 1, 1, "R"]));
    assert_eq!(facts(&rows[1]), json!([false, null, null, null]));
    assert_eq!(json!([rows[0]["level"], rows[1]["level"]]), json!([1, "push"]));
    assert!(
        rows[1]["reason"]
            .as_str()
            .unwrap()
            .starts_with("unsolvable: all states that can be reached (1) were searched"),
        "{}",
        rows[1]
    );
}

#[test]
fn a_search_that_reaches_its_limit_says_so() {
    let result = solve(&Sandbox::new(), &["sokoban/full/165", "--states", "10"]);
    assert_eq!(result.code, Some(4), "{}", result.err);
    let row = &result.json_lines()[0];
    let reason = row["reason"].as_str().unwrap();
    assert!(reason.starts_with("gave up") && reason.contains("--states N"), "{reason}");
    assert!(reason.contains("sokoban.solver_states"), "{reason}");
}

#[test]
fn a_search_ends_at_ctrl_c() {
    let sandbox = Sandbox::new();
    // Twelve boxes in a large open room: billions of states.
    let floor = format!("#{}#\n", " ".repeat(14)).repeat(4);
    let boxes = "#  $ $ $ $ $ $ #\n#              #\n# $ $ $ $ $ $  #\n";
    let targets = "#@. . . . . .  #\n#              #\n#  . . . . . . #\n";
    let room = format!("{wall}\n{floor}{boxes}{targets}{floor}{wall}\n", wall = "#".repeat(16));
    sandbox.write("work/hard.xsb", format!("{ONE_PUSH_LEVEL}\n{room}"));
    let mut child = sandbox
        .command(&["levels", "solve", "--json", "--states", "100000000", "--memory", "100000", "hard.xsb"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let first = first_line(&mut child);
    assert!(first.contains(r#""solved":true"#), "{first}");
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    assert_eq!(wait(&mut child), Some(130));
}

#[test]
fn a_trace_shows_distance_extra_moves_and_the_losing_step() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", "#######\n#     #\n#@$ . #\n#     #\n#######\n");
    let args =
        ["levels", "trace", "a.xsb", "--distance", "--actions", "Up,Down,Right,Right,Right,Right", "--json"];
    let fields = |row: &Value| json!([row["remaining"], row["wasted"], row["lost"]]);
    let rows: Vec<Value> = sandbox.run(&args).json_lines().iter().map(fields).collect();
    let expected = [json!([3, 2, false]), json!([2, 2, false]), json!([1, 2, false]), json!([0, 2, false])];
    assert_eq!(rows, expected);
    let past = ["levels", "trace", "b.xsb", "--distance", "--actions", "Down,Left,Left"];
    sandbox.write("work/b.xsb", "#######\n#  @  #\n# $ $ #\n# .  .#\n#     #\n#######\n");
    let words = sandbox.run(&past).success();
    assert!(words.contains("extra moves") && words.contains("  dead state\n"), "{words}");
}

#[test]
fn solutions_by_pushes_keep_file_order_and_hanoi_has_none() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", format!("{DEAD_LEVEL}\n{ONE_PUSH_LEVEL}\n{DEAD_LEVEL}\n{ONE_PUSH_LEVEL}"));
    let result =
        solve(&sandbox, &["a.xsb", "--by", "pushes", "--jobs", "3", "--memory", "10", "--time", "60"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let ends: Vec<Value> = result.json_lines().iter().map(|row| row["end"].clone()).collect();
    assert_eq!(ends, ["unsolvable", "optimal", "unsolvable", "optimal"]);
    let result = solve(&sandbox, &["hanoi/first/1", "--by", "pushes"]);
    assert!(result.err.contains("no solver for pushes"), "{}", result.err);
    assert_ne!(result.code, Some(0));
}

#[test]
fn a_trace_prints_every_step() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", "######\n#@ $.#\n######\n");
    let result =
        sandbox.run(&["levels", "trace", "a.xsb", "--level", "1", "--actions", "Right,Up,Right", "--json"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let row =
        |step: u32, action: &str, reward: f64, sum: f64, best: f64, score: f64, status: &str, board: &str| {
            json!({"schema": 1, "type": "trace_step", "reference": "a.xsb#1",
            "step": step, "action": action, "reward": reward, "sum": sum, "best": best,
            "score": score, "reward_terms": null, "status": status, "board": board})
        };
    let expected = [
        row(1, "Right", -0.5, -0.5, 0.0, 46.0, "running", "######\n# @$.#\n######"),
        row(2, "Up", -0.5, -1.0, 0.0, 46.0, "running", "######\n# @$.#\n######"),
        row(3, "Right", 54.5, 53.5, 53.5, 99.5, "won", "######\n#  @*#\n######"),
    ];
    assert_eq!(result.json_lines(), expected);
}

#[test]
fn a_trace_stops_where_the_level_ends() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", ONE_PUSH_LEVEL);
    let result = sandbox.run(&["levels", "trace", "a.xsb", "--actions", "Right,Left,Left", "--json"]);
    assert_eq!((result.code, result.json_lines().len()), (Some(0), 1));
    assert_eq!(result.err, "the level ended at step 1; 2 further actions were not applied\n");
}

#[test]
fn a_level_in_place_of_a_verb_gets_a_hint_to_play_it() {
    let sandbox = Sandbox::new();
    sandbox.write("work/my room.xsb", ONE_PUSH_LEVEL);
    for (word, tip) in
        [("sokoban/full/3", "sokoban/full/3"), ("hanoi", "hanoi"), ("my room.xsb", "'my room.xsb'")]
    {
        let result = sandbox.run(&[word]);
        assert_eq!((result.code, result.out.as_str()), (Some(2), ""));
        assert!(
            result.err.contains(&format!("tip: `mageyard play {tip}` opens the screen on it")),
            "{}",
            result.err
        );
    }
    assert!(
        !sandbox.run(&["plya"]).err.contains("opens the screen"),
        "another word has clap's own suggestion"
    );
}

#[test]
fn every_usage_error_gets_one_clear_message() {
    let sandbox = Sandbox::new();
    sandbox.write("work/empty.xsb", "");
    sandbox.write("work/bytes.xsb", b"#####\n#@$.#\n##\xff##\n");
    sandbox.write("work/two.xsb", "#####\n#@@ #\n#####\n");
    sandbox.write("work/open.xsb", "#####\n#@$. \n#####\n");
    sandbox.write("work/ok.xsb", ONE_PUSH_LEVEL);
    let wall = "#".repeat(3000) + "\n";
    let row = format!("#{}#\n", " ".repeat(2998));
    sandbox.write("work/wide.xsb", format!("{wall}#@$.{}#\n{}{wall}", " ".repeat(2995), row.repeat(2997)));
    let vast = sandbox.write("work/vast.xsb", "");
    std::fs::File::options().write(true).open(vast).unwrap().set_len((256 << 20) + 1).unwrap();
    let trace = |actions: &'static str| vec!["levels", "trace", "ok.xsb", "--actions", actions];
    let cases: Vec<(Vec<&str>, Vec<&str>)> = vec![
        (vec!["levels", "show", "empty.xsb"], vec!["empty.xsb"]),
        (
            vec!["levels", "show", "bytes.xsb"],
            vec!["bytes.xsb:3: is not UTF-8 text: invalid byte at position 15"],
        ),
        (vec!["levels", "show", "/proc/self/mem"], vec!["/proc/self/mem: cannot be read"]),
        (vec!["levels", "show", "."], vec![".: is a folder without files of levels"]),
        (vec!["levels", "show", "none.xsb"], vec!["none.xsb: there is no such file"]),
        (
            vec!["levels", "show", "emty.xsb"],
            vec!["emty.xsb: there is no such file", "did you mean empty.xsb?"],
        ),
        (vec!["levels", "show", "ok.xsb/below.xsb"], vec!["a part of this path is a file"]),
        (vec!["levels", "show", "vast.xsb"], vec!["vast.xsb: is larger than 256 MiB"]),
        (vec!["levels", "show", "wide.xsb"], vec!["wide.xsb:"]),
        (vec!["levels", "show", "two.xsb"], vec!["two.xsb:", "player"]),
        (vec!["levels", "show", "open.xsb"], vec!["open.xsb:"]),
        (vec!["levels", "show", "ok.xsb#2"], vec!["ok.xsb has no level 2", "it has one level: number 1"]),
        (vec!["levels", "show", "ok.xsb#0"], vec!["ok.xsb has no level 0"]),
        (
            vec!["levels", "show", "sokobann"],
            vec!["there is no level, set or file sokobann", "did you mean sokoban"],
        ),
        (
            vec!["levels", "show", "sokoban/minni/3"],
            vec!["there is no level set minni", "did you mean mini or mini-v1?"],
        ),
        (vec!["levels", "show", "sokoban/mini/21"], vec!["sokoban/mini has no level 21", "it has 20 levels"]),
        (
            vec!["run", "sokoban/mini/0"],
            vec!["sokoban/mini has no level 0", "it has 20 levels, numbered from 1"],
        ),
        (vec!["levels", "show", "sokoban/mini/smal-v0-1"], vec!["did you mean small-v0-1"]),
        (vec!["levels", "show", "sokoban/../mini"], vec!["there is no level set .."]),
        (vec!["levels", "show", ""], vec!["there is no level, set or file"]),
        (vec!["levels", "solve", "sokoban/nothing"], vec!["there is no level set nothing", "known: mini"]),
        (vec!["play", "sokoban/mini/99"], vec!["sokoban/mini has no level 99"]),
        (vec!["run", "sokoban/mini/99"], vec!["sokoban/mini has no level 99"]),
        (vec!["frame", "sokoban/mini/99"], vec!["sokoban/mini has no level 99"]),
        (trace("Up,Lfet"), vec!["action 2 is \"Lfet\"", "did you mean Left?"]),
        (trace(""), vec!["action 1 is \"\"", "known: "]),
        (vec!["levels", "trace", "sokoban/mini", "--actions", "Up"], vec!["20 levels", "--level N"]),
        (vec!["levels", "trace", "ok.xsb", "--level", "7", "--actions", "Up"], vec!["there is no level 7"]),
    ];
    for (args, says) in cases {
        println!("{args:?}");
        let result = sandbox.run(&args);
        result.fails_with(2, &says);
        assert_eq!(result.out, "");
    }
}

#[test]
fn a_refused_level_is_shown_with_its_line() {
    let sandbox = Sandbox::new();
    sandbox.write("work/bad.xsb", format!("{ONE_PUSH_LEVEL}\n#####\n#@$?#\n#####\n"));
    let result = sandbox.run(&["levels", "show", "bad.xsb"]);
    result.fails_with(2, &["bad.xsb:6: "]);
    assert!(result.err.contains(" 6 | #@$?#\n"), "{}", result.err);
}

#[test]
fn files_are_checked_one_by_one() {
    let sandbox = Sandbox::new();
    sandbox.write("work/good.xsb", ONE_PUSH_LEVEL);
    sandbox.write("work/bad.xsb", "#####\n#@@ #\n#####\n");
    let result = sandbox.run(&["levels", "check", "good.xsb", "bad.xsb", "--json"]);
    assert_eq!(result.code, Some(2));
    let rows = result.json_lines();
    assert_eq!(json!([rows[0]["name"], rows[0]["verdict"]]), json!(["good.xsb", "ok"]));
    assert_eq!(json!([rows[1]["name"], rows[1]["verdict"]]), json!(["bad.xsb", "fail"]));
    assert_eq!(rows[1]["line"], 2, "{}", rows[1]);
}

#[test]
fn every_error_of_a_level_file_is_reported_with_its_line() {
    let sandbox = Sandbox::new();
    let file = "; one\n#####\n#@$x#\n#y  #\n#####\n\n; two\n#####\n#@$.#\n#####\n; published: 4 moves\n\n\
                ; three\n####\n#$.#\n####\n";
    std::fs::write(sandbox.path("work/a.xsb"), file).unwrap();
    let result = sandbox.run(&["levels", "check", "a.xsb", "sokoban/first"]);
    assert_eq!(result.code, Some(2), "{result:?}");
    for says in [
        "FAIL  a.xsb          line 3: level 1 (one): row 2, column 4: 'x' is not a board character",
        "FAIL  a.xsb          line 4: level 1 (one): row 3, column 2: 'y' is not a board character",
        "FAIL  a.xsb          line 11: published: \"4 moves\" is not of the form",
        "FAIL  a.xsb          line 14: level 3 (three): there is no player",
        "ok    sokoban/first  8 levels",
    ] {
        assert!(result.out.contains(says), "{says}\n{}", result.out);
    }
    let rows = sandbox.run(&["levels", "check", "a.xsb", "--json"]).json_lines();
    let lines: Vec<_> = rows.iter().map(|row| row["line"].as_u64()).collect();
    assert_eq!(lines, [Some(3), Some(4), Some(11), Some(14)]);
}

#[test]
fn on_a_terminal_a_broken_file_is_shown_once() {
    let sandbox = Sandbox::new();
    sandbox.write("work/good.xsb", ONE_PUSH_LEVEL);
    sandbox.write("work/bad.xsb", "#####\n#@  #\n# @ #\n#####\n");
    let terminal = Pty::start(&sandbox.command(&["levels", "check", "good.xsb", "bad.xsb"]), 120, 40);
    let ended = terminal.wait_for_exit();
    assert_eq!(ended.code, 2, "{}", ended.text);
    assert_eq!(ended.text.matches("more than one player").count(), 1, "{}", ended.text);
    assert!(ended.text.contains("bad.xsb   see below"), "{}", ended.text);
    assert!(ended.text.contains("bad.xsb:3: ") && ended.text.contains("# @ #"), "{}", ended.text);
    let piped = sandbox.run(&["levels", "check", "bad.xsb"]);
    assert!(piped.out.contains("more than one player"), "{}", piped.out);
}

#[test]
fn levels_are_solved_from_standard_input() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", ONE_PUSH_LEVEL);
    sandbox.write("work/bad.xsb", "#@@#\n");
    let solve = |file: &str| {
        let stdin = std::fs::File::open(sandbox.path(file)).unwrap();
        sandbox.run_with(&["levels", "solve", "-"], stdin)
    };
    let result = solve("work/a.xsb");
    assert_eq!(result.code, Some(0), "{result:?}");
    assert!(result.out.starts_with("-#1: optimal, 1 move, 1 push: R"), "{}", result.out);
    solve("work/bad.xsb").fails_with(2, &["/dev/stdin:1: "]);
}

#[test]
fn user_level_sets_are_listed_first() {
    let sandbox = Sandbox::new();
    sandbox.write("config/mageyard/levels/sokoban/mine.xsb", ONE_PUSH_LEVEL);
    sandbox.write("config/mageyard/levels/sokoban/mini.xsb", format!("{ONE_PUSH_LEVEL}\n{DEAD_LEVEL}"));
    let list = sandbox.run(&["levels", "list"]).success();
    assert!(list.contains("sokoban/mine     1 level ") && list.contains("2 levels"), "{list}");
    assert_eq!(sandbox.run(&["levels", "list", "sokoban"]).success().lines().count(), 2);
    let show = sandbox.run(&["levels", "show", "sokoban/mine/1"]).success();
    assert!(show.ends_with(ONE_PUSH_LEVEL), "{show}");
    let checked = sandbox.run(&["config", "check"]).success();
    assert!(checked.contains("levels sokoban/mine  1 level, yours"), "{checked}");
    sandbox.write("config/mageyard/levels/sokoban/broken.xsb", "#@@#\n");
    for verb in [&["config", "check"][..], &["doctor"]] {
        let result = sandbox.run(verb);
        assert_eq!(result.code, Some(2), "{result:?}");
        assert!(result.out.contains("FAIL  levels sokoban/broken"), "{result:?}");
    }
    let result = sandbox.run(&["levels", "list"]);
    result.fails_with(2, &["broken.xsb:"]);
    assert!(result.out.contains("sokoban/mine"), "{}", result.out);
}

#[test]
fn a_built_in_set_is_listed_with_what_it_has_of_the_paper() {
    let sandbox = Sandbox::new();
    sandbox.write("config/mageyard/levels/sokoban/mine.xsb", ONE_PUSH_LEVEL);
    let list = sandbox.run(&["levels", "list"]).success();
    let lines: Vec<&str> = list.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("webui/mini ")).unwrap();
    let paper = "20 of our own 40 pages; the paper's set has 193 pages, 20 in mini";
    assert_eq!(lines[at + 1].trim_start(), paper);
    assert!(lines[at].contains("20 levels") && lines[at + 1].starts_with("  "), "{list}");
    let mine = lines.iter().position(|line| line.starts_with("sokoban/mine ")).unwrap();
    assert!(!lines[mine + 1].starts_with(' '), "{list}");
    let rows = sandbox.run(&["levels", "list", "--json"]).json_lines();
    let row = |name: &str| rows.iter().find(|row| row["reference"] == name).unwrap();
    assert_eq!(row("webui/mini")["paper"], paper);
    assert!(row("hanoi/first")["paper"].as_str().unwrap().contains("supplement D.1"));
    assert!(row("sokoban/mine").get("paper").is_none());
}

#[test]
fn invisible_characters_in_a_file_never_reach_the_terminal() {
    let sandbox = Sandbox::new();
    let title = "\u{1b}[31m\u{9b}31mred\u{202e}\u{e0041}";
    sandbox.write("work/a.xsb", format!("; {title}\n{ONE_PUSH_LEVEL}"));
    let hidden = ['\u{1b}', '\u{9b}', '\u{202e}', '\u{e0041}'];
    for args in [
        &["levels", "show", "a.xsb"][..],
        &["levels", "list", "a.xsb"],
        &["levels", "solve", "a.xsb"],
        &["run", "a.xsb", "--store", "runs"],
    ] {
        let result = sandbox.run(args);
        assert!(!(result.out + &result.err).contains(hidden), "{args:?}");
        let result = sandbox.run(&[args, &["--json"]].concat());
        let objects = result.json_lines();
        assert!(objects.iter().all(|object| object["level"] == title), "{args:?}: {}", result.out);
        assert!(!(result.out + &result.err).contains(hidden), "{args:?}");
    }
    let log = sandbox.run(&["log", "list", "--json", "--store", "runs"]);
    assert!(!log.out.contains(hidden) && !log.json_lines().is_empty(), "{}", log.out);
    let result = sandbox.run(&["levels", "show", "\u{1b}[2J"]);
    assert!(!result.err.contains('\u{1b}'), "{}", result.err);
}

#[test]
fn every_verb_that_prints_data_has_json_output() {
    let sandbox = Sandbox::new();
    for args in [
        &["levels", "list"][..],
        &["levels", "list", "sokoban/mini"],
        &["levels", "show", "sokoban/mini"],
        &["levels", "solve", "sokoban/full/1"],
        &["levels", "trace", "sokoban/full/1", "--actions", "Up"],
        &["config", "path"],
        &["config", "print"],
        &["config", "check"],
        &["prompts", "list"],
        &["prompts", "show", "HD-CoT"],
        &["prompts", "check"],
        &["doctor"],
        &["check"],
    ] {
        let result = sandbox.run(&[args, &["--json"]].concat());
        assert_eq!(result.code, Some(0), "{args:?}: {}", result.err);
        assert!(!result.json_lines().is_empty(), "{args:?}");
    }
}

#[test]
fn all_shipped_files_are_valid() {
    let result = Sandbox::new().run(&["check", "--json"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let rows = result.json_lines();
    assert!(rows.iter().all(|row| row["verdict"] == "ok"), "{rows:?}");
    for name in ["levels/sokoban/mini", "prompts/sokoban/0s-CoT", "prompts/hanoi/HD-CoT"] {
        assert!(rows.iter().any(|row| row["name"] == name), "{rows:?}");
    }
}

#[test]
fn a_closed_pipe_ends_a_verb_quietly() {
    for args in
        [&["levels", "show", "sokoban"][..], &["--help"], &["man"], &["completions", "bash"], &["doctor"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let sandbox = Sandbox::new();
        let mut child = sandbox.command(args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let result = wait_with_output(&mut child);
        assert_eq!((result.code, result.err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    let sandbox = Sandbox::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut child = sandbox.command(&["levels", "list"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let result = wait_with_output(&mut child);
    assert_eq!(result.code, Some(1));
    assert!(result.err.contains("cannot write to standard output"), "{}", result.err);
}

#[test]
fn a_frame_outside_a_terminal_is_text() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", ONE_PUSH_LEVEL);
    let result = sandbox.run(&["frame", "a.xsb"]);
    assert_eq!(result.code, Some(0));
    assert!(result.out.starts_with(ONE_PUSH_LEVEL), "{}", result.out);
    assert_eq!(result.err, "standard output is not a terminal, so the frame is printed as text\n");
}

#[test]
fn a_frame_in_a_terminal_is_painted_in_whole_tiles() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", ONE_PUSH_LEVEL);
    let terminal = sandbox.terminal(&["frame", "a.xsb"], 80, 26);
    let cell = |row: u16, column: u16| terminal.screen().cell(row, column).unwrap();
    // Five tiles across and three down, of 16 pixels, two to a cell: 80 columns, 24 rows.
    let painted = |row: u16, column: u16| cell(row, column).contents() == "\u{2584}";
    assert!(painted(0, 0) && painted(23, 79), "{}", terminal.screen().contents());
    assert!(!painted(24, 0), "{}", terminal.screen().contents());
    let tile = |x: u16, y: u16| {
        let row = move |row: u16| (0..16).map(move |column| (y * 8 + row, x * 16 + column));
        let cells = (0..8).flat_map(row).map(|(row, column)| cell(row, column));
        cells.map(|cell| (cell.fgcolor(), cell.bgcolor())).collect::<Vec<_>>()
    };
    assert_eq!(tile(0, 0), tile(4, 2), "all walls look the same");
    assert!(tile(1, 1) != tile(2, 1) && tile(2, 1) != tile(3, 1) && tile(3, 1) != tile(0, 0));
}

#[test]
fn themes_and_keys_are_listed_and_checked() {
    let sandbox = Sandbox::new();
    let themes = sandbox.run(&["themes", "--json"]).success();
    for name in ["dark", "light", "ansi16", "ansi16-light", "mono"] {
        assert!(themes.contains(&format!(r#""theme":"{name}""#)), "{themes}");
    }
    assert!(sandbox.run(&["keys"]).success().contains("quit"));
    sandbox
        .run(&["play", "--theme", "drak"])
        .fails_with(2, &["--theme: there is no theme drak", "did you mean dark?"]);
    let check = sandbox.run(&["config", "check", "--theme", "drak"]);
    assert_eq!(check.code, Some(2));
    assert!(check.out.contains("--theme: there is no theme drak (did you mean dark?)"), "{}", check.out);
    sandbox.write("work/mageyard.toml", "[play]\nagent = \"orcale\"\n");
    sandbox.run(&["config", "check"]).fails_with(2, &["mageyard.toml:2: there is no agent orcale", "oracle"]);
    sandbox.write("work/mageyard.toml", "[play]\nlevel = \"sokoban/minni\"\n");
    sandbox
        .run(&["config", "check"])
        .fails_with(2, &["mageyard.toml:2: play.level: there is no level set minni", "mini"]);
    sandbox.write("work/mageyard.toml", "");
    sandbox.write("config/mageyard/keys.toml", "[keys]\nx = \"setp\"\n");
    sandbox.run(&["config", "check"]).fails_with(2, &["keys.toml:2: ", "step"]);
    sandbox.run(&["keys"]).fails_with(2, &["keys.toml:2: ", "step"]);
    sandbox.write("config/mageyard/keys.toml", "");
    sandbox.write("config/mageyard/themes/mine.toml", "[styles\n");
    sandbox.run(&["config", "check"]).fails_with(2, &["mine.toml:1: "]);
    let themes = sandbox.run(&["themes"]).success();
    assert!(themes.contains("BROKEN, ") && themes.contains("mine.toml:1: "), "{themes}");
}

#[test]
fn help_manual_and_completions_list_every_verb() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&["--help"]).success();
    let manual = sandbox.run(&["man"]).success();
    for verb in [
        "play", "run", "view", "levels", "prompts", "frame", "themes", "keys", "config", "log", "doctor",
        "check",
    ] {
        assert!(help.contains(&format!("\n  {verb} ")), "{verb}");
        assert!(manual.contains(&format!(".TH mageyard-{verb} ")), "{verb}");
        sandbox.run(&[verb, "--help"]).success();
    }
    assert!(manual.contains(".TH mageyard-levels-solve "));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(sandbox.run(&["completions", shell]).success().contains("doctor"), "{shell}");
    }
    let wrong = sandbox.run(&["levles"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("levels"), "{}", wrong.err);
}
