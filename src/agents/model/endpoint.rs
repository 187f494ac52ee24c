//! An endpoint: the permits, the pause and the failures that all requests to one server share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::backoff;
use super::connections::{ConnectionPermit, Connections};
use super::error::RequestError;
use super::http::HttpClient;
use super::lock::lock;
use super::suggested_setting::SuggestedSetting;
use mageyard_domain::{AgentError, EndpointFailure};

/// A time during which no request is sent, because the server asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pause {
    pub(super) until: Instant,
    /// The error with which the server asked.
    pub(super) why: String,
}

/// The same failure of an endpoint several times in a row, over all episodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedFailure {
    /// The class of the failures.
    pub class: EndpointFailure,
    /// The number of decisions in a row that failed with it, at least 1.
    pub count: u32,
    /// The newest error.
    pub last: AgentError,
}

/// One server as all agents of a process share it.
pub(super) struct Endpoint {
    pub(super) http: HttpClient,
    pub(super) connections: Connections,
    pause: watch::Sender<Option<Pause>>,
    failure: Mutex<Option<RepeatedFailure>>,
    /// The setting that the advice for the newest error suggests.
    suggested: Mutex<Option<SuggestedSetting>>,
    /// Whether any request came to the server.
    was_reached: AtomicBool,
}

impl Endpoint {
    /// An endpoint with these permits.
    pub(super) fn new(http: HttpClient, connections: Connections) -> Self {
        Self {
            http,
            connections,
            pause: watch::Sender::new(None),
            failure: Mutex::new(None),
            suggested: Mutex::new(None),
            was_reached: AtomicBool::new(false),
        }
    }

    /// Waits for a permit, in the order of the calls, and for the end of a pause. Each pause is announced once,
    /// except the one that the caller has `announced` already.
    pub(super) async fn admit(
        &self,
        mut announced: Option<Instant>,
        announce: impl Fn(&Pause, Duration),
    ) -> Option<ConnectionPermit<'_>> {
        let mut pauses = self.pause.subscribe();
        let mut acquire = std::pin::pin!(self.connections.acquire());
        let mut permit = None;
        loop {
            let pause = pauses.borrow_and_update().clone();
            let pause = pause.filter(|pause| pause.until > Instant::now());
            match &pause {
                Some(pause) if announced != Some(pause.until) => {
                    announce(pause, pause.until - Instant::now());
                    announced = Some(pause.until);
                }
                None if permit.is_some() => return permit,
                _ => {}
            }
            let end = pause.map_or_else(Instant::now, |pause| pause.until);
            tokio::select! {
                biased;
                taken = &mut acquire, if permit.is_none() => permit = Some(taken?),
                _ = pauses.changed() => {}
                () = tokio::time::sleep_until(end), if permit.is_some() => {}
            }
        }
    }

    /// Pauses all requests until then, unless they are paused for longer already.
    pub(super) fn pause(&self, pause: Pause) {
        self.pause.send_if_modified(|current| {
            let longer = current.as_ref().is_none_or(|current| current.until < pause.until);
            if longer {
                *current = Some(pause);
            }
            longer
        });
    }

    /// Adapts the number of requests at once to the result of a request with this permit.
    pub(super) fn adapt<T>(&self, permit: Option<&ConnectionPermit<'_>>, result: &Result<T, RequestError>) {
        match (result, permit) {
            (Ok(_), _) => self.connections.succeeded(),
            (Err(failed), Some(permit)) if backoff::is_overload(&failed.error) => {
                self.connections.rate_limited(permit);
            }
            _ => {}
        }
    }

    /// Counts the result of a decision.
    pub(super) fn count<T>(&self, result: &Result<T, AgentError>) {
        let mut failure = lock(&self.failure);
        match result {
            // A rate limit has a patience of its own, and the server works.
            Err(AgentError::FailedAfterRetries { last, .. }) if backoff::is_rate_limit(last) => {}
            Err(error) if backoff::is_rate_limit(error) => {}
            // Nothing was sent.
            Err(
                AgentError::MemoryMismatch(_) | AgentError::InvalidRequest(_) | AgentError::NotJournaled(_),
            ) => {}
            Err(error) => {
                *failure = EndpointFailure::of(error).map(|class| repeat(failure.take(), class, error));
            }
            Ok(_) => *failure = None,
        }
    }

    /// Takes note of how a request ended: whether any came to the server.
    pub(super) fn note_contact<T>(&self, result: &Result<T, RequestError>) {
        let failed = result.as_ref().err().and_then(|failed| EndpointFailure::of(&failed.error));
        if failed != Some(EndpointFailure::Unreachable) {
            self.was_reached.store(true, Ordering::Relaxed);
        }
    }

    /// Whether any request came to the server.
    pub(super) fn was_reached(&self) -> bool {
        self.was_reached.load(Ordering::Relaxed)
    }

    /// Keeps the setting that the advice for an error suggests.
    pub(super) fn suggest(&self, setting: Option<SuggestedSetting>) {
        *lock(&self.suggested) = setting;
    }

    /// Takes the setting that the advice for the newest error suggests.
    pub(super) fn take_suggested(&self) -> Option<SuggestedSetting> {
        lock(&self.suggested).take()
    }

    /// The failure that the newest decisions had.
    pub(super) fn failure(&self) -> Option<RepeatedFailure> {
        lock(&self.failure).clone()
    }
}

