//! The formation: ten slots in a box around the recent places of the ball. The box moves with the ball and with
//! the mood; players near the ball are drawn towards it.

use super::matching;
use super::memory::{AiMemory, BallMeans};
use super::moment::Moment;
use super::numbers::{bend, between, share};
use super::roles::mindset;
use super::slots::Slots;
use crate::PlayerRole;
use crate::sim::pitch::{HALF_LENGTH, HALF_WIDTH};
use crate::sim::vector::Vec2;

/// Half the depth and half the width of the box, as shares of half the pitch, before attack and defence.
const DEPTH: f64 = 0.45;
const WIDTH: f64 = 0.95;

/// The formation of one moment.
#[derive(Clone, Debug)]
pub(super) struct Formation {
    means: BallMeans,
    mood: f64,
    drive: f64,
    holder: Vec2,
    /// x of the line behind which the team does not fall.
    last_line: f64,
    hand: f64,
}

/// What a role changes in the box: added to the factors of depth, width and own half.
#[derive(Clone, Copy, Default)]
struct Extra {
    depth_defending: f64,
    width_attacking: f64,
    own_half: [f64; 2],
}

fn extra(role: PlayerRole) -> Extra {
    match role {
        PlayerRole::Cb => Extra { width_attacking: 0.2, ..Extra::default() },
        PlayerRole::Lb | PlayerRole::Rb => {
            Extra { width_attacking: 0.2, own_half: [-0.1, -0.075], ..Extra::default() }
        }
        PlayerRole::Lm | PlayerRole::Rm => Extra { own_half: [-0.1, -0.05], ..Extra::default() },
        PlayerRole::Am | PlayerRole::Cf => Extra { depth_defending: 0.125, ..Extra::default() },
        PlayerRole::Gk | PlayerRole::Dm | PlayerRole::Cm => Extra::default(),
    }
}

/// The box and the weights of one player.
struct Frame {
    back: f64,
    front: f64,
    /// y of the right and of the left edge, exchanged in a mirrored game.
    low: f64,
    high: f64,
    /// 0 the ball is theirs, 1 it is ours.
    ours: f64,
    ball: Vec2,
}

impl Formation {
    pub(super) fn of(moment: &Moment, memory: &AiMemory, last_line: f64) -> Self {
        Self {
            means: memory.ball_means(),
            mood: memory.mood,
            drive: memory.drive(),
            holder: moment.holder().place,
            last_line,
            hand: moment.hand,
        }
    }

    /// Where a player belongs who fills this slot; `role` is the slot's.
    pub(super) fn place(&self, slots: &Slots, slot: usize, role: PlayerRole, man: Vec2) -> Vec2 {
        let frame = self.frame(role, man);
        let drawn = self.drawn(&frame, stretched(slots.place(slot), &frame));
        Vec2::new(drawn.x.clamp(-HALF_LENGTH, HALF_LENGTH), drawn.y.clamp(-HALF_WIDTH, HALF_WIDTH))
    }

    /// A player near the ball follows its last second, one far away its last four.
    fn frame(&self, role: PlayerRole, man: Vec2) -> Frame {
        let near = 1.0 - share(self.holder.distance(man), 2.0, 30.0);
        let ball = Vec2::new(
            self.means.over(3.5 * (1.0 - near * 0.7)).x,
            self.means.over(4.0 * (1.0 - near * 0.5)).y,
        );
        let ours = self.ours(ball.x);
        let extra = extra(role);
        let depth = DEPTH * between(0.71 + extra.depth_defending, 0.868, ours);
        let width = WIDTH * between(0.84, (0.948 + extra.width_attacking).min(1.0), ours);
        let x = self.centre(
            role,
            ball.x,
            ours,
            between(0.54 + extra.own_half[1], 0.52 + extra.own_half[0], ours),
        );
        // Room for the box within the pitch.
        let x = x * ((1.0 - depth) * 0.95 + 0.05);
        let y = ball.y.clamp(-HALF_WIDTH, HALF_WIDTH) * ((1.0 - width) * 0.9 + 0.1);
        let back = (x - depth * HALF_LENGTH).max(self.last_line.clamp(-HALF_LENGTH, HALF_LENGTH));
        Frame {
            back,
            front: x + depth * HALF_LENGTH,
            low: y - self.hand * width * HALF_WIDTH,
            high: y + self.hand * width * HALF_WIDTH,
            ours,
            ball,
        }
    }

    /// How far the ball is ours: by the mood; where that is unclear, by the ball's place.
    fn ours(&self, ball_x: f64) -> f64 {
        let mood = share(self.mood - 0.5, 0.3, 0.7);
        let unclear = 0.6 * (1.0 - (2.0 * mood - 1.0).abs());
        between(mood, share(ball_x / HALF_LENGTH, -0.7, 0.7), unclear)
    }

