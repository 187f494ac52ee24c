//! A page whose target has been rendered: what every act of an episode needs and does not change.

use std::sync::Arc;

use super::failed;
use super::site::Site;
use super::targets::{RenderedTarget, TargetKey, Targets};
use super::walk::Pace;
use crate::details::SNAPSHOT_MEDIA;
use crate::observation::{PNG, picture};
use crate::options::WebUiOptions;
use crate::perception::{LayoutPart, Side};
use crate::task::{DescriptionPart, Task};
use mageyard_browser::{BrowserPool, BrowserSettings};
use mageyard_domain::{Digest, EnvironmentContext, EnvironmentError, ObservationPart};

/// A page whose target has been rendered.
pub(super) struct OpenPage {
    pub(super) task: Arc<Task>,
    pub(super) options: WebUiOptions,
    pub(super) pool: Arc<BrowserPool>,
    /// The folder of the target.
    pub(super) site: Arc<Site>,
    pub(super) target: Arc<RenderedTarget>,
    /// Name and version of the browser.
    pub(super) browser: String,
    /// The parts of the description with their pictures.
    pub(super) description: Vec<ObservationPart>,
    /// The layouts of the target in those pictures.
    pub(super) layouts: Vec<LayoutPart>,
}

impl OpenPage {
    /// Renders the target of a task, unless another episode of this level has done so.
    pub(super) async fn prepare(
        task: Arc<Task>,
        level: Digest,
        options: WebUiOptions,
        context: &EnvironmentContext,
    ) -> Result<Self, EnvironmentError> {
        let pool = context.resources.get_or_insert_with(|| BrowserPool::new(BrowserSettings::default()));
        let targets = context.resources.get_or_insert_with(Targets::default);
        let files = task.files.iter().map(|file| (file.name.clone(), file.content.clone()));
        let site = Arc::new(Site::create(files.collect()).await?);
        let browser = pool.version().await.map_err(failed)?;
        let viewport = options.viewport;
        let waiting = options.waiting;
        let key = TargetKey { level, viewport, waiting, browser: browser.clone() };
        let target = targets.rendered(key, &pool, &site, &task, pace(&options)).await?;
        let description = description(&task, &target, context)?;
        let layouts = layouts(&task, &target, context)?;
        Ok(Self { task, options, pool, site, target, browser, description, layouts })
    }

    pub(super) fn pace(&self) -> Pace {
        pace(&self.options)
    }
}

fn pace(options: &WebUiOptions) -> Pace {
    Pace { waiting: options.waiting, limit: options.act_time }
}

/// The layouts of the target in the pictures of the description.
fn layouts(
    task: &Task,
    target: &RenderedTarget,
    context: &EnvironmentContext,
) -> Result<Vec<LayoutPart>, EnvironmentError> {
    let of_part = |(part, described): (u16, &DescriptionPart)| {
        let DescriptionPart::Screen(state) = *described else { return None };
        let view = target.states.get(state)?.as_ref().ok()?;
        let snapshot = context.blobs.put(SNAPSHOT_MEDIA, view.json.as_bytes()).map_err(failed);
        let layout = |snapshot| LayoutPart { part, side: Side::Wanted, state, scroll: view.scroll, snapshot };
        Some(snapshot.map(layout))
    };
    (0..).zip(&task.description).filter_map(of_part).collect()
}

/// The parts of the description with their pictures.
fn description(
    task: &Task,
    target: &RenderedTarget,
    context: &EnvironmentContext,
) -> Result<Vec<ObservationPart>, EnvironmentError> {
    let screen = |number: usize| {
        let view = target.states.get(number).and_then(|state| state.as_ref().ok());
        view.and_then(|view| view.picture.as_deref()).ok_or_else(|| failed("the target has no picture"))
    };
    let of_part = |part: &DescriptionPart| match part {
        DescriptionPart::Text(text) => Ok(ObservationPart::Text(text.as_str().into())),
        DescriptionPart::Screen(number) => picture(&context.blobs, PNG, screen(*number)?).map_err(failed),
        DescriptionPart::File(name) => {
            let bytes = task.file(name).map_or(&[][..], |file| &file.content);
            let media = if bytes.starts_with(b"\x89PNG") { PNG } else { "image/jpeg" };
            picture(&context.blobs, media, bytes).map_err(failed)
        }
    };
    task.description.iter().map(of_part).collect()
}
