//! What is retried, what stops a run, and what is shown while a request waits.

use super::agent_fixture::{RecordingObserver, agent, ask, request};
use crate::server::{Behavior, Server};
use mageyard_domain::{AgentError, EndpointFailure, Treatment};
use serde_json::json;

#[tokio::test]
async fn a_failure_that_may_pass_is_retried() {
    for (behavior, class) in [
        (Behavior::TooEarlyOnce, EndpointFailure::Status(425)),
        (Behavior::OverloadedOnce, EndpointFailure::Status(529)),
        (Behavior::Flaky, EndpointFailure::Status(500)),
        (Behavior::BadGatewayInsideOnce, EndpointFailure::WithinReply(Some(502))),
        (Behavior::BreaksAfterUsageOnce, EndpointFailure::Interrupted),
        (Behavior::SilentOnce, EndpointFailure::Silent),
    ] {
        let server = Server::start(behavior);
        let observer = RecordingObserver::new(request());
        let mut agent = agent(&server.url(), &json!({"timeout": 1}));
        ask(agent.as_mut(), &request(), &observer).await.unwrap();
        assert_eq!(server.requests().len(), 2, "{behavior:?}");
        let tries = observer.tries.lock().unwrap();
        let [Some(error), None] = &tries[..] else { panic!("{tries:?}") };
        assert_eq!(EndpointFailure::of(error), Some(class), "{error}");
    }
}

#[tokio::test]
async fn a_failure_that_stays_is_not_retried() {
    for (behavior, treatment) in [
        (Behavior::Unauthorized, Treatment::StopRun),
        (Behavior::Forbidden, Treatment::StopRun),
        (Behavior::QuotaUsedUp, Treatment::StopRun),
        (Behavior::NoModel, Treatment::StopRun),
        (Behavior::Moved, Treatment::StopRun),
        (Behavior::NoField, Treatment::GiveUp),
        (Behavior::StallsMidway, Treatment::GiveUp),
        (Behavior::HtmlPage, Treatment::GiveUp),
    ] {
        let server = Server::start(behavior);
        let mut agent = agent(&server.url(), &json!({"timeout": 1}));
        let observer = RecordingObserver::new(request());
        let error = ask(agent.as_mut(), &request(), &observer).await.unwrap_err();
        assert_eq!(EndpointFailure::of(&error).unwrap().treatment(), treatment, "{error}");
        assert_eq!(server.requests().len(), 1, "{behavior:?}");
    }
}

#[tokio::test]
async fn a_pause_that_is_too_long_is_named() {
    let server = Server::start(Behavior::BusyLong);
    let mut agent = agent(&server.url(), &json!({}));
    let error = ask(agent.as_mut(), &request(), &RecordingObserver::new(request())).await.unwrap_err();
    assert!(matches!(error, AgentError::PauseTooLong { seconds: 3600, most: 120, .. }), "{error}");
    let text = error.to_string();
    assert!(text.ends_with("; the server asks to wait 1 h, and a request waits 2 min at most"), "{text}");
    assert_eq!(server.requests().len(), 1);
}
