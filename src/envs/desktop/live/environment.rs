//! The environment: cells are run in a sandbox, and programs judge what they leave.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mageyard_domain::{
    ActProblem, Action, BlobHandle, Conclusion, Environment, EnvironmentContext, EnvironmentError, Level,
    LevelFile, LevelSource, Opening, Outcome, Recovery, SideRole, Status, Verdict,
};
use mageyard_sandbox::{CellLimits, CellResult, Change, Lost, Sandbox};
use tokio::runtime::Handle;

use super::computer::SandboxComputer;
use super::sandbox_settings;
use crate::actions::{self, action_space};
use crate::evaluate::{self, Episode, Evaluation, evaluate};
use crate::judging;
use crate::needs::missing_of;
use crate::observation::{Circumstances, observe};
use crate::options::DesktopOptions;
use crate::program_checks::kernel_words;
use crate::task::{Procedure, Stage, Task, Variables};

/// How long an act may go on after it was cancelled: an interrupt, and a kernel that is started again.
const GRACE: Duration = Duration::from_secs(4);

/// A task in a sandbox.
pub(crate) struct Desktop {
    task: Task,
    files: Arc<[LevelFile]>,
    options: DesktopOptions,
    open: Option<Open>,
}

/// A sandbox, and what was seen of it last.
struct Open {
    sandbox: Arc<Sandbox>,
    of: Circumstances,
    cells: u32,
    last: Option<CellResult>,
    done: bool,
    /// Whether a cell was left before its end.
    left: bool,
    /// How it was judged before a person was asked: nothing is run twice for an answer.
    evaluation: Option<Evaluation>,
}

fn failed(error: impl std::fmt::Display) -> EnvironmentError {
    EnvironmentError::Failed(error.to_string())
}

impl Desktop {
    pub(crate) fn new(task: Task, level: &Level, options: DesktopOptions) -> Self {
        let files = match &level.source {
            LevelSource::Files { files, .. } => files.clone(),
            LevelSource::Text(_) | LevelSource::Record { .. } => Arc::default(),
        };
        Self { task, files, options, open: None }
    }

    fn opened(&mut self) -> Result<&mut Open, EnvironmentError> {
        self.open.as_mut().ok_or_else(|| failed("the sandbox is not open"))
    }

    async fn start(&self, context: &EnvironmentContext) -> Result<Open, EnvironmentError> {
        if let Some(why) = missing_of(&self.task, &self.options) {
            return Err(EnvironmentError::Failed(format!("the task cannot be played here: it {why}")));
        }
        let settings = sandbox_settings(&self.options).map_err(failed)?;
        let sandbox = Arc::new(Sandbox::start(&settings).await.map_err(failed)?);
        self.place_files(&sandbox, context).await?;
        let variables = variables(&sandbox);
        let rules = self.options.rules;
        let resets = self.procedures(Stage::Reset, &variables)?;
        blocking(&sandbox, move |computer| evaluate::reset(&resets, computer, rules))
            .await?
            .map_err(|why| EnvironmentError::Failed(format!("the task cannot be prepared: {why}")))?;
        let report = sandbox.start_kernel().await.map_err(failed)?;
        let replaced = |text: &str| variables.replace(text).map_err(failed);
        let cell = |cell: &Option<String>| cell.as_deref().map(replaced).transpose();
        let of = Circumstances {
            instruction: replaced(&self.task.instruction)?,
            earlier: self.options.sentences.clone(),
            cells: [cell(&self.task.oracle)?, cell(&self.task.wrong)?],
            surface: settings.confinement.to_string(),
            kernel: kernel_words(&report),
        };
        Ok(Open { sandbox, of, cells: 0, last: None, done: false, left: false, evaluation: None })
    }

    /// Writes the fixtures of the level into the working folder.
    async fn place_files(
        &self,
        sandbox: &Sandbox,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        for file in self.files.iter() {
            let blob = BlobHandle::new(file.content.clone(), context.blobs.clone());
            let bytes = blob.load().map_err(failed)?.to_vec();
            let path = format!("{}/{}", sandbox.folders().root, file.name);
            let written =
                sandbox.change(Change::Write { path: path.clone(), content: bytes }).await.map_err(failed)?;
            written.map_err(|trouble| failed(format_args!("{path} {trouble}")))?;
        }
        Ok(())
    }

    fn procedures(&self, stage: Stage, variables: &Variables) -> Result<Vec<Procedure>, EnvironmentError> {
        self.task.procedures(stage, variables).map_err(failed)
    }

    fn opening(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let open = self.opened()?;
        let observation =
            observe(&open.of, open.cells, open.last.as_ref(), &context.blobs).map_err(failed)?;
        let status = if open.done { Status::Finished } else { Status::Running };
        Ok(Opening { observation, space: action_space(), status, points: 0.0 })
    }
}

