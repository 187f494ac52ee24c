//! What all cells of a sweep need together.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::ranges::{amount, short};
use crate::records::{CostRange, NeedFields};
use mageyard_domain::{SideRole, TOKEN_ESTIMATE_RULE};
use mageyard_lab::Needs;
use mageyard_statistics::{RepeatsNeeded, Variation, repeats_needed as needed};
use mageyard_sweep::{ExpectedCost, MeasuredTime, PlanTimes, SweepEstimate, SweepPlan, USUAL_ANSWER};

/// The sums over all cells in JSON.
#[derive(Serialize, JsonSchema)]
pub(super) struct TotalObject {
    #[serde(flatten)]
    needs: NeedFields,
    /// Cost by currency.
    costs: Vec<CostRange>,
    /// Models without a price, which `costs` leaves out.
    unpriced: Vec<String>,
    /// What side requests need, by role, which is part of the others.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    roles: BTreeMap<&'static str, RoleNeedsObject>,
    /// Levels whose shortest solution was not found in time; their lowest is one step.
    unsolved: usize,
}

impl TotalObject {
    pub(super) fn of(estimate: &SweepEstimate, expected: &ExpectedCost) -> Self {
        let total = estimate.total();
        Self {
            needs: NeedFields::from(&total),
            costs: CostRange::all(&total.cost, |currency| expected.amount(currency)),
            unpriced: total.cost.unpriced,
            roles: estimate.roles().iter().map(|(role, needs)| (role.name(), needs.into())).collect(),
            unsolved: estimate.unsolved,
        }
    }
}

/// What the side requests of a role need.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "role_needs")]
struct RoleNeedsObject {
    #[serde(flatten)]
    needs: NeedFields,
    /// Cost by currency.
    costs: Vec<CostRange>,
}

impl From<&Needs> for RoleNeedsObject {
    fn from(needs: &Needs) -> Self {
        Self { needs: NeedFields::from(needs), costs: CostRange::all(&needs.cost, |_| None) }
    }
}

/// What side requests need, and what is assumed of them.
fn role_lines(estimate: &SweepEstimate) -> Vec<String> {
    let roles = estimate.roles();
    let line = |(role, needs): (&SideRole, &Needs)| {
        let range =
            |currency: &str, lowest, highest| format!("{} to {} {currency}", amount(lowest), amount(highest));
        let cost = needs.cost.words(range);
        let [calls, input, output] = [needs.calls, needs.input, needs.output].map(short);
        format!("Of these, {role}: {calls} calls, {input} input tokens, {output} output tokens; cost {cost}")
    };
    let assumed = |role: &SideRole| match role {
        SideRole::Judge => {
            "judge is asked at most once a step and once for the verdict, once a step expected"
        }
        SideRole::Reward => "reward is asked before each decision after the first",
        SideRole::Person => "a person is asked without a request",
    };
    let words: Vec<&str> = roles.keys().map(assumed).collect();
    let basis = format!("Side requests: {}; answers of {USUAL_ANSWER} tokens expected.", words.join("; "));
    let basis = (!roles.is_empty()).then_some(basis);
    roles.iter().map(line).chain(basis).collect()
}

/// The lines below the table.
pub(super) fn lines(
    plan: &SweepPlan,
    estimate: &SweepEstimate,
    expected: &ExpectedCost,
    variation: Variation,
) -> Vec<String> {
    let mut lines = vec![String::new()];
    if !plan.reference_cells.is_empty() {
        lines.push("* a cell that others are compared with, each with the nearest".to_owned());
    }
    let total = estimate.total();
    if total.calls.highest == 0 {
        lines.push("No request is sent to a model.".to_owned());
    } else {
        lines.extend(request_lines(&total, estimate, expected));
    }
    lines.extend(difference_lines(plan, variation));
    lines
}

