//! Smaller memory windows compared with a larger one by whole episodes, with looks that were fixed beforehand.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use mageyard_config::{Config, Problem, SettingOverride, SourceFile};
use mageyard_domain::Prices;
use mageyard_engine::AtomicFile;
use mageyard_lab::{Lab, LabError};
use mageyard_statistics::Interval;
use mageyard_sweep::claims::CONTROL_FOLDER;
use mageyard_sweep::{SweepOverrides, SweepPlan, plan_sweep};

use super::args::ConfirmArgs;
use super::design::{Design, StoredDesign};
use super::evaluation::{ConfirmedWindow, Evaluation, Evaluator, smallest_confirmed};
use super::needs::ConfirmNeeds;
use super::played::{ConfirmSpent, Played, PlayedEpisode, read_played};
use super::sheet::{ConfirmSheet, PlannedPair, draw_pairs};
use super::source::ConfirmSource;
use super::window::KeptWindow;
use crate::study::lock;

/// The file of the first design, in the control folder of the sweep.
const DESIGN_FILE: &str = "memory-confirm.json";
/// The size limit of that file, in bytes.
const DESIGN_LIMIT: u64 = 1 << 20;

/// Where the command line says what is played, and how.
pub struct ConfirmSubject<'a> {
    /// Levels, sets of levels, sessions or sweeps.
    pub named: &'a [String],
    /// The settings that flags give, without those of this process.
    pub flags: Vec<SettingOverride>,
    /// The part of the name of this worker that says which process it is.
    pub label: String,
}

/// The episodes of a comparison of windows, which are the cells of a sweep.
pub struct MemoryConfirm {
    pub(super) plan: SweepPlan,
    pub(super) config: Config,
    pub(super) label: String,
    pub(super) folder: PathBuf,
    /// The reference first.
    pub(super) windows: Vec<KeptWindow>,
    pub(super) design: Design,
    pub(super) levels: usize,
    pub(super) range: Option<Interval>,
    pub(super) needs: ConfirmNeeds,
    pub(super) earlier: Option<StoredDesign>,
    pairs: Vec<PlannedPair>,
    /// The indexes of the cells, by window and pair.
    cells: Vec<Vec<usize>>,
    prices: Prices,
    played: Mutex<Played>,
}

impl MemoryConfirm {
    /// Plans the episodes. Nothing is sent or written.
    pub async fn plan(
        lab: &Lab,
        subject: ConfirmSubject<'_>,
        args: &ConfirmArgs,
        config: Config,
    ) -> Result<Self, LabError> {
        let source = ConfirmSource::read(lab, subject.named, &subject.flags, &config)?;
        let windows = all_windows(args, source.window)?;
        let pairs = draw_pairs(&source.levels, config.settings().play.seed, args.episodes);
        let flags = &subject.flags;
        let sheet = ConfirmSheet { settings: &source.settings, flags, windows: &windows, pairs: &pairs };
        let text = sheet.text(&source.levels);
        let sheet = SourceFile::shipped("memory-confirm.toml", &text);
        let mut overrides = SweepOverrides::default();
        subject.flags.iter().cloned().for_each(|flag| overrides.add(flag));
        let plan = plan_sweep(lab, &sheet, &overrides, &config)?;
        let cells = cells_of(&plan, &windows, &pairs)?;
        let range = score_range(&plan);
        let margin = args.margin.points(range).ok_or_else(no_range)?;
        let folder = plan.folder(&config.store_folder());
        let prices = mageyard_config::load_prices(&config)?;
        let needs = ConfirmNeeds::of(lab, &plan, &cells, &config).await?;
        let design = Design::new(args, margin);
        let mut played = Played::new();
        read_played(lab, &plan, &folder, &prices, &mut played);
        Ok(Self {
            earlier: earlier_design(&folder)?,
            levels: source.levels.len().min(pairs.len()),
            label: subject.label,
            played: Mutex::new(played),
            plan,
            config,
            folder,
            windows,
            design,
            range,
            needs,
            pairs,
            cells,
            prices,
        })
    }

    /// The window that the others are compared with.
    pub fn reference(&self) -> KeptWindow {
        self.windows[0]
    }

    /// The candidates in the order in which they were given, with what is known of each.
    pub fn results(&self) -> Vec<(KeptWindow, ConfirmedWindow)> {
        let candidates = self.evaluate().candidates;
        self.windows.iter().skip(1).copied().zip(candidates).collect()
    }

    /// The smallest window that is not worse, by the tokens of its episodes; `None` if none is confirmed, or not yet.
    pub fn smallest(&self) -> Option<KeptWindow> {
        let found = smallest_confirmed(&self.evaluate().candidates)?;
        self.windows.get(found + 1).copied()
    }

    /// What all episodes of the study took that are over.
    pub fn spent(&self) -> ConfirmSpent {
        ConfirmSpent::of(self.lock().values())
    }

