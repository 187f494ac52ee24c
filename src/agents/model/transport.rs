//! Where the bytes of requests go and responses come from: into the network, or to a server inside the process. Everything
//! else of the client is the same for both.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::Frame;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Body, Response, StatusCode};
use tokio::time::Sleep;

/// Where requests go.
#[derive(Clone)]
pub(super) enum Transport {
    /// To the address in the settings.
    Network,
    /// To this server; no socket is opened.
    InProcess(Arc<dyn InProcessServer>),
}

/// A server inside the process.
pub(crate) trait InProcessServer: Send + Sync {
    /// Responds to the body of a request.
    fn respond(&self, body: &[u8]) -> ServerResponse;
}

/// The response of a server inside the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerResponse {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    /// After how many seconds the request may be repeated.
    pub(crate) retry_after: Option<u64>,
    pub(crate) parts: Vec<ResponsePart>,
    /// Whether the connection breaks after the parts.
    pub(crate) is_broken: bool,
}

/// A part of a body, which arrives at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResponsePart {
    /// The time since the part before.
    pub(crate) after: Duration,
    pub(crate) bytes: Vec<u8>,
}

impl ServerResponse {
    /// The response as it would come from the network.
    pub(super) fn into_response(self) -> Response {
        let mut response = http::Response::new(Body::wrap(PartsBody {
            parts: self.parts.into(),
            is_broken: self.is_broken,
            pause: None,
        }));
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, http::HeaderValue::from_static(self.content_type));
        headers.extend(self.retry_after.map(|seconds| (RETRY_AFTER, seconds.into())));
        response.into()
    }
}

/// A body whose parts come one after the other.
struct PartsBody {
    parts: VecDeque<ResponsePart>,
    is_broken: bool,
    /// The pause before the next part, once it has begun.
    pause: Option<Pin<Box<Sleep>>>,
}

impl http_body::Body for PartsBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let Some(after) = self.parts.front().map(|part| part.after) else {
            let broken = std::mem::take(&mut self.is_broken);
            return Poll::Ready(broken.then(|| Err(io::ErrorKind::ConnectionReset.into())));
        };
        if !after.is_zero() {
            let pause = self.pause.get_or_insert_with(|| Box::pin(tokio::time::sleep(after)));
            if pause.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            self.pause = None;
        }
        let bytes = self.parts.pop_front().map(|part| Ok(Frame::data(part.bytes.into())));
        Poll::Ready(bytes)
    }
}
