//! What a scene promises beyond its text: the zone and the kind of its name, a carrier at the ball, and bodies that do not
//! overlap.

use async_trait::async_trait;

use super::place::distance;
use super::zone::{Kind, Zone};
use super::{Scene, passing, text, zone};
use crate::Team;
use mageyard_domain::{EnvironmentContext, EnvironmentError, Level, LevelCheck, Options};

/// The distances of the carrier from the ball in metres.
const CARRIER: [f64; 2] = [0.8, 2.3];
/// Two bodies in metres.
const BODIES: f64 = 0.72;

/// The check of scenes.
pub(crate) struct Check;

#[async_trait]
impl LevelCheck for Check {
    async fn check(
        &self,
        level: &Level,
        _options: &Options,
        _context: &EnvironmentContext,
    ) -> Result<Vec<String>, EnvironmentError> {
        let read = text::read_one(level.text());
        Ok(read.map_or_else(|error| vec![error.to_string()], |scene| faults(&scene)))
    }
}

/// Everything that is wrong with a scene, a sentence each.
pub(super) fn faults(scene: &Scene) -> Vec<String> {
    let name = zone::of_name(&scene.name);
    let named = name.into_iter().flat_map(|(zone, kind)| [zone_fault(scene, zone), kind_fault(scene, kind)]);
    named.chain([carrier_fault(scene)]).flatten().chain(overlaps(scene)).collect()
}

fn zone_fault(scene: &Scene, zone: Zone) -> Option<String> {
    let found = Zone::of(scene.ball);
    let [x, y] = scene.ball;
    (found != zone).then(|| format!("ball: ({x}, {y}) lies in zone {found}, and the name says {zone}"))
}

/// Real moments may have any number of free teammates.
fn kind_fault(scene: &Scene, kind: Kind) -> Option<String> {
    let free = passing::free_mates(scene).len();
    match kind {
        Kind::Personal if free > 0 => Some(format!("kind P: teammates who are free: {free}; none may be")),
        Kind::Teamwork if free < 2 => {
            Some(format!("kind T: teammates who are free: {free}; at least 2 must be"))
        }
        _ => None,
    }
}

fn carrier_fault(scene: &Scene) -> Option<String> {
    let carrier = scene.metres(Team::Left).get(passing::carrier(scene)?).copied()?;
    let gap = distance(carrier, scene.ball_metres());
    let [least, most] = CARRIER;
    (!(least..=most).contains(&gap)).then(|| {
        format!(
            "carrier: the nearest player of left is {gap:.2} m from the ball; it must be {least} to {most} m"
        )
    })
}

fn overlaps(scene: &Scene) -> Vec<String> {
    let of = |team: Team| {
        scene.metres(team).into_iter().zip(1..).map(move |(place, number)| (team, number, place))
    };
    let players: Vec<_> = of(Team::Left).chain(of(Team::Right)).collect();
    let mut found = Vec::new();
    for (index, (team, number, place)) in players.iter().enumerate() {
        for (other_team, other, other_place) in &players[index + 1..] {
            let gap = distance(*place, *other_place);
            if gap < BODIES {
                let [one, two] = [team, other_team].map(|team| super::limits::team_name(*team));
                found.push(format!(
                    "player {number} of {one} and player {other} of {two} overlap: {gap:.2} m apart"
                ));
            }
        }
    }
    found
}
