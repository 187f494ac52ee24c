//! A test server with the chat completions API that can simulate faults. It ignores images: it sends a queued reply, or
//! picks an allowed action from the text of the prompt. The tests and the example `server` use it.

mod behavior;
mod default_reply;
mod failures;
mod forms;
mod identity;
mod messages;
mod odds;
mod refusals;
mod replay;
mod replies;
mod response;
mod responses;
mod seeing;
pub(crate) mod side;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub(crate) use self::behavior::Behavior;
pub(crate) use self::replay::Recording;
#[allow(unused_imports, reason = "for the tests")]
pub(crate) use self::replies::THOUGHT;
use self::response::Answer;

/// Received requests and queued replies.
#[derive(Default)]
pub(crate) struct ServerLog {
    replies: VecDeque<String>,
    /// The text of a request that decides about its reply.
    decisive: Option<String>,
    /// The received bodies, in order.
    pub(crate) requests: Vec<Value>,
    /// The received `Authorization` headers, in order; empty if missing.
    pub(crate) keys: Vec<String>,
    /// The received heads: method, path with query, and a line for each header.
    pub(crate) heads: Vec<String>,
    /// Number of responses that the client did not read to the end.
    pub(crate) abandoned: usize,
    /// Number of responses that stalled after a part was sent.
    pub(crate) stalled: usize,
    /// Number of requests that are being answered now.
    pub(crate) open: usize,
    /// The largest number of requests at once.
    pub(crate) peak: usize,
}

/// The state shared by all requests: behavior, pace and log.
#[derive(Clone)]
pub(crate) struct ServerState {
    behavior: Arc<Mutex<Behavior>>,
    pace: Duration,
    log: Arc<Mutex<ServerLog>>,
    /// What is served instead, if a recording is.
    replay: Option<Recording>,
}

impl ServerState {
    /// `pace` is the delay between two chunks of a stream.
    pub(crate) fn new(behavior: Behavior, pace: Duration) -> Self {
        Self { behavior: Arc::new(Mutex::new(behavior)), pace, log: Arc::default(), replay: None }
    }

    /// Serves a recording.
    pub(crate) fn replaying(recording: Recording) -> Self {
        Self { replay: Some(recording), ..Self::new(Behavior::Normal, Duration::ZERO) }
    }

    fn with_log<T>(&self, at: impl FnOnce(&mut ServerLog) -> T) -> T {
        at(&mut self.log.lock().unwrap())
    }
}

/// Serves until the process ends or the future is dropped. `nodelay` sends small chunks at once.
pub(crate) async fn serve(listener: TcpListener, state: ServerState) -> std::io::Result<()> {
    let router = match &state.replay {
        Some(_) => Router::new().fallback(replay::answer),
        None => routes(),
    };
    let router = router.layer(DefaultBodyLimit::max(64 << 20)).with_state(state);
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await
}

fn routes() -> Router<ServerState> {
    Router::new()
        .route("/v1/chat/completions", post(complete))
        .route("/openai/v1/chat/completions", post(complete))
        .route("/openai/deployments/{deployment}/chat/completions", post(complete))
        .route("/v1/messages", post(complete))
        .route("/v1/responses", post(complete))
        .route(
            "/v1/models",
            get(|| async { axum::Json(json!({"object": "list", "data": [{"id": "mock"}]})) }),
        )
}

async fn complete(State(state): State<ServerState>, uri: Uri, headers: HeaderMap, body: String) -> Response {
    let request: Value = serde_json::from_str(&body).unwrap_or_default();
    let key = headers.get("authorization").or_else(|| headers.get("x-api-key"));
    let key = key.and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
    let head = head(&uri, &headers);
    let (number, queued, decisive) = state.with_log(|log| {
        log.open += 1;
        log.peak = log.peak.max(log.open);
        log.requests.push(request.clone());
        log.keys.push(key.clone());
        log.heads.push(head.clone());
        (log.requests.len(), log.replies.pop_front(), log.decisive.clone())
    });
    let behavior = state.behavior.lock().unwrap().towards(side::role(&request));
    let read = || {
        let decides = identity::deciding_number(behavior, number, &request);
        seeing::reply(behavior, &request).unwrap_or_else(|| default_reply::reply(&request, decides))
    };
    let decided = decisive.map(|text| default_reply::decided_by(&text, &body));
    let text = queued.or(decided).unwrap_or_else(read);
    let key = if behavior == Behavior::EchoHead { head.replace('\n', "; ") } else { key };
    let answer = match uri.path() {
        "/v1/messages" => messages::answer(behavior, &request, &text),
        "/v1/responses" => responses::answer(behavior, &request, &text),
        _ => Answer::new(behavior, number, &request, &text, &key),
    };
    response::respond(answer, &state).await
}

/// A line for the method and the path with its query, and a line for each header.
fn head(uri: &Uri, headers: &HeaderMap) -> String {
    let lines =
        headers.iter().map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap_or_default()));
    format!("POST {}\n{}", uri.path_and_query().map_or("", |path| path.as_str()), lines.collect::<String>())
}

/// A server on its own thread for the duration of a test.
pub(crate) struct Server {
    address: SocketAddr,
    state: ServerState,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[allow(dead_code, reason = "the example runs a server in the foreground")]
impl Server {
    pub(crate) fn start(behavior: Behavior) -> Self {
        Self::with(ServerState::new(behavior, Duration::ZERO))
    }

    pub(crate) fn with(state: ServerState) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (ready, address) = std::sync::mpsc::channel();
        let shared = state.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
                ready.send(listener.local_addr().unwrap()).unwrap();
                tokio::select! {
                    served = serve(listener, shared) => served.unwrap(),
                    _ = stopped => {}
                }
            });
        });
        let address = address.recv_timeout(Duration::from_secs(10)).unwrap();
        Self { address, state, stop: Some(stop), thread: Some(thread) }
    }

    /// The base URL.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Behaves like this from now on.
    pub(crate) fn set_behavior(&self, behavior: Behavior) {
        *self.state.behavior.lock().unwrap() = behavior;
    }

    /// Queues a reply; queued replies are sent first.
    pub(crate) fn queue_reply(&self, text: &str) {
        self.state.with_log(|log| log.replies.push_back(text.to_owned()));
    }

    /// Answers `Left` to requests that have this text from now on, and `Up` to others.
    pub(crate) fn decides_by(&self, text: &str) {
        self.state.with_log(|log| log.decisive = Some(text.to_owned()));
    }

    /// The received bodies, in order.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.state.with_log(|log| log.requests.clone())
    }

    /// The received `Authorization` headers.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.state.with_log(|log| log.keys.clone())
    }

    /// The received heads: method, path with query, and a line for each header.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.state.with_log(|log| log.heads.clone())
    }

    /// Number of responses that stalled.
    pub(crate) fn stalled(&self) -> usize {
        self.state.with_log(|log| log.stalled)
    }

    /// The largest number of requests that were answered at once.
    pub(crate) fn peak(&self) -> usize {
        self.state.with_log(|log| log.peak)
    }

    /// Number of responses that the client did not read to the end.
    pub(crate) fn abandoned(&self) -> usize {
        self.state.with_log(|log| log.abandoned)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
