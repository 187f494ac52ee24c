//! What the plan of a sweep adds to its report: the reference, the stated difference, and the cells that are not run.

use mageyard_sweep::{own_level_references, plan_sweep};
use std::path::{Path, PathBuf};

use crate::diagnostics::print_message;
use mageyard_config::{Config, SourceFile};
use mageyard_domain::table_label;
use mageyard_engine::Store;
use mageyard_lab::Lab;
use mageyard_report::OwnReferences;
use mageyard_report::document::{Section, Table};
use mageyard_sweep::{StruckCell, SweepOverrides, SweepPlan};

/// The plan in the folder of a sweep.
const PLAN: &str = ".sweep/sweep.toml";

/// The largest plan that is read, in bytes.
const PLAN_LIMIT: u64 = 1 << 20;

/// What the plans of sweeps say.
#[derive(Default)]
pub(super) struct SweptCells {
    struck: Vec<StruckCell>,
    /// What people ordered while the sweeps ran, a line for each order.
    pub(super) orders: Vec<String>,
    /// Settings and values of the cells that others are compared with.
    pub(super) reference: Vec<(String, String)>,
    /// The difference of scores that is to be seen.
    pub(super) difference: Option<f64>,
    /// Where recorded baselines are.
    pub(super) baselines: Vec<String>,
    /// The references of levels that are cells of their own.
    pub(super) own_references: OwnReferences,
}

impl SweptCells {
    /// Reads the plans of those references that are sweeps. Sweeps with different references have none in common, which is a
    /// message, as a plan is that cannot be read: the results of the cells are reported all the same.
    pub(super) fn read(lab: &Lab, store: &Store, references: &[String], config: &Config) -> Self {
        let mut all = Self::default();
        let files: Vec<PathBuf> =
            references.iter().filter_map(|reference| plan_file(store, reference)).collect();
        let plans = files.iter().filter_map(|path| Some((path, read_plan(lab, path, config)?)));
        let plans: Vec<SweepPlan> = plans
            .map(|(path, plan)| {
                let folder = path.ancestors().nth(2).unwrap_or(path);
                all.own_references.extend(own_level_references(&plan, folder));
                plan
            })
            .collect();
        if let Some((first, others)) = plans.split_first() {
            all.difference = first.difference.filter(|_| others.is_empty());
            if others.iter().all(|plan| plan.reference == first.reference) {
                all.reference.clone_from(&first.reference);
            } else {
                let help = "rows are compared with the smallest memory window; --reference names another";
                print_message(&format!("the sweeps have different references; {help}"));
            }
        }
        all.orders = files.iter().flat_map(|path| orders_of(path)).collect();
        all.baselines = plans.iter().flat_map(|plan| plan.baselines.iter().cloned()).collect();
        all.struck = plans.into_iter().flat_map(|plan| plan.struck).collect();
        all
    }

    /// The table of cells that are not run, with the reasons.
    pub(super) fn section(&self) -> Option<Section> {
        let head = vec!["struck out".to_owned(), "reason".to_owned()];
        let row = |cell: &StruckCell| {
            let place =
                cell.coordinates.iter().map(|(name, value)| format!("{name} = {}", table_label(value)));
            vec![place.collect::<Vec<_>>().join(", "), cell.reason.clone()]
        };
        let rows = std::iter::once(head).chain(self.struck.iter().map(row)).collect();
        Section::table("Cells of the sweep that are not run", false, Table { rows, names: 1 })
    }
}

fn read_plan(lab: &Lab, path: &Path, config: &Config) -> Option<SweepPlan> {
    let sheet = SourceFile::read(path, PLAN_LIMIT);
    let plan = sheet.and_then(|sheet| plan_sweep(lab, &sheet, &SweepOverrides::default(), config));
    match plan {
        Ok(plan) => Some(plan),
        Err(problem) => {
            let what = "the plan cannot be read, so its reference and struck cells are missing";
            print_message(&format!("{}: {what}: {}", path.display(), problem.message));
            None
        }
    }
}

/// The orders of the sweep with this plan. That they cannot be read is a message.
fn orders_of(plan: &Path) -> Vec<String> {
    let orders = mageyard_sweep::orders(plan.ancestors().nth(2).unwrap_or(plan));
    let orders = orders.unwrap_or_else(|error| {
        print_message(&format!("what was ordered while the sweep ran is missing: {error}"));
        Vec::new()
    });
    orders.iter().map(|given| format!("ordered {}", given.line())).collect()
}

/// The plan of the sweep that a reference names: its folder, or its name in the store.
fn plan_file(store: &Store, reference: &str) -> Option<PathBuf> {
    let plan = store.sweep(reference)?.root().join(PLAN);
    plan.is_file().then_some(plan)
}

/// Whether an episode belongs to a sweep: its session is a cell of it.
pub(super) fn is_in_sweep(journal: &Path) -> bool {
    journal.ancestors().nth(3).is_some_and(|folder| folder.join(PLAN).is_file())
}
