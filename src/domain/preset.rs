//! Presets of model families: which fields of a request a family refuses or names otherwise.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Changes to the fields of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preset {
    /// Its name.
    pub name: String,
    /// Fields that are not sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omit: Vec<String>,
    /// Fields that are sent under another name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rename: BTreeMap<String, String>,
    /// Fields with fixed values.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// Settings that the preset would omit or replace, but that are given explicitly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
}

impl Preset {
    /// The preset without the fields of explicitly given settings.
    #[must_use]
    pub fn keeping(mut self, given: &[&str]) -> Self {
        let is_given = |name: &str| given.contains(&name);
        let fields = self.omit.iter().chain(self.set.keys());
        self.kept = fields.filter(|name| is_given(name)).cloned().collect();
        self.omit.retain(|name| !is_given(name));
        self.set.retain(|name, _| !is_given(name));
        self
    }

    /// Changes the fields of a body.
    pub fn apply(&self, body: &mut Map<String, Value>) {
        for name in &self.omit {
            body.shift_remove(name);
        }
        for (name, other) in &self.rename {
            if let Some(value) = body.shift_remove(name) {
                body.insert(other.clone(), value);
            }
        }
        body.extend(self.set.clone());
    }

    /// What it does in words, such as `omits temperature; sends max_tokens as max_completion_tokens`.
    pub fn summary(&self) -> String {
        let renamed = self.rename.iter().map(|(name, other)| format!("sends {name} as {other}"));
        let set = self.set.iter().map(|(name, value)| format!("sets {name} to {value}"));
        let omitted = (!self.omit.is_empty()).then(|| format!("omits {}", self.omit.join(", ")));
        let kept = (!self.kept.is_empty())
            .then(|| format!("keeps {}, which your settings give", self.kept.join(", ")));
        let words: Vec<String> = omitted.into_iter().chain(renamed).chain(set).chain(kept).collect();
        if words.is_empty() { "changes nothing".to_owned() } else { words.join("; ") }
    }
}

/// A preset and the models that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetRow {
    /// The preset.
    pub preset: Preset,
    /// The names of models, in which `*` matches any characters.
    pub models: Vec<String>,
    /// Why the family needs it.
    pub note: String,
    /// Whether it is from the user's file.
    pub own: bool,
}

/// All presets in the order in which they are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presets(pub Vec<PresetRow>);

impl Presets {
    /// The preset of this name.
    pub fn named(&self, name: &str) -> Option<&PresetRow> {
        self.0.iter().find(|row| row.preset.name == name)
    }

    /// The first preset for this model.
    pub fn for_model(&self, model: &str) -> Option<&PresetRow> {
        self.0.iter().find(|row| row.models.iter().any(|pattern| matches(pattern, model)))
    }
}

/// Whether a pattern fits the name of a model, or the name without its folder.
fn matches(pattern: &str, model: &str) -> bool {
    let pattern = pattern.to_lowercase();
    let model = model.to_lowercase();
    let bare = model.rsplit('/').next().unwrap_or_default();
    fits(&pattern, &model) || fits(&pattern, bare)
}

fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let end = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some(at) = name.find(piece) else { return false };
        name = &name[at + piece.len()..];
    }
    name.ends_with(end)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patterns_fit_names_with_and_without_a_folder() {
        for (pattern, name, expected) in [
            ("gpt-5*", "gpt-5", true),
            ("gpt-5*", "openai/GPT-5-mini", true),
            ("openai/gpt-5*", "openai/gpt-5", true),
            ("o1", "o1", true),
            ("o1", "o1-mini", false),
            ("*-think*ing", "qwen-thinking", true),
            ("*-thinking", "qwen-thinking-2", false),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_preset_changes_fields_except_those_that_are_given() {
        let preset = Preset {
            name: "p".into(),
            omit: vec!["top_p".into(), "temperature".into()],
            rename: [("max_tokens".to_owned(), "max_completion_tokens".to_owned())].into(),
            set: json!({"seed": 1}).as_object().unwrap().clone(),
            kept: vec![],
        };
        let preset = preset.keeping(&["temperature", "timeout"]);
        let body = json!({"model": "m", "temperature": 0.5, "top_p": 1, "max_tokens": 9});
        let mut body = body.as_object().unwrap().clone();
        preset.apply(&mut body);
        let expected = json!({"model": "m", "temperature": 0.5, "max_completion_tokens": 9, "seed": 1});
        assert_eq!(Value::from(body), expected);
        assert_eq!(
            preset.summary(),
            "omits top_p; sends max_tokens as max_completion_tokens; sets seed to 1; keeps temperature, which your settings give"
        );
    }
}
