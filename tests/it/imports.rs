//! Import and export of levels.

use std::fs;
use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const LEVEL_FILES: [&str; 6] = [
    "1-Sokoban-small-v0",
    "2-Sokoban-small-v0",
    "1-Sokoban-small-v1",
    "1-Sokoban-v0",
    "1-Sokoban-v1",
    "1-Sokoban-large-v0",
];

fn compressed(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("it/data/gym").join(name)).unwrap()
}

fn decompressed(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&*compressed(name)).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Title and text of each level of a file, as printed by `levels show`.
fn show_levels(sandbox: &Sandbox, file: &str) -> Vec<(String, String)> {
    let rows = sandbox.run(&["levels", "show", file, "--json"]).json_lines();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.iter().map(|row| (text(&row["level"]), text(&row["text"]))).collect()
}

#[test]
fn a_folder_of_pickled_environments_becomes_one_playable_file() {
    let sandbox = Sandbox::new();
    for name in LEVEL_FILES {
        sandbox.write(format!("work/saved/{name}.pkl"), decompressed(&format!("{name}.pkl.gz")));
    }
    sandbox.write("work/rooms.jsonl", compressed("rooms.jsonl"));
    let output = sandbox.run(&["levels", "import", "saved", "--out", "a.xsb"]).success();
    assert_eq!(output, "6 levels (magebench) written to a.xsb\n");
    sandbox.run(&["levels", "import", "rooms.jsonl", "--out", "b.xsb"]).success();
    let mut one = show_levels(&sandbox, "a.xsb");
    let mut other = show_levels(&sandbox, "b.xsb");
    one.sort();
    other.sort();
    assert_eq!(one, other);
    assert_eq!(sandbox.run(&["levels", "check", "a.xsb"]).code, Some(0));
    let result = sandbox.run(&["run", "a.xsb#1-Sokoban-small-v0", "--agent", "oracle", "--json"]);
    assert_eq!(result.json_lines().last().unwrap()["score"], json!(100.0));
    sandbox.write("work/saved/deep/other.xsb", "");
    let result = sandbox.run(&["levels", "import", "saved", "--json"]);
    assert_eq!(result.err, "saved: skipped 1 subfolder; import each by its name\n");
    assert!(result.json_lines().iter().all(|row| row["format"] == "magebench" && row["text"].is_string()));
}

#[test]
fn every_format_survives_export_and_import() {
    let sandbox = Sandbox::new();
    sandbox.write("work/v0.pkl", decompressed("1-Sokoban-v0.pkl.gz"));
    sandbox.run(&["levels", "import", "v0.pkl", "--out", "v0.xsb"]).success();
    let first = show_levels(&sandbox, "v0.xsb");
    for (format, file) in [("xsb", "1.xsb"), ("gym", "1.json"), ("boxoban", "1.txt"), ("lurd", "1.lurd")] {
        sandbox.run(&["levels", "export", "v0.xsb", "--format", format, "--out", file]).success();
        let back = format!("{format}.xsb");
        let output = sandbox.run(&["levels", "import", file, "--out", &back]).success();
        assert_eq!(output, format!("1 level ({format}) written to {back}\n"));
        let text = show_levels(&sandbox, &back)[0].1.clone();
        let (board, note) = text.split_once("\n; ").map_or((text.as_str(), ""), |parts| parts);
        assert_eq!(board, first[0].1, "{format}");
        assert_eq!(note.starts_with("solution: "), format == "lurd", "{note}");
    }
    let piped = fs::File::open(sandbox.path("work/1.json")).unwrap();
    let out = sandbox.run_with(&["levels", "import", "-"], piped).success();
    assert_eq!(out, format!("; v0\n{}\n", first[0].1));
}

