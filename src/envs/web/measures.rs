//! What is counted over a set of episodes (`WebCanvas`, section 3.3, appendices E and K).
//!
//! Episodes that met a page which blocks agents are counted in all measures but the clean ones: what a captcha stops is not a
//! mistake of the agent.

use mageyard_domain::{SetMeasure, Verdict};

/// The measures of a set.
pub const MEASURES: &[SetMeasure] = &[
    SetMeasure::percentage("completion", "completion %", |verdict| {
        Some((figure(verdict, "achieved")?, figure(verdict, "nodes")?))
    }),
    SetMeasure::percentage("success", "success %", |verdict| Some((success(verdict), 1.0))),
    SetMeasure::percentage("near_success", "near success %", |verdict| share_of(verdict, "near_success")),
    SetMeasure::percentage("step_score_rate", "step score %", |verdict| Some((rate(verdict)?, 1.0))),
    SetMeasure::percentage("human_alignment", "HAS %", |verdict| share_of(verdict, "human_alignment")),
    // As published: 0 where nothing was achieved.
    SetMeasure::ratio("efficiency_with_zeros", "steps/node, code", |verdict| {
        Some((efficiency(verdict).unwrap_or_default(), 1.0))
    }),
    SetMeasure::ratio("efficiency_of_sums", "steps/node", |verdict| {
        Some((figure(verdict, "steps")?, figure(verdict, "achieved")?))
    }),
    SetMeasure::ratio("efficiency", "steps/node, if any", |verdict| Some((efficiency(verdict)?, 1.0))),
    // Of episodes whose cost is known; others are left out, which is not 0.
    SetMeasure::cost_over("usd_efficiency", "USD/node", |verdict| figure(verdict, "achieved")),
    SetMeasure::percentage("too_early", "ended early %", |verdict| share_of(verdict, "too_early")),
    SetMeasure::percentage("too_late", "not ended %", |verdict| share_of(verdict, "too_late")),
    SetMeasure::percentage("looped", "looped %", |verdict| share_of(verdict, "looped")),
    SetMeasure::percentage("blocked", "blocked %", |verdict| share_of(verdict, "blocked")),
    SetMeasure::percentage("clean_completion", "completion % clean", |verdict| {
        let verdict = clean(verdict)?;
        Some((figure(verdict, "achieved")?, figure(verdict, "nodes")?))
    }),
    SetMeasure::percentage("clean_success", "success % clean", |verdict| {
        Some((success(clean(verdict)?), 1.0))
    }),
    SetMeasure::percentage("clean_human_alignment", "HAS % clean", |verdict| {
        share_of(clean(verdict)?, "human_alignment")
    }),
];

fn figure(verdict: &Verdict, name: &str) -> Option<f64> {
    verdict.figures.get(name).copied()
}

fn share_of(verdict: &Verdict, name: &str) -> Option<(f64, f64)> {
    Some((figure(verdict, name)?, 1.0))
}

fn success(verdict: &Verdict) -> f64 {
    if verdict.success { 1.0 } else { 0.0 }
}

fn rate(verdict: &Verdict) -> Option<f64> {
    let nodes = figure(verdict, "nodes").filter(|nodes| *nodes > 0.0)?;
    Some(figure(verdict, "achieved")? / nodes)
}

fn efficiency(verdict: &Verdict) -> Option<f64> {
    let achieved = figure(verdict, "achieved").filter(|achieved| *achieved > 0.0)?;
    Some(figure(verdict, "steps")? / achieved)
}

/// The verdict, if its episode met no page that blocks agents.
fn clean(verdict: &Verdict) -> Option<&Verdict> {
    Some(verdict).filter(|verdict| figure(verdict, "blocked") == Some(0.0))
}
