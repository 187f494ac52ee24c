//! The environment: an act writes files and scores the page that they make.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use serde_json::json;

use super::failed;
use super::judge::Side;
use super::judge::walk_sides;
use super::judgement::Evidence;
use super::judgement::Judged;
use super::reopening;
use super::site::Site;
use super::targets::RenderedTarget;
use super::targets::TargetKey;
use super::targets::Targets;
use super::targets::target_side;
use super::walk::Fault;
use super::walk::Pace;
use super::walk::State as PageState;
use crate::browser::BrowserPool;
use crate::browser::BrowserSettings;
use crate::domain::Action;
use crate::domain::BlobRef;
use crate::domain::Checkpoint;
use crate::domain::Digest;
use crate::domain::Environment;
use crate::domain::EnvironmentContext;
use crate::domain::EnvironmentError;
use crate::domain::Level;
use crate::domain::Observation;
use crate::domain::ObservationPart;
use crate::domain::Opening;
use crate::domain::Outcome;
use crate::domain::Recovery;
use crate::domain::Status;
use crate::envs::webui::aes::PageStatus;
use crate::envs::webui::details::DETAILS_MEDIA;
use crate::envs::webui::details::Details;
use crate::envs::webui::details::SNAPSHOT_MEDIA;
use crate::envs::webui::details::file_media;
use crate::envs::webui::files::Files;
use crate::envs::webui::files::KINDS;
use crate::envs::webui::files::action_space;
use crate::envs::webui::observation::ObservationBuilder;
use crate::envs::webui::observation::PNG;
use crate::envs::webui::observation::picture;
use crate::envs::webui::options::Feedback;
use crate::envs::webui::options::TargetUse;
use crate::envs::webui::options::WebUiOptions;
use crate::envs::webui::solution::SOLUTION_MEDIA;
use crate::envs::webui::solution::Solution;
use crate::envs::webui::task::DescriptionPart;
use crate::envs::webui::task::Task;
use crate::envs::webui::task::WRITTEN;

/// The address that stands for the folder of a generated page in snapshots. It differs from that of the target, because
/// the score compares addresses of pictures.
const GENERATED_ADDRESS: &str = "file:///generated/";
/// A score that cannot be better.
const FULL: f64 = 1.0 - 1e-12;

/// An episode of a page.
pub(in crate::envs::webui) struct WebUi {
    task: Arc<Task>,
    level: Digest,
    options: WebUiOptions,
    /// The files that it starts with.
    start: Files,
    open: Option<OpenPage>,
}

/// A page whose target has been rendered.
struct OpenPage {
    pool: Arc<BrowserPool>,
    site: Arc<Site>,
    target: Arc<RenderedTarget>,
    browser: String,
    description: Vec<ObservationPart>,
    state: State,
}

/// The state that an act changes.
#[derive(Clone)]
struct State {
    files: Files,
    /// The sum of all rewards.
    points: f64,
    observation: Observation,
    status: Status,
}

impl WebUi {
    pub(in crate::envs::webui) fn new(
        task: Task,
        level: &Level,
        options: WebUiOptions,
        start: Files,
    ) -> Self {
        let level = Digest::of(level.text().as_bytes());
        Self { task: Arc::new(task), level, options, start, open: None }
    }

    fn pace(&self) -> Pace {
        Pace { waiting: self.options.waiting, limit: self.options.act_time }
    }

    fn opened(&self) -> Result<&OpenPage, EnvironmentError> {
        self.open.as_ref().ok_or_else(|| failed("the page is not open"))
    }

    /// Renders the target.
    async fn prepare(&self, context: &EnvironmentContext) -> Result<OpenPage, EnvironmentError> {
        let pool = context.resources.get_or_insert_with(|| BrowserPool::new(BrowserSettings::default()));
        let targets = context.resources.get_or_insert_with(Targets::default);
        let files = self.task.files.iter().map(|file| (file.name.clone(), file.content.clone()));
        let site = Arc::new(Site::create(files.collect()).await?);
        let browser = pool.version().await.map_err(failed)?;
        let (viewport, waiting) = (self.options.viewport, self.options.waiting);
        let key = TargetKey { level: self.level, viewport, waiting, browser: browser.clone() };
        let target = targets.rendered(key, &pool, &site, &self.task, self.pace()).await?;
        let description = self.description(&target, context)?;
        let observation = Observation::from_parts(Vec::new(), "", Value::Null);
        let state = State { files: Files::default(), points: 0.0, observation, status: Status::Running };
        Ok(OpenPage { pool, site, target, browser, description, state })
    }