#[test]
fn titles_authors_and_comments_survive_import_and_export() {
    let sandbox = Sandbox::new();
    let board = "#####\n#@$.#\n#####\n";
    let file = format!(
        "Title: Two rooms\nAuthor: Ann Example\n\n; The Hall\n{board}Comment: easy\nSolution: R\n\n\
         ; mirrored\n; The Yard\n{board}Author: Bo\n"
    );
    std::fs::write(sandbox.path("work/a.txt"), file).unwrap();
    sandbox.run(&["levels", "import", "a.txt", "--out", "b.xsb"]).success();
    let written = "; Title: Two rooms\n; Author: Ann Example\n\n; The Hall\n#####\n#@$.#\n#####\n; solution: R\n\
                   ; Comment: easy\n\n; The Yard\n#####\n#@$.#\n#####\n; mirrored\n; Author: Bo\n";
    assert_eq!(std::fs::read_to_string(sandbox.path("work/b.xsb")).unwrap(), written);
    for format in ["xsb", "lurd"] {
        sandbox
            .run(&["levels", "export", "b.xsb", "--format", format, "--out", "c.xsb", "--force"])
            .success();
        let again = sandbox.run(&["levels", "import", "c.xsb", "--json"]).success();
        let first: Value = serde_json::from_str(again.lines().next().unwrap()).unwrap();
        assert_eq!(first["level"], "The Hall", "{format}");
        assert_eq!(first["notes"], json!(["Comment: easy"]), "{format}");
        assert_eq!(first["collection"], json!(["Title: Two rooms", "Author: Ann Example"]), "{format}");
    }
    let exported = sandbox.run(&["levels", "export", "b.xsb", "--format", "xsb"]).success();
    assert_eq!(exported, written);
    let shown = sandbox.run(&["levels", "show", "b.xsb#2"]).success();
    assert!(shown.ends_with("#####\n; mirrored\n; Author: Bo\n") && !shown.contains("Two rooms"), "{shown}");
    let shown = sandbox.run(&["levels", "show", "b.xsb"]).success();
    assert!(
        shown.starts_with("; Title: Two rooms\n; Author: Ann Example\n\n; b.xsb#1  The Hall\n"),
        "{shown}"
    );
    let rows = sandbox.run(&["levels", "show", "b.xsb", "--json"]).json_lines();
    assert_eq!(rows[1]["notes"], json!(["mirrored", "Author: Bo"]));
    let folder = sandbox.path("config/mageyard/levels/sokoban");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(sandbox.path("work/b.xsb"), folder.join("rooms.xsb")).unwrap();
    let listed = sandbox.run(&["levels", "list"]).success();
    assert!(listed.contains("Two rooms ("), "{listed}");
}

#[test]
fn import_errors_name_their_place() {
    let sandbox = Sandbox::new();
    sandbox.write("work/os.pkl", b"\x80\x02cposix\nsystem\nX\x04\x00\x00\x00true\x85R.");
    sandbox.write("work/tab.xsb", "; a\n#####\n#@\t$.#\n#####\n");
    sandbox.write("work/bad.json", "{\"room_fixed\": [[0]],\n \"room_state\": [[1]]}\n");
    sandbox.write("work/bad.lurd", "#####\n#@$.#\n#####\nSolution: L\n");
    sandbox.write("work/box.txt", "; 0\n##########\n");
    sandbox.write("work/noise.bin", [0xff, 0xfe, 0, 1]);
    sandbox.write("work/ok.xsb", "#####\n#@$.#\n#####\n");
    sandbox.write("work/hanoi.hanoi", "A: 1\nB:\nC:\n");
    let made = sandbox.path("work/made");
    fs::create_dir(made).unwrap();
    for (args, says) in [
        (
            vec!["import", "os.pkl"],
            vec!["os.pkl", "byte 2: posix.system: saved environments do not contain this name"],
        ),
        (vec!["import", "tab.xsb"], vec!["tab.xsb:3", "row 2, column 3: a tab"]),
        (vec!["import", "bad.json"], vec!["bad.json:2", "level 1: row 1, column 1: room_fixed is 0"]),
        (vec!["import", "bad.lurd"], vec!["bad.lurd", "move 1 (L) is blocked"]),
        (vec!["import", "box.txt", "--format", "boxoban"], vec!["box.txt:2", "has 1 rows; ten are required"]),
        (vec!["import", "noise.bin"], vec!["noise.bin", "the format is not recognized"]),
        (
            vec!["import", "ok.xsb", "--format", "xbs"],
            vec!["there is no format xbs", "known: magebench, gym, boxoban, slc, lurd, xsb"],
        ),
        (vec!["import", "none.pkl"], vec!["none.pkl: there is no such file"]),
        (vec!["import", "made"], vec!["made: the folder has no files"]),
        (vec!["import", "/dev/zero"], vec!["/dev/zero: is not a regular file"]),
        (
            vec!["import", "ok.xsb", "--out", "ok.xsb"],
            vec!["ok.xsb: already exists", "use --force to replace it"],
        ),
        (vec!["import", "ok.xsb", "tab.xsb"], vec!["import one file or folder at a time"]),
        (vec!["import", "magebench"], vec!["needs the folder of a checkout"]),
        (vec!["import", "magebench", "made"], vec!["made: not a checkout of MageBench"]),
        (vec!["import", "magebench", "none"], vec!["none: the folder does not exist"]),
        (
            vec!["import", "magebench", "made", "--format", "gym"],
            vec!["--format has no effect", "remove --format"],
        ),
        (vec!["export", "ok.xsb", "--format", "magebench"], vec!["magebench can only be imported"]),
        (vec!["export", "ok.xsb", "--format", "boxoban"], vec!["ok.xsb#1: has 3x5 squares"]),
        (vec!["export", "hanoi.hanoi", "--format", "gym"], vec!["gym is a format for sokoban"]),
    ] {
        sandbox.run(&[&["levels"], &args[..]].concat()).fails_with(2, &says);
    }
}

