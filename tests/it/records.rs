//! Levels from files and folders of records: their forms, their mistakes, and the files that they name.

use std::fs;
use std::os::unix::fs::symlink;

use crate::sandbox::{CommandResult, Sandbox, complete, program};

/// A PNG of 2x1 pixels.
const PICTURE: &[u8] = include_bytes!("data/two_pixels.png");

struct Records(Sandbox);

impl Records {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("work/images/a.png", PICTURE);
        Self(sandbox)
    }

    fn run(&self, args: &[&str]) -> CommandResult {
        let mut command = self.0.command_of(&program("examples/pages"), args);
        complete(command.args(["--store", "runs"]))
    }

    /// The references and titles of the levels of a file or folder.
    fn list(&self, reference: &str) -> Vec<String> {
        let listed = self.run(&["levels", "list", reference]).success();
        listed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }
}

/// A record that is played on a new surface when it comes back.
fn record(title: &str) -> String {
    format!(r#"{{"title": "{title}", "field": "hello", "repeat": "", "image": "a.png"}}"#)
}

#[test]
fn records_are_levels_in_every_form() {
    let records = Records::new();
    let (one, two) = (record("one"), record("two"));
    let json5 = "/* two */ [{title: 'one', field: 'hello',}, // first\n {title: 'two', field: 'x'}]";
    let forms = [
        ("lines.jsonl", format!("\u{feff}{one}\r\n\r\n{two}\r\n")),
        ("array.json", format!("[\n  {one},\n  {two}\n]\n")),
        ("no_extension", format!("{one}\n{two}")),
        ("strange.txt", json5.to_owned()),
    ];
    for (name, text) in forms {
        records.0.write(format!("work/{name}"), text);
        assert_eq!(records.list(name), [format!("{name}#1 one"), format!("{name}#2 two")]);
        assert_eq!(records.list(&format!("{name}#two")), [format!("{name}#2 two")]);
    }
    assert_eq!(
        records.list("pages:lines.jsonl#1..2"),
        ["pages:lines.jsonl#1 one", "pages:lines.jsonl#2 two"]
    );
    let shown = records.run(&["levels", "show", "strange.txt#1"]).success();
    assert!(shown.contains(r#"{"title": "one", "field": "hello"}"#), "JSON5 becomes JSON: {shown}");
}

#[test]
fn a_folder_is_a_level_set_sorted_by_name() {
    let records = Records::new();
    records.0.write("work/tasks/b.json", format!("{}\n", record("second")));
    records.0.write("work/tasks/a.json", "{\n  \"title\": \"first\",\n  \"field\": \"x\"\n}\n");
    records.0.write("work/tasks/notes.md", "# [Notes]\n");
    records.0.write("work/tasks/.hidden.json", "{}");
    assert_eq!(records.list("tasks"), ["tasks#1 first", "tasks#2 second"]);
    records.run(&["levels", "list", "images"]).fails_with(2, &["images", "a folder without files of levels"]);
    symlink(records.0.path("work/outside.json"), records.0.path("work/tasks/c.json")).unwrap();
    records.0.write("work/outside.json", record("outside"));
    records.run(&["levels", "list", "tasks"]).fails_with(2, &["c.json", "link out of the folder"]);
}

#[test]
fn each_mistake_has_file_line_and_field() {
    let records = Records::new();
    records.0.write("work/text.png", "no picture");
    symlink("/etc/hostname", records.0.path("work/link.png")).unwrap();
    let image = |path: &str| format!(r#"{{"field": "x", "image": "{path}"}}"#);
    let lines = [
        record("good"),
        image("none.png"),
        image("../work/images/a.png"),
        image("/etc/hostname"),
        image("link.png"),
        image("images"),
        image("text.png"),
        r#"{"field": "x", "image": "a.png", "size": [3, 1]}"#.to_owned(),
        r#"{"field": "x", "late": "soon"}"#.to_owned(),
        r#"{"field": "x"#.to_owned(),
        "[1, 2]".to_owned(),
        record("also good"),
    ];
    records.0.write("work/set.jsonl", lines.join("\n"));
    let checked = records.run(&["levels", "check", "set.jsonl", "--json"]);
    assert_eq!(checked.code, Some(2));
    let mut found: Vec<_> = checked
        .json_lines()
        .into_iter()
        .map(|line| (line["line"].as_u64().unwrap_or(0), line["detail"].as_str().unwrap().to_owned()))
        .collect();
    found.sort();
    let wrong = [
        (2, "image: there is no file none.png, in the folder of the record or in images"),
        (3, "image: \"../work/images/a.png\" is not a path inside the folder of the record"),
        (4, "image: \"/etc/hostname\" is not a path inside the folder of the record"),
        (5, "image: link.png is a link out of the folder of the record"),
        (6, "image: images is not a regular file"),
        (7, "image: text.png: the picture cannot be decoded: it is neither PNG nor JPEG"),
        (8, "image: a.png has 2x1 px, and the record says 3x1"),
        (9, "late: late needs a number"),
        (10, "EOF while parsing a string in column 12"),
        (11, "is not a JSON object"),
    ];
    assert_eq!(found, wrong.map(|(line, detail)| (line, detail.to_owned())));
    let listed = records.run(&["levels", "list", "set.jsonl"]);
    assert!(listed.out.contains("set.jsonl#12  also good"), "numbers are places: {}", listed.out);
    assert_eq!(listed.code, Some(2));
    for line in 9..12 {
        assert!(listed.err.contains(&format!("set.jsonl:{line}: ")), "{}", listed.err);
    }
    assert_eq!(records.list("set.jsonl#12"), ["set.jsonl#12 also good"]);
}

#[test]
fn a_record_that_cannot_be_played_is_left_out_and_counted() {
    let records = Records::new();
    let missing = r#"{"field": "x", "image": "none.png"}"#;
    records.0.write("work/set.jsonl", format!("{}\n{missing}\n{{]\n{}\n", record("one"), record("two")));
    let run = ["run", "set.jsonl", "--agent", "oracle"];
    records.run(&run).fails_with(2, &["set.jsonl:3", "1 more such record", "--keep-going"]);
    let played = records.run(&[&run[..], &["--keep-going"]].concat());
    let says = &played.err;
    assert!(says.contains("set.jsonl:2") && says.contains("2 records are left out"), "{says}");
    assert_eq!(played.code, Some(0));
    assert!(played.out.contains("2 episodes, 2 won"), "{}", played.out);
    for format in ["text", "md", "html"] {
        let report = records.run(&["report", "last", "--format", format]).success();
        assert!(report.contains("2 records of set.jsonl could not be played"), "{report}");
    }
    let json = records.run(&["report", "last", "--json"]);
    assert!(json.err.contains("2 records of set.jsonl could not be played"), "{}", json.err);
    assert_eq!(json.json_lines()[0]["left_out_records"], 2);
}

#[test]
fn an_episode_opens_without_the_files_that_its_record_names() {
    let records = Records::new();
    records.0.write("work/set.jsonl", format!("{}\n{}\n", record("one"), record("two")));
    let parked = records.run(&["run", "set.jsonl", "--agent", "oracle", "--break", "step=1"]);
    assert_eq!(parked.code, Some(3), "{}", parked.err);
    fs::remove_dir_all(records.0.path("work/images")).unwrap();
    fs::remove_file(records.0.path("work/set.jsonl")).unwrap();
    let session = records.0.sessions("work/runs").remove(0);
    let session = session.to_str().unwrap();
    assert!(records.run(&["run", "--resume", session]).success().contains("2 episodes, 2 won"));
    let verified = records.run(&["replay", session]).success();
    assert_eq!(verified.matches("identical").count(), 2, "{verified}");
    let again = records.run(&["run", "--agent", "replay", "--from", session]).success();
    assert!(again.contains("2 episodes, 2 won"), "{again}");
    let copies = records.0.sessions("work/runs");
    let copy = copies.iter().find(|copy| copy.to_str() != Some(session)).unwrap();
    fs::remove_dir_all(session).unwrap();
    let verified = records.run(&["replay", copy.to_str().unwrap()]);
    assert!(!verified.err.contains("the blob"), "a session has its own copy: {}", verified.err);
}
