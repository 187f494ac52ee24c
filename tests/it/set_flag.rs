//! `--set`: every setting of every table on the command line, with the highest precedence and its own origin.

use serde_json::Value;

use crate::sandbox::Sandbox;

/// The shipped settings.
const DEFAULTS: &str = include_str!("../../config.toml");

/// Value and origin of a setting, as `config print` shows them.
fn setting(sandbox: &Sandbox, args: &[&str], name: &str) -> (Value, String) {
    let result = sandbox.run(&[&["config", "print", "--json"], args].concat());
    assert_eq!(result.code, Some(0), "{result:?}");
    let row = result.json_lines().into_iter().find(|row| row["name"] == name).expect(name);
    (row["value"].clone(), row["from"].as_str().unwrap().to_owned())
}

#[test]
fn every_setting_of_every_table_can_be_set() {
    let sandbox = Sandbox::new();
    let rows = sandbox.run(&["config", "print", "--json"]).json_lines();
    assert!(rows.len() > 50, "{}", rows.len());
    let assignments: Vec<String> = rows
        .iter()
        .map(|row| {
            let text = row["value"].as_str().map_or_else(|| row["value"].to_string(), str::to_owned);
            format!("--set={}={text}", row["name"].as_str().unwrap())
        })
        .collect();
    let all: Vec<&str> = assignments.iter().map(String::as_str).collect();
    let set = sandbox.run(&[&["config", "print", "--json"], &all[..]].concat()).json_lines();
    for (before, after) in rows.iter().zip(&set) {
        assert_eq!(before["value"], after["value"], "{after}");
        assert_eq!((&after["from"], &after["origin"]), (&"--set".into(), &"flag".into()), "{after}");
    }
}

#[test]
fn it_comes_before_files_and_variables() {
    let sandbox = Sandbox::new().with("MAGEYARD_TIMEOUT", "300").with("MAGEYARD_STREAM", "false");
    sandbox.write("work/mageyard.toml", "[model]\ntimeout = 200\n");
    let from = |args: &[&str], name: &str| setting(&sandbox, args, name);
    assert_eq!(from(&[], "model.timeout"), (300.into(), "MAGEYARD_TIMEOUT".into()));
    assert_eq!(from(&["--set", "model.timeout=1_000"], "model.timeout"), (1000.into(), "--set".into()));
    assert_eq!(from(&[], "model.stream"), (false.into(), "MAGEYARD_STREAM".into()));
    assert_eq!(from(&["--stream"], "model.stream"), (true.into(), "--stream".into()));
    assert_eq!(from(&["--no-stream"], "model.stream"), (false.into(), "--no-stream".into()));
    assert_eq!(from(&["--top-p", "0.5"], "model.top_p"), (0.5.into(), "--top-p".into()));
    assert_eq!(from(&["--timeout", "9"], "model.timeout"), (9.into(), "--timeout".into()));
}

