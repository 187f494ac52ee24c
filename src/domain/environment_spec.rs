//! The description of an environment: what every environment has, and the optional capabilities.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use thiserror::Error;

use super::{
    ActionSpace, Benchmarks, CheckoutImport, EngineComparison, Environment, FileNotes, Glyph, Level,
    LevelCheck, LevelError, LevelFormat, LevelGenerator, LevelStatistics, Loss, Mistakes, NamedPolicy,
    Observation, ObservationInspector, Policy, ProgramCheck, PublishedErrors, PublishedFigure,
    PublishedScore, Reference, ReplyFormat, Returns, Setting, Solver, StateEditor, TrainingRewards, Window,
};

/// Settings of an environment or agent, by name.
pub type Options = BTreeMap<String, Value>;

/// An invalid setting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {why}")]
pub struct OptionError {
    /// The setting's name.
    pub name: String,
    /// What is wrong, and what is allowed.
    pub why: String,
}

/// A named list of levels that ships with the program.
#[derive(Clone, Copy, Debug)]
pub struct LevelSet {
    /// The name within the environment, such as `mini`.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The text of the level file.
    pub text: &'static str,
}

/// An environment type. The first eight methods are what every environment has; each further one is a capability
/// that an environment offers by implementing it.
pub trait EnvironmentSpec: Send + Sync {
    /// The name in level references, such as `hanoi`.
    fn name(&self) -> &'static str;
    /// A one-line description.
    fn summary(&self) -> &'static str;
    /// The extensions of its level files without the dot, the usual one first.
    fn file_extensions(&self) -> &'static [&'static str];
    /// The shipped level sets, the default first.
    fn level_sets(&self) -> &'static [LevelSet];
    /// Parses a level file. One invalid level makes the file invalid.
    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError>;
    /// Prepares the environment of a level returned by [`EnvironmentSpec::parse_levels`]. Everything random in it
    /// depends on the seed only.
    fn open(&self, level: &Level, options: &Options, seed: u64) -> Result<Box<dyn Environment>, OptionError>;
    /// The reply format, or `None` if the environment does not support this setting.
    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat>;
    /// The score of an episode; `None` if it needs a reference that is unknown.
    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64>;

    /// Every error of a level file, in file order; empty for a file that [`EnvironmentSpec::parse_levels`] accepts.
    fn level_errors(&self, text: &str) -> Vec<LevelError> {
        self.parse_levels(text).err().into_iter().collect()
    }
    /// The titles, authors and comments of a level file.
    fn file_notes(&self, text: &str) -> FileNotes {
        let _ = text;
        FileNotes::default()
    }
    /// The shipped prompt variants as name and file text, the default first. An agent with a model needs one.
    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// The memory window, if requests have no history because the newest observation has what the agent wrote. `None` if
    /// past outputs are sent and the window is a setting.
    fn fixed_window(&self) -> Option<Window> {
        None
    }
    /// Settings whose defaults are others in this environment: names, such as `play.reader`, and values as flags have them.
    fn setting_defaults(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// The setting with a session whose Global episodes Online episodes begin from, such as `start`. Its value is a text.
    fn start_setting(&self) -> Option<&'static str> {
        None
    }
    /// The options of an episode that begins where another one of the same level has ended, from its last observation.
    /// An error is the reason why it cannot.
    fn start_options(&self, last: &Observation) -> Result<Options, String> {
        let _ = last;
        Err("this environment cannot begin where an episode has ended".to_owned())
    }
    /// Whether an Online reply that has an odd number of code fences is continued by one more request.
    fn continues_replies(&self) -> bool {
        false
    }
    /// The allowed actions, if they are the same in every state of every level: then prompts can be shown without
    /// opening a level.
    fn constant_space(&self) -> Option<ActionSpace> {
        None
    }
    /// A legend of the frames painted with these options, as the end of a sentence; may be empty. Prompts insert
    /// it as `{picture}`.
    fn picture_legend(&self, options: &Options) -> &'static str {
        let _ = options;
        ""
    }
    /// What the characters of the text observation mean, for viewers; empty if the text does not begin with a grid
    /// of squares.
    fn glyphs(&self) -> &'static [(char, Glyph)] {
        &[]
    }
    /// Reads views, details of the score and present texts from observations, for people.
    fn inspector(&self) -> Option<&'static dyn ObservationInspector> {
        None
    }
    /// Changes states by hand. Its environments take them with [`Environment::set_state`].
    fn state_editor(&self) -> Option<&'static dyn StateEditor> {
        None
    }
    /// The optimum of a level, or `None` if it is unknown. The search can be slow, visits the same states on every
    /// machine, and ends when `stop` is set.
    fn reference(&self, level: &Level, options: &Options, stop: &AtomicBool) -> Option<Reference> {
        let _ = (level, options, stop);
        None
    }
    /// The optimum published with a level, if its text has one. It never replaces
    /// [`EnvironmentSpec::reference`].
    fn published_reference(&self, level: &Level) -> Option<Reference> {
        let _ = level;
        None
    }
    /// The score of an episode relative to the published optimum.
    fn published_score(&self, level: &Level, returns: Returns) -> Option<PublishedScore> {
        let reference = self.published_reference(level)?;
        self.score(returns, Some(&reference)).map(|score| PublishedScore { reference, score })
    }
    /// Further figures about an episode, beside its score: the names of facts of its last state that are numbers.
    fn metrics(&self) -> &'static [&'static str] {
        &[]
    }
    /// Why the observed state is provably dead (the goal cannot be reached), in a sentence; `None` if there is no
    /// proof. Called only when an episode is evaluated, never for the agent. Successors of a dead state are dead.
    fn dead_state_reason(&self, observation: &Observation) -> Option<String> {
        let _ = observation;
        None
    }
    /// Whether the facts of a state name what failed after the action before it: an array `errors` with `ren` (its result
    /// cannot be shown) or `act` (an interaction with it failed). The step gets these marks.
    fn finds_errors(&self) -> bool {
        false
    }
    /// The parts of the score that can be lost, in the order of a table. The fact `losses` of the last state has the share
    /// of each by its name, from 0 to 1. A state without it has lost everything to the first one: no action was read.
    fn losses(&self) -> &'static [Loss] {
        &[]
    }
    /// Published scores to compare with.
    fn published_figures(&self) -> &'static [PublishedFigure] {
        &[]
    }
    /// Published shares of errors to compare with.
    fn published_errors(&self) -> &'static [PublishedErrors] {
        &[]
    }
    /// The group of a level in its set, such as its size; reports have a score for each group. `None` if it has none.
    fn level_group(&self, level: &Level) -> Option<String> {
        let _ = level;
        None
    }
    /// Whether the score after each step counts, and not only the last one. Reports then have both.
    fn has_score_by_step(&self) -> bool {
        false
    }
    /// The best policy that the environment has, for the agent `oracle`.
    fn oracle(&self) -> Option<Box<dyn Policy>> {
        None
    }
    /// Policies that are played as agents, by name.
    fn policies(&self) -> &'static [NamedPolicy] {
        &[]
    }
    /// Actions of which an episode must have others too: with nothing else, twice or more, it counts as repeating (RA).
    fn one_sided_actions(&self) -> &'static [&'static str] {
        &[]
    }
    /// Actions that are wrong in the ways of this environment, for the agent `faulty`.
    fn mistakes(&self) -> Option<&'static dyn Mistakes> {
        None
    }
    /// The name of the engine that plays with these options, such as `football/lite`, if the environment has several:
    /// results of different engines are never put together.
    fn engine(&self, options: &Options) -> Option<&'static str> {
        let _ = options;
        None
    }
    /// The comparison of its engines.
    fn engine_comparison(&self) -> Option<&dyn EngineComparison> {
        None
    }
    /// Whether reports do not tell episodes apart by a setting: it says where a program of this machine is or how long it
    /// may take, or [`EnvironmentSpec::engine`] says the same.
    fn is_local_setting(&self, name: &str) -> bool {
        let _ = name;
        false
    }
    /// The search for solutions and distances.
    fn solver(&self) -> Option<&dyn Solver> {
        None
    }
    /// The generator of levels.
    fn generator(&self) -> Option<&dyn LevelGenerator> {
        None
    }
    /// The measurements of its speed.
    fn benchmarks(&self) -> Option<&dyn Benchmarks> {
        None
    }
    /// The statistics of its levels.
    fn statistics(&self) -> Option<&dyn LevelStatistics> {
        None
    }
    /// The import of level sets from a checkout of another program.
    fn checkout_import(&self) -> Option<&dyn CheckoutImport> {
        None
    }
    /// The check of levels beyond their text.
    fn level_check(&self) -> Option<&dyn LevelCheck> {
        None
    }
    /// The formats for import and export. The format with the name of the usual file extension is the native
    /// one.
    fn level_formats(&self) -> &'static [LevelFormat] {
        &[]
    }
    /// The conversion of rewards for training, if it is defined.
    fn training_rewards(&self) -> Option<TrainingRewards> {
        None
    }
    /// The checks of programs that it can use.
    fn programs(&self) -> &'static [&'static dyn ProgramCheck] {
        &[]
    }
}
