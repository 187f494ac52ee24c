//! The table of main effects.

use super::differences::{p_titles, paired_cells};
use crate::document::{Rows, Section, Table};
use crate::{MainEffect, Report};
use mageyard_domain::table_label;
use mageyard_statistics::Correction;

/// What they are.
const NOTE: &str = "over the pairs of all combinations of the other settings that have both values; a level is one cluster, and p (Holm), if it is shown, is corrected for this table";

/// A row per setting and value; nothing if no setting varies within several combinations of the others.
pub(super) fn main_effects(report: &Report) -> Option<Section> {
    let titles = ["main effect", "value", "compared with", "level set", "combinations", "difference ± SE"];
    let p_titles = p_titles(report.correction).iter().copied();
    let titles = titles.into_iter().chain(["95 % interval"]).chain(p_titles).chain(["verdict"]);
    let mut rows: Rows = vec![titles.map(str::to_owned).collect()];
    rows.extend(report.main_effects.iter().map(|effect| row(effect, report.correction)));
    Section::table("Main effects on the score", false, Table { rows, names: 2 })
        .map(|section| section.with_notes(vec![NOTE.to_owned()]))
}

fn row(effect: &MainEffect, correction: Correction) -> Vec<String> {
    let setting = [
        effect.setting.to_owned(),
        table_label(&effect.value),
        table_label(&effect.base),
        effect.level_set.clone(),
        effect.combinations.to_string(),
    ];
    setting.into_iter().chain(paired_cells(&effect.paired, correction)).collect()
}
