//! `config models`: presets of model families, the shipped ones and the user's.

use mageyard_lab::model_preset;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::context::Context;
use super::user_file::UserFile;
use mageyard_config::{Folders, Problem};
use mageyard_domain::{PresetRow, Presets, sanitize};

impl UserFile for Presets {
    const NAME: &'static str = "presets";
    const EXAMPLE: &'static str = mageyard_config::SHIPPED_PRESETS;
    const OBJECT: &'static str = "preset";

    fn load(folders: &Folders) -> Result<Self, Problem> {
        mageyard_config::load_presets(folders)
    }

    fn path(folders: &Folders) -> PathBuf {
        folders.models_file()
    }

    fn objects(&self) -> Vec<Value> {
        let object = |row: &PresetRow| {
            json!({
                "name": row.preset.name, "models": row.models, "source": source(row.own), "omit": row.preset.omit,
                "rename": row.preset.rename, "set": row.preset.set, "note": row.note,
            })
        };
        self.0.iter().map(object).collect()
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

/// Whose file a preset is from.
fn source(is_own: bool) -> &'static str {
    if is_own { "own" } else { "shipped" }
}
