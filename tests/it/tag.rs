//! Tags and comments of recorded steps: added, listed, found and removed, while the record stays as it was.

use std::fs;

use crate::sandbox::Sandbox;

/// An episode of the agent `faulty` with 6 steps.
fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    let run = ["run", "sokoban/full/1", "--agent", "faulty", "--seed", "2", "--max-steps", "6"];
    sandbox.run(&run).success();
    sandbox
}

fn tag(sandbox: &Sandbox, more: &[&str]) -> String {
    sandbox.run(&[&["tag"], more].concat()).success()
}

#[test]
fn tags_and_comments_are_found_and_the_record_stays_as_it_was() {
    let sandbox = recorded();
    let session = sandbox.sessions("data/mageyard/sessions").remove(0);
    let journal = session.join("0001/journal.jsonl");
    let before = fs::read(&journal).unwrap();
    let added = tag(&sandbox, &["last#3", "wall", "look", "--comment", "it walks into the wall"]);
    assert_eq!(added.lines().count(), 3, "{added}");
    assert!(added.lines().next().unwrap().ends_with("/0001#3  tag added: wall"), "{added}");
    assert!(tag(&sandbox, &["last#3", "wall"]).contains("tag unchanged: wall"));
    tag(&sandbox, &["last/1#5", "look"]);
    let listed = tag(&sandbox, &["last"]);
    let kinds: Vec<_> = listed.lines().map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(kinds, ["tag", "tag", "comment", "tag"], "{listed}");
    assert_eq!(tag(&sandbox, &["last#5"]).lines().count(), 1);
    let found = |condition: &str| {
        let rows = sandbox.run(&["find", condition, "--json"]).json_lines();
        rows.iter().map(|row| row["step"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(found("tag=wall"), [3]);
    assert_eq!(found("tag=look"), [3, 5]);
    assert_eq!(found("tag=look and not comment~\"the wall\""), [5]);
    assert_eq!(found("tag!=look and step<3"), [1, 2]);
    assert_eq!(found("tag=none"), [0; 0]);
    assert!(sandbox.run(&["find", "tag=wall"]).success().contains("the tags are wall, look"));
    let removed = tag(&sandbox, &["last#3", "wall", "--comment", "it walks into the wall", "--remove"]);
    assert!(
        removed.contains("tag removed: wall") && removed.contains("comment removed: it walks"),
        "{removed}"
    );
    assert_eq!((found("tag=wall"), found("comment~wall"), found("tag=look")), (vec![], vec![], vec![3, 5]));
    assert_eq!(fs::read(&journal).unwrap(), before);
    sandbox.run(&["replay", "last"]).success();
    assert_eq!(fs::read_to_string(session.join("annotations.jsonl")).unwrap().lines().count(), 6);
}

#[test]
fn a_branch_shows_the_annotations_of_the_steps_that_it_shares() {
    let sandbox = recorded();
    tag(&sandbox, &["last#2", "early"]);
    tag(&sandbox, &["last#5", "late"]);
    sandbox.run(&["fork", "last#4", "--max-steps", "6"]).success();
    sandbox.run(&["run", "--resume", "last#b1"]).success();
    tag(&sandbox, &["last#b1@5", "own"]);
    tag(&sandbox, &["last#b1@3", "shared"]);
    let names = |run: &str| {
        let rows = sandbox.run(&["tag", run, "--json"]).json_lines();
        let row = |row: &serde_json::Value| {
            let run = row["run"].as_str().unwrap();
            format!("{} {}", &run[run.find('#').unwrap()..], row["text"].as_str().unwrap())
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(names("last#b1"), ["#b1@2 early", "#b1@3 shared", "#b1@5 own"]);
    assert_eq!(names("last"), ["#2 early", "#3 shared", "#5 late", "#b1@5 own"]);
    let found = sandbox.run(&["find", "tag~a", "last#b1", "--json"]).json_lines();
    let runs: Vec<_> =
        found.iter().map(|row| row["run"].as_str().unwrap().split_once('#').unwrap().1).collect();
    assert_eq!(runs, ["b1@2", "b1@3"]);
}

#[test]
fn a_damaged_line_is_reported_and_a_wrong_request_is_refused() {
    let sandbox = recorded();
    tag(&sandbox, &["last#1", "good"]);
    let path = sandbox.sessions("data/mageyard/sessions").remove(0).join("annotations.jsonl");
    let good = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{{\"x\":\u{1b}[31m}}\n{good}")).unwrap();
    let listed = sandbox.run(&["tag", "last"]);
    assert!(listed.out.contains("tag") && listed.out.contains("good"), "{}", listed.out);
    assert!(listed.err.contains("annotations.jsonl:1: this line is skipped"), "{}", listed.err);
    assert!(!listed.err.contains('\u{1b}'));
    let found = sandbox.run(&["find", "tag=good"]);
    assert!(found.out.contains("#1") && found.err.contains("annotations.jsonl:1:"), "{}", found.err);
    for (args, message) in [
        (&["last#9", "a"][..], "there is no step 9"),
        (&["last", "a"], "last names no step"),
        (&["last#1", "a b"], "\"a b\" is not a tag"),
        (&["last#1", "--comment", ""], "this is not a comment: it is empty"),
        (&["last#1", "--remove"], "nothing is named that could be removed"),
    ] {
        sandbox.run(&[&["tag"], args].concat()).fails_with(2, &[message]);
    }
    sandbox
        .run(&["run", "sokoban/full/1", "--agent", "faulty", "--break", "tag=a"])
        .fails_with(2, &["tag=a is not known after the step", "`find` knows them"]);
}
