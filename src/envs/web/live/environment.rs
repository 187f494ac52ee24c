//! The environment: an act is carried out in a real browser, and key nodes are compared with what it did.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mageyard_browser::web::WebSession;
use mageyard_domain::{
    Action, Answered, Conclusion, Environment, EnvironmentContext, EnvironmentError, Observation, Opening,
    Outcome, Question, Recovery, Settlement, Status, Verdict,
};

use super::acts::{Performed, Surface};
use super::browsers::open_session;
use super::note::{note, rises};
use super::touches::Touched;
use super::{failed, looking, touches};
use crate::actions::{self, Act, space};
use crate::facts::ActFacts;
use crate::judging;
use crate::look::{Course, Look};
use crate::nodes::{Progress, examine_all};
use crate::observation::{Circumstances, observe};
use crate::options::WebOptions;
use crate::page::{PageReading, PageState};
use crate::task::Task;
use crate::workflow;

/// How long an act may go on after it was cancelled.
const GRACE: Duration = Duration::from_secs(2);

/// A task in a browser.
pub(crate) struct Web {
    task: Task,
    options: WebOptions,
    open: Option<Open>,
    /// Whether an act is carried out, so that what is touched in the window is not known to be of a person.
    acting: bool,
}

/// A session, and what was seen of it last.
#[derive(Clone)]
struct Open {
    session: Arc<WebSession>,
    reading: Arc<PageReading>,
    state: PageState,
    course: Course,
    seen: Observation,
    next: Option<Action>,
}

impl Web {
    pub(crate) fn new(task: Task, options: WebOptions) -> Self {
        Self { task, options, open: None, acting: false }
    }

    fn opened(&mut self) -> Result<&mut Open, EnvironmentError> {
        self.open.as_mut().ok_or_else(|| failed("the browser is not open"))
    }

    /// Opens a session at an address, with this course.
    async fn start(
        &mut self,
        address: Option<&str>,
        course: Course,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        (self.open, self.acting) = (None, false);
        let session = Arc::new(open_session(&self.task, &self.options, context).await?);
        if let Some(address) = address {
            let opening = async {
                match session.goto(address).await {
                    Err(mageyard_browser::web::WebFault::Browser(failure)) => Err(failed(failure)),
                    // The page says what is wrong with it.
                    _ => Ok(()),
                }
            };
            context.unless_cancelled(opening).await?;
        }
        let look = self.look_at(&session, context).await?;
        let open = self.observed(session, look, course, context).await?;
        self.open = Some(open);
        Ok(())
    }

    /// What is seen once the page has settled.
    async fn look_at(
        &self,
        session: &WebSession,
        context: &EnvironmentContext,
    ) -> Result<Look, EnvironmentError> {
        let looking = async {
            session.settle().await;
            looking::look(session, self.options.reading()).await.map_err(failed)
        };
        context.unless_cancelled(looking).await
    }

    /// The state with the observation of this look.
    async fn observed(
        &self,
        session: Arc<WebSession>,
        look: Look,
        mut course: Course,
        context: &EnvironmentContext,
    ) -> Result<Open, EnvironmentError> {
        course.blocked |= look.state == PageState::Blocked;
        course.cut_trees += u32::from(look.reading.cut > 0);
        let step = self.task.workflow.get(course.recorded);
        let next = match step {
            Some(step) => workflow::action(step, &session, &look.reading).await,
            None => None,
        };
        let browser = session.browser_version();
        let of = Circumstances { task: &self.task, options: &self.options, browser };
        let seen = observe(&of, &look, &course, next.as_ref(), &context.blobs).map_err(failed)?;
        Ok(Open { reading: look.reading.into(), state: look.state, session, course, seen, next })
    }

    fn opening(&mut self) -> Result<Opening, EnvironmentError> {
        let (set, nodes) = (self.options.actions, self.task.nodes.len());
        let open = self.opened()?;
        let points = points(&open.course.progress, nodes);
        let status = status(&open.course);
        Ok(Opening { observation: open.seen.clone(), space: space(set), status, points })
    }

    /// Compares the nodes with an act that was carried out, and with what a person did in the window before it. `course` is
    /// that before them.
    fn compare(&self, course: &mut Course, earlier: Vec<ActFacts>, act: ActFacts) -> Vec<Question> {
        let before = course.progress.clone();
        (course.before, course.earlier, course.act) = (before, earlier, act);
        (course.later, course.unpaid) = (Vec::new(), 0.0);
        let examined = examine_all(&self.task, self.options.nodes(), course.acts(), &course.before, &[]);
        course.progress = examined.progress;
        course.compared(examined.comparisons);
        examined.questions
    }

    /// Compares the nodes with what a person did in the window after the last act. The judge is asked
    /// about it at the verdict.
    fn compare_later(&self, course: &mut Course, acts: Vec<ActFacts>) {
        if acts.is_empty() {
            return;
        }
        let nodes = self.task.nodes.len();
        let examined = examine_all(&self.task, self.options.nodes(), &acts, &course.progress, &[]);
        course.unpaid += points(&examined.progress, nodes) - points(&course.progress, nodes);
        course.progress = examined.progress;
        course.later.extend(acts);
        course.compared(examined.comparisons);
    }

    /// Takes what a person did in the window since the last observation, into the state that is there if the next act does not
    /// end.
    fn take_touched(&mut self, session: &WebSession) -> Touched {
        let touched = touches::take(session, &session.address());
        if let Some(mut open) = self.open.take() {
            self.compare_later(&mut open.course, touched.acts.clone());
            self.open = Some(open);
        }
        touched
    }
}

/// The sum of rewards that a progress is worth: the completion rate in percent.
fn points(progress: &Progress, nodes: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a task has few nodes")]
    let nodes = nodes.max(1) as f64;
    100.0 * progress.achieved() / nodes
}

