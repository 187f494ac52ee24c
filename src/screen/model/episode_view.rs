//! An episode of the screen: its snapshot, which step is shown, and what is requested and not confirmed yet.

use std::sync::Arc;
use std::time::Duration;

use super::{AskedAt, Unread};
use mageyard_dialog::{LeftOut, PersonQuestion};
use mageyard_domain::{ModelTotals, Setting, Window};
use mageyard_engine::{Breakpoints, EpisodeAnnotations, Mode, Snapshot, Step, StepAnnotations, Waiting};
use mageyard_study::PartMark;
use mageyard_terminal::count_of;

/// An episode of this screen, and the step that is shown.
#[derive(Clone, Debug)]
pub(crate) struct EpisodeView {
    pub(crate) snapshot: Arc<Snapshot>,
    /// What is known of a recorded episode that was not read. Its snapshot is that of no episode, and it is never shown.
    pub(crate) unread: Option<Unread>,
    /// Index of the shown step; `None` follows the newest.
    pub(crate) cursor: Option<usize>,
    /// Whether it accepts commands.
    pub(crate) live: bool,
    /// A requested window that is not yet in a snapshot.
    pub(crate) pending_window: Option<Window>,
    /// A requested delay that is not yet in a snapshot.
    pub(crate) pending_pace: Option<Duration>,
    /// Breakpoints that were set and are not confirmed yet.
    pub(crate) pending_breakpoints: Option<Breakpoints>,
    /// Half steps left of a count, and the progress when the last one was requested.
    pub(crate) remaining_halves: Option<(u32, Progress)>,
    /// Window and prompt of a preview, in an episode that takes no more changes.
    pub(crate) preview: Preview,
    /// The question to a person that was shown last.
    pub(crate) told_question: Option<AskedAt>,
    /// Whether the recording is playing.
    pub(crate) playback: Option<Playback>,
    /// The delay between two steps of the playback, once it was changed.
    pub(crate) playback_pace: Option<Duration>,
    /// Its tags and comments, as far as they were read.
    pub(crate) annotations: Arc<EpisodeAnnotations>,
    /// What asks that leave out parts say of its requests.
    pub(crate) left_out_marks: Arc<Vec<PartMark>>,
    /// What the asks at its steps took, by model, beside what the episode took.
    pub(crate) ask_spending: Arc<Vec<ModelTotals>>,
}

/// A recording that is playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Playback {
    /// The steps left of a count; `None` plays to the end.
    pub(crate) steps_left: Option<u32>,
}

/// What a preview changes in the requests of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview {
    pub(crate) window: Option<Window>,
    pub(crate) prompt: Option<String>,
}

/// Progress of an episode: number of steps, and what it waits for.
type Progress = (usize, Waiting);

impl EpisodeView {
    pub(crate) fn new(snapshot: Arc<Snapshot>, live: bool) -> Self {
        Self {
            snapshot: snapshot.as_shown(),
            unread: None,
            cursor: None,
            live,
            pending_window: None,
            pending_pace: None,
            pending_breakpoints: None,
            remaining_halves: None,
            preview: Preview::default(),
            told_question: None,
            playback: None,
            playback_pace: None,
            annotations: Arc::default(),
            left_out_marks: Arc::default(),
            ask_spending: Arc::default(),
        }
    }

    /// Whether window and prompt can only be previewed: the episode is over, or a recording.
    pub(crate) fn can_preview(&self) -> bool {
        self.is_over() || self.snapshot.run.mode == Mode::Recorded
    }

    /// The tags and comments of the step at this index.
    pub(crate) fn annotations_at(&self, index: usize) -> Option<&StepAnnotations> {
        self.annotations.step(self.snapshot.steps.get(index)?.number)
    }

    /// What is known of leaving a part out of the request of a step.
    pub(crate) fn left_out_mark(&self, step: u32, part: LeftOut) -> Option<&PartMark> {
        self.left_out_marks.iter().find(|mark| (mark.step, mark.part) == (step, part))
    }

    /// The tags and comments of the shown step.
    pub(crate) fn shown_annotations(&self) -> Option<&StepAnnotations> {
        self.annotations_at(self.index())
    }

    /// Whether a preview is shown.
    pub(crate) fn previews(&self) -> bool {
        self.can_preview() && self.preview != Preview::default()
    }

    /// The prompt variant of the next request, or of the preview.
    pub(crate) fn prompt(&self) -> &str {
        let preview = self.preview.prompt.as_deref().filter(|_| self.can_preview());
        preview.unwrap_or(&self.snapshot.prompt)
    }

    /// The name of the branch, such as `b2`; empty for an episode that is none.
    pub(crate) fn branch_name(&self) -> &str {
        let snapshot = &self.snapshot;
        let journal = snapshot.head.parent.as_ref().and(snapshot.journal.as_deref());
        let folder = journal.and_then(|journal| journal.parent()?.file_name()?.to_str());
        folder.unwrap_or_default()
    }

    /// Takes a newer snapshot, which confirms or rejects pending requests.
    pub(crate) fn apply_snapshot(&mut self, snapshot: Arc<Snapshot>) {
        let refused = snapshot.run.error.is_some();
        self.pending_window = self.pending_window.filter(|window| !refused && *window != snapshot.window);
        self.pending_pace = self.pending_pace.filter(|pace| !refused && *pace != snapshot.run.pace);
        self.pending_breakpoints =
            self.pending_breakpoints.take().filter(|breaks| !refused && *breaks != snapshot.run.breakpoints);
        self.snapshot = snapshot.as_shown();
    }

