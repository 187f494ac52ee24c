//! A sweep that was run before, by its name in the store or by its folder.

use std::path::PathBuf;

use crate::folder_argument::existing_sweep;
use crate::{SweepOverrides, SweepPlan, plan_sweep, recorded_source};
use mageyard_config::{Config, Problem};
use mageyard_lab::Lab;

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
