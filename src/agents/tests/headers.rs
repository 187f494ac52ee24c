//! Headers, query and key header: what reaches the server, and that no value from a variable is stored or shown.

use super::agent_fixture::{RecordingObserver, agent_with, ask, request};
use crate::server::{Behavior, Server};
use mageyard_domain::AgentError;
use serde_json::{Value, json};

const VARIABLES: [(&str, &str); 3] =
    [("MY_KEY", "sk-planted-0123456789"), ("TEAM_TOKEN", "team-secret-4567"), ("SIG", "sig&secret=89ab")];

/// Asks once; returns the error, if there is one, and the head that the server received.
async fn head(
    server: &Server,
    url: &str,
    settings: &Value,
    variables: &[(&str, &str)],
) -> (Option<AgentError>, String) {
    let observer = RecordingObserver::new(request());
    let result = ask(agent_with(url, settings, variables).as_mut(), &request(), &observer).await;
    (result.err(), server.heads().pop().unwrap_or_default())
}

#[tokio::test]
async fn headers_and_query_reach_the_server_with_the_values_of_their_variables() {
    let server = Server::start(Behavior::Normal);
    let settings = json!({
        "key_variable": "MY_KEY",
        "headers": {"X-Team": "vision", "X-Token": "Token ${TEAM_TOKEN}"},
        "query": {"version": "2024 10", "sig": "${SIG}"},
    });
    let (error, head) = head(&server, &server.url(), &settings, &VARIABLES).await;
    assert_eq!(error, None);
    let line = "POST /v1/chat/completions?version=2024+10&sig=sig%26secret%3D89ab";
    assert!(head.starts_with(line), "{head}");
    for line in
        ["authorization: Bearer sk-planted-0123456789", "x-team: vision", "x-token: Token team-secret-4567"]
    {
        assert!(head.lines().any(|found| found == line), "{line:?} is not in {head}");
    }
}

#[tokio::test]
async fn both_addresses_of_azure_work() {
    let server = Server::start(Behavior::Normal);
    let root = server.url().replace("/v1", "/openai");
    let settings = json!({
        "key_variable": "MY_KEY", "key_header": "api-key", "query": {"api-version": "2024-10-21"},
    });
    for (base, path) in [
        (
            format!("{root}/deployments/gpt"),
            "/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
        ),
        (format!("{root}/v1/"), "/openai/v1/chat/completions?api-version=2024-10-21"),
    ] {
        let (error, head) = head(&server, &base, &settings, &VARIABLES).await;
        assert_eq!(error, None);
        assert!(head.starts_with(&format!("POST {path}\n")), "{head}");
        assert!(head.contains("\napi-key: sk-planted-0123456789\n"), "{head}");
        assert!(!head.contains("authorization"), "{head}");
    }
}

#[tokio::test]
async fn a_variable_that_is_not_set_is_named_before_anything_is_sent() {
    let server = Server::start(Behavior::Normal);
    let settings = json!({"headers": {"X-Token": "${MISSING}"}});
    let (error, head) = head(&server, &server.url(), &settings, &[]).await;
    let error = error.unwrap().to_string();
    assert!(
        error.contains("model.headers, X-Token takes its value from MISSING, which is not set"),
        "{error}"
    );
    assert_eq!(head, "");
}
