//! Rendered targets, shared by the episodes of the process.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{Mutex, OnceCell};

use super::failed;
use super::judge::{Side, target_snapshots, walk_sides};
use super::site::Site;
use super::walk::{Pace, State};
use crate::options::WaitRule;
use crate::task::Task;
use mageyard_browser::{BrowserPool, Viewport};
use mageyard_domain::{Digest, EnvironmentError};

/// The address that stands for the folder of a target in snapshots.
pub(super) const TARGET_ADDRESS: &str = "file:///target/";
/// The largest number of targets that are kept.
const MOST_TARGETS: usize = 64;

/// What a rendered target depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TargetKey {
    /// The digest of the level.
    pub(super) level: Digest,
    pub(super) viewport: Viewport,
    pub(super) waiting: WaitRule,
    /// Name and version of the browser.
    pub(super) browser: String,
}

/// A target with its pictures.
#[derive(Debug)]
pub(super) struct RenderedTarget {
    /// Its states, all of them rendered.
    pub(super) states: Vec<State>,
    /// The requests that were refused.
    pub(super) blocked: Vec<String>,
}

/// Rendered targets by what they depend on.
#[derive(Debug, Default)]
pub(super) struct Targets(Mutex<HashMap<TargetKey, Arc<OnceCell<Arc<RenderedTarget>>>>>);

impl Targets {
    /// The target, rendered now if it is needed for the first time.
    pub(super) async fn rendered(
        &self,
        key: TargetKey,
        pool: &BrowserPool,
        site: &Site,
        task: &Task,
        pace: Pace,
    ) -> Result<Arc<RenderedTarget>, EnvironmentError> {
        let viewport = key.viewport;
        let cell = {
            let mut targets = self.0.lock().await;
            if targets.len() >= MOST_TARGETS && !targets.contains_key(&key) {
                targets.clear();
            }
            targets.entry(key).or_default().clone()
        };
        cell.get_or_try_init(|| render(pool, site, viewport, task, pace)).await.cloned()
    }
}

async fn render(
    pool: &BrowserPool,
    site: &Site,
    viewport: Viewport,
    task: &Task,
    pace: Pace,
) -> Result<Arc<RenderedTarget>, EnvironmentError> {
    let sides = [target_side(site, true)];
    let (walked, _) = walk_sides(pool, &sides, viewport, &task.interactions, pace).await.map_err(failed)?;
    let walked = walked.into_iter().next().ok_or_else(|| failed("the target was not rendered"))?;
    // A target that fails is not kept: the reason may be the machine.
    target_snapshots(&walked.states, &task.interactions)
        .map_err(|why| failed(format!("the task is wrong: {why}")))?;
    let blocked = walked.blocked.into_iter().map(|request| request.url).collect();
    Ok(Arc::new(RenderedTarget { states: walked.states, blocked }))
}

/// The side of the target.
pub(super) fn target_side(site: &Site, pictures: bool) -> Side<'_> {
    let address = Some((site.address(), TARGET_ADDRESS));
    let file = crate::task::WRITTEN[0];
    Side { folder: site.path(), file, pictures, address, script_errors: false }
}
