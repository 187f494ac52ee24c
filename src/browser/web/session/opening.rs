//! A session from nothing: a context, cookies, the first tab, local storage.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::WebSession;
use super::navigation::checked;
use crate::context::Context;
use crate::open_place::OpenPlace;
use crate::web::browser::Running;
use crate::web::state::SessionState;
use crate::web::tab::Tab;
use crate::web::{Cookie, CookieJar, OriginStorage, WebFault, starting};
use crate::{BrowserFailure, BrowserSettings};

/// A session that is being opened.
pub(in crate::web) struct Opening {
    pub(in crate::web) running: Arc<Running>,
    pub(in crate::web) place: OpenPlace,
    pub(in crate::web) limits: BrowserSettings,
    pub(in crate::web) state: Arc<SessionState>,
    pub(in crate::web) cookies: Option<CookieJar>,
}

/// Fills the local storage of a document.
const STORE: &str =
    "async function (entries) { for (const [name, value] of entries) localStorage.setItem(name, value) }";

impl Opening {
    /// Opens it.
    pub(in crate::web) async fn open(self) -> Result<WebSession, BrowserFailure> {
        let Self { running, place, limits, state, cookies } = self;
        let browser = running.instance.clone();
        let credentials = state.credentials.clone();
        let account = running.proxy.open_account(credentials, state.clone());
        let context = Context::create(browser.clone()).await?;
        browser.router.register(context.id(), state.clone());
        context.deny().await?;
        let CookieJar { cookies, origins } = cookies.unwrap_or_default();
        if !cookies.is_empty() {
            let cookies: Vec<Value> = cookies.iter().map(Cookie::params).collect();
            let params = json!({ "cookies": cookies, "browserContextId": context.id() });
            browser.call("Storage.setCookies", params).await?;
        }
        browser.call("Target.createTarget", starting::window(context.id(), state.viewport)).await?;
        let session = WebSession { state, context, account, running, limits, _place: place };
        session.first_tab().await?;
        session.store(&origins).await?;
        Ok(session)
    }
}

impl WebSession {
    async fn first_tab(&self) -> Result<(), BrowserFailure> {
        let browser = &self.running.instance;
        let arrived = async {
            self.state.current_arrives().await.becomes_ready().await;
        };
        tokio::select! {
            failure = browser.connection.end_reached() => Err(failure),
            arrived = timeout(browser.patience, arrived) => {
                arrived.map_err(|_| browser.silent("Target.createTarget", browser.patience))
            }
        }
    }

    /// Fills the local storage of origins, without a request to them: an empty document is put in place of theirs.
    async fn store(&self, origins: &[OriginStorage]) -> Result<(), BrowserFailure> {
        let Some(tab) = self.state.current().filter(|_| !origins.is_empty()) else { return Ok(()) };
        self.state.set_filling(true);
        for storage in origins {
            let stored = timeout(self.limits.load_timeout.duration(), self.store_one(&tab, storage)).await;
            let error = match stored {
                Ok(Ok(())) => continue,
                Ok(Err(WebFault::Browser(failure))) => return Err(failure),
                Ok(Err(fault)) => fault.to_string(),
                Err(_) => "it was not filled in time".to_owned(),
            };
            return Err(refused(&format!("the local storage of {}", storage.origin), error));
        }
        let emptied = timeout(self.limits.load_timeout.duration(), self.empty(&tab)).await;
        self.state.set_filling(false);
        self.state.take_happenings();
        match emptied {
            Ok(Ok(())) => Ok(()),
            Ok(Err(WebFault::Browser(failure))) => Err(failure),
            Ok(Err(fault)) => Err(refused("an empty tab", fault.to_string())),
            Err(_) => Err(refused("an empty tab", "it was not there in time".to_owned())),
        }
    }

    async fn store_one(&self, tab: &Tab, storage: &OriginStorage) -> Result<(), WebFault> {
        let OriginStorage { origin, local_storage } = storage;
        let entries: Vec<[&str; 2]> =
            local_storage.iter().map(|entry| [entry.name.as_str(), entry.value.as_str()]).collect();
        self.load(tab, checked(origin)?.as_str()).await?;
        self.call_function(tab, &tab.session, &tab.target, STORE, &json!(entries)).await.map(drop)
    }

    /// An empty document without a history.
    async fn empty(&self, tab: &Tab) -> Result<(), WebFault> {
        self.load(tab, "about:blank").await?;
        self.call(tab, &tab.session, "Page.resetNavigationHistory", json!({})).await.map(drop)
    }
}

fn refused(method: &str, message: String) -> BrowserFailure {
    BrowserFailure::Refused { method: method.to_owned(), message }
}
