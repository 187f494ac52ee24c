//! How much scores vary, for the repeats that a sweep needs: as its pilot was recorded, or as it is assumed.

use crate::context::Context;
use crate::exit::Failure;
use crate::runtime::single_thread_runtime;
use mageyard_config::{Config, Problem, load_prices};
use mageyard_engine::Store;
use mageyard_report::{GroupStats, OwnReferences, ReferenceQuery, ReportOptions, make_report};
use mageyard_statistics::{Correction, LevelSample, Variation};
use mageyard_sweep::SweepPlan;

/// The variation of pairs between two cells.
pub(super) fn variation(
    plan: &SweepPlan,
    context: &Context,
    store: &Store,
    config: &Config,
) -> Result<Variation, Failure> {
    let Some(pilot) = plan.pilot.as_ref().filter(|_| plan.difference.is_some()) else {
        return Ok(Variation::ASSUMED);
    };
    let options = ReportOptions {
        thresholds: None,
        distances: false,
        prices: &load_prices(config)?,
        reference: &ReferenceQuery::default(),
        difference: None,
        correction: Correction::default(),
        idle: false,
        without_simulated: false,
        baselines: &[],
        ignore: &[],
        by: &[],
        own_references: &OwnReferences::default(),
    };
    let references = std::slice::from_ref(pilot);
    let report =
        single_thread_runtime()?.block_on(make_report(&context.lab, store, references, &options, config))?;
    let cells: Vec<&[LevelSample]> = report.groups.values().map(|stats| stats.scores.as_slice()).collect();
    let difference =
        |stats: &'_ GroupStats| stats.results.difference.as_ref().map(|found| found.paired.pairs.clone());
    let pairs: Vec<Vec<LevelSample>> = report.groups.values().filter_map(difference).collect();
    let pairs: Vec<&[LevelSample]> = pairs.iter().map(Vec::as_slice).collect();
    Variation::of_pilot(&cells, &pairs).ok_or_else(|| {
        Problem::new(format!(
            "pilot = {pilot:?}: no level was played twice, so it does not say how much scores vary"
        ))
        .with_help("play it again with --repeats 3, or leave pilot out")
        .into()
    })
}
