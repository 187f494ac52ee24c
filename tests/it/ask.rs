//! `ask`: a recorded state is put to prompts, windows and models by a scripted server. The recording is never changed.

mod control;
mod from_text;
mod left_out;
mod merged;
mod odds;
mod servers;
mod to_end;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use crate::page_recordings::record;
use crate::sandbox::{CommandResult, Sandbox, wait, wait_with_output};
use crate::server::{Behavior, Server, ServerState};

/// Three prompts and four windows, of which AM=1 OM=3 is not possible, with five samples: 45 calls.
const GRID: [&str; 10] = [
    "ask",
    "last#7",
    "--prompts",
    "0s-CoT,HD-CoT,HD-CoT-NoIMG",
    "--am",
    "1,5",
    "--om",
    "1,3",
    "--models",
    "mock",
];
const CALLS: usize = 45;

/// What the script answers, one after the other; the last one cannot be read.
const SCRIPT: [&str; 7] = ["Down", "Left", "Down", "Up", "Right", "Down", "nonsense"];

/// A session of nine steps that the solver played, in the store `runs`.
fn played() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let args = ["run", "sokoban/full/1", "--agent", "oracle", "--max-steps", "9", "--store", "runs"];
    assert_eq!(sandbox.run(&args).code, Some(0));
    let journal = sandbox.sessions("work/runs").remove(0).join("0001/journal.jsonl");
    (sandbox, journal)
}

fn ask(url: &str, more: &[&str]) -> Vec<String> {
    let args = [&GRID[..], &["--store", "runs", "--json", "--base-url", url], more].concat();
    args.into_iter().map(str::to_owned).collect()
}

