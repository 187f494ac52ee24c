//! Views of states, questions about them, and what is wrong with failed steps.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::sandbox::Sandbox;

/// The settings of a model without slips and mistakes of form.
const SURE: [&str; 8] = [
    "demo.skill=1",
    "demo.parse_errors=0",
    "demo.invalid_actions=0",
    "demo.refusals=0",
    "demo.cuts=0",
    "demo.loops=0",
    "demo.rate_limits=0",
    "demo.lost_connections=0",
];

const RUN: [&str; 9] =
    ["run", "sokoban/full/1..6", "--agent", "demo", "--model", "demo", "--max-steps", "6", "--prompt=HD-CoT"];

/// The arguments with these settings, the store of the sandbox and JSON.
fn with<'a>(args: &[&'a str], settings: &[&'a str]) -> Vec<&'a str> {
    let settings = settings.iter().flat_map(|setting| ["--set", setting]);
    args.iter().copied().chain(["--store", "runs"]).chain(settings).collect()
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    sandbox.run(&[args, &["--json"]].concat()).json_lines()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn an_episode_can_be_played_in_each_view_that_its_prompt_speaks_of() {
    let sandbox = Sandbox::new();
    let run = [
        "run",
        "sokoban/first/2",
        "--agent",
        "demo",
        "--model",
        "demo",
        "--max-steps",
        "3",
        "--prompt=0s-CoT",
    ];
    for view in ["image", "classic", "contrast", "large", "text", "image-text", "words"] {
        let setting = format!("sokoban.view={view}");
        sandbox.run(&with(&run, &[&setting]));
        let audit = json(&sandbox, &["memory", "audit", "last", "--store", "runs"]).remove(0);
        let parts: BTreeSet<&str> = audit["parts"].as_object().unwrap().keys().map(String::as_str).collect();
        let (has_frame, has_text) = (parts.contains("frame"), parts.contains("state text"));
        assert_eq!(has_frame, !["text", "words"].contains(&view), "{view}: {parts:?}");
        assert_eq!(has_text, ["text", "image-text", "words"].contains(&view), "{view}: {parts:?}");
    }
    let refused = [&run[..8], &["--prompt=HD-CoT-NoIMG"]].concat();
    sandbox.run(&with(&refused, &["sokoban.view=words"])).fails_with(
        2,
        &["HD-CoT-NoIMG does not say that the state is given in the view words", "write {view}"],
    );
    sandbox.run(&with(&run, &["sokoban.view=braille"])).fails_with(2, &["is not one of image, classic"]);
}

#[test]
fn views_and_keep_rules_are_axes_of_an_ask_and_of_a_sweep() {
    let sandbox = Sandbox::new();
    sandbox.run(&with(&RUN, &SURE));
    let ask = ["ask", "last/1#4", "--views", "image,text", "--keep", "none; first", "--samples", "1"];
    let lines = json(&sandbox, &with(&ask, &SURE));
    let variants: Vec<(String, String)> = lines
        .iter()
        .filter(|line| line["type"] == "ask_variant")
        .map(|line| (line["view"].as_str().unwrap().to_owned(), line["keep"].as_str().unwrap().to_owned()))
        .collect();
    let expected = [("image", ""), ("image", "first"), ("text", ""), ("text", "first")];
    assert_eq!(variants, expected.map(|(view, keep)| (view.to_owned(), keep.to_owned())));
    let text = sandbox.run(&with(&ask, &SURE)).success();
    assert!(text.contains("view text, keep first"), "{text}");

    // A prompt that does not say what the state is given as cannot be asked in another view.
    let ask = ["ask", "last/1#4", "--prompts", "HD-CoT-NoIMG", "--views", "words", "--samples", "1"];
    sandbox.run(&with(&ask, &SURE)).fails_with(2, &["no variant is possible", "write {view} there"]);
    let unknown = ["ask", "last/1#4", "--views", "braille"];
    sandbox.run(&with(&unknown, &[])).fails_with(2, &["there is no view braille of sokoban"]);

    sandbox.write(
        "work/views.toml",
        "name = \"views\"\nlevels = [\"sokoban/first/1\"]\n[settings]\nplay.agent = \"demo\"\nplay.max_steps = 2\n\
         [[grid]]\nsokoban.view = [\"image\", \"words\"]\n",
    );
    let planned = json(&sandbox, &["sweep", "plan", "views.toml", "--store", "runs"]);
    let plan = planned.iter().find(|line| line["type"] == "sweep_plan").unwrap();
    assert_eq!(plan["cells"], 2, "{planned:?}");
}

#[test]
fn questions_about_a_state_show_the_same_image_and_are_counted_by_strict_rules() {
    let sandbox = Sandbox::new();
    let blind = [&SURE[..], &["demo.misread=1", "demo.misreading=columns"]].concat();
    sandbox.run(&with(&RUN, &blind));
    let probe =
        ["probe", "last/2#3", "--questions", "boxes,next,left", "--views", "image,text", "--samples", "2"];
    let planned = json(&sandbox, &with(&[&probe[..], &["--dry-run"]].concat(), &blind));
    assert_eq!((planned.len(), &planned[0]["calls"]), (1, &24.into()), "{planned:?}");
    let found = json(&sandbox, &with(&probe, &blind));
    let right = |question: &str, view: &str| {
        let is_wanted = |line: &&Value| line["question"] == question && line["view"] == view;
        let line = found.iter().find(is_wanted).unwrap_or_else(|| panic!("{question} {view}: {found:?}"));
        (line["right"].as_u64().unwrap(), line["replies"].as_u64().unwrap())
    };
    // Mirrored, a board has as many boxes, at other places.
    assert_eq!((right("boxes", "image"), right("boxes", "text")), ((0, 2), (2, 2)));
    assert_eq!((right("left", "image"), right("left", "text")), ((2, 2), (2, 2)));
    assert_eq!(right("next", "text"), (8, 8));
    let again = sandbox.run(&with(&probe, &blind)).success();
    assert!(again.contains("all calls were made before: nothing is sent"), "{again}");

    // The picture of a question is that of the request of the agent.
    let ask = ["ask", "last/2#3", "--am", "1", "--om", "1", "--samples", "1"];
    sandbox.run(&with(&ask, &blind));
    let stored = files(&sandbox.path("work/runs"));
    let pictures: BTreeSet<_> = stored
        .iter()
        .filter(|path| {
            path.extension().is_some_and(|end| end == "png") && path.to_string_lossy().contains("/asks/")
        })
        .map(|path| path.file_name().unwrap().to_owned())
        .collect();
    assert_eq!(pictures.len(), 1, "{pictures:?}");

    let unsure =
        ["demo.skill=1", "demo.parse_errors=1", "demo.invalid_actions=0", "demo.refusals=0", "demo.cuts=0"];
    let unsure = [&unsure[..], &["demo.loops=0", "demo.rate_limits=0", "demo.lost_connections=0"]].concat();
    let found =
        json(&sandbox, &with(&["probe", "last/2#3", "--questions", "player", "--samples", "3"], &unsure));
    let line = found.iter().find(|line| line["type"] == "probe_question").unwrap();
    assert_eq!((&line["right"], &line["unreadable"]), (&0.into(), &3.into()), "{line}");
    sandbox
        .run(&with(&["probe", "last/2#3", "--questions", "colour"], &[]))
        .fails_with(2, &["there is no question colour about sokoban"]);
    sandbox.run(&with(&["probe", "last"], &[])).fails_with(2, &["is neither a step nor a suite"]);
}

#[test]
fn a_diagnosis_recovers_the_known_faults_of_a_simulated_model() {
    let sandbox = Sandbox::new();
    let faults = ["demo.misread=0.3", "demo.bad_plans=0.3", "demo.bad_writing=0.2"];
    let settings = [&SURE[..], &faults].concat();
    sandbox.run(&with(&RUN, &settings));
    let diagnose = ["diagnose", "last", "--samples", "1", "--calls", "120"];
    let found = json(&sandbox, &with(&diagnose, &settings));
    let states: Vec<&Value> = found.iter().filter(|line| line["type"] == "diagnosis").collect();
    assert!(states.len() >= 8, "{}", states.len());
    for state in &states {
        assert_eq!(state["finding"], state["known_fault"], "{state}");
    }
    let kinds: BTreeSet<&str> = states.iter().filter_map(|state| state["finding"].as_str()).collect();
    assert_eq!(kinds, ["planned", "seen", "written"].into(), "{states:?}");
    let shares = found.iter().filter(|line| line["type"] == "diagnosis_share");
    let sum: u64 = shares.map(|line| line["states"].as_u64().unwrap()).sum();
    assert_eq!(sum, states.len() as u64);

    // The same command sends nothing, and the text says the same. In words nothing is seen wrongly.
    let text = sandbox.run(&with(&diagnose, &settings)).success();
    assert!(text.contains("all calls were made before: nothing is sent"), "{text}");
    assert!(text.contains("known fault of the simulated model: what was found"), "{text}");
    let report = sandbox.run(&["report", "last", "--store", "runs"]).out;
    assert!(report.contains("diagnosed: seen wrong"), "{report}");
    let in_words = ["diagnose", "last", "--samples", "1", "--calls", "44", "--views", "words"];
    let found = json(&sandbox, &with(&in_words, &settings));
    assert!(found.iter().all(|line| line["finding"] != "seen" || line["states"] == 0), "{found:?}");

    // A step is diagnosed by its address, and a model without faults has nothing that failed.
    let one = states[0]["run"].as_str().unwrap();
    let found = json(&sandbox, &with(&["diagnose", one, "--samples", "1"], &settings));
    assert_eq!(found.iter().filter(|line| line["type"] == "diagnosis").count(), 1);
    sandbox.run(&with(&RUN, &SURE));
    sandbox.run(&with(&["diagnose", "last"], &SURE)).fails_with(2, &["each action is optimal"]);
}