/// Creates a checkout with the benchmark's layout and published results.
pub(crate) fn write_checkout(sandbox: &Sandbox) {
    for name in LEVEL_FILES {
        sandbox
            .write(format!("work/mb/resources/Sokoban/{name}.pkl"), decompressed(&format!("{name}.pkl.gz")));
    }
    sandbox.write("work/rooms.jsonl", compressed("rooms.jsonl"));
    sandbox.run(&["levels", "import", "rooms.jsonl", "--out", "rooms.xsb"]).success();
    let mut bounds = serde_json::Map::new();
    for row in sandbox.run(&["levels", "solve", "rooms.xsb", "--json"]).json_lines() {
        let name = row["level"].as_str().unwrap();
        let lurd = row["lurd"].as_str().unwrap();
        let boxes = if name.ends_with("v1") && !name.contains("small") { 4.0 } else { 3.0 };
        let boxes = if name.contains("small-v0") { 2.0 } else { boxes };
        let mut letters: Vec<String> = lurd.chars().map(String::from).collect();
        if name == "1-Sokoban-small-v1" {
            // A published solution with unnecessary moves.
            letters.splice(0..0, pickled_levels(&sandbox.path("work/rooms.xsb"), name));
        }
        let steps = letters.len();
        #[allow(clippy::cast_precision_loss, reason = "it is small")]
        let mut reward = 10.0 + boxes - 0.1 * steps as f64;
        if name == "1-Sokoban-large-v0" {
            // A published value for one box too few.
            reward -= 1.0;
        }
        if name == "2-Sokoban-small-v0" {
            "x".clone_into(&mut letters[0]);
        }
        bounds.insert(name.to_owned(), json!({"actions": letters, "steps": steps, "reward": reward}));
    }
    sandbox.write("work/mb/resources/Sokoban/upper_bound.json", Value::from(bounds).to_string());
    let path = |name: &str| format!("Sokoban/{name}.pkl");
    let all: Vec<String> = LEVEL_FILES.iter().map(|name| path(name)).collect();
    sandbox.write("work/mb/resources/Sokoban_all.json", json!(all).to_string());
    let mini: Vec<String> =
        ["1-Sokoban-small-v1", "1-Sokoban-large-v0"].iter().map(|name| path(name)).collect();
    sandbox.write("work/mb/resources/Sokoban_mini.json", json!(mini).to_string());
}

/// A step to a free neighbour of the player and back.
fn pickled_levels(file: &Path, title: &str) -> [String; 2] {
    let text = fs::read_to_string(file).unwrap();
    let board: Vec<&str> = text.lines().skip_while(|line| *line != format!("; {title}")).skip(1).collect();
    let at = |row: usize, column: usize| board[row].as_bytes().get(column).copied().unwrap_or(b' ');
    let row = board.iter().position(|row| row.contains(['@', '+'])).unwrap();
    let column = board[row].find(['@', '+']).unwrap();
    let ways = [
        (at(row, column - 1), "l", "r"),
        (at(row, column + 1), "r", "l"),
        (at(row - 1, column), "u", "d"),
        (at(row + 1, column), "d", "u"),
    ];
    let free = ways.iter().find(|(square, ..)| matches!(square, b' ' | b'.')).unwrap();
    [free.1.to_owned(), free.2.to_owned()]
}

