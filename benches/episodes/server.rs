//! A model server that answers after a delay, which is the first part of the path.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::extract::Path;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;

/// The bodies that a server has received; `None` for a server that keeps none.
pub(crate) type Bodies = Option<Arc<Mutex<Vec<Bytes>>>>;

#[derive(Clone, Default)]
struct Received {
    count: Arc<AtomicUsize>,
    bodies: Bodies,
}

/// Starts a server; returns its base URL without the delay and the version.
pub(crate) async fn serve(bodies: Bodies) -> String {
    let router = Router::new().route("/{delay}/v1/chat/completions", post(answer));
    let router = router.layer(DefaultBodyLimit::max(64 << 20));
    let router = router.with_state(Received { bodies, ..Received::default() });
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn answer(Path(delay): Path<u64>, State(received): State<Received>, body: Bytes) -> impl IntoResponse {
    if let Some(bodies) = &received.bodies {
        bodies.lock().expect("no panic").push(body);
    }
    tokio::time::sleep(Duration::from_millis(delay)).await;
    let action = action(received.count.fetch_add(1, Ordering::Relaxed));
    ([(CONTENT_TYPE, "application/json")], reply(action))
}

/// Different enough that episodes reach different states, as with a model.
fn action(number: usize) -> &'static str {
    let mixed = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ["Left", "Up", "Right", "Down"][usize::try_from(mixed >> 62).unwrap_or(0)]
}

fn reply(action: &str) -> String {
    format!(
        r##"{{"model": "m", "choices": [{{"index": 0, "finish_reason": "stop", "message": {{"role": "assistant",
        "content": "# analyze\nThe crate is near.\n\n# action\n{action}\n"}}}}],
        "usage": {{"prompt_tokens": 1200, "completion_tokens": 34}}}}"##
    )
}
