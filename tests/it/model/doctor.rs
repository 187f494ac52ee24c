//! `doctor --model` with servers that drop or refuse a part of what they are sent.

use serde_json::Value;

use super::runs::sandbox;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// The findings of `doctor --model`.
fn findings(sandbox: &Sandbox, server: &Server, more: &[&str]) -> Vec<Value> {
    let url = server.url();
    let args = [&["doctor", "--model", "mock", "--base-url", &url, "--json"], more].concat();
    sandbox.run(&args).json_lines()
}

fn finding<'a>(rows: &'a [Value], name: &str) -> &'a Value {
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}: {rows:?}"))
}

/// The abilities with their verdicts, except those that work.
fn lacking(rows: &[Value]) -> Vec<(String, String)> {
    let rows = rows.iter().filter(|row| row["ability"].is_string() && row["ability"] != "works");
    let text = |value: &Value| value.as_str().unwrap().replace("model, ", "");
    rows.map(|row| (text(&row["name"]), text(&row["ability"]))).collect()
}

fn pair(ability: &str, verdict: &str) -> (String, String) {
    (ability.to_owned(), verdict.to_owned())
}

#[test]
fn every_ability_of_a_model_that_reads_everything_works() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Seeing);
    let rows = findings(&sandbox, &server, &[]);
    assert_eq!(lacking(&rows), [pair("reasoning", "not_reported")]);
    let names: Vec<_> = rows.iter().filter(|row| row["ability"] == "works").map(|row| &row["name"]).collect();
    assert_eq!(names.len(), 9, "{names:?}");
    assert_eq!(finding(&rows, "model, requests")["detail"], "8 requests were sent");
    assert_eq!(server.requests().len(), 8);
    let several = finding(&rows, "model, several images")["detail"].as_str().unwrap();
    assert!(several.contains("tokens for another image"), "{several}");
    let lists = finding(&rows, "model, lists of texts")["detail"].as_str().unwrap();
    assert!(lists.contains(" tokens for another text"), "{lists}");
    assert_eq!(
        finding(&rows, "model, limits")["detail"],
        "any images, any px a side; frames are sent at 256 px"
    );
    let images = |request: &Value| request.to_string().matches("data:image/png").count();
    assert_eq!(server.requests().iter().map(images).sum::<usize>(), 4);
}

#[test]
fn what_a_server_drops_in_silence_is_not_seen() {
    for (behavior, expected, advice) in [
        (
            Behavior::DropsLists,
            &[("lists of texts", "not_seen"), ("one image", "not_seen"), ("several images", "not_seen")][..],
            "the texts of a list add no prompt tokens, so the server drops them",
        ),
        (
            Behavior::DropsImages,
            &[("one image", "not_seen"), ("several images", "not_seen")],
            "images add no prompt tokens, so the server drops them",
        ),
        (Behavior::DropsSystem, &[("system", "not_seen")], "set model.system_role = false"),
        (
            Behavior::Forgetful,
            &[("system", "not_seen"), ("turns", "not_seen")],
            "set model.system_role = false",
        ),
        (Behavior::NoSchema, &[("JSON schema", "not_seen")], "do not rely on response_format"),
        (
            Behavior::StringsOnly,
            &[("lists of texts", "refused"), ("one image", "refused"), ("several images", "refused")],
            "model.content",
        ),
        (Behavior::NoImages, &[("text", "not_seen")], "follows instructions"),
    ] {
        let sandbox = sandbox();
        let server = Server::start(behavior);
        let rows = findings(&sandbox, &server, &[]);
        let lacking = lacking(&rows);
        for (ability, verdict) in expected {
            assert!(lacking.contains(&pair(ability, verdict)), "{behavior:?}: {lacking:?}");
        }
        let said = rows.iter().any(|row| row["advice"].as_str().is_some_and(|said| said.contains(advice)));
        assert!(said, "{behavior:?}: {rows:?}");
        if behavior != Behavior::NoImages {
            assert_eq!(lacking.len(), expected.len() + 1, "{behavior:?}: {lacking:?}");
        }
    }
}