fn run(sandbox: &Sandbox, args: &[String]) -> CommandResult {
    sandbox.run(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

fn of_type(objects: &[Value], sort: &str) -> Vec<Value> {
    objects.iter().filter(|object| object["type"] == sort).cloned().collect()
}

fn script(number: usize) -> &'static str {
    SCRIPT[number % SCRIPT.len()]
}

/// The window that the turns of a request show: the outputs, and the turns that have an image.
fn window(request: &Value) -> (usize, usize) {
    let turns = request["messages"].as_array().unwrap();
    let outputs = turns.iter().filter(|turn| turn["role"] == "assistant").count();
    let is_image = |part: &&Value| part["type"] == "image_url";
    let images =
        turns.iter().filter_map(|turn| turn["content"].as_array()).flatten().filter(is_image).count();
    (outputs, images)
}

#[test]
fn the_table_is_that_of_the_script_and_nothing_else_changes() {
    let (sandbox, journal) = played();
    let bytes = fs::read(&journal).unwrap();
    let server = Server::start(Behavior::Normal);
    for number in 0..CALLS {
        server.queue_reply(&format!("# analyze\nx\n\n# action\n{}\n", script(number)));
    }
    let args = ask(&server.url(), &["--target", "optimal", "--concurrency", "1"]);
    let result = run(&sandbox, &args);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    let requests = server.requests();
    assert_eq!(requests.len(), CALLS);

    let plan = &of_type(&objects, "ask")[0];
    assert_eq!((&plan["calls"], &plan["calls_left"]), (&json!(45), &json!(45)));
    assert_eq!((&plan["target_actions"], &plan["exploratory"]), (&json!(["Down"]), &json!(false)));
    assert_eq!((&plan["taken"], &plan["oracle"]), (&json!("Down"), &json!("Down")));
    let struck = plan["struck"].as_array().unwrap();
    assert_eq!((struck.len(), &struck[0]["am"], &struck[0]["om"]), (1, &json!(1), &json!(3)));
    assert!(struck[0]["why"].as_str().unwrap().contains("OM=3 is more than AM=1"), "{struck:?}");

    // What the server received and answered, by the seed of each request.
    let calls = of_type(&objects, "ask_call");
    let seed = |value: &Value| value.as_u64().expect("each call has a seed");
    let by_seed: BTreeMap<u64, &Value> = calls.iter().map(|call| (seed(&call["call_seed"]), call)).collect();
    assert_eq!(by_seed.len(), CALLS, "every seed is another one");
    let variants = of_type(&objects, "ask_variant");
    assert_eq!(variants.len(), 9);
    let mut expected: BTreeMap<u64, BTreeMap<&str, u64>> = BTreeMap::new();
    for (number, request) in requests.iter().enumerate() {
        let call = by_seed[&seed(&request["seed"])];
        let index = call["variant"].as_u64().unwrap();
        let variant = &variants[usize::try_from(index).unwrap() - 1];
        let images = if variant["prompt"] == "HD-CoT-NoIMG" { 0 } else { variant["om"].as_u64().unwrap() };
        let sent = window(request);
        assert_eq!((sent.0 as u64, sent.1 as u64), (variant["am"].as_u64().unwrap(), images), "{variant}");
        *expected.entry(index).or_default().entry(script(number)).or_default() += 1;
    }
    let order: Vec<u64> = calls.iter().map(|call| call["variant"].as_u64().unwrap()).collect();
    assert!(!order.is_sorted(), "the order is random");
    for (variant, counts) in variants.iter().zip(expected.values()) {
        let answers = variant["answers"].as_array().unwrap();
        let found = answers
            .iter()
            .map(|row| (row["action"].as_str().unwrap_or("nonsense"), row["count"].as_u64().unwrap()));
        assert_eq!(&found.collect::<BTreeMap<_, _>>(), counts, "{variant}");
        let count = |name: &str| json!(counts.get(name).copied().unwrap_or_default());
        for field in ["target", "taken", "oracle"] {
            assert_eq!(variant[field]["count"], count("Down"), "{field}");
        }
        assert_eq!((&variant["replies"], &variant["parse_errors"]["count"]), (&json!(5), &count("nonsense")));
        assert_eq!((&variant["tokens_in"], &variant["requests"]), (&json!(5 * 1200), &json!(5)));
    }
    assert_eq!(of_type(&objects, "ask_comparison").len(), 36, "all pairs of nine");

    let end = &of_type(&objects, "ask_result")[0];
    assert_eq!((&end["complete"], &end["replies"]), (&json!(true), &json!(45)));
    assert_eq!(end["state_before"], end["state_after"]);
    assert_eq!(end["recording_unchanged"], true);
    assert_eq!(fs::read(&journal).unwrap(), bytes, "the recording is untouched");
    assert_eq!(
        of_type(&objects, "ask_result")[0]["notes"][0]["kind"],
        "other_name",
        "mock is asked, mock-1 answers"
    );
    looked_at_again(&sandbox, (&args, &server), &variants, end);
}

/// The same command and `--show` print the same table without a call; the requests are stored with their images.
fn looked_at_again(sandbox: &Sandbox, (args, server): (&[String], &Server), variants: &[Value], end: &Value) {
    let again = run(sandbox, args);
    assert_eq!(of_type(&again.json_lines(), "ask")[0]["calls_left"], 0);
    assert_eq!(of_type(&again.json_lines(), "ask_variant"), variants);
    let shown = sandbox.run(&["ask", "last#7", "--show", "--json", "--store", "runs"]);
    assert_eq!(of_type(&shown.json_lines(), "ask_variant"), variants);
    assert_eq!(of_type(&shown.json_lines(), "ask_call").len(), CALLS);
    assert_eq!(server.requests().len(), CALLS, "no further call");
    let text = sandbox.run(&["ask", "last#7", "--show", "--store", "runs"]).success();
    assert!(text.contains("not possible: AM=1 OM=3") && text.contains("36 pairs"), "{text}");
    let folder = PathBuf::from(end["folder"].as_str().unwrap()).join("requests");
    let body: Value =
        serde_json::from_str(&fs::read_to_string(sandbox.path("work").join(&folder).join("1.json")).unwrap())
            .unwrap();
    assert_eq!((&body["model"], body.get("seed")), (&json!("mock"), None));
    let files = fs::read_dir(sandbox.path("work").join(&folder)).unwrap();
    let images =
        files.filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|name| name == "png"));
    assert_eq!(images.count(), 3, "the frames of the largest window");
}

