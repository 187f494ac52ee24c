//! Requests about sweeps: orders for the workers of one, and the form that builds a new one.

use std::path::PathBuf;

use mageyard_config::Problem;

/// What all workers of a sweep are ordered to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepOrder {
    /// Start no more episodes; of a sweep that is paused or cancelled, start them again.
    PauseOrResume,
    /// Finish the steps that are running, and end.
    Cancel,
    /// Queue the cells again that have failed or are parked.
    Requeue,
}

/// What a person selects for a new sweep. Empty lists leave a setting at its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepSelection {
    /// The name, which is that of the file.
    pub name: String,
    /// References of levels.
    pub levels: Vec<String>,
    /// Models or profiles, by name.
    pub models: Vec<String>,
    /// Agents that ask no model.
    pub baselines: Vec<String>,
    /// Prompt variants.
    pub prompts: Vec<String>,
    /// AM, as numbers and ranges such as `1, 5` or `1..3`.
    pub am: String,
    /// OM, in the same way.
    pub om: String,
    /// `online`, `global` or both.
    pub settings: Vec<String>,
    /// Episodes for each level and cell, as a number.
    pub repeats: String,
}

/// What the form of a sweep wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuilderOrder {
    /// List what can be selected; the answer is [`BuilderAnswer::Offered`].
    Offer,
    /// Plan a selection with this number, in place of the one before; the answers are [`BuilderAnswer::Planned`], first without
    /// what the cells need.
    Plan(u64, Box<SweepSelection>),
    /// Write the file; the answer is [`BuilderAnswer::Saved`].
    Save {
        /// What is written.
        selection: Box<SweepSelection>,
        /// Whether a file of that name is replaced; otherwise it is kept.
        replaces: bool,
    },
    /// Stop planning.
    Close,
}

/// What can be selected for a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepOffers {
    /// Level sets, then levels, by their references.
    pub levels: Vec<String>,
    /// Models and profiles.
    pub models: Vec<String>,
    /// Agents that ask no model.
    pub baselines: Vec<String>,
    /// Prompt variants: the environment, and the name.
    pub prompts: Vec<(String, String)>,
}

/// The plan of a selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedSelection {
    /// The text of the file.
    pub text: String,
    /// Cells, episodes and those struck out, then what they need, a line each.
    pub summary: Vec<String>,
    /// What differs between cells, a line each.
    pub cells: Vec<String>,
    /// What is struck out, each with the reason.
    pub struck: Vec<String>,
    /// Whether the summary says what the cells need.
    pub is_complete: bool,
}

/// What the form of a sweep is answered.
#[derive(Clone, Debug)]
pub enum BuilderAnswer {
    /// What can be selected.
    Offered(Result<SweepOffers, Problem>),
    /// The plan of the selection with this number.
    Planned(u64, Result<PlannedSelection, Problem>),
    /// The file was written, with its name; `None` if there is one already that was kept.
    Saved(String, Result<Option<PathBuf>, Problem>),
}
