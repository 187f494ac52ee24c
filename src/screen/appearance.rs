//! Theme, keys and settings of the screen, and the trait by which the screen calls the program that
//! started it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::asking::{AskAnswer, AskOrder};
use super::keymap::Keymap;
use super::recorded_episodes::{EpisodeOutline, RecordedEpisodes};
use super::suites::{SuiteAnswer, SuiteOrder};
use mageyard_config::{LinkSetting, PictureForm, Problem};
use mageyard_dialog::Prompt;
use mageyard_domain::{Digest, Prices, RequestReader};
use mageyard_engine::{Annotation, Breakpoints, Ending, EpisodeAnnotations, Head, Session, Snapshot, Step};
use mageyard_terminal::{
    ColorDepth, CopyRoute, KnownTerminal, OutsideTerminal, Proportions, Surroundings, Theme,
};

/// Theme, keys and settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Appearance {
    /// The theme as written; the screen adapts it to the colors of the terminal.
    pub theme: Theme,
    /// The keys.
    pub keys: Keymap,
    /// All other settings.
    pub settings: DisplaySettings,
    /// Prices of models.
    pub prices: Prices,
}

/// Settings of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplaySettings {
    /// Colors of the terminal: by its variables, and on the screen by its answers.
    pub depth: ColorDepth,
    /// Initial view of the frame.
    pub view: FrameView,
    /// The form of pictures; `None` for the best that the terminal has.
    pub pictures: Option<PictureForm>,
    /// How fast the link to the terminal is.
    pub link: LinkSetting,
    /// Whether the terminal is on another machine, as over SSH.
    pub remote: bool,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// The sizes of the panes.
    pub layout: Proportions,
    /// The way from a copied text to the person.
    pub copy_route: CopyRoute,
    /// Whether the screen is written line by line, without cursor movement.
    pub linear: bool,
    /// How much moves on the screen.
    pub motion: Motion,
    /// Delay between two steps of a run.
    pub pace: Duration,
    /// The columns and rows of a terminal that does not say them.
    pub assumed_size: (u16, u16),
    /// Whether the terminal belongs to tmux.
    pub tmux: bool,
    /// Whether tmux hands sequences on to the terminal outside of it.
    pub passthrough: bool,
    /// The terminal outside of tmux, as tmux knows it.
    pub outside: OutsideTerminal,
    /// The terminal as its variables name it.
    pub known: Option<KnownTerminal>,
    /// Whether the terminal may be asked what it can do.
    pub can_ask: bool,
    /// Whether it is the console of Linux, whose fonts have few characters.
    pub console: bool,
}

impl DisplaySettings {
    /// What is known of the terminal without asking it.
    pub fn surroundings(&self) -> Surroundings {
        let Self { depth, known, tmux, passthrough, outside, remote, can_ask, console, .. } = *self;
        Surroundings { tmux, passthrough, outside, depth, known, remote, can_ask, console }
    }
}

/// How much moves on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Films play, seconds are counted, and replies are shown as they arrive.
    Full,
    /// No films, no counted seconds, and a reply that arrives is redrawn at most once a second.
    Reduced,
}

/// How the frame is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameView {
    /// As a picture where it is legible, otherwise as text.
    Auto,
    /// As a picture.
    Picture,
    /// As text.
    Text,
}

/// A prompt variant that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedPrompt {
    /// The prompt as parsed.
    pub prompt: Prompt,
    /// The file it was written to.
    pub path: PathBuf,
}

/// A recorded session in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    /// Its name, which is the name of its folder.
    pub name: String,
    /// Number of episodes.
    pub episodes: usize,
    /// Levels, agent and settings in one line.
    pub summary: String,
}

