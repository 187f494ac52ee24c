//! The combinations of a grid, and which of its settings vary.

use std::collections::BTreeMap;

use serde_json::Value;

use super::axis::key_of;
use super::file::Grid;
use mageyard_config::{AssignedSetting, Config};

/// A value of each axis of a grid.
#[derive(Clone, Debug)]
pub(super) struct Combination<'a> {
    pub(super) grid: &'a Grid,
    /// One value of each axis, in the order of the file, and whether it is an override.
    pub(super) settings: Vec<(&'a AssignedSetting, bool)>,
}

/// The number of combinations of a grid.
pub(super) fn count(grid: &Grid) -> usize {
    grid.axes.iter().map(|axis| axis.values.len()).fold(1, usize::saturating_mul)
}

/// All combinations of a grid; the last axis varies fastest.
pub(super) fn combinations(grid: &Grid) -> impl Iterator<Item = Combination<'_>> {
    (0..count(grid)).map(move |index| {
        let mut left = index;
        let mut settings: Vec<_> = grid
            .axes
            .iter()
            .rev()
            .filter_map(|axis| {
                let value = axis.values.get(left % axis.values.len())?;
                left /= axis.values.len();
                Some((value, axis.overrides))
            })
            .collect();
        settings.reverse();
        Combination { grid, settings }
    })
}

/// The settings that do not have the same value in all combinations, in the order in which they first occur. A setting
/// that a combination does not have has the value of `base` there.
pub(super) fn varying(all: &[Combination<'_>], base: &Config) -> Vec<String> {
    let values = |setting: &str| {
        let present = base.given_value(setting);
        present.map_or(Value::Null, |row| row.value.clone())
    };
    let mut names: Vec<&str> = Vec::new();
    for (setting, _) in all.iter().flat_map(|one| &one.settings) {
        if !names.contains(&setting.name.as_str()) {
            names.push(&setting.name);
        }
    }
    let base: BTreeMap<&str, Value> = names.iter().map(|name| (*name, values(name))).collect();
    let value = |one: &Combination<'_>, name: &str| {
        let own = one.settings.iter().find(|(setting, _)| setting.name == name);
        own.map_or_else(|| base[name].clone(), |(setting, _)| setting.value.clone())
    };
    let varies = |name: &&str| all.windows(2).any(|pair| value(&pair[0], name) != value(&pair[1], name));
    names.iter().copied().filter(varies).map(str::to_owned).collect()
}

/// These settings of a combination whose settings do not fit together.
pub(super) fn written(
    names: &[String],
    combination: &Combination<'_>,
    base: &Config,
) -> Vec<(String, String)> {
    let own = |name: &str| combination.settings.iter().find(|(setting, _)| setting.name == name);
    let base = coordinates(names, base);
    let merged = names.iter().zip(base).map(|(name, (key, text))| {
        let text = own(name).map_or(text, |(setting, _)| shown(&setting.value));
        (key, text)
    });
    merged.collect()
}

/// Settings with their values as they are named and written in the file.
pub(super) fn shown_values(settings: &[AssignedSetting]) -> Vec<(String, String)> {
    settings.iter().map(|setting| (key_of(&setting.name).to_owned(), shown(&setting.value))).collect()
}

/// A value without quotes.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// These settings of a cell as they are named and written in the file.
pub(super) fn coordinates(names: &[String], config: &Config) -> Vec<(String, String)> {
    let shown = |name: &String| {
        let row = config.given_value(name)?;
        let text = row.value.as_str().map_or_else(|| row.written_value(), str::to_owned);
        Some((key_of(name).to_owned(), text))
    };
    names.iter().filter_map(shown).collect()
}
