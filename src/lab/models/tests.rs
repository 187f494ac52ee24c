use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;

use super::facts::without_user;
use super::*;
use crate::connection::changed_connection;
use crate::seat::recorded_agent;
use crate::testing;
use mageyard_config::{Config, Folders, Origin, SettingOverride, Sources};
use mageyard_domain::sanitize;

/// Answers every request of a connection with this body, on a port of its own.
fn serve(body: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 4096]);
            let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json";
            let _ = write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        }
    });
    port
}

/// A port that nothing listens on.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn config(user: &str, flags: &[(&str, &str)]) -> (tempfile::TempDir, Config) {
    let root = tempfile::tempdir().unwrap();
    let folders = Folders::under(root.path());
    std::fs::create_dir_all(&folders.config).unwrap();
    std::fs::write(folders.user_file(), user).unwrap();
    let flag =
        |(name, text): &(&str, &str)| SettingOverride::new(*name, *text, Origin::Flag(format!("--{name}")));
    let overrides = flags.iter().map(flag).collect();
    let config = Sources { folders, user_file_override: None, overrides }.read().unwrap();
    (root, config)
}

const PROFILES: &str = "[models.a]\nname = \"qwen\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\
    key_variable = \"A_KEY\"\ninput = 1\noutput = 2\ncurrency = \"USD\"\n[models.b]\ntemperature = 7\n";

#[test]
fn profiles_are_listed_with_their_facts_and_never_with_a_key() {
    let lab = crate::Lab::new(
        mageyard_envs::environments(),
        mageyard_agents::AGENTS,
        Arc::new(|name| (name == "A_KEY").then(|| "sk-secret-value".to_owned())),
    );
    let (_root, config) = config(PROFILES, &[("model.name", "gpt-x")]);
    let models = model_facts(&lab, &config).unwrap();
    let kinds: Vec<_> = models.iter().map(|facts| (facts.name.as_str(), facts.kind)).collect();
    let simulated = ["demo", "demo-weak", "demo-strong"].map(|name| (name, ModelKind::Simulated));
    let first = [("a", ModelKind::Profile), ("b", ModelKind::Profile), ("gpt-x", ModelKind::Configured)];
    assert_eq!(kinds, [&first[..], &simulated].concat());
    let a = &models[0];
    assert_eq!((a.model.as_str(), a.url.as_str()), ("qwen", "http://127.0.0.1:9/v1"));
    assert_eq!((a.key_variable.as_deref(), a.is_key_set), (Some("A_KEY"), true));
    assert_eq!(a.price_words(), "1 in, 2 out USD per million tokens");
    assert_eq!(a.place.as_ref().unwrap().line(), 1);
    let problem = models[1].problem.as_ref().unwrap().to_string();
    assert!(problem.contains("config.toml:9: model.temperature"), "{problem}");
    assert!(!format!("{models:?}").contains("sk-secret"), "no value of a key");
    assert_eq!(without_user("https://me:secret@host:1/v1"), "https://host:1/v1");
}

#[test]
fn no_profile_can_have_the_name_of_a_simulated_model() {
    let own = mageyard_agents::AGENTS.iter().filter_map(|row| row.requests).flat_map(|asks| asks.own_models);
    let mut count = 0;
    for name in own {
        assert!(mageyard_config::check_profile_name(name).is_err(), "{name}");
        count += 1;
    }
    assert_eq!(count, 3);
}

#[tokio::test]
async fn servers_of_this_machine_are_found_with_their_models() {
    let lab = testing::lab();
    let ports = [
        (serve("{\"data\":[{\"id\":\"qwen\"},{\"id\":\"qwen\"},{\"id\":\"phi\\u001b[2J\"}]}"), "one"),
        (closed_port(), "absent"),
        (serve("<html>router</html>"), "other"),
    ];
    let found = find_servers_at(&lab, &ports).await.unwrap();
    assert_eq!(found.iter().map(|server| server.program.as_str()).collect::<Vec<_>>(), ["one", "other"]);
    let models = found[0].models.as_ref().unwrap();
    assert_eq!((models.len(), models[0].as_str()), (2, "qwen"));
    assert_eq!(sanitize(&models[1]), models[1].as_str(), "control characters are not shown");
    assert!(found[1].models.as_ref().unwrap_err().contains("is not a list of models"));
}

