//! Requests without encryption: passed on with another head.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHORIZATION};
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::MOST_HEAD;
use super::account::{Entry, Traffic};
use super::rules::{Place, Route};
use super::service;
use crate::web::{LoadError, LoadErrorKind};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// Headers that are about one connection (RFC 9110, section 7.6.1).
const HOP_BY_HOP: &[&str] = &[
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Sends a request on, and returns its answer.
pub(super) async fn send(
    route: Route,
    place: &Place,
    request: Request<Incoming>,
    entry: &Arc<Entry>,
) -> Result<Response<service::Body>, LoadError> {
    let stream = connect(&route, place).await?;
    let unreachable = |error: hyper::Error| unreachable(place, &error);
    let mut client = http1::Builder::new();
    client.max_buf_size(MOST_HEAD).preserve_header_case(true);
    let (mut sender, connection) =
        client.handshake::<_, service::Body>(TokioIo::new(stream)).await.map_err(unreachable)?;
    // It ends when the request and its answer have been dropped.
    tokio::spawn(connection);
    let request = outgoing(request, &route, place, &entry.traffic);
    let answer = sender.send_request(request).await.map_err(unreachable)?;
    let (mut head, body) = answer.into_parts();
    remove_hop_by_hop(&mut head.headers);
    Ok(Response::from_parts(head, counted(body, entry.traffic.clone())))
}

/// The request as it is sent on: absolute to a proxy, else with the path only.
fn outgoing(
    request: Request<Incoming>,
    route: &Route,
    place: &Place,
    traffic: &Arc<Traffic>,
) -> Request<service::Body> {
    let (mut head, body) = request.into_parts();
    remove_hop_by_hop(&mut head.headers);
    let host =
        if place.port == 80 { place.written().trim_end_matches(":80").to_owned() } else { place.written() };
    if let Ok(host) = HeaderValue::from_str(&host) {
        head.headers.insert(HOST, host);
    }
    if let Route::Through(proxy) = route {
        if let Some(authorization) = proxy.authorization() {
            head.headers.insert(PROXY_AUTHORIZATION, authorization.clone());
        }
    } else {
        let target = head.uri.path_and_query().cloned();
        head.uri = target.map_or_else(|| Uri::from_static("/"), Uri::from);
    }
    Request::from_parts(head, counted(body, traffic.clone()))
}

fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| HeaderName::try_from(name.trim()).ok())
        .collect();
    for name in named {
        headers.remove(name);
    }
    for name in HOP_BY_HOP {
        headers.remove(*name);
    }
}

/// A body whose bytes are counted.
fn counted<B>(body: B, traffic: Arc<Traffic>) -> service::Body
where
    B: Body<Data = Bytes, Error = hyper::Error> + Send + Sync + 'static,
{
    let counting = body.map_frame(move |frame| {
        let length = frame.data_ref().map_or(0, Bytes::len);
        traffic.bytes.fetch_add(length as u64, Ordering::Relaxed);
        frame
    });
    counting.boxed()
}

/// A connection to the next place of a route.
pub(super) async fn connect(route: &Route, place: &Place) -> Result<TcpStream, LoadError> {
    let connected = match route {
        Route::Direct(addresses) => first(addresses).await,
        Route::Through(proxy) => {
            let connected = limited(proxy.connect()).await;
            connected.map_err(|error| io::Error::other(format!("the proxy of the user: {error}")))
        }
        Route::Site(_) => Err(io::Error::other("it is a local site")),
    };
    let stream = connected.map_err(|error| unreachable(place, &error))?;
    // Small requests are not held back.
    let _ = stream.set_nodelay(true);
    Ok(stream)
}

/// A connection to the first address that answers.
async fn first(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io::Error::other("it has no address");
    for address in addresses {
        match limited(TcpStream::connect(address)).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

async fn limited(connecting: impl Future<Output = io::Result<TcpStream>>) -> io::Result<TcpStream> {
    timeout(CONNECT, connecting).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// The place does not answer.
pub(super) fn unreachable(place: &Place, error: &dyn std::error::Error) -> LoadError {
    let text = format!("{} cannot be reached: {error}", place.written());
    LoadError { kind: LoadErrorKind::Unreachable, text }
}
