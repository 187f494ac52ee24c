//! The browsers that the episodes of this process share: one for each form of window and rules of the network.

use std::collections::HashMap;
use std::path::Path;
#[expect(clippy::disallowed_types, reason = "locked only to look a browser up")]
use std::sync::Mutex;
use std::sync::{Arc, PoisonError};

use mageyard_browser::web::{
    CookieJar, LocalSites, NetworkRules, SessionOptions, SiteAnswer, SiteRequest, WebBrowser, WebSession,
    WebSettings, user_proxy,
};
use mageyard_browser::{BrowserPool, BrowserSettings};
use mageyard_domain::{EnvironmentContext, EnvironmentError};

use super::{failed, touches};
use crate::options::WebOptions;
use crate::sites;
use crate::task::Task;

/// The browsers for the web.
#[derive(Debug, Default)]
#[expect(clippy::disallowed_types, reason = "locked only to look a browser up")]
pub(super) struct WebBrowsers(Mutex<HashMap<Key, WebBrowser>>);

/// What one browser is started for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    window: bool,
    allow: Vec<String>,
    proxy: Option<String>,
}

impl WebBrowsers {
    /// The browser for these settings.
    fn browser(&self, options: &WebOptions, settings: BrowserSettings) -> Result<WebBrowser, String> {
        let key = Key { window: options.window, allow: options.allow.clone(), proxy: options.proxy.clone() };
        let mut browsers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(browser) = browsers.get(&key) {
            return Ok(browser.clone());
        }
        let network = network(options)?;
        let browser = WebBrowser::new(WebSettings { browser: settings, window: options.window, network });
        browsers.insert(key, browser.clone());
        Ok(browser)
    }
}

/// What the network of the browser may do.
pub(super) fn network(options: &WebOptions) -> Result<NetworkRules, String> {
    let proxy = options
        .proxy
        .as_deref()
        .map(user_proxy)
        .transpose()
        .map_err(|error| format!("web.proxy: {error}"))?;
    let sites: Arc<dyn LocalSites> = Arc::new(LocalWeb);
    let network = NetworkRules { allowed: options.allow.clone(), proxy, sites: Some(sites) };
    network.check().map_err(|error| format!("web.allow or web.proxy: {error}"))?;
    Ok(network)
}

/// A new session.
pub(super) async fn open_session(
    task: &Task,
    options: &WebOptions,
    context: &EnvironmentContext,
) -> Result<WebSession, EnvironmentError> {
    let pool = context.resources.get_or_insert_with(|| BrowserPool::new(BrowserSettings::default()));
    let browsers = context.resources.get_or_insert_with(WebBrowsers::default);
    let browser = browsers.browser(options, pool.settings().clone()).map_err(failed)?;
    let cookies = match &options.cookies {
        Some(path) => Some(read_cookies(path).await.map_err(failed)?),
        None => None,
    };
    let listener = touches::listener(task, options);
    let session = SessionOptions { viewport: options.viewport, cookies, listener };
    context.unless_cancelled(async { browser.open(session).await.map_err(failed) }).await
}

/// The stored cookies and local storage of a file.
async fn read_cookies(path: &Path) -> Result<CookieJar, String> {
    let wrong = |why: &dyn std::fmt::Display| format!("web.cookies: {}: {why}", path.display());
    let text = tokio::fs::read(path).await.map_err(|error| wrong(&error))?;
    serde_json::from_slice(&text).map_err(|error| wrong(&error))
}

/// The sites that are compiled into this program.
#[derive(Debug)]
struct LocalWeb;

impl LocalSites for LocalWeb {
    fn serves(&self, host: &str) -> bool {
        sites::serves(host)
    }

    fn answer(&self, request: &SiteRequest) -> SiteAnswer {
        let SiteRequest { method, host, target, body } = request.clone();
        let answer = sites::answer(&sites::SiteRequest { method, host, target, body });
        SiteAnswer { status: answer.status, headers: answer.headers, body: answer.body, delay: answer.delay }
    }
}
