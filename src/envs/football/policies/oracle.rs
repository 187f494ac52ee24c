//! The oracle: it tries every plan on a copy of the game, randomness included, and plays the first decision of the best.
//! The game's own player is one of the plans, so its episode earns at least what that player would earn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::plan::Plan;
use crate::world::{Engine, Play, View};
use mageyard_domain::{Action, ActionSpace, Observation, Policy, PolicyError};

/// The policy.
pub(super) struct Oracle;

/// The best plan of a moment.
struct Best {
    plan: Plan,
    value: f64,
    tried: usize,
}

impl Policy for Oracle {
    fn next_action(
        &mut self,
        _step: u32,
        seen: &Observation,
        _space: &ActionSpace,
        stop: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        let play = play(seen)?;
        if play.ending().is_some() {
            return Ok(None);
        }
        let Best { plan, value, tried } = best(&play, stop)?;
        let reason = format!(
            "Of {tried} plans the best is to {plan}; it earns {value:.1} more points until the end of the episode."
        );
        Ok(Some((Action::plain(plan.next(&play).0.name()), reason)))
    }

    fn plan(
        &mut self,
        seen: &Observation,
        _space: &ActionSpace,
        limit: u32,
        stop: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        let mut play = play(seen)?.as_ref().clone();
        let mut actions = Vec::new();
        let mut sum = 0.0;
        while play.ending().is_none() && actions.len() < usize::try_from(limit).unwrap_or(usize::MAX) {
            let action = best(&play, stop)?.plan.next(&play).0;
            sum += play.decide(action, |_| {}).reward();
            actions.push(Action::plain(action.name()));
        }
        let reason = format!("The best {} decisions that I found earn {sum:.1} points.", actions.len());
        Ok((actions, reason))
    }
}

fn play(seen: &Observation) -> Result<Arc<Play>, PolicyError> {
    let view = seen.source::<View>();
    let why = match view.map(View::engine) {
        Some(Engine::Grf) => {
            "plans are tried on copies of the game, and the real engine has none: play with football.engine=lite"
        }
        _ => "the game of this observation is gone, so no plan can be tried",
    };
    view.and_then(View::play).ok_or_else(|| PolicyError::GaveUp(why.to_owned()))
}

/// The plan with the largest value; the earlier one of equals.
fn best(play: &Play, stop: &AtomicBool) -> Result<Best, PolicyError> {
    let plans = Plan::all(play);
    let mut best = Best { plan: Plan::Builtin, value: f64::NEG_INFINITY, tried: plans.len() };
    for plan in plans {
        if stop.load(Ordering::Relaxed) {
            return Err(PolicyError::GaveUp("the search was stopped".to_owned()));
        }
        let value = plan.value(play);
        if value > best.value {
            (best.plan, best.value) = (plan, value);
        }
    }
    Ok(best)
}
