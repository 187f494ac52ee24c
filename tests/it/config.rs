//! Settings: each mistake has a message, and every value its origin.

use std::fs;
use std::path::Path;

use crate::sandbox::Sandbox;

/// The shipped settings.
const DEFAULTS: &str = include_str!("../../config.toml");

const USER_FILE: &str = "config/mageyard/config.toml";
const PROJECT_FILE: &str = "work/mageyard.toml";

/// The value and origin of a setting, as printed by `config print`.
fn setting_and_origin(sandbox: &Sandbox, args: &[&str], name: &str) -> (String, String) {
    let result = sandbox.run(&[&["config", "print", "--json"], args].concat());
    let row = result.json_lines().into_iter().find(|row| row["name"] == name).expect(name);
    (row["value"].to_string(), row["from"].as_str().unwrap().to_owned())
}

#[test]
fn every_mistake_gets_a_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/settings");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 27, "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let says: Vec<&str> = text.lines().next().unwrap().trim_start_matches("# ").split(" | ").collect();
        println!("{}", file.display());
        for spot in [USER_FILE, PROJECT_FILE] {
            let sandbox = Sandbox::new();
            sandbox.write(spot, &text);
            let result = sandbox.run(&["config", "check"]);
            result.fails_with(2, &says);
            assert!(
                result.err.contains(Path::new(spot).file_name().unwrap().to_str().unwrap()),
                "{}",
                result.err
            );
        }
    }
}

#[test]
fn a_mistake_is_underlined() {
    let sandbox = Sandbox::new();
    sandbox.write(USER_FILE, "[screen]\nthem = \"light\"\n");
    let result = sandbox.run(&["config", "print"]);
    assert!(result.err.contains(" 2 | them = \"light\"\n"), "{}", result.err);
    assert!(result.err.contains("   : ^^^^\n") || result.err.contains("   : ^^|^"), "{}", result.err);
    assert_eq!(result.out, "");
}

/// The output of `config print` without the origins.
fn values(print: &str) -> Vec<&str> {
    print.lines().map(|line| line.split('#').next().unwrap().trim()).collect()
}

#[test]
fn an_empty_file_equals_the_defaults() {
    let bare = Sandbox::new().run(&["config", "print"]).success();
    for text in ["", "\n", "# nothing\n", "[play]\n[screen]\n", DEFAULTS] {
        let sandbox = Sandbox::new();
        sandbox.write(USER_FILE, text);
        let print = sandbox.run(&["config", "print"]).success();
        assert_eq!(values(&bare), values(&print));
    }
}

#[test]
fn printed_settings_can_be_read_back() {
    let sandbox = Sandbox::new().with("MAGEYARD_SEED", "42");
    let print = sandbox.run(&["config", "print", "--theme", "light"]).success();
    let again = Sandbox::new();
    again.write(USER_FILE, &print);
    assert_eq!(setting_and_origin(&again, &[], "play.seed").0, "42");
    assert_eq!(setting_and_origin(&again, &[], "screen.theme").0, "\"light\"");
}

#[test]
fn each_layer_overrides_the_one_below_and_is_named() {
    let mut sandbox = Sandbox::new();
    assert_eq!(setting_and_origin(&sandbox, &[], "play.seed"), ("0".into(), "default".into()));
    let user = sandbox.write(USER_FILE, "[play]\nseed = 1\n");
    assert_eq!(setting_and_origin(&sandbox, &[], "play.seed"), ("1".into(), format!("{}:2", user.display())));
    let project = sandbox.write(PROJECT_FILE, "\nplay.seed = 2\n");
    let project = fs::canonicalize(project).unwrap();
    assert_eq!(
        setting_and_origin(&sandbox, &[], "play.seed"),
        ("2".into(), format!("{}:2", project.display()))
    );
    sandbox = sandbox.with("MAGEYARD_SEED", "3");
    assert_eq!(setting_and_origin(&sandbox, &[], "play.seed"), ("3".into(), "MAGEYARD_SEED".into()));
    assert_eq!(setting_and_origin(&sandbox, &["--seed", "4"], "play.seed"), ("4".into(), "--seed".into()));
}

#[test]
fn a_config_flag_replaces_the_user_file() {
    let sandbox = Sandbox::new();
    sandbox.write(USER_FILE, "[play]\nseed = 1\n");
    sandbox.write("work/other.toml", "[play]\nmax_steps = 9\n");
    assert_eq!(setting_and_origin(&sandbox, &["--config", "other.toml"], "play.seed").0, "0");
    assert_eq!(setting_and_origin(&sandbox, &["--config", "other.toml"], "play.max_steps").0, "9");
    sandbox
        .run(&["config", "print", "--config", "none.toml"])
        .fails_with(2, &["none.toml: there is no such file"]);
}

#[test]
fn flags_and_variables_are_checked_like_files() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["config", "print", "--am", "many"])
        .fails_with(2, &["--am: memory.am must be a whole number, not \"many\""]);
    sandbox
        .run(&["config", "print", "--max-time", "soon"])
        .fails_with(2, &["--max-time: play.max_time must be a number, not \"soon\""]);
    for seconds in ["0.0001", "-0.5", "1e9"] {
        sandbox
            .run(&["config", "print", "--max-time", seconds])
            .fails_with(2, &["--max-time: play.max_time: ", "is out of range, allowed is 0.001 to 31536000"]);
    }
    sandbox.run(&["config", "print", "--om", "9"]).fails_with(2, &["--om: OM=9 is more than AM=5"]);
    sandbox
        .run(&["config", "print", "--max-steps", "-3"])
        .fails_with(2, &["--max-steps: play.max_steps: -3 is out of range"]);
    let sandbox = sandbox.with("MAGEYARD_PACE", "slow");
    sandbox.run(&["config", "print"]).fails_with(2, &["MAGEYARD_PACE: screen.pace must be a whole number"]);
}

