//! The JSON object of a row of a report.

use serde_json::{Map, Value, json};

use crate::episode_output::request_fields;
use mageyard_engine::Mark;
use mageyard_lab::merged;
use mageyard_report::{Baseline, Condition, Difference, GroupStats, Provenance, Rates};
use mageyard_statistics::{Interval, RepeatsNeeded};

/// The object of a row; `names` are the properties in which the rows differ.
pub(super) fn object(condition: &Condition, sum: &GroupStats, differing: &[String]) -> Value {
    let counts = json!({
        "differs": differing, "episodes": sum.episodes, "levels": sum.levels(),
        "mixed": sum.mixed, "unfinished": sum.unfinished,
        "score": sum.score(), "score_se": sum.score_error(), "scored": sum.scores.len(),
        "success_rate": sum.success_rate(), "success_rate_se": sum.success_error(), "steps": sum.steps,
        "published_score": sum.published(), "published_scored": sum.published.len(),
        "losses": (!sum.losses().is_empty()).then(|| sum.losses()),
        "score_by_step": (!sum.scores_by_step().is_empty()).then(|| sum.scores_by_step().iter().map(|row| row.0).collect::<Vec<_>>()),
        "ren": sum.marked(Mark::NotRendered), "act": sum.marked(Mark::FailedInteraction),
        "parse_errors": sum.parse_errors, "reply_endings": sum.reply_endings, "ineffective": sum.ineffective,
        "parse": sum.marked(Mark::ParseError), "ia": sum.marked(Mark::InvalidAction),
        "ra": sum.marked(Mark::RepeatedAction), "same": sum.marked(Mark::Unchanged), "dead": sum.marked(Mark::Dead),
        "off_path": (!sum.distances.is_empty()).then(|| sum.marked(Mark::OffPath)),
        "endings": sum.endings, "thresholds": sum.thresholds,
        "costs": (sum.unknown_costs == 0 || !sum.costs.is_empty()).then_some(&sum.costs),
        "uncosted": sum.unknown_costs, "uncosted_requests": sum.unknown_requests,
        "tokens_repeated": sum.repeated, "cache_costs": cache_costs(sum),
        "distance": (!sum.distances.is_empty()).then(|| sum.distances.object()),
    });
    let object = merged(merged(condition.fields().into(), counts), request_fields(sum.spent));
    merged(merged(object, computed(sum)), json!({ "baseline": null }))
}

/// The object of a baseline that was recorded elsewhere.
pub(super) fn baseline(condition: &Condition, baseline: &Baseline, differing: &[String]) -> Value {
    let fields = json!({ "levels": baseline.of, "missing": baseline.missing });
    merged(object(condition, &baseline.stats, differing), json!({ "baseline": fields }))
}

/// The fields that are computed from all episodes.
fn computed(sum: &GroupStats) -> Value {
    let results = &sum.results;
    let best_of = results.best_of.iter();
    let groups = results.level_groups.iter();
    let errors = sum.errors.rows();
    json!({
        "score_interval": results.score.map(ends), "success_interval": results.success.map(ends),
        "reference": results.is_reference, "difference": results.difference.as_ref().map(difference),
        "best_of": best_of.map(|point| json!({
            "n": point.n, "score": point.mean, "interval": point.band.map(ends),
        })).collect::<Vec<_>>(),
        "level_groups": groups.map(|group| json!({
            "name": group.name, "levels": group.levels, "scored": group.episodes, "score": group.mean, "score_se": group.error,
            "interval": group.interval.map(ends),
        })).collect::<Vec<_>>(),
        "errors": errors.map(|(_, name, found)| json!({
            "name": name, "count": found.count, "episodes": found.episodes, "first": found.first,
        })).collect::<Vec<_>>(),
        "per_step": sum.effort.per_step().as_ref().map(rates),
        "per_solved_level": sum.effort.per_solved_level().as_ref().map(rates),
        "produced_by": produced_by(&sum.provenance),
    })
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

fn difference(found: &Difference) -> Value {
    let paired = &found.paired;
    let (repeats, levels) = match found.needed.map(|(needed, _)| needed) {
        Some(RepeatsNeeded::Repeats(repeats)) => (Some(repeats), None),
        Some(RepeatsNeeded::Levels(levels)) => (None, Some(levels)),
        Some(RepeatsNeeded::OutOfReach) | None => (None, None),
    };
    json!({
        "reference": found.reference.fields(), "difference": paired.mean, "difference_se": paired.error,
        "interval": paired.interval.map(ends), "verdict": paired.verdict().text(), "pairs": paired.pairs.len(),
        "levels": paired.levels(), "unpaired_levels": paired.unpaired, "repeats_needed": repeats,
        "levels_needed": levels, "assumed_variation": found.needed.map(|(_, variation)| variation.assumed),
    })
}

fn rates(rates: &Rates) -> Value {
    json!({
        "seconds": rates.seconds, "tokens_in": rates.tokens_in, "tokens_out": rates.tokens_out, "costs": rates.costs,
    })
}

fn produced_by(provenance: &Provenance) -> Value {
    json!({
        "programs": provenance.programs, "served_models": provenance.served_models, "prompts": provenance.prompts,
        "seeds": provenance.seeds, "repeats": provenance.repeats, "started": provenance.started,
    })
}

/// By currency, what the known requests cost with a cache and without one, both estimates; `None` if that is unknown.
fn cache_costs(sum: &GroupStats) -> Option<Value> {
    let costs = sum.cache_costs.iter();
    let costs: Map<String, Value> = costs
        .map(|(currency, (with, without))| (currency.clone(), json!({"with": with, "without": without})))
        .collect();
    (!costs.is_empty()).then(|| costs.into())
}
