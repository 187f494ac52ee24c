//! What all cells of a sweep need together.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::expected::ExpectedCost;
use super::ranges::{amount, short};
use crate::records::CostRange;
use mageyard_domain::{Amount, TOKEN_ESTIMATE_RULE};
use mageyard_statistics::{RepeatsNeeded, Variation, repeats_needed as needed};
use mageyard_sweep::{Bounds, CellEstimate, CostBounds, SweepEstimate, SweepPlan};

/// The sums over all cells in JSON.
#[derive(Serialize, JsonSchema)]
pub(super) struct TotalObject {
    #[serde(flatten)]
    needs: NeedFields,
    /// Cost by currency.
    costs: Vec<CostRange>,
    /// Models without a price, which `costs` leaves out.
    unpriced: Vec<String>,
    /// Levels whose shortest solution was not found in time; their lowest is one step.
    unsolved: usize,
}

impl TotalObject {
    pub(super) fn of(needs: &SweepEstimate, expected: &ExpectedCost) -> Self {
        let sum = |of: fn(&CellEstimate) -> Bounds| {
            needs.cells.iter().map(of).fold(Bounds::default(), Bounds::plus)
        };
        Self {
            needs: NeedFields {
                calls: sum(|cell| cell.calls),
                images: sum(|cell| cell.images),
                input_tokens: sum(|cell| cell.input),
                output_tokens: sum(|cell| cell.output),
            },
            costs: costs(needs)
                .iter()
                .filter_map(|cost| {
                    let CostBounds::Known { currency, .. } = cost else { return None };
                    Some(CostRange::of(cost)?.with_expected(expected.amount(currency)))
                })
                .collect(),
            unpriced: unpriced(needs),
            unsolved: needs.unsolved,
        }
    }
}

/// Ranges of what is sent to models, and of what comes back.
#[derive(Serialize, JsonSchema)]
pub(crate) struct NeedFields {
    /// Requests to models.
    pub(super) calls: Bounds,
    /// Images in them.
    pub(super) images: Bounds,
    /// Tokens of requests.
    pub(super) input_tokens: Bounds,
    /// Tokens of replies.
    pub(super) output_tokens: Bounds,
}

/// The costs by currency.
fn costs(needs: &SweepEstimate) -> Vec<CostBounds> {
    let mut sums: BTreeMap<&str, (Amount, Amount)> = BTreeMap::new();
    for cell in &needs.cells {
        if let CostBounds::Known { lowest, highest, currency } = &cell.cost {
            let sum = sums.entry(currency).or_default();
            *sum = (sum.0.plus(*lowest), sum.1.plus(*highest));
        }
    }
    let known = |(currency, (lowest, highest)): (&str, (Amount, Amount))| CostBounds::Known {
        lowest,
        highest,
        currency: currency.to_owned(),
    };
    sums.into_iter().map(known).collect()
}

fn unpriced(needs: &SweepEstimate) -> Vec<String> {
    let mut models: Vec<String> = Vec::new();
    for cell in &needs.cells {
        if let CostBounds::Unknown(model) = &cell.cost
            && !models.contains(model)
        {
            models.push(model.clone());
        }
    }
    models
}

/// The lines below the table.
pub(super) fn lines(
    plan: &SweepPlan,
    needs: &SweepEstimate,
    expected: &ExpectedCost,
    variation: Variation,
) -> Vec<String> {
    let mut lines = vec![String::new()];
    if !plan.reference_cells.is_empty() {
        lines.push("* a cell that others are compared with, each with the nearest".to_owned());
    }
    let total = TotalObject::of(needs, expected);
    if total.needs.calls.highest == 0 {
        lines.push("No request is sent to a model.".to_owned());
    } else {
        lines.extend(request_lines(&total, needs, expected));
    }
    lines.extend(difference_lines(plan, variation));
    lines
}

fn request_lines(total: &TotalObject, needs: &SweepEstimate, expected: &ExpectedCost) -> Vec<String> {
    let NeedFields { calls, images, input_tokens, output_tokens } = &total.needs;
    let mut lines = vec![
        format!("Total: {} calls with {} images", short(*calls), short(*images)),
        format!("Total: {} input tokens, {} output tokens", short(*input_tokens), short(*output_tokens)),
        format!("Cost: {}", cost_words(total, needs, expected)),
        "Lowest: each level solved on a shortest way, with the shortest replies.".to_owned(),
        "Highest: all steps, three attempts each, the longest replies, no cache.".to_owned(),
        format!("Tokens: {TOKEN_ESTIMATE_RULE}"),
    ];
    lines.extend(expected.line());
    if needs.unsolved > 0 {
        let levels = needs.unsolved;
        lines
            .push(format!("Shortest solutions not found in 3 s: {levels} levels. Their lowest is one step."));
    }
    lines.extend(needs.unseen.iter().map(|environment| {
        format!("{environment} is not opened for a plan: its images are assumed, its texts not counted.")
    }));
    lines
}

fn cost_words(total: &TotalObject, needs: &SweepEstimate, expected: &ExpectedCost) -> String {
    let known = costs(needs).into_iter().filter_map(|cost| match cost {
        CostBounds::Known { lowest, highest, currency } => {
            let range = format!("{} to {} {currency}", amount(lowest), amount(highest));
            let expected = expected.amount(&currency);
            Some(expected.map_or(range.clone(), |expected| {
                format!("about {} {currency} expected, {range} possible", amount(expected))
            }))
        }
        CostBounds::NoRequests | CostBounds::Unknown(_) => None,
    });
    let unknown =
        |model: &String| format!("unknown for {model}, which has no price (see `mageyard prices example`)");
    known.chain(total.unpriced.iter().map(unknown)).collect::<Vec<_>>().join("; ")
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
