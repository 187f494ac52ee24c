//! Receives what happens in the browser and answers at once: dialogs are accepted, the proxy gets its password, and
//! nothing runs before everything is in force.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::events::{
    Attached, AuthRequired, Detached, Dialog, Download, Lifecycle, Navigated, NavigatedWithin, Paused,
    Stopped, TargetInfo, read,
};
use super::state::SessionState;
use super::tab::{FarFrame, Tab};
use super::{Happening, PageReport, beginning, listener, network, starting};
use crate::connection::{Connection, Incoming};
use crate::event_handler::EventHandler;

/// How long after a process was ended for its memory a crash is explained with it. Several tabs may share the process.
const EXPLAINED: Duration = Duration::from_secs(3);

/// The sessions of a browser, by what events name.
#[derive(Debug, Default)]
pub(super) struct WebRouter(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    contexts: HashMap<String, Arc<SessionState>>,
    sessions: HashMap<String, Attachment>,
    /// A process was ended at this time, because it used more than this many MiB.
    out_of_memory: Option<(Instant, u64)>,
    /// Requests that got the password of the proxy. One that needs it again did not get the right one.
    answered: HashSet<(String, String)>,
}

/// What a session of the protocol belongs to.
#[derive(Clone, Debug)]
struct Attachment {
    state: Arc<SessionState>,
    /// `None` for workers that no tab owns.
    tab: Option<Arc<Tab>>,
}

impl EventHandler for WebRouter {
    fn event(&self, connection: &Arc<Connection>, event: &Incoming<'_>) {
        let (Some(params), session) = (event.params, event.session_id.as_deref()) else { return };
        match event.method.as_str() {
            "Target.attachedToTarget" => self.attached(connection, session, params),
            "Target.detachedFromTarget" if connection.ended().is_none() => self.detached(connection, params),
            "Fetch.requestPaused" => self.paused(connection, session, params),
            "Fetch.authRequired" => self.auth_required(connection, session, params),
            "Page.javascriptDialogOpening" => self.dialog(connection, session, params),
            "Page.fileChooserOpened" => self.happen(session, || Some(Happening::FileChooser)),
            "Page.downloadWillBegin" => self.happen(session, || {
                let Download { url, suggested_filename } = read(params)?;
                Some(Happening::Download { url: beginning(&url), name: beginning(&suggested_filename) })
            }),
            "Runtime.bindingCalled" => self.reported(session, params),
            "Inspector.targetCrashed" => self.crashed(connection, session),
            method => {
                if matches!(method, "Page.frameNavigated" | "Page.frameStoppedLoading") {
                    self.bind(connection, session);
                }
                self.tab_event(session.unwrap_or_default(), method, params);
            }
        }
    }

    fn is_used(&self) -> bool {
        !self.tables().contexts.is_empty()
    }

    fn expect_out_of_memory(&self, most_mib: u64) {
        self.tables().out_of_memory = Some((Instant::now(), most_mib));
    }

    fn forget(&self, context: &str) {
        let mut tables = self.tables();
        if let Some(state) = tables.contexts.remove(context) {
            state.close();
            tables.sessions.retain(|_, of| !Arc::ptr_eq(&of.state, &state));
        }
    }
}

impl WebRouter {
    /// Everything in this context belongs to this session.
    pub(super) fn register(&self, context: &str, state: Arc<SessionState>) {
        state.set_context(context);
        self.tables().contexts.insert(context.to_owned(), state);
    }

