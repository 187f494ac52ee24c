//! The object `prompt`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::ROLES;
use crate::records::Record;
use mageyard_config::CatalogEntry;
use mageyard_domain::{EnvironmentSpec, Segment, Setting, SideRole};

/// A prompt variant (`prompts list`, `prompts show`, `prompts import`).
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct PromptRecord {
    /// Name of the environment.
    pub(super) environment: String,
    /// Name.
    pub(super) prompt: String,
    /// Description.
    pub(super) summary: String,
    /// Whether requests contain images.
    pub(super) images: bool,
    /// Role of the prompt of side requests; null for a variant.
    pub(super) role: Option<&'static str>,
    /// Path of the file, or `shipped`.
    pub(super) origin: String,
    /// Whether it takes the place of a shipped one of the same name (`list`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) in_place_of_shipped: bool,
    /// Text of the file (`show`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) text: Option<String>,
    /// Reference of the level (`show --level`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) level: Option<String>,
    /// `online` or `global` (`show --level`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) setting: Option<Setting>,
    /// Filled segments by name (`show --level`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub(super) segments: Option<BTreeMap<Segment, String>>,
}

impl PromptRecord {
    /// The prompt of a role.
    pub(super) fn of_role(spec: &dyn EnvironmentSpec, role: SideRole, entry: &CatalogEntry) -> Self {
        Self {
            environment: spec.name().to_owned(),
            prompt: format!("{ROLES}/{role}"),
            summary: role.summary().to_owned(),
            images: role.is_module(),
            role: Some(role.name()),
            origin: super::origin(entry),
            ..Self::default()
        }
    }
}

impl Record for PromptRecord {
    const TYPE: &'static str = "prompt";
}
