//! The requests of a tab: which are open, and how its main document was loaded.

use serde_json::value::RawValue;
use url::Url;

use super::events::{Ended, Received, Response, WillBeSent, read};
use super::proxy::FAILED;
use super::state::SessionState;
use super::tab::{OpenRequest, Tab};
use super::{LoadError, LoadErrorKind, Redirect};

/// Kinds of requests that stay open without end.
const STREAMS: &[&str] = &["EventSource", "WebSocket"];

/// The code for a tunnel that the proxy refused.
const NO_TUNNEL: &str = "net::ERR_TUNNEL_CONNECTION_FAILED";

/// Handles an event of the network.
pub(super) fn event(state: &SessionState, tab: &Tab, session: &str, method: &str, params: &RawValue) {
    match method {
        "Network.requestWillBeSent" => {
            if let Some(event) = read(params) {
                will_be_sent(tab, session, event);
            }
        }
        "Network.responseReceived" => {
            if let Some(event) = read(params) {
                received(state, tab, &event);
            }
        }
        "Network.loadingFinished" => {
            if let Some(Ended { request_id, .. }) = read(params) {
                tab.end_request(&request_id);
            }
        }
        "Network.loadingFailed" => {
            if let Some(event) = read(params) {
                failed(state, tab, event);
            }
        }
        _ => {}
    }
}

fn will_be_sent(tab: &Tab, session: &str, event: WillBeSent) {
    let WillBeSent { request_id, loader_id, frame_id, r#type, request, redirect_response } = event;
    if r#type == "Document" && tab.is_main(&frame_id) {
        let redirect =
            redirect_response.map(|response| Redirect { url: response.url, status: response.status });
        tab.begin_document(&loader_id, &request.url, redirect);
    }
    let is_remote = request.url.starts_with("http:") || request.url.starts_with("https:");
    if is_remote && !STREAMS.contains(&r#type.as_str()) {
        tab.open_request(&request_id, OpenRequest { loader: loader_id, session: session.to_owned() });
    }
}

fn received(state: &SessionState, tab: &Tab, event: &Received) {
    let is_remote = event.response.url.starts_with("http");
    if event.r#type != "Document" || !tab.is_main(&event.frame_id) || !is_remote {
        return;
    }
    tab.answer_document(&event.loader_id, status(state, &event.response));
}

/// The status of an answer, or the error that the proxy answered with. An encrypted answer never is one of the proxy.
fn status(state: &SessionState, response: &Response) -> Result<u16, LoadError> {
    let is_of_proxy = response.url.starts_with("http:") && response.has(FAILED);
    match is_of_proxy.then(|| failure(state, &response.url)).flatten() {
        Some(error) => Err(error),
        None => Ok(response.status),
    }
}

fn failed(state: &SessionState, tab: &Tab, event: Ended) {
    let Ended { request_id, r#type, error_text, canceled } = event;
    tab.end_request(&request_id);
    // The request of a main document has the id of its loader.
    if r#type != "Document" || canceled {
        return;
    }
    let Some(url) = tab.address_of(&request_id) else { return };
    tab.fail_document(&request_id, explain(state, &url, &error_text));
}

/// Why an address was not loaded: in the words of the proxy, if it is the reason.
pub(super) fn explain(state: &SessionState, url: &str, code: &str) -> LoadError {
    let of_proxy = (code == NO_TUNNEL).then(|| failure(state, url)).flatten();
    of_proxy.unwrap_or_else(|| LoadError { kind: LoadErrorKind::Other, text: code.to_owned() })
}

fn failure(state: &SessionState, url: &str) -> Option<LoadError> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?.trim_end_matches('.');
    state.failure_of(&format!("{host}:{}", url.port_or_known_default()?))
}
