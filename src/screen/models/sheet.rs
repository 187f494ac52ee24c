//! The state of the dialog of models.

use crate::requests::{CheckEntry, ModelEntry, ModelTarget, ServerEntry, SuggestedValue};
use mageyard_config::Problem;

/// The longest text of a field in bytes.
const MAX_TEXT: usize = 400;

/// What is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// The base URL of a server.
    Url(String),
    /// The name of a profile for a model of a server.
    Profile { text: String, url: String, model: String },
}

impl Field {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Url(text) | Self::Profile { text, .. } => text,
        }
    }

    pub(super) fn text_mut(&mut self) -> &mut String {
        match self {
            Self::Url(text) | Self::Profile { text, .. } => text,
        }
    }

    /// Adds text without control characters.
    pub(super) fn insert(&mut self, added: &str) {
        let added: String = added.chars().filter(|letter| !letter.is_control()).collect();
        let text = self.text_mut();
        if text.len() + added.len() <= MAX_TEXT {
            text.push_str(&added);
        }
    }
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ModelRow {
    Named(ModelEntry),
    /// A model of a server that was asked.
    Served {
        url: String,
        program: String,
        model: String,
    },
    /// A server that lists no models, and why.
    Silent {
        url: String,
        why: String,
    },
}

impl ModelRow {
    pub(super) fn target(&self) -> Option<ModelTarget> {
        match self {
            Self::Named(entry) => Some(ModelTarget::Named(entry.name.clone())),
            Self::Served { url, model, .. } => {
                Some(ModelTarget::Served { url: url.clone(), model: model.clone() })
            }
            Self::Silent { .. } => None,
        }
    }
}

/// The state of the dialog.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelSheet {
    /// Those that can be chosen by name; `None` while they are read.
    pub(super) models: Option<Result<Vec<ModelEntry>, Problem>>,
    pub(super) servers: Vec<ServerEntry>,
    /// Whether servers are being asked.
    pub(super) is_finding: bool,
    pub(super) selected: usize,
    pub(super) field: Option<Field>,
    /// What was checked last, and the results by now.
    pub(super) checked: Option<ModelTarget>,
    pub(super) checks: Vec<CheckEntry>,
    pub(super) is_checking: bool,
    /// The profile that is used once it is listed.
    pub(super) wanted: Option<String>,
    /// What went wrong last, or what was found.
    pub(super) said: Option<String>,
}

impl ModelSheet {
    pub(super) fn rows(&self) -> Vec<ModelRow> {
        let named = self.models.iter().flatten().flatten().cloned().map(ModelRow::Named);
        let served = self.servers.iter().flat_map(|server| {
            let ServerEntry { url, program, models } = server.clone();
            match models {
                Ok(all) => all
                    .into_iter()
                    .map(|model| ModelRow::Served { url: url.clone(), program: program.clone(), model })
                    .collect(),
                Err(why) => vec![ModelRow::Silent { url, why }],
            }
        });
        named.chain(served).collect()
    }

    pub(super) fn selected_row(&self) -> Option<ModelRow> {
        let mut rows = self.rows();
        let at = self.selected.min(rows.len().checked_sub(1)?);
        Some(rows.swap_remove(at))
    }

    pub(super) fn select_by(&mut self, by: isize) {
        let last = self.rows().len().saturating_sub(1);
        self.selected = self.selected.min(last).saturating_add_signed(by).min(last);
    }

    /// Whether letters are text.
    pub(crate) fn is_typing(&self) -> bool {
        self.field.is_some()
    }

    /// Whether something is being asked, so that a script waits.
    pub(crate) fn is_waiting(&self) -> bool {
        self.models.is_none() || self.is_finding || self.is_checking || self.wanted.is_some()
    }

    /// Takes servers that were asked, and selects the first of them; one that was asked before is replaced.
    pub(super) fn add_servers(&mut self, found: Vec<ServerEntry>) {
        self.servers.retain(|known| found.iter().all(|server| server.url != known.url));
        self.selected = self.rows().len();
        self.servers.extend(found);
    }

    /// The settings that checks of the selected model suggest, the first of each name.
    pub(super) fn suggested(&self) -> Vec<&SuggestedValue> {
        let target = self.selected_row().and_then(|row| row.target());
        let checks = self.checks.iter().filter(|_| self.checked.is_some() && self.checked == target);
        let mut found: Vec<&SuggestedValue> = Vec::new();
        for setting in checks.filter_map(|check| check.setting.as_ref()) {
            if found.iter().all(|known| known.name != setting.name) {
                found.push(setting);
            }
        }
        found
    }

    /// Takes the result of a check.
    pub(super) fn add_check(&mut self, check: CheckEntry) {
        match self.checks.iter_mut().find(|known| known.name == check.name) {
            Some(known) => *known = check,
            None => self.checks.push(check),
        }
    }
}

/// A name for a profile, from that of a model: its last part, with letters, digits, `-` and `_`.
pub(super) fn suggested_name(model: &str) -> String {
    let last = model.rsplit('/').next().unwrap_or(model);
    let name: String =
        last.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    name.trim_matches('-').to_lowercase()
}