#[test]
fn one_entry_of_a_table_is_added_and_printed_settings_can_be_read_back() {
    let sandbox = Sandbox::new();
    sandbox
        .write("work/mageyard.toml", "[model.headers]\nX-Team = \"vision\"\n\"X-Note\" = \"a \\\"b\\\"\"\n");
    let args = ["--set", "model.headers.X-Token=Token ${T}", "--set", "model.query={ a = \"b\" }"];
    let both = r#"{"X-Note":"a \"b\"","X-Team":"vision","X-Token":"Token ${T}"}"#;
    assert_eq!(setting(&sandbox, &args, "model.headers").0.to_string(), both);
    let print = sandbox.run(&[&["config", "print"], &args[..]].concat()).success();
    let again = Sandbox::new();
    again.write("work/mageyard.toml", &print);
    assert_eq!(setting(&again, &[], "model.headers").0.to_string(), both);
    assert_eq!(setting(&again, &[], "model.query").0.to_string(), r#"{"a":"b"}"#);
}

#[test]
fn it_works_before_and_after_every_verb() {
    let sandbox = Sandbox::new();
    let args =
        ["--set", "play.max_steps=3", "config", "--set", "play.seed=4", "print", "--set", "play.max_time=5"];
    let print = sandbox.run(&args).success();
    for line in ["max_steps = 3", "seed = 4", "max_time = 5.0"] {
        assert!(
            print.lines().any(|found| found.starts_with(line) && found.ends_with("# --set")),
            "{line}: {print}"
        );
    }
    let played = sandbox.run(&["run", "sokoban/full/1", "--json", "--set", "play.max_steps=2"]);
    let steps = played.json_lines().iter().filter(|line| line["type"] == "step").count();
    assert_eq!(steps, 2, "{played:?}");
    // A verb that reads no settings still refuses a mistake.
    for verb in [&["man"][..], &["completions", "bash"], &["config", "path"], &["levels", "list"]] {
        let result = sandbox.run(&[verb, &["--set", "play.max_step=1"]].concat());
        result.fails_with(2, &["--set: unknown setting max_step in [play]", "did you mean max_steps"]);
    }
}

#[test]
fn what_would_be_lost_is_refused() {
    let sandbox = Sandbox::new().with("MAGEYARD_TEMPERATURE", "1");
    let print = |args: &[&str]| sandbox.run(&[&["config", "print"], args].concat());
    print(&["--temperature", "1", "--set", "model.temperature=0.5"])
        .fails_with(2, &["--temperature and --set both set model.temperature", "give it once"]);
    print(&["--set", "play.seed=1", "--set", "play.seed=2"]).fails_with(2, &["--set sets play.seed twice"]);
    print(&["--stream", "--no-stream"]).fails_with(2, &["--stream and --no-stream both set model.stream"]);
    print(&["--set", "play.seed"])
        .fails_with(2, &["\"play.seed\" is not a setting and a value", "TABLE.NAME=VALUE"]);
    print(&["--set", "seeds.play=1"]).fails_with(2, &["--set: unknown table [seeds]"]);
    let resumed = sandbox.run(&["run", "--resume", "last", "--set", "model.top_p=0.5"]);
    resumed.fails_with(2, &["--set has no effect with --resume"]);
    let replayed = sandbox.run(&["replay", "last", "--set", "model.timeout=5"]);
    replayed.fails_with(2, &["--set model.timeout has no effect in a replay", "memory.am"]);
    for (print, setting) in [(&["--json"][..], "play.seed=5"), (&["--print", "reply"], "memory.om=1")] {
        let viewed = sandbox.run(&[&["view", "last#1", "--set", setting], print].concat());
        viewed.fails_with(2, &["has no effect on what is printed: a recording keeps the settings"]);
    }
    let viewed = sandbox.run(&["view", "last", "--json", "--set", "distance.states=5"]);
    assert!(!viewed.err.contains("has no effect"), "{viewed:?}");
}

#[test]
fn a_sampling_setting_never_loses_against_extra_without_a_word() {
    let extra = "[model]\nextra = '{\"temperature\": 0.7, \"max_tokens\": null, \"seed\": 1}'\n";
    for (user, project, args, says) in [
        (extra, "", &["--temperature", "0.2"][..], Some("--temperature: model.temperature has no effect")),
        (extra, "", &["--set", "model.max_tokens=9"], Some("config.toml:2) omits the same field")),
        (
            "",
            "",
            &["--temperature", "0.2", "--extra", "{\"temperature\": 1}"],
            Some("model.extra (--extra) sets"),
        ),
        (
            extra,
            "[model]\ntemperature = 0.2\n",
            &[],
            Some("mageyard.toml:2: model.temperature has no effect"),
        ),
        ("[model]\ntemperature = 0.2\nextra = '{\"temperature\": 1}'\n", "", &[], Some("config.toml:2")),
        // A weaker setting is overridden, an equal one is no contradiction, and a default is no choice.
        ("[model]\ntemperature = 0.2\n", extra, &[], None),
        (extra, "", &["--temperature", "0.7"], None),
        (extra, "", &["--extra", "{}", "--temperature", "0.2"], None),
        (extra, "", &["--top-p", "0.2"], None),
        (DEFAULTS, "[model]\nextra = '{\"temperature\": 1}'\n", &[], None),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("config/mageyard/config.toml", user);
        sandbox.write("work/mageyard.toml", project);
        let result = sandbox.run(&[&["config", "print"], args].concat());
        match says {
            Some(says) => result.fails_with(2, &[says, "has no effect", "from model.extra, or this setting"]),
            None => assert_eq!(result.code, Some(0), "{result:?}"),
        }
    }
}