    /// The parts of the description with their pictures.
    fn description(
        &self,
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
                let bytes = self.task.file(name).map_or(&[][..], |file| &file.content);
                let media = if bytes.starts_with(b"\x89PNG") { PNG } else { "image/jpeg" };
                picture(&context.blobs, media, bytes).map_err(failed)
            }
        };
        self.task.description.iter().map(of_part).collect()
    }

    /// Renders these files beside the target and scores them.
    async fn judge(&self, open: &OpenPage, files: &Files) -> Result<Judged, EnvironmentError> {
        let large = files.written().find(|(_, text)| text.len() > self.options.file_bytes);
        let (mut live, mut browser, mut blocked) = (None, open.browser.clone(), Vec::new());
        let generated = if let Some((kind, text)) = large {
            let (name, limit) = (kind.name, self.options.file_bytes);
            vec![Err(Fault::new(format!("{name} has {} bytes, at most {limit} are allowed", text.len())))]
        } else {
            let resources = self.task.resources().map(|file| (file.name.clone(), file.content.clone()));
            let written =
                files.written().map(|(kind, text)| (kind.name.to_owned(), text.as_bytes().to_vec()));
            let site = Site::create(resources.chain(written).collect()).await?;
            let address = Some((site.address(), GENERATED_ADDRESS));
            let generated = Side { folder: site.path(), file: WRITTEN[0], pictures: true, address };
            let mut sides = vec![generated];
            if self.options.target == TargetUse::Live {
                sides.push(target_side(&open.site, false));
            }
            let walked =
                walk_sides(&open.pool, &sides, self.options.viewport, &self.task.interactions, self.pace());
            let (walked, version) = walked.await.map_err(failed)?;
            browser = version;
            let mut walked = walked.into_iter();
            let page = walked.next().ok_or_else(|| failed("the page was not rendered"))?;
            live = walked.next().map(|target| target.states);
            blocked = page.blocked.into_iter().map(|request| request.url).collect();
            page.states
        };
        let (task, options, rendered) = (self.task.clone(), self.options.clone(), open.target.clone());
        let evidence = Evidence { task, options, rendered, live, generated, blocked, browser };
        let judged = tokio::task::spawn_blocking(move || evidence.judge().map(|details| (details, evidence)));
        let judged = judged.await.map_err(failed)?;
        let (details, evidence) = judged.map_err(|why| failed(format!("the task is wrong: {why}")))?;
        Ok(Judged { details, generated: evidence.generated, target: evidence.rendered })
    }

    /// The observation of an opening without files.
    fn first_observation(
        &self,
        open: &OpenPage,
        context: &EnvironmentContext,
    ) -> Result<Observation, EnvironmentError> {
        let mut shown = ObservationBuilder::new(&context.blobs);
        shown.add_parts(&open.description);
        shown.add_files(&Files::default());
        self.add_solution(&mut shown)?;
        Ok(shown.finish(self.facts(open, &Files::default(), None, context)?))
    }

    fn add_solution(&self, shown: &mut ObservationBuilder<'_>) -> Result<(), EnvironmentError> {
        let solution = serde_json::to_vec(&Solution::of_task(&self.task)).map_err(failed)?;
        shown.add_data(SOLUTION_MEDIA, &solution).map_err(failed).map(drop)
    }

    /// The observation after files were written.
    fn observation(
        &self,
        open: &OpenPage,
        files: &Files,
        judged: &mut Judged,
        context: &EnvironmentContext,
    ) -> Result<Observation, EnvironmentError> {
        let mut shown = ObservationBuilder::new(&context.blobs);
        shown.add_parts(&open.description);
        shown.add_files(files);
        for (index, state) in judged.generated.iter().enumerate() {
            if index == 0 || self.options.feedback == Feedback::All {
                let name = judged.details.states.get(index).map_or("", |state| state.name.as_str());
                show_state(&mut shown, index, name, state)?;
            }
        }
        self.add_solution(&mut shown)?;
        for (kind, text) in files.written() {
            shown.add_data(&file_media(kind.parameter), text.as_bytes()).map_err(failed)?;
        }
        add_shots(&mut shown, judged).map_err(failed)?;
        let details = serde_json::to_vec(&judged.details).map_err(failed)?;
        shown.add_data(DETAILS_MEDIA, &details).map_err(failed)?;
        Ok(shown.finish(self.facts(open, files, Some(&judged.details), context)?))
    }

    /// The facts of a state.
    fn facts(
        &self,
        open: &OpenPage,
        files: &Files,
        details: Option<&Details>,
        context: &EnvironmentContext,
    ) -> Result<Value, EnvironmentError> {
        let missing = KINDS.iter().map(|kind| (kind.parameter.to_owned(), Value::Null));
        let mut blobs: serde_json::Map<_, _> = missing.collect();
        for (kind, text) in files.written() {
            let blob: BlobRef = context.blobs.put(kind.media, text.as_bytes()).map_err(failed)?;
            blobs.insert(kind.parameter.to_owned(), serde_json::to_value(blob).map_err(failed)?);
        }
        let count = |of: fn(&crate::envs::webui::aes::PageScore) -> usize| {
            details.map_or(0, |details| details.result.pages.iter().map(of).sum::<usize>())
        };
        let viewport: (u32, u32) = self.options.viewport.into();
        Ok(json!({
            "files": blobs,
            "aes": details.map_or(0.0, |details| details.result.aes),
            "losses": details.map(|details| details.result.losses),
            "errors": details.map_or_else(Vec::new, errors),
            "targets": count(|page| page.targets),
            "matched": count(|page| page.matched),
            "zero": count(|page| page.zero),
            "dropped": count(|page| page.dropped),
            "mode": self.options.rules.mode(),
            "waits": self.options.waiting.name(),
            "viewport": viewport,
            "browser": details.map_or(&open.browser, |details| &details.result.rendering.browser),
            "task_parts": open.description.len(),
        }))
    }

    /// The state after these files were written.
    async fn write(
        &self,
        files: Files,
        context: &EnvironmentContext,
    ) -> Result<(State, Option<String>), EnvironmentError> {
        let open = self.opened()?;
        let mut judged = self.judge(open, &files).await?;
        let observation = self.observation(open, &files, &mut judged, context)?;
        let aes = judged.details.result.aes;
        let status = if aes >= FULL { Status::Won } else { Status::Running };
        Ok((State { files, points: 100.0 * aes, observation, status }, judged.note()))
    }

    fn seen(&self) -> Result<Opening, EnvironmentError> {
        let state = &self.opened()?.state;
        Ok(Opening { observation: state.observation.clone(), space: action_space(), status: state.status })
    }
}

