//! What a screen may see of a session: a value, cheap to clone, that never changes once made.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::breakpoints::Breakpoints;
use super::distance::Distances;
use super::episode::Episode;
use super::episode::Need;
use super::error_analysis::ErrorAnalysis;
use super::error_analysis::analyze;
use super::event::Ending;
use super::head::Head;
use super::live_reply::LiveReplySnapshot;
use super::step::Step;
use super::step_request::compose_request;
use crate::dialog::Prompt;
use crate::dialog::Request;
use crate::domain::Action;
use crate::domain::EnvironmentSpec;
use crate::domain::PublishedScore;
use crate::domain::Reference;
use crate::domain::ReplyFormat;
use crate::domain::RequestEncoder;
use crate::domain::Returns;
use crate::domain::Window;

/// Whether the session goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It waits for orders.
    Paused,
    /// It runs by itself; `left` steps more, or without end.
    Running {
        /// Steps still to do; `None` for all.
        left: Option<u32>,
    },
    /// It is a recording: there is nothing to order.
    Recorded,
}

/// What the session waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The environment is opening.
    Opening,
    /// The first half: the agent is to be asked.
    Ask,
    /// The agent is thinking.
    Reply,
    /// The second half: the accepted action is to be applied.
    Apply,
    /// Nothing: it is over.
    Ended(Ending),
}

/// A session at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// What the episode was started with.
    pub head: Arc<Head>,
    /// Its steps, oldest first; the last one is under way or shows the final observation.
    pub steps: Vec<Arc<Step>>,
    /// Actions of a Global plan still to come, the due one excluded.
    pub plan: Vec<Action>,
    /// The memory window for the next request.
    pub window: Window,
    /// The sums so far.
    pub returns: Returns,
    /// What is wrong with its steps, by the thresholds it was begun with.
    pub error_analysis: Arc<ErrorAnalysis>,
    /// How far the goal is from each of its states, as far as that is known by now.
    pub distances: Arc<Distances>,
    /// The best that can be reached, where it is known.
    pub reference: Option<Reference>,
    /// The score so far, where the best that can be reached is known.
    pub score: Option<f64>,
    /// What was published of the level, and the score so far by that.
    pub published: Option<PublishedScore>,
    /// Whether it goes on by itself.
    pub mode: Mode,
    /// What it waits for.
    pub waiting: Waiting,
    /// The pause between two steps while it runs by itself.
    pub pace: Duration,
    /// Whether a person intervened.
    pub mixed: bool,
    /// Why it stands still although it should not, in words: a fault to show until the next order.
    pub error: Option<String>,
    /// What makes a run stand.
    pub breakpoints: Breakpoints,
    /// Why a breakpoint made the run stand, until the next order.
    pub break_reason: Option<String>,
    /// Which step a breakpoint let pass because nobody knows whether it meets it, until the next order.
    pub unjudged_step: Option<String>,
    /// What has been heard of the thought under way.
    pub live_reply: Option<LiveReplySnapshot>,
    /// Whether the seat is a person's.
    pub person: bool,
    /// The prompt variant for the next request.
    pub prompt: String,
    /// The prompt variants there are; none in a recording.
    pub prompts: Arc<[Prompt]>,
    /// The form of a reply; `None` in a recording.
    pub form: Option<ReplyFormat>,
    /// How the agent packs requests; `None` for one that sends none.
    pub encoder: Option<Arc<dyn RequestEncoder>>,
    /// The journal, beside which the pictures of requests stand; `None` where nothing is kept.
    pub journal: Option<PathBuf>,
    /// The folder of the session.
    pub folder: PathBuf,
}

impl Waiting {
    /// What an episode with this need waits for while nobody works on it.
    pub fn of(need: &Need) -> Self {
        match need {
            Need::Open => Self::Opening,
            Need::Decide { .. } | Need::Read(_) | Need::Skip => Self::Ask,
            Need::Act(_) => Self::Apply,
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
    /// An episode as a recording shows it.
    pub fn of_recording(episode: &Episode, kind: &dyn EnvironmentSpec, folder: &Path) -> Self {
        let returns = episode.returns();
        Self {
            head: episode.head().clone(),
            steps: episode.steps().to_vec(),
            plan: episode.plan().cloned().collect(),
            window: episode.window(),
            returns,
            error_analysis: Arc::new(analyze(episode, kind, episode.head().conduct.thresholds)),
            distances: Arc::default(),
            reference: episode.reference().cloned(),
            score: episode.score(kind),
            published: episode.published(kind),
            mode: Mode::Recorded,
            waiting: Waiting::of(episode.need()),
            pace: Duration::ZERO,
            mixed: episode.is_mixed(),
            error: None,
            breakpoints: Breakpoints::default(),
            break_reason: None,
            unjudged_step: None,
            live_reply: None,
            person: false,
            prompt: episode.prompt().to_owned(),
            prompts: Arc::default(),
            form: None,
            encoder: None,
            journal: None,
            folder: folder.to_owned(),
        }
    }

    /// The same with what is known by now of how far the goal is, and what that says of its steps.
    #[must_use]
    pub fn with_distances(self, distances: Distances) -> Self {
        let faults = ErrorAnalysis::clone(&self.error_analysis).with_distances(&self.steps, &distances);
        Self { error_analysis: Arc::new(faults), distances: Arc::new(distances), ..self }
    }

    /// The same, of a session under way.
    #[must_use]
    pub fn with_state(self, mode: Mode, waiting: Waiting, pace: Duration, fault: Option<String>) -> Self {
        Self { mode, waiting, pace, error: fault, ..self }
    }

    /// The request that asks for the step under way, if there is a prompt to ask by.
    pub fn request(&self) -> Option<Request> {
        self.request_at(self.steps.len().checked_sub(1)?)
    }

    /// The request by which a model would be asked for the step of this index, by the present prompt and
    /// the window that held there.
    pub fn request_at(&self, index: usize) -> Option<Request> {
        let steps = self.steps.get(..=index)?;
        let window = if steps.len() == self.steps.len() { self.window } else { self.steps[index].window };
        let prompt = self.prompts.iter().find(|prompt| prompt.name == self.prompt)?;
        compose_request(&self.head, steps, window, prompt, self.form.as_ref()?)
    }

    /// How many steps are done.
    pub fn steps_done(&self) -> u32 {
        let done = self.steps.iter().filter(|step| step.is_done()).count();
        u32::try_from(done).unwrap_or(u32::MAX)
    }
}