    /// The middle of the box before it is fitted into the pitch.
    fn centre(&self, role: PlayerRole, ball_x: f64, ours: f64, own_half: f64) -> f64 {
        let offensive = mindset(role) - 0.5;
        let attacking = (0.176 + 0.2 * offensive - 0.15).clamp(0.0, 1.0);
        let defending = (0.332 - 0.2 * offensive - 0.15).clamp(0.0, 1.0);
        let side = HALF_LENGTH * (0.2 * (2.0 * ours - 1.0) + 0.8 * self.drive);
        let x = between(ball_x, side, between(defending, attacking, ours));
        (x - HALF_LENGTH * (2.0 * own_half - 1.0)).clamp(-HALF_LENGTH, HALF_LENGTH)
    }

    /// Draws a place of the box to the ball's side and to the action.
    fn drawn(&self, frame: &Frame, place: Vec2) -> Vec2 {
        let mut drawn = place;
        let off = ((frame.ball.y - place.y) / (frame.high - frame.low)).abs().min(1.0);
        let pull =
            (1.0 - off) * (0.2 + 0.8 * frame.ball.y.abs() / HALF_WIDTH) * between(0.2, 0.5, frame.ours);
        drawn.y = between(drawn.y, frame.ball.y, pull);
        let focus = self.focus(frame);
        let away = focus - place;
        let far = Vec2::new(away.x, away.y * 0.8).length() / 50.0;
        if far >= 1.0 {
            return drawn;
        }
        let close = bend(1.0 - far, 0.3) + 0.1 * (1.0 - share((far - 0.15).abs(), 0.0, 0.25));
        let strength = close.min(1.0) * focus_strength(frame);
        drawn.mix(Vec2::new(focus.x, between(focus.y, drawn.y, 0.4)), strength)
    }

    /// The action: the ball's recent places in attack, half of it the carrier in defence.
    fn focus(&self, frame: &Frame) -> Vec2 {
        let attacking = self.means.over(3.0);
        let defending = self.means.over(2.0).mix(self.holder, 0.5);
        let action = defending.mix(attacking, frame.ours);
        let most = (-frame.back).max(-HALF_LENGTH);
        let ahead = (action.x + 1.0).clamp(-HALF_LENGTH, HALF_LENGTH);
        let behind = (action.x - 2.0).clamp(-HALF_LENGTH, most);
        Vec2::new(between(behind, ahead, frame.ours), action.y * 0.9)
    }
}

/// The action draws little in attack on the own half and in defence on the other.
fn focus_strength(frame: &Frame) -> f64 {
    let forward = 0.3 + 0.7 * share(frame.ball.x / HALF_LENGTH, -0.7, 0.7);
    let drawn = between(libm::pow(1.0 - forward, 0.6), libm::pow(forward, 0.8), frame.ours);
    between(0.938, 0.826, frame.ours) * (0.2 + 0.8 * drawn)
}

/// The place of a slot in the box; midfield slots move forward with the ball.
fn stretched(slot: Vec2, frame: &Frame) -> Vec2 {
    let with_ball = share(frame.ball.x / HALF_LENGTH, -0.8, 0.8);
    let middle = 0.7 * between(0.776, 0.828, frame.ours) + 0.3 * with_ball;
    let midfield = 0.35 * bend((1.0 - (slot.x * 1.2).abs()).clamp(0.0, 1.0), 1.0);
    let x = between(slot.x, 2.0 * middle - 1.0, midfield);
    Vec2::new(
        between(frame.back, frame.front, x * 0.5 + 0.5),
        between(frame.low, frame.high, slot.y * 0.5 + 0.5),
    )
}

/// Gives the field players the slots anew: bottleneck matching of where they will be in half a second.
pub(super) fn assign_slots(moment: &Moment, formation: &Formation, memory: &mut AiMemory) {
    let field = moment.mate_count.saturating_sub(1).min(matching::MOST);
    let mut distance = [[0.0; matching::MOST]; matching::MOST];
    for slot in 0..field {
        let owner = &moment.mates[slot + 1];
        let place = formation.place(&memory.slots, slot + 1, owner.role, owner.place);
        for (player, row) in distance.iter_mut().enumerate().take(field) {
            row[slot] = moment.mates[player + 1].ahead(0.5).distance(place);
        }
    }
    let slots = matching::assign(&distance, field);
    for (player, slot) in slots.iter().enumerate().take(field) {
        memory.slot_of[player + 1] = u8::try_from(slot + 1).unwrap_or(0);
    }
}
