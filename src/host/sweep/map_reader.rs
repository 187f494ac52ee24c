//! Reads the finished episodes of a sweep, each once, and makes its maps.

use std::path::PathBuf;
use std::sync::Arc;

use crate::sweep::score_maps::SweepMaps;
use mageyard_config::{Config, Problem};
use mageyard_domain::Prices;
use mageyard_engine::Store;
use mageyard_lab::Lab;
use mageyard_report::{BaselineReference, GrowingReport, OwnReferences, ReferenceQuery, ReportOptions};
use mageyard_screen::SweepScores;
use mageyard_statistics::Correction;
use mageyard_sweep::{SweepPlan, cell_journals, own_level_references};

/// Reads a sweep again and again.
pub(crate) struct MapReader {
    plan: Arc<SweepPlan>,
    folder: PathBuf,
    /// Where baselines are looked up.
    store: Store,
    lab: Lab,
    prices: Prices,
    reference: ReferenceQuery,
    baselines: Vec<BaselineReference>,
    own_references: OwnReferences,
    maps: SweepMaps,
    report: GrowingReport,
}

impl MapReader {
    pub(crate) fn new(
        plan: Arc<SweepPlan>,
        folder: PathBuf,
        lab: Lab,
        config: &Config,
    ) -> Result<Self, Problem> {
        let reference = ReferenceQuery::of(&plan.reference);
        let prices = mageyard_config::load_prices(config)?;
        let maps = SweepMaps::of(&plan, &lab);
        let baseline = |name: &String| BaselineReference { name: name.clone(), is_required: false };
        let baselines = plan.baselines.iter().map(baseline).collect();
        let own_references = own_level_references(&plan, &folder);
        let report = GrowingReport::default();
        let store = Store::new(config.store_folder());
        Ok(Self { plan, folder, store, lab, prices, reference, baselines, own_references, maps, report })
    }

    /// The maps of what was read, with the difference of each cell.
    pub(crate) fn scores(&self) -> SweepScores {
        self.maps.with_scores(&self.plan, &self.report, self.lab.environments())
    }

    /// The maps with the episodes that have finished since the last time; `None` if there are none. What cannot be read
    /// now is tried again the next time.
    pub(crate) fn read(&mut self) -> Option<SweepScores> {
        let Self { plan, folder, store, lab, prices, reference, baselines, own_references, report, .. } =
            self;
        let options = ReportOptions {
            thresholds: None,
            distances: false,
            prices,
            reference,
            difference: plan.difference,
            correction: Correction::default(),
            idle: false,
            without_simulated: false,
            baselines,
            ignore: &[],
            by: &[],
            own_references,
        };
        let journals = plan.cells.iter().flat_map(|cell| {
            let journals = cell_journals(folder, &cell.name).unwrap_or_default();
            journals.into_iter().map(|journal| (cell.name.clone(), journal))
        });
        let grown = report.add(journals, store, lab, &options);
        match grown {
            Ok(true) => Some(self.scores()),
            Ok(false) => None,
            Err(error) => {
                tracing::warn!(%error, "the maps of the sweep cannot be read");
                None
            }
        }
    }
}