    /// The name of the sweep that has the episodes.
    pub fn sweep(&self) -> &str {
        &self.plan.name
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, PlayedEpisode>> {
        lock(&self.played)
    }

    pub(super) fn evaluate(&self) -> Evaluation {
        let evaluator = Evaluator {
            design: &self.design,
            width: self.range.map(|range| range.high - range.low),
            pairs: &self.pairs,
            cells: &self.cells,
            played: &self.lock(),
        };
        evaluator.evaluate()
    }

    /// Reads the episodes that have ended; how many there are.
    pub(super) fn read(&self, lab: &Lab) -> usize {
        let mut played = self.lock();
        read_played(lab, &self.plan, &self.folder, &self.prices, &mut played);
        played.len()
    }

    /// The design as it is kept.
    pub(super) fn stored_design(&self) -> StoredDesign {
        let names: Vec<String> = self.windows.iter().map(ToString::to_string).collect();
        let (reference, candidates) =
            names.split_first().map(|(one, rest)| (one.clone(), rest.to_vec())).unwrap_or_default();
        let Design { margin, alpha, looks, pairs, spending } = self.design;
        let spending = spending.name().to_owned();
        StoredDesign { reference, candidates, margin, alpha, looks, pairs, spending }
    }

    /// Keeps the design beside the episodes, unless an earlier one is there.
    pub(super) fn keep_design(&self) -> Result<(), LabError> {
        if self.earlier.is_some() {
            return Ok(());
        }
        let path = self.folder.join(CONTROL_FOLDER).join(DESIGN_FILE);
        let text = serde_json::to_string(&self.stored_design()).map_err(LabError::failed)?;
        AtomicFile::stage(&path, text.as_bytes()).and_then(AtomicFile::replace).map_err(LabError::failed)?;
        Ok(())
    }
}

/// The reference and then the candidates.
fn all_windows(args: &ConfirmArgs, own: Result<KeptWindow, Problem>) -> Result<Vec<KeptWindow>, Problem> {
    let reference = args.reference.map_or(own, Ok)?;
    let candidates = &args.candidates.0;
    if candidates.contains(&reference) {
        let problem = Problem::new(format!("--candidates: {reference} is the reference"));
        return Err(problem.with_help("name other windows, or another --reference"));
    }
    Ok(std::iter::once(reference).chain(candidates.iter().copied()).collect())
}

/// The indexes of the cells by window and pair.
fn cells_of(
    plan: &SweepPlan,
    windows: &[KeptWindow],
    pairs: &[PlannedPair],
) -> Result<Vec<Vec<usize>>, Problem> {
    if let Some(struck) = plan.struck.first() {
        let names = struck.coordinates.iter().map(|(name, value)| format!("{name}={value}"));
        let names: Vec<String> = names.collect();
        let problem = Problem::new(format!("{} cannot be played: {}", names.join(" "), struck.reason));
        return Err(
            problem.with_help("a window is compared only where an agent has a memory that can be set")
        );
    }
    let mut found: BTreeMap<(String, u64, String), usize> = BTreeMap::new();
    for (index, cell) in plan.cells.iter().enumerate() {
        let level = cell.levels.first().map(|level| level.reference.clone()).unwrap_or_default();
        let window = KeptWindow { window: cell.config.window(), keep: cell.config.settings().memory.keep };
        found.insert((level, cell.seed, window.to_string()), index);
    }
    let cell = |window: &KeptWindow, pair: &PlannedPair| {
        let known = found.get(&(pair.level.clone(), pair.seed, window.to_string())).copied();
        known.ok_or_else(|| Problem::new(format!("{} with {window} is not in the plan", pair.level)))
    };
    let of_window = |window| pairs.iter().map(|pair| cell(window, pair)).collect();
    windows.iter().map(of_window).collect()
}

fn score_range(plan: &SweepPlan) -> Option<Interval> {
    let level = plan.cells.first()?.levels.first()?;
    let range = level.spec.capabilities().scoring.score_range();
    range.map(|[low, high]| Interval { low, high })
}

fn no_range() -> Problem {
    Problem::new("--margin: the scores of this environment have no range, so there is no share of it")
        .with_help("give the margin in points")
}

fn earlier_design(folder: &std::path::Path) -> Result<Option<StoredDesign>, Problem> {
    let path = folder.join(CONTROL_FOLDER).join(DESIGN_FILE);
    let Some(file) = SourceFile::read_if_exists(path, DESIGN_LIMIT)? else { return Ok(None) };
    let design = serde_json::from_str(&file.text).map_err(|error| {
        let what = format!("{}: the design cannot be read: {error}", file.path.display());
        Problem::new(what).with_help("move the folder of the sweep away, or repair the file")
    })?;
    Ok(Some(design))
}
