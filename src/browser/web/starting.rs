//! Lets new tabs, frames and workers run as soon as everything is in force.

use std::sync::Arc;

use futures_util::future::try_join_all;
use serde_json::{Value, json};

use super::listener::PageListener;
use super::state::SessionState;
use super::tab::Tab;
use crate::Viewport;
use crate::connection::Connection;

/// Bytes of answers that the browser keeps for the protocol; they are not used.
const KEPT_ANSWERS: u64 = 1 << 16;

/// The order for an empty window in a context.
pub(super) fn window(context: &str, viewport: Viewport) -> Value {
    json!({
        "url": "about:blank",
        "browserContextId": context,
        "newWindow": true,
        "width": viewport.width,
        "height": viewport.height,
    })
}

/// Closes a target.
pub(super) fn close_target(connection: &Connection, target: &str) {
    connection.tell(None, "Target.closeTarget", &json!({ "targetId": target }));
}

/// Lets a tab run, and brings it to front if it still is the current one. If something cannot be in force, it is
/// closed.
pub(super) async fn start_tab(connection: Arc<Connection>, state: Arc<SessionState>, tab: Arc<Tab>) {
    if !call_all(&connection, &tab.session, tab_setup(&state)).await {
        return close_target(&connection, &tab.target);
    }
    let is_current = state.current().is_some_and(|current| current.number == tab.number);
    if is_current && tab.number > 1 {
        connection.tell(Some(&tab.session), "Page.bringToFront", &json!({}));
    }
    tab.set_ready();
}

/// Closes a tab that is too many. It is resumed before: a window that waits would keep the page that opened it
/// waiting.
pub(super) async fn refuse_tab(connection: Arc<Connection>, session: String, target: String) {
    // Nothing is loaded in it: every request waits for an answer that does not come.
    let fetch = json!({ "patterns": [{ "urlPattern": "*" }] });
    call_all(&connection, &session, vec![("Fetch.enable", fetch), resume()]).await;
    close_target(&connection, &target);
}

/// Lets a frame or a worker run. A kind that does not have one of the orders runs without it.
pub(super) async fn start_part(
    connection: Arc<Connection>,
    state: Arc<SessionState>,
    session: String,
    kind: String,
) {
    let orders = if kind == "iframe" { frame_setup(&state) } else { vec![attach()] };
    for (method, params) in orders {
        // Refused by workers that have no children, or because it is gone.
        let _ = connection.call(Some(&session), method, params).await;
    }
    let (method, params) = resume();
    connection.tell(Some(&session), method, &params);
}

/// Sends orders in this sequence; whether all succeeded.
async fn call_all(connection: &Connection, session: &str, orders: Vec<(&'static str, Value)>) -> bool {
    let calls = orders.into_iter().map(|(method, params)| connection.call(Some(session), method, params));
    try_join_all(calls).await.is_ok()
}

/// The first document of a context needs the password of the proxy, which the browser then keeps; so only documents
/// wait.
fn frame_setup(state: &SessionState) -> Vec<(&'static str, Value)> {
    let documents = json!([{ "urlPattern": "*", "resourceType": "Document" }]);
    let mut orders = vec![
        ("Fetch.enable", json!({ "patterns": documents, "handleAuthRequests": true })),
        attach(),
        ("Page.enable", json!({})),
        (
            "Network.enable",
            json!({ "maxTotalBufferSize": KEPT_ANSWERS, "maxResourceBufferSize": KEPT_ANSWERS }),
        ),
        ("Network.setBypassServiceWorker", json!({ "bypass": true })),
        ("Page.setInterceptFileChooserDialog", json!({ "enabled": true })),
    ];
    orders.extend(state.listener.iter().flat_map(PageListener::orders));
    orders
}

fn tab_setup(state: &SessionState) -> Vec<(&'static str, Value)> {
    let Viewport { width, height } = state.viewport;
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    let mut orders = frame_setup(state);
    orders.extend([
        ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
        ("Inspector.enable", json!({})),
        ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
        ("Emulation.setDeviceMetricsOverride", size),
        resume(),
    ]);
    orders
}

fn attach() -> (&'static str, Value) {
    ("Target.setAutoAttach", json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true }))
}

fn resume() -> (&'static str, Value) {
    ("Runtime.runIfWaitingForDebugger", json!({}))
}