#[test]
fn nothing_follows_from_a_test_whose_basis_fails() {
    for (behavior, ability, advice) in [
        (Behavior::NoImages, "streaming", "text does not work either, see there"),
        (
            Behavior::DropsImages,
            "several images",
            "images add no prompt tokens, so the server drops them: one image does not work either, see there",
        ),
        (Behavior::StringsOnly, "several images", "one image does not work either, see there"),
    ] {
        let sandbox = sandbox();
        let server = Server::start(behavior);
        let rows = findings(&sandbox, &server, &["--fix"]);
        assert_eq!(finding(&rows, &format!("model, {ability}"))["advice"], advice, "{behavior:?}");
        assert_eq!(finding(&rows, "fix")["detail"], "no setting would help", "{behavior:?}");
    }
    let sandbox = sandbox();
    let server = Server::start(Behavior::NoSystemRole);
    let rows = findings(&sandbox, &server, &[]);
    let system = finding(&rows, "model, system");
    let detail = system["detail"].as_str().unwrap();
    assert_eq!(detail.matches("set model.system_role = false").count(), 1, "{system}");
}

#[test]
fn an_unreachable_model_stops_the_tests_at_once() {
    let sandbox = sandbox();
    let gone = Server::start(Behavior::NoModel);
    let result = sandbox.run(&["doctor", "--model", "mokc", "--base-url", &gone.url()]);
    assert_eq!(result.code, Some(2));
    assert!(
        result.out.contains("is there a model \"mokc\"") && result.out.contains("did you mean mock?"),
        "{}",
        result.out
    );
    assert_eq!(gone.requests().len(), 1, "after a failed text request nothing else is tried");
    let untested = lacking(&findings(&sandbox, &gone, &[]));
    for ability in ["streaming", "one image", "usage", "reasoning"] {
        assert!(untested.contains(&pair(ability, "not_tested")), "{ability}: {untested:?}");
    }
    assert!(sandbox.run(&["doctor", "--model"]).out.contains("a model needs a name"));
    let sandbox = sandbox.with("MAGEYARD_MODEL", "gpt");
    let quiet = Server::start(Behavior::Normal);
    let result = sandbox.with("OPENAI_BASE_URL", &quiet.url()).run(&["doctor"]);
    assert_eq!((result.code, quiet.requests().len()), (Some(0), 0), "no request without --model");
}

#[test]
fn own_limits_are_named_and_not_tested() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Seeing);
    sandbox.write("work/mageyard.toml", "[model]\nside_most = 200\nsystem_role = false\n");
    let rows = findings(&sandbox, &server, &[]);
    let limits = finding(&rows, "model, limits");
    assert!(limits["advice"].as_str().unwrap().starts_with("set model.resolution"), "{limits}");
    let image = finding(&rows, "model, one image");
    assert_eq!(image["ability"], "not_tested");
    assert!(image["detail"].as_str().unwrap().contains("model.side_most"), "{image}");
    assert_eq!(finding(&rows, "model, system")["ability"], "not_tested");
}

#[test]
fn a_suggested_setting_is_written_and_comments_stay() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::DropsSystem);
    sandbox.write("work/mageyard.toml", "# ours\n[model]\nsystem_role = true # all of them\n");
    let rows = findings(&sandbox, &server, &["--fix"]);
    let fix = finding(&rows, "fix, model.system_role")["detail"].as_str().unwrap();
    assert!(fix.contains(":3: replaced - system_role = true"), "{fix}");
    let file = || std::fs::read_to_string(sandbox.path("work/mageyard.toml")).unwrap();
    assert_eq!(file(), "# ours\n[model]\nsystem_role = false # all of them\n");
    let rows = findings(&sandbox, &server, &["--fix"]);
    assert_eq!(finding(&rows, "fix")["detail"], "no setting would help");
}

#[test]
fn refused_fields_are_learned_one_by_one() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::NoSampling);
    let fixes = (0..4).map(|_| findings(&sandbox, &server, &["--fix"])).collect::<Vec<_>>();
    let file = std::fs::read_to_string(sandbox.path("work/mageyard.toml")).unwrap();
    let extra = r#"extra = '{"temperature":null,"top_p":null,"frequency_penalty":null}'"#;
    assert_eq!(file, format!("[model]\n{extra}\n"));
    assert_eq!(lacking(&fixes[3]), [pair("reasoning", "not_reported")]);
}
