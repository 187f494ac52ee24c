//! What a player is told to do in a tick: by the agent's buttons or by the AI. A command has no memory; the
//! player keeps what he has begun (a kick under way, a slide).

use super::vector::Vec2;

/// The nominal speeds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Gait {
    Idle,
    Dribble,
    Walk,
    Sprint,
}

impl Gait {
    /// Nominal speed in metres per second.
    pub(crate) const fn speed(self) -> f64 {
        match self {
            Self::Idle => 0.0,
            Self::Dribble => 3.5,
            Self::Walk => 5.0,
            Self::Sprint => 8.0,
        }
    }

    /// The band in which a speed lies: split at 1.8, 4.2 and 6 m/s.
    pub(crate) fn of(speed: f64) -> Self {
        match speed {
            speed if speed < 1.8 => Self::Idle,
            speed if speed < 4.2 => Self::Dribble,
            speed if speed < 6.0 => Self::Walk,
            _ => Self::Sprint,
        }
    }
}

/// Kinds of kicks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kick {
    Short,
    Long,
    High,
    Shot,
    /// High and far, to nobody.
    Clear,
}

/// Where a kick goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KickTarget {
    /// Along a held direction (unit, or zero for the facing): a pass finds its receiver by itself, a shot goes at
    /// the goal.
    Aim(Vec2),
    /// To this mate of the own team, led by his run.
    Player(u8),
    /// To a place in metres.
    Place(Vec2),
}

/// A kick that is wanted; it lives two seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KickRequest {
    pub(crate) kind: Kick,
    pub(crate) target: KickTarget,
    /// 0 to 1; a button held for one frame gives 0.151. Passes ignore it.
    pub(crate) power: f64,
}

/// What one player is told in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Command {
    /// Unit vector or zero, metres, y up.
    pub(crate) direction: Vec2,
    /// Wanted speed in metres per second; [`Gait::speed`] gives the nominal ones.
    pub(crate) speed: f64,
    /// The velocity that is wanted once the ball is at the feet, where it differs from the run to the ball.
    pub(crate) with_ball: Option<Vec2>,
    /// Where to look; the running direction if absent.
    pub(crate) facing: Option<Vec2>,
    pub(crate) kick: Option<KickRequest>,
    /// A sliding tackle along `direction`.
    pub(crate) slide: bool,
    /// The dribble button: smaller touches.
    pub(crate) close: bool,
    /// Turns with any touch as far as he wants, as the AI does; the agent's man turns a sprint in steps.
    pub(crate) agile: bool,
    /// Goes for the ball in a duel; a player who does not only blocks the way.
    pub(crate) tackle: bool,
}

impl Command {
    /// Stand still.
    pub(crate) const IDLE: Self = Self {
        direction: Vec2::ZERO,
        speed: 0.0,
        with_ball: None,
        facing: None,
        kick: None,
        slide: false,
        close: false,
        agile: false,
        tackle: true,
    };

    /// The command as it holds with the ball at the feet.
    pub(crate) fn on_ball(self) -> Self {
        match self.with_ball {
            Some(velocity) => {
                Self { direction: velocity.unit_or(self.direction), speed: velocity.length(), ..self }
            }
            None => self,
        }
    }
}