/// What the cells of a plan need in a few lines: cost and time, then calls and tokens.
pub fn brief_lines(
    plan: &SweepPlan,
    estimate: &SweepEstimate,
    times: Vec<Option<MeasuredTime>>,
) -> Vec<String> {
    let times = PlanTimes::new(plan, times);
    let total = estimate.total();
    if total.calls.highest == 0 {
        return std::iter::once("No request is sent to a model.".to_owned()).chain(times.lines()).collect();
    }
    let [calls, tokens, cost] = sum_lines(&total, &ExpectedCost::of(estimate, &times));
    std::iter::once(cost).chain(times.lines()).chain([calls, tokens]).collect()
}

/// Calls, tokens and cost.
fn sum_lines(total: &Needs, expected: &ExpectedCost) -> [String; 3] {
    let cost = total.cost.words(|currency, lowest, highest| {
        let range = format!("{} to {} {currency}", amount(lowest), amount(highest));
        expected.amount(currency).map_or(range.clone(), |expected| {
            format!("about {} {currency} expected, {range} possible", amount(expected))
        })
    });
    [
        format!("Total: {} calls with {} images", short(total.calls), short(total.images)),
        format!("Total: {} input tokens, {} output tokens", short(total.input), short(total.output)),
        format!("Cost: {cost}"),
    ]
}

fn request_lines(total: &Needs, estimate: &SweepEstimate, expected: &ExpectedCost) -> Vec<String> {
    let mut lines = sum_lines(total, expected).to_vec();
    lines.extend(role_lines(estimate));
    lines.extend([
        "Lowest: each level solved on a shortest way, with the shortest replies.".to_owned(),
        "Highest: all steps, three attempts each, the longest replies, no cache.".to_owned(),
        format!("Tokens: {TOKEN_ESTIMATE_RULE}"),
    ]);
    lines.extend(expected.line());
    if estimate.unsolved > 0 {
        let levels = estimate.unsolved;
        lines
            .push(format!("Shortest solutions not found in 3 s: {levels} levels. Their lowest is one step."));
    }
    lines.extend(estimate.unseen.iter().map(|environment| {
        format!("{environment} is not opened for a plan: its images are assumed, its texts not counted.")
    }));
    lines
}

/// The repeats that show the stated difference; `None` without one, or if no number of repeats is enough.
pub(super) fn repeats_needed(plan: &SweepPlan, variation: Variation) -> Option<u32> {
    plan.difference.and_then(|difference| match needed(difference, levels(plan), variation) {
        RepeatsNeeded::Repeats(repeats) => Some(repeats),
        RepeatsNeeded::Levels(_) | RepeatsNeeded::OutOfReach => None,
    })
}

/// The smallest number of levels of a cell.
fn levels(plan: &SweepPlan) -> usize {
    plan.cells.iter().map(|cell| cell.levels.len()).min().unwrap_or(0)
}

fn difference_lines(plan: &SweepPlan, variation: Variation) -> Vec<String> {
    let Some(difference) = plan.difference else { return Vec::new() };
    let levels = levels(plan);
    let here = plan.cells.iter().map(|cell| cell.repeats).min().unwrap_or(0);
    let what = match needed(difference, levels, variation) {
        RepeatsNeeded::Repeats(1) => "1 repeat".to_owned(),
        RepeatsNeeded::Repeats(repeats) => format!("{repeats} repeats"),
        RepeatsNeeded::Levels(more) => format!("not by repeats; {more} levels"),
        RepeatsNeeded::OutOfReach => "more levels than a set can have".to_owned(),
    };
    // Pairs vary twice as much as scores.
    let points = (variation.within / 2.0).sqrt();
    let source = match plan.pilot.as_ref().filter(|_| !variation.assumed) {
        Some(pilot) => format!("In the pilot {pilot} scores vary by {points:.1} points between repeats."),
        None => format!(
            "This assumes that half of the episodes are solved, so that scores vary by {points:.0} points between repeats; pilot = \"SESSION\" measures it."
        ),
    };
    vec![
        format!("To see a difference of {difference} points on {levels} levels: {what} (here {here})."),
        source,
    ]
}
