//! Reads pages through a session of the browser.

use async_trait::async_trait;
use mageyard_browser::web::{WebFault, WebSession};
use serde_json::Value;

use crate::page::{Frame, PageAccess};

/// The current tab of a session, as pages are read.
#[derive(Clone, Copy, Debug)]
pub struct CurrentTab<'a>(
    /// The session.
    pub &'a WebSession,
);

#[async_trait]
impl PageAccess for CurrentTab<'_> {
    type Error = WebFault;

    async fn frames(&self) -> Result<Vec<Frame>, WebFault> {
        let frames = self.0.frames().await?.into_iter();
        Ok(frames.map(|frame| Frame { id: frame.id, parent: frame.parent, url: frame.url }).collect())
    }

    async fn evaluate(
        &self,
        frame: &str,
        function: &'static str,
        argument: &Value,
    ) -> Result<Value, WebFault> {
        self.0.evaluate(frame, function, argument).await
    }

    async fn evaluate_on_owner(
        &self,
        frame: &str,
        function: &'static str,
        argument: &Value,
    ) -> Result<Value, WebFault> {
        self.0.evaluate_on_owner(frame, function, argument).await
    }
}
