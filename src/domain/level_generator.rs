//! Generators of levels: named kinds of levels, and candidates that become levels or are rejected.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Level, SearchBudget};

/// The level generator of an environment.
pub trait LevelGenerator: Send + Sync {
    /// What the levels are like, as the end of a sentence: `with rooms like those of …`.
    fn origin(&self) -> &'static str;

    /// What a candidate is called, singular and plural; the singular also names the field of its number in output.
    fn candidate_noun(&self) -> [&'static str; 2] {
        ["candidate", "candidates"]
    }

    /// The named kinds of levels, in the order in which they are generated.
    fn kinds(&self) -> Vec<LevelKind>;

    /// The parameters that describe a kind without a name; each becomes a flag, and all are needed together.
    fn parameters(&self) -> &'static [KindParameter] {
        &[]
    }

    /// The kind with these parameters, all of which have passed [`KindParameter::check`]. An error is the reason.
    fn custom_kind(&self, parameters: &BTreeMap<&'static str, String>) -> Result<LevelKind, String> {
        let _ = parameters;
        Err("there are no levels of other kinds".to_owned())
    }

    /// The named sets of kinds.
    fn presets(&self) -> Vec<LevelPreset> {
        Vec::new()
    }

    /// Why its candidates are rejected, in the order in which they are judged.
    fn rejections(&self) -> &'static [Rejection];

    /// What equal levels have in common; `None` for a level that is not valid.
    fn key(&self, level: &Level) -> Option<LevelKey>;

    /// The name of a level's kind; `None` for a level that is not valid.
    fn kind_of(&self, level: &Level) -> Option<String>;
}

/// A kind of levels.
#[derive(Clone)]
pub struct LevelKind {
    /// The name, with which the titles of its levels begin.
    pub name: String,
    /// The description in a few words.
    pub description: String,
    /// Where its levels come from.
    pub source: Arc<dyn CandidateSource>,
}

/// A parameter of a kind without a name.
#[derive(Clone, Copy)]
pub struct KindParameter {
    /// The name, and that of its flag.
    pub name: &'static str,
    /// The placeholder of its value in help texts, in capitals.
    pub value: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// Checks a value. An error is the reason.
    pub check: fn(&str) -> Result<(), String>,
}

/// A named set with a number of levels of some kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelPreset {
    /// The name.
    pub name: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// The number of levels of each kind, by its name.
    pub counts: Vec<(&'static str, usize)>,
    /// The most actions of a shortest solution, where there are solutions.
    pub max_moves: Option<u32>,
    /// Whether levels of the shipped sets are excluded, as in training data.
    pub excludes_shipped: bool,
}

/// Candidates for the levels of a kind, by number.
pub trait CandidateSource: Send + Sync {
    /// A worker for one thread. A candidate depends only on kind, seed and number, not on the worker.
    fn worker(&self, seed: u64) -> Box<dyn CandidateWorker>;
}

/// Generates candidates, and may reuse memory from one to the next.
pub trait CandidateWorker {
    /// The candidate of this number, with its shortest solution if a budget for the search is given, or why there is
    /// none: one of [`LevelGenerator::rejections`] or [`Rejection::GAVE_UP`].
    fn candidate(&mut self, number: u64, budget: Option<SearchBudget<'_>>) -> Result<Candidate, Rejection>;
}

/// A level to be, or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its number.
    pub number: u64,
    /// Its text.
    pub text: String,
    /// The size of a shortest solution in each objective of the solver, if it was searched; the actions are first.
    pub sizes: Option<Vec<u32>>,
    /// What equal levels have in common.
    pub key: LevelKey,
}

/// A key that exactly the levels share that count as equal, such as a level and its mirror image.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LevelKey(Box<[u8]>);

impl From<Vec<u8>> for LevelKey {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

/// Why a candidate does not become a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The name in JSON output.
    pub name: &'static str,
    /// The title of a column of counts.
    pub title: &'static str,
    /// The description after a number of candidates.
    pub description: &'static str,
}

impl Rejection {
    /// The solver reached its limit.
    pub const GAVE_UP: Self =
        Self { name: "gave_up", title: "gave up", description: "given up by the solver" };
    /// The shortest solution has too many actions.
    pub const LONG: Self = Self { name: "long", title: "too long", description: "too long" };
    /// The shortest solution has too few actions.
    pub const SHORT: Self = Self { name: "short", title: "too short", description: "too short" };
    /// It equals an earlier candidate.
    pub const DUPLICATE: Self =
        Self { name: "twin", title: "duplicates", description: "equal to an earlier one" };
    /// It equals a level to exclude.
    pub const EXCLUDED: Self = Self { name: "excluded", title: "excluded", description: "excluded" };

    /// The reasons that every generator has, in the order in which candidates are judged.
    pub const COMMON: [Self; 5] = [Self::GAVE_UP, Self::LONG, Self::SHORT, Self::DUPLICATE, Self::EXCLUDED];
}
