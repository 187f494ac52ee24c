//! The fonts that a page is drawn with.

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{Page, parsed};
use crate::{BrowserError, BrowserFailure, PageFault};

/// One element with text of its own for each list of font families; at most 50.
const WITH_TEXT: &str = "(() => { const found = new Map(); \
    for (const element of document.querySelectorAll('body, body *')) { \
    const written = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()); \
    const families = written && getComputedStyle(element).fontFamily; \
    if (written && !found.has(families) && found.size < 50) found.set(families, element); } \
    return [...found.values()]; })()";

#[derive(Deserialize)]
struct Found {
    result: Remote,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remote {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct Properties {
    result: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    value: Option<Remote>,
    enumerable: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    node_id: i64,
}

#[derive(Deserialize)]
struct Fonts {
    fonts: Vec<Font>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Font {
    family_name: String,
}

impl Page {
    /// The families of the fonts that draw the text, sorted: of one element for each list of families in the styles.
    /// Names that a page gives its own fonts are as it wrote them: sanitize before display. Empty if the browser
    /// refuses to tell, as it does while the document is being replaced.
    ///
    /// # Errors
    /// [`PageFault::ScriptTimeout`], a crash of the page, or a failure of the browser.
    pub async fn fonts(&self) -> Result<Vec<String>, BrowserError> {
        let limit = self.limits.evaluate_timeout.duration();
        match timeout(limit, self.drawn_fonts()).await {
            Ok(Err(BrowserError::Browser(BrowserFailure::Refused { .. }))) => Ok(Vec::new()),
            Ok(fonts) => fonts,
            Err(_) => Err(self.give_up(PageFault::ScriptTimeout(limit)).await),
        }
    }

    async fn drawn_fonts(&self) -> Result<Vec<String>, BrowserError> {
        for domain in ["DOM.enable", "CSS.enable"] {
            self.call(domain, json!({})).await?;
        }
        // A document that was not asked for has no nodes.
        self.call("DOM.getDocument", json!({ "depth": 0 })).await?;
        let mut families = Vec::new();
        for element in self.elements_with_text().await? {
            let node: Node = self.asked("DOM.requestNode", json!({ "objectId": element })).await?;
            let drawn = self.asked("CSS.getPlatformFontsForNode", json!({ "nodeId": node.node_id })).await?;
            let Fonts { fonts } = drawn;
            families.extend(fonts.into_iter().map(|font| font.family_name));
        }
        for domain in ["CSS.disable", "DOM.disable"] {
            self.call(domain, json!({})).await?;
        }
        families.sort();
        families.dedup();
        Ok(families)
    }

    /// Names of the elements by which the browser knows them.
    async fn elements_with_text(&self) -> Result<Vec<String>, BrowserError> {
        let script = json!({ "expression": WITH_TEXT, "contextId": self.world().await? });
        let found: Found = self.asked("Runtime.evaluate", script).await?;
        let Some(list) = found.result.object_id else { return Ok(Vec::new()) };
        let own = json!({ "objectId": list, "ownProperties": true });
        let Properties { result } = self.asked("Runtime.getProperties", own).await?;
        let elements = result.into_iter().filter(|property| property.enumerable);
        Ok(elements.filter_map(|property| property.value?.object_id).collect())
    }

    async fn asked<T: for<'de> Deserialize<'de>>(
        &self,
        method: &str,
        params: Value,
    ) -> Result<T, BrowserError> {
        parsed(method, &self.call(method, params).await?)
    }
}