/// The names of what went wrong, each once.
fn errors(details: &Details) -> Vec<&'static str> {
    let of_status = |status| match status {
        PageStatus::Ren => Some("ren"),
        PageStatus::Act => Some("act"),
        _ => None,
    };
    let mut errors: Vec<_> = details.result.pages.iter().filter_map(|page| of_status(page.status)).collect();
    errors.dedup();
    errors
}

/// A state of the generated page as the agent sees it.
fn show_state(
    shown: &mut ObservationBuilder<'_>,
    index: usize,
    name: &str,
    state: &PageState,
) -> Result<(), EnvironmentError> {
    match state {
        Ok(view) => {
            let what =
                if index == 0 { "The present page:".to_owned() } else { format!("The page after: {name}") };
            shown.add_text(what);
            let bytes = view.picture.as_deref().ok_or_else(|| failed("a picture was not taken"))?;
            shown.add_picture(PNG, bytes).map_err(failed)
        }
        Err(fault) if index == 0 => {
            shown.add_text(format!("The present page cannot be shown: {}", fault.why));
            Ok(())
        }
        Err(fault) => {
            shown.add_text(format!(
                "The interaction failed: {name}: {}. Names, classes and identifiers must be as described.",
                fault.why
            ));
            Ok(())
        }
    }
}

