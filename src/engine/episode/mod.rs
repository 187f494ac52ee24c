//! The episode: a fold over events. It performs no I/O; it says what it needs next and changes only by events.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod branches;
mod connection;
mod edits;
mod interventions;
mod looks;
mod need;
mod person;
mod remaining_plan;
mod seats;
mod side;
mod transitions;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

pub use self::interventions::AskAgainError;
pub use self::need::{Need, OutOfTurn};
pub use self::remaining_plan::RemainingPlan;
use self::side::Asking;
use super::attempt::{FailedTry, PendingRequest, PromptVersion};
use super::event::{Ending, Event};
use super::head::Head;
use super::recorded_agent::RecordedAgent;
use super::repetition::RepetitionTracker;
use super::seat::Seats;
use super::served_model::ServedModels;
use super::side::{Inquiry, Purpose, TotalsByRole};
use super::step::{Step, Steps};
use super::summary::is_solved;
use serde_json::Value;

use mageyard_dialog::PersonQuestion;
use mageyard_domain::{
    Answered, BlobRef, Digest, EnvironmentSpec, Judgement, Options, PublishedScore, Reference, Reply,
    Returns, Segment, SentRequest, StoredStep, TokenTotals, UnknownUsage, Usage, UsageEstimate, Window,
};

/// One agent on one level, from start to end.
#[derive(Clone, Debug)]
pub struct Episode {
    head: Arc<Head>,
    need: Need,
    steps: Steps,
    plan: RemainingPlan,
    planned: bool,
    reference: Option<Reference>,
    window: Window,
    prompt: String,
    /// The agent of the head.
    agent: Arc<RecordedAgent>,
    seats: Seats,
    /// The settings of the connection that replace those of the agents.
    connection: Arc<Options>,
    /// The addresses of the servers that requests were sent to, in order, each once.
    servers: Vec<Arc<str>>,
    /// Who answered, as servers say it.
    served: ServedModels,
    /// Whether steps were decided by another model than that of the head.
    several_models: bool,
    hint: Option<Arc<str>>,
    mixed: bool,
    /// The request that was sent and has no reply yet.
    pending_request: Option<PendingRequest>,
    /// The prompt version of the last request; attempts share it.
    prompt_version: Option<Arc<PromptVersion>>,
    /// The tokens of the requests that have ended.
    spent: TokenTotals,
    /// What the tokens of those that are unknown are estimated from.
    estimate: UsageEstimate,
    /// The sums before any action.
    start: Returns,
    smallest_loss: Option<f64>,
    /// How the environment judged it.
    judgement: Option<Arc<Judgement>>,
    /// The complete replies without a token count.
    unmetered_replies: usize,
    /// The milliseconds that persons have used for their replies.
    person_ms: u64,
    /// The newest stored checkpoint of the environment, with the step whose state it is.
    checkpoint: Option<(u32, BlobRef)>,
    /// Only updated if repetition ends the episode.
    repeats: RepetitionTracker,
    /// Whether the step that is not settled yet reaches the repetition limit.
    repeating: bool,
    /// The questions that are being asked.
    asking: Option<Box<Asking>>,
    /// The answers to the questions of the environment.
    answers: Vec<Answered>,
    /// The readable answers by the digests of their requests, each with its text.
    side_answers: BTreeMap<Digest, (Arc<str>, Value)>,
    /// What the requests of each role came to.
    roles: TotalsByRole,
}

impl Episode {
    /// An episode without any event.
    pub fn new(head: Arc<Head>) -> Self {
        let window = head.window;
        let prompt = head.prompt.clone();
        Self {
            agent: Arc::new(head.agent.clone()),
            seats: Seats::default(),
            connection: Arc::default(),
            servers: Vec::new(),
            served: ServedModels::default(),
            several_models: false,
            need: need_at_start(&head),
            head,
            steps: Steps::default(),
            plan: RemainingPlan::default(),
            planned: false,
            reference: None,
            window,
            prompt,
            hint: None,
            mixed: false,
            pending_request: None,
            prompt_version: None,
            spent: TokenTotals::default(),
            estimate: UsageEstimate::default(),
            start: Returns::default(),
            smallest_loss: None,
            judgement: None,
            unmetered_replies: 0,
            person_ms: 0,
            checkpoint: None,
            repeats: RepetitionTracker::default(),
            repeating: false,
            asking: None,
            answers: Vec::new(),
            side_answers: BTreeMap::new(),
            roles: TotalsByRole::new(),
        }
    }