#[test]
fn a_benchmark_checkout_becomes_two_sets_with_published_and_true_values() {
    let sandbox = Sandbox::new();
    write_checkout(&sandbox);
    for folder in ["mb", "mb/resources", "mb/resources/Sokoban"] {
        let output = sandbox.run(&["levels", "import", "magebench", folder, "--force"]).success();
        for part in [
            "2-Sokoban-small-v0: the published actions are not valid: move 1 (x) is not one of",
            "1-Sokoban-large-v0: the published reward is ",
            "2 of 6 published values differ from the true optimum:",
            "sokoban/magebench-full: 6 levels written to ",
            "sokoban/magebench-mini: 2 levels written to ",
        ] {
            assert!(output.contains(part), "{part}: {output}");
        }
        let row = output.lines().find(|line| line.starts_with("1-Sokoban-small-v1 ")).unwrap();
        assert!(row.ends_with("101.0"), "two moves less are one point more: {row}");
    }
    let again = sandbox.run(&["levels", "import", "magebench", "mb"]);
    again.fails_with(2, &["magebench-full.xsb: already exists"]);
    let result =
        sandbox.run(&["run", "sokoban/magebench-mini/1", "--agent", "oracle", "--json"]).json_lines();
    let row = result.last().unwrap();
    assert_eq!(json!([row["score"], row["published_score"]]), json!([100.0, 101.0]), "{row}");
    assert_eq!(row["published_steps"].as_u64(), row["shortest"].as_u64().map(|steps| steps + 2));
    let report = sandbox.run(&["report", "last", "--json"]).json_lines();
    assert_eq!(json!([report[0]["score"], report[0]["published_score"]]), json!([100.0, 101.0]));
    let table = sandbox.run(&["report", "last"]).success();
    assert!(table.contains("published score") && table.contains("101.00 over 1 of 1"), "{table}");
    let show = sandbox.run(&["levels", "show", "sokoban/magebench-mini/1"]).success();
    assert!(show.contains("; published: ") && show.contains("; true optimum: "), "{show}");
    let screen = sandbox.run(&["screen", "sokoban/magebench-mini/1", "--size", "120x40"]);
    assert_eq!(screen.out.matches(">published<").count(), 2, "the published value and the score by it");
}

