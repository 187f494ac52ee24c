//! What the request of a variant has beside its prompt, window and model: another view, keep rules, help, or a question.

use std::fmt;

use serde::{Deserialize, Serialize};

use mageyard_dialog::Keep;
use mageyard_domain::Probe;

/// Help that is added to a request, to find out what the model lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aid {
    /// The whole state in words.
    Words,
    /// The next part of a right plan.
    Plan,
}

impl Aid {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Plan => "plan",
        }
    }
}

impl fmt::Display for Aid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Words => "the state in words",
            Self::Plan => "a hint of the plan",
        })
    }
}

/// What is changed of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// The view in which all states are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// The keep rules of the memory window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// The help that is added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aid: Option<Aid>,
    /// What is asked about the state instead of an action: a request of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
}

impl Changes {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Such as `view text, keep first, with the state in words`.
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keep = self.keep.map(|keep| match keep.to_string() {
            text if text.is_empty() => "keep none".to_owned(),
            text => format!("keep {text}"),
        });
        let words = [
            self.view.as_ref().map(|view| format!("view {view}")),
            keep,
            self.aid.map(|aid| format!("with {aid}")),
            self.probe
                .as_ref()
                .map(|probe| format!("question {} {}", probe.kind, probe.about).trim_end().to_owned()),
        ];
        f.pad(&words.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