/// An event that the host reports while the screen runs.
#[derive(Debug)]
pub enum HostEvent {
    /// The recorded sessions, newest first, in answer to [`Host::list_sessions`].
    Sessions(Result<Vec<SessionSummary>, Problem>),
    /// The episodes of a session, in answer to [`Host::open_recorded`], or one of them, in answer to
    /// [`Host::open_journal`].
    Recorded(Result<RecordedEpisodes, Problem>),
    /// What lists show of episodes that were not read, by their numbers, in answer to [`Host::outline`].
    Outlined(Vec<(usize, Option<EpisodeOutline>)>),
    /// The recording of the tutor, in answer to [`Host::open_tutorial`].
    Tutorial(Result<Session, Problem>),
    /// The next episode of the followed session has started.
    EpisodeStarted(Session),
    /// The branches of an episode, the episode itself first, in answer to [`Host::list_branches`].
    Branches(Result<Vec<BranchRow>, Problem>),
    /// What a branch would be, as lines, in answer to [`Host::fork`]: with the changes that were asked about.
    ForkPlanned(String, Result<Vec<String>, Problem>),
    /// What the oracle would have done in this state, or why it has no opinion, in answer to [`Host::ask_oracle`].
    OracleSaid(Digest, Result<String, String>),
    /// Breakpoints that were read, with their text, in answer to [`Host::read_breakpoints`].
    BreakpointsRead(String, Result<Breakpoints, Problem>),
    /// A live episode, in answer to [`Host::fork`] or [`Host::continue_journal`].
    Continued(Result<Session, Problem>),
    /// A recording to compare with, in answer to [`Host::load_recording`].
    Loaded(WantedRecording, Result<LoadedRecording, Problem>),
    /// What the search with this number, which [`Host::find`] started, has found.
    Found(u64, FindProgress),
    /// An answer to [`Host::ask`].
    Asked(AskAnswer),
    /// An answer to [`Host::order_suite`].
    Suite(SuiteAnswer),
    /// The tags and comments of the episode of this journal, after [`Host::watch_annotations`]: at first and when they
    /// change.
    Annotations(PathBuf, Result<EpisodeAnnotations, Problem>),
}

/// A branch that a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForkOrder {
    /// The journal of the parent.
    pub journal: PathBuf,
    /// The step that the branch begins with, from 1.
    pub step: u32,
    /// What changes, such as `prompt=HD-CoT am=1 hint mind the corner why it forgets`.
    pub changes: String,
    /// The state of the environment that it begins with instead of that of the step, in its notation.
    pub state: Option<String>,
    /// Whether it is made; otherwise only what it would be is said.
    pub is_made: bool,
}

/// A recording to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedRecording {
    /// The one that this reference names, such as `last#b1` or `last#3`.
    Reference(String),
    /// The episode or branch of this journal.
    Journal(PathBuf),
    /// The parent of the branch of this journal, or of an episode its first branch.
    RelatedTo(PathBuf),
}

/// A recording that was read to be compared with.
#[derive(Clone, Debug)]
pub struct LoadedRecording {
    /// Its reference, without a step.
    pub name: String,
    /// The step that was named, from 1.
    pub step: Option<u32>,
    /// The episode.
    pub snapshot: Arc<Snapshot>,
}

/// What a search of everything stored has found, in parts.
#[derive(Clone, Debug, PartialEq)]
pub enum FindProgress {
    /// The steps of one more episode.
    Steps(Vec<FoundRow>),
    /// Why an episode, or steps of it, could not be judged.
    Unknown(String),
    /// It is over, or was refused.
    Ended(Result<(), Problem>),
}

/// A step that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRow {
    /// The journal of its episode.
    pub journal: PathBuf,
    /// Its number, from 1.
    pub step: u32,
    /// Its reference, as verbs take it.
    pub run: String,
    /// Its action, marks, and what makes the condition true.
    pub facts: String,
}

/// A tag or a comment that a person adds or removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationOrder {
    /// The journal of the episode.
    pub journal: PathBuf,
    /// The step, from 1.
    pub step: u32,
    /// The tag or the comment.
    pub annotation: Annotation,
    /// Whether it is removed.
    pub is_removed: bool,
}

/// The annotations of an episode after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// Whether something has changed; otherwise it was there, or there was nothing to remove.
    pub has_changed: bool,
    /// The tags and comments now.
    pub annotations: EpisodeAnnotations,
}

/// An episode or a branch of it, as the tree of branches shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchRow {
    /// Its journal.
    pub journal: PathBuf,
    /// How many ancestors it has.
    pub depth: usize,
    /// Its name, and where it leaves its parent.
    pub name: String,
    /// The rewards of its own steps, in order.
    pub rewards: Vec<f64>,
    /// Why it is over; `None` if it can be continued.
    pub ending: Option<Ending>,
    /// What it changed, why it was made, and where it met another one.
    pub notes: Vec<String>,
}

