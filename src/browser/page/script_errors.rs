//! Exceptions that no script of a page catches.

use serde::Deserialize;
use serde_json::json;

use super::Page;
use crate::BrowserError;

/// Characters of a message that are kept.
const KEPT: usize = 300;

/// What the browser says of an exception.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Exception {
    exception_details: Details,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    text: String,
    #[serde(default)]
    url: String,
    line_number: u64,
    exception: Option<Thrown>,
}

#[derive(Deserialize)]
struct Thrown {
    description: Option<String>,
}

impl Exception {
    /// File, line and message, such as `script.js:3: ReferenceError: x is not defined`.
    pub(crate) fn message(self) -> String {
        let Details { text, url, line_number, exception } = self.exception_details;
        let description = exception.and_then(|thrown| thrown.description).unwrap_or(text);
        let what = description.lines().next().unwrap_or_default();
        let what = what.strip_prefix("Uncaught ").unwrap_or(what);
        let file = url.rsplit('/').next().unwrap_or_default();
        let message = format!("{file}:{}: {what}", line_number + 1);
        message.chars().take(KEPT).collect()
    }
}

impl Page {
    /// From now on records exceptions that no script of the page catches.
    ///
    /// # Errors
    /// A fault of the page or a failure of the browser.
    pub async fn watch_script_errors(&self) -> Result<(), BrowserError> {
        self.call("Runtime.enable", json!({})).await.map(drop)
    }

    /// The recorded exceptions, at most the first 20: file, line and message, as the page wrote them.
    pub fn script_errors(&self) -> Vec<String> {
        self.context.state.script_errors()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_file_and_line() {
        let of = |details: serde_json::Value| {
            let params = json!({ "timestamp": 1, "exceptionDetails": details });
            serde_json::from_value::<Exception>(params).unwrap().message()
        };
        let thrown = json!({ "description": "TypeError: x is null\n    at file:///a/b.js:3:1" });
        let details =
            json!({ "text": "Uncaught", "url": "file:///a/b.js", "lineNumber": 2, "exception": thrown });
        assert_eq!(of(details), "b.js:3: TypeError: x is null");
        assert_eq!(of(json!({ "text": "Uncaught 7", "lineNumber": 0 })), ":1: 7");
    }
}