    /// The present progress.
    pub(crate) fn progress(&self) -> Progress {
        (self.snapshot.steps.len(), self.snapshot.run.waiting)
    }

    /// Clears the fault of the session, because another command was sent.
    pub(crate) fn clear_fault(&mut self) {
        if self.snapshot.run.error.is_some() {
            Arc::make_mut(&mut self.snapshot).run.error = None;
        }
    }

    /// The window of the next request; in an episode that takes no more changes, the preview's or that of the shown
    /// step.
    pub(crate) fn window(&self) -> Window {
        if self.can_preview() {
            let shown = self.step().filter(|_| self.looks_back()).map(|step| step.window);
            return self.preview.window.or(shown).unwrap_or(self.snapshot.window);
        }
        self.pending_window.unwrap_or(self.snapshot.window)
    }

    /// The breakpoints as set last.
    pub(crate) fn breakpoints(&self) -> &Breakpoints {
        self.pending_breakpoints.as_ref().unwrap_or(&self.snapshot.run.breakpoints)
    }

    pub(crate) fn pace(&self) -> Duration {
        self.pending_pace.unwrap_or(self.snapshot.run.pace)
    }

    /// Index of the newest step; 0 while there is none.
    pub(crate) fn newest_index(&self) -> usize {
        self.snapshot.steps.len().saturating_sub(1)
    }

    /// Index of the shown step.
    pub(crate) fn index(&self) -> usize {
        self.cursor.map_or(self.newest_index(), |cursor| cursor.min(self.newest_index()))
    }

    pub(crate) fn step(&self) -> Option<&Arc<Step>> {
        self.snapshot.steps.get(self.index())
    }

    pub(crate) fn looks_back(&self) -> bool {
        self.index() < self.newest_index()
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.snapshot.run.waiting, Waiting::Ended(_))
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.snapshot.run.mode, Mode::Running { .. })
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.is_running() || matches!(self.snapshot.run.waiting, Waiting::Reply | Waiting::Environment)
    }

    /// Whether the user at the screen decides.
    pub(crate) fn is_human(&self) -> bool {
        self.live && self.snapshot.run.person
    }

    /// Whether a plan is in progress: then Enter and Space continue it, whoever wrote it.
    pub(crate) fn has_plan(&self) -> bool {
        let global = self.snapshot.head.setting == Setting::Global;
        global && (self.has_action() || self.is_running())
    }

    /// Whether a person is asked whether an action may be carried out.
    pub(crate) fn confirms(&self) -> bool {
        let asked = self.snapshot.run.question.as_ref();
        asked.is_some_and(|asked| matches!(asked.question, PersonQuestion::Confirm(_)))
    }

    /// Whether an action waits to be carried out, or for a person who confirms it.
    pub(crate) fn has_action(&self) -> bool {
        self.snapshot.run.waiting == Waiting::Apply || self.confirms()
    }

    /// Whether the newest step has a reply or an action that can be edited.
    pub(crate) fn has_pending(&self) -> bool {
        let unread = || self.snapshot.steps.last().is_some_and(|step| step.last_reply().is_some());
        let pending = match self.snapshot.run.waiting {
            Waiting::Apply => true,
            Waiting::Ask => unread(),
            Waiting::Opening
            | Waiting::Reply
            | Waiting::Environment
            | Waiting::Look
            | Waiting::Settle
            | Waiting::Verdict
            | Waiting::Ended(_) => false,
            Waiting::Person => self.confirms(),
        };
        self.live && !self.looks_back() && pending
    }

    /// Whether the agent sends requests that can still be changed.
    pub(crate) fn sends_requests(&self) -> bool {
        self.live
            && !self.is_over()
            && self.snapshot.requests.encoder.is_some()
            && self.snapshot.agent().recording.is_none()
    }

    /// Whether this index is the final observation, which has no decision.
    pub(crate) fn is_end(&self, index: usize) -> bool {
        self.is_over()
            && index == self.newest_index()
            && self.snapshot.steps.get(index).is_some_and(|step| !step.is_done())
    }

    /// Why the list of detours may be incomplete.
    pub(crate) fn distance_caveat(&self) -> Option<String> {
        let distances = &self.snapshot.distances;
        match distances.unjudged() {
            _ if distances.is_empty() => Some("no distances are computed here".to_owned()),
            (0, 0) => None,
            (0, unknown) => Some(format!("the distance of {} is unknown", count_of(unknown, "step"))),
            (awaited, _) => Some(format!("the search is not finished for {}", count_of(awaited, "step"))),
        }
    }

    /// Number of the newest step; the final observation does not count.
    pub(crate) fn last_step(&self) -> u32 {
        let newest = self.newest_index();
        let shown = self.snapshot.steps.get(newest).map_or(0, |step| step.number);
        if self.is_end(newest) { shown.saturating_sub(1) } else { shown }
    }

    /// `step 3 of 12`, or a label for the final observation.
    pub(crate) fn step_label(&self) -> String {
        let done = self.snapshot.steps_done();
        match self.step() {
            None => "opening".into(),
            Some(_) if self.is_end(self.index()) => match done {
                0 => "the end, before any step".into(),
                1 => "the end, after 1 step".into(),
                done => format!("the end, after {done} steps"),
            },
            Some(step) => format!("step {} of {}", step.number, self.snapshot.head.max_steps),
        }
    }
}
