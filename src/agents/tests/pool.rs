//! What agents that share a pool share: permits, a pause, the count of failures.

use std::time::{Duration, Instant};

use mageyard_agents::ModelPool;
use mageyard_domain::{AgentError, AgentEvent, EndpointFailure};
use serde_json::json;

use super::agent_fixture::{RecordingObserver, agent_of, ask, request};
use crate::server::{Behavior, Server, ServerState};

#[tokio::test]
async fn requests_of_all_agents_together_respect_max_connections() {
    for (most, peaks) in [(2, 2..=2), (64, 3..=6)] {
        let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(20)));
        let pool = ModelPool::default();
        let tasks: Vec<_> = (0..6)
            .map(|_| {
                let mut agent = agent_of(&pool, &server.url(), &json!({"max_connections": most}));
                tokio::spawn(async move {
                    ask(agent.as_mut(), &request(), &RecordingObserver::new(request())).await.map(drop)
                })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), Ok(()));
        }
        assert_eq!(server.requests().len(), 6);
        assert!(peaks.contains(&server.peak()), "{} of {most}", server.peak());
    }
}

#[tokio::test]
async fn a_busy_server_is_left_alone_by_all_agents_and_each_says_so() {
    let server = Server::start(Behavior::BusyAfter);
    let pool = ModelPool::default();
    let observers = [(); 2].map(|()| RecordingObserver::new(request()));
    let mut agents = [(); 2].map(|()| agent_of(&pool, &server.url(), &json!({})));
    let [one, other] = &mut agents;
    let sent = request();
    let began = Instant::now();
    let later = async {
        while server.requests().is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        let result = ask(other.as_mut(), &sent, &observers[1]).await;
        (result, began.elapsed())
    };
    let (first, (second, waited)) = tokio::join!(ask(one.as_mut(), &sent, &observers[0]), later);
    assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
    assert!(waited >= Duration::from_millis(300), "{waited:?}");
    assert_eq!(server.requests().len(), 3, "one refusal, one retry, one request");
    let events = observers[1].events.lock().unwrap();
    let [AgentEvent::RetryScheduled { why, milliseconds, attempt: 1, .. }, ..] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert!(why.contains("429: busy") && (1..=300).contains(milliseconds), "{why}, {milliseconds} ms");
}

#[tokio::test]
async fn equal_failures_in_a_row_are_counted_over_all_agents() {
    let gone = Server::start(Behavior::NoModel);
    let well = Server::start(Behavior::Normal);
    let pool = ModelPool::default();
    for count in 1..=3 {
        let mut agent = agent_of(&pool, &gone.url(), &json!({}));
        let error = ask(agent.as_mut(), &request(), &RecordingObserver::new(request())).await.unwrap_err();
        assert!(matches!(error, AgentError::Api { status: 404, .. }), "{error}");
        let failure = pool.repeated_failure().unwrap();
        assert_eq!((failure.count, failure.class), (count, EndpointFailure::Status(404)));
        assert_eq!(failure.last, error);
    }
    let mut agent = agent_of(&pool, &well.url(), &json!({}));
    ask(agent.as_mut(), &request(), &RecordingObserver::new(request())).await.unwrap();
    assert_eq!(pool.repeated_failure().unwrap().count, 3, "another endpoint is counted by itself");
}

/// The frames of a large request take long enough to be encoded that a blocked runtime would show.
#[tokio::test]
async fn encoding_does_not_hold_up_other_tasks() {
    let server = Server::start(Behavior::Normal);
    let mut agent = agent_of(&ModelPool::default(), &server.url(), &json!({"resolution": 2048}));
    let mut longest = Duration::ZERO;
    let sent = request();
    let observer = RecordingObserver::new(request());
    let ticks = async {
        loop {
            let before = Instant::now();
            tokio::time::sleep(Duration::from_millis(1)).await;
            longest = longest.max(before.elapsed());
        }
    };
    let began = Instant::now();
    tokio::select! {
        reply = ask(agent.as_mut(), &sent, &observer) => drop(reply.unwrap()),
        () = ticks => {}
    }
    let whole = began.elapsed();
    assert!(longest < whole / 2, "a tick took {longest:?} of {whole:?}");
}
