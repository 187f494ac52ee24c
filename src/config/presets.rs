//! The presets of model families: the shipped ones and those of the user's file, which are tried first.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

use super::folders::Folders;
use super::problem::Problem;
use super::source_file::{SMALL_FILE_LIMIT, SourceFile};
use mageyard_domain::{Preset, PresetRow, Presets};

/// The shipped presets.
pub const SHIPPED_PRESETS: &str = include_str!("../../models.toml");

/// Fields of a request that have settings of their own, or that the program itself writes.
const RESERVED: [&str; 7] = ["messages", "input", "system", "instructions", "model", "stream", "n"];

/// The presets of the user's file, then the shipped ones that it does not replace.
pub fn load_presets(folders: &Folders) -> Result<Presets, Problem> {
    let own = SourceFile::read_if_exists(folders.models_file(), SMALL_FILE_LIMIT)?;
    let mut rows = own.map(|sheet| parse(&sheet, true)).transpose()?.unwrap_or_default();
    let shipped = parse(&SourceFile::shipped("models.toml", SHIPPED_PRESETS), false)?;
    let replaced = |row: &PresetRow| rows.iter().any(|own| own.preset.name == row.preset.name);
    let shipped: Vec<_> = shipped.into_iter().filter(|row| !replaced(row)).collect();
    rows.extend(shipped);
    Ok(Presets(rows))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetFile {
    #[serde(default)]
    presets: BTreeMap<Spanned<String>, WrittenPreset>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPreset {
    models: Vec<String>,
    #[serde(default)]
    note: String,
    #[serde(default)]
    omit: Vec<String>,
    #[serde(default)]
    rename: BTreeMap<String, String>,
    #[serde(default)]
    set: Map<String, Value>,
}

/// The presets of a file in their order.
fn parse(sheet: &SourceFile, own: bool) -> Result<Vec<PresetRow>, Problem> {
    let file: PresetFile = toml::from_str(&sheet.text).map_err(|error| sheet.toml_problem(&error))?;
    let mut written: Vec<_> = file.presets.into_iter().collect();
    written.sort_by_key(|(name, _)| name.span().start);
    written.into_iter().map(|(name, preset)| row(sheet, &name, preset, own)).collect()
}

fn row(
    sheet: &SourceFile,
    name: &Spanned<String>,
    written: WrittenPreset,
    own: bool,
) -> Result<PresetRow, Problem> {
    let at = |what: String| sheet.problem_at(format!("presets.{}: {what}", name.get_ref()), name.span());
    if matches!(name.get_ref().as_str(), "auto" | "none") {
        return Err(at("this name has a meaning in model.preset".to_owned()).with_help("choose another name"));
    }
    let WrittenPreset { models, note, omit, rename, set } = written;
    let fields = omit.iter().chain(rename.keys()).chain(rename.values()).chain(set.keys());
    if let Some(field) = fields.into_iter().find(|field| RESERVED.contains(&field.as_str())) {
        return Err(at(format!("a preset cannot change the field {field}")));
    }
    let preset = Preset { name: name.get_ref().clone(), omit, rename, set, kept: Vec::new() };
    Ok(PresetRow { preset, models, note, own })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_file(text: &str) -> Result<Presets, String> {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        std::fs::create_dir_all(&folders.config).unwrap();
        std::fs::write(folders.models_file(), text).unwrap();
        load_presets(&folders).map_err(|problem| problem.to_string())
    }

    fn preset_of<'a>(presets: &'a Presets, model: &str) -> Option<&'a str> {
        presets.for_model(model).map(|row| row.preset.name.as_str())
    }

    #[test]
    fn shipped_families_are_found_by_their_names() {
        let presets = with_file("").unwrap();
        for (model, expected) in [
            ("o3-mini", Some("openai-reasoning")),
            ("openai/gpt-5.1", Some("openai-reasoning")),
            ("gpt-5-chat-latest", Some("openai-chat")),
            ("gpt-4o", None),
            ("anthropic/claude-3.5-sonnet", Some("claude-3")),
            ("claude-opus-4-1", Some("claude")),
            ("qwen2.5-vl", None),
            ("", None),
        ] {
            assert_eq!(preset_of(&presets, model), expected, "{model}");
        }
    }

    #[test]
    fn own_presets_come_first_and_replace_those_of_the_same_name() {
        let own =
            "[presets.mine]\nmodels = [\"gpt-5-local\"]\nset = { seed = 7 }\n[presets.gemini]\nmodels = []\n";
        let presets = with_file(own).unwrap();
        assert_eq!(preset_of(&presets, "gpt-5-local"), Some("mine"));
        assert_eq!(preset_of(&presets, "gemini-2.5-pro"), None);
        assert_eq!(presets.0.iter().filter(|row| row.own).count(), 2);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, says) in [
            ("[presets.a]\nomit = []", "models.toml:1: missing field `models`"),
            ("[presets.a]\nmodels = []\nomits = []", "models.toml:3: unknown field `omits`"),
            (
                "\n[presets.a]\nmodels = []\nomit = [\"messages\"]",
                "models.toml:2: presets.a: a preset cannot change",
            ),
            ("[presets.none]\nmodels = []", "models.toml:1: presets.none: this name has a meaning"),
        ] {
            let error = with_file(text).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
