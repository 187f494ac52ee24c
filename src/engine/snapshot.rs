//! Snapshots: immutable views of a session for the screen, cheap to clone.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::breakpoints::Breakpoints;
use super::distance::Distances;
use super::episode::{Episode, Need, RemainingPlan};
use super::episode_analysis::EpisodeAnalysis;
use super::error_analysis::ErrorAnalysis;
use super::event::Ending;
use super::head::Head;
use super::live_reply::LiveReplySnapshot;
use super::person_clock::PersonClock;
use super::recorded_agent::RecordedAgent;
use super::seat::{Seat, SeatChoice};
use super::side::{Inquiry, Purpose};
use super::step::Steps;
use super::step_request::compose_request;
use mageyard_dialog::{OpenQuestion, Prompt, Request};
use mageyard_domain::{
    EnvironmentSpec, Judgement, ModelTotals, Perception, Presentation, PublishedScore, Reference,
    ReplyFormat, RequestEncoder, Returns, SideRole, StateEditor, TokenTotals, Window,
};

/// Whether the session is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It waits for commands.
    Paused,
    /// It is running, for `left` more steps or without a limit.
    Running {
        /// Steps left; `None` for no limit.
        left: Option<u32>,
    },
    /// It is a recording and takes no commands.
    Recorded,
}

/// What the session is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The environment is opening.
    Opening,
    /// The first half of a step: the agent must be asked.
    Ask,
    /// The agent's reply.
    Reply,
    /// The second half of a step: the accepted action must be applied.
    Apply,
    /// Answers with which the outcome of the last action is settled.
    Settle,
    /// The environment, which carries out an action, comes back or judges the episode.
    Environment,
    /// A look at the environment, because an action was interrupted.
    Look,
    /// The verdict of the environment on the episode, which has ended.
    Verdict,
    /// The answer of a person.
    Person,
    /// Nothing: the episode is over.
    Ended(Ending),
}

/// How a session runs now: what it waits for, what stopped it, and who acts.
#[derive(Clone, Debug)]
pub struct RunState {
    /// Whether it is running.
    pub mode: Mode,
    /// What it is waiting for.
    pub waiting: Waiting,
    /// The pause between two steps while it runs by itself.
    pub pace: Duration,
    /// The last error, shown until the next command.
    pub error: Option<String>,
    /// The breakpoints that pause a run.
    pub breakpoints: Breakpoints,
    /// Which breakpoint paused the run, until the next command.
    pub break_reason: Option<String>,
    /// Which step a breakpoint could not judge, until the next command.
    pub unjudged_step: Option<String>,
    /// What the last effect of a breakpoint has done, if it did not pause the run.
    pub effect_done: Option<String>,
    /// How many commands the session has carried out; 0 in a recording.
    pub commands: u64,
    /// The reply that is being received.
    pub live_reply: Option<LiveReplySnapshot>,
    /// Whether the agent that decides next is a person.
    pub person: bool,
    /// The question that waits for a person.
    pub question: Option<Arc<OpenQuestion>>,
    /// The clock of a person who is to decide.
    pub clock: Option<PersonClock>,
    /// Who can be seated.
    pub seats: Arc<[SeatChoice]>,
}

impl RunState {
    /// That of a recording, or of an episode that no session plays.
    pub fn recorded(waiting: Waiting) -> Self {
        Self {
            mode: Mode::Recorded,
            waiting,
            pace: Duration::ZERO,
            error: None,
            breakpoints: Breakpoints::default(),
            break_reason: None,
            unjudged_step: None,
            effect_done: None,
            commands: 0,
            live_reply: None,
            person: false,
            question: None,
            clock: None,
            seats: Arc::default(),
        }
    }
}

/// What is needed to compose requests, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct RequestContext {
    /// The prompt variants, for composing requests.
    pub prompts: Arc<[Prompt]>,
    /// The reply format, for composing requests.
    pub form: Option<ReplyFormat>,
    /// How the agent encodes requests; `None` for one that sends none.
    pub encoder: Option<Arc<dyn RequestEncoder>>,
    /// How side requests are encoded, by role.
    pub side_encoders: BTreeMap<SideRole, Arc<dyn RequestEncoder>>,
}