/// Runs handlers, whose calls block, beside the runtime.
#[expect(clippy::disallowed_methods, reason = "handlers wait for the sandbox")]
async fn blocking<T: Send + 'static>(
    sandbox: &Arc<Sandbox>,
    work: impl FnOnce(&mut SandboxComputer) -> T + Send + 'static,
) -> Result<T, EnvironmentError> {
    let mut computer = SandboxComputer { sandbox: Arc::clone(sandbox), runtime: Handle::current() };
    tokio::task::spawn_blocking(move || work(&mut computer)).await.map_err(failed)
}

fn variables(sandbox: &Sandbox) -> Variables {
    let folders = sandbox.folders();
    Variables { root: folders.root.clone(), home: folders.home.clone(), ..Variables::default() }
}

/// Why a cell did not end by itself, as the agent reads it.
fn problem(lost: Lost) -> ActProblem {
    let seconds = |time: Duration| time.as_secs();
    ActProblem::Failed(
        match lost {
            Lost::Silence(time) => format!("it printed nothing for {} s and was interrupted", seconds(time)),
            Lost::Time(time) => format!("it ran for {} s and was interrupted", seconds(time)),
            Lost::Restarted(time) => format!(
                "it ran for {} s and did not end when it was interrupted; Python was started again, and all variables are gone",
                seconds(time)
            ),
            Lost::Ended => {
                "it ended Python, which was started again; all variables are gone".to_owned()
            }
        }
        .into(),
    )
}

#[async_trait]
impl Environment for Desktop {
    /// What a cell does with the network cannot be repeated.
    fn recovery(&self) -> Recovery {
        if self.options.network { Recovery::StoredOnly } else { Recovery::Repeat }
    }

    fn grace(&self) -> Duration {
        GRACE
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let open = context.unless_cancelled(self.start(context)).await?;
        self.open = Some(open);
        self.opening(context)
    }

    async fn act(
        &mut self,
        action: &Action,
        context: &EnvironmentContext,
    ) -> Result<Outcome, EnvironmentError> {
        action_space().check(action)?;
        let rules = self.options.rules;
        let open = self.opened()?;
        let cell = actions::cell(action, rules);
        let mut problem = None;
        if std::mem::take(&mut open.left) {
            open.sandbox.start_kernel().await.map_err(failed)?;
        }
        let mut result = CellResult::default();
        if !cell.code.is_empty() {
            open.left = true;
            let sandbox = Arc::clone(&open.sandbox);
            let running = async { sandbox.run_cell(cell.code, CellLimits::default()).await.map_err(failed) };
            result = context.unless_cancelled(running).await?;
            open.left = false;
            problem = result.lost.map(self::problem);
        }
        let exceeded = open.sandbox.exceeded();
        if !exceeded.is_empty() {
            problem = Some(ActProblem::Failed(exceeded.join("; ").into()));
        }
        open.cells += 1;
        open.done = cell.done;
        open.last = Some(result);
        let Opening { observation, space, status, .. } = self.opening(context)?;
        let (reward, note, questions) = (0.0, None, Vec::new());
        Ok(Outcome { observation, space, reward, status, note, problem, questions })
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.opening(context)
    }

    async fn judge(
        &mut self,
        conclusion: &Conclusion,
        _: &EnvironmentContext,
    ) -> Result<Verdict, EnvironmentError> {
        let rules = self.options.rules;
        let sandbox = Arc::clone(&self.opened()?.sandbox);
        let variables = variables(&sandbox);
        let (judging, cleaning) =
            (self.procedures(Stage::Evaluation, &variables)?, self.procedures(Stage::Cleanup, &variables)?);
        let (reply, answers) = (conclusion.last_reply.clone(), answers(conclusion));
        let earlier = self.opened()?.evaluation.take();
        let judge = move |computer: &mut SandboxComputer| {
            let episode = Episode { rules, reply: reply.as_deref(), answers: &[] };
            let mut evaluation = earlier.unwrap_or_else(|| evaluate(&judging, computer, episode));
            evaluation.answer(&judging, &answers, computer, episode);
            let given = evaluation.question().is_none();
            let not_cleaned = if given { evaluate::cleanup(&cleaning, computer, rules) } else { Vec::new() };
            (evaluation, not_cleaned)
        };
        let (evaluation, not_cleaned): (Evaluation, Vec<String>) = blocking(&sandbox, judge).await?;
        let verdict = judging::verdict(&evaluation, conclusion.ending, &not_cleaned);
        self.opened()?.evaluation = Some(evaluation);
        Ok(verdict)
    }

    async fn close(&mut self) {
        // A sandbox that a call still has ends when that is dropped.
        if let Some(sandbox) = self.open.take().and_then(|open| Arc::into_inner(open.sandbox)) {
            sandbox.close().await;
        }
    }
}

/// What persons have answered: the question and the answer.
fn answers(conclusion: &Conclusion) -> Vec<(String, String)> {
    let of_person = conclusion.answers.iter().filter(|answered| answered.question.role == SideRole::Person);
    let texts = of_person.filter_map(|answered| {
        let question = answered.question.values.get("question")?;
        Some((question.clone(), answered.text()?.to_owned()))
    });
    texts.collect()
}
