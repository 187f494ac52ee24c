//! Tunnels: bytes that the proxy does not read, for `https` and web sockets.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderValue, PROXY_AUTHORIZATION};
use hyper::upgrade::Upgraded;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use super::account::{Entry, Traffic};
use super::forward::{connect, unreachable};
use super::rules::{Place, Route};
use super::user_proxy::UserProxy;
use super::{MOST_HEAD, Shared, service};
use crate::web::{LoadError, LoadErrorKind};

/// The bytes that are read at once.
const PART: usize = 16 << 10;

/// Opens a tunnel, and answers that it is open.
pub(super) async fn open(
    shared: &Arc<Shared>,
    route: Route,
    place: &Place,
    request: Request<Incoming>,
    entry: &Arc<Entry>,
) -> Result<Response<service::Body>, LoadError> {
    let stream = connect(&route, place).await?;
    let closed = closed(shared.clone());
    let traffic = entry.traffic.clone();
    if let Route::Through(proxy) = &route {
        let far = through(proxy, place, stream).await?;
        tokio::spawn(join(request, TokioIo::new(far), traffic, closed));
    } else {
        tokio::spawn(join(request, stream, traffic, closed));
    }
    Ok(Response::new(service::full(Bytes::new())))
}

/// Completes when the proxy ends.
async fn closed(shared: Arc<Shared>) {
    let mut open = shared.open.clone();
    drop(shared);
    // An error: the sender is gone.
    while open.changed().await.is_ok() {}
}

/// A tunnel through the proxy of the user.
async fn through(proxy: &UserProxy, place: &Place, stream: TcpStream) -> Result<Upgraded, LoadError> {
    let failed = |error: hyper::Error| unreachable(place, &error);
    let mut client = http1::Builder::new();
    client.max_buf_size(MOST_HEAD);
    let (mut sender, connection) =
        client.handshake::<_, Empty<Bytes>>(TokioIo::new(stream)).await.map_err(failed)?;
    tokio::spawn(connection.with_upgrades());
    let request = connect_request(proxy, place).map_err(|error| unreachable(place, &error))?;
    let answer = sender.send_request(request).await.map_err(failed)?;
    if answer.status() != StatusCode::OK {
        let text = format!("the proxy of the user refuses {}: {}", place.written(), answer.status());
        return Err(LoadError { kind: LoadErrorKind::Unreachable, text });
    }
    hyper::upgrade::on(answer).await.map_err(failed)
}

fn connect_request(proxy: &UserProxy, place: &Place) -> Result<Request<Empty<Bytes>>, hyper::http::Error> {
    let written = place.written();
    let mut request = Request::builder()
        .method(Method::CONNECT)
        .uri(&written)
        .header(HOST, HeaderValue::from_str(&written)?)
        .body(Empty::new())?;
    if let Some(authorization) = proxy.authorization() {
        request.headers_mut().insert(PROXY_AUTHORIZATION, authorization.clone());
    }
    Ok(request)
}

/// Moves bytes in both directions, until one side has ended or the proxy ends.
async fn join<S>(request: Request<Incoming>, far: S, traffic: Arc<Traffic>, closed: impl Future<Output = ()>)
where
    S: AsyncRead + AsyncWrite,
{
    let Ok(near) = hyper::upgrade::on(request).await else { return };
    let (mut near_read, mut near_write) = tokio::io::split(TokioIo::new(near));
    let (mut far_read, mut far_write) = tokio::io::split(far);
    tokio::select! {
        _ = pump(&mut near_read, &mut far_write, &traffic) => {}
        _ = pump(&mut far_read, &mut near_write, &traffic) => {}
        () = closed => {}
    }
}

async fn pump<R, W>(from: &mut R, to: &mut W, traffic: &Traffic) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut part = vec![0; PART];
    loop {
        let length = from.read(&mut part).await?;
        if length == 0 {
            return to.shutdown().await;
        }
        to.write_all(&part[..length]).await?;
        to.flush().await?;
        traffic.bytes.fetch_add(length as u64, Ordering::Relaxed);
    }
}
