//! The six terms as the paper prints them (`MageBench`, supplement, λ = 16, 20, 40, 20, 400, 100).

use super::ending::GameEnding;
use super::frame::Frame;
use super::lanes::{clearance, freedom};
use super::reward::GOAL;
use crate::{EngineAction, Owner, Team};

/// What the terms remember between frames.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Printed {
    /// The ball's x and the opponents passed when the left team had the ball last; before, after the first frame.
    last: Option<(f64, u32)>,
    /// Who passed, until someone has the ball.
    passer: Option<Owner>,
    /// Who had the ball last.
    previous: Option<Owner>,
}

impl Printed {
    pub(super) fn frame(&mut self, frame: &Frame<'_>) -> [f64; 6] {
        let [advance, passed] = self.progress(frame);
        let goal = if frame.ending == Some(GameEnding::Goal) { GOAL } else { 0.0 };
        let pass = self.pass(frame);
        [advance, passed, goal, loss(frame), pass, shot(frame)]
    }

    /// Terms 1 and 2, signed, while the left team has the ball.
    fn progress(&mut self, frame: &Frame<'_>) -> [f64; 2] {
        let now = (frame.ball()[0], frame.passed());
        let last = *self.last.get_or_insert(now);
        if frame.after.owning_team() != Some(Team::Left) {
            return [0.0; 2];
        }
        self.last = Some(now);
        [16.0 * (now.0 - last.0), 20.0 / 11.0 * (f64::from(now.1) - f64::from(last.1))]
    }

    /// Term 5: a teammate of the passer receives.
    fn pass(&mut self, frame: &Frame<'_>) -> f64 {
        if frame.executed.is_pass() {
            self.passer = self.previous.filter(|owner| owner.team == Team::Left);
        }
        let Some(owner) = frame.after.owner else { return 0.0 };
        self.previous = Some(owner);
        let Some(passer) = self.passer.filter(|passer| *passer != owner) else { return 0.0 };
        self.passer = None;
        if owner.team != passer.team {
            return 0.0;
        }
        let receiver = frame.after.left.positions.get(owner.player).copied().unwrap_or(frame.ball());
        400.0 * freedom(receiver, frame.after.right.positions())
    }
}

/// Term 4: an interception, a stoppage, or the limit.
fn loss(frame: &Frame<'_>) -> f64 {
    match frame.ending {
        Some(GameEnding::Possession | GameEnding::Out(_)) => 20.0 * f64::from(frame.number) / 400.0,
        Some(GameEnding::Limit) => 20.0,
        _ => 0.0,
    }
}

/// Term 6: a shot by the left team.
fn shot(frame: &Frame<'_>) -> f64 {
    let owned = frame.after.owning_team() == Some(Team::Left);
    if frame.executed != EngineAction::Shot || !owned {
        return 0.0;
    }
    100.0 * clearance(frame.ball(), frame.after.right.positions())
}
