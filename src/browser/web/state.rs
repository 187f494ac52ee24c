//! What is known of a session: shared by its handle, the task that receives events, and the proxy.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::watch;

use super::happening::{Happenings, beginning};
use super::listener::{PageListener, PageReport, Reports};
use super::proxy::{Credentials, Customer};
use super::tab::Tab;
use super::{Happening, LoadError, LoadErrorKind, MOST_TABS, TabInfo};
use crate::Viewport;

/// Places that could not be reached and are kept, for the reasons of documents.
const MOST_FAILED: usize = 500;

/// After this many dialogs in one act the script that opens them is stopped, and again after as many more.
const MOST_DIALOGS: u32 = 20;

/// Why a tab is lost that did not crash.
pub(super) const CLOSED: &str = "it was closed";

/// What is known of a session.
#[derive(Debug)]
pub(super) struct SessionState {
    /// The size of each tab.
    pub(super) viewport: Viewport,
    /// What it answers the proxy with.
    pub(super) credentials: Credentials,
    /// What listens in its documents.
    pub(super) listener: Option<PageListener>,
    context: OnceLock<String>,
    tables: Mutex<Tables>,
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Tables {
    /// In the order of opening.
    tabs: Vec<Arc<Tab>>,
    /// Numbers in the order of use; the last one is the current tab.
    used: Vec<u32>,
    last_number: u32,
    happenings: Happenings,
    reports: Reports,
    dialogs: u32,
    /// Why places could not be reached.
    failed: HashMap<String, LoadError>,
    is_closed: bool,
    is_filling: bool,
}

impl SessionState {
    pub(super) fn new(viewport: Viewport, credentials: Credentials, listener: Option<PageListener>) -> Self {
        let (context, tables, changes) = Default::default();
        Self { viewport, credentials, listener, context, tables, changes }
    }

    /// Says what the browser calls its context.
    pub(super) fn set_context(&self, context: &str) {
        self.context.get_or_init(|| context.to_owned());
    }

    /// What the browser calls its context.
    pub(super) fn context(&self) -> Option<&str> {
        self.context.get().map(String::as_str)
    }

    /// The session ends; tabs that end with it need no replacement.
    pub(super) fn close(&self) {
        self.tables().is_closed = true;
    }

    /// Whether empty documents are put in place of all others from here on.
    pub(super) fn set_filling(&self, is_filling: bool) {
        self.tables().is_filling = is_filling;
    }

    /// Whether empty documents are put in place of all others.
    pub(super) fn is_filling(&self) -> bool {
        self.tables().is_filling
    }

    /// Takes a new tab as the current one; `None` if there are too many.
    pub(super) fn add_tab(&self, target: &str, session: &str, url: &str) -> Option<Arc<Tab>> {
        let mut tables = self.tables();
        if tables.tabs.len() >= MOST_TABS {
            tables.happenings.add(Happening::TooManyTabs { url: beginning(url) });
            return None;
        }
        tables.last_number += 1;
        let number = tables.last_number;
        let tab = Arc::new(Tab::new(number, target.to_owned(), session.to_owned(), url.to_owned()));
        tables.tabs.push(tab.clone());
        tables.used.push(number);
        // The session itself opens the first one.
        if number > 1 {
            tables.happenings.add(Happening::TabOpened { number });
        }
        drop(tables);
        self.changed();
        Some(tab)
    }

    /// Removes a tab, for the reason why it is lost or because it was closed. Whether another one is needed.
    pub(super) fn remove_tab(&self, tab: &Tab, lost: Option<&str>) -> bool {
        let number = tab.number;
        let mut tables = self.tables();
        let Some(at) = tables.tabs.iter().position(|other| other.number == number) else { return false };
        tables.tabs.remove(at);
        tables.used.retain(|other| *other != number);
        if !tables.is_closed {
            tables.happenings.add(match lost {
                Some(why) => Happening::TabLost { number, why: why.to_owned() },
                None => Happening::TabClosed { number },
            });
        }
        let needs_one = tables.tabs.is_empty() && !tables.is_closed;
        drop(tables);
        // After its place is empty, so that who waits for its end finds another current tab.
        tab.lose(lost.unwrap_or(CLOSED));
        self.changed();
        needs_one
    }