fn status(course: &Course) -> Status {
    match (course.progress.is_complete(), course.signalled) {
        (_, true) => Status::Finished,
        (true, false) => Status::Won,
        (false, false) => Status::Running,
    }
}

/// What the act did, in facts.
fn act_facts(action: &Action, act: &Act, before: String, after: String, done: Performed) -> ActFacts {
    ActFacts {
        before,
        after,
        verb: action.name.clone(),
        element: done.element,
        text: act.text().map(str::to_owned),
        done: done.problem.is_none(),
        in_window: false,
    }
}

#[async_trait]
impl Environment for Web {
    fn recovery(&self) -> Recovery {
        Recovery::Reopen
    }

    fn grace(&self) -> Duration {
        GRACE
    }

    fn judges_stored(&self) -> bool {
        true
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let course = Course { progress: Progress::of(&self.task), ..Course::default() };
        let start = self.task.start.clone();
        self.start(start.as_deref(), course, context).await?;
        self.opening()
    }

    async fn act(
        &mut self,
        action: &Action,
        context: &EnvironmentContext,
    ) -> Result<Outcome, EnvironmentError> {
        let space = space(self.options.actions);
        space.check(action)?;
        let act = actions::read(action).ok_or_else(|| failed("the action has no meaning"))?;
        // The state stays as it was until the act has ended: a call that is stopped is followed by a look.
        let Open { session, reading, state, mut course, next, .. } = self.opened()?.clone();
        let nodes = self.task.nodes.len();
        let earlier = points(&course.progress, nodes) - course.unpaid;
        let touched = self.take_touched(&session);
        self.acting = true;
        let before = session.address();
        let surface =
            Surface { session: &session, reading: &reading, task: &self.task, options: &self.options };
        // It is large: a step of the driver must not have its size.
        let performed = Box::pin(async { surface.perform(&act).await.map_err(failed) });
        let performed = context.unless_cancelled(performed).await?;
        let problem = performed.problem.clone();
        match (&act, &problem) {
            (Act::Keep(text), _) => course.kept.push(text.clone()),
            (Act::Answer(_), _) => course.signalled = true,
            _ => {}
        }
        course.recorded += usize::from(problem.is_none() && next.as_ref() == Some(action));
        let look = self.look_at(&session, context).await?;
        // These are of the act itself, whose element is known by its number.
        session.take_reports();
        self.acting = false;
        let facts = act_facts(action, &act, before, look.url.clone(), performed);
        let note_of_window = touched.note();
        let mut questions = self.compare(&mut course, touched.acts, facts);
        questions.splice(0..0, self.take_over(&look, state));
        let note = note(&look, &course, note_of_window);
        let open = self.observed(session, look, course, context).await?;
        let outcome = Outcome {
            observation: open.seen.clone(),
            space,
            reward: points(&open.course.progress, nodes) - earlier,
            status: status(&open.course),
            note,
            problem,
            questions,
        };
        self.open = Some(open);
        Ok(outcome)
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let Open { session, mut course, .. } = self.opened()?.clone();
        let mut look = self.look_at(&session, context).await?;
        let touched = touches::take(&session, &look.url);
        look.faults.extend(touched.fault());
        if !std::mem::take(&mut self.acting) {
            self.compare_later(&mut course, touched.acts);
        }
        let open = self.observed(session, look, course, context).await?;
        self.open = Some(open);
        self.opening()
    }

    /// Opens the address of the last observation, in a new session.
    async fn reopen(
        &mut self,
        last: &Observation,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let course = Course::of_facts(last.facts());
        let address = last.facts()["url"].as_str().filter(|url| url.starts_with("http"));
        self.start(address, course, context).await
    }

    /// Compares the last act once more, with the answers of the judge.
    async fn settle(
        &mut self,
        seen: &Observation,
        answers: &[Answered],
        _: &EnvironmentContext,
    ) -> Result<Settlement, EnvironmentError> {
        let mut course = Course::of_facts(seen.facts());
        let nodes = self.task.nodes.len();
        let earlier = course.progress.clone();
        let examined = examine_all(&self.task, self.options.nodes(), course.acts(), &course.before, answers);
        course.progress = examined.progress;
        course.compared(examined.comparisons);
        let said = rises(&earlier, &course.progress);
        let settlement = Settlement {
            reward: points(&course.progress, nodes) - points(&earlier, nodes),
            status: status(&course),
            note: (!said.is_empty()).then(|| said.join("; ")),
        };
        if let Some(open) = &mut self.open {
            open.course.progress = course.progress;
            open.course.failed = course.failed;
            open.course.comparisons = course.comparisons;
        }
        Ok(settlement)
    }

    async fn judge(
        &mut self,
        conclusion: &Conclusion,
        _: &EnvironmentContext,
    ) -> Result<Verdict, EnvironmentError> {
        judging::verdict(&self.task, self.options.nodes(), conclusion).map_err(failed)
    }

    async fn close(&mut self) {
        // A session that a call still has is closed when that is dropped.
        if let Some(session) = self.open.take().and_then(|open| Arc::into_inner(open.session)) {
            session.close().await;
        }
    }
}

impl Web {
    /// Asks a person to act on a page that has become blocked, where the browser has a window to do so.
    fn take_over(&self, look: &Look, before: PageState) -> Option<Question> {
        let is_new = look.state == PageState::Blocked && before != PageState::Blocked;
        (is_new && self.options.window).then(|| {
            let address = mageyard_domain::sanitize(&look.url).into_owned();
            Question::take_over(format!(
                "{address} is blocked: do what it asks in the window of the browser, such as a captcha or a login"
            ))
        })
    }
}
