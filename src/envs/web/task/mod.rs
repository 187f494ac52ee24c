//! Tasks: records of Mind2Web-Live (`WebCanvas`) as their files have them, with optional fields of our own, and the raw export
//! of its recorder. One record is one task, and one task one level.

mod fields;
mod function;
mod properties;
mod read;
mod recorder;
#[cfg(test)]
mod tests;
mod workflow;
mod write;

use std::fmt;

use mageyard_domain::{FieldError, Level};
use serde::{Deserialize, Serialize};

use crate::page::ReferencePath;

pub(crate) use self::fields::Fields;
pub use self::function::{Function, Matching, Target};
pub use self::properties::properties;
pub(crate) use self::read::unknown_fields;
pub(crate) use self::recorder::{is_export, read_export};
pub use self::workflow::{VERBS, WorkflowStep};
pub(crate) use self::write::to_file;

/// A task: what is to be done, and the nodes that show that it was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What the file calls it.
    pub index: TaskIndex,
    /// What is to be done, in words.
    pub text: String,
    /// The number of steps of the person who recorded it, from 1.
    pub reference_length: u32,
    /// What is to be met, in any order; at least one.
    pub nodes: Vec<Node>,
    /// The address that the first tab opens at; `None` for `about:blank`.
    pub start: Option<String>,
    /// The address of the search page, to which the encoded text is appended; `None` for that of the settings.
    pub search: Option<String>,
    /// The recorded steps; empty if there are none.
    pub workflow: Vec<WorkflowStep>,
}

/// What a file calls a task: a number, or a text in older files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TaskIndex {
    /// A number.
    Number(u64),
    /// A text.
    Text(String),
}

impl fmt::Display for TaskIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A key node: a state on the way that every solution passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// How it compares.
    pub function: Function,
    /// What it compares with: a text, CSS, or a rule in prose.
    pub reference: String,
    /// The parameter of the query that is compared; `None` for the whole address.
    pub key: Option<String>,
    /// How the reference of a path is written.
    pub method: PathMethod,
    /// The label of the site where the element is; empty for other targets.
    pub netloc: String,
    /// CSS of the element whose value is compared; `None` for any element.
    pub path: Option<String>,
    /// The address where it was annotated. It is a hint, and never compared.
    pub url: Option<String>,
}

/// How a path is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathMethod {
    /// CSS.
    #[default]
    Selector,
    /// `XPath`.
    XPath,
}

impl PathMethod {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Selector, Self::XPath];

    /// Its name in task files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Selector => "selector",
            Self::XPath => "xpath",
        }
    }
}

impl Task {
    /// The task of a level.
    ///
    /// # Errors
    ///
    /// The text is not a record, or a field of it is wrong.
    pub fn of_level(level: &Level) -> Result<Self, FieldError> {
        let record = serde_json::from_str(level.text());
        Self::read(&record.map_err(|error| FieldError::new("", format!("is not a record: {error}")))?)
    }

    /// The paths of elements that must be looked for when an act chooses an element, each once, with how they are written.
    pub fn paths(&self) -> Vec<(PathMethod, &str)> {
        let mut paths: Vec<(PathMethod, &str)> = Vec::new();
        for node in &self.nodes {
            let path = match node.function.target {
                Target::Path => Some((node.method, node.reference.as_str())),
                _ => node.path.as_deref().map(|path| (PathMethod::Selector, path)),
            };
            paths.extend(path.filter(|path| !paths.contains(path)));
        }
        paths
    }

    /// The same as they are looked for in a page.
    pub fn references(&self) -> Vec<ReferencePath> {
        let reference = |(method, path): (PathMethod, &str)| ReferencePath {
            path: path.to_owned(),
            is_xpath: method == PathMethod::XPath,
        };
        self.paths().into_iter().map(reference).collect()
    }

    /// Whether a judge may be asked about it.
    pub fn has_semantic_nodes(&self) -> bool {
        self.nodes.iter().any(|node| node.function.matching == Matching::Semantic)
    }
}