    /// The current tab; `None` while the last one is being replaced.
    pub(super) fn current(&self) -> Option<Arc<Tab>> {
        let tables = self.tables();
        let number = *tables.used.last()?;
        tables.tabs.iter().find(|tab| tab.number == number).cloned()
    }

    /// The current tab, as soon as there is one.
    pub(super) async fn current_arrives(&self) -> Arc<Tab> {
        let mut changes = self.changes.subscribe();
        loop {
            if let Some(tab) = self.current() {
                return tab;
            }
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// All tabs in the order of opening.
    pub(super) fn all_tabs(&self) -> Vec<Arc<Tab>> {
        self.tables().tabs.clone()
    }

    /// The tab with this number.
    pub(super) fn tab(&self, number: u32) -> Option<Arc<Tab>> {
        self.tables().tabs.iter().find(|tab| tab.number == number).cloned()
    }

    /// The tab with this target.
    pub(super) fn tab_of_target(&self, target: &str) -> Option<Arc<Tab>> {
        self.tables().tabs.iter().find(|tab| tab.target == target).cloned()
    }

    /// Makes a tab the current one.
    pub(super) fn set_current(&self, number: u32) {
        let mut tables = self.tables();
        if tables.tabs.iter().any(|tab| tab.number == number) {
            tables.used.retain(|other| *other != number);
            tables.used.push(number);
        }
        drop(tables);
        self.changed();
    }

    /// All tabs in the order of opening, as others see them.
    pub(super) fn tab_infos(&self) -> Vec<TabInfo> {
        let tables = self.tables();
        let current = tables.used.last().copied();
        let info = |tab: &Arc<Tab>| TabInfo {
            number: tab.number,
            url: tab.document().url,
            title: tab.title(),
            current: current == Some(tab.number),
        };
        tables.tabs.iter().map(info).collect()
    }

    pub(super) fn add_happening(&self, happening: Happening) {
        self.tables().happenings.add(happening);
    }

    pub(super) fn take_happenings(&self) -> Vec<Happening> {
        self.tables().happenings.take()
    }

    pub(super) fn add_report(&self, report: PageReport) {
        self.tables().reports.add(report);
    }

    /// The reports since the last call, and the number of those that were left out.
    pub(super) fn take_reports(&self) -> (Vec<PageReport>, u64) {
        self.tables().reports.take()
    }

    /// Notes a dialog of a tab. Whether the script that opened it is to be stopped, because there were too many since
    /// the last act.
    pub(super) fn add_dialog(&self, tab: u32, dialog: &str, text: &str) -> bool {
        let mut tables = self.tables();
        tables.dialogs += 1;
        tables.happenings.add(Happening::Dialog { dialog: dialog.to_owned(), text: beginning(text) });
        if tables.dialogs == MOST_DIALOGS {
            tables.happenings.add(Happening::ScriptStopped { tab });
        }
        tables.dialogs.is_multiple_of(MOST_DIALOGS)
    }

    /// An act begins: dialogs are counted from here.
    pub(super) fn begin_act(&self) {
        self.tables().dialogs = 0;
    }

    /// Why a place, written as host and port, could not be reached when it was last tried.
    pub(super) fn failure_of(&self, place: &str) -> Option<LoadError> {
        self.tables().failed.get(place).cloned()
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count = count.wrapping_add(1));
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Customer for SessionState {
    fn failed(&self, place: &str, url: &str, error: &LoadError) {
        let mut tables = self.tables();
        if tables.failed.len() >= MOST_FAILED {
            tables.failed.clear();
        }
        tables.failed.insert(place.to_owned(), error.clone());
        if error.kind == LoadErrorKind::Refused {
            tables.happenings.add(Happening::Refused { url: beginning(url), why: error.text.clone() });
        }
    }

    fn reached(&self, place: &str) {
        self.tables().failed.remove(place);
    }
}
