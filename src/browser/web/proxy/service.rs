//! What happens with a request of the browser.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{
    CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION,
};
use hyper::{Method, Request, Response, StatusCode};

use super::account::Entry;
use super::rules::{Place, Route};
use super::{Shared, forward, tunnel};
use crate::web::{LoadError, LoadErrorKind, LocalSites, SiteAnswer, SiteRequest};

/// The body of an answer.
pub(super) type Body = BoxBody<Bytes, hyper::Error>;

/// Marks an answer of the proxy itself.
pub(in crate::web) const FAILED: &str = "x-mageyard-proxy";

/// The largest body of a request to a local site.
const MOST_SITE_BODY: usize = 1 << 20;

/// Answers a request; it never fails, but it may be an answer that says what is wrong.
pub(super) async fn serve(
    shared: Arc<Shared>,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let header = request.headers().get(PROXY_AUTHORIZATION).and_then(|value| value.to_str().ok());
    let Some(entry) = header.and_then(|header| shared.accounts.find(header)) else {
        tracing::debug!("a request without a password is refused: {} {}", request.method(), request.uri());
        return Ok(without_password());
    };
    entry.traffic.requests.fetch_add(1, Ordering::Relaxed);
    let is_tunnel = request.method() == Method::CONNECT;
    let Some(place) = place(&request, is_tunnel) else {
        return Ok(text(StatusCode::BAD_REQUEST, "The address of the request is incomplete."));
    };
    let url = if is_tunnel { format!("https://{}", place.written()) } else { request.uri().to_string() };
    let written = place.written();
    let done = match shared.rules.route(&place, is_tunnel).await {
        Ok(Route::Site(sites)) => Ok(site(&*sites, place, request).await),
        Ok(route) if is_tunnel => tunnel::open(&shared, route, &place, request, &entry).await,
        Ok(route) => forward::send(route, &place, request, &entry).await,
        Err(error) => Err(error),
    };
    Ok(match done {
        Ok(answer) => {
            entry.customer.reached(&written);
            answer
        }
        Err(error) => failed(&entry, &written, &url, &error),
    })
}

/// The host and the port that a request is for.
fn place<B>(request: &Request<B>, is_tunnel: bool) -> Option<Place> {
    let uri = request.uri();
    let authority = uri.authority()?;
    if is_tunnel {
        return Some(Place::new(authority.host(), authority.port_u16()?));
    }
    (uri.scheme_str() == Some("http"))
        .then(|| Place::new(authority.host(), authority.port_u16().unwrap_or(80)))
}

async fn site(sites: &dyn LocalSites, place: Place, request: Request<Incoming>) -> Response<Body> {
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, MOST_SITE_BODY).collect().await else {
        return text(StatusCode::PAYLOAD_TOO_LARGE, "The request is too large.");
    };
    let target = head.uri.path_and_query().map_or("/", |target| target.as_str()).to_owned();
    let body = body.to_bytes().to_vec();
    let answer =
        sites.answer(&SiteRequest { method: head.method.to_string(), host: place.host, target, body });
    tokio::time::sleep(answer.delay).await;
    site_answer(answer).unwrap_or_else(|error| {
        text(
            StatusCode::INTERNAL_SERVER_ERROR,
            &format!("The answer of the local site is not valid: {error}"),
        )
    })
}

fn site_answer(answer: SiteAnswer) -> Result<Response<Body>, hyper::http::Error> {
    let mut response = Response::builder().status(answer.status);
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    response.body(full(answer.body.into()))
}

/// Reports a request that could not be passed on, and answers it.
fn failed(entry: &Entry, place: &str, url: &str, error: &LoadError) -> Response<Body> {
    if error.kind == LoadErrorKind::Refused {
        entry.traffic.refused.fetch_add(1, Ordering::Relaxed);
    }
    entry.customer.failed(place, url, error);
    let status = match error.kind {
        LoadErrorKind::Refused => StatusCode::FORBIDDEN,
        LoadErrorKind::Unreachable | LoadErrorKind::NoHost | LoadErrorKind::Other => StatusCode::BAD_GATEWAY,
    };
    let mut answer = text(status, &error.text);
    answer.headers_mut().insert(HeaderName::from_static(FAILED), HeaderValue::from_static("failed"));
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

fn without_password() -> Response<Body> {
    let mut answer =
        text(StatusCode::PROXY_AUTHENTICATION_REQUIRED, "Only pages of a session may use this proxy.");
    let realm = HeaderValue::from_static("Basic realm=\"mageyard\"");
    answer.headers_mut().insert(PROXY_AUTHENTICATE, realm);
    answer
}

fn text(status: StatusCode, text: &str) -> Response<Body> {
    let mut answer = Response::new(full(Bytes::copy_from_slice(text.as_bytes())));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

/// A body that is known as a whole.
pub(super) fn full(bytes: Bytes) -> Body {
    Full::new(bytes).map_err(|never| match never {}).boxed()
}
