//! Overrides of a sweep from the command line: in every grid they take the place of what the file has.

use std::fmt::Write;

use super::axis::Axis;
use super::file::SweepFile;
use mageyard_config::{Origin, Problem, SettingOverride};

/// Settings and keys of a sweep with other values than in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepOverrides(Vec<SettingOverride>);

impl SweepOverrides {
    /// Adds one.
    pub fn add(&mut self, given: SettingOverride) {
        self.0.push(given);
    }

    /// Adds `NAME=VALUE` as given with this flag. The value may be a list such as `[1, 5]` or a range such as `1..3`.
    pub fn parse(&mut self, assignment: &str, flag: &str) -> Result<(), Problem> {
        let named = assignment.split_once('=').map(|(name, text)| (name.trim(), text.trim()));
        let Some((name, text)) = named.filter(|(name, _)| !name.is_empty()) else {
            let problem = Problem::new(format!("{flag}: {assignment:?} is not a setting and a value"));
            return Err(problem.with_help(format!("write NAME=VALUE, such as {flag} memory.am=1..3")));
        };
        let origin = Origin::Flag(flag.to_owned());
        self.add(SettingOverride { is_toml: true, ..SettingOverride::new(name, text, origin) });
        Ok(())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn apply(&self, file: &mut SweepFile) -> Result<(), Problem> {
        mageyard_config::refuse_repeated(&self.0)?;
        self.0.iter().try_for_each(|given| file.set(&given.name, &given.text, &given.origin))
    }

    /// The text of a sweep file with these in a block at its end, and with the name that is from elsewhere.
    pub(super) fn written_into(&self, text: &str, name: Option<&str>) -> String {
        if self.is_empty() && name.is_none() {
            return text.to_owned();
        }
        // Writing to a string does not fail.
        let mut text = format!("{}\n\n[[overrides]]\n", text.trim_end());
        if let Some(name) = name.filter(|_| self.0.iter().all(|given| given.name != "name")) {
            let _ = writeln!(text, "name = {}", toml::Value::from(name));
        }
        for given in &self.0 {
            let _ = writeln!(text, "{} = {}", toml::Value::from(given.name.as_str()), written_value(given));
        }
        text
    }
}

/// A value as it is written in a sweep file.
fn written_value(given: &SettingOverride) -> String {
    let keys = || match given.name.as_str() {
        "name" => Some(toml::Value::from(given.text.as_str()).to_string()),
        "repeats" | "difference" => Some(given.text.clone()),
        _ => None,
    };
    let axis = || Axis::of_text(&given.name, &given.text, &given.origin).ok();
    keys().or_else(|| axis().map(|axis| axis.written())).unwrap_or_default()
}
