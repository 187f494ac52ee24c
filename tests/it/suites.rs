//! Suites: recorded states in a file, asked about with the same variants by a scripted server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use crate::page_recordings::record;
use crate::sandbox::{CommandResult, Sandbox, wait};
use crate::server::{Behavior, Server, ServerState};

/// A text that only one of the two prompts has: the server answers `Left` to it, and `Up` to the other one.
const COT: &str = "Look at the image carefully and think step by step";
const STATES: usize = 50;
const SAMPLES: usize = 2;
const CALLS: usize = STATES * SAMPLES * 2;

/// In how many states of the shipped suite an action has which result.
struct ActionCounts {
    optimal: usize,
    wasteful: usize,
    losing: usize,
    mistake: usize,
}

/// Counted with the solver, by a test of the crate `mageyard-study`.
const LEFT: ActionCounts = ActionCounts { optimal: 13, wasteful: 17, losing: 8, mistake: 15 };
const UP: ActionCounts = ActionCounts { optimal: 10, wasteful: 19, losing: 8, mistake: 19 };

fn of_type(objects: &[Value], sort: &str) -> Vec<Value> {
    objects.iter().filter(|object| object["type"] == sort).cloned().collect()
}

fn ask(url: &str, more: &[&str]) -> Vec<String> {
    let args = ["ask", "mistakes", "--prompts", "0s-CoT,HD-CoT", "--models", "mock", "--samples", "2"];
    let place = ["--store", "runs", "--json", "--base-url", url];
    [&args[..], &place, more].concat().into_iter().map(str::to_owned).collect()
}

