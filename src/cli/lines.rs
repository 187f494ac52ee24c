//! What `run` and `view` print: a line a step, a line an episode, for people or as JSON.

use serde_json::Value;
use serde_json::json;

use super::SCHEMA;
use crate::domain::visible;
use crate::engine::Ending;
use crate::engine::Episode;
use crate::engine::Step;

/// How lines are printed.
#[derive(Clone, Copy)]
pub(super) enum Style {
    People,
    Json,
}

/// The line of a step that is done.
pub(super) fn step(style: Style, episode: &Episode, step: &Step) -> String {
    let reward = step.effect.as_ref().map_or(0.0, |effect| effect.reward);
    let action = step.action.as_ref().map(ToString::to_string);
    match style {
        Style::Json => json!({
            "schema": SCHEMA, "type": "step", "level": episode.head().label,
            "reference": episode.head().reference, "step": step.number, "action": action,
            "reward": reward, "sum": step.returns.sum,
        })
        .to_string(),
        Style::People => {
            let note = step.effect.as_ref().and_then(|effect| effect.note.as_deref()).unwrap_or("");
            let action = action.unwrap_or_else(|| "(no action)".into());
            let line = format!("{:>4}  {action:<10} {reward:>+6.1}  sum {:>+7.1}  {note}", step.number, step.returns.sum);
            visible(line.trim_end()).into_owned()
        }
    }
}

/// What an episode came to.
pub(super) struct Result<'a> {
    pub(super) episode: &'a Episode,
    pub(super) score: Option<f64>,
    pub(super) seconds: f64,
    pub(super) session: &'a str,
}

/// The line of an episode.
pub(super) fn episode(style: Style, result: &Result<'_>) -> String {
    match style {
        Style::Json => object(result).to_string(),
        Style::People => sentence(result),
    }
}

fn object(Result { episode, score, seconds, session }: &Result<'_>) -> Value {
    let head = episode.head();
    json!({
        "schema": SCHEMA, "type": "episode", "level": head.label, "reference": head.reference,
        "agent": head.agent, "setting": head.setting, "seed": head.seed, "score": score,
        "best": episode.returns().best, "sum": episode.returns().sum,
        "optimum": episode.reference().map(|reference| reference.best),
        "optimal_steps": episode.reference().map(|reference| reference.steps),
        "steps": episode.steps_done(), "ending": episode.ending(),
        "solved": episode.ending() == Some(Ending::Won), "mixed": episode.is_mixed(),
        "seconds": seconds, "session": session,
    })
}

fn sentence(Result { episode, score, seconds, .. }: &Result<'_>) -> String {
    let head = episode.head();
    let score = score.map_or("unknown".to_owned(), |score| format!("{score:.1}"));
    let optimal = episode.reference().map_or(String::new(), |best| format!(" (shortest {})", best.steps));
    let ending = episode.ending().map_or("under way".to_owned(), |ending| ending.to_string());
    let line = format!(
        "{}  {}  score {score}  {} steps{optimal}  {ending}  {seconds:.2} s",
        head.reference,
        head.label,
        episode.steps_done(),
    );
    visible(&line).into_owned()
}
