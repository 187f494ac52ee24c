//! The verbs, by the real binary: what they print, and what they say about wrong requests.

use std::process::Stdio;

use serde_json::Value;
use serde_json::json;

use crate::pty::Pty;
use crate::sandbox::CommandResult;
use crate::sandbox::Sandbox;
use crate::sandbox::first_line;
use crate::sandbox::wait;
use crate::sandbox::wait_with_output;

const ONE_PUSH_LEVEL: &str = "#####\n#@$.#\n#####\n";
const DEAD_LEVEL: &str = "#####\n#$@ #\n#  .#\n#####\n";

fn solve(world: &Sandbox, args: &[&str]) -> CommandResult {
    world.run(&[&["levels", "solve", "--json"], args].concat())
}

#[test]
fn a_level_is_solved_in_the_fewest_moves() {
    let world = Sandbox::new();
    world.write("work/a.xsb", format!("{ONE_PUSH_LEVEL}; push\n\n{DEAD_LEVEL}"));
    let ran = solve(&world, &["a.xsb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let rows = ran.json_lines();
    for field in ["schema", "level", "solved", "moves", "pushes", "lurd", "states", "seconds"] {
        assert!(rows.iter().all(|row| row.get(field).is_some()), "{field}");
    }
    let facts = |row: &Value| json!([row["solved"], row["moves"], row["pushes"], row["lurd"]]);
    assert_eq!(facts(&rows[0]), json!([true, 1, 1, "R"]));
    assert_eq!(facts(&rows[1]), json!([false, null, null, null]));
    assert_eq!(json!([rows[0]["level"], rows[1]["level"]]), json!([1, "push"]));
    assert!(rows[1]["reason"].as_str().unwrap().starts_with("unsolvable: every state"), "{}", rows[1]);
}

#[test]
fn a_search_that_reaches_its_limit_says_so() {
    let ran = solve(&Sandbox::new(), &["sokoban/mini/20", "--states", "10"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    let row = &ran.json_lines()[0];
    let reason = row["reason"].as_str().unwrap();
    assert!(reason.starts_with("gave up") && reason.contains("--states N"), "{reason}");
    assert!(reason.contains("sokoban.solver_states"), "{reason}");
}

#[test]
fn a_search_ends_at_ctrl_c() {
    let world = Sandbox::new();
    // Twelve boxes far apart in the open: billions of states.
    let floor = format!("#{}#\n", " ".repeat(14)).repeat(4);
    let boxes = "#  $ $ $ $ $ $ #\n#              #\n# $ $ $ $ $ $  #\n";
    let targets = "#@. . . . . .  #\n#              #\n#  . . . . . . #\n";
    let room = format!("{wall}\n{floor}{boxes}{targets}{floor}{wall}\n", wall = "#".repeat(16));
    world.write("work/hard.xsb", format!("{ONE_PUSH_LEVEL}\n{room}"));
    let mut child = world
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
    let world = Sandbox::new();
    world.write("work/a.xsb", "#######\n#     #\n#@$ . #\n#     #\n#######\n");
    let args =
        ["levels", "trace", "a.xsb", "--distance", "--actions", "Up,Down,Right,Right,Right,Right", "--json"];
    let told = |row: &Value| json!([row["remaining"], row["wasted"], row["lost"]]);
    let rows: Vec<Value> = world.run(&args).json_lines().iter().map(told).collect();
    let expected = [json!([3, 2, false]), json!([2, 2, false]), json!([1, 2, false]), json!([0, 2, false])];
    assert_eq!(rows, expected);
    let past = ["levels", "trace", "b.xsb", "--distance", "--actions", "Down,Left,Left"];
    world.write("work/b.xsb", "#######\n#  @  #\n# $ $ #\n# .  .#\n#     #\n#######\n");
    let words = world.run(&past).success();
    assert!(words.contains("wasted") && words.contains("  lost\n"), "{words}");
}

#[test]
fn solutions_by_pushes_keep_file_order_and_hanoi_has_none() {
    let world = Sandbox::new();
    world.write("work/a.xsb", format!("{DEAD_LEVEL}\n{ONE_PUSH_LEVEL}\n{DEAD_LEVEL}\n{ONE_PUSH_LEVEL}"));
    let ran = solve(&world, &["a.xsb", "--by", "pushes", "--jobs", "3", "--memory", "10", "--time", "60"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ends: Vec<Value> = ran.json_lines().iter().map(|row| row["end"].clone()).collect();
    assert_eq!(ends, ["unsolvable", "optimal", "unsolvable", "optimal"]);
    let ran = solve(&world, &["hanoi/first/1", "--by", "pushes"]);
    assert!(ran.err.contains("no solver that counts pushes"), "{}", ran.err);
    assert_ne!(ran.code, Some(0));
}

#[test]
fn a_trace_prints_every_step() {
    let world = Sandbox::new();
    world.write("work/a.xsb", "######\n#@ $.#\n######\n");
    let ran =
        world.run(&["levels", "trace", "a.xsb", "--level", "1", "--actions", "Right,Up,Right", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let row =
        |step: u32, action: &str, reward: f64, sum: f64, best: f64, score: f64, status: &str, board: &str| {
            json!({"schema": 1, "step": step, "action": action, "reward": reward, "sum": sum, "best": best,
            "score": score, "status": status, "board": board})
        };
    let expected = [
        row(1, "Right", -0.5, -0.5, 0.0, 46.0, "running", "######\n# @$.#\n######"),
        row(2, "Up", -0.5, -1.0, 0.0, 46.0, "running", "######\n# @$.#\n######"),
        row(3, "Right", 54.5, 53.5, 53.5, 99.5, "won", "######\n#  @*#\n######"),
    ];
    assert_eq!(ran.json_lines(), expected);
}

#[test]
fn a_trace_stops_where_the_level_ends() {
    let world = Sandbox::new();
    world.write("work/a.xsb", ONE_PUSH_LEVEL);
    let ran = world.run(&["levels", "trace", "a.xsb", "--actions", "Right,Left,Left", "--json"]);
    assert_eq!((ran.code, ran.json_lines().len()), (Some(0), 1));
    assert_eq!(ran.err, "the level ended at step 1; 2 actions came after that\n");
}

#[test]
fn a_level_in_place_of_a_verb_gets_a_hint_to_play_it() {
    let world = Sandbox::new();
    world.write("work/my room.xsb", ONE_PUSH_LEVEL);
    for (word, tip) in
        [("sokoban/mini/3", "sokoban/mini/3"), ("hanoi", "hanoi"), ("my room.xsb", "'my room.xsb'")]
    {
        let ran = world.run(&[word]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        assert!(
            ran.err.contains(&format!("tip: `mageyard play {tip}` opens the screen on it")),
            "{}",
            ran.err
        );
    }
    assert!(!world.run(&["plya"]).err.contains("opens the screen"), "another word has clap's own tip");
}

#[test]
fn every_usage_error_gets_one_clear_message() {
    let world = Sandbox::new();
    world.write("work/empty.xsb", "");
    world.write("work/bytes.xsb", b"#####\n#@$.#\n##\xff##\n");
    world.write("work/two.xsb", "#####\n#@@ #\n#####\n");
    world.write("work/open.xsb", "#####\n#@$. \n#####\n");
    world.write("work/ok.xsb", ONE_PUSH_LEVEL);
    let wall = "#".repeat(3000) + "\n";
    let row = format!("#{}#\n", " ".repeat(2998));
    world.write("work/wide.xsb", format!("{wall}#@$.{}#\n{}{wall}", " ".repeat(2995), row.repeat(2997)));
    world.write("work/vast.xsb", format!("{}\n", "#".repeat(5000)).repeat(5000));
    let trace = |actions: &'static str| vec!["levels", "trace", "ok.xsb", "--actions", actions];
    let cases: Vec<(Vec<&str>, Vec<&str>)> = vec![
        (vec!["levels", "show", "empty.xsb"], vec!["empty.xsb"]),
        (vec!["levels", "show", "bytes.xsb"], vec!["bytes.xsb:3: is not UTF-8 text: byte 15"]),
        (vec!["levels", "show", "/proc/self/mem"], vec!["/proc/self/mem: cannot be read"]),
        (vec!["levels", "show", "."], vec![".: is a folder, not a file"]),
        (vec!["levels", "show", "none.xsb"], vec!["none.xsb: there is no such file"]),
        (
            vec!["levels", "show", "emty.xsb"],
            vec!["emty.xsb: there is no such file", "did you mean empty.xsb?"],
        ),
        (vec!["levels", "show", "ok.xsb/below.xsb"], vec!["a part of this path is a file"]),
        (vec!["levels", "show", "vast.xsb"], vec!["vast.xsb: is larger than 16 MiB"]),
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
            vec!["there is no level set minni", "did you mean mini?"],
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
        let ran = world.run(&args);
        ran.fails_with(2, &says);
        assert_eq!(ran.out, "");
    }
}

#[test]
fn a_refused_level_is_shown_with_its_line() {
    let world = Sandbox::new();
    world.write("work/bad.xsb", format!("{ONE_PUSH_LEVEL}\n#####\n#@$?#\n#####\n"));
    let ran = world.run(&["levels", "show", "bad.xsb"]);
    ran.fails_with(2, &["bad.xsb:6: "]);
    assert!(ran.err.contains(" 6 | #@$?#\n"), "{}", ran.err);
}

#[test]
fn files_are_checked_one_by_one() {
    let world = Sandbox::new();
    world.write("work/good.xsb", ONE_PUSH_LEVEL);
    world.write("work/bad.xsb", "#####\n#@@ #\n#####\n");
    let ran = world.run(&["levels", "check", "good.xsb", "bad.xsb", "--json"]);
    assert_eq!(ran.code, Some(2));
    let rows = ran.json_lines();
    assert_eq!(json!([rows[0]["name"], rows[0]["verdict"]]), json!(["good.xsb", "ok"]));
    assert_eq!(json!([rows[1]["name"], rows[1]["verdict"]]), json!(["bad.xsb", "fail"]));
    assert_eq!(rows[1]["line"], 2, "{}", rows[1]);
}

#[test]
fn on_a_terminal_a_broken_file_is_shown_once() {
    let world = Sandbox::new();
    world.write("work/good.xsb", ONE_PUSH_LEVEL);
    world.write("work/bad.xsb", "#####\n#@  #\n# @ #\n#####\n");
    let terminal = Pty::start(&world.command(&["levels", "check", "good.xsb", "bad.xsb"]), 120, 40);
    let ended = terminal.wait_for_exit();
    assert_eq!(ended.code, 2, "{}", ended.text);
    assert_eq!(ended.text.matches("more than one player").count(), 1, "{}", ended.text);
    assert!(ended.text.contains("bad.xsb   see below"), "{}", ended.text);
    assert!(ended.text.contains("bad.xsb:3: ") && ended.text.contains("# @ #"), "{}", ended.text);
    let piped = world.run(&["levels", "check", "bad.xsb"]);
    assert!(piped.out.contains("more than one player"), "{}", piped.out);
}

#[test]
fn levels_are_solved_from_standard_input() {
    let world = Sandbox::new();
    world.write("work/a.xsb", ONE_PUSH_LEVEL);
    world.write("work/bad.xsb", "#@@#\n");
    let solve = |file: &str| {
        let stdin = std::fs::File::open(world.path(file)).unwrap();
        world.run_with(&["levels", "solve", "-"], stdin)
    };
    let ran = solve("work/a.xsb");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.starts_with("-#1: optimal, 1 move, 1 push: R"), "{}", ran.out);
    solve("work/bad.xsb").fails_with(2, &["/dev/stdin:1: "]);
}

#[test]
fn user_level_sets_are_listed_first() {
    let world = Sandbox::new();
    world.write("config/mageyard/levels/sokoban/mine.xsb", ONE_PUSH_LEVEL);
    world.write("config/mageyard/levels/sokoban/mini.xsb", format!("{ONE_PUSH_LEVEL}\n{DEAD_LEVEL}"));
    let list = world.run(&["levels", "list"]).success();
    assert!(list.contains("sokoban/mine   1 level ") && list.contains("2 levels"), "{list}");
    assert_eq!(world.run(&["levels", "list", "sokoban"]).success().lines().count(), 2);
    let show = world.run(&["levels", "show", "sokoban/mine/1"]).success();
    assert!(show.ends_with(ONE_PUSH_LEVEL), "{show}");
    let checked = world.run(&["config", "check"]).success();
    assert!(checked.contains("levels sokoban/mine  1 level, yours"), "{checked}");
    world.write("config/mageyard/levels/sokoban/broken.xsb", "#@@#\n");
    for verb in [&["config", "check"][..], &["doctor"]] {
        let ran = world.run(verb);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.out.contains("FAIL  levels sokoban/broken"), "{ran:?}");
    }
    let ran = world.run(&["levels", "list"]);
    ran.fails_with(2, &["broken.xsb:"]);
    assert!(ran.out.contains("sokoban/mine"), "{}", ran.out);
}

#[test]
fn invisible_characters_in_a_file_never_reach_the_terminal() {
    let world = Sandbox::new();
    let title = "\u{1b}[31m\u{9b}31mred\u{202e}\u{e0041}";
    world.write("work/a.xsb", format!("; {title}\n{ONE_PUSH_LEVEL}"));
    let hidden = ['\u{1b}', '\u{9b}', '\u{202e}', '\u{e0041}'];
    for args in [
        &["levels", "show", "a.xsb"][..],
        &["levels", "list", "a.xsb"],
        &["levels", "solve", "a.xsb"],
        &["run", "a.xsb", "--store", "runs"],
    ] {
        let ran = world.run(args);
        assert!(!(ran.out + &ran.err).contains(hidden), "{args:?}");
        let ran = world.run(&[args, &["--json"]].concat());
        let objects = ran.json_lines();
        assert!(objects.iter().all(|object| object["level"] == title), "{args:?}: {}", ran.out);
        assert!(!(ran.out + &ran.err).contains(hidden), "{args:?}");
    }
    let log = world.run(&["log", "list", "--json", "--store", "runs"]);
    assert!(!log.out.contains(hidden) && !log.json_lines().is_empty(), "{}", log.out);
    let ran = world.run(&["levels", "show", "\u{1b}[2J"]);
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
}

#[test]
fn every_verb_that_prints_data_has_json_output() {
    let world = Sandbox::new();
    for args in [
        &["levels", "list"][..],
        &["levels", "list", "sokoban/mini"],
        &["levels", "show", "sokoban/mini"],
        &["levels", "solve", "sokoban/mini/1"],
        &["levels", "trace", "sokoban/mini/1", "--actions", "Up"],
        &["config", "path"],
        &["config", "print"],
        &["config", "check"],
        &["prompts", "list"],
        &["prompts", "show", "HD-CoT"],
        &["prompts", "check"],
        &["doctor"],
        &["check"],
    ] {
        let ran = world.run(&[args, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
        assert!(!ran.json_lines().is_empty(), "{args:?}");
    }
}

#[test]
fn all_shipped_files_are_valid() {
    let ran = Sandbox::new().run(&["check", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let rows = ran.json_lines();
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
        let world = Sandbox::new();
        let mut child = world.command(args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let ran = wait_with_output(&mut child);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    let world = Sandbox::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut child = world.command(&["levels", "list"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let ran = wait_with_output(&mut child);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("standard output cannot be written"), "{}", ran.err);
}

#[test]
fn a_frame_outside_a_terminal_is_text() {
    let world = Sandbox::new();
    world.write("work/a.xsb", ONE_PUSH_LEVEL);
    let ran = world.run(&["frame", "a.xsb"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with(ONE_PUSH_LEVEL), "{}", ran.out);
    assert_eq!(ran.err, "standard output is no terminal: the frame is printed as text\n");
}

#[test]
fn a_frame_in_a_terminal_is_painted_in_whole_tiles() {
    let world = Sandbox::new();
    world.write("work/a.xsb", ONE_PUSH_LEVEL);
    let terminal = world.terminal(&["frame", "a.xsb"], 80, 26);
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
    assert_eq!(tile(0, 0), tile(4, 2), "all walls are alike");
    assert!(tile(1, 1) != tile(2, 1) && tile(2, 1) != tile(3, 1) && tile(3, 1) != tile(0, 0));
}

#[test]
fn themes_and_keys_are_listed_and_checked() {
    let world = Sandbox::new();
    let themes = world.run(&["themes", "--json"]).success();
    for name in ["dark", "light", "ansi16", "mono"] {
        assert!(themes.contains(&format!(r#""theme":"{name}""#)), "{themes}");
    }
    assert!(world.run(&["keys"]).success().contains("quit"));
    world
        .run(&["play", "--theme", "drak"])
        .fails_with(2, &["--theme: there is no theme drak", "did you mean dark?"]);
    let check = world.run(&["config", "check", "--theme", "drak"]);
    assert_eq!(check.code, Some(2));
    assert!(check.out.contains("--theme: there is no theme drak (did you mean dark?)"), "{}", check.out);
    world.write("work/mageyard.toml", "[play]\nagent = \"orcale\"\n");
    world.run(&["config", "check"]).fails_with(2, &["mageyard.toml:2: there is no agent orcale", "oracle"]);
    world.write("work/mageyard.toml", "[play]\nlevel = \"sokoban/minni\"\n");
    world
        .run(&["config", "check"])
        .fails_with(2, &["mageyard.toml:2: play.level: there is no level set minni", "mini"]);
    world.write("work/mageyard.toml", "");
    world.write("config/mageyard/keys.toml", "[keys]\nx = \"setp\"\n");
    world.run(&["config", "check"]).fails_with(2, &["keys.toml:2: ", "step"]);
    world.run(&["keys"]).fails_with(2, &["keys.toml:2: ", "step"]);
    world.write("config/mageyard/keys.toml", "");
    world.write("config/mageyard/themes/mine.toml", "[styles\n");
    world.run(&["config", "check"]).fails_with(2, &["mine.toml:1: "]);
    let themes = world.run(&["themes"]).success();
    assert!(themes.contains("BROKEN, ") && themes.contains("mine.toml:1: "), "{themes}");
}

#[test]
fn help_manual_and_completions_list_every_verb() {
    let world = Sandbox::new();
    let help = world.run(&["--help"]).success();
    let manual = world.run(&["man"]).success();
    for verb in [
        "play", "run", "view", "levels", "prompts", "frame", "themes", "keys", "config", "log", "doctor",
        "check",
    ] {
        assert!(help.contains(&format!("\n  {verb} ")), "{verb}");
        assert!(manual.contains(&format!(".TH mageyard-{verb} ")), "{verb}");
        world.run(&[verb, "--help"]).success();
    }
    assert!(manual.contains(".TH mageyard-levels-solve "));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(world.run(&["completions", shell]).success().contains("doctor"), "{shell}");
    }
    let wrong = world.run(&["levles"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("levels"), "{}", wrong.err);
}
