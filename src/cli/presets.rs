//! `config presets`: presets of model families, the shipped ones and the user's.

use mageyard_lab::model_preset;
use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::context::Context;
use super::records::Record;
use super::user_file::UserFile;
use mageyard_config::{Folders, Problem};
use mageyard_domain::{PresetRow, Presets, sanitize};

impl UserFile for Presets {
    const NAME: &'static str = "presets";
    const EXAMPLE: &'static str = mageyard_config::SHIPPED_PRESETS;
    type Row = PresetRecord;

    fn load(folders: &Folders) -> Result<Self, Problem> {
        mageyard_config::load_presets(folders)
    }

    fn path(folders: &Folders) -> PathBuf {
        folders.models_file()
    }

    fn records(&self) -> Vec<PresetRecord> {
        self.0.iter().map(PresetRecord::from).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let rows = self.0.iter().map(|row| {
            let models = row.models.join(", ");
            let summary = row.preset.summary();
            [&row.preset.name, source(row.own), &models, &summary]
                .map(|cell| sanitize(cell).into_owned())
                .to_vec()
        });
        let titles = ["preset", "source", "models", "request"].map(str::to_owned).to_vec();
        std::iter::once(titles).chain(rows).collect()
    }

    fn remark(&self, context: &Context) -> Result<Option<String>, Problem> {
        let preset = model_preset(&context.lab, &context.config()?)?;
        Ok(preset.map(|preset| format!("in use: {}, {}", preset.name, preset.summary())))
    }

    fn summary(&self) -> String {
        let own = self.0.iter().filter(|row| row.own).count();
        format!("{} presets, {own} of them in the user's file", self.0.len())
    }
}

/// A preset of a model family (`config presets list`), in the order in which they are tried.
#[derive(Serialize, JsonSchema)]
pub(super) struct PresetRecord {
    /// Name, as in `model.preset`.
    name: String,
    /// Names of models; `*` matches any characters.
    models: Vec<String>,
    /// `own` or `shipped`.
    source: &'static str,
    /// Fields of the request that are not sent.
    omit: Vec<String>,
    /// Fields sent under another name.
    rename: BTreeMap<String, String>,
    /// Fields with fixed values.
    set: Map<String, Value>,
    /// Why the family needs it.
    note: String,
}

impl Record for PresetRecord {
    const TYPE: &'static str = "preset";
}

impl From<&PresetRow> for PresetRecord {
    fn from(row: &PresetRow) -> Self {
        Self {
            name: row.preset.name.clone(),
            models: row.models.clone(),
            source: source(row.own),
            omit: row.preset.omit.clone(),
            rename: row.preset.rename.clone(),
            set: row.preset.set.clone(),
            note: row.note.clone(),
        }
    }
}

/// Whose file a preset is from.
fn source(is_own: bool) -> &'static str {
    if is_own { "own" } else { "shipped" }
}