#[test]
fn a_dry_run_and_a_wrong_target_ask_nothing() {
    let (sandbox, journal) = played();
    let server = Server::start(Behavior::Normal);
    let result = run(&sandbox, &ask(&server.url(), &["--dry-run"]));
    let plan = &result.json_lines()[0];
    assert_eq!(
        (&plan["calls_left"], &plan["exploratory"], &plan["unpriced"]),
        (&json!(45), &json!(true), &json!(["mock"]))
    );
    assert!(plan["input_tokens"].as_u64().unwrap() > 45 * 100, "{plan}");
    assert!(!journal.with_file_name("asks").exists(), "a dry run writes nothing");
    run(&sandbox, &ask(&server.url(), &["--target", "Jump"]))
        .fails_with(2, &["--target:", "optimal, legal, readable or an action"]);
    run(&sandbox, &ask(&server.url(), &["--set", "play.max_time=9"]))
        .fails_with(2, &["has no effect on an ask"]);
    sandbox
        .run(&["ask", "last#7", "--store", "runs"])
        .fails_with(2, &["no model is named", "--models NAME,NAME"]);
    sandbox
        .run(&["ask", "last#7", "--store", "runs", "--models", "m", "--am", "1", "--om", "3"])
        .fails_with(2, &["no variant is possible", "OM=3 is more than AM=1"]);
    sandbox
        .run(&["ask", "last#99", "--store", "runs", "--models", "m"])
        .fails_with(2, &["nothing can be asked at step 99"]);
    sandbox.run(&["ask", "last#7", "--show", "--store", "runs"]).fails_with(2, &["nothing was asked at"]);
    assert_eq!(server.requests().len(), 0);
}

/// Starts an ask on a slow server, and waits until so many requests were received.
fn started(sandbox: &Sandbox, server: &Server, requests: usize) -> Child {
    let args = ask(&server.url(), &["--concurrency", "3"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let child = sandbox.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while server.requests().len() < requests {
        assert!(Instant::now() < deadline, "only {} requests", server.requests().len());
        thread::sleep(Duration::from_millis(5));
    }
    child
}

fn slow() -> Server {
    Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(5)))
}

/// The calls that are stored, by variant and sample.
fn stored(journal: &std::path::Path) -> BTreeSet<(u64, u64)> {
    let asks: Vec<_> = fs::read_dir(journal.with_file_name("asks")).unwrap().collect();
    assert_eq!(asks.len(), 1, "one ask");
    let text = fs::read_to_string(asks[0].as_ref().unwrap().path().join("calls.jsonl")).unwrap();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let place = |line: &str| {
        let call: Value = serde_json::from_str(line).unwrap();
        (call["variant"].as_u64().unwrap(), call["sample"].as_u64().unwrap())
    };
    let places: Vec<_> = whole.map(place).collect();
    let distinct: BTreeSet<_> = places.iter().copied().collect();
    assert_eq!(distinct.len(), places.len(), "no call is stored twice");
    distinct
}

#[test]
fn a_cancelled_ask_keeps_what_came_back_and_the_same_command_completes_it() {
    let (sandbox, journal) = played();
    let server = slow();
    let mut child = started(&sandbox, &server, 20);
    Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    let ended = wait_with_output(&mut child);
    assert_eq!((ended.code, ended.err.as_str()), (Some(130), ""));
    let end = of_type(&ended.json_lines(), "ask_result").remove(0);
    assert_eq!((&end["stopped"], &end["complete"]), (&json!("cancelled"), &json!(false)));
    let kept = stored(&journal);
    assert!((10..CALLS).contains(&kept.len()), "{} calls", kept.len());
    assert_eq!(end["replies"], kept.len());
    assert_eq!(of_type(&ended.json_lines(), "ask_call").len(), kept.len());
    let before = server.requests().len();
    let result = run(&sandbox, &ask(&server.url(), &["--concurrency", "9"]));
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    assert_eq!(of_type(&result.json_lines(), "ask")[0]["calls_left"], CALLS - kept.len());
    assert_eq!(of_type(&result.json_lines(), "ask_result")[0]["complete"], true);
    assert_eq!(server.requests().len() - before, CALLS - kept.len(), "only the missing calls are made");
    assert_eq!(stored(&journal).len(), CALLS);
}

