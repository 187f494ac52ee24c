//! One session: its tabs, and what can be done with the current one. The files beside this one each add a kind of
//! calls.

mod calls;
mod evaluate;
mod frames;
mod input;
mod navigation;
mod opening;
mod settle;
mod tabs;

use std::sync::Arc;

use super::browser::Running;
use super::proxy::Account;
use super::router::WebRouter;
use super::state::SessionState;
use super::{DocumentState, Happening, PageReport, RequestCounts};
use crate::BrowserSettings;
use crate::context::Context;
use crate::open_place::OpenPlace;

pub(super) use opening::Opening;

/// A session of the web, with cookies, cache and storage of its own. Dropping it closes its tabs. Every call may be
/// dropped at any point; what it began in the page may then still happen.
#[derive(Debug)]
pub struct WebSession {
    state: Arc<SessionState>,
    /// Before the account: requests of its pages end before the right to send them.
    context: Context<WebRouter>,
    account: Account,
    running: Arc<Running>,
    limits: BrowserSettings,
    _place: OpenPlace,
}

impl WebSession {
    /// The address of the current tab.
    pub fn address(&self) -> String {
        self.document().url
    }

    /// The main document of the current tab.
    pub fn document(&self) -> DocumentState {
        self.state.current().map(|tab| tab.document()).unwrap_or_default()
    }

    /// What happened since the last call, in the order of its time.
    pub fn take_happenings(&self) -> Vec<Happening> {
        self.state.take_happenings()
    }

    /// What the listener of the session has sent since the last call, in the order of its time, and the number of reports that
    /// were left out because they were too long or too many.
    pub fn take_reports(&self) -> (Vec<PageReport>, u64) {
        self.state.take_reports()
    }

    /// What went over the network so far.
    pub fn requests(&self) -> RequestCounts {
        let [requests, bytes, refused] = self.account.traffic().counts();
        RequestCounts { requests, bytes, refused }
    }

    /// Name and version of the browser, such as `Chrome/148.0.7778.167`.
    pub fn browser_version(&self) -> &str {
        &self.running.instance.version
    }

    /// Closes all tabs, forgets cookies and storage, and waits for it.
    pub async fn close(self) {
        self.context.dispose().await;
    }
}
