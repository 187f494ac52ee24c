//! Episodes without a screen: output, journals, recovery.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::sandbox::{CommandResult, Sandbox, first_line, wait, wait_with_output};

/// Solved in three moves: `R_best` is 5 * (10 + 1) - 0.5 * 3 = 53.5.
const THREE_STEP_LEVEL: &str = "#######\n#@ $ .#\n#######\n";

/// The box is in a corner: the level is dead, and a random agent plays to the limit.
const DEAD_LEVEL: &str = "#####\n#$@ #\n#  .#\n#####\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/three.xsb", THREE_STEP_LEVEL);
    sandbox.write("work/lost.xsb", DEAD_LEVEL);
    sandbox
}

fn run(sandbox: &Sandbox, args: &[&str]) -> CommandResult {
    sandbox.run(&[&["run", "--json", "--store", "runs"], args].concat())
}

/// The objects of this type, without fields that differ between runs.
fn objects_of_type(result: &CommandResult, kind: &str) -> Vec<Value> {
    let mut objects = result.json_lines();
    objects.retain(|object| object["type"] == kind);
    for object in &mut objects {
        let fields = object.as_object_mut().unwrap();
        for field in ["schema", "type", "seconds", "session", "folder"] {
            fields.shift_remove(field);
        }
    }
    objects
}

/// The single journal of the store.
fn journal(sandbox: &Sandbox) -> PathBuf {
    let sessions = sandbox.sessions("work/runs");
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    sessions[0].join("0001/journal.jsonl")
}

