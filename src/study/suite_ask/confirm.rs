//! The sweep that confirms a result on states with whole episodes.

use mageyard_lab::{known_environment, select_level, select_levels};
use std::fmt::Write;

use super::plan::combination;
use super::table::SuiteTable;
use crate::{Suite, Variant};
use mageyard_config::{AssignedSetting, Config, Problem};
use mageyard_domain::VIEW_OPTION;
use mageyard_lab::Lab;
use mageyard_statistics::{RepeatsNeeded, Variation, repeats_needed};

/// The repeats of a level if no difference says how many are needed.
const REPEATS: u32 = 3;

/// The settings of a suite that a cell of the sweep has of its own.
const OF_CELLS: [&str; 3] = ["play.prompt", "memory.am", "memory.om"];

/// A sweep file with a cell for each variant: on the levels of the suite if they are found here by their references, or
/// else on the first level set of its environment. The surest difference is taken for one of as many points of score, and there
/// are as many repeats as `sweep plan` says that it needs.
pub fn confirming_sweep(
    lab: &Lab,
    suite: &Suite,
    variants: &[Variant],
    table: &SuiteTable,
    config: &Config,
) -> Result<String, Problem> {
    let (levels, count) = confirming_levels(lab, suite, config)?;
    let surest = table.comparisons.first();
    let points =
        surest.map(|comparison| 100.0 * comparison.pair.difference.abs()).filter(|points| *points > 0.0);
    let needed = points.map(|points| repeats_needed(points, count, Variation::ASSUMED));
    let repeats = match needed {
        Some(RepeatsNeeded::Repeats(repeats)) => repeats,
        _ => REPEATS,
    };
    let mut text = String::new();
    head(&mut text, suite, points.zip(needed), count);
    // Writing to a string does not fail.
    let _ = writeln!(text, "name = {}", quoted(&format!("confirm-{}", suite.name)));
    let _ = writeln!(
        text,
        "about = {}",
        quoted(&format!("Whole episodes for the variants of the suite {}", suite.name))
    );
    let _ = writeln!(text, "levels = {levels}\nrepeats = {repeats}");
    if let Some(points) = points {
        let _ = writeln!(text, "difference = {points:.1}");
    }
    text.push_str("\n[settings]\nplay.agent = \"model\"\n");
    let view = format!("{}.{VIEW_OPTION}", suite.environment);
    let has = |is_changed: &dyn Fn(&Variant) -> bool| variants.iter().any(is_changed);
    let (has_view, has_keep) =
        (has(&|one| one.changes.view.is_some()), has(&|one| one.changes.keep.is_some()));
    let is_of_cells = |name: &str| {
        OF_CELLS.contains(&name) || (has_keep && name == "memory.keep") || (has_view && name == view)
    };
    let shared = suite.settings.iter().filter(|one| !is_of_cells(&one.name));
    for AssignedSetting { name, value, .. } in shared {
        let _ = writeln!(text, "{name} = {value}");
    }
    for variant in variants {
        grid(&mut text, &suite.environment, variant);
    }
    Ok(text)
}

/// The levels as a sweep file has them, and how many they are.
fn confirming_levels(lab: &Lab, suite: &Suite, config: &Config) -> Result<(String, usize), Problem> {
    let is_here = |level: &crate::SuiteLevel| {
        let found = select_level(lab, config.folders(), &level.reference);
        found.is_ok_and(|found| Some(found.level.text()) == level.text.as_deref())
    };
    if suite.levels.iter().all(is_here) {
        let names: Vec<String> = suite.levels.iter().map(|level| quoted(&level.reference)).collect();
        return Ok((format!("[{}]", names.join(", ")), names.len()));
    }
    let spec = known_environment(lab, &suite.environment)?;
    let name = spec
        .level_sets()
        .first()
        .map_or(spec.name().to_owned(), |set| format!("{}/{}", spec.name(), set.name));
    let count = select_levels(lab, config.folders(), &name)?.len();
    Ok((quoted(&name), count))
}

fn head(text: &mut String, suite: &Suite, needed: Option<(f64, RepeatsNeeded)>, levels: usize) {
    let _ = writeln!(
        text,
        "# Confirms with whole episodes what `mageyard ask {}` says of single states.",
        suite.name
    );
    let Some((points, needed)) = needed else {
        text.push_str("# No difference was found that says how many episodes are needed.\n");
        return;
    };
    let _ = writeln!(
        text,
        "# To find a difference of {points:.1} points of score with a probability of 0.8, between models that solve\n# about half of the levels:"
    );
    let _ = match needed {
        RepeatsNeeded::Repeats(repeats) => writeln!(text, "# {repeats} repeats of {levels} levels."),
        RepeatsNeeded::Levels(more) => {
            writeln!(text, "# {more} levels; no number of repeats of {levels} is enough.")
        }
        RepeatsNeeded::OutOfReach => writeln!(text, "# more levels than a set can have."),
    };
}

fn grid(text: &mut String, environment: &str, variant: &Variant) {
    let (prompt, am, om, model, changes) = combination(variant);
    let prompt = quoted(prompt);
    let name = quoted(&model.name);
    let _ = write!(
        text,
        "\n[[grid]]\nplay.prompt = {prompt}\nmemory.am = {am}\nmemory.om = {om}\nmodel.name = {name}\n"
    );
    if let Some(url) = &model.server {
        let _ = writeln!(text, "model.base_url = {}", quoted(url));
    }
    if let Some(view) = &changes.view {
        let _ = writeln!(text, "{environment}.{VIEW_OPTION} = {}", quoted(view));
    }
    if let Some(keep) = changes.keep {
        let _ = writeln!(text, "memory.keep = {}", quoted(&keep.to_string()));
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