/// What the screen needs from the program that started it.
pub trait Host {
    /// Starts a session on a level.
    fn open(&mut self, reference: &str) -> Result<Session, Problem>;
    /// Starts to list the recorded sessions; the answer is [`HostEvent::Sessions`].
    fn list_sessions(&mut self);
    /// Starts to read what lists show of the episodes of these journals, which have these numbers; the answers are
    /// [`HostEvent::Outlined`]. One that cannot be read has none.
    fn outline(&mut self, journals: Vec<(usize, PathBuf)>);

    /// Starts to open the recorded session of this name; the answer is [`HostEvent::Recorded`].
    fn open_recorded(&mut self, name: &str);
    /// Starts to open the recording of the tutor; the answer is [`HostEvent::Tutorial`].
    fn open_tutorial(&mut self);
    /// Starts to list the branches of the episode of this journal; the answer is [`HostEvent::Branches`].
    fn list_branches(&mut self, journal: &Path);
    /// Starts to plan or to make a branch; the answer is [`HostEvent::ForkPlanned`] or [`HostEvent::Continued`].
    fn fork(&mut self, order: ForkOrder);
    /// Starts to find out what the oracle of an environment would have done at a step that was taken; the answer is
    /// [`HostEvent::OracleSaid`].
    fn ask_oracle(&mut self, environment: &str, step: Arc<Step>);
    /// Starts to read breakpoints with what they need to know; the answer is [`HostEvent::BreakpointsRead`].
    fn read_breakpoints(&mut self, text: &str);
    /// Starts to open the recording of this journal; the answer is [`HostEvent::Recorded`].
    fn open_journal(&mut self, journal: &Path);
    /// Starts to continue the unfinished episode of this journal; the answer is [`HostEvent::Continued`].
    fn continue_journal(&mut self, journal: &Path);
    /// Starts to read a recording to compare with; the answer is [`HostEvent::Loaded`].
    fn load_recording(&mut self, wanted: WantedRecording);
    /// Starts to find the steps of everything stored that meet this condition, in place of the search before; the answers
    /// are [`HostEvent::Found`] with this number.
    fn find(&mut self, number: u64, condition: &str);
    /// Starts to compare the repeats in the session of this journal; the answers are [`HostEvent::Found`] with this number,
    /// a row for each repeat with what it did where they part.
    fn find_partings(&mut self, number: u64, journal: &Path);
    /// Ends the search in progress.
    fn stop_finding(&mut self);
    /// Plans, makes, stops or reads an ask; the answers are [`HostEvent::Asked`].
    fn ask(&mut self, order: AskOrder);
    /// Lists suites, adds to one, or plans, makes, stops or reads an ask about one; the answers are [`HostEvent::Suite`].
    fn order_suite(&mut self, order: SuiteOrder);
    /// Starts to read the tags and comments of the episode of this journal, and reads them again when they change; the
    /// answers are [`HostEvent::Annotations`].
    fn watch_annotations(&mut self, journal: &Path);
    /// Adds or removes a tag or a comment.
    fn annotate(&mut self, order: &AnnotationOrder) -> Result<Annotated, Problem>;
    /// Starts a new session with the level, settings and seed of this head.
    fn restart(&mut self, head: &Head) -> Result<Session, Problem>;
    /// All levels, for completion.
    fn levels(&self) -> Vec<String>;
    /// All themes, for completion.
    fn themes(&self) -> Vec<String>;
    /// Loads a theme by name.
    fn theme(&mut self, name: &str) -> Result<Theme, Problem>;
    /// The text of a prompt variant under a new name.
    fn new_prompt_text(&mut self, environment: &str, from: &str) -> Result<String, Problem>;
    /// Saves a text as a prompt variant of the user. An invalid text, or one that would replace another
    /// variant, is an error and is not written.
    fn save_prompt(&mut self, environment: &str, text: &str) -> Result<SavedPrompt, Problem>;
    /// Reads recorded requests.
    fn request_reader(&self) -> &'static dyn RequestReader;
    /// The command of the user's editor.
    fn editor(&self) -> Option<String>;
    /// Reads the files again after a change.
    fn reload(&mut self) -> Result<Appearance, Problem>;
}