/// Adds pictures and snapshots of all states for people, and notes where they are.
fn add_shots(
    shown: &mut ObservationBuilder<'_>,
    judged: &mut Judged,
) -> Result<(), crate::domain::BlobError> {
    for (index, details) in judged.details.states.iter_mut().enumerate() {
        let views = [judged.target.states.get(index), judged.generated.get(index)];
        let shots = [&mut details.target, &mut details.generated];
        for (view, shot) in views.into_iter().zip(shots) {
            let Some(Ok(view)) = view else { continue };
            if let Some(bytes) = &view.picture {
                shot.picture = Some(shown.add_data(PNG, bytes)?);
            }
            shot.snapshot = Some(shown.put(SNAPSHOT_MEDIA, view.json.as_bytes())?);
        }
    }
    Ok(())
}

#[async_trait]
impl Environment for WebUi {
    fn recovery(&self) -> Recovery {
        Recovery::Reopen
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let mut open = unless_cancelled(context, self.prepare(context)).await?;
        open.state.observation = self.first_observation(&open, context)?;
        self.open = Some(open);
        if !self.start.is_empty() {
            let written = unless_cancelled(context, self.write(self.start.clone(), context)).await;
            let (state, _) = written?;
            // Rewards count from 0, so the sum of an episode is the score of its last page.
            self.set_state(State { points: 0.0, ..state });
        }
        self.seen()
    }

    async fn act(
        &mut self,
        action: &Action,
        context: &EnvironmentContext,
    ) -> Result<Outcome, EnvironmentError> {
        let space = action_space();
        space.check(action)?;
        let before = self.opened()?.state.clone();
        let files = before.files.after(action);
        let (state, note) = unless_cancelled(context, self.write(files, context)).await?;
        let (reward, status) = (state.points - before.points, state.status);
        let observation = state.observation.clone();
        self.set_state(state);
        Ok(Outcome { observation, space, reward, status, note })
    }

    async fn look(&mut self, _: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.seen()
    }

    /// Renders the files of the last observation again. If the page is as it was, so is the observation.
    async fn reopen(
        &mut self,
        last: &Observation,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let mut open = unless_cancelled(context, self.prepare(context)).await?;
        let described = last.parts().get(..open.description.len()).map(<[_]>::to_vec);
        open.description = described.unwrap_or(open.description);
        let files = reopening::files(last, context)?;
        let points = 100.0 * last.facts()["aes"].as_f64().unwrap_or_default();
        let recorded = State { files, points, observation: last.clone(), status: Status::Running };
        open.state = recorded.clone();
        self.open = Some(open);
        if recorded.files.is_empty() {
            return Ok(());
        }
        let judged = unless_cancelled(context, self.judge(self.opened()?, &recorded.files));
        let mut judged = judged.await?;
        if let Some(difference) = reopening::difference(last, &judged, context)? {
            tracing::warn!(%difference, "the page differs from the recorded one");
            let observation = self.observation(self.opened()?, &recorded.files, &mut judged, context)?;
            let observation = reopening::with_remark(&observation, &difference);
            self.set_state(State { observation, ..recorded });
        }
        Ok(())
    }

    async fn checkpoint(&mut self, _: &EnvironmentContext) -> Result<Checkpoint, EnvironmentError> {
        Ok(Checkpoint::of_value(self.opened()?.state.clone()))
    }

    async fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let foreign = || failed("the checkpoint belongs to another environment");
        let state = checkpoint.value::<State>().ok_or_else(foreign)?.clone();
        if self.open.is_none() {
            self.open = Some(unless_cancelled(context, self.prepare(context)).await?);
        }
        self.set_state(state);
        Ok(())
    }

    async fn close(&mut self) {
        self.open = None;
    }
}

impl WebUi {
    fn set_state(&mut self, state: State) {
        if let Some(open) = &mut self.open {
            open.state = state;
        }
    }
}

/// The result of the work, unless the call is cancelled first: dropping the work closes its pages.
async fn unless_cancelled<T>(
    context: &EnvironmentContext,
    work: impl Future<Output = Result<T, EnvironmentError>>,
) -> Result<T, EnvironmentError> {
    tokio::select! {
        result = work => result,
        () = context.cancel.cancelled() => Err(EnvironmentError::Cancelled),
    }
}
