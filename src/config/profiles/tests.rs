use super::*;
use crate::{Config, Folders, SettingOverride, Sources, load_prices};

fn sources(user: &str, project: &str) -> (tempfile::TempDir, Sources) {
    let root = tempfile::tempdir().unwrap();
    let folders = Folders::under(root.path());
    std::fs::create_dir_all(&folders.config).unwrap();
    std::fs::create_dir_all(&folders.working).unwrap();
    std::fs::write(folders.user_file(), user).unwrap();
    std::fs::write(folders.project_file(), project).unwrap();
    (root, Sources { folders, user_file_override: None, overrides: Vec::new() })
}

fn with_flags(sources: &Sources, flags: &[(&str, &str)]) -> Config {
    let flag =
        |(name, text): &(&str, &str)| SettingOverride::new(*name, *text, Origin::Flag(format!("--{name}")));
    Sources { overrides: flags.iter().map(flag).collect(), ..sources.clone() }.read().unwrap()
}

fn value(config: &Config, name: &str) -> (Value, String) {
    let row = config.resolved_settings().iter().find(|row| row.name() == name).unwrap();
    let origin = row.origin.to_string();
    (row.value.clone(), origin.rsplit('/').next().unwrap().to_owned())
}

const USER: &str = "[model]\ntemperature = 0.7\ntop_p = 0.5\nkey_variable = \"MINE\"\n\
    [models.local]\nname = \"qwen\"\nbase_url = \"http://127.0.0.1:8000/v1\"\ntemperature = 0\n\
    [models.warm]\ntemperature = 1.5\n";

#[test]
fn a_profile_is_above_the_files_and_below_flags() {
    let (_root, sources) = sources(USER, "[model]\ntop_p = 0.6\ntemperature = 0.8\n");
    let plain = with_flags(&sources, &[("model.name", "other")]);
    assert_eq!(value(&plain, "model.temperature").0, 0.8);
    assert!(plain.profile().is_none());
    let config = with_flags(&sources, &[("model.name", "local")]);
    assert_eq!(config.profile().unwrap().name, "local");
    assert_eq!(value(&config, "model.name"), ("qwen".into(), "config.toml:6".to_owned()));
    assert_eq!(value(&config, "model.temperature"), (0.into(), "config.toml:8".to_owned()));
    assert_eq!(value(&config, "model.top_p"), (0.6.into(), "mageyard.toml:2".to_owned()));
    assert_eq!(config.given_value("model.name").unwrap().value, "local");
    let config = with_flags(&sources, &[("model.name", "local"), ("model.temperature", "0.3")]);
    assert_eq!(value(&config, "model.temperature"), (0.3.into(), "--model.temperature".to_owned()));
}

#[test]
fn another_model_takes_nothing_of_the_profile_before() {
    let (_root, sources) = sources(&format!("{USER}[play]\nseed = 1\n"), "[model]\nname = \"local\"\n");
    let config = sources.read().unwrap();
    assert_eq!(value(&config, "model.base_url").0, "http://127.0.0.1:8000/v1");
    let other = SettingOverride::new("model.name", "gpt-x", Origin::Flag("--models".to_owned()));
    let config = config.with_overrides(&[other]).unwrap();
    assert_eq!(value(&config, "model.base_url"), ("".into(), "default".to_owned()));
    assert_eq!(value(&config, "model.temperature").0, 0.7);
    let config = config.with_environment_defaults("football", &[("model.max_tokens", "1000")]).unwrap();
    assert_eq!(value(&config, "model.name").0, "gpt-x");
}

#[test]
fn a_profile_with_a_server_takes_no_key_of_another_one() {
    let (_root, mut sources) = sources(USER, "");
    assert_eq!(value(&with_flags(&sources, &[("model.name", "local")]), "model.key_variable").0, "auto");
    let warm = with_flags(&sources, &[("model.name", "warm")]);
    assert_eq!(value(&warm, "model.key_variable").0, "MINE", "it has no server of its own");
    assert_eq!(value(&warm, "model.name"), ("warm".into(), "config.toml:9".to_owned()));
    let variable = |name: &str, url: &str| {
        SettingOverride::new("model.base_url", url, Origin::Variable(name.to_owned()))
    };
    sources.overrides = vec![
        SettingOverride::new("model.name", "local", Origin::Flag("--model".to_owned())),
        variable("OPENAI_BASE_URL", "http://shared/v1"),
    ];
    assert_eq!(value(&sources.read().unwrap(), "model.base_url").0, "http://127.0.0.1:8000/v1");
    sources.overrides.push(variable("MAGEYARD_BASE_URL", "http://own/v1"));
    assert_eq!(value(&sources.read().unwrap(), "model.base_url").0, "http://own/v1");
}

#[test]
fn a_project_changes_single_settings_of_a_profile_of_the_user() {
    let project = "[models.local]\ntemperature = 0.25\n";
    let (_root, sources) = sources(USER, project);
    let config = with_flags(&sources, &[("model.name", "local")]);
    assert_eq!(value(&config, "model.temperature"), (0.25.into(), "mageyard.toml:2".to_owned()));
    assert_eq!(value(&config, "model.name").0, "qwen");
    let names: Vec<_> = config.profiles().iter().map(|profile| profile.name.as_str()).collect();
    assert_eq!(names, ["local", "warm"]);
}

#[test]
fn a_profile_has_the_price_of_its_model() {
    let price = "[models.local]\nname = \"qwen\"\ninput = 0.10\noutput = 2\ncurrency = \"USD\"\n";
    let (_root, sources) = sources(price, "");
    let config = sources.read().unwrap();
    assert_eq!(load_prices(&config).unwrap().find("qwen").unwrap().input.to_string(), "0.1");
    std::fs::write(
        config.folders().prices_file(),
        "currency = \"USD\"\n[models.qwen]\ninput = 0.2\noutput = 2\n",
    )
    .unwrap();
    let error = load_prices(&config).unwrap_err().to_string();
    assert!(error.contains("config.toml:1: qwen has another price"), "{error}");
}

#[test]
fn mistakes_are_reported_with_file_line_field_and_the_known_names() {
    for (text, says) in [
        ("models = 3", "config.toml:1: models is a table of settings, not a value"),
        ("[models]\na = 3", "config.toml:2: models.a is a table of settings, not a value"),
        (
            "[models.a]\ntemprature = 1",
            "config.toml:2: unknown setting temprature in [models.a]; did you mean temperature?",
        ),
        ("[models.a]\nzzzzzz = 1", "known: name, protocol, base_url"),
        ("[models.a]\ntimeout = \"x\"", "config.toml:2: models.a.timeout must be a whole number, not text"),
        ("[models.a]\n\ntop_p = [1]", "config.toml:3: models.a.top_p cannot be a list"),
        ("[models.demo-weak]\n", "config.toml:1: demo-weak is a simulated model inside the program"),
        ("[models.\"a b\"]\n", "config.toml:1: \"a b\" cannot be the name of a profile"),
        ("[models.a]\ninput = 1\noutput = 2", "config.toml:2: a: missing currency"),
        ("[models.a]\ninput = -1", "config.toml:2: models.a.input: -1 is not a decimal"),
    ] {
        let (_root, sources) = sources(text, "");
        let error = sources.read().unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn no_setting_of_a_model_has_the_name_of_a_key_of_a_price() {
    let known = Schema::load().unwrap();
    assert!(MODEL_KEYS.iter().all(|key| known.index_of(&format!("model.{key}")).is_none()));
    for key in OF_SERVER {
        assert!(known.index_of(&format!("model.{key}")).is_some(), "{key}");
    }
}
