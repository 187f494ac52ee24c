//! A sweep that was run before, by its name in the store or by its folder.

use mageyard_sweep::plan_sweep;
use std::path::PathBuf;

use super::folder_argument::existing_sweep;
use mageyard_config::{Config, Problem};
use mageyard_lab::Lab;
use mageyard_sweep::{SweepOverrides, SweepPlan, recorded_source};

/// The plan and the folder of a sweep.
pub struct RecordedSweep {
    /// The plan, read from the source in the folder.
    pub plan: SweepPlan,
    /// The folder of the sweep in the store.
    pub folder: PathBuf,
}

impl RecordedSweep {
    /// The sweep with this name in the store, or in this folder.
    pub fn open(given: &str, lab: &Lab, config: &Config) -> Result<Self, Problem> {
        let folder = existing_sweep(given, config)?;
        let source = recorded_source(&folder)?;
        let plan = plan_sweep(lab, &source, &SweepOverrides::default(), config)?;
        Ok(Self { plan, folder })
    }
}