fn repeat(before: Option<RepeatedFailure>, class: EndpointFailure, error: &AgentError) -> RepeatedFailure {
    let earlier = before.filter(|before| before.class == class).map_or(0, |before| before.count);
    RepeatedFailure { class, count: earlier.saturating_add(1), last: error.clone() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::http::Connection;
    use super::*;
    use mageyard_domain::ReplyEnding;

    fn endpoint(connections: usize) -> Arc<Endpoint> {
        let endpoint = Endpoint::new(HttpClient::new(&Connection::default()).unwrap(), Connections::new());
        endpoint.connections.allow(connections);
        Arc::new(endpoint)
    }

    fn silent(_: &Pause, _: Duration) {
        panic!("there is no pause to announce");
    }

    #[tokio::test(start_paused = true)]
    async fn permits_are_given_in_the_order_of_the_calls() {
        let endpoint = endpoint(1);
        let order = Arc::new(Mutex::new(Vec::new()));
        let first = endpoint.admit(None, silent).await;
        let tasks: Vec<_> = (0..5)
            .map(|number| {
                let endpoint = endpoint.clone();
                let order = order.clone();
                tokio::spawn(async move {
                    let _permit = endpoint.admit(None, silent).await;
                    lock(&order).push(number);
                    tokio::time::sleep(Duration::from_secs(1)).await;
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(lock(&order).is_empty(), "the only permit is taken");
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*lock(&order), [0, 1, 2, 3, 4]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancelled_wait_gives_its_permit_back() {
        let endpoint = endpoint(1);
        endpoint.pause(Pause { until: Instant::now() + Duration::from_mins(1), why: "busy".into() });
        let wait = tokio::time::timeout(Duration::from_secs(1), endpoint.admit(None, |_, _| {})).await;
        assert!(wait.is_err());
        assert_eq!(endpoint.connections.free(), 1);
        endpoint.connections.allow(3);
        endpoint.connections.allow(2);
        assert_eq!(endpoint.connections.free(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_holds_every_request_back_and_is_announced_once() {
        let endpoint = endpoint(1);
        let began = Instant::now();
        let pause = |seconds| Pause { until: began + Duration::from_secs(seconds), why: "busy".into() };
        endpoint.pause(pause(7));
        endpoint.pause(pause(3));
        let announced = Arc::new(Mutex::new(Vec::new()));
        let tasks: Vec<_> = (0..3)
            .map(|_| {
                let endpoint = endpoint.clone();
                let announced = announced.clone();
                tokio::spawn(async move {
                    let announce = |_: &Pause, left: Duration| lock(&announced).push(left.as_secs());
                    drop(endpoint.admit(None, announce).await);
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_secs(2)).await;
        endpoint.pause(pause(9));
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(began.elapsed().as_secs(), 9, "the longer pause counts");
        assert_eq!(*lock(&announced), [7, 7, 7, 7, 7, 7]);
    }

    #[test]
    fn only_equal_failures_in_a_row_are_counted() {
        let endpoint = endpoint(1);
        let api = |status| Err::<(), _>(AgentError::Api { status, message: String::new() });
        let count = |result: Result<(), AgentError>| {
            endpoint.count(&result);
            endpoint.failure().map(|failure| failure.count)
        };
        assert_eq!([count(api(401)), count(api(401))], [Some(1), Some(2)]);
        assert_eq!(count(Err(AgentError::InvalidRequest("no turns".into()))), Some(2), "nothing was sent");
        assert_eq!([count(api(500)), count(api(500))], [Some(1), Some(2)]);
        assert_eq!([count(Ok(())), count(api(500))], [None, Some(1)]);
        assert_eq!([count(api(429)), count(api(500))], [Some(1), Some(2)], "a rate limit is no failure");
        assert_eq!(count(Err(AgentError::ReplyFailed(ReplyEnding::Filtered))), None, "the server works");
    }
}
