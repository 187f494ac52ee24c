//! Values of expressions in a page.

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{Page, parsed, refused};
use crate::{BrowserError, BrowserFailure, PageFault};

/// How often an expression is tried again because the page left its document meanwhile.
const ATTEMPTS: usize = 5;

/// What precedes a text, and a value of another kind.
const TEXT: char = 't';
const JSON: char = 'j';
/// The bytes of a mark.
const MARK: usize = 1;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct World {
    execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated {
    result: Remote,
    exception_details: Option<Thrown>,
}

#[derive(Deserialize)]
struct Remote {
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct Thrown {
    text: String,
    exception: Option<ThrownValue>,
}

#[derive(Deserialize)]
struct ThrownValue {
    description: Option<String>,
}

impl Page {
    /// The value of an expression, apart from the scripts of the page: they share the document with it and nothing
    /// else. A promise is awaited. A text of more than this many bytes is a fault, and so is another
    /// value with as much JSON.
    ///
    /// # Errors
    /// [`PageFault::ScriptTimeout`], [`PageFault::ScriptFailed`], [`PageFault::TooLarge`], a crash of the page, or a
    /// failure of the browser.
    pub async fn evaluate(&self, expression: &str, most_bytes: usize) -> Result<Value, BrowserError> {
        let limit = self.limits.evaluate_timeout.duration();
        match timeout(limit, self.value(expression, most_bytes)).await {
            Ok(value) => value,
            Err(_) => Err(self.give_up(PageFault::ScriptTimeout(limit)).await),
        }
    }

    /// The value of an expression, within a limit of the caller.
    pub(crate) async fn value(&self, expression: &str, most_bytes: usize) -> Result<Value, BrowserError> {
        let script = bounded(expression, most_bytes);
        for _ in 1..ATTEMPTS {
            match self.try_value(&script, most_bytes).await {
                Err(BrowserError::Browser(BrowserFailure::Refused { .. })) => {}
                value => return value,
            }
        }
        self.try_value(&script, most_bytes).await
    }

    async fn try_value(&self, script: &str, most: usize) -> Result<Value, BrowserError> {
        let method = "Runtime.evaluate";
        let params = json!({
            "expression": script,
            "contextId": self.world().await?,
            "awaitPromise": true,
            "returnByValue": true,
        });
        let answer = self.call(method, params).await?;
        let evaluated: Evaluated = parsed(method, &answer)?;
        if let Some(thrown) = evaluated.exception_details {
            return Err(PageFault::ScriptFailed(words(thrown)).into());
        }
        match evaluated.result.value {
            Value::String(text) if text.len() <= most + MARK => marked(text, method),
            Value::String(text) => Err(PageFault::TooLarge { bytes: text.len() - MARK, most }.into()),
            Value::Number(length) => {
                let bytes = length.as_u64().and_then(|length| usize::try_from(length).ok());
                Err(PageFault::TooLarge { bytes: bytes.unwrap_or(usize::MAX), most }.into())
            }
            _ => Err(refused(method, "no value")),
        }
    }

    /// The world of our scripts in the present document.
    pub(super) async fn world(&self) -> Result<i64, BrowserError> {
        let method = "Page.createIsolatedWorld";
        let params = json!({ "frameId": self.main.target, "worldName": "mageyard" });
        let answer = self.call(method, params).await?;
        Ok(parsed::<World>(method, &answer)?.execution_context_id)
    }
}

/// An expression whose value arrives as a text after a mark, as JSON text, or as the length of the text if it is too
/// long. A text, such as a snapshot, is large and is not written as JSON once more.
fn bounded(expression: &str, most: usize) -> String {
    format!(
        "(async (made) => {{ const value = await made; const plain = typeof value === 'string'; \
         const text = plain ? value : JSON.stringify(value) ?? 'null'; \
         return text.length > {most} ? text.length : (plain ? '{TEXT}' : '{JSON}') + text; \
         }})((async () => ({expression}\n))())"
    )
}

/// The value of a text with its mark.
fn marked(mut text: String, method: &str) -> Result<Value, BrowserError> {
    if text.starts_with(TEXT) {
        text.drain(..MARK);
        return Ok(Value::String(text));
    }
    let json = text.strip_prefix(JSON).unwrap_or_default();
    serde_json::from_str(json).map_err(|error| refused(method, &error.to_string()))
}

fn words(thrown: Thrown) -> String {
    let description = thrown.exception.and_then(|exception| exception.description);
    description.unwrap_or(thrown.text).chars().take(500).collect()
}