/// A session at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The settings that the episode was started with.
    pub head: Arc<Head>,
    /// Its steps, oldest first; the last one is current, or shows the final observation.
    pub steps: Steps,
    /// The rest of a Global plan, without the action that is due.
    pub plan: RemainingPlan,
    /// The memory window for the next request.
    pub window: Window,
    /// The sums so far.
    pub returns: Returns,
    /// The smallest negative reward of a step so far, as a positive number.
    pub smallest_loss: Option<f64>,
    /// The tokens of its requests so far.
    pub spent: TokenTotals,
    /// These tokens by model; empty if all were spent on that of the head.
    pub models: Vec<ModelTotals>,
    /// The errors of its steps, with the thresholds of its head.
    pub error_analysis: Arc<ErrorAnalysis>,
    /// The distances of its states, as far as they are known.
    pub distances: Arc<Distances>,
    /// The optimum, if known.
    pub reference: Option<Reference>,
    /// The score so far, if the optimum is known.
    pub score: Option<f64>,
    /// How the environment judged the episode, if it did or could not.
    pub judgement: Option<Judgement>,
    /// The published result for the level, and the score against it.
    pub published: Option<PublishedScore>,
    /// Whether a person intervened.
    pub mixed: bool,
    /// The change of seat that says who decides next; `None` if that is the agent of the head.
    pub seat: Option<Arc<Seat>>,
    /// The prompt variant for the next request.
    pub prompt: String,
    /// The hint for the next request, if there is one.
    pub hint: Option<Arc<str>>,
    /// What is needed to compose requests.
    pub requests: RequestContext,
    /// How it runs now.
    pub run: RunState,
    /// The journal, beside which the images of requests are stored; `None` if the episode is not recorded.
    pub journal: Option<PathBuf>,
    /// The folder of the session.
    pub folder: PathBuf,
    /// How its states are shown.
    pub presentation: Presentation,
    /// What can be seen of its states, and asked about it.
    pub perception: Perception,
    /// Changes states by hand, if the environment offers that.
    pub state_editor: Option<&'static dyn StateEditor>,
    /// Whether an Online episode can begin where a Global one has ended.
    pub continues_online: bool,
}

/// Where a session is stored.
#[derive(Clone, Debug)]
pub struct SessionPlace {
    /// Its folder.
    pub folder: PathBuf,
    /// The journal of the episode; `None` if it is not recorded.
    pub journal: Option<PathBuf>,
}

impl Waiting {
    /// What an episode with this need waits for while no command is running.
    pub fn of(need: &Need) -> Self {
        match need {
            Need::Person(_) => Self::Person,
            Need::Ask(inquiry) if inquiry.by_person => Self::Person,
            Need::Open => Self::Opening,
            Need::Decide { .. } | Need::Read(_) | Need::Skip => Self::Ask,
            Need::Ask(Inquiry { purpose: Purpose::Decision, .. }) => Self::Ask,
            Need::Ask(Inquiry { purpose: Purpose::Verdict(_), .. }) => Self::Verdict,
            Need::Ask(_) | Need::Settle => Self::Settle,
            Need::Act(_) | Need::Finish(_) => Self::Apply,
            Need::Look => Self::Look,
            Need::Judge(_) => Self::Verdict,
            Need::Nothing(ending) => Self::Ended(*ending),
        }
    }

    /// Why it is over, if it is.
    pub fn ending(self) -> Option<Ending> {
        match self {
            Self::Ended(ending) => Some(ending),
            _ => None,
        }
    }
}

impl Snapshot {
    /// Whether what only a solver knows is hidden: a person plays, the episode is not over, and it was not started with
    /// the setting to show it. The score follows from the optimum, so it is hidden too.
    pub fn hides_solver(&self) -> bool {
        let has_person = self.run.person || self.head.agent.is_person();
        has_person && !self.head.solver_visible && self.run.waiting.ending().is_none()
    }

