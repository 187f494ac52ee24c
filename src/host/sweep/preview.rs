//! A sweep beside the tree of home: the states of its cells at once, then their results and the maps.

use std::sync::Arc;

use mageyard_cli::exit::Failure;
use mageyard_config::{Config, Problem};
use mageyard_lab::Lab;
use mageyard_screen::{SweepPreview, SweepView};
use mageyard_sweep::RecordedSweep;

use super::initial_view::{self, SweepFiles};
use super::map_reader::MapReader;

/// The remark until the results were read.
const READING: &str = "reading the results …";

/// A sweep whose results are read in a second step.
pub(crate) struct SweepReading {
    recorded: RecordedSweep,
    states: SweepView,
}

impl SweepReading {
    /// Reads the plan and the states of the cells of the sweep with this name, and no episode.
    pub(crate) fn begin(name: &str, lab: &Lab, config: &Config) -> Result<Self, Problem> {
        let recorded = RecordedSweep::open(name, lab, config)?;
        let RecordedSweep { plan, folder } = &recorded;
        let states = initial_view::without_results(plan, folder).map_err(Failure::into_problem)?;
        Ok(Self { recorded, states })
    }

    /// What is known before an episode was read.
    pub(crate) fn first(&self) -> SweepPreview {
        let view = SweepView { is_run: false, note: READING.to_owned(), ..self.states.clone() };
        SweepPreview { view: Arc::new(view), ..SweepPreview::default() }
    }

    /// Reads the results of all cells.
    pub(crate) fn finish(self, lab: &Lab, config: &Config) -> Result<SweepPreview, Problem> {
        let RecordedSweep { plan, folder } = self.recorded;
        let prices = mageyard_config::load_prices(config)?;
        let files = SweepFiles { plan: &plan, folder: &folder, lab, prices: &prices };
        let view = with_results(files, &self.states).map_err(Failure::into_problem)?;
        let mut reader = MapReader::new(Arc::new(plan), folder, lab.clone(), config)?;
        let scores = reader.read().unwrap_or_else(|| reader.scores());
        Ok(SweepPreview { view: Arc::new(view), scores: Arc::new(scores) })
    }
}

fn with_results(files: SweepFiles<'_>, states: &SweepView) -> Result<SweepView, Failure> {
    let view = files.newer(states)?;
    let spent = initial_view::spent_of(&view);
    Ok(SweepView { is_run: false, spent, ..view })
}