#[test]
fn an_unknown_variable_is_ignored_with_a_warning() {
    for (name, args, words) in [
        ("MAGEYARD_OMM", ["config", "print"], "did you mean MAGEYARD_OM"),
        ("MAGEYARD_ZZZ", ["levels", "list"], "each flag has a variable"),
        ("MAGEYARD_CHROME", ["config", "print"], "did you mean MAGEYARD_CHROMIUM"),
    ] {
        let result = Sandbox::new().with(name, "3").run(&args);
        let warning = format!("warning: there is no variable {name}, so it is ignored; {words}");
        assert!(result.code == Some(0) && result.err.starts_with(&warning), "{result:?}");
    }
    // The variable of another verb's flag is accepted.
    Sandbox::new()
        .with("MAGEYARD_REPEATS", "2")
        .with("MAGEYARD_CONFIG", "/dev/null")
        .run(&["levels", "list"])
        .success();
}

#[test]
fn a_variable_names_the_browser() {
    let browser = |sandbox: &Sandbox, args: &[&str]| {
        let result = sandbox.run(&[&["doctor", "--browser", "--json"], args].concat());
        let row = result.json_lines().into_iter().find(|row| row["name"] == "browser").unwrap();
        assert_eq!((result.code, &row["verdict"]), (Some(2), &"fail".into()), "{row}");
        row["detail"].as_str().unwrap().to_owned()
    };
    let sandbox = Sandbox::new().with("MAGEYARD_CHROMIUM", "browsers/script");
    let path = fs::canonicalize(sandbox.path("work")).unwrap().join("browsers/script");
    let place = path.display();
    let missing = format!("MAGEYARD_CHROMIUM: the setting browser.program is {place}, which cannot be run: ");
    assert!(browser(&sandbox, &[]).starts_with(&missing));
    sandbox.write("work/mageyard.toml", "browser.program = \"in-the-file\"\n");
    assert!(browser(&sandbox, &[]).starts_with(&missing), "a variable is stronger than a file");
    let flag = browser(&sandbox, &["--set", "browser.program=/no/such"]);
    assert!(flag.starts_with("--set: the setting browser.program is /no/such, "), "{flag}");
    sandbox.write_program("work/browsers/script", "#!/bin/sh\necho this is no browser >&2\nexit 1\n");
    let started = format!("{place} (named by MAGEYARD_CHROMIUM) does not start: this is no browser");
    assert_eq!(browser(&sandbox, &[]), started);
    let printed = setting_and_origin(&sandbox, &[], "browser.program");
    assert_eq!(printed, (format!("\"{place}\""), "MAGEYARD_CHROMIUM".into()));
    let empty = Sandbox::new().with("MAGEYARD_CHROMIUM", "");
    assert_eq!(setting_and_origin(&empty, &[], "browser.program"), ("\"\"".into(), "default".into()));
}

#[test]
fn a_flag_that_the_verb_ignores_is_refused() {
    let result = Sandbox::new().run(&["--seed", "3", "levels", "list"]);
    result.fails_with(2, &["--seed has no effect in front of the verb", "mageyard levels ... --seed"]);
    let result = Sandbox::new().run(&["--resume", "last", "run", "sokoban/mini"]);
    result.fails_with(2, &["--resume has no effect in front of the verb", "mageyard run ... --resume"]);
    let sandbox = Sandbox::new().with("MAGEYARD_SEED", "3");
    sandbox.run(&["levels", "list"]).success();
    let store = sandbox.path("elsewhere").display().to_string();
    let global = sandbox.run(&["--store", &store, "config", "print"]).success();
    assert!(global.contains(&store), "{global}");
}

#[test]
fn binary_files_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write(USER_FILE, b"[play]\nagent = \"\xff\"\n");
    sandbox
        .run(&["config", "check"])
        .fails_with(2, &["config.toml:2: is not UTF-8 text: invalid byte at position 17"]);
    sandbox.write(USER_FILE, vec![b'#'; (1 << 20) + 1]);
    sandbox.run(&["config", "check"]).fails_with(2, &["is larger than 1 MiB"]);
}

#[test]
fn a_settings_folder_that_is_a_file_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("config/mageyard", "not a folder");
    sandbox
        .run(&["config", "print"])
        .fails_with(2, &["config.toml: a part of this path is a file, not a folder"]);
    let doctor = sandbox.run(&["doctor"]);
    assert_eq!(doctor.code, Some(2));
    assert!(doctor.out.contains("mageyard is a file, not a folder"), "{}", doctor.out);
    assert_eq!(sandbox.run(&["config", "path"]).code, Some(0));
}

#[test]
fn read_only_verbs_write_nothing() {
    let sandbox = Sandbox::new();
    for args in [&["config", "check"][..], &["doctor"], &["check"], &["levels", "list"], &["config", "path"]]
    {
        sandbox.run(args);
    }
    for folder in ["home", "config", "data", "state", "cache"] {
        assert!(!sandbox.path(folder).exists(), "{folder}");
    }
}
