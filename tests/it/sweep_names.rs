//! A sweep is named wherever a session is, with its cells and their episodes.

use serde_json::json;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// A store with the sweep `s`: two agents, two episodes each, beside a folder and a session that begin with its name.
fn swept() -> Sandbox {
    let sandbox = Sandbox::new();
    let sweep = "levels = \"sokoban/first/1..2\"\n[settings]\nplay.max_steps = 5\n\
        play.agent = [\"faulty\", \"oracle\"]\n";
    sandbox.write("work/s.toml", sweep);
    sandbox.run(&["sweep", "run", "s.toml", "--store", "runs", "--plain"]).success();
    sandbox.write("work/s/note.txt", "a folder with the name of the sweep");
    sandbox.run(&["run", "sokoban/first/1", "--agent", "idle", "--store", "runs"]).success();
    std::fs::rename(&sandbox.sessions("work/runs")[0], sandbox.path("work/runs/session")).unwrap();
    sandbox
}

#[test]
fn a_sweep_is_named_where_a_session_is() {
    let sandbox = swept();
    let run = |args: &[&str]| sandbox.run(&[args, &["--store", "runs"]].concat());
    let found = run(&["find", "parse", "s", "--json"]).json_lines();
    let address = found[0]["run"].as_str().unwrap().to_owned();
    assert!(address.starts_with("s/sokoban-first-1..2-online-faulty-"), "{address}");
    run(&["view", &address, "--json"]).success();
    let counts = run(&["reparse", "s", "--json"]).json_lines();
    let counts: Vec<_> = counts.iter().filter(|line| line["type"] == "reparse_session").collect();
    assert_eq!(json!([counts[0]["session"], counts[0]["episodes"]]), json!(["s", 4]));
    assert_eq!(run(&["replay", "s", "--json"]).json_lines().len(), 4);
    let checked = run(&["log", "check", "s", "--json"]).json_lines();
    assert_eq!(checked.iter().filter(|line| line["whole"] == true).count(), 4);
    let exported = run(&["export", "--rl", "s", "--out", "out", "--json"]).json_lines();
    assert_eq!(exported[0]["episodes"], 4);
    assert_eq!(run(&["report", "s", "--json"]).json_lines().len(), 2);
    run(&["report", "runs/sweeps/s", "--json"]).success();
}

#[test]
fn an_episode_of_a_cell_is_named_by_sweep_cell_and_number() {
    let sandbox = swept();
    let run = |args: &[&str]| sandbox.run(&[args, &["--store", "runs"]].concat());
    for verb in [&["fork", "s#2"][..], &["blame", "s"], &["ask", "s#2"]] {
        run(verb)
            .fails_with(2, &["s has 4 episodes", "name one, such as s/sokoban-first-1..2-online-faulty-"]);
    }
    let cells = sandbox.sessions("work/runs/sweeps/s");
    let names = cells.iter().map(|cell| cell.file_name().unwrap().to_str().unwrap());
    let faulty = names.into_iter().find(|name| name.contains("faulty")).unwrap();
    let digits = &faulty[faulty.len() - 10..];
    let forked = run(&["fork", &format!("s/{digits}/2#3"), "--json"]).json_lines();
    let branch = forked[0]["run"].as_str().unwrap().to_owned();
    assert_eq!(branch, format!("s/{faulty}/0002#b1"));
    run(&["fork", &format!("s/{faulty}/2")]).success();
    run(&["blame", &format!("s/{digits}/1"), "--json"]).success();
    run(&["ask", "s/nothing/1#2"]).fails_with(2, &["there is no session \"nothing\" in", "sweeps/s"]);
    run(&["run", "--resume", "s"]).fails_with(2, &["s is a sweep", "mageyard sweep run"]);
}

#[test]
fn a_list_shows_sweeps_as_sweeps() {
    let sandbox = swept();
    let listed = sandbox.run(&["log", "list", "--store", "runs", "--json"]).json_lines();
    let shown: Vec<_> =
        listed.iter().map(|line| json!([line["type"], line["sweep"], line["session"]])).collect();
    assert_eq!(shown, [json!(["listed_sweep", "s", null]), json!(["session", null, "session"])]);
    assert_eq!(json!([listed[0]["cells"], listed[0]["episodes"]]), json!([2, 4]));
    let text = sandbox.run(&["log", "list", "--store", "runs"]).success();
    assert!(text.contains("s        4 episodes in 2 cells  sweep "), "{text}");
    let checked = sandbox.run(&["log", "check", "--store", "runs", "--json"]).json_lines();
    assert_eq!(checked.iter().filter(|line| line["whole"] == true).count(), 5, "those of sweeps too");
    let mut screen = Pty::start(&sandbox.command(&["view", "--store", "runs"]), 120, 40);
    screen.sees("4 episodes · sweep · 2 cells").press("esc").settle();
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
    let status = sandbox.run(&["sweep", "status", "s", "--store", "runs", "--json"]);
    assert_eq!(status.code, Some(0), "{}", status.err);
}

#[test]
fn a_range_of_levels_is_read_by_every_verb() {
    let sandbox = Sandbox::new();
    let numbers = |args: &[&str]| {
        let lines = sandbox.run(&[args, &["--json"]].concat()).json_lines();
        lines.iter().filter(|line| line["type"] == "level").count()
    };
    assert_eq!(numbers(&["levels", "list", "sokoban/first/2..3"]), 2);
    sandbox.run(&["run", "sokoban/first/1..3", "--agent", "idle", "--store", "runs"]).success();
    assert_eq!(sandbox.run(&["report", "last", "--store", "runs", "--json"]).json_lines()[0]["levels"], 3);
    sandbox.write("work/two.xsb", "#######\n#@ $ .#\n#######\n\n#######\n#@ $. #\n#######\n");
    for verb in ["list", "solve", "stats"] {
        let done = sandbox.run(&["levels", verb, "two.xsb#1..2"]);
        assert_eq!(done.code, Some(0), "{verb}: {}", done.err);
    }
    sandbox.run(&["run", "two.xsb#2..3"]).fails_with(2, &["levels 2..3 do not exist", "it has levels 1..2"]);
}
