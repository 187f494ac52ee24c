//! Waiting until a page has settled.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::WebSession;
use crate::web::tab::Tab;
use crate::web::{Settled, WebFault};

/// How long nothing must happen.
const QUIET: Duration = Duration::from_millis(500);

/// The longest time.
const LONGEST: Duration = Duration::from_secs(5);

/// The frames whose changes are waited for.
const MOST_FRAMES: usize = 20;

/// The pause between two questions.
const PERIOD: Duration = Duration::from_millis(50);

/// How long a page that has settled so far may take to answer.
const ANSWER: Duration = Duration::from_millis(500);

/// Milliseconds since the last change of the document; the first call begins to observe it.
const SINCE_CHANGE: &str = "function () {
    const key = '__mageyardLastChange';
    if (globalThis[key] === undefined) {
        globalThis[key] = performance.now();
        new MutationObserver(() => { globalThis[key] = performance.now(); }).observe(
            document, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    return performance.now() - globalThis[key];
}";

impl WebSession {
    /// Waits until the current tab is loaded and nothing was requested or changed in its main document and in the frames of
    /// the same process for 500 ms, at most 5 s. A tab that becomes current meanwhile is waited for instead. A script that does not end is stopped.
    pub async fn settle(&self) -> Settled {
        let settled = self.wait_until_settled().await;
        // A browser that is gone is the fault of the next call.
        let _ = self.update_titles().await;
        settled
    }

    async fn wait_until_settled(&self) -> Settled {
        let began = Instant::now();
        let mut waited_for = None;
        let mut since = began;
        loop {
            let Ok(tab) = self.tab().await else { return Settled::Lost };
            if waited_for.replace(tab.number) != Some(tab.number) {
                since = Instant::now();
            }
            let rest = LONGEST.saturating_sub(began.elapsed());
            let changed = match timeout(rest.max(ANSWER), self.since_change(&tab)).await {
                Ok(changed) => changed,
                Err(_) if self.stop_script(&tab, &tab.session).await => return Settled::Stopped,
                Err(_) => Duration::ZERO,
            };
            let (requests, quiet) = tab.requests();
            let loading = !tab.progress().loaded;
            let changing = changed < QUIET;
            if !loading && requests == 0 && quiet >= QUIET && !changing && since.elapsed() >= QUIET {
                return Settled::Quiet;
            }
            if began.elapsed() >= LONGEST {
                return Settled::TimedOut { loading, requests, changing };
            }
            sleep(PERIOD).await;
        }
    }

    /// The time since the last change of the main document and of the frames that share its process, which are mostly of
    /// the same site. The frames of others, such as advertising, may never stop changing.
    async fn since_change(&self, tab: &Tab) -> Duration {
        let frames = self.near_frames(tab).await.unwrap_or_default();
        let frames = frames.iter().filter(|frame| !tab.is_main(frame)).take(MOST_FRAMES);
        let frames = frames.map(|frame| self.since_change_of(tab, frame));
        let main = self.since_change_of(tab, &tab.target);
        let (main, frames) = tokio::join!(main, join_all(frames));
        frames.into_iter().fold(main, Duration::min)
    }

    /// The time since the last change of the document of a frame; nothing if it cannot be said.
    async fn since_change_of(&self, tab: &Tab, frame: &str) -> Duration {
        let asked = self.call_function(tab, &tab.session, frame, SINCE_CHANGE, &Value::Null).await;
        match asked {
            Ok(milliseconds) => {
                let seconds = milliseconds.as_f64().unwrap_or_default() / 1000.0;
                Duration::try_from_secs_f64(seconds).unwrap_or_default()
            }
            Err(WebFault::Browser(_) | WebFault::TabLost { .. }) => Duration::ZERO,
            // A document without elements to observe does not change.
            Err(_) => QUIET,
        }
    }
}