#[test]
fn the_oracle_plays_the_shortest_solution_for_the_full_score() {
    let result = run(&sandbox(), &["three.xsb"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let steps: Vec<_> = objects_of_type(&result, "step")
        .iter()
        .map(|step| json!([step["level"], step["step"], step["action"], step["reward"], step["sum"]]))
        .collect();
    let expected = [
        json!([1, 1, "Right", -0.5, -0.5]),
        json!([1, 2, "Right", -0.5, -1.0]),
        json!([1, 3, "Right", 54.5, 53.5]),
    ];
    assert_eq!(steps, expected);
    let episode = &result.json_lines()[3];
    for (field, value) in [
        ("agent", json!("oracle")),
        ("setting", json!("online")),
        ("score", json!(100.0)),
        ("best", json!(53.5)),
        ("optimum", json!(53.5)),
        ("steps", json!(3)),
        ("ending", json!("won")),
        ("solved", json!(true)),
    ] {
        assert_eq!(episode[field], value, "{field}");
    }
    assert!(episode["seconds"].is_f64() && episode["session"].is_string(), "{episode}");
}

#[test]
fn idle_scores_what_the_level_gives_for_nothing() {
    for setting in ["online", "global"] {
        let episode = &objects_of_type(
            &run(&sandbox(), &["three.xsb", "--agent", "idle", "--setting", setting]),
            "episode",
        )[0];
        assert_eq!(
            json!([episode["score"], episode["steps"], episode["ending"], episode["setting"]]),
            json!([46.5, 0, "stood", setting])
        );
    }
}

#[test]
fn a_global_plan_is_carried_out_to_the_same_end() {
    let plan = run(&sandbox(), &["three.xsb", "--setting", "global"]);
    let steps = run(&sandbox(), &["three.xsb", "--setting", "online"]);
    // A plan is one reply for all its steps.
    let without_replies = |result: &CommandResult| {
        let mut steps = objects_of_type(result, "step");
        for step in &mut steps {
            step["setting"] = Value::Null;
            step["replies"] = Value::Null;
        }
        steps
    };
    assert_eq!(without_replies(&plan), without_replies(&steps));
    assert_eq!(objects_of_type(&plan, "episode")[0]["ending"], "won");
}

#[test]
fn a_seed_fixes_the_episode() {
    let story = |seed: &str| {
        let result = run(&Sandbox::new(), &["sokoban/full/3", "--agent", "random", "--seed", seed]);
        let actions: Vec<_> =
            objects_of_type(&result, "step").iter().map(|step| step["action"].clone()).collect();
        assert_eq!(actions.len(), 50, "{}", result.err);
        actions
    };
    assert_eq!(story("7"), story("7"));
    assert_ne!(story("7"), story("8"));
}

#[test]
fn repeats_increment_the_seed_and_levels_keep_their_order() {
    let args = ["sokoban/first", "--agent", "random", "--repeats", "2", "--max-steps", "3"];
    let episodes = objects_of_type(&run(&Sandbox::new(), &args), "episode");
    assert_eq!(episodes.len(), 16);
    assert_eq!(json!([episodes[2]["reference"], episodes[2]["seed"]]), json!(["sokoban/first/2", 0]));
    assert_eq!(json!([episodes[3]["reference"], episodes[3]["seed"]]), json!(["sokoban/first/2", 1]));
}

#[test]
fn a_truncated_journal_is_finished_with_the_same_result() {
    let sandbox = sandbox();
    let args = ["three.xsb", "--agent", "random", "--seed", "5", "--max-steps", "4"];
    let uninterrupted = run(&sandbox, &args);
    let path = journal(&sandbox);
    let bytes = fs::read(&path).unwrap();
    let head = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for cut in (head..bytes.len()).step_by(53) {
        fs::write(&path, &bytes[..cut]).unwrap();
        let result = run(&sandbox, &["--resume", "last"]);
        assert_eq!(result.code, Some(0), "cut at {cut}: {}", result.err);
        assert_eq!(
            objects_of_type(&result, "episode"),
            objects_of_type(&uninterrupted, "episode"),
            "cut at {cut}"
        );
        let torn = bytes[cut - 1] != b'\n';
        assert_eq!(result.err.contains("is incomplete"), torn, "cut at {cut}: {}", result.err);
        let viewed = sandbox.run(&["view", "--json", "--store", "runs", "last"]);
        assert_eq!(objects_of_type(&viewed, "step"), objects_of_type(&uninterrupted, "step"), "cut at {cut}");
    }
}

#[test]
fn damage_is_reported_with_its_line_and_repaired_into_a_new_file() {
    let sandbox = sandbox();
    run(&sandbox, &["three.xsb"]);
    let path = journal(&sandbox);
    let good = fs::read_to_string(&path).unwrap();
    let bad = good.replacen("\"Right\"", "\"Left!\"", 1);
    let line = 1 + good.lines().zip(bad.lines()).position(|(good, bad)| good != bad).unwrap();
    fs::write(&path, &bad).unwrap();
    let place = format!("journal.jsonl:{line}: the seal does not match");
    for verb in [["run", "--resume", "last"], ["view", "--json", "last"]] {
        let result = sandbox.run(&[&verb[..], &["--store", "runs"]].concat());
        result.fails_with(5, &["the seal does not match", "log check --repair ", "0001/journal.jsonl"]);
        assert!(result.err.replace(['\n', ' ', '|'], "").contains(&place.replace(' ', "")), "{}", result.err);
    }
    let listed =
        || sandbox.run(&["log", "list", "--json", "--store", "runs"]).json_lines()[0]["reference"].clone();
    assert!(listed().as_str().unwrap().ends_with("three.xsb#1"), "a list needs the head alone: {}", listed());
    let checked = sandbox.run(&["log", "check", "--json", "--store", "runs"]);
    assert_eq!(checked.code, Some(5));
    assert_eq!(
        json!([checked.json_lines()[0]["whole"], checked.json_lines()[0]["line"]]),
        json!([false, line])
    );
    let repaired = sandbox.run(&["log", "check", "--repair", "--store", "runs"]);
    assert!(repaired.out.contains("the intact part is now in"), "{}", repaired.out);
    assert_eq!(fs::read_to_string(&path).unwrap(), bad, "the damaged file is unchanged");
    let new = path.with_file_name("journal.repaired.jsonl");
    assert_eq!(fs::read_to_string(&new).unwrap().lines().count(), line - 1);
    assert!(repaired.out.contains("mageyard run --resume "), "{}", repaired.out);
    fs::write(&path, bad.replacen('{', "[", 2)).unwrap();
    assert_eq!(listed(), json!(null));
    let again = sandbox.run(&["log", "check", "--repair", "--store", "runs", "last"]);
    assert_eq!(again.code, Some(5), "of a journal without a head nothing is written: {again:?}");
    run(&sandbox, &["--resume", "last"]).fails_with(5, &["nothing of it can be recovered"]);
    fs::write(&path, &bad).unwrap();
    let again = sandbox.run(&["log", "check", "--repair", "--store", "runs"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.out.contains("already exists") && again.out.contains("move it away"), "{again:?}");
    assert_eq!(
        fs::read_to_string(&new).unwrap().lines().count(),
        line - 1,
        "the new file is not overwritten"
    );
    let viewed = sandbox.run(&["view", "--json", new.to_str().unwrap()]);
    assert_eq!(viewed.code, Some(0), "{viewed:?}");
    let result = run(&sandbox, &["--resume", new.to_str().unwrap()]);
    assert_eq!(objects_of_type(&result, "episode")[0]["score"], 100.0, "{}", result.err);
}

#[test]
fn checking_a_store_prints_one_line_per_session() {
    let sandbox = sandbox();
    run(&sandbox, &["three.xsb"]);
    let output = sandbox.run(&["log", "check", "--store", "runs"]).success();
    assert!(output.contains("journal.jsonl: intact, 14 lines"), "{output}");
    assert_eq!(output.lines().count(), 1);
    let listed = sandbox.run(&["log", "list", "--store", "runs"]).success();
    assert!(listed.contains("three.xsb#1") && listed.contains("1 episode "), "{listed}");
}

#[test]
fn checking_a_store_continues_after_a_folder_without_a_journal() {
    let sandbox = sandbox();
    run(&sandbox, &["three.xsb"]);
    let path = journal(&sandbox);
    fs::create_dir_all(sandbox.path("work/runs/19700101-000000-begun/0001")).unwrap();
    let output = sandbox.run(&["log", "check", "--store", "runs"]).success();
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines[0].contains("19700101-000000-begun contains no journal"), "{output}");
    assert!(lines[1].contains("journal.jsonl: intact, 14 lines"), "{output}");
    let listed = sandbox.run(&["log", "list", "--store", "runs"]).success();
    assert!(listed.contains("0 episodes  not started"), "{listed}");
    let rows = sandbox.run(&["log", "check", "--store", "runs", "--json"]).json_lines();
    assert_eq!(json!([rows[0]["whole"], rows[1]["whole"]]), json!([null, true]));
    fs::write(&path, fs::read_to_string(&path).unwrap().replacen("\"Right\"", "\"Left!\"", 1)).unwrap();
    assert_eq!(sandbox.run(&["log", "check", "--store", "runs"]).code, Some(5));
}

#[test]
fn the_text_output_has_the_steps_and_the_shortest_solution() {
    let result = sandbox().run(&["run", "three.xsb", "--store", "runs"]).success();
    assert!(result.contains("  3 steps (shortest 3)  "), "{result}");
    let refused = sandbox().run(&["play", "--resume", "last", "three.xsb"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("play [OPTIONS] [LEVEL]\n"), "{}", refused.err);
    assert!(refused.err.contains("play [OPTIONS] --resume <SESSION>\n"), "{}", refused.err);
}

#[test]
fn a_list_names_the_first_and_the_last_level_of_a_session() {
    let sandbox = sandbox();
    run(&sandbox, &["sokoban/first"]);
    let listed = sandbox.run(&["log", "list", "--store", "runs"]).success();
    assert!(listed.contains("8 episodes  sokoban/first/1 … 8  oracle"), "{listed}");
    let row = &sandbox.run(&["log", "list", "--store", "runs", "--json"]).json_lines()[0];
    assert_eq!(json!([row["reference"], row["last"]]), json!(["sokoban/first/1", "sokoban/first/8"]));
}

#[test]
fn a_journal_from_a_newer_program_is_refused_by_its_version() {
    let sandbox = sandbox();
    run(&sandbox, &["three.xsb"]);
    let path = journal(&sandbox);
    let text = fs::read_to_string(&path).unwrap();
    let newer = text.replacen("\"format\":2", "\"format\":9", 1);
    // A newer program may use another seal, or none.
    for text in [reseal(&newer), newer.replacen("\"seal\":\"", "\"seal\":\"9:", 1), newer.clone()] {
        fs::write(&path, text).unwrap();
        run(&sandbox, &["--resume", "last"])
            .fails_with(2, &["journal format 9 is newer than 3", "use a newer mageyard"]);
        let checked = sandbox.run(&["log", "check", "--store", "runs"]);
        assert_eq!(checked.code, Some(2), "{checked:?}");
        assert!(checked.out.contains("journal format 9 is newer than 3"), "{checked:?}");
        assert!(!checked.out.contains("DAMAGED"), "{checked:?}");
    }
}

/// The first line with a valid seal.
fn reseal(text: &str) -> String {
    reseal_all(text.lines().next().unwrap())
}

/// All lines with valid seals.
pub(crate) fn reseal_all(text: &str) -> String {
    let digest = |bytes: &[u8]| blake3::hash(bytes).to_hex()[..16].to_owned();
    let mut before = digest(b"");
    let sealed = text.lines().map(|line| {
        let (body, _) = line.rsplit_once(",\"seal\":").unwrap();
        before = digest(format!("{before}{body}}}").as_bytes());
        format!("{body},\"seal\":\"{before}\"}}\n")
    });
    sealed.collect()
}

#[test]
fn a_full_disk_stops_the_run_without_a_partial_line() {
    let sandbox = sandbox();
    let inner = sandbox.command(&[]);
    let program = inner.get_program().to_str().unwrap().to_owned();
    // The limit is in blocks of 512 bytes; with the signal ignored a write fails as on a full disk.
    let script =
        format!("ulimit -f 8; exec {program} run lost.xsb --agent random --store runs --log-level off");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).env_clear().current_dir(sandbox.path("work"));
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let result = wait_with_output(&mut command.spawn().unwrap());
    assert_eq!(result.code, Some(1), "{}", result.err);
    assert!(result.err.contains("the journal cannot be written"), "{}", result.err);
    let text = fs::read_to_string(journal(&sandbox)).unwrap();
    assert!(text.ends_with('\n') && text.len() <= 4096, "a line is incomplete");
    assert!(sandbox.run(&["log", "check", "--store", "runs"]).success().contains("intact"));
    let result = run(&sandbox, &["--resume", "last"]);
    assert_eq!(
        objects_of_type(&result, "episode")[0]["steps"],
        50,
        "with free space it continues: {}",
        result.err
    );
}

#[test]
fn a_signal_ends_a_run_with_its_code_and_a_complete_journal() {
    // Several times each, because a race could give the right code by chance.
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)].repeat(4) {
        let sandbox = sandbox();
        let args = ["run", "lost.xsb", "--agent", "random", "--max-steps", "1000000", "--store", "runs"];
        let mut child = sandbox.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        first_line(&mut child);
        Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        let ended = wait_with_output(&mut child);
        assert_eq!(ended.code, Some(code), "{signal}");
        assert!(ended.err.contains(" --store runs`"), "{}", ended.err);
        assert!(sandbox.run(&["log", "check", "--store", "runs"]).success().contains("intact"), "{signal}");
    }
}

