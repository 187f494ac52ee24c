//! Arranged scenes, personal and teamwork: two formations around a ball. Where nobody may be free, the free teammates get
//! an opponent each.

use super::draw::Draw;
use super::formation;
use crate::scene::place::{Metres, distance};
use crate::scene::zone::{Kind, Zone};
use crate::scene::{passing, place};
use crate::{Placed, PlayerRole, Scene, Team};

/// How far the carrier stands from the ball in metres.
const CARRIER: [f64; 2] = [0.9, 2.2];
/// How far opponents are from the ball at least, in metres.
const ROOM: f64 = 4.5;
/// How far teammates are from the ball at least, in metres.
const MATES: f64 = 3.5;
/// How far the ball is from the lines at least, in metres.
const MARGIN: f64 = 4.0;
/// How far behind the ball the middle of the attackers is, and how far before it that of the defenders.
const AHEAD: [f64; 2] = [2.0, -14.0];
/// How far a marker stands from his man, in metres.
const MARK: [f64; 2] = [1.6, 2.6];

/// The two teams as they are arranged, keepers first, in metres of the pitch.
struct Arranged {
    ball: Metres,
    left: Vec<(PlayerRole, Metres)>,
    right: Vec<(PlayerRole, Metres)>,
}

/// A scene of this zone and kind, as far as the drawing gives one; it is still to be checked.
pub(super) fn scene(name: &str, zone: Zone, kind: Kind, draw: &mut Draw) -> Scene {
    let mut arranged = arrange(ball_in(zone, draw), draw);
    let mut scene = arranged.scene(name);
    if kind == Kind::Personal {
        for _ in 0..arranged.right.len() {
            let Some(free) = passing::free_mates(&scene).first().copied() else { break };
            arranged.mark(free, draw);
            scene = arranged.scene(name);
        }
    }
    scene
}

/// A place in the zone, off the lines.
fn ball_in(zone: Zone, draw: &mut Draw) -> Metres {
    let [across, down] = zone.bounds();
    let within = |[low, high]: [f64; 2], unit: f64, half: f64| {
        let edge = half - MARGIN;
        [(low * unit + 0.5).max(-edge), (high * unit - 0.5).min(edge)]
    };
    let [[left, right], [top, bottom]] = [within(across, 54.4, 55.0), within(down, 83.6, 36.0)];
    [draw.between(left, right), draw.between(top, bottom)]
}

fn arrange(ball: Metres, draw: &mut Draw) -> Arranged {
    let mut left = formation::stand(ball, AHEAD[0], draw);
    let turned = |[x, y]: Metres| [-x, -y];
    let right = formation::stand(turned(ball), AHEAD[1], draw);
    let mut right: Vec<_> = right.into_iter().map(|(role, place)| (role, turned(place))).collect();
    let nearest = nearest_field_player(&left, ball);
    for (index, (_, place)) in left.iter_mut().enumerate().skip(1) {
        *place = if index == nearest { beside(ball, draw) } else { apart(*place, ball, MATES) };
    }
    for (_, place) in right.iter_mut().skip(1) {
        *place = apart(*place, ball, ROOM);
    }
    Arranged { ball, left, right }
}

fn nearest_field_player(team: &[(PlayerRole, Metres)], ball: Metres) -> usize {
    let gap = |index: &usize| distance(team[*index].1, ball);
    (1..team.len()).min_by(|one, other| gap(one).total_cmp(&gap(other))).unwrap_or(0)
}

/// A place for the carrier: at the ball, on any side of it but in front.
pub(super) fn beside(ball: Metres, draw: &mut Draw) -> Metres {
    let gap = draw.between(CARRIER[0], CARRIER[1]);
    let [x, y] = draw.vector(gap);
    [ball[0] - x.abs(), ball[1] + y]
}

/// The place, moved away from the ball to at least this distance.
fn apart(place: Metres, ball: Metres, least: f64) -> Metres {
    let gap = distance(place, ball);
    if gap >= least {
        return place;
    }
    let share = if gap < 0.1 { 0.0 } else { (least + 0.2) / gap };
    [0, 1].map(|axis| ball[axis] + (place[axis] - ball[axis]) * share)
}

impl Arranged {
    /// Moves the nearest opponent who is not a keeper to a teammate of the carrier, towards the ball.
    fn mark(&mut self, mate: usize, draw: &mut Draw) {
        let ball = self.ball;
        let man = self.left[mate].1;
        let marker = nearest_field_player(&self.right, man);
        let gap = draw.between(MARK[0], MARK[1]);
        let way = distance(ball, man).max(1.0);
        let [aside, along] = draw.vector(0.6);
        let place = [0, 1].map(|axis| man[axis] + (ball[axis] - man[axis]) * gap / way);
        self.right[marker].1 = apart([place[0] + aside, place[1] + along], ball, ROOM);
    }

    fn scene(&self, name: &str) -> Scene {
        let players = |team: Team, players: &[(PlayerRole, Metres)]| {
            players.iter().map(|(role, place)| Placed::at(*place, team, *role)).collect()
        };
        Scene {
            name: name.to_owned(),
            ball: place::ball_at(self.ball),
            left: players(Team::Left, &self.left),
            right: players(Team::Right, &self.right),
        }
    }
}
