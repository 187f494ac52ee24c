//! Posts, bar and nets: the woodwork reflects the ball and keeps 80 % of its speed, a net catches it.

use super::Ball;
use crate::sim::pitch::{GOAL_DEPTH, GOAL_HALF_WIDTH, GOAL_HEIGHT, HALF_LENGTH, TICK};
use crate::sim::vector::Vec2;

/// Radii of ball and wood together.
const CONTACT: f64 = 0.18;
/// Speed kept by a bounce off the wood.
const WOOD: f64 = 0.8;
/// Speed kept for each tick in a net.
const NET: f64 = 0.95;

/// Bounces the ball off the goal that is near, if one is.
pub(super) fn hit(ball: &mut Ball) {
    if ball.place.x.abs() < HALF_LENGTH - 1.0 || ball.place.y.abs() > GOAL_HALF_WIDTH + 1.0 {
        return;
    }
    hit_posts(ball);
    hit_bar(ball);
    hit_net(ball);
}

/// A post is a vertical line: the horizontal part of the velocity is reflected.
fn hit_posts(ball: &mut Ball) {
    if ball.height > GOAL_HEIGHT + CONTACT {
        return;
    }
    let post = Vec2::new(HALF_LENGTH * sign(ball.place.x), GOAL_HALF_WIDTH * sign(ball.place.y));
    let away = ball.place - post;
    let normal = away.unit();
    let towards = ball.velocity.dot(normal);
    if away.length() < CONTACT && towards < 0.0 {
        ball.velocity = (ball.velocity - normal * (2.0 * towards)) * WOOD;
        ball.rise *= WOOD;
    }
}

/// The bar runs along y: the velocity across it is reflected.
fn hit_bar(ball: &mut Ball) {
    if ball.place.y.abs() > GOAL_HALF_WIDTH {
        return;
    }
    let away = Vec2::new(ball.place.x - HALF_LENGTH * sign(ball.place.x), ball.height - GOAL_HEIGHT);
    let normal = away.unit();
    let towards = Vec2::new(ball.velocity.x, ball.rise).dot(normal);
    if away.length() < CONTACT && towards < 0.0 {
        ball.velocity = Vec2::new(ball.velocity.x - 2.0 * towards * normal.x, ball.velocity.y) * WOOD;
        ball.rise = (ball.rise - 2.0 * towards * normal.y) * WOOD;
    }
}

/// Behind the line, inside the goal: the nets at the back, at the sides and above stop the part of the velocity
/// that leads through them.
fn hit_net(ball: &mut Ball) {
    let depth = ball.place.x.abs() - HALF_LENGTH;
    let within = ball.place.y.abs() < GOAL_HALF_WIDTH && ball.height < GOAL_HEIGHT;
    if !(CONTACT..=GOAL_DEPTH + CONTACT).contains(&depth) || !within {
        return;
    }
    let next = ball.place + ball.velocity * TICK;
    let back = next.x.abs() - HALF_LENGTH > GOAL_DEPTH;
    let side = next.y.abs() > GOAL_HALF_WIDTH;
    let roof = ball.height + ball.rise * TICK > GOAL_HEIGHT;
    if back {
        ball.velocity.x = 0.0;
    }
    if side {
        ball.velocity.y = 0.0;
    }
    if roof {
        ball.rise = 0.0;
    }
    if back || side || roof {
        ball.velocity = ball.velocity * NET;
        ball.rise *= NET;
        ball.spin = [0.0; 3];
    }
}

fn sign(value: f64) -> f64 {
    if value < 0.0 { -1.0 } else { 1.0 }
}