#[test]
fn lists_and_links_cannot_leave_a_checkout() {
    let sandbox = Sandbox::new();
    write_checkout(&sandbox);
    sandbox.write("work/secret.pkl", decompressed("1-Sokoban-v0.pkl.gz"));
    let import = || sandbox.run(&["levels", "import", "magebench", "mb"]);
    sandbox.write("work/mb/resources/Sokoban_mini.json", r#"["Sokoban/../../../secret.pkl"]"#);
    import().fails_with(2, &["Sokoban_mini.json", "level 1: ", "no other file is opened"]);
    sandbox.write("work/mb/resources/Sokoban_mini.json", r#"["Sokoban/link.pkl"]"#);
    let link = sandbox.path("work/mb/resources/Sokoban/link.pkl");
    std::os::unix::fs::symlink(sandbox.path("work/secret.pkl"), link).unwrap();
    import().fails_with(2, &["link.pkl", "links to a file outside"]);
    sandbox.write("work/mb/resources/Sokoban_mini.json", r#"["Sokoban/9-Sokoban-v0.pkl"]"#);
    import().fails_with(2, &["9-Sokoban-v0.pkl: the file does not exist"]);
    assert!(!sandbox.path("config/mageyard/levels/sokoban/magebench-full.xsb").exists());
}

#[test]
fn a_given_solution_is_checked_against_rules_and_optimum() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.xsb", "; one\n#######\n#@ $ .#\n#     #\n#######\n");
    sandbox.write(
        "work/two.lurd",
        "######\n#@ $.#\n######\nSolution: rR\n\n######\n#@ $.#\n######\nSolution: rr\n",
    );
    sandbox.write("work/moves.txt", "; found by me\nSolution: dru\n 2R\n");
    let check = |given: &str| sandbox.run(&["levels", "solve", "a.xsb", "--check", given]);
    let good = check("rRR").success();
    assert!(good.contains("valid, 3 moves, 2 pushes; optimal"), "{good}");
    let long = check("moves.txt").success();
    assert!(long.contains("valid, 5 moves, 2 pushes; 2 moves more than the optimum of 3"), "{long}");
    let fewest =
        sandbox.run(&["levels", "solve", "a.xsb", "--check", "moves.txt", "--by", "pushes"]).success();
    assert!(fewest.contains("; optimal"), "{fewest}");
    for (moves, why) in [
        ("rrR", "move 2 (r) is written as a walk, but pushes a box"),
        ("u", "move 1 (u) is blocked"),
        ("rR", "after the last move, 1 of 1 boxes are not on targets"),
    ] {
        let result = check(moves);
        assert_eq!(result.code, Some(5), "{result:?}");
        assert!(result.out.contains(&format!("not a valid solution: {why}")), "{result:?}");
    }
    let both = sandbox.run(&["levels", "solve", "--check", "two.lurd", "--json"]);
    assert_eq!(both.code, Some(5));
    let rows = both.json_lines();
    assert_eq!(json!([rows[0]["solved"], rows[0]["over"], rows[0]["end"]]), json!([true, 0, "optimal"]));
    assert_eq!(json!([rows[1]["solved"], rows[1]["moves"]]), json!([false, null]));
    for (args, says) in [
        (vec!["--check", "moves.txt"], vec!["the file has moves but no board", "give the level"]),
        (
            vec!["a.xsb", "--check", "two.lurd"],
            vec!["the file has boards as well as moves", "without LEVELS"],
        ),
        (vec!["a.xsb", "--check", "none.lurd"], vec!["none.lurd", "a file or moves in LURD"]),
        (vec!["--check", "a.xsb"], vec!["no solution below the board"]),
        (vec!["hanoi/first/1", "--check", "r"], vec!["LURD solutions are for Sokoban only"]),
    ] {
        sandbox.run(&[&["levels", "solve"], &args[..]].concat()).fails_with(2, &says);
    }
}

/// A checkout `wb` with one task that can be imported and one that cannot.
pub(crate) fn write_task_checkout(sandbox: &Sandbox) {
    let write = |name: &str, actions: &str| {
        let folder = format!("work/wb/resources/WebUI/{name}");
        sandbox.write(format!("{folder}/index.html"), "<p id=\"go\">Tea</p>\n");
        sandbox.write(format!("{folder}/images/a/dot.svg"), "<svg/>\n");
        sandbox.write(format!("{folder}/tasks.md"), "# Tea\n\nA page with one word.\n");
        sandbox.write(format!("{folder}/actions.py"), actions);
    };
    write(
        "good",
        "def go(d):\n    d.find_element(By.ID, 'go').click()\n    time.sleep(1)\n\nactions = [go]\n",
    );
    write("loop", "def go(d):\n    for x in y:\n        x()\n\nactions = [go]\n");
    sandbox.write("work/wb/resources/WebUI_all.json", r#"["WebUI/good", "WebUI/loop"]"#);
    sandbox.write("work/wb/resources/WebUI_mini.json", r#"["WebUI/good"]"#);
}

#[test]
fn task_folders_of_a_checkout_become_pages_and_others_are_left_out_with_the_line() {
    let sandbox = Sandbox::new();
    write_task_checkout(&sandbox);
    let output = sandbox.run(&["levels", "import", "magebench", "wb"]).success();
    for part in [
        "loop: left out: actions.py, line 2: `for` is not read",
        "webui/magebench-full: 1 level written to ",
        "webui/magebench-mini: 1 level written to ",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
    let show = sandbox.run(&["levels", "show", "webui/magebench-mini/1", "--json"]).success();
    assert!(show.contains("images/a/dot.svg") && show.contains("wait_ms"), "{show}");
    let rows = sandbox.run(&["levels", "import", "magebench", "wb", "--force", "--json"]).json_lines();
    let kinds: Vec<_> = rows.iter().map(|row| row["type"].as_str().unwrap_or_default()).collect();
    let missing = ["magebench_missing"; 4];
    assert_eq!(kinds[..4], ["magebench_level", "magebench_refused", "set", "set"]);
    assert_eq!(kinds[4..], missing, "the sets of Sokoban and football");
}

#[test]
fn a_checkout_may_have_only_some_environments_and_sets() {
    let sandbox = Sandbox::new();
    write_task_checkout(&sandbox);
    fs::remove_file(sandbox.path("work/wb/resources/WebUI_all.json")).unwrap();
    let output = sandbox.run(&["levels", "import", "magebench", "wb"]).success();
    for part in [
        "webui/magebench-mini: 1 level written to ",
        "\nimported: webui\n",
        "\nnot in the checkout: sokoban/magebench-full (Sokoban_all.json), sokoban/magebench-mini (",
        "webui/magebench-full (WebUI_all.json)",
        "football/magebench-mini (",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
    let rows = sandbox.run(&["levels", "import", "magebench", "wb", "--force", "--json"]).json_lines();
    let missing: Vec<_> = rows.iter().filter(|row| row["type"] == "magebench_missing").collect();
    assert_eq!(missing.len(), 5, "{rows:?}");
    assert_eq!(
        json!([missing[0]["reference"], missing[0]["list"]]),
        json!(["sokoban/magebench-full", "Sokoban_all.json"])
    );
    sandbox.write("work/empty/resources/readme.txt", "");
    let none = ["Sokoban_all.json next to a folder Sokoban", "no WebUI_all.json", "no Football"];
    sandbox.run(&["levels", "import", "magebench", "empty"]).fails_with(2, &none);
}
