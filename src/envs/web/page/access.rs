//! What reading needs of a browser.

use std::error::Error;

use async_trait::async_trait;
use serde_json::Value;

/// A frame of a page: the main one or a part of the page with a document of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What the browser calls it.
    pub id: String,
    /// The frame around it; `None` for the main one.
    pub parent: Option<String>,
    /// The address of its document.
    pub url: String,
}

/// A page that scripts of this program can read, each in a world apart from the scripts of the page. The world of
/// a document keeps its variables until the document is replaced.
#[async_trait]
pub trait PageAccess: Sync {
    /// Why a script could not run.
    type Error: Error + Send + Sync + 'static;

    /// The frames: the main one first, parents before children.
    ///
    /// # Errors
    /// The page or the browser cannot be reached.
    async fn frames(&self) -> Result<Vec<Frame>, Self::Error>;

    /// The value of a function of JavaScript, called in the world of this frame with this argument. A promise is
    /// awaited.
    ///
    /// # Errors
    /// There is no such frame, it cannot be reached, or the function fails or does not end.
    async fn evaluate(
        &self,
        frame: &str,
        function: &'static str,
        argument: &Value,
    ) -> Result<Value, Self::Error>;

    /// The same in the world of the parent, with `this` being the element that holds this frame.
    ///
    /// # Errors
    /// As for [`PageAccess::evaluate`]; and the frame is the main one.
    async fn evaluate_on_owner(
        &self,
        frame: &str,
        function: &'static str,
        argument: &Value,
    ) -> Result<Value, Self::Error>;
}
