//! Which generated element each target is compared with: by place and by its filter, at the least total cost.

use super::assignment::{Costs, assign};
use super::bounds::Bounds;
use super::rules::{PaperRule, Rules};
use super::table::Kind;
use super::target::Target;
use super::value::Reading;
use super::view::Page;

/// The cost of a pair that never matches.
const PENALTY: f64 = 1e5;
/// The highest cost of a match.
const WORST_MATCH: f64 = 1.0;
/// What a filter that cannot be compared costs.
const INCOMPARABLE: f64 = 0.01;

/// What became of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partner {
    /// This element of the generated page.
    Matched(usize),
    /// A column of the assignment that is too far.
    TooFar,
    /// There were fewer generated elements than targets.
    NoColumn,
}

/// The partner of each target among the given elements of a generated page.
pub(super) fn partners(
    page: &Page<'_>,
    targets: &[Target],
    generated: &Page<'_>,
    shown: &[usize],
    rules: Rules,
) -> Vec<Partner> {
    let costs = costs(page, targets, generated, shown, rules);
    let partner = |(row, column): (usize, Option<usize>)| match column {
        Some(column) if costs.at(row, column) <= WORST_MATCH => Partner::Matched(shown[column]),
        Some(_) => Partner::TooFar,
        None => Partner::NoColumn,
    };
    assign(&costs).into_iter().enumerate().map(partner).collect()
}

/// The costs of all pairs, a row for each target.
fn costs(page: &Page<'_>, targets: &[Target], generated: &Page<'_>, shown: &[usize], rules: Rules) -> Costs {
    let filters = Filters::new(page, targets, generated, shown, rules);
    let candidates: Vec<Candidate> =
        shown.iter().filter_map(|index| Candidate::new(generated, *index)).collect();
    let mut values = Vec::with_capacity(targets.len() * shown.len());
    for (row, target) in targets.iter().enumerate() {
        let Some(own) = Candidate::new(page, target.index) else { continue };
        let pairs = candidates.iter().enumerate();
        values.extend(
            pairs.map(|(column, other)| cost(own, *other, filters.passes(row, column, rules), rules)),
        );
    }
    Costs::new(targets.len(), shown.len(), values)
}

/// The cost of a pair whose filter passes, fails, or cannot be compared.
fn cost(target: Candidate, generated: Candidate, passes: Option<bool>, rules: Rules) -> f64 {
    let filter = match passes {
        Some(true) => 0.0,
        Some(false) if rules.has(PaperRule::StrictFilter) => return PENALTY,
        Some(false) => -1.0,
        None => -INCOMPARABLE,
    };
    let descendants = if rules.has(PaperRule::DescendantDifference) {
        (target.descendants - generated.descendants).abs() * 1e-3
    } else {
        generated.descendants * 1e-5
    };
    let likeness = target.bounds.giou(&generated.bounds) + filter - descendants;
    if likeness >= -WORST_MATCH { -likeness } else { PENALTY }
}

/// What the cost reads of an element besides its filter.
#[derive(Clone, Copy)]
struct Candidate {
    bounds: Bounds,
    descendants: f64,
}

impl Candidate {
    fn new(page: &Page<'_>, index: usize) -> Option<Self> {
        let element = page.view(index)?.element;
        Some(Self { bounds: Bounds::of(element), descendants: f64::from(element.descendants) })
    }
}

/// The values that filters compare, each parsed once.
struct Filters<'a> {
    /// The value of each target, and the place of its filter in `columns`.
    rows: Vec<Option<(Reading<'a>, usize)>>,
    /// The values of all generated elements for each filter in use.
    columns: Vec<Vec<Reading<'a>>>,
}

impl<'a> Filters<'a> {
    fn new(
        page: &'a Page<'_>,
        targets: &[Target],
        generated: &'a Page<'_>,
        shown: &[usize],
        rules: Rules,
    ) -> Self {
        let mut kinds: Vec<Kind> = Vec::new();
        let mut limits: Vec<usize> = Vec::new();
        let mut row = |target: &Target| {
            let kind = target.filter?;
            let view = page.view(target.index)?;
            let place = kinds.iter().position(|known| *known == kind).unwrap_or(kinds.len());
            if place == kinds.len() {
                kinds.push(kind);
                limits.push(0);
            }
            let reading = Reading::new(kind, view, rules, usize::MAX);
            limits[place] = limits[place].max(reading.word_limit(rules));
            Some((reading, place))
        };
        let rows = targets.iter().map(&mut row).collect();
        let views = || shown.iter().filter_map(|index| generated.view(*index));
        let column = |(kind, limit)| views().map(|view| Reading::new(kind, view, rules, limit)).collect();
        Self { rows, columns: kinds.into_iter().zip(limits).map(column).collect() }
    }

    fn passes(&self, row: usize, column: usize, rules: Rules) -> Option<bool> {
        let Some((target, place)) = &self.rows[row] else { return Some(true) };
        target.passes(&self.columns[*place][column], rules)
    }
}
