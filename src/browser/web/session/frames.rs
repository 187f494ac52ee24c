//! The frames of the current tab, those in other processes included.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::WebSession;
use super::calls::parsed;
use crate::web::tab::{FarFrame, Tab};
use crate::web::{FrameInfo, WebFault};

/// The order for the frames of a session.
const FRAME_TREE: &str = "Page.getFrameTree";

/// A frame and the session of the protocol that it is reached with.
#[derive(Clone, Debug)]
pub(super) struct FoundFrame {
    pub(super) info: FrameInfo,
    pub(super) session: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    frame_tree: Tree,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tree {
    frame: Frame,
    #[serde(default)]
    child_frames: Vec<Tree>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame {
    id: String,
    parent_id: Option<String>,
    url: String,
    #[serde(default)]
    url_fragment: String,
}

impl WebSession {
    /// The frames of the current tab: the main frame first, each parent before its children, children in the order of
    /// the document as far as they are in one process.
    ///
    /// # Errors
    /// [`WebFault::Timeout`], [`WebFault::TabLost`] or a failure of the browser.
    pub async fn frames(&self) -> Result<Vec<FrameInfo>, WebFault> {
        let tab = self.tab().await?;
        Ok(self.frame_sessions(&tab).await?.into_iter().map(|found| found.info).collect())
    }

    /// The frames of a tab with their sessions, in the same order.
    pub(super) async fn frame_sessions(&self, tab: &Tab) -> Result<Vec<FoundFrame>, WebFault> {
        let mut found = Vec::new();
        self.add_frames(tab, &tab.session, &mut found).await?;
        for FarFrame { session, .. } in tab.far_frames() {
            match self.add_frames(tab, &session, &mut found).await {
                Ok(()) => {}
                // It went away meanwhile.
                Err(WebFault::Refused { .. })
                    if tab.far_frames().iter().all(|far| far.session != session) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(in_order(found, &tab.target))
    }

    /// The frames of a tab that share the process of its main frame, that one included. Without a limit.
    pub(super) async fn near_frames(&self, tab: &Tab) -> Result<Vec<String>, WebFault> {
        let answer = self.call(tab, &tab.session, FRAME_TREE, json!({})).await?;
        let frames = frames_in(&answer, &tab.session)?;
        Ok(frames.into_iter().map(|frame| frame.info.id).collect())
    }

    /// The session that a frame of a tab is reached with.
    pub(super) async fn session_of(&self, tab: &Tab, frame: &str) -> Result<String, WebFault> {
        if tab.is_main(frame) {
            return Ok(tab.session.clone());
        }
        if let Some(far) = tab.far_frames().into_iter().find(|far| far.frame == frame) {
            return Ok(far.session);
        }
        let found = self.frame_sessions(tab).await?.into_iter().find(|found| found.info.id == frame);
        found.map(|found| found.session).ok_or_else(|| WebFault::NoFrame(frame.to_owned()))
    }

    async fn add_frames(
        &self,
        tab: &Tab,
        session: &str,
        found: &mut Vec<FoundFrame>,
    ) -> Result<(), WebFault> {
        let limit = ("the list of frames", self.limits.evaluate_timeout.duration());
        let call = self.call(tab, session, FRAME_TREE, json!({}));
        let answer = self.within(tab, session, limit, call).await?;
        found.extend(frames_in(&answer, session)?);
        Ok(())
    }
}

/// The frames of an answer, each before its children.
fn frames_in(answer: &RawValue, session: &str) -> Result<Vec<FoundFrame>, WebFault> {
    let mut found = Vec::new();
    let mut open = vec![parsed::<Answer>(FRAME_TREE, answer)?.frame_tree];
    while let Some(Tree { frame, child_frames }) = open.pop() {
        let url = frame.url + &frame.url_fragment;
        let info = FrameInfo { id: frame.id, parent: frame.parent_id, url };
        found.push(FoundFrame { info, session: session.to_owned() });
        open.extend(child_frames.into_iter().rev());
    }
    Ok(found)
}

/// From the main frame on, each with its children after it. A frame whose parent is unknown is left out: it is being
/// removed.
fn in_order(found: Vec<FoundFrame>, main: &str) -> Vec<FoundFrame> {
    let mut of_parent: HashMap<Option<String>, Vec<FoundFrame>> = HashMap::new();
    let mut open = Vec::new();
    for frame in found {
        if frame.info.id == main {
            open.push(frame);
        } else {
            of_parent.entry(frame.info.parent.clone()).or_default().push(frame);
        }
    }
    let mut ordered = Vec::new();
    while let Some(frame) = open.pop() {
        let children = of_parent.remove(&Some(frame.info.id.clone())).unwrap_or_default();
        open.extend(children.into_iter().rev());
        ordered.push(frame);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_before_their_children() {
        let frame = |id: &str, parent: Option<&str>| FoundFrame {
            info: FrameInfo { id: id.to_owned(), parent: parent.map(str::to_owned), url: String::new() },
            session: String::new(),
        };
        let found = vec![
            frame("c", Some("b")),
            frame("main", None),
            frame("a", Some("main")),
            frame("b", Some("main")),
            frame("lost", Some("gone")),
        ];
        let ordered: Vec<_> = in_order(found, "main").into_iter().map(|found| found.info.id).collect();
        assert_eq!(ordered, ["main", "a", "b", "c"]);
    }
}
