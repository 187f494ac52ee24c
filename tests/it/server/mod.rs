//! A server that speaks chat completions over HTTP, and has moods. It looks at no picture and solves
//! nothing: it says what it was told to say, or draws an allowed action from the words of the prompt.
//! The tests and the example `server` share it.

mod behavior;
mod default_reply;
mod response;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use axum::routing::post;
use axum::serve::ListenerExt;
use serde_json::Value;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub(crate) use self::behavior::Behavior;
use self::response::Answer;

/// What the server has seen and is to say.
#[derive(Default)]
pub(crate) struct ServerLog {
    replies: VecDeque<String>,
    /// The bodies that came, in order.
    pub(crate) requests: Vec<Value>,
    /// The `Authorization` headers that came, in order; empty where there was none.
    pub(crate) keys: Vec<String>,
    /// How many answers nobody waited for to their end.
    pub(crate) abandoned: usize,
    /// How many answers have stopped in the middle, their beginning said.
    pub(crate) stalled: usize,
}

/// A mood, a pace and a desk, shared by all requests.
#[derive(Clone)]
pub(crate) struct ServerState {
    mood: Behavior,
    pace: Duration,
    log: Arc<Mutex<ServerLog>>,
}

impl ServerState {
    /// `pace` is the pause between two pieces of a stream.
    pub(crate) fn new(mood: Behavior, pace: Duration) -> Self {
        Self { mood, pace, log: Arc::default() }
    }

    fn with_log<T>(&self, at: impl FnOnce(&mut ServerLog) -> T) -> T {
        at(&mut self.log.lock().unwrap())
    }
}

/// Serves until the process ends or the future is dropped. Without `nodelay` small pieces of a stream
/// would wait for one another.
pub(crate) async fn serve(listener: TcpListener, office: ServerState) -> std::io::Result<()> {
    let router = Router::new()
        .route("/v1/chat/completions", post(complete))
        .route(
            "/v1/models",
            get(|| async { axum::Json(json!({"object": "list", "data": [{"id": "mock"}]})) }),
        )
        .layer(DefaultBodyLimit::max(64 << 20))
        .with_state(office);
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await
}

async fn complete(State(office): State<ServerState>, headers: HeaderMap, body: String) -> Response {
    let request: Value = serde_json::from_str(&body).unwrap_or_default();
    let key = headers.get("authorization").and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
    let (number, told) = office.with_log(|desk| {
        desk.requests.push(request.clone());
        desk.keys.push(key.clone());
        (desk.requests.len(), desk.replies.pop_front())
    });
    let text = told.unwrap_or_else(|| default_reply::reply(&request, number));
    let answer = Answer::new(office.mood, number, &request, &text, &key);
    response::respond(answer, &office).await
}

/// A server on a thread of its own, for the length of a test.
pub(crate) struct Server {
    address: SocketAddr,
    office: ServerState,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[allow(dead_code, reason = "the example runs a server in the foreground and asks it nothing")]
impl Server {
    pub(crate) fn start(mood: Behavior) -> Self {
        Self::with(ServerState::new(mood, Duration::ZERO))
    }

    pub(crate) fn with(office: ServerState) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (ready, address) = std::sync::mpsc::channel();
        let shared = office.clone();
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
        Self { address, office, stop: Some(stop), thread: Some(thread) }
    }

    /// The base URL.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Says this next, before anything of its own.
    pub(crate) fn queue_reply(&self, text: &str) {
        self.office.with_log(|desk| desk.replies.push_back(text.to_owned()));
    }

    /// The bodies that came, in order.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.office.with_log(|desk| desk.requests.clone())
    }

    /// The `Authorization` headers that came.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.office.with_log(|desk| desk.keys.clone())
    }

    /// How many answers have stopped in the middle.
    pub(crate) fn stalled(&self) -> usize {
        self.office.with_log(|desk| desk.stalled)
    }

    /// How many answers nobody waited for to their end.
    pub(crate) fn abandoned(&self) -> usize {
        self.office.with_log(|desk| desk.abandoned)
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
