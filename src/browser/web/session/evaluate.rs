//! Functions of this program in a page, in a world of their own: they share the document with the scripts of the page
//! and nothing else.

use serde::Deserialize;
use serde_json::{Value, json};

use super::WebSession;
use super::calls::parsed;
use crate::web::WebFault;
use crate::web::tab::Tab;

/// How often a function is tried again because the frame left its document meanwhile.
const ATTEMPTS: usize = 5;

/// The most characters of the JSON of a result.
const MOST: u64 = 64 << 20;

/// The most characters of the message of an exception.
const MOST_MESSAGE: usize = 500;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct World {
    execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Returned {
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Owner {
    backend_node_id: i64,
}

#[derive(Deserialize)]
struct Resolved {
    object: Object,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    object_id: String,
}

impl WebSession {
    /// What a function returns in a frame of the current tab, with this argument. `function` is the source of a
    /// JavaScript function of this program, never text of a page or a model; `argument` is passed as data. A promise
    /// is awaited.
    ///
    /// # Errors
    /// [`WebFault::Script`], [`WebFault::Timeout`], [`WebFault::TooLarge`], [`WebFault::NoFrame`],
    /// [`WebFault::TabLost`] or a failure of the browser.
    pub async fn evaluate(&self, frame: &str, function: &str, argument: &Value) -> Result<Value, WebFault> {
        let tab = self.tab().await?;
        self.evaluate_in(&tab, frame, function, argument).await
    }

    /// The same with `this` as the element that holds a frame, in the document around it.
    ///
    /// # Errors
    /// As for [`WebSession::evaluate`]; [`WebFault::NoFrame`] also for the main frame, which no element holds.
    pub async fn evaluate_on_owner(
        &self,
        frame: &str,
        function: &str,
        argument: &Value,
    ) -> Result<Value, WebFault> {
        let tab = self.tab().await?;
        let frames = self.frame_sessions(&tab).await?;
        let missing = || WebFault::NoFrame(frame.to_owned());
        let parent =
            frames.iter().find(|found| found.info.id == frame).and_then(|found| found.info.parent.clone());
        let parent = parent.ok_or_else(missing)?;
        let session =
            frames.iter().find(|found| found.info.id == parent).ok_or_else(missing)?.session.clone();
        let limit = ("a script", self.limits.evaluate_timeout.duration());
        let work = self.call_on_owner(&tab, &session, &parent, frame, (function, argument));
        self.within(&tab, &session, limit, work).await
    }

    /// The HTML of the main document of the current tab, as its elements are now.
    ///
    /// # Errors
    /// As for [`WebSession::evaluate`].
    pub async fn html(&self) -> Result<String, WebFault> {
        let tab = self.tab().await?;
        let function = "function () { return document.documentElement?.outerHTML ?? '' }";
        let html = self.evaluate_in(&tab, &tab.target, function, &Value::Null).await?;
        Ok(html.as_str().unwrap_or_default().to_owned())
    }

    /// What a function returns in a frame of a tab.
    pub(super) async fn evaluate_in(
        &self,
        tab: &Tab,
        frame: &str,
        function: &str,
        argument: &Value,
    ) -> Result<Value, WebFault> {
        let session = self.session_of(tab, frame).await?;
        let limit = ("a script", self.limits.evaluate_timeout.duration());
        let work = self.call_function(tab, &session, frame, function, argument);
        self.within(tab, &session, limit, work).await
    }

    /// The same without a limit; again if the document was replaced meanwhile.
    pub(super) async fn call_function(
        &self,
        tab: &Tab,
        session: &str,
        frame: &str,
        function: &str,
        argument: &Value,
    ) -> Result<Value, WebFault> {
        let mut last = Err(WebFault::NoFrame(frame.to_owned()));
        for _ in 0..ATTEMPTS {
            last = self.try_function(tab, session, frame, function, argument).await;
            if !matches!(&last, Err(WebFault::Refused { message, .. }) if is_replaced(message)) {
                return last;
            }
        }
        last
    }

    async fn try_function(
        &self,
        tab: &Tab,
        session: &str,
        frame: &str,
        function: &str,
        argument: &Value,
    ) -> Result<Value, WebFault> {
        let world = self.world(tab, session, frame).await?;
        let params = json!({
            "functionDeclaration": bounded(function),
            "executionContextId": world,
            "arguments": [{ "value": argument }],
            "awaitPromise": true,
            "returnByValue": true,
        });
        self.returned(tab, session, params).await
    }

    async fn call_on_owner(
        &self,
        tab: &Tab,
        session: &str,
        parent: &str,
        frame: &str,
        (function, argument): (&str, &Value),
    ) -> Result<Value, WebFault> {
        let world = self.world(tab, session, parent).await?;
        let method = "DOM.getFrameOwner";
        let answer = self.call(tab, session, method, json!({ "frameId": frame })).await?;
        let Owner { backend_node_id } = parsed(method, &answer)?;
        let method = "DOM.resolveNode";
        let params = json!({ "backendNodeId": backend_node_id, "executionContextId": world });
        let answer = self.call(tab, session, method, params).await?;
        let Resolved { object: Object { object_id } } = parsed(method, &answer)?;
        let params = json!({
            "functionDeclaration": bounded(function),
            "objectId": object_id,
            "arguments": [{ "value": argument }],
            "awaitPromise": true,
            "returnByValue": true,
        });
        let returned = self.returned(tab, session, params).await;
        self.running.instance.connection.tell(
            Some(session),
            "Runtime.releaseObject",
            &json!({ "objectId": object_id }),
        );
        returned
    }

    /// The world of this program in the present document of a frame.
    async fn world(&self, tab: &Tab, session: &str, frame: &str) -> Result<i64, WebFault> {
        let method = "Page.createIsolatedWorld";
        let params = json!({ "frameId": frame, "worldName": "mageyard" });
        match self.call(tab, session, method, params).await {
            Ok(answer) => Ok(parsed::<World>(method, &answer)?.execution_context_id),
            Err(WebFault::Refused { message, .. }) if message.contains("No frame") => {
                Err(WebFault::NoFrame(frame.to_owned()))
            }
            Err(fault) => Err(fault),
        }
    }

    async fn returned(&self, tab: &Tab, session: &str, params: Value) -> Result<Value, WebFault> {
        let method = "Runtime.callFunctionOn";
        let answer = self.call(tab, session, method, params).await?;
        let returned: Returned = parsed(method, &answer)?;
        if let Some(thrown) = returned.exception_details {
            return Err(WebFault::Script(words(thrown)));
        }
        match returned.result.value {
            Value::String(text) => serde_json::from_str(&text)
                .map_err(|error| WebFault::Script(format!("its result cannot be read: {error}"))),
            Value::Number(count) => {
                Err(WebFault::TooLarge { characters: count.as_u64().unwrap_or(u64::MAX), most: MOST })
            }
            _ => Err(WebFault::Script("it returned nothing".to_owned())),
        }
    }
}

/// Whether the document was replaced while a function ran, or before it could.
fn is_replaced(message: &str) -> bool {
    ["context", "collected", "navigated", "Inspected target"].iter().any(|part| message.contains(part))
}

/// A function whose value arrives as JSON text, or as the length of the text if it is too long.
fn bounded(function: &str) -> String {
    format!(
        "async function (argument) {{ const made = await ({function}\n).call(this, argument); \
         const text = JSON.stringify(made) ?? 'null'; return text.length > {MOST} ? text.length : text; }}"
    )
}

fn words(thrown: Thrown) -> String {
    let description = thrown.exception.and_then(|exception| exception.description);
    description.unwrap_or(thrown.text).chars().take(MOST_MESSAGE).collect()
}
