//! The pointer, the keyboard, and pictures of the current tab.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::WebSession;
use super::calls::parsed;
use crate::input::{key_events, mouse_event};
use crate::web::WebFault;
use crate::web::state::CLOSED;

#[derive(Deserialize)]
struct Picture {
    data: String,
}

impl WebSession {
    /// Clicks with the left button at a point of the viewport, in CSS pixels from its left and its top.
    ///
    /// # Errors
    /// [`WebFault::Timeout`], [`WebFault::TabLost`] or a failure of the browser.
    pub async fn click_at(&self, x: f64, y: f64) -> Result<(), WebFault> {
        let events = [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 1)];
        let events = events.map(|(kind, clicks)| mouse_event(kind, [x, y], clicks));
        self.input("a click", "Input.dispatchMouseEvent", events).await
    }

    /// Moves the pointer to a point of the viewport.
    ///
    /// # Errors
    /// As for [`WebSession::click_at`].
    pub async fn hover_at(&self, x: f64, y: f64) -> Result<(), WebFault> {
        let moved = mouse_event("mouseMoved", [x, y], 0);
        self.input("a movement of the pointer", "Input.dispatchMouseEvent", [moved]).await
    }

    /// Inserts text at what has the focus, as an input method does.
    ///
    /// # Errors
    /// As for [`WebSession::click_at`].
    pub async fn type_text(&self, text: &str) -> Result<(), WebFault> {
        self.input("typing", "Input.insertText", [json!({ "text": text })]).await
    }

    /// Presses a key and releases it: its DOM name, such as `Enter` or `a`, with modifiers in front, such as
    /// `Control+a`.
    ///
    /// # Errors
    /// [`WebFault::NoKey`], and as for [`WebSession::click_at`].
    pub async fn press_key(&self, key: &str) -> Result<(), WebFault> {
        let events = key_events(key).ok_or_else(|| WebFault::NoKey(key.to_owned()))?;
        self.input("the press of a key", "Input.dispatchKeyEvent", events).await
    }

    /// The viewport as PNG.
    ///
    /// # Errors
    /// As for [`WebSession::click_at`].
    pub async fn screenshot(&self) -> Result<Vec<u8>, WebFault> {
        let tab = self.tab().await?;
        let method = "Page.captureScreenshot";
        let params = json!({ "format": "png", "optimizeForSpeed": true });
        let limit = ("a screenshot", self.limits.evaluate_timeout.duration());
        let call = self.call(&tab, &tab.session, method, params);
        let answer = self.within(&tab, &tab.session, limit, call).await?;
        let Picture { data } = parsed(method, &answer)?;
        STANDARD
            .decode(data)
            .map_err(|error| WebFault::Refused { method: method.to_owned(), message: error.to_string() })
    }

    /// Sends events one after another; an act ends early, without a fault, if the tab closes meanwhile.
    async fn input(
        &self,
        what: &'static str,
        method: &str,
        events: impl IntoIterator<Item = Value>,
    ) -> Result<(), WebFault> {
        self.state.begin_act();
        let tab = self.tab().await?;
        let work = async {
            for params in events {
                self.call(&tab, &tab.session, method, params).await?;
            }
            Ok(())
        };
        let limit = (what, self.limits.interaction_timeout.duration());
        match self.within(&tab, &tab.session, limit, work).await {
            Err(WebFault::TabLost { why, .. }) if why == CLOSED => Ok(()),
            done => done,
        }
    }
}
