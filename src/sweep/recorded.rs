//! A sweep that was run before, by its name in the store or by its folder.

use std::path::PathBuf;

use crate::folder_argument::existing_sweep;
use crate::{SweepOverrides, SweepPlan, plan_sweep, recorded_source, unpriced_model};
use mageyard_config::{Config, Problem};
use mageyard_lab::{Lab, LabError};

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

/// Refuses a limit of the cost of the sweep with this name in the store, or in this folder, if a model has no price here.
pub fn check_cost_limit(given: &str, lab: &Lab, config: &Config) -> Result<(), LabError> {
    let sweep = RecordedSweep::open(given, lab, config)?;
    let prices = mageyard_config::load_prices(config)?;
    match unpriced_model(lab, &sweep.plan, &prices)? {
        Some(model) => Err(unpriced("cost-limit", &model, config).into()),
        None => Ok(()),
    }
}

/// The problem of a limit of the cost, given so, for a model without a price.
pub fn unpriced(limit: &str, model: &str, config: &Config) -> Problem {
    let what = format!("{limit}: the price of {model:?} is unknown, so the cost cannot be limited");
    let path = config.folders().prices_file();
    let help = format!("add it to {}; `mageyard prices example` shows how", path.display());
    Problem::new(what).with_help(help)
}
