//! The ball: its flight in ticks of 10 ms, with gravity, drag, bounce, roll, spin and swerve, as measured on the
//! real engine. Posts, bar and nets are in `goal_frame`.

mod forecast;
mod goal_frame;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use forecast::{Forecast, POINTS as FORECAST_POINTS};

use super::pitch::{BALL_RADIUS, TICK};
use super::vector::Vec2;

const GRAVITY: f64 = 9.81;
/// Share of the speed that the air takes a second, for each metre per second.
const DRAG: f64 = 0.015;
/// Above the ground by less than this, the grass acts on the ball.
const GRASS: f64 = 0.025;
/// Reciprocal of the ball's radius in the engine's rolling law: radians per metre, times 1000/110.
const ROLL: f64 = 110.0;
/// The ball never leaves the stadium: walls behind lines and nets, metres beyond the lines.
const WALL: f64 = 8.0;
const HALF_STADIUM: Vec2 = Vec2::new(super::pitch::HALF_LENGTH + WALL, super::pitch::HALF_WIDTH + WALL);

/// The ball: place and velocity in metres and seconds, spin in radians per millisecond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    pub(crate) place: Vec2,
    /// Height of the centre.
    pub(crate) height: f64,
    pub(crate) velocity: Vec2,
    /// Upward speed.
    pub(crate) rise: f64,
    /// Spin about the axes x, y and z.
    pub(crate) spin: [f64; 3],
    /// 1, or −1 where the spin acts with the other sign (odd seeds).
    pub(crate) spin_sign: f64,
}

impl Ball {
    /// A ball at rest on the ground.
    pub(crate) const fn at(place: Vec2, spin_sign: f64) -> Self {
        Self { place, height: BALL_RADIUS, velocity: Vec2::ZERO, rise: 0.0, spin: [0.0; 3], spin_sign }
    }

    /// Speed in space, metres per second.
    pub(crate) fn speed(&self) -> f64 {
        (self.velocity.dot(self.velocity) + self.rise * self.rise).sqrt()
    }

    /// Energy of motion and height per unit of mass, in joules per kilogram.
    #[cfg(test)]
    pub(crate) fn energy(&self) -> f64 {
        0.5 * self.speed() * self.speed() + GRAVITY * (self.height - BALL_RADIUS)
    }

    /// One tick of flight.
    pub(crate) fn tick(&mut self) {
        self.fall_and_drag();
        let bounce = self.bounce();
        let near = self.height < BALL_RADIUS + GRASS;
        let grass = self.grass();
        if near {
            self.roll_friction(grass);
        }
        goal_frame::hit(self);
        if near {
            self.couple_spin(grass, bounce);
        }
        self.swerve();
        self.place += self.velocity * TICK;
        self.height += self.rise * TICK;
        self.stay_inside();
    }

    fn fall_and_drag(&mut self) {
        self.rise -= GRAVITY * TICK;
        let kept = (1.0 - DRAG * self.speed() * TICK).max(0.0);
        self.velocity = self.velocity * kept;
        self.rise *= kept;
    }

    /// How much the grass acts: 1 on the ground, 0 above.
    fn grass(&self) -> f64 {
        let share = (1.0 - (self.height - BALL_RADIUS) / GRASS).clamp(0.0, 1.0);
        if share > 0.0 && share < 1.0 { tables::power_0_7(share) } else { share }
    }

    /// Bounces off the ground; how hard, 0 to 1.
    fn bounce(&mut self) -> f64 {
        if self.height >= BALL_RADIUS {
            return 0.0;
        }
        let mut hardness = 0.0;
        if self.rise < 0.0 {
            hardness = ((-self.rise - 0.5) / 12.0).clamp(0.0, 1.0);
            self.rise = (0.62 * self.rise.abs() - 0.06).max(0.0);
        }
        self.height = BALL_RADIUS;
        hardness
    }

    fn roll_friction(&mut self, grass: f64) {
        let speed = self.velocity.length();
        let loss = (0.04 * grass * speed * speed + 1.6 * grass) * TICK;
        self.velocity = self.velocity.at_most((speed - loss).max(0.0));
    }

    /// The ground couples spin and velocity.
    fn couple_spin(&mut self, grass: f64, bounce: f64) {
        let before = self.velocity;
        let [x, y, z] = self.spin;
        let surface = Vec2::new(y, -x) * (ROLL * self.spin_sign);
        self.velocity = before.mix(surface, 0.01 * grass + 0.5 * bounce);
        let rolling = [-before.y / ROLL * self.spin_sign, before.x / ROLL * self.spin_sign, 0.0];
        let most = std::f64::consts::PI * (grass + if bounce > 0.0 { 4.0 } else { 0.0 }) / 1000.0;
        self.spin = approach([x, y, z], rolling, most);
    }

    /// The spin bends the path (Magnus effect).
    fn swerve(&mut self) {
        let [x, y, z] = self.spin;
        let speed = self.speed();
        if speed < 1e-6 || x * x + y * y + z * z < 1e-12 {
            return;
        }
        let strength = tables::swerve(speed) * TICK * -10.0 * self.spin_sign / speed;
        let along = self.velocity;
        let up = self.rise;
        self.velocity += Vec2::new(along.y * z - up * y, up * x - along.x * z) * strength;
        self.rise += (along.x * y - along.y * x) * strength;
    }

    /// The walls of the stadium stop the ball; only a ball that is out of play reaches them.
    fn stay_inside(&mut self) {
        let inside = Vec2::new(
            self.place.x.clamp(-HALF_STADIUM.x, HALF_STADIUM.x),
            self.place.y.clamp(-HALF_STADIUM.y, HALF_STADIUM.y),
        );
        if inside != self.place {
            self.place = inside;
            self.velocity = Vec2::ZERO;
        }
    }

    /// Kicked along `velocity` and `rise`: the old spin is blended into a new one about the axis across the path.
    /// `surface` is its speed in radians per second (positive: rolling forwards), `share` the weight of the new.
    pub(crate) fn kick(&mut self, velocity: Vec2, rise: f64, surface: f64, share: f64) {
        let along = velocity.unit();
        let fresh = [-along.y * surface / 1000.0, along.x * surface / 1000.0, 0.0];
        for (own, new) in self.spin.iter_mut().zip(fresh) {
            *own = *own * (1.0 - share) + new * share;
        }
        self.velocity = velocity;
        self.rise = rise;
    }

    /// Pushed by a foot, on the ground: rolls without slipping.
    pub(crate) fn push(&mut self, velocity: Vec2) {
        self.velocity = velocity;
        let sign = self.spin_sign / ROLL;
        self.spin = [-velocity.y * sign, velocity.x * sign, 0.0];
    }
}

/// Moves `from` towards `to` by at most `most`.
fn approach(from: [f64; 3], to: [f64; 3], most: f64) -> [f64; 3] {
    let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    let length = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
    if length <= most {
        return to;
    }
    let share = most / length;
    [from[0] + way[0] * share, from[1] + way[1] * share, from[2] + way[2] * share]
}
