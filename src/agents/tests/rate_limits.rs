//! A limit per minute is waited for; an empty account and a limit per day are not.

use std::time::{Duration, Instant};

use mageyard_agents::ModelPool;
use mageyard_domain::{AgentError, AgentEvent, Reply};
use serde_json::{Value, json};

use super::agent_fixture::{RecordingObserver, agent_of, ask, request};
use super::raw_server::{RawServer, good, response};

const REPLY: &str = "# analyze\nok\n\n# action\nUp\n";

/// A refusal for a limit of requests with this identifier, which names a delay.
fn exhausted(identifier: &str, delay: &str) -> Value {
    json!({"error": {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [{"violations": [{"quotaId": identifier}]}, {"retryDelay": delay}],
    }})
}

async fn ask_once(server: &RawServer, settings: &Value) -> (Result<Reply, AgentError>, Vec<AgentEvent>) {
    let observer = RecordingObserver::new(request());
    let mut agent = agent_of(&ModelPool::default(), &server.url(), settings);
    let result = ask(agent.as_mut(), &request(), &observer).await;
    (result, observer.events.into_inner().unwrap())
}

/// The times between the requests, in milliseconds.
fn gaps(server: &RawServer) -> Vec<u128> {
    server.times().windows(2).map(|pair| (pair[1] - pair[0]).as_millis()).collect()
}

#[tokio::test]
async fn the_delay_in_a_body_is_waited_for_like_one_in_a_header() {
    let minute = exhausted("RequestsPerMinutePerProject", "0.9s").to_string();
    let said = json!({"error": {"message": "Rate limit reached. Please try again in 900ms."}}).to_string();
    for body in [minute.clone(), format!("[{minute}]"), said] {
        let server = RawServer::start(vec![response(429, "", &body), good(REPLY)]);
        let (result, events) = ask_once(&server, &json!({})).await;
        assert_eq!(result.unwrap().text, REPLY, "{body}");
        let gaps = gaps(&server);
        assert!(gaps.len() == 1 && (900..3000).contains(&gaps[0]), "{gaps:?}");
        let named =
            |event: &AgentEvent| matches!(event, AgentEvent::RetryScheduled { milliseconds: 900, .. });
        assert!(events.iter().any(named), "{events:?}");
    }
}

#[tokio::test]
async fn an_account_without_quota_and_a_limit_per_day_are_asked_once() {
    let empty = json!({"error": {"code": "insufficient_quota", "message": "no money"}});
    for (body, says) in [
        (exhausted("RequestsPerDayPerProject", "0.1s"), "a limit per day or month is reached"),
        (empty, "the account has no quota left"),
    ] {
        let server = RawServer::start(vec![response(429, "", &body.to_string()), good(REPLY)]);
        let error = ask_once(&server, &json!({})).await.0.unwrap_err();
        assert!(matches!(error, AgentError::QuotaExhausted { status: 429, .. }), "{error}");
        assert!(error.to_string().contains(says), "{error}");
        assert_eq!(server.times().len(), 1);
    }
}

#[tokio::test]
async fn a_date_is_measured_by_the_clock_of_the_server() {
    let headers = "date: Sun, 06 Nov 1994 08:49:30 GMT\r\nretry-after: Sun, 06 Nov 1994 08:49:31 GMT\r\n";
    let server = RawServer::start(vec![response(429, headers, "slow down"), good(REPLY)]);
    ask_once(&server, &json!({})).await.0.unwrap();
    let gaps = gaps(&server);
    assert!(gaps.len() == 1 && (1000..4000).contains(&gaps[0]), "{gaps:?}");
}

#[tokio::test]
async fn a_rate_limit_without_a_time_is_waited_for_longer_than_other_errors() {
    let busy = response(429, "", r#"{"error": {"message": "rate limit"}}"#);
    let server = RawServer::start([vec![busy; 4], vec![good(REPLY)]].concat());
    let (result, events) = ask_once(&server, &json!({"max_retries": 1})).await;
    assert_eq!(result.unwrap().text, REPLY);
    let tries: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::RetryScheduled { attempt, most, .. } => Some((*attempt, *most)),
            _ => None,
        })
        .collect();
    assert_eq!(tries, [(2, 2), (3, 0), (4, 0), (5, 0)], "beyond the retries only time limits the tries");
    let gaps = gaps(&server);
    assert!(gaps[3] > gaps[0] && gaps[3] >= 2000, "the waits grow: {gaps:?}");
}

#[tokio::test]
async fn a_setting_bounds_the_wait_and_no_rate_limit_is_a_failure_in_a_row() {
    let server = RawServer::start(vec![response(429, "", "rate limit")]);
    let pool = ModelPool::default();
    let began = Instant::now();
    for _ in 0..2 {
        let mut agent = agent_of(&pool, &server.url(), &json!({"max_retries": 0, "rate_limit_wait": 1}));
        let error = ask(agent.as_mut(), &request(), &RecordingObserver::new(request())).await.unwrap_err();
        let error = error.to_string();
        assert!(error.contains("times; model.rate_limit_wait allows no more)"), "{error}");
        assert!(error.contains("this single request") && !error.contains("run.jobs"), "{error}");
    }
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    assert_eq!(pool.repeated_failure(), None);
}

#[tokio::test]
async fn all_agents_wait_for_the_rate_limit_of_one() {
    let busy = response(429, "", "rate limit");
    let server = RawServer::start(vec![busy.clone(), busy.clone(), busy, good(REPLY)]);
    let pool = ModelPool::default();
    let mut tasks = Vec::new();
    for _ in 0..4 {
        let mut agent = agent_of(&pool, &server.url(), &json!({"max_connections": 1}));
        tasks.push(tokio::spawn(async move {
            ask(agent.as_mut(), &request(), &RecordingObserver::new(request())).await.map(drop)
        }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap(), Ok(()));
    }
    let gaps = gaps(&server);
    assert_eq!(server.times().len(), 7);
    assert!(gaps[..3].iter().all(|gap| *gap >= 240), "each refusal holds the next request back: {gaps:?}");
}
