//! The agent's 33 actions: directions and modifiers that stay, buttons that are held and released, and the
//! requests that they leave (engine's rules).

use super::command::{Kick, KickRequest, KickTarget};
use super::vector::Vec2;
use crate::{EngineAction, Sticky};

/// Frames that a request lives.
const REQUEST_LIFE: u8 = 20;
/// Frames after which a held button counts as released.
const LONGEST_HOLD: u8 = 5;
/// Power that each frame of holding adds.
const POWER: f64 = 0.151;

/// A button that is held: which kick, for how many frames.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    kind: Kick,
    frames: u8,
}

/// A kick that waits for the ball.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wish {
    kind: Kick,
    power: f64,
    frames_left: u8,
}

/// What the agent holds and wants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Input {
    /// Code of the held direction, 1 to 8.
    direction: Option<EngineAction>,
    sprint: bool,
    dribble: bool,
    /// The controlled player shall press the carrier.
    pressure: bool,
    slide: bool,
    held: Option<Held>,
    wish: Option<Wish>,
}

impl Input {
    /// Takes the action of one frame.
    pub(super) fn press(&mut self, action: EngineAction) {
        use EngineAction as A;
        self.slide = action == A::Sliding;
        self.hold(action);
        match action {
            A::Sprint | A::ReleaseSprint => self.sprint = action == A::Sprint,
            A::Dribble | A::ReleaseDribble => self.dribble = action == A::Dribble,
            A::Pressure | A::ReleasePressure => self.pressure = action == A::Pressure,
            A::ReleaseDirection => self.direction = None,
            A::BuiltinAi => (self.direction, self.sprint, self.dribble) = (None, false, false),
            _ if action.direction().is_some() => self.direction = Some(action),
            // Rushing of the keeper and pressing by a teammate are not simulated.
            _ => {}
        }
    }

    /// Buttons: the kick is wanted when the button is released, or after half a second.
    fn hold(&mut self, action: EngineAction) {
        self.wish = self.wish.and_then(|wish| {
            Some(Wish { frames_left: wish.frames_left.checked_sub(1).filter(|left| *left > 0)?, ..wish })
        });
        let pressed = kick_of(action);
        match (self.held, pressed) {
            (Some(held), Some(kind)) if held.kind == kind && held.frames < LONGEST_HOLD => {
                self.held = Some(Held { kind, frames: held.frames + 1 });
            }
            (held, pressed) => {
                if let Some(held) = held {
                    self.release(held);
                }
                self.held = pressed.map(|kind| Held { kind, frames: 1 });
            }
        }
        if action == EngineAction::ShortPass {
            self.wish = self.wish.filter(|wish| !matches!(wish.kind, Kick::Shot | Kick::High));
        }
    }

    fn release(&mut self, held: Held) {
        let power = (POWER * f64::from(held.frames)).min(1.0);
        self.wish = Some(Wish { kind: held.kind, power, frames_left: REQUEST_LIFE });
    }

    /// The wished kick has begun, or another player is controlled now.
    pub(super) fn forget_kick(&mut self) {
        self.wish = None;
    }

    /// The kick that is wanted now, along the held direction.
    pub(super) fn kick(&self) -> Option<KickRequest> {
        let Wish { kind, power, .. } = self.wish?;
        Some(KickRequest { kind, target: KickTarget::Aim(self.direction()), power })
    }

    /// The held direction: a unit vector, y up, or zero.
    pub(super) fn direction(&self) -> Vec2 {
        let direction = self.direction.and_then(EngineAction::direction);
        direction.map_or(Vec2::ZERO, |[x, y]| Vec2::new(x, -y))
    }

    pub(super) const fn sprints(&self) -> bool {
        self.sprint
    }

    pub(super) const fn dribbles(&self) -> bool {
        self.dribble
    }

    pub(super) const fn presses(&self) -> bool {
        self.pressure
    }

    pub(super) const fn slides(&self) -> bool {
        self.slide
    }

    /// The flags as the engine reports them.
    pub(super) fn sticky(&self) -> Sticky {
        let mut flags = [false; 10];
        if let Some(direction) = self.direction {
            flags[usize::from(direction.code()) - 1] = true;
        }
        (flags[8], flags[9]) = (self.sprint, self.dribble);
        Sticky(flags)
    }
}

/// The kick of a button.
fn kick_of(action: EngineAction) -> Option<Kick> {
    match action {
        EngineAction::LongPass => Some(Kick::Long),
        EngineAction::HighPass => Some(Kick::High),
        EngineAction::ShortPass => Some(Kick::Short),
        EngineAction::Shot => Some(Kick::Shot),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(actions: &[EngineAction]) -> Input {
        let mut input = Input::default();
        for &action in actions {
            input.press(action);
        }
        input
    }

    #[test]
    fn a_direction_stays_until_it_is_released() {
        use EngineAction as A;
        let held = after(&[A::Top, A::Sprint, A::Idle]);
        assert_eq!((held.direction(), held.sprints()), (Vec2::new(0.0, 1.0), true));
        assert_eq!(after(&[A::Top, A::ReleaseDirection]).direction(), Vec2::ZERO);
    }

    #[test]
    fn the_ai_clears_direction_sprint_and_dribble() {
        use EngineAction as A;
        let input = after(&[A::Left, A::Sprint, A::Dribble, A::BuiltinAi]);
        assert_eq!(input.sticky(), Sticky::default());
    }

    #[test]
    fn a_kick_is_wanted_when_the_button_is_released_and_forgotten_after_two_seconds() {
        use EngineAction as A;
        assert_eq!(after(&[A::Shot]).kick(), None);
        let kick = after(&[A::Right, A::Shot, A::Idle]).kick().unwrap();
        assert_eq!(
            (kick.kind, kick.power, kick.target),
            (Kick::Shot, 0.151, KickTarget::Aim(Vec2::new(1.0, 0.0)))
        );
        let mut actions = vec![A::Shot];
        actions.extend([A::Idle; 22]);
        assert_eq!(after(&actions).kick(), None);
    }

    #[test]
    fn consecutive_frames_of_a_button_are_one_hold_of_half_a_second_at_most() {
        use EngineAction as A;
        assert_eq!(after(&[A::Shot; 5]).kick(), None);
        assert!((after(&[A::Shot; 6]).kick().unwrap().power - 0.755).abs() < 1e-9);
    }

    #[test]
    fn a_short_pass_cancels_a_shot_that_waits() {
        use EngineAction as A;
        assert_eq!(after(&[A::Shot, A::Idle, A::ShortPass]).kick(), None);
    }
}