fn run(sandbox: &Sandbox, args: &[String]) -> CommandResult {
    sandbox.run(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// All journals of the store with their bytes.
fn journals(sandbox: &Sandbox) -> BTreeMap<PathBuf, Vec<u8>> {
    let episodes =
        sandbox.sessions("work/runs").into_iter().flat_map(|session| fs::read_dir(session).unwrap());
    let paths = episodes.map(|episode| episode.unwrap().path().join("journal.jsonl"));
    paths.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn share(variant: &Value, measure: &str) -> (u64, u64) {
    let shares = variant["shares"].as_array().unwrap();
    let found = shares.iter().find(|share| share["measure"] == measure).unwrap();
    (found["count"].as_u64().unwrap(), found["of"].as_u64().unwrap())
}

#[test]
fn the_report_has_the_shares_of_the_script_and_the_threshold_decides_the_exit_code() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::OwnReplies);
    server.decides_by(COT);
    let result = run(&sandbox, &ask(&server.url(), &["--threshold", "readable>=1"]));
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    let plan = &of_type(&objects, "suite_ask")[0];
    assert_eq!(
        (&plan["states"], &plan["calls"], &plan["calls_left"], &plan["played"]),
        (&json!(50), &json!(200), &json!(200), &json!(50))
    );
    assert_eq!(server.requests().len(), CALLS);
    let seeds: std::collections::BTreeSet<u64> =
        server.requests().iter().map(|request| request["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds.len(), CALLS, "each call has a seed of its own");

    let variants = of_type(&objects, "suite_variant");
    let counted = [("Left", LEFT), ("Up", UP)];
    for (variant, (action, counts)) in variants.iter().zip(&counted) {
        for (measure, count) in [
            ("optimal", counts.optimal),
            ("accepted", counts.optimal),
            ("wasteful", counts.wasteful),
            ("losing", counts.losing),
            ("legal", counts.optimal + counts.wasteful + counts.losing),
            ("mistake", counts.mistake),
            ("readable", STATES),
        ] {
            let expected = ((count * SAMPLES) as u64, (STATES * SAMPLES) as u64);
            assert_eq!(share(variant, measure), expected, "{action} {measure}");
        }
        assert_eq!(variant["categories"].as_array().unwrap().len(), 5);
    }
    order_of_the_states(&of_type(&objects, "suite_answers"));
    let comparison = &of_type(&objects, "suite_comparison")[0];
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    let [left, up] = counted.map(|(_, counts)| number(counts.optimal) / number(STATES));
    let expected = up - left;
    assert!((comparison["difference"].as_f64().unwrap() - expected).abs() < 1e-9, "{comparison}");
    let end = &of_type(&objects, "suite_result")[0];
    assert_eq!(
        (&end["complete"], &end["recordings_unchanged"], &end["states_unchanged"]),
        (&json!(true), &json!(true), &json!(true))
    );
    asked_again(&sandbox, &server, &variants, left);
}

/// The states in which `Left` and `Up` are not equally right come first.
fn order_of_the_states(states: &[Value]) {
    assert_eq!(states.len(), STATES);
    let ranges: Vec<f64> = states.iter().map(|state| state["range"].as_f64().unwrap()).collect();
    assert!(ranges.is_sorted_by(|one, next| one >= next), "{ranges:?}");
    for state in states {
        let optimal = |action: &str| state["verdicts"][action] == "optimal";
        let expected = f64::from(u8::from(optimal("Left") != optimal("Up")));
        assert!((state["range"].as_f64().unwrap() - expected).abs() < 1e-9, "{state}");
        assert!(state["run"].as_str().unwrap().starts_with("suite-mistakes/"), "{state}");
    }
}

/// The same command makes no call, `--show` prints the same, a missed threshold ends with 100, and the recordings stay.
fn asked_again(sandbox: &Sandbox, server: &Server, variants: &[Value], optimal: f64) {
    let before = journals(sandbox);
    assert_eq!(before.len(), STATES);
    let above = format!("0s-CoT:optimal>={}", optimal + 0.01);
    let missed = run(sandbox, &ask(&server.url(), &["--threshold", &above, "--confirm", "confirm.toml"]));
    assert_eq!(missed.code, Some(100), "{}", missed.err);
    let objects = missed.json_lines();
    assert_eq!(of_type(&objects, "suite_ask")[0]["played"], 0);
    assert_eq!(of_type(&objects, "suite_variant"), variants);
    let threshold = &of_type(&objects, "suite_threshold")[0];
    assert_eq!((&threshold["met"], &threshold["variant"]), (&json!(false), &json!(1)));
    let plan = sandbox.run(&["sweep", "plan", "confirm.toml", "--json"]);
    assert_eq!((plan.code, plan.err.as_str()), (Some(0), ""));
    assert_eq!(of_type(&plan.json_lines(), "sweep_cell").len(), 2, "{}", plan.out);
    let at = format!("1:optimal>={optimal}");
    margins(sandbox);
    let show = ["ask", "mistakes", "--show", "--store", "runs", "--threshold", &at];
    let shown = sandbox.run(&[&show[..], &["--json"]].concat());
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""));
    assert_eq!(of_type(&shown.json_lines(), "suite_variant"), variants);
    let text = sandbox.run(&show).success();
    for part in
        ["50 states", "mageyard view suite-mistakes/", "pairs of whole episodes", "stuck corner", ": met"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(server.requests().len(), CALLS, "no further call");
    assert_eq!(journals(sandbox), before);
    let address = text.split("mageyard view ").nth(1).unwrap().split_whitespace().next().unwrap();
    sandbox.run(&["ask", address, "--show", "--store", "runs"]).success();
}

/// `Up` is right in fewer states than `Left`, and how much worse it may be decides the exit code.
fn margins(sandbox: &Sandbox) {
    let shown = |margin: &str| {
        sandbox.run(&["ask", "mistakes", "--show", "--store", "runs", "--json", "--margin", margin])
    };
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    let up = (number(UP.optimal) - number(LEFT.optimal)) / number(STATES);
    for (margin, code, base, difference, verdict) in [
        ("0.5", 0, 1, up, "not_worse"),
        ("0s-CoT:0.01", 100, 1, up, "undecided"),
        ("2:0.5", 0, 2, -up, "not_worse"),
    ] {
        let result = shown(margin);
        assert_eq!((result.code, result.err.as_str()), (Some(code), ""), "{margin}");
        let found = of_type(&result.json_lines(), "suite_margin");
        let [found] = found.as_slice() else { panic!("{found:?}") };
        assert!((found["difference"].as_f64().unwrap() - difference).abs() < 1e-9, "{found}");
        assert_eq!(
            json!([found["base"], found["variant"], found["verdict"], found["met"], found["states"]]),
            json!([base, 3 - base, verdict, code == 0, STATES])
        );
        let [low, high] = ["low", "high"].map(|end| found[end].as_f64().unwrap());
        assert!(low < difference && difference < high, "{found}");
    }
    let text = sandbox.run(&["ask", "mistakes", "--show", "--store", "runs", "--margin", "0.5"]).success();
    assert!(text.contains("margin 0.5: variant 2 (HD-CoT) with variant 1 (0s-CoT): -6.0 points ("), "{text}");
    assert!(text.contains(" in 50 states: not worse by more than 50 points"), "{text}");
    shown("5").fails_with(2, &["--margin: \"5\" has no number from 0 to 1"]);
    shown("XX:0.1").fails_with(2, &["--margin: no variant is \"XX\""]);
}

#[test]
fn a_killed_ask_about_a_suite_is_completed_by_the_same_command() {
    let sandbox = Sandbox::new();
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(5)));
    server.decides_by(COT);
    let args = ask(&server.url(), &["--concurrency", "4"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(40);
    while server.requests().len() < 60 {
        assert!(Instant::now() < deadline, "only {} requests", server.requests().len());
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    assert_eq!(wait(&mut child), None);
    let stored = |sandbox: &Sandbox| -> usize {
        let asks = journals(sandbox).into_keys().map(|journal| journal.with_file_name("asks"));
        let folders = asks.filter(|asks| asks.is_dir()).flat_map(|asks| fs::read_dir(asks).unwrap());
        let calls = folders.map(|folder| fs::read_to_string(folder.unwrap().path().join("calls.jsonl")));
        calls.map(|calls| calls.map_or(0, |text| text.matches('\n').count())).sum()
    };
    let kept = stored(&sandbox);
    assert!((20..CALLS).contains(&kept), "{kept} calls");
    let before = server.requests().len();
    let result = run(&sandbox, &ask(&server.url(), &[]));
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    assert_eq!(of_type(&result.json_lines(), "suite_result")[0]["complete"], true);
    assert_eq!(server.requests().len() - before, CALLS - kept, "only the missing calls are made");
    assert_eq!(stored(&sandbox), CALLS);
    assert_eq!(journals(&sandbox).len(), STATES, "no state is played twice");
}

/// The recording cannot be played again and has no solver, so the answers are compared with what was done.
#[test]
fn a_suite_of_recordings_without_their_environment_is_judged_by_what_was_done() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::OwnReplies);
    record(&sandbox, "pages");
    for step in ["pages#1", "pages#2"] {
        sandbox.run(&["tag", step, "hard", "--store", "runs"]).success();
    }
    let made = sandbox.run(&["suite", "new", "pages-hard", "--tag", "hard", "--store", "runs", "--json"]);
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
    let made = made.json_lines().remove(0);
    assert_eq!((&made["states"], &made["recorded_only"]), (&json!(2), &json!(2)));
    let text = fs::read_to_string(sandbox.path("config/mageyard/suites/pages-hard.toml")).unwrap();
    assert!(!text.contains("actions =") && !text.contains("text ="), "{text}");
    for _ in 0..4 {
        server.queue_reply("# Analyze\nx\n# Regenerate\n```html\n<p>\n```");
    }
    let url = server.url();
    let common = ["ask", "pages-hard", "--models", "mock", "--samples", "2", "--json", "--base-url", &url];
    let prompts = ["--prompts", "0s-CoT", "--store", "runs"];
    let result = sandbox.run(&[&common[..], &prompts, &["--threshold", "accepted>=0.5"]].concat());
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    let variant = &of_type(&objects, "suite_variant")[0];
    assert_eq!((share(variant, "accepted"), share(variant, "readable")), ((2, 4), (4, 4)), "step 2 wrote it");
    assert_eq!(variant["shares"].as_array().unwrap().len(), 2, "nothing else can be judged");
    let states = of_type(&objects, "suite_answers");
    assert!(states.iter().all(|state| state["accepted_by"] == "recording"), "{states:?}");
    sandbox
        .run(&[&common[..], &prompts, &["--threshold", "optimal>=0.5"]].concat())
        .fails_with(2, &["optimal cannot be judged in any state"]);
    sandbox
        .run(&[&common[..], &["--prompts", "0s-CoT", "--store", "other"]].concat())
        .fails_with(2, &["state 1: pages/0001#1 is not in the store", "copy the recorded session"]);
}

#[test]
fn a_suite_opens_where_its_recordings_are_absent_and_a_state_that_differs_is_refused() {
    let sandbox = Sandbox::new();
    let played = ["run", "sokoban/full/1", "--agent", "faulty", "--max-steps", "9", "--seed", "3"];
    sandbox.run(&[&played[..], &["--store", "runs"]].concat());
    let new = ["suite", "new", "nine", "last#2", "last#6", "--out", "nine.toml", "--store", "runs"];
    sandbox.run(&[&new[..], &["--about", "two states"]].concat()).success();
    sandbox.run(&new).fails_with(2, &["exists"]);
    for store in ["runs", "other"] {
        let checked = sandbox.run(&["suite", "check", "nine.toml", "--store", store]).success();
        let how = if store == "runs" { "recorded and played" } else { "played" };
        assert_eq!(checked.matches(how).count(), 2, "{checked}");
    }
    let dry = ["ask", "nine.toml", "--models", "m", "--prompts", "0s-CoT", "--dry-run", "--store", "other"];
    let text = sandbox.run(&dry).success();
    assert!(text.contains("2 states were played into the session suite-nine"), "{text}");
    assert!(!sandbox.run(&dry).success().contains("were played"), "they are there now");
    let view = sandbox.run(&["view", "suite-nine/2", "--json", "--store", "other"]);
    assert!(view.code == Some(0) && view.out.contains("\"action\""), "{}", view.err);

    let path = sandbox.path("work/nine.toml");
    let whole = fs::read_to_string(&path).unwrap();
    let digest = whole.split("digest = \"").nth(2).unwrap()[..16].to_owned();
    fs::write(&path, whole.replace(&digest, "0123456789abcdef")).unwrap();
    for store in ["runs", "other", "third"] {
        let says = ["nine.toml:", "state 2:", "0123456789abcdef"];
        sandbox.run(&[&dry[..7], &["--store", store]].concat()).fails_with(2, &says);
    }
    assert!(!sandbox.path("work/third/suite-nine/0002").exists(), "no wrong state is stored");
    wrong_files(&sandbox, &path, &whole);
}

/// Each mistake in a file is reported with its line and field, and what to do.
fn wrong_files(sandbox: &Sandbox, path: &Path, whole: &str) {
    for (from, to, says) in [
        ("schema = 1", "schema = 9", &["nine.toml:2", "schema: 9 is not 1", "use the program"][..]),
        ("[settings]", "color = 1\n\n[settings]", &["unknown field", "color"]),
        ("memory.am = 5", "memory.ma = 5", &["unknown setting ma in [memory]", "did you mean"]),
        (
            "level = \"sokoban/full/1\"",
            "level = \"sokoban/full/2\"",
            &["there is no [[level]] sokoban/full/2"],
        ),
        ("/0001#2\"\ndigest", "/0001#x\"\ndigest", &["address:", "not a step number"]),
        ("actions = [\"", "actions = [\"Jump\", \"", &["state 1:", "\"Jump\", is not possible there"]),
        ("environment = \"sokoban\"", "environment = \"sokobam\"", &["did you mean sokoban?"]),
    ] {
        assert!(whole.contains(from), "{from}: {whole}");
        fs::write(path, whole.replacen(from, to, 1)).unwrap();
        sandbox.run(&["suite", "check", "nine.toml", "--store", "other"]).fails_with(2, says);
    }
    sandbox
        .run(&["ask", "nothing", "--models", "m"])
        .fails_with(2, &["nothing names no step, and no suite has this name", "mistakes"]);
    sandbox
        .run(&["ask", "mistakes", "--models", "m", "--target", "legal"])
        .fails_with(2, &["--target has no effect on a suite"]);
    sandbox
        .run(&["ask", "mistakes", "--models", "m", "--threshold", "optimle>=0.5"])
        .fails_with(2, &["names no share", "did you mean optimal?"]);
}

#[test]
fn a_step_is_added_below_what_the_file_has_and_a_shipped_suite_stays_as_it_is() {
    let sandbox = Sandbox::new();
    let run = |level: &str, am: &str| {
        sandbox.run(&["run", level, "--agent", "oracle", "--max-steps", "4", "--am", am]).success();
    };
    run("sokoban/full/1", "2");
    sandbox.run(&["suite", "add", "walls", "last#3", "--why", "a wall", "--category", "wall"]).success();
    let path = sandbox.path("config/mageyard/suites/walls.toml");
    let before = fs::read_to_string(&path).unwrap() + "accept = [\"Up\"] # by hand\n";
    fs::write(&path, &before).unwrap();
    run("sokoban/full/2", "5");
    let added = sandbox.run(&["suite", "add", "walls", "last#2", "last#3", "--json"]).json_lines().remove(0);
    assert_eq!(
        (&added["states"], &added["added"], &added["recorded_only"]),
        (&json!(3), &json!(2), &json!(0))
    );
    let after = fs::read_to_string(&path).unwrap();
    let new = after.strip_prefix(before.trim_end()).expect("what was there stays as it was");
    assert_eq!(
        (new.matches("[[level]]").count(), new.matches("settings.memory.am = 5").count()),
        (1, 2),
        "{new}"
    );
    let checked = sandbox.run(&["suite", "check", "walls"]).success();
    assert_eq!(checked.matches("recorded and played").count(), 3, "{checked}");
    sandbox.run(&["suite", "add", "walls", "last#2"]).fails_with(2, &["#2 is state 2 of walls already"]);
    sandbox
        .run(&["suite", "add", "mistakes", "last#2"])
        .fails_with(2, &["mistakes is shipped with the program", "choose another name, such as my-mistakes"]);
    run("hanoi", "5");
    sandbox
        .run(&["suite", "add", "walls", "last/1#2"])
        .fails_with(2, &["walls has states of sokoban, and the steps are of hanoi", "another suite"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), after, "nothing was written");
}