#[test]
fn a_killed_run_resumes_where_it_was() {
    let sandbox = sandbox();
    let args = ["lost.xsb", "--agent", "random", "--seed", "9", "--max-steps", "4000"];
    let uninterrupted = run(&sandbox, &args);
    fs::remove_dir_all(sandbox.path("work/runs")).unwrap();
    let mut child = sandbox
        .command(&[&["run", "--store", "runs"], &args[..]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    first_line(&mut child);
    child.kill().unwrap();
    assert_eq!(wait(&mut child), None, "the run ended before it was killed");
    let result = run(&sandbox, &["--resume", "last"]);
    let left = objects_of_type(&result, "step").len();
    assert!((1..4000).contains(&left), "killed when {left} of 4000 steps were left");
    assert_eq!(
        objects_of_type(&result, "episode"),
        objects_of_type(&uninterrupted, "episode"),
        "{}",
        result.err
    );
}

#[test]
fn resuming_a_killed_run_plays_all_planned_episodes() {
    let sandbox = Sandbox::new();
    let args = ["sokoban/first", "--agent", "random", "--repeats", "3", "--max-steps", "20"];
    let uninterrupted = run(&sandbox, &args);
    let store = sandbox.path("work/runs");
    let session = sandbox.sessions(&store).remove(0);
    // The state after a kill: some complete episodes, one incomplete, and one empty folder.
    for number in 8..=24 {
        fs::remove_dir_all(session.join(format!("{number:04}"))).unwrap();
    }
    fs::create_dir(session.join("0008")).unwrap();
    fs::write(session.join("0008/journal.new"), "{\"n\":0").unwrap();
    let started = session.join("0007/journal.jsonl");
    let bytes = fs::read(&started).unwrap();
    fs::write(&started, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let result = run(&sandbox, &["--resume", "last"]);
    assert_eq!(
        objects_of_type(&result, "episode"),
        objects_of_type(&uninterrupted, "episode"),
        "{}",
        result.err
    );
    assert_eq!(objects_of_type(&result, "episode").len(), 24);
}

#[test]
fn a_flag_without_effect_is_refused() {
    let sandbox = sandbox();
    run(&sandbox, &["three.xsb"]);
    for flags in [["--agent", "random"], ["--am", "9"], ["--max-steps", "3"]] {
        let result = run(&sandbox, &[&["--resume", "last"], &flags[..]].concat());
        result.fails_with(2, &[flags[0], "an episode keeps the settings it was started with"]);
    }
}

#[test]
fn a_time_limit_is_a_budget() {
    let args = ["lost.xsb", "--agent", "random", "--max-steps", "1000000", "--max-time", "1"];
    let result = run(&sandbox(), &args);
    assert_eq!(result.code, Some(4), "{}", result.err);
    assert_eq!(objects_of_type(&result, "episode")[0]["ending"], "time_limit");
}

#[test]
fn a_time_limit_may_be_a_fraction_of_a_second() {
    let sandbox = sandbox();
    let args = ["lost.xsb", "--agent", "random", "--max-steps", "1000000", "--max-time", "0.25"];
    let result = run(&sandbox, &args);
    let episode = &objects_of_type(&result, "episode")[0];
    assert_eq!(
        json!([episode["ending"], episode["max_time"]]),
        json!(["time_limit", 0.25]),
        "{}",
        result.err
    );
    assert!(fs::read_to_string(journal(&sandbox)).unwrap().contains(r#""max_time":0.25"#));
    let viewed = sandbox.run(&["view", "last", "--json", "--store", "runs"]);
    assert_eq!(objects_of_type(&viewed, "episode")[0]["max_time"], 0.25);
}

#[test]
fn usage_errors_of_run_get_one_clear_message() {
    let sandbox = sandbox();
    run(&sandbox, &["three.xsb", "--agent", "human"])
        .fails_with(2, &["human needs the screen", "play --agent human"]);
    run(&sandbox, &["three.xsb", "--agent", "orcale"]).fails_with(2, &["no agent \"orcale\"", "oracle"]);
    run(&sandbox, &["--resume", "nothing"]).fails_with(2, &["there is no session \"nothing\""]);
    run(&sandbox, &["lost.xsb"]).fails_with(1, &["the oracle agent found no action", "unsolvable"]);
    sandbox
        .run(&["view", "last#0", "--json", "--store", "runs"])
        .fails_with(2, &["steps are numbered from 1"]);
    let lost =
        objects_of_type(&run(&sandbox, &["lost.xsb", "--agent", "random", "--max-steps", "2"]), "episode");
    assert_eq!(lost[0]["score"], Value::Null, "without a known optimum there is no score");
}

#[test]
fn an_episode_has_one_writer() {
    let sandbox = sandbox();
    let mut first = sandbox
        .command(&["run", "lost.xsb", "--agent", "random", "--max-steps", "1000000", "--store", "runs"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    first_line(&mut first);
    let second = run(&sandbox, &["--resume", "last"]);
    first.kill().unwrap();
    wait(&mut first);
    second.fails_with(2, &["another mageyard process is writing this episode"]);
}

#[test]
fn a_missing_step_of_a_recording_is_refused() {
    let sandbox = sandbox();
    run(&sandbox, &["three.xsb"]);
    let view = |step: &str, more: &[&str]| sandbox.run(&[&["view", step, "--store", "runs"], more].concat());
    assert_eq!(objects_of_type(&view("last#3", &["--json"]), "step").len(), 1);
    for step in ["4", "999", "4294967295"] {
        let result = view(&format!("last#{step}"), &["--json"]);
        result.fails_with(2, &[&format!("there is no step {step}"), "the episode has steps 1 to 3"]);
        assert_eq!(result.out, "");
    }
}

#[test]
fn a_mean_shows_the_number_of_known_scores() {
    let sandbox = sandbox();
    sandbox.write("work/both.xsb", format!("{THREE_STEP_LEVEL}\n{DEAD_LEVEL}"));
    let mean = |file: &str| {
        let args =
            ["run", file, "--agent", "random", "--max-steps", "1", "--store", "runs", "--repeats", "2"];
        sandbox.run(&args).success().lines().last().unwrap().to_owned()
    };
    assert_eq!(mean("three.xsb"), "2 episodes, 0 won, mean score 46.50");
    assert_eq!(mean("both.xsb"), "4 episodes, 0 won, mean score 46.50 over 2 of 4");
    assert_eq!(mean("lost.xsb"), "2 episodes, 0 won, mean score unknown");
}

#[test]
fn a_report_summarizes_sessions_with_their_errors() {
    let sandbox = sandbox();
    sandbox.write("work/wall.xsb", "#####\n#@$.#\n#####\n");
    run(&sandbox, &["wall.xsb", "--agent", "random", "--repeats", "3", "--max-steps", "30", "--seed", "1"]);
    run(&sandbox, &["three.xsb"]);
    run(&sandbox, &["lost.xsb", "--agent", "idle", "--setting", "global"]);
    let sessions = sandbox.sessions("work/runs");
    let names: Vec<&str> = sessions.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let result = sandbox.run(&[&["report", "--json", "--store", "runs"], &names[..]].concat());
    assert_eq!(result.code, Some(0), "{}", result.err);
    let rows = result.json_lines();
    let row = |agent: &str| rows.iter().find(|row| row["agent"] == agent).unwrap();
    assert_eq!(json!([row("oracle")["score"], row("oracle")["ra"]]), json!([100.0, 0.0]));
    assert_eq!(row("oracle")["endings"], json!({ "won": 1 }));
    assert_eq!(json!([row("idle")["score"], row("idle")["endings"]]), json!([null, { "false finish": 1 }]));
    assert_eq!(row("random")["episodes"], 3);
    let text = sandbox.run(&[&["report", "--store", "runs"], &names[..]].concat()).success();
    for part in ["IA/RA", "lost.xsb-G", "wall.xsb-O", "0.0/0.0", "false finish", "100.00"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn an_unfinished_session_names_the_command_that_resumes_it() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/full/1", "--agent", "oracle"]).success();
    assert!(!sandbox.run(&["log", "list"]).success().contains("unfinished"));
    let session = sandbox.sessions("data/mageyard/sessions").remove(0);
    let name = session.file_name().unwrap().to_str().unwrap();
    let journal = session.join("0001/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let kept: Vec<&str> = text.split_inclusive('\n').take(9).collect();
    fs::write(&journal, kept.concat()).unwrap();
    let planned = format!("mageyard run --resume {name}");
    assert!(sandbox.run(&["log", "list"]).success().contains(&format!("unfinished: {planned}")));
    assert_eq!(sandbox.run(&["log", "list", "--json"]).json_lines()[0]["resume"], planned.as_str());
    for verb in [&["view", "last", "--json"][..], &["report", "last"]] {
        let result = sandbox.run(verb);
        assert!(result.code == Some(0) && result.err.contains(&planned), "{result:?}");
    }
    fs::remove_file(session.join("plan.jsonl")).unwrap();
    let single = format!("mageyard play --resume {name}/0001");
    assert!(sandbox.run(&["report", "last"]).err.contains(&single));
    sandbox.run(&["run", "--resume", &format!("{name}/0001")]).success();
    assert!(!sandbox.run(&["log", "list"]).success().contains("unfinished"));
}

#[test]
fn last_in_an_empty_store_says_how_to_start_a_session() {
    Sandbox::new().run(&["view", "last"]).fails_with(2, &["which is empty", "`mageyard play`"]);
}
