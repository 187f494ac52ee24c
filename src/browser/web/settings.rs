//! What a browser of the web is started with, and what it may reach.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use super::{CookieJar, PageListener};
use crate::{BrowserSettings, Viewport};

/// The settings of the browser of the web.
#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// The program and the limits; `pages` is the number of sessions that are open at once, `page_memory` the limit
    /// of one process of pages.
    pub browser: BrowserSettings,
    /// Whether it has a window on the desktop, which needs a display.
    pub window: bool,
    /// What may be reached.
    pub network: NetworkRules,
}

/// What the browser may reach: the public internet, and what is listed here.
#[derive(Clone, Debug, Default)]
pub struct NetworkRules {
    /// Places that may be reached although their address is not public: `host`, `host:port`, an address with or
    /// without a port (`[::1]:8000`), or a range such as `10.0.0.0/8`.
    pub allowed: Vec<String>,
    /// The proxy of the user, `http://host:port`, also with a user name and a password:
    /// `http://user:password@host:port`. Places in `allowed` and local sites are reached without it.
    pub proxy: Option<String>,
    /// Sites that are inside this process.
    pub sites: Option<Arc<dyn LocalSites>>,
}

/// Sites that are inside this process, served under their names on port 80.
pub trait LocalSites: Send + Sync + Debug {
    /// Whether this host, in lower case, is one of them.
    fn serves(&self, host: &str) -> bool;

    /// The answer to a request. Called in a task that must not be blocked.
    fn answer(&self, request: &SiteRequest) -> SiteAnswer;
}

/// A request to a local site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteRequest {
    /// Its method, such as `GET`.
    pub method: String,
    /// The host in lower case.
    pub host: String,
    /// Path and query.
    pub target: String,
    /// The body, at most 1 MiB.
    pub body: Vec<u8>,
}

/// The answer of a local site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteAnswer {
    /// The HTTP status, from 200 to 599.
    pub status: u16,
    /// Headers, without the length.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The time until it is sent.
    pub delay: Duration,
}

/// What a session begins with.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The size of every tab.
    pub viewport: Viewport,
    /// Stored cookies and local storage.
    pub cookies: Option<CookieJar>,
    /// What listens in its documents.
    pub listener: Option<PageListener>,
}
