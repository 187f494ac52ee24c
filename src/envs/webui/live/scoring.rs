//! An act: the written files are rendered beside the target and scored.

use super::failed;
use super::judge::{Side, walk_sides};
use super::judgement::{Evidence, Judged};
use super::open_page::OpenPage;
use super::site::Site;
use super::targets::target_side;
use super::walk::{Fault, State};
use crate::files::Files;
use crate::options::TargetUse;
use crate::task::WRITTEN;
use mageyard_domain::EnvironmentError;

/// The address that stands for the folder of a generated page in snapshots. It differs from that of the target, because
/// the score compares addresses of pictures.
const GENERATED_ADDRESS: &str = "file:///generated/";

/// A rendered page.
struct Rendered {
    generated: Vec<State>,
    /// The target, if it was rendered beside the page.
    live: Option<Vec<State>>,
    /// The requests of the page that were refused.
    blocked: Vec<String>,
    /// Name and version of the browser.
    browser: String,
}

impl OpenPage {
    /// Opens the windows of the next act while the agent thinks. Whatever fails now, that act reports.
    pub(super) fn prepare_windows(&self) {
        let sides = if self.options.target == TargetUse::Live { 2 } else { 1 };
        let pool = self.pool.clone();
        let viewport = self.options.viewport;
        tokio::spawn(async move { pool.prepare(sides, viewport).await });
    }

    /// Renders these files beside the target and scores them.
    pub(super) async fn judge(&self, files: &Files) -> Result<Judged, EnvironmentError> {
        let rendered = match self.too_large(files) {
            Some(fault) => self.not_rendered(fault),
            None => self.render(files).await?,
        };
        let Rendered { generated, live, blocked, browser } = rendered;
        let task = self.task.clone();
        let options = self.options.clone();
        let rendered = self.target.clone();
        let evidence = Evidence { task, options, rendered, live, generated, blocked, browser };
        let judged = tokio::task::spawn_blocking(move || evidence.judge().map(|details| (details, evidence)));
        let judged = judged.await.map_err(failed)?;
        let (details, evidence) = judged.map_err(|why| failed(format!("the task is wrong: {why}")))?;
        Ok(Judged { details, generated: evidence.generated, target: evidence.rendered })
    }

    /// What is wrong with a file that is larger than allowed.
    fn too_large(&self, files: &Files) -> Option<Fault> {
        let limit = self.options.file_bytes;
        let (kind, text) = files.written().find(|(_, text)| text.len() > limit)?;
        let name = kind.name;
        let size = text.len();
        Some(Fault::new(format!("{name} has {size} bytes, at most {limit} are allowed")))
    }

    fn not_rendered(&self, fault: Fault) -> Rendered {
        let browser = self.browser.clone();
        Rendered { generated: vec![Err(fault)], live: None, blocked: Vec::new(), browser }
    }

    /// Renders these files, and the target beside them if the settings say so.
    async fn render(&self, files: &Files) -> Result<Rendered, EnvironmentError> {
        let site = self.generated_site(files).await?;
        let address = Some((site.address(), GENERATED_ADDRESS));
        let folder = site.path();
        let file = WRITTEN[0];
        let mut sides = vec![Side { folder, file, pictures: true, address, script_errors: false }];
        if self.options.target == TargetUse::Live {
            sides.push(target_side(&self.site, false));
        }
        let viewport = self.options.viewport;
        let interactions = &self.task.interactions;
        let walked = walk_sides(&self.pool, &sides, viewport, interactions, self.pace()).await;
        let (walked, browser) = walked.map_err(failed)?;
        let mut walked = walked.into_iter();
        let page = walked.next().ok_or_else(|| failed("the page was not rendered"))?;
        let live = walked.next().map(|target| target.states);
        let blocked = page.blocked.into_iter().map(|request| request.url).collect();
        Ok(Rendered { generated: page.states, live, blocked, browser })
    }

    /// A folder with the written files beside the resources of the task.
    async fn generated_site(&self, files: &Files) -> Result<Site, EnvironmentError> {
        let resources = self.task.resources().map(|file| (file.name.clone(), file.content.clone()));
        let written = files.written().map(|(kind, text)| (kind.name.to_owned(), text.as_bytes().to_vec()));
        Site::create(resources.chain(written).collect()).await
    }
}
