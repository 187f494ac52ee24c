//! Changing and closing tabs.

use serde::Deserialize;
use serde_json::json;

use super::WebSession;
use super::calls::parsed;
use crate::web::events::TargetInfo;
use crate::web::{TabInfo, WebFault, beginning};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Targets {
    target_infos: Vec<TargetInfo>,
}

impl WebSession {
    /// The tabs in the order of opening; empty only for the moment in which the last one is being replaced. Titles
    /// are as they were when a call that waits for a page last ended.
    pub fn tabs(&self) -> Vec<TabInfo> {
        self.state.tab_infos()
    }

    /// Makes a tab the current one and brings it to front: a tab that is not in front is not drawn.
    ///
    /// # Errors
    /// [`WebFault::NoTab`], [`WebFault::Timeout`], [`WebFault::TabLost`] or a failure of the browser.
    pub async fn switch_tab(&self, number: u32) -> Result<(), WebFault> {
        let tab = self.state.tab(number).ok_or(WebFault::NoTab(number))?;
        let limit = ("the change of the tab", self.limits.interaction_timeout.duration());
        let work = async {
            tab.becomes_ready().await;
            self.call(&tab, &tab.session, "Page.bringToFront", json!({})).await
        };
        self.within(&tab, &tab.session, limit, work).await?;
        self.state.set_current(number);
        self.update_titles().await
    }

    /// Closes a tab. The one that was current before becomes current; the last one is replaced by an empty one.
    ///
    /// # Errors
    /// As for [`WebSession::switch_tab`].
    pub async fn close_tab(&self, number: u32) -> Result<(), WebFault> {
        let tab = self.state.tab(number).ok_or(WebFault::NoTab(number))?;
        let browser = &self.running.instance;
        browser.call("Target.closeTarget", json!({ "targetId": tab.target })).await?;
        let limit = self.limits.interaction_timeout.duration();
        tokio::select! {
            _ = tab.lost() => {}
            failure = browser.connection.end_reached() => return Err(failure.into()),
            () = tokio::time::sleep(limit) => {
                return Err(WebFault::Timeout { what: "the closing of the tab", limit });
            }
        }
        let current = self.tab().await?;
        let method = "Page.bringToFront";
        let limit = ("the change of the tab", limit);
        let work = self.call(&current, &current.session, method, json!({}));
        self.within(&current, &current.session, limit, work).await?;
        self.update_titles().await
    }

    /// Takes the titles of all tabs from the browser.
    pub(super) async fn update_titles(&self) -> Result<(), WebFault> {
        let method = "Target.getTargets";
        let filter = json!([{ "type": "page" }, { "exclude": true }]);
        let answer = self.running.instance.call(method, json!({ "filter": filter })).await?;
        for target in parsed::<Targets>(method, &answer)?.target_infos {
            if let Some(tab) = self.state.tab_of_target(&target.target_id) {
                tab.set_title(&beginning(&target.title));
            }
        }
        Ok(())
    }
}
