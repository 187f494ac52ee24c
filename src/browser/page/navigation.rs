//! Opening a file of the page's folder.

use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

use super::{Page, parsed};
use crate::{BrowserError, PageFault};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameTree {
    frame_tree: FrameOf,
}

#[derive(Deserialize)]
struct FrameOf {
    frame: Frame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame {
    loader_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    error_text: Option<String>,
}

impl Page {
    /// Opens a file of the folder of the page, given by its path in it, and waits for the load event: that of the file,
    /// or that of the file to which it leads before.
    ///
    /// # Errors
    /// [`PageFault::NoFile`], [`PageFault::LoadTimeout`], [`PageFault::LoadFailed`] or a failure of the browser.
    pub async fn open(&self, file: &str) -> Result<(), BrowserError> {
        let site = self.context.state.site();
        let url = site.and_then(|site| site.url(file)).ok_or_else(|| PageFault::NoFile(file.to_owned()))?;
        let limit = self.limits.load_timeout.duration();
        match timeout(limit, self.load(&url)).await {
            Ok(done) => done,
            Err(_) => Err(self.give_up(PageFault::LoadTimeout(limit)).await),
        }
    }

    async fn load(&self, url: &str) -> Result<(), BrowserError> {
        let earlier = self.loader().await?;
        let method = "Page.navigate";
        let answer = self.call(method, json!({ "url": url })).await?;
        if let Navigated { error_text: Some(text) } = parsed(method, &answer)? {
            return Err(PageFault::LoadFailed(text).into());
        }
        let state = &self.context.state;
        tokio::select! {
            fault = state.failed() => Err(fault.into()),
            failure = self.context.browser.connection.end_reached() => Err(failure.into()),
            () = state.loaded_after(&earlier) => Ok(()),
        }
    }

    /// What identifies the present document.
    async fn loader(&self) -> Result<String, BrowserError> {
        let method = "Page.getFrameTree";
        let answer = self.call(method, json!({})).await?;
        Ok(parsed::<FrameTree>(method, &answer)?.frame_tree.frame.loader_id)
    }
}
