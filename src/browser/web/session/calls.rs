//! Requests to a tab, each within a limit. A script that keeps the tab from answering is stopped.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::WebSession;
use crate::connection::CallError;
use crate::web::tab::Tab;
use crate::web::{Happening, WebFault};

/// How long a tab may take to answer before a script is the reason.
const BUSY: Duration = Duration::from_millis(300);

/// How long a tab may take to answer after its script was stopped.
const STOPPED: Duration = Duration::from_secs(2);

impl WebSession {
    /// The current tab, as soon as it can be used. Scripts of other tabs that keep it from starting are stopped: a new tab may
    /// share the process of the one that opened it.
    pub(super) async fn tab(&self) -> Result<Arc<Tab>, WebFault> {
        let limit = self.limits.interaction_timeout.duration();
        if let Some(tab) = self.usable_tab(limit).await? {
            return Ok(tab);
        }
        self.running.instance.check().await?;
        for tab in self.state.all_tabs() {
            self.stop_script(&tab, &tab.session).await;
        }
        let found = self.usable_tab(limit).await?;
        found.ok_or(WebFault::Timeout { what: "the opening of a tab", limit })
    }

    /// The current tab, if it can be used within a limit.
    async fn usable_tab(&self, limit: Duration) -> Result<Option<Arc<Tab>>, WebFault> {
        let usable = async {
            loop {
                let tab = self.state.current_arrives().await;
                tokio::select! {
                    () = tab.becomes_ready() => return tab,
                    _ = tab.lost() => {}
                }
            }
        };
        tokio::select! {
            failure = self.running.instance.connection.end_reached() => Err(failure.into()),
            found = timeout(limit, usable) => Ok(found.ok()),
        }
    }

    /// A request to a session of a tab, without a limit of its own.
    pub(super) async fn call(
        &self,
        tab: &Tab,
        session: &str,
        method: &str,
        params: Value,
    ) -> Result<Box<RawValue>, WebFault> {
        let connection = &self.running.instance.connection;
        let answer = tokio::select! {
            biased;
            why = tab.lost() => return Err(WebFault::TabLost { number: tab.number, why }),
            answer = connection.call(Some(session), method, params) => answer,
        };
        answer.map_err(|error| match error {
            CallError::Gone(failure) => failure.into(),
            CallError::Refused(message) => WebFault::Refused { method: method.to_owned(), message },
        })
    }

    /// Does something within a limit. If it is a script of the page that keeps it from ending, the script is stopped,
    /// and there is as much time again.
    pub(super) async fn within<T>(
        &self,
        tab: &Tab,
        session: &str,
        (what, limit): (&'static str, Duration),
        work: impl Future<Output = Result<T, WebFault>>,
    ) -> Result<T, WebFault> {
        let mut work = pin!(work);
        if let Ok(done) = timeout(limit, &mut work).await {
            return done;
        }
        self.running.instance.check().await?;
        if self.stop_script(tab, session).await
            && let Ok(done) = timeout(limit, &mut work).await
        {
            return done;
        }
        Err(WebFault::Timeout { what, limit })
    }

    /// Stops a script that keeps a session of a tab from answering. Whether there was one, and it ended.
    pub(super) async fn stop_script(&self, tab: &Tab, session: &str) -> bool {
        let connection = &self.running.instance.connection;
        let mut answer = pin!(self.call(tab, session, "Runtime.evaluate", json!({ "expression": "0" })));
        if timeout(BUSY, &mut answer).await.is_ok() {
            return false;
        }
        connection.tell(Some(session), "Runtime.terminateExecution", &json!({}));
        let stopped = timeout(STOPPED, answer).await.is_ok_and(|answer| answer.is_ok());
        if stopped {
            self.state.add_happening(Happening::ScriptStopped { tab: tab.number });
        }
        stopped
    }
}

/// An answer of the browser as data.
pub(super) fn parsed<'a, T: Deserialize<'a>>(method: &str, answer: &'a RawValue) -> Result<T, WebFault> {
    serde_json::from_str(answer.get()).map_err(|error| {
        let message = format!("its answer cannot be read: {error}");
        WebFault::Refused { method: method.to_owned(), message }
    })
}
