//! Readers compared on stored replies: by verb, on the screen, and with a reader that is written there.

use std::fs;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// A store with a session of an agent that makes all known mistakes.
fn played() -> Sandbox {
    let sandbox = Sandbox::new();
    let play = ["run", "sokoban/first/1..2", "--agent", "faulty", "--seed", "3", "--store", "runs"];
    assert_eq!(sandbox.run(&play).code, Some(0));
    sandbox
}

#[test]
fn all_readers_are_counted_side_by_side_and_refused_replies_by_their_shape() {
    let sandbox = played();
    let compare = ["reparse", "last", "--compare", "--store", "runs"];
    let lines = sandbox.run(&[&compare[..], &["--json"]].concat()).json_lines();
    let counts: Vec<_> = lines.iter().filter(|line| line["type"] == "reader_counts").collect();
    let of = |reader: &str| counts.iter().find(|line| line["reader"] == reader).unwrap();
    // The same counts as by the verb without the comparison.
    for reader in ["strict", "lenient", "rescue"] {
        let again = ["reparse", "last", "--reader", reader, "--store", "runs", "--json"];
        let again = sandbox.run(&again).json_lines();
        let total = again.iter().find(|line| line["type"] == "reparse_total").unwrap();
        let row = of(&format!("{reader}/1"));
        assert_eq!(row["parse_errors"], total["parse_errors_after"], "{reader}");
        assert_eq!((&row["changed_steps"], &row["ia"]), (&total["changed_steps"], &total["ia_after"]));
        assert_eq!(counts[0]["parse_errors"], total["parse_errors_before"]);
    }
    assert!(counts[0]["reader"].is_null() && of("rescue/1")["doubtful"].as_u64() > Some(0));

    // Every refused reply is in one shape.
    let shapes: Vec<_> = lines.iter().filter(|line| line["type"] == "reply_shape").collect();
    let refused: u64 = shapes.iter().filter_map(|shape| shape["count"].as_u64()).sum();
    assert_eq!(Some(refused), of("strict/1")["parse_errors"].as_u64());
    let fenced = shapes.iter().find(|shape| shape["form"] == "code").unwrap();
    assert!(fenced["reply"].as_str().unwrap().contains("```"), "{fenced}");
    let read_by: Vec<_> = fenced["read_by"].as_array().unwrap().iter().map(|read| &read["reader"]).collect();
    assert!(read_by.iter().any(|reader| *reader == "rescue/1"), "{fenced}");

    let text = sandbox.run(&compare).success();
    for words in ["as recorded", "strict/1", "by shape:", "read by "] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let lenient = sandbox.run(&[&compare[..], &["--reader", "rescue"]].concat()).success();
    assert!(lenient.contains("fallback"), "{lenient}");
}

#[test]
fn every_reader_reads_one_reply() {
    let sandbox = Sandbox::new();
    sandbox.write("work/reply.txt", "Thought: left is free\n**Action:** up");
    let read = ["readers", "try", "all", "--environment", "sokoban", "reply.txt"];
    let lines = sandbox.run(&[&read[..], &["--json"]].concat()).json_lines();
    let listed = sandbox.run(&["readers", "--json"]).json_lines();
    assert_eq!(lines.len(), listed.len());
    let of = |reader: &str| lines.iter().find(|line| line["reader"] == reader).unwrap();
    assert_eq!(of("lenient/1")["actions"], serde_json::json!(["Up"]));
    assert_eq!(of("strict/1")["rule"], "heading");
    let text = sandbox.run(&read).success();
    assert!(text.contains("think/1") && text.contains("expected <answer>"), "{text}");
}

/// From a refused reply to a reader that reads it, without a call and without leaving the screen.
#[test]
fn a_reader_is_written_beside_what_it_reads() {
    let sandbox = played();
    for (columns, rows, name) in [(120, 40, "wide"), (80, 24, "narrow")] {
        let mut screen = Pty::start(&sandbox.command(&["view", "last/1", "--store", "runs"]), columns, rows);
        screen.sees("RECORDED").command("readers");
        screen.sees("Readers on the replies of").sees("strict/1 ●").sees("✗ action");
        screen.press("e").sees("Ctrl-D saves").sees("refused");
        screen.press("x").sees("expected").press("esc").sees("again discards");
        screen.press("esc").misses("Ctrl-D saves");
        screen.press("down").sees("▸ lenient/1").press("e").sees("Ctrl-D saves");
        screen.press("ctrl-d").sees("lenient-2").press("ctrl-u").send(name.as_bytes());
        screen.press("enter").sees("saved as").until("its reading of the reply", |screen| {
            let row = format!("▸ {name}/1");
            screen.contents().lines().any(|line| line.contains(&row) && line.contains('✗'))
        });
        screen.press("enter").sees("of 50").press("q");
        screen.wait_for_exit().assert_restored(0);
    }
    let saved = fs::read_to_string(sandbox.path("config/mageyard/readers/wide.toml")).unwrap();
    assert!(saved.contains("version = 1"));
    sandbox.run(&["readers", "wide"]).success();
}

#[test]
fn readers_are_compared_in_lines() {
    let sandbox = played();
    sandbox.write("work/script", "readers\nshape 1\nnext\n2\n\nquit\n");
    let script = fs::File::open(sandbox.path("work/script")).unwrap();
    let read = sandbox.run_with(&["view", "last/1", "--linear", "--store", "runs"], script);
    assert_eq!(read.code, Some(0), "{}", read.err);
    for words in ["* 1: strict/1, recorded: refused", "shape 1: ", "Reply: ", "* 2: lenient/1"] {
        assert!(read.out.contains(words), "{words}\n{}", read.out);
    }
    assert!(!read.out.contains('\u{1b}'));
}
