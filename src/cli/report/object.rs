//! The JSON object of a row of a report.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::cli::episode_output::request_fields;
use crate::engine::Mark;
use crate::lab::merged;
use crate::lab::report::Condition;
use crate::lab::report::GroupStats;

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
    merged(merged(condition.fields().into(), counts), request_fields(sum.spent))
}

/// By currency, what the known requests cost with a cache and without one, both estimates; `None` if that is unknown.
fn cache_costs(sum: &GroupStats) -> Option<Value> {
    let costs = sum.cache_costs.iter();
    let costs: Map<String, Value> = costs
        .map(|(currency, (with, without))| (currency.clone(), json!({"with": with, "without": without})))
        .collect();
    (!costs.is_empty()).then(|| costs.into())
}
