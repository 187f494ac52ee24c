//! Writes a suite file for people.

use std::fmt::Write;

use serde_json::Value;

use super::file::{SCHEMA, Suite, SuiteLevel, SuiteState};
use mageyard_config::{AssignedSetting, SourceFile};

/// The longest line of a list, in characters.
const WIDTH: usize = 110;

impl Suite {
    /// The suite as the file that has it.
    pub fn to_file(&self) -> SourceFile {
        SourceFile { path: self.file.path.clone(), text: self.to_text().into() }
    }

    /// The text of its file.
    pub fn to_text(&self) -> String {
        let mut text =
            format!("# States for `mageyard ask {}`; docs/suites.md describes the fields.\n", self.name);
        line(&mut text, "schema", &SCHEMA.to_string());
        line(&mut text, "name", &quoted(&self.name));
        line(&mut text, "about", &quoted(&self.about));
        line(&mut text, "environment", &quoted(&self.environment));
        if let Some(margin) = &self.margin {
            line(&mut text, "margin", &toml::Value::from(margin.size).to_string());
        }
        if !self.settings.is_empty() {
            text.push_str("\n[settings]\n");
            settings(&mut text, &self.settings, "");
        }
        for one in &self.levels {
            level(&mut text, one);
        }
        for one in &self.states {
            self.state(&mut text, one);
        }
        text
    }

    /// The text of its file as it was read, with the levels and states from these indices on below it.
    pub(super) fn with_states_from(&self, levels: usize, states: usize) -> String {
        let mut text = self.file.text.trim_end().to_owned() + "\n";
        for one in self.levels.iter().skip(levels) {
            level(&mut text, one);
        }
        for one in self.states.iter().skip(states) {
            self.state(&mut text, one);
        }
        text
    }

    fn state(&self, text: &mut String, state: &SuiteState) {
        text.push_str("\n[[state]]\n");
        if let Some(category) = &state.category {
            line(text, "category", &quoted(category));
        }
        line(text, "why", &quoted(&state.why));
        if let Some(address) = &state.address {
            line(text, "address", &quoted(address));
        }
        line(text, "digest", &quoted(&state.digest.to_string()));
        for (name, actions) in [("accept", &state.accept), ("mistake", &state.mistake)] {
            if !actions.is_empty() {
                line(text, name, &list(actions));
            }
        }
        if let Some(taken) = &state.taken {
            line(text, "taken", &quoted(taken));
        }
        line(text, "level", &quoted(self.level(state).map_or("", |level| &level.reference)));
        line(text, "seed", &state.seed.to_string());
        if let Some(actions) = &state.actions {
            line(text, "actions", &list(actions));
        }
        settings(text, &state.settings, "settings.");
    }
}

fn level(text: &mut String, level: &SuiteLevel) {
    text.push_str("\n[[level]]\n");
    line(text, "reference", &quoted(&level.reference));
    line(text, "number", &level.number.to_string());
    if let Some(title) = &level.title {
        line(text, "title", &quoted(title));
    }
    match &level.text {
        Some(own) => line(text, "text", &block(own)),
        None => line(text, "digest", &quoted(&level.digest.to_string())),
    }
}

fn settings(text: &mut String, settings: &[AssignedSetting], above: &str) {
    for AssignedSetting { name, value, .. } in settings {
        line(text, &format!("{above}{name}"), &written(value));
    }
}

fn line(text: &mut String, key: &str, value: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{key} = {value}");
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A text of several lines as it looks, if TOML can have it so.
fn block(text: &str) -> String {
    let is_plain = text.chars().all(|letter| letter == '\n' || !letter.is_control());
    if is_plain && text.contains('\n') && !text.contains("'''") && !text.ends_with('\'') {
        format!("'''\n{text}'''")
    } else {
        quoted(text)
    }
}

/// A list of actions, broken into lines.
fn list(actions: &[String]) -> String {
    let mut lines = vec![String::new()];
    for action in actions {
        let written = quoted(action);
        let is_full =
            lines.last().is_some_and(|last| !last.is_empty() && last.len() + written.len() + 2 > WIDTH);
        if is_full {
            lines.push(String::new());
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(if last.is_empty() { "" } else { ", " });
            last.push_str(&written);
        }
    }
    match lines.as_slice() {
        [one] => format!("[{one}]"),
        several => format!("[\n    {},\n]", several.join(",\n    ")),
    }
}

/// A value as TOML.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Object(rows) => {
            let row = |(name, value): (&String, &Value)| format!("{} = {}", quoted(name), written(value));
            format!("{{ {} }}", rows.iter().map(row).collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}
