//! The environment: an act writes files and scores the page that they make.

use std::sync::Arc;

use async_trait::async_trait;

use super::open_page::OpenPage;
use super::{failed, reopening};
use crate::files::{Files, action_space};
use crate::options::WebUiOptions;
use crate::task::Task;
use mageyard_domain::{
    Action, Checkpoint, Digest, Environment, EnvironmentContext, EnvironmentError, Level, Observation,
    Opening, Outcome, Recovery, Status,
};

/// A score that cannot be better.
const FULL: f64 = 1.0 - 1e-12;

/// An episode of a page.
pub(crate) struct WebUi {
    task: Arc<Task>,
    level: Digest,
    options: WebUiOptions,
    /// The files that it starts with.
    start: Files,
    open: Option<Open>,
}

/// A page that was opened, and its state.
struct Open {
    page: OpenPage,
    state: State,
}

/// The state that an act changes.
#[derive(Clone)]
struct State {
    files: Files,
    /// The points of the page: the sum of all rewards and what the start files had.
    points: f64,
    observation: Observation,
    status: Status,
}

impl WebUi {
    pub(crate) fn new(task: Task, level: &Level, options: WebUiOptions, start: Files) -> Self {
        let level = Digest::of(level.text().as_bytes());
        Self { task: Arc::new(task), level, options, start, open: None }
    }

    fn opened(&self) -> Result<&Open, EnvironmentError> {
        self.open.as_ref().ok_or_else(|| failed("the page is not open"))
    }

    fn seen(&self) -> Result<Opening, EnvironmentError> {
        let State { observation, status, points, .. } = self.opened()?.state.clone();
        Ok(Opening { observation, space: action_space(), status, points })
    }

    fn set_state(&mut self, state: State) {
        if let Some(open) = &mut self.open {
            open.state = state;
        }
    }

    async fn prepare(&self, context: &EnvironmentContext) -> Result<OpenPage, EnvironmentError> {
        let prepared = OpenPage::prepare(self.task.clone(), self.level, self.options.clone(), context);
        context.unless_cancelled(prepared).await
    }

    /// The state after these files were written, and what failed, for people.
    async fn write(
        &self,
        files: Files,
        context: &EnvironmentContext,
    ) -> Result<(State, Option<String>), EnvironmentError> {
        let page = &self.opened()?.page;
        let mut judged = context.unless_cancelled(page.judge(&files)).await?;
        let observation = page.viewed(&page.observation(&files, &mut judged, context)?)?;
        let aes = judged.details.result.aes;
        let status = if aes >= FULL { Status::Won } else { Status::Running };
        if status == Status::Running {
            page.prepare_windows();
        }
        Ok((State { files, points: 100.0 * aes, observation, status }, judged.note()))
    }
}

impl State {
    fn of_recording(files: Files, observation: Observation) -> Self {
        let points = 100.0 * observation.facts()["aes"].as_f64().unwrap_or_default();
        Self { files, points, observation, status: Status::Running }
    }
}

#[async_trait]
impl Environment for WebUi {
    fn recovery(&self) -> Recovery {
        Recovery::Reopen
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let page = self.prepare(context).await?;
        let observation = page.first_observation(context)?;
        let state = State { files: Files::default(), points: 0.0, observation, status: Status::Running };
        page.prepare_windows();
        self.open = Some(Open { page, state });
        if !self.start.is_empty() {
            let (state, _) = self.write(self.start.clone(), context).await?;
            self.set_state(state);
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
        if action.args.is_empty() {
            let State { observation, status, .. } = before;
            return Ok(Outcome {
                observation,
                space,
                reward: 0.0,
                status,
                note: None,
                problem: None,
                questions: Vec::new(),
            });
        }
        let files = before.files.after(action);
        let (state, note) = self.write(files, context).await?;
        let reward = state.points - before.points;
        let status = state.status;
        let observation = state.observation.clone();
        self.set_state(state);
        Ok(Outcome { observation, space, reward, status, note, problem: None, questions: Vec::new() })
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
        let mut page = self.prepare(context).await?;
        page.describe_as(last);
        let state = State::of_recording(reopening::files(last, context)?, page.viewed(last)?);
        let Open { page, state } = self.open.insert(Open { page, state });
        if state.files.is_empty() {
            return Ok(());
        }
        let mut judged = context.unless_cancelled(page.judge(&state.files)).await?;
        if let Some(difference) = reopening::difference(last, &judged, context)? {
            tracing::warn!(%difference, "the page differs from the recorded one");
            let observation = page.observation(&state.files, &mut judged, context)?;
            state.observation = page.viewed(&reopening::with_remark(&observation, &difference))?;
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
            let page = self.prepare(context).await?;
            self.open = Some(Open { page, state });
        } else {
            self.set_state(state);
        }
        Ok(())
    }

    async fn close(&mut self) {
        self.open = None;
    }
}
