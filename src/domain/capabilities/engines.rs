//! Several engines that play the same levels.

use crate::{EngineComparison, Options};

/// The engines of an environment. Results of different engines are never put together.
#[derive(Clone, Copy)]
pub struct Engines {
    /// The name of the engine that plays with these options, such as `football/lite`; `None` if the options are invalid.
    pub chosen: fn(&Options) -> Option<&'static str>,
    /// The settings by which reports do not tell episodes apart: they say where a program of this machine is or how
    /// long it may take, or [`Engines::chosen`] says the same.
    pub local_settings: &'static [&'static str],
    /// Measures the engines one after the other.
    pub comparison: &'static dyn EngineComparison,
}
