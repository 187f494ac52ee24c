//! The environments, one folder each. To add one, write a folder and add a row to [`environments`].

pub mod football;
mod hanoi;
mod magebench;
mod option_types;
mod python;
pub mod sokoban;
pub mod webui;

use crate::domain::EnvironmentSpec;

/// Every environment; the first is the default.
pub fn environments() -> &'static [&'static dyn EnvironmentSpec] {
    &[&sokoban::Sokoban, &hanoi::Hanoi, &webui::WebUi, &football::Football]
}

/// The environment with exactly this name.
pub fn environment(name: &str) -> Option<&'static dyn EnvironmentSpec> {
    environments().iter().copied().find(|kind| kind.name() == name)
}