#[test]
fn a_killed_ask_is_completed_by_the_same_command() {
    let (sandbox, journal) = played();
    let server = slow();
    let mut child = started(&sandbox, &server, 20);
    child.kill().unwrap();
    assert_eq!(wait(&mut child), None);
    let kept = stored(&journal);
    assert!((10..CALLS).contains(&kept.len()), "{} calls", kept.len());
    // A kill within a write leaves half a line.
    let folder = fs::read_dir(journal.with_file_name("asks")).unwrap().next().unwrap().unwrap().path();
    let calls = folder.join("calls.jsonl");
    let torn = [&fs::read(&calls).unwrap()[..], br#"{"variant":0,"sam"#].concat();
    fs::write(&calls, torn).unwrap();
    let result = run(&sandbox, &ask(&server.url(), &[]));
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    assert_eq!(of_type(&result.json_lines(), "ask")[0]["calls_left"], CALLS - kept.len());
    assert_eq!(of_type(&result.json_lines(), "ask_result")[0]["complete"], true);
    assert_eq!(stored(&journal).len(), CALLS);
}

#[test]
fn a_cache_another_model_and_a_failing_server_are_noticed() {
    let (sandbox, _) = played();
    let notes = |server: &Server| {
        let url = server.url();
        let args = ["ask", "last#3", "--models", "mock", "--store", "runs", "--json", "--base-url", &url];
        let result = sandbox.run(&args);
        assert_eq!(result.code, Some(0), "{}", result.err);
        let notes = of_type(&result.json_lines(), "ask_result")[0]["notes"].clone();
        let notes = notes.as_array().unwrap().iter();
        notes
            .map(|note| (note["kind"].as_str().unwrap().to_owned(), note["text"].to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(notes(&Server::start(Behavior::OwnReplies)), [], "an honest server");
    let stored = notes(&Server::start(Behavior::StoredReplies));
    assert!(
        stored.iter().any(|(kind, text)| kind == "stored_replies" && text.contains("4 of 5 responses")),
        "{stored:?}"
    );
    let switched = notes(&Server::start(Behavior::SwitchesModel));
    let kinds: Vec<_> = switched.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["model_changed", "fingerprint_changed"]);
    assert!(switched[0].1.contains("mock, other-2") && switched[1].1.contains("fp-1, fp-2"), "{switched:?}");

    let server = Server::start(Behavior::Unauthorized);
    let args = [
        "ask",
        "last#3",
        "--models",
        "mock",
        "--store",
        "runs",
        "--base-url",
        &server.url(),
        "--concurrency",
        "1",
        "--samples",
        "30",
    ];
    sandbox.run(&args).fails_with(1, &["calls keep failing", "error 401"]);
    assert_eq!(server.requests().len(), 5, "it gives up");
}

#[test]
fn a_recording_without_its_environment_can_be_asked() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::OwnReplies);
    record(&sandbox, "pages");
    for _ in 0..3 {
        server.queue_reply("# Analyze\nx\n# Regenerate\n```html\n<p>\n```");
    }
    let url = server.url();
    let common = [
        "ask",
        "pages#2",
        "--prompts",
        "0s-CoT",
        "--models",
        "mock",
        "--store",
        "runs",
        "--json",
        "--base-url",
        &url,
    ];
    let args = [&common[..], &["--samples", "3", "--target", "readable", "--am", "1,2"]].concat();
    let result = sandbox.run(&args);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    let plan = &of_type(&objects, "ask")[0];
    assert!(plan["oracle_missing"].as_str().unwrap().contains("no solution"), "{plan}");
    assert!(plan["struck"][0]["why"].as_str().unwrap().contains("the window is fixed"), "{plan}");
    let variant = &of_type(&objects, "ask_variant")[0];
    assert_eq!(
        (&variant["replies"], &variant["target"]["count"], &variant["oracle"]),
        (&json!(3), &json!(3), &Value::Null)
    );
    assert_eq!(variant["taken"]["count"], 3, "the same files as in the recording");
    sandbox.run(&[&common[..], &["--target", "legal"]].concat()).fails_with(2, &["--target:"]);
}