#[tokio::test]
async fn a_missing_name_is_answered_with_what_the_server_has() {
    let lab = testing::lab();
    let named = |problem: &str| mageyard_config::Problem::new(format!("model.name: {problem}"));
    let missing = named(mageyard_agents::MISSING_NAME);
    let url = format!("http://127.0.0.1:{}/v1", serve("{\"data\":[{\"id\":\"qwen\"},{\"id\":\"phi\"}]}"));
    let (_root, here) = config(PROFILES, &[("model.base_url", &url)]);
    let help = with_served_models(&lab, &here, missing.clone()).await.help.unwrap();
    assert_eq!(help, format!("profiles: a, b; {url} has qwen, phi"));
    let closed = format!("http://127.0.0.1:{}/v1", closed_port());
    let (_root, gone) = config("", &[("model.base_url", &closed)]);
    let help = with_served_models(&lab, &gone, missing.clone()).await.help.unwrap();
    assert!(help.starts_with(&format!("{closed} lists no models (the server cannot be reached")), "{help}");
    let (_root, none) = config("", &[]);
    let help = with_served_models(&lab, &none, missing).await.help.unwrap();
    assert!(help.starts_with("set model.base_url"), "nothing is asked: {help}");
    let other = named("another mistake");
    assert_eq!(with_served_models(&lab, &here, other.clone()).await, other);
}

#[tokio::test]
async fn checks_are_reported_as_they_are_known_and_end_with_the_returned_ones() {
    let lab = testing::lab();
    let url = format!("http://127.0.0.1:{}/v1", serve("{\"error\":{\"message\":\"no\"}}"));
    let (_root, config) = config("", &[("model.name", "m"), ("model.base_url", &url)]);
    let mut seen: Vec<ModelCheck> = Vec::new();
    let checks = check_model(&lab, &config, 1, &mut |check| seen.push(check.clone())).await;
    let first: Vec<&str> = seen.iter().take(3).map(|check| check.name.as_str()).collect();
    assert_eq!(first, ["model, key", "model, proxy", "model, limits"]);
    for check in &checks {
        let newest = seen.iter().rev().find(|seen| seen.name == check.name);
        assert_eq!(newest, Some(check), "the newest result of a check is the final one");
    }
    assert!(checks.iter().any(|check| check.outcome == CheckOutcome::Failed), "{checks:?}");
    assert!(checks.iter().any(|check| check.outcome == CheckOutcome::Unknown), "{checks:?}");
}

#[test]
fn a_profile_is_saved_from_the_settings_in_effect() {
    let lab = testing::lab();
    let (root, start) = config("# mine\n", &[]);
    let path = start.folders().user_file();
    assert!(save_profile(&lab, &start, &path, "a", false).is_err(), "nothing to save");
    let flags =
        [("model.name", "qwen"), ("model.base_url", "http://127.0.0.1:8000/v1"), ("model.top_p", "0.5")];
    let (_other, given) = config("", &flags);
    let saved = save_profile(&lab, &given, &path, "a", false).unwrap();
    assert_eq!((saved.line, saved.is_replaced), (3, false));
    let expected =
        "# mine\n\n[models.a]\nname = \"qwen\"\nbase_url = \"http://127.0.0.1:8000/v1\"\ntop_p = 0.5\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    let again = save_profile(&lab, &given, &path, "a", false).unwrap_err();
    assert!(again.to_string().contains("config.toml:3: there is a profile a"), "{again}");
    assert!(save_profile(&lab, &given, &path, "a", true).unwrap().is_replaced);
    let (_other, secret) = config("", &[("model.base_url", "http://me:secret@host/v1")]);
    assert!(save_profile(&lab, &secret, &path, "b", false).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    drop(root);
}

#[test]
fn an_agent_remembers_its_profile_and_takes_only_its_connection_later() {
    let lab = testing::lab();
    let row = lab.agent("model").unwrap();
    let (_root, here) = config(PROFILES, &[("model.name", "a")]);
    let agent = recorded_agent(&lab, row, "model", &here).unwrap();
    assert_eq!((agent.model.as_deref(), agent.profile.as_deref()), (Some("qwen"), Some("a")));
    let url = |config: &Config| {
        let changed = changed_connection(&lab, &agent, config).unwrap();
        changed.get("base_url").and_then(|url| url.as_str()).map(str::to_owned)
    };
    let (_root, general) = config("[model]\nbase_url = \"http://general/v1\"\n", &[]);
    assert_eq!(url(&general), None, "the settings of another server are not for it");
    let moved = PROFILES.replace("127.0.0.1:9", "127.0.0.1:10");
    let (_root, moved) = config(&moved, &[]);
    assert_eq!(url(&moved).as_deref(), Some("http://127.0.0.1:10/v1"));
    let (_root, flag) = config("", &[("model.base_url", "http://flag/v1")]);
    assert_eq!(url(&flag).as_deref(), Some("http://flag/v1"));
}