    /// What is shown of it: without optimum, score, distances and the marks that follow from them if they are hidden.
    #[must_use]
    pub fn as_shown(self: Arc<Self>) -> Arc<Self> {
        if !self.hides_solver() {
            return self;
        }
        Arc::new(Self {
            error_analysis: Arc::new((*self.error_analysis).clone().without_solver()),
            distances: Arc::default(),
            reference: None,
            score: None,
            published: None,
            ..(*self).clone()
        })
    }

    /// An episode of this environment with its analysis, which runs like this.
    pub fn new(
        episode: &Episode,
        kind: &dyn EnvironmentSpec,
        analysis: &EpisodeAnalysis,
        requests: RequestContext,
        run: RunState,
        place: SessionPlace,
    ) -> Self {
        let capabilities = kind.capabilities();
        Self {
            head: episode.head().clone(),
            steps: episode.steps().clone(),
            plan: episode.plan().clone(),
            window: episode.window(),
            returns: episode.returns(),
            smallest_loss: episode.smallest_loss(),
            spent: episode.spent(),
            models: episode.models(),
            error_analysis: Arc::new(analysis.errors().clone()),
            distances: Arc::new(analysis.distances().clone()),
            reference: episode.reference().cloned(),
            score: episode.score(kind),
            judgement: episode.judgement().cloned(),
            published: episode.published(kind),
            mixed: episode.is_mixed(),
            seat: episode.seat().cloned(),
            prompt: episode.prompt().to_owned(),
            hint: episode.hint().cloned(),
            requests,
            run,
            journal: place.journal,
            folder: place.folder,
            presentation: capabilities.presentation,
            perception: capabilities.perception,
            state_editor: capabilities.tools.state_editor,
            continues_online: capabilities.episodes.start.is_some(),
        }
    }

    /// Who decides next.
    pub fn agent(&self) -> &RecordedAgent {
        self.seat.as_ref().map_or(&self.head.agent, |seat| &seat.agent)
    }

    /// For how many steps the one who decides next has the seat; `None` if to the end.
    pub fn seat_steps_left(&self) -> Option<u32> {
        let until = self.seat.as_ref()?.until?;
        let step = self.steps.last()?;
        let is_decided = matches!(self.run.waiting, Waiting::Apply | Waiting::Environment);
        Some(until.saturating_sub(step.number + u32::from(is_decided)))
    }

    /// The snapshot with these distances, and with what they say about its steps.
    #[must_use]
    pub fn with_distances(self, distances: Distances) -> Self {
        let errors = ErrorAnalysis::clone(&self.error_analysis).with_distances(&distances);
        Self { error_analysis: Arc::new(errors), distances: Arc::new(distances), ..self }
    }

    /// Replaces the analysis of its steps.
    pub(super) fn set_analysis(&mut self, analysis: &EpisodeAnalysis) {
        self.error_analysis = Arc::new(analysis.errors().clone());
        self.distances = Arc::new(analysis.distances().clone());
    }

    /// The request for the current step; `None` without prompt variants.
    pub fn request(&self) -> Option<Request> {
        self.request_at(self.steps.len().checked_sub(1)?)
    }

    /// The request for the step at this index, with the current prompt variant and the window of that step.
    pub fn request_at(&self, index: usize) -> Option<Request> {
        let step = self.steps.get(index)?;
        let window = if index + 1 == self.steps.len() { self.window } else { step.window };
        self.request_with(index, window, &self.prompt)
    }

    /// The request for the step at this index with this window and the prompt variant of this name.
    pub fn request_with(&self, index: usize, window: Window, prompt: &str) -> Option<Request> {
        let prompt = self.requests.prompts.iter().find(|variant| variant.name == prompt)?;
        compose_request(&self.head, &self.steps, index, window, prompt, self.requests.form.as_ref()?, true)
    }

    /// How many steps are finished.
    pub fn steps_done(&self) -> u32 {
        let open = self.steps.last().is_some_and(|step| !step.is_done());
        u32::try_from(self.steps.len() - usize::from(open)).unwrap_or(u32::MAX)
    }
}