    /// The settings it was started with.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// What it needs next.
    pub fn need(&self) -> &Need {
        &self.need
    }

    /// Its steps, oldest first; empty before it is opened.
    pub fn steps(&self) -> &Steps {
        &self.steps
    }

    /// Its steps as they are stored, for a verdict.
    pub fn stored_steps(&self) -> Vec<StoredStep> {
        self.steps.iter().map(|step| step.stored()).collect()
    }

    /// The optimum, if known.
    pub fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()
    }

    /// The memory window for the next request.
    pub fn window(&self) -> Window {
        self.window
    }

    /// The prompt variant for the next request.
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// Whether a person intervened: what was decided is not the work of one agent under the settings of the head. A mixed
    /// episode is left out of averages.
    pub fn is_mixed(&self) -> bool {
        self.mixed
    }

    /// The sums so far.
    pub fn returns(&self) -> Returns {
        self.steps.last().map(|step| step.returns).unwrap_or_default()
    }

    /// The sums at its start, before any action.
    pub fn start(&self) -> Returns {
        self.start
    }

    /// The smallest negative reward of a step so far, as a positive number: the usual penalty of a step.
    pub fn smallest_loss(&self) -> Option<f64> {
        self.smallest_loss
    }

    /// The tokens of its requests so far. Those of a request without a reply are unknown; they are estimated if the
    /// limits of the episode count the estimate.
    pub fn spent(&self) -> TokenTotals {
        let pending = self.pending_request.as_ref().map(PendingRequest::spent);
        let spent = pending.map_or(self.spent, |pending| self.spent.plus(pending));
        let counts = self.head.budget.unknown == UnknownUsage::Estimate && spent.unmetered > 0;
        TokenTotals { estimated: counts.then(|| self.estimated_unknown()), ..spent }
    }

    /// The tokens of its requests so far, always with the estimate for those that are unknown: for limits of several
    /// episodes together.
    pub fn spent_with_estimate(&self) -> TokenTotals {
        let spent = self.spent();
        let counts = spent.unmetered > 0;
        TokenTotals { estimated: counts.then(|| self.estimated_unknown()), ..spent }
    }

    /// An estimate of the tokens of those requests whose tokens are unknown.
    pub fn estimated_unknown(&self) -> Usage {
        let mut estimate = self.estimate;
        if let Some(pending) = &self.pending_request {
            estimate.add_unknown(&pending.request, pending.spent().unmetered);
        }
        estimate.of_unknown()
    }

    /// The request that was sent and has no reply yet.
    pub fn pending_request(&self) -> Option<&PendingRequest> {
        self.pending_request.as_ref()
    }

    /// How many complete replies to its requests have no token count. Cancelled ones are left out, because servers do
    /// not report them.
    pub fn unmetered_replies(&self) -> usize {
        self.unmetered_replies
    }

    /// The time that persons have used for their replies.
    pub fn time_of_persons(&self) -> Duration {
        Duration::from_millis(self.person_ms)
    }

    /// The time that a person has used for this reply; zero if it is the reply to a request.
    pub(crate) fn time_of_person(&self, reply: &Reply) -> Duration {
        let of_person = reply.latency_ms.filter(|_| self.pending_request.is_none());
        Duration::from_millis(of_person.unwrap_or(0).into())
    }

    /// How many steps are finished.
    pub fn steps_done(&self) -> u32 {
        let open = self.steps.last().is_some_and(|step| !step.is_done());
        u32::try_from(self.steps.len() - usize::from(open)).unwrap_or(u32::MAX)
    }

    /// The newest stored checkpoint of the environment, with the number of the step whose state it is.
    pub fn checkpoint(&self) -> Option<&(u32, BlobRef)> {
        self.checkpoint.as_ref()
    }

    /// Why it is over, if it is.
    pub fn ending(&self) -> Option<Ending> {
        match self.need {
            Need::Nothing(ending) => Some(ending),
            _ => None,
        }
    }

    /// Whether the task was done: as the verdict says, if the environment judges, else because the goal was reached.
    pub fn is_solved(&self) -> bool {
        is_solved(self.ending(), self.judgement())
    }

    /// The rest of the plan, without the action that is due.
    pub fn plan(&self) -> &RemainingPlan {
        &self.plan
    }

    /// Whether this event can happen now; checked before it is written.
    pub fn can_apply(&self, event: &Event) -> Result<(), OutOfTurn> {
        let fits = match event {
            Event::Edited(edit) => self.can_edit(edit).is_ok(),
            Event::Failed(_) => self.pending_request.as_ref().is_some_and(|sent| sent.under_way),
            Event::Retried => self.pending_request.as_ref().is_some_and(|sent| !sent.under_way),
            Event::Branched(_) => self.can_branch(),
            Event::Seated(seat) => self.accepts_seat(seat),
            Event::StateSet(..) => self.can_branch(),
            Event::FrameSet(_) => self.can_branch() && self.shows_frame(),
            Event::AskedAgain => self.can_ask_again().is_ok(),
            Event::Side(side) => self.accepts_side(side),
            Event::Person(reply) => self.accepts_reply_of_person(reply),
            event => self.need.accepts(event),
        };
        if fits { Ok(()) } else { Err(OutOfTurn::new(event, &self.need)) }
    }

    /// Applies an event. One that does not fit the current need is refused and changes nothing.
    pub fn apply(&mut self, event: Event) -> Result<(), OutOfTurn> {
        self.can_apply(&event)?;
        if !event.keeps_request_pending() {
            self.give_up_pending_request();
        }
        match event {
            Event::Opened(opening, reference) => self.opened(opening, reference),
            Event::Branched(head) => self.branched(head),
            Event::Asked => self.note_decision(),
            Event::Sent(request, version) => self.sent(request, version),
            Event::Failed(failed) => self.failed(failed),
            Event::Retried => self.retried(),
            Event::Side(side) => self.side(side),
            Event::Person(reply) => self.person_replied(*reply),
            Event::Replied(reply) => {
                self.note_served(&reply);
                self.replied(reply);
            }
            Event::Cancelled(reply) => {
                self.note_served(&reply);
                self.cancelled(reply);
            }
            Event::GaveUp => self.end(Ending::Stood),
            Event::Accepted(action, marks) => self.accepted(action, marks),
            Event::Planned(actions, marks) => self.planned(actions, marks),
            Event::Refused(failure, marks) => self.refused(failure, marks),
            Event::Skipped => self.skipped(),
            Event::Edited(edit) => self.edited(edit),
            Event::Acting(action) => self.need = Need::Finish(action),
            Event::Acted(_, outcome) => self.acted(outcome),
            Event::Interrupted => self.need = Need::Look,
            Event::Looked(opening) => self.looked(opening),
            Event::Checkpointed(blob) => self.checkpointed(blob),
            Event::WindowSet(window) => self.window_set(window),
            Event::PromptSet(prompt) => self.prompt = prompt,
            Event::Seated(seat) => self.seated(seat),
            Event::HintSet(hint) => self.hint_set(hint),
            Event::ConnectionSet(settings) => self.connection_set(&settings),
            Event::AskedAgain => self.asked_again(),
            Event::StateSet(text, opening) => self.state_set(text, opening),
            Event::FrameSet(picture) => self.frame_set(picture),
            Event::Expired => self.limited(Ending::TimeLimit),
            Event::Exhausted => self.limited(Ending::Budget),
            Event::Questioned(questions) => self.questioned(questions),
            Event::Settled(settlement) => self.settled(settlement),
            Event::Judged(judgement) => self.judged(judgement),
            Event::Abandoned => self.abandoned(),
        }
        Ok(())
    }

    /// Why it has ended, also while it is not judged yet.
    pub fn end_of_play(&self) -> Option<Ending> {
        match self.need {
            Need::Judge(ending) | Need::Nothing(ending) => Some(ending),
            Need::Ask(Inquiry { purpose: Purpose::Verdict(ending), .. }) => Some(ending),
            _ => None,
        }
    }

    /// How the environment judged it, if it did or could not.
    pub fn judgement(&self) -> Option<&Judgement> {
        self.judgement.as_deref()
    }

    /// The score: that of the verdict, if there is to be one, else by the rewards. `None` if the optimum is unknown, if the
    /// budget ended the episode, or without a verdict.
    pub fn score(&self, kind: &dyn EnvironmentSpec) -> Option<f64> {
        if self.head.verdict_limit.is_some() {
            return self.judgement()?.verdict()?.score;
        }
        self.has_score().then(|| kind.score(self.returns(), self.reference())).flatten()
    }

    /// The published result for the level and the score against it, if there is one.
    pub fn published(&self, kind: &dyn EnvironmentSpec) -> Option<PublishedScore> {
        if !self.has_score() {
            return None;
        }
        let reference = kind.capabilities().scoring.published_reference(&self.head().to_level())?;
        let score = kind.score(self.returns(), Some(&reference))?;
        Some(PublishedScore { reference, score })
    }

    /// The version of the present prompt, whose segments have these digests; shared with the last request if it is the same.
    pub(super) fn prompt_version(&self, segments: &[(Segment, Digest)]) -> Arc<PromptVersion> {
        let is_same = |known: &&Arc<PromptVersion>| {
            let known_segments = known.segments.iter().map(|(segment, digest)| (*segment, *digest));
            known.prompt == self.prompt() && known_segments.eq(segments.iter().copied())
        };
        let known = self.prompt_version.as_ref().filter(is_same).cloned();
        known.unwrap_or_else(|| {
            let prompt = self.prompt().to_owned();
            let segments = segments.iter().copied().collect();
            PromptVersion { prompt, segments }.into()
        })
    }

    fn sent(&mut self, request: Arc<SentRequest>, version: Arc<PromptVersion>) {
        self.note_decision();
        self.note_server();
        let known = self.prompt_version.take();
        let known = known.filter(|known| Arc::ptr_eq(known, &version) || *known == version);
        let version = known.unwrap_or(version);
        self.prompt_version = Some(version.clone());
        self.set_pending(request, version);
    }

    fn set_pending(&mut self, request: Arc<SentRequest>, version: Arc<PromptVersion>) {
        self.pending_request =
            Some(PendingRequest { request, version, failed_tries: Vec::new(), under_way: true });
    }

    fn retried(&mut self) {
        if let Some(sent) = &mut self.pending_request {
            sent.under_way = true;
        }
    }

    fn failed(&mut self, failed: FailedTry) {
        if let Some(sent) = &mut self.pending_request {
            sent.failed_tries.push(failed);
            sent.under_way = false;
        }
    }

    /// Whether the current observation has a frame.
    fn shows_frame(&self) -> bool {
        self.steps.last().is_some_and(|step| step.observation.picture().is_some())
    }

    fn has_score(&self) -> bool {
        self.ending() != Some(Ending::Budget)
    }

    fn open_step(&mut self) -> Option<&mut Step> {
        self.steps.last_mut().map(Arc::make_mut)
    }
}

/// What an episode with this head needs first.
fn need_at_start(head: &Head) -> Need {
    if head.allow.is_empty() { Need::Open } else { Need::Person(PersonQuestion::Allow(head.allow.clone())) }
}
