//! The objects of `levels` that several of its verbs print.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::records::Record;
use mageyard_domain::Reference;
use mageyard_lab::LevelName;

/// A level (`levels list`, `show`, `generate`, `import`).
///
/// `generate` adds the size of a shortest solution in each objective, and the number of the candidate.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct LevelRecord<'a> {
    /// Reference of the level (`list`, `show`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) reference: Option<&'a str>,
    /// Title of the level, or its number.
    #[schemars(with = "LevelName")]
    pub(super) level: Value,
    /// What the level needs of the machine, such as a program, a phrase each (`list`).
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(super) needs: &'a [String],
    /// Number of the level in the result (`import`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub(super) number: Option<usize>,
    /// The level (`show`, `generate`, `import`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) text: Option<&'a str>,
    /// Name of the format (`import`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) format: Option<&'a str>,
    /// Path of the file (`import`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) file: Option<&'a str>,
    /// Comments and author of the level (`show`, `import`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub(super) notes: Option<&'a [String]>,
    /// Title, author and comments of the file (`show`, `import`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub(super) collection: Option<&'a [String]>,
    /// Published optimum (`show`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "OptimumRecord")]
    pub(super) published: Option<OptimumRecord>,
    /// True optimum (`show`, a single level with a published one).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "OptimumRecord")]
    pub(super) optimum: Option<OptimumRecord>,
    #[serde(flatten)]
    pub(super) candidate: Map<String, Value>,
}

impl Record for LevelRecord<'_> {
    const TYPE: &'static str = "level";
}

/// The optimum of a level.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "optimum")]
pub(crate) struct OptimumRecord {
    /// Highest possible sum of rewards.
    best: f64,
    /// Length of a shortest solution.
    steps: u32,
}

impl From<Reference> for OptimumRecord {
    fn from(Reference { best, steps }: Reference) -> Self {
        Self { best, steps }
    }
}

/// A level set (`levels list`, `levels import magebench`).
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct SetRecord<'a> {
    /// Reference of the set.
    pub(super) reference: String,
    /// Number of levels.
    pub(super) levels: usize,
    /// Description (`list`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) summary: Option<String>,
    /// How a built-in set relates to the levels of the paper (`list`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) paper: Option<&'static str>,
    /// Title in the file (`list`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) title: Option<String>,
    /// Path of the file (`list`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) origin: Option<String>,
    /// Path of the written file (`import`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) out: Option<&'a Path>,
}

impl Record for SetRecord<'_> {
    const TYPE: &'static str = "set";
}