    fn attached(&self, connection: &Arc<Connection>, parent: Option<&str>, params: &RawValue) {
        let Some(Attached { session_id, target_info }) = read(params) else { return };
        let TargetInfo { target_id, r#type: kind, url, browser_context_id, .. } = target_info;
        let parent = parent.and_then(|parent| self.attachment(parent));
        let state = match &parent {
            Some(parent) => Some(parent.state.clone()),
            None => self.tables().contexts.get(&browser_context_id).cloned(),
        };
        // What belongs to no session is of the browser itself.
        let Some(state) = state else { return starting::close_target(connection, &target_id) };
        let connection = connection.clone();
        if kind == "page" {
            let tab = state.add_tab(&target_id, &session_id, &url);
            let Some(tab) = tab else {
                tokio::spawn(starting::refuse_tab(connection, session_id, target_id));
                return;
            };
            self.tables()
                .sessions
                .insert(session_id, Attachment { state: state.clone(), tab: Some(tab.clone()) });
            tokio::spawn(starting::start_tab(connection, state, tab));
            return;
        }
        let tab = parent.and_then(|parent| parent.tab);
        if let (Some(tab), "iframe") = (&tab, kind.as_str()) {
            tab.add_far_frame(FarFrame { session: session_id.clone(), frame: target_id });
        }
        self.tables().sessions.insert(session_id.clone(), Attachment { state: state.clone(), tab });
        tokio::spawn(starting::start_part(connection, state, session_id, kind));
    }

    fn detached(&self, connection: &Arc<Connection>, params: &RawValue) {
        let Some(Detached { session_id }) = read(params) else { return };
        let mut tables = self.tables();
        tables.answered.retain(|(session, _)| *session != session_id);
        let removed = tables.sessions.remove(&session_id);
        drop(tables);
        let Some(Attachment { state, tab }) = removed else { return };
        let Some(tab) = tab else { return };
        if tab.session == session_id {
            remove_tab(connection, &state, &tab, None);
        } else {
            tab.remove_far_frame(&session_id);
        }
    }

    /// A document is about to be loaded.
    fn paused(&self, connection: &Connection, session: Option<&str>, params: &RawValue) {
        let Some(Paused { request_id, request }) = read(params) else { return };
        if session.and_then(|session| self.attachment(session)).is_some_and(|of| of.state.is_filling()) {
            let headers = json!([{ "name": "Content-Type", "value": "text/html" }]);
            let empty = json!({ "requestId": request_id, "responseCode": 200, "responseHeaders": headers });
            return connection.tell(session, "Fetch.fulfillRequest", &empty);
        }
        let scheme = request.url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if ["http", "https", "about", "data", "blob"].contains(&scheme.as_str()) {
            connection.tell(session, "Fetch.continueRequest", &json!({ "requestId": request_id }));
            return;
        }
        let refused = json!({ "requestId": request_id, "errorReason": "BlockedByClient" });
        connection.tell(session, "Fetch.failRequest", &refused);
        self.happen(session, || {
            let why = format!("addresses that begin with {scheme}: are refused");
            Some(Happening::Refused { url: beginning(&request.url), why })
        });
    }

    fn auth_required(&self, connection: &Connection, session: Option<&str>, params: &RawValue) {
        let Some(AuthRequired { request_id, auth_challenge }) = read(params) else { return };
        let of = session.and_then(|session| self.attachment(session));
        let key = (session.unwrap_or_default().to_owned(), request_id.clone());
        let is_first = self.tables().answered.insert(key);
        let response = match of.filter(|_| is_first && auth_challenge.source == "Proxy") {
            Some(Attachment { state, .. }) => json!({
                "response": "ProvideCredentials",
                "username": state.credentials.user,
                "password": state.credentials.password,
            }),
            None => json!({ "response": "CancelAuth" }),
        };
        let answer = json!({ "requestId": request_id, "authChallengeResponse": response });
        connection.tell(session, "Fetch.continueWithAuth", &answer);
    }

    fn dialog(&self, connection: &Connection, session: Option<&str>, params: &RawValue) {
        let Some(Dialog { message, r#type, default_prompt }) = read(params) else { return };
        let answer = json!({ "accept": true, "promptText": default_prompt });
        connection.tell(session, "Page.handleJavaScriptDialog", &answer);
        let of = session.and_then(|session| self.attachment(session));
        let Some(Attachment { state, tab: Some(tab) }) = of else { return };
        if state.add_dialog(tab.number, &r#type, &message) {
            // A loop around a dialog ends some hundred rounds later: the engine seldom looks for this order. If
            // nothing runs any more, the order stops what is evaluated next, which is then the second one.
            connection.tell(session, "Runtime.terminateExecution", &json!({}));
            connection.tell(session, "Runtime.evaluate", &json!({ "expression": "0" }));
        }
    }

    /// Gives the binding of the listener to a new document.
    fn bind(&self, connection: &Connection, session: Option<&str>) {
        let of = session.and_then(|session| self.attachment(session));
        if of.is_some_and(|of| of.state.listener.is_some()) {
            let (method, params) = listener::bind();
            connection.tell(session, method, &params);
        }
    }

    /// The listener of a session reports something.
    fn reported(&self, session: Option<&str>, params: &RawValue) {
        let of = session.and_then(|session| self.attachment(session));
        if let Some(Attachment { state, tab: Some(tab) }) = of
            && let Some(text) = listener::report(params)
        {
            state.add_report(PageReport { tab: tab.number, address: tab.document().url, text });
        }
    }

    fn crashed(&self, connection: &Arc<Connection>, session: Option<&str>) {
        let Some(session) = session else { return };
        let Some(Attachment { state, tab: Some(tab) }) = self.attachment(session) else { return };
        if tab.session != session {
            // A frame crashed; the page goes on without it.
            return;
        }
        let memory = self.tables().out_of_memory.filter(|(at, _)| at.elapsed() < EXPLAINED);
        let why = memory.map_or_else(
            || "it crashed".to_owned(),
            |(_, most)| format!("it used more than {most} MiB of memory"),
        );
        remove_tab(connection, &state, &tab, Some(&why));
        starting::close_target(connection, &tab.target);
    }

    /// Events of the loading of a tab.
    fn tab_event(&self, session: &str, method: &str, params: &RawValue) {
        if !method.starts_with("Page.") && !method.starts_with("Network.") {
            return;
        }
        let Some(Attachment { state, tab: Some(tab) }) = self.attachment(session) else { return };
        match method {
            "Page.frameNavigated" => navigated(&tab, params),
            "Page.navigatedWithinDocument" => {
                if let Some(event) =
                    read::<NavigatedWithin>(params).filter(|event| tab.is_main(&event.frame_id))
                {
                    tab.navigate_within(event.url);
                }
            }
            "Page.lifecycleEvent" => {
                if let Some(event) = read::<Lifecycle>(params)
                    && tab.is_main(&event.frame_id)
                    && event.name == "load"
                {
                    tab.load(Some(&event.loader_id));
                }
            }
            // A document whose navigation elsewhere is refused while it loads fires no load event.
            "Page.frameStoppedLoading" => {
                if read::<Stopped>(params).is_some_and(|event| tab.is_main(&event.frame_id)) {
                    tab.load(None);
                }
            }
            _ => network::event(&state, &tab, session, method, params),
        }
    }

    fn happen(&self, session: Option<&str>, what: impl FnOnce() -> Option<Happening>) {
        if let Some(of) = session.and_then(|session| self.attachment(session))
            && let Some(happening) = what()
        {
            of.state.add_happening(happening);
        }
    }

    fn attachment(&self, session: &str) -> Option<Attachment> {
        self.tables().sessions.get(session).cloned()
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn navigated(tab: &Tab, params: &RawValue) {
    let Some(Navigated { frame, r#type }) = read::<Navigated>(params) else { return };
    if tab.is_main(&frame.id) {
        let loader = frame.loader_id.clone();
        tab.commit(&loader, frame.address(), r#type == "BackForwardCacheRestore");
    }
}

/// Removes a tab; the last one of a session is replaced by an empty one.
fn remove_tab(connection: &Connection, state: &SessionState, tab: &Tab, lost: Option<&str>) {
    if !state.remove_tab(tab, lost) {
        return;
    }
    if let Some(context) = state.context() {
        let window: Value = starting::window(context, state.viewport);
        connection.tell(None, "Target.createTarget", &window);
    }
}
