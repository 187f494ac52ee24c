//! Receives what happens in the browser and answers at once: requests are refused or passed, dialogs are answered,
//! new windows are closed, and nothing runs before its requests are intercepted.
//!
//! Dedicated workers have no interception of their own; their requests arrive in the session of their page. A new
//! window is resumed and then closed: one that stays paused blocks the page that opened it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::PageFault;
use super::connection::{Connection, Incoming};
use super::event_handler::EventHandler;
use super::page::Exception;
use super::page_state::{MainSession, PageState};

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
    frame_id: String,
    #[serde(default)]
    resource_type: String,
}

#[derive(Deserialize)]
struct PausedRequest {
    url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dialog {
    #[serde(default)]
    default_prompt: String,
}

#[derive(Deserialize)]
struct Navigated {
    frame: Frame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame {
    id: String,
    loader_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stopped {
    frame_id: String,
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

impl EventHandler for Router {
    fn forget(&self, context: &str) {
        let mut tables = self.tables();
        if let Some(page) = tables.contexts.remove(context) {
            tables.sessions.retain(|_, of| !Arc::ptr_eq(of, &page));
        }
    }

    fn is_used(&self) -> bool {
        self.tables().contexts.values().any(|page| page.site().is_some())
    }

    /// The next page that crashes does so for this reason.
    fn expect_out_of_memory(&self, most_mib: u64) {
        self.tables().out_of_memory = Some(PageFault::OutOfMemory(most_mib));
    }

    fn event(&self, connection: &Arc<Connection>, event: &Incoming<'_>) {
        let (Some(params), session) = (event.params, event.session_id.as_deref()) else { return };
        match event.method.as_str() {
            "Target.attachedToTarget" => self.attached(connection, session, params),
            "Target.detachedFromTarget" if connection.ended().is_none() => self.detached(params),
            "Fetch.requestPaused" => self.paused(connection, session, params),
            "Page.javascriptDialogOpening" => {
                let text = read::<Dialog>(params).map_or_else(String::new, |dialog| dialog.default_prompt);
                let answer = json!({ "accept": true, "promptText": text });
                connection.tell(session, "Page.handleJavaScriptDialog", &answer);
            }
            "Page.frameNavigated" => self.navigated(session, params),
            "Page.lifecycleEvent" => self.lifecycle(session, params),
            "Page.frameStoppedLoading" => self.stopped(session, params),
            "Inspector.targetCrashed" => self.crashed(session),
            "Runtime.exceptionThrown" => self.thrown(session, params),
            _ => {}
        }
    }
}

impl Router {
    /// Everything in this context belongs to this page.
    pub(super) fn register(&self, context: String, page: Arc<PageState>) {
        self.tables().contexts.insert(context, page);
    }

    fn attached(&self, connection: &Arc<Connection>, parent: Option<&str>, params: &RawValue) {
        let Some(Attached { session_id, target_info }) = read(params) else { return };
        let page = self.page_of(parent, &target_info.browser_context_id);
        let Some(page) = page else { return close(connection, &target_info.target_id) };
        self.tables().sessions.insert(session_id.clone(), page.clone());
        let TargetInfo { target_id, r#type: kind, .. } = target_info;
        let main = MainSession { session: session_id.clone(), target: target_id.clone() };
        let child = match kind.as_str() {
            "page" if page.attach(main) => return,
            "page" => Child::Window,
            "iframe" | "shared_worker" => Child::Part,
            // The requests of a worker arrive in the session of its page.
            "worker" => Child::Worker,
            _ => {
                page.block(&target_id, kind);
                return close(connection, &target_id);
            }
        };
        if child == Child::Window {
            page.block("about:blank", "Window".to_owned());
        }
        tokio::spawn(start_child(connection.clone(), session_id, target_id, child));
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
        let Paused { request_id, request, resource_type, frame_id } = paused;
        let page = self.page_of(session, "");
        if page.as_ref().and_then(|page| page.site()).is_some_and(|site| site.allows(&request.url)) {
            connection.tell(session, "Fetch.continueRequest", &json!({ "requestId": request_id }));
            return;
        }
        // An answer without content leaves the page where it is; an error page would replace it.
        let stays = page.as_ref().is_some_and(|page| page.is_main_frame(&frame_id));
        let (method, params) = if stays && resource_type == "Document" {
            ("Fetch.fulfillRequest", json!({ "requestId": request_id, "responseCode": 204 }))
        } else {
            ("Fetch.failRequest", json!({ "requestId": request_id, "errorReason": "BlockedByClient" }))
        };
        connection.tell(session, method, &params);
        if let Some(page) = page {
            page.block(&request.url, resource_type);
        }
    }

    fn lifecycle(&self, session: Option<&str>, params: &RawValue) {
        let (Some(page), Some(event)) = (self.page_of(session, ""), read::<Lifecycle>(params)) else {
            return;
        };
        if page.is_main_frame(&event.frame_id) && event.name == "load" {
            page.load(event.loader_id);
        }
    }

    fn navigated(&self, session: Option<&str>, params: &RawValue) {
        let (Some(page), Some(event)) = (self.page_of(session, ""), read::<Navigated>(params)) else {
            return;
        };
        if page.is_main_frame(&event.frame.id) {
            page.commit(event.frame.loader_id);
        }
    }

    /// A document whose navigation elsewhere is refused while it loads fires no load event.
    fn stopped(&self, session: Option<&str>, params: &RawValue) {
        let (Some(page), Some(event)) = (self.page_of(session, ""), read::<Stopped>(params)) else { return };
        if page.is_main_frame(&event.frame_id) {
            page.load_committed();
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

    fn thrown(&self, session: Option<&str>, params: &RawValue) {
        if let (Some(page), Some(exception)) = (self.page_of(session, ""), read::<Exception>(params)) {
            page.add_script_error(exception.message());
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
    connection.tell(None, "Target.closeTarget", &json!({ "targetId": target }));
}

/// What a page starts besides itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Child {
    Part,
    Worker,
    Window,
}

/// Lets a child run as soon as its requests are intercepted; if they cannot be, it never runs. A window is closed, but
/// only then: a window that waits would keep the page that opened it waiting.
async fn start_child(connection: Arc<Connection>, session: String, target: String, child: Child) {
    let [fetch, attach] = interception();
    let calls = if child == Child::Worker { vec![attach] } else { vec![fetch, attach] };
    for (method, params) in calls {
        if connection.call(Some(&session), method, params).await.is_err() {
            return close(&connection, &target);
        }
    }
    connection.tell(Some(&session), "Runtime.runIfWaitingForDebugger", &json!({}));
    if child == Child::Window {
        close(&connection, &target);
    }
}
