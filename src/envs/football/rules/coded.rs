//! The six terms as the released code computes them.

use super::ending::GameEnding;
use super::frame::Frame;
use super::lanes::{clearance, freedom};
use super::reward::GOAL;
use crate::{EngineAction, Owner, Team};

/// The most that a shot earns.
const SHOT_LIMIT: f64 = 40.0 / 3.0;

/// What the terms remember between frames. The first frame earns nothing, and its button goes unnoticed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coded {
    started: bool,
    /// The farthest ball while the left team had it.
    best: f64,
    /// The opponents passed when the left team had the ball last.
    passed: u32,
    /// The value of a received pass falls with each.
    scale: f64,
    /// A pass was ordered and none received since.
    pending: bool,
    /// Who had the ball last.
    previous: Option<Owner>,
    /// A shot was paid and the ball has not left the foot yet.
    shot: bool,
}

impl Default for Coded {
    fn default() -> Self {
        Self { started: false, best: 0.0, passed: 0, scale: 1.0, pending: false, previous: None, shot: false }
    }
}

impl Coded {
    pub(super) fn frame(&mut self, frame: &Frame<'_>) -> [f64; 6] {
        if !self.started {
            self.started = true;
            (self.best, self.passed) = (frame.ball()[0], frame.passed());
            return [0.0; 6];
        }
        let [advance, passed] = self.progress(frame);
        let goal = if frame.ending == Some(GameEnding::Goal) { GOAL } else { 0.0 };
        let loss = self.loss(frame);
        let pass = self.pass(frame, loss.is_some());
        let shot = self.shot(frame);
        [advance, passed, goal, loss.unwrap_or(0.0), pass, shot]
    }

    /// Terms 1 and 2, while the left team has the ball.
    fn progress(&mut self, frame: &Frame<'_>) -> [f64; 2] {
        if frame.after.owning_team() != Some(Team::Left) {
            return [0.0; 2];
        }
        let x = frame.ball()[0];
        let passed = frame.passed();
        let earned =
            [16.0 * (x - self.best).max(0.0), 20.0 / 11.0 * (f64::from(passed) - f64::from(self.passed))];
        (self.best, self.passed) = (self.best.max(x), passed);
        earned
    }

    /// Term 4, in every frame in which the right team has the ball, but not after a shot.
    fn loss(&self, frame: &Frame<'_>) -> Option<f64> {
        let lost = frame.after.owning_team() == Some(Team::Right) && !self.shot;
        lost.then(|| 20.0 * f64::from(frame.number - 1) / 400.0)
    }

    /// Term 5. The owner's team is not asked for.
    fn pass(&mut self, frame: &Frame<'_>, lost: bool) -> f64 {
        let owner = frame.after.owner;
        let received = self.pending
            && !lost
            && owner.is_some()
            && self.previous.is_some_and(|previous| Some(previous) != owner);
        let scale = self.scale;
        if received {
            (self.pending, self.scale) = (false, 0.75 * scale);
        }
        self.shot &= owner == self.previous;
        self.previous = owner.or(self.previous);
        self.pending |= frame.executed.is_pass();
        if received { 400.0 * scale * freedom(frame.ball(), frame.after.right.positions()) } else { 0.0 }
    }

    /// Term 6: only in the opponents' half, and full within the last 0.3.
    fn shot(&mut self, frame: &Frame<'_>) -> f64 {
        let owned = frame.after.owning_team() == Some(Team::Left);
        if frame.executed != EngineAction::Shot || !owned || self.shot {
            return 0.0;
        }
        self.shot = true;
        let x = frame.ball()[0];
        let nearness = if 1.0 - x < 0.3 { 1.0 } else { x.max(0.0) };
        (2000.0 * clearance(frame.ball(), frame.after.right.positions()) * nearness).min(SHOT_LIMIT)
    }
}
