//! What a sweep file has: grids of settings, and overrides that are put over all of them.

use super::axis::Axis;
use mageyard_config::{AssignedSetting, Origin, Problem};

/// The largest number of repeats, as `run` has it.
const MOST_REPEATS: i64 = 10_000;

/// The largest length of a name, in bytes.
const NAME_LENGTH: usize = 64;

/// A sweep file, checked as far as that is possible without its levels.
#[derive(Clone, Debug)]
pub(super) struct SweepFile {
    pub(super) name: String,
    /// Whether the name is that of the file, because its text has none.
    pub(super) is_named_by_file: bool,
    pub(super) about: String,
    /// The union of these is the sweep; at least one.
    pub(super) grids: Vec<Grid>,
    /// The values of the cell that others are compared with, and where they are written.
    pub(super) reference: Option<(Vec<AssignedSetting>, Origin)>,
    pub(super) difference: Option<f64>,
    /// Where recorded episodes say how much scores vary.
    pub(super) pilot: Option<String>,
    /// Where the report finds recorded episodes to compare with.
    pub(super) baselines: Vec<String>,
}

/// A product of axes.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The axes, the slowest first.
    pub(super) axes: Vec<Axis>,
    pub(super) repeats: u32,
    pub(super) origin: Origin,
}

impl Grid {
    /// Adds an axis, or puts it in the place of the one with the same setting.
    pub(super) fn set(&mut self, axis: Axis) {
        match self.axes.iter_mut().find(|other| other.setting == axis.setting) {
            Some(other) if axis.overrides => {
                let replaced = match &other.values[..] {
                    _ if other.overrides => other.replaced.take(),
                    [only] => Some(only.clone()),
                    _ => None,
                };
                *other = Axis { replaced, ..axis };
            }
            Some(other) => *other = axis,
            None => self.axes.push(axis),
        }
    }
}

impl SweepFile {
    /// Overrides a key of the sweep, or a setting in every grid.
    pub(super) fn set(&mut self, key: &str, text: &str, origin: &Origin) -> Result<(), Problem> {
        let number = || text.parse::<f64>().ok();
        match key {
            "name" => self.name = checked_name(text).map_err(|what| origin.problem(&what))?,
            "difference" => {
                self.difference = Some(checked_difference(number()).map_err(|what| origin.problem(&what))?);
            }
            "repeats" => {
                let repeats = text.parse().ok();
                self.set_repeats(checked_repeats(repeats).map_err(|what| origin.problem(&what))?);
            }
            _ => {
                let axis = Axis::of_text(key, text, origin)?;
                self.override_axis(&axis);
            }
        }
        Ok(())
    }

    pub(super) fn set_repeats(&mut self, repeats: u32) {
        for grid in &mut self.grids {
            grid.repeats = repeats;
        }
    }

    pub(super) fn override_axis(&mut self, axis: &Axis) {
        let axis = Axis { overrides: true, ..axis.clone() };
        for grid in &mut self.grids {
            grid.set(axis.clone());
        }
    }
}

pub(super) fn checked_name(name: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_safe =
        (1..=NAME_LENGTH).contains(&name.len()) && name.chars().all(plain) && !name.starts_with(['.', '-']);
    let what = || {
        format!(
            "name: {name:?} cannot be the name of a folder; use at most {NAME_LENGTH} letters, digits, - _ and ."
        )
    };
    is_safe.then(|| name.to_owned()).ok_or_else(what)
}

pub(super) fn checked_difference(number: Option<f64>) -> Result<f64, String> {
    let number = number.filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "difference must be a number of points above 0, such as 5.0".to_owned())
}

pub(super) fn checked_repeats(number: Option<i64>) -> Result<u32, String> {
    let number = number.filter(|number| (1..=MOST_REPEATS).contains(number));
    let repeats = number.and_then(|number| u32::try_from(number).ok());
    repeats.ok_or_else(|| {
        format!(
            "repeats must be a whole number from 1 to {MOST_REPEATS}; it is not an axis, so it cannot be a list: each [[grid]] can have its own"
        )
    })
}
