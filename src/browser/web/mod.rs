//! The browser for the live web: sessions with tabs, in one shared Chromium.
//!
//! [`WebBrowser`] starts one browser and shares it; [`WebSession`] has cookies, cache and storage of its own. All
//! traffic goes through a proxy in this process, which refuses addresses that are not public, serves local sites and
//! counts. Pages are hostile: everything that they do ends within limits, a script that does not end is stopped, and
//! a tab that crashes is lost while the session stays. Only a browser that died or does not answer is an error of the
//! environment. This module has no tasks, observations or scores.
//!
//! Start with `browser`, then `router` (what is answered at once), `starting` (what is in force before a page runs)
//! and `proxy` (what may be reached).

mod browser;
mod cookies;
mod events;
mod fault;
mod happening;
mod listener;
mod network;
mod proxy;
mod router;
mod session;
mod settings;
mod starting;
mod state;
mod tab;
mod user_proxy;

pub use browser::WebBrowser;
pub use cookies::{Cookie, CookieJar, OriginStorage, SameSite, StorageEntry};
pub use fault::{LoadError, LoadErrorKind, RuleError, WebFault};
pub use happening::{DocumentState, FrameInfo, Happening, Redirect, RequestCounts, Settled, TabInfo};
pub use listener::{PageListener, PageReport};
pub use session::WebSession;
pub use settings::{LocalSites, NetworkRules, SessionOptions, SiteAnswer, SiteRequest, WebSettings};
pub use user_proxy::user_proxy;

use happening::beginning;

/// The most tabs of a session; further ones are closed at once.
pub const MOST_TABS: usize = 20;
