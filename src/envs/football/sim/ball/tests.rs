//! The flight of the ball against recorded kicks of the real engine, and what no ball may do.

use super::*;
use crate::sim::pitch::{GOAL_HALF_WIDTH, HALF_LENGTH};

/// A recorded kick: the sign of the spin, the ball's velocity along x before it, the first state after it, and the
/// places one and two seconds later; metres, y up. The surface speed of its spin is part of the law.
struct Kick {
    sign: f64,
    surface: f64,
    share: f64,
    before: f64,
    place: [f64; 3],
    velocity: [f64; 3],
    later: [[f64; 3]; 2],
}

const PASS: f64 = 3.5 * 15.0;
const HIGH: f64 = -1.3 * 15.0;

const KICKS: [Kick; 6] = [
    Kick {
        sign: 1.0,
        surface: PASS,
        share: 0.9,
        before: 4.66,
        place: [-34.03, 0.0, 0.11],
        velocity: [31.99, -1.24, 6.02],
        later: [[-10.67, -1.07, 0.15], [0.87, -1.67, 0.11]],
    },
    Kick {
        sign: -1.0,
        surface: PASS,
        share: 0.9,
        before: 4.39,
        place: [-31.35, -0.11, 0.64],
        velocity: [29.71, -1.20, 5.84],
        later: [[-7.54, -1.27, 4.84], [9.51, -2.35, 4.15]],
    },
    Kick {
        sign: 1.0,
        surface: HIGH,
        share: 0.9,
        before: 4.92,
        place: [-33.17, -0.06, 0.66],
        velocity: [30.68, -1.29, 10.65],
        later: [[-8.37, -1.14, 5.94], [9.54, -1.97, 2.50]],
    },
    Kick {
        sign: -1.0,
        surface: HIGH,
        share: 0.9,
        before: 4.88,
        place: [-33.51, -0.05, 0.54],
        velocity: [30.99, -1.30, 10.42],
        later: [[-7.90, -1.16, 2.20], [6.25, -1.81, 0.98]],
    },
    Kick {
        sign: 1.0,
        surface: -20.0,
        share: 0.7,
        before: 4.66,
        place: [-31.94, -0.04, 0.35],
        velocity: [30.13, -0.56, 2.50],
        later: [[-9.22, -0.59, 0.13], [1.12, -0.89, 0.11]],
    },
    Kick {
        sign: -1.0,
        surface: -20.0,
        share: 0.7,
        before: 4.64,
        place: [-32.19, 0.01, 0.23],
        velocity: [31.60, 0.20, 1.15],
        later: [[-12.34, 0.58, 0.11], [-4.07, 0.92, 0.11]],
    },
];

fn kicked(kick: &Kick) -> Ball {
    let [x, y, height] = kick.place;
    let [vx, vy, rise] = kick.velocity;
    let mut ball = Ball { height, ..Ball::at(Vec2::new(x, y), kick.sign) };
    ball.push(Vec2::new(kick.before, 0.0));
    ball.kick(Vec2::new(vx, vy), rise, kick.surface, kick.share);
    ball
}

fn off(ball: &Ball, place: [f64; 3]) -> f64 {
    let flat = ball.place.distance(Vec2::new(place[0], place[1]));
    (flat * flat + (ball.height - place[2]) * (ball.height - place[2])).sqrt()
}

#[test]
fn recorded_kicks_are_followed() {
    for (number, kick) in KICKS.iter().enumerate() {
        let mut ball = kicked(kick);
        for _ in 0..100 {
            ball.tick();
        }
        let first = off(&ball, kick.later[0]);
        for _ in 0..100 {
            ball.tick();
        }
        let second = off(&ball, kick.later[1]);
        assert!(
            first < 0.9 && second < 1.8,
            "kick {number}: {first:.2} m after 1 s, {second:.2} m after 2 s"
        );
    }
}

#[test]
fn energy_never_grows_from_nothing() {
    for step in 0..120_u32 {
        let angle = f64::from(step) * 0.4;
        let speed = 2.0 + f64::from(step % 35);
        let mut ball = Ball::at(Vec2::new(0.0, 0.0), if step % 2 == 0 { 1.0 } else { -1.0 });
        ball.kick(Vec2::new(speed, 0.0).turned(angle), speed * 0.3, 0.0, 1.0);
        let mut energy = ball.energy();
        for tick in 0..400 {
            ball.tick();
            let now = ball.energy();
            assert!(now < energy + 0.05, "kick {step}, tick {tick}: from {energy} to {now} J/kg");
            energy = now;
        }
    }
}

#[test]
fn the_ball_stays_in_the_stadium() {
    for step in 0..72_u32 {
        let mut ball = Ball::at(Vec2::new(50.0, 30.0), 1.0);
        ball.kick(Vec2::new(60.0, 0.0).turned(f64::from(step) * 5.0), 20.0, -60.0, 1.0);
        for _ in 0..600 {
            ball.tick();
            let inside = ball.place.x.abs() <= HALF_STADIUM.x && ball.place.y.abs() <= HALF_STADIUM.y;
            assert!(inside && ball.height < 60.0 && ball.height > -0.5, "kick {step}: {ball:?}");
        }
    }
}

#[test]
fn a_post_sends_the_ball_back_with_less_speed() {
    let mut ball = Ball::at(Vec2::new(HALF_LENGTH - 2.0, GOAL_HALF_WIDTH), 1.0);
    ball.push(Vec2::new(25.0, 0.0));
    let before = ball.speed();
    for _ in 0..12 {
        ball.tick();
    }
    assert!(ball.velocity.x < 0.0 && ball.speed() < 0.85 * before, "{ball:?}");
}

#[test]
fn a_net_stops_the_ball() {
    let mut ball = Ball::at(Vec2::new(HALF_LENGTH - 1.0, 0.0), 1.0);
    ball.push(Vec2::new(30.0, 1.0));
    for _ in 0..200 {
        ball.tick();
    }
    assert!(ball.place.x < HALF_LENGTH + 2.6 && ball.place.x > HALF_LENGTH, "{ball:?}");
}

#[test]
fn the_forecast_is_the_way_of_an_untouched_ball() {
    let mut ball = Ball::at(Vec2::ZERO, -1.0);
    ball.kick(Vec2::new(20.0, 3.0), 5.0, 30.0, 1.0);
    let mut forecast = Forecast::of(&ball);
    for frame in 0..40 {
        let then = forecast.at(7);
        let mut later = ball;
        for _ in 0..70 {
            later.tick();
        }
        assert!(
            then.place == later.place && then.height.to_bits() == later.height.to_bits(),
            "frame {frame}"
        );
        for _ in 0..10 {
            ball.tick();
        }
        forecast.advance();
    }
}
