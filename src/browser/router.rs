//! Receives what happens in the browser and answers at once: requests are refused or passed, dialogs are answered,
//! new windows are closed, and nothing runs before its requests are intercepted.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use serde::Deserialize;
use serde_json::Value;
use serde_json::json;
use serde_json::value::RawValue;

use super::PageFault;
use super::connection::Connection;
use super::connection::Incoming;
use super::page_state::MainSession;
use super::page_state::PageState;

/// The pages of a browser, by what events name.
#[derive(Debug, Default)]
pub(super) struct Router(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    contexts: HashMap<String, Arc<PageState>>,
    sessions: HashMap<String, Arc<PageState>>,
    /// How the next crash is explained.
    out_of_memory: Option<PageFault>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
    target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfo {
    target_id: String,
    r#type: String,
    #[serde(default)]
    browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detached {
    session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Paused {
    request_id: String,
    request: PausedRequest,
    #[serde(default)]
    resource_type: String,
}

#[derive(Deserialize)]
struct PausedRequest {
    url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lifecycle {
    frame_id: String,
    loader_id: String,
    name: String,
}

/// The requests of this session are intercepted, and its children are attached before they run.
pub(super) fn interception() -> [(&'static str, Value); 2] {
    [
        ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
        (
            "Target.setAutoAttach",
            json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true }),
        ),
    ]
}

impl Router {
    /// Everything in this context belongs to this page.
    pub(super) fn register(&self, context: String, page: Arc<PageState>) {
        self.tables().contexts.insert(context, page);
    }

    /// Forgets a page.
    pub(super) fn forget(&self, context: &str) {
        let mut tables = self.tables();
        if let Some(page) = tables.contexts.remove(context) {
            tables.sessions.retain(|_, of| !Arc::ptr_eq(of, &page));
        }
    }

    /// All pages.
    pub(super) fn pages(&self) -> Vec<Arc<PageState>> {
        self.tables().contexts.values().cloned().collect()
    }

    /// The next page that crashes does so because its process is ended for its memory.
    pub(super) fn expect_out_of_memory(&self, fault: PageFault) {
        self.tables().out_of_memory = Some(fault);
    }

    /// Handles an event.
    pub(super) fn event(&self, connection: &Arc<Connection>, event: &Incoming<'_>) {
        let (Some(params), session) = (event.params, event.session_id.as_deref()) else { return };
        match event.method.as_str() {
            "Target.attachedToTarget" => self.attached(connection, session, params),
            "Target.detachedFromTarget" => self.detached(params),
            "Fetch.requestPaused" => self.paused(connection, session, params),
            "Page.javascriptDialogOpening" => {
                connection.tell(session, "Page.handleJavaScriptDialog", json!({ "accept": true }));
            }
            "Page.lifecycleEvent" => self.lifecycle(session, params),
            "Inspector.targetCrashed" => self.crashed(session),
            _ => {}
        }
    }

    fn attached(&self, connection: &Arc<Connection>, parent: Option<&str>, params: &RawValue) {
        let Some(Attached { session_id, target_info }) = read(params) else { return };
        let page = self.page_of(parent, &target_info.browser_context_id);
        let Some(page) = page else { return close(connection, &target_info.target_id) };
        self.tables().sessions.insert(session_id.clone(), page.clone());
        match target_info.r#type.as_str() {
            "page" => {
                let main = MainSession { session: session_id, target: target_info.target_id.clone() };
                if !page.attach(main) {
                    page.block("about:blank", "Window".to_owned());
                    close(connection, &target_info.target_id);
                }
            }
            "iframe" | "worker" | "shared_worker" => {
                tokio::spawn(start_child(connection.clone(), session_id, target_info.target_id));
            }
            kind => {
                page.block(&target_info.target_id, kind.to_owned());
                close(connection, &target_info.target_id);
            }
        }
    }

    fn page_of(&self, parent: Option<&str>, context: &str) -> Option<Arc<PageState>> {
        let tables = self.tables();
        let of_parent = parent.and_then(|parent| tables.sessions.get(parent));
        of_parent.or_else(|| tables.contexts.get(context)).cloned()
    }

    fn detached(&self, params: &RawValue) {
        let Some(Detached { session_id }) = read(params) else { return };
        let page = self.tables().sessions.remove(&session_id);
        if let Some(page) = page.filter(|page| is_main(page, &session_id)) {
            page.fail(PageFault::ClosedItself);
        }
    }

    fn paused(&self, connection: &Connection, session: Option<&str>, params: &RawValue) {
        let Some(paused) = read::<Paused>(params) else { return };
        let Paused { request_id, request, resource_type } = paused;
        let page = self.page_of(session, "");
        if page.as_ref().is_some_and(|page| page.site.allows(&request.url)) {
            connection.tell(session, "Fetch.continueRequest", json!({ "requestId": request_id }));
            return;
        }
        // A document that is aborted leaves the page where it is; an error page would replace it.
        let reason = if resource_type == "Document" { "Aborted" } else { "BlockedByClient" };
        connection.tell(
            session,
            "Fetch.failRequest",
            json!({ "requestId": request_id, "errorReason": reason }),
        );
        if let Some(page) = page {
            page.block(&request.url, resource_type);
        }
    }

    fn lifecycle(&self, session: Option<&str>, params: &RawValue) {
        let (Some(page), Some(event)) = (self.page_of(session, ""), read::<Lifecycle>(params)) else {
            return;
        };
        let main = page.main().is_some_and(|main| main.target == event.frame_id);
        if main && event.name == "load" {
            page.load(event.loader_id);
        }
    }

    fn crashed(&self, session: Option<&str>) {
        let page = self.page_of(session, "");
        if let (Some(page), Some(session)) = (page, session)
            && is_main(&page, session)
        {
            page.fail(self.tables().out_of_memory.take().unwrap_or(PageFault::Crashed));
        }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_main(page: &PageState, session: &str) -> bool {
    page.main().is_some_and(|main| main.session == session)
}

fn read<'a, T: Deserialize<'a>>(params: &'a RawValue) -> Option<T> {
    serde_json::from_str(params.get()).ok()
}

fn close(connection: &Connection, target: &str) {
    connection.tell(None, "Target.closeTarget", json!({ "targetId": target }));
}

/// Lets a frame or a worker run as soon as its requests are intercepted; if they cannot be, it never runs.
async fn start_child(connection: Arc<Connection>, session: String, target: String) {
    for (method, params) in interception() {
        if connection.call(Some(&session), method, params).await.is_err() {
            return close(&connection, &target);
        }
    }
    connection.tell(Some(&session), "Runtime.runIfWaitingForDebugger", json!({}));
}
