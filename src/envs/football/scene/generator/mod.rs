//! Generates scenes of our own in the benchmark's zones and kinds, four of each in the full set.
//!
//! - **Personal** and **teamwork** (`arranged`): two formations in a block that follows the ball. In a personal scene each
//!   free teammate gets a marker; in a teamwork scene at least two must be free by themselves.
//! - **Real** (`moments`): moments of matches that the simulator's AI plays against itself at varied difficulty.
//!
//! A candidate becomes a level if it passes the check of scenes (`check`).

mod arranged;
mod draw;
mod formation;
mod moments;

use std::sync::Arc;

use self::draw::Draw;
use super::place::distance;
use super::zone::{Kind, Zone};
use super::{Scene, check, limits, passing, text, zone};
use crate::{Football, Team};
use mageyard_domain::{
    Candidate, CandidateSource, CandidateWorker, Level, LevelGenerator, LevelKey, LevelKind, LevelPreset,
    Rejection, SearchBudget,
};

/// The scene does not pass the check.
const UNFIT: Rejection =
    Rejection { name: "unfit", title: "unfit", description: "without the zone, kind or carrier they need" };
/// An opponent is at the ball.
const CROWDED: Rejection =
    Rejection { name: "crowded", title: "crowded", description: "with an opponent at the ball" };

/// How far the nearest opponent is from the ball at least, in metres.
const ROOM: f64 = 3.0;
/// The zones and kinds of the benchmark's mini set (`MageBench`, section 3.3): 6 personal, 5 teamwork and 9 real ones.
const MINI: [&str; 20] = [
    "R1_P", "R1_R", "R2_T", "R2_R", "R3_P", "R3_R", "R3_T", "R4_P", "R4_R", "R4_T", "R5_P", "R5_R", "R6_T",
    "R6_R", "R7_P", "R7_R", "R8_R", "R8_T", "R9_P", "R9_R",
];
/// Scenes of each zone and kind in the full set.
const EACH: usize = 4;

/// A zone and a kind.
#[derive(Clone)]
struct Group {
    zone: Zone,
    kind: Kind,
    name: String,
}

/// The groups, by zone and then by kind.
fn groups() -> impl Iterator<Item = Group> {
    Zone::all().flat_map(|zone| {
        Kind::ALL.map(|kind| Group { zone, kind, name: format!("{zone}_{}", kind.letter()) })
    })
}

impl LevelGenerator for Football {
    fn origin(&self) -> &'static str {
        "in zones and kinds like those of MageBench"
    }

    fn candidate_noun(&self) -> [&'static str; 2] {
        ["scene", "scenes"]
    }

    fn kinds(&self) -> Vec<LevelKind> {
        let kind = |group: Group| {
            let what = match group.kind {
                Kind::Personal => "no teammate free",
                Kind::Teamwork => "two or more teammates free",
                Kind::Real => "a moment of a match",
            };
            let description = format!("zone {}, {what}", group.zone);
            LevelKind { name: group.name.clone(), description, source: Arc::new(group) }
        };
        groups().map(kind).collect()
    }

    fn presets(&self) -> Vec<LevelPreset> {
        let preset =
            |name, help, counts| LevelPreset { name, help, counts, max_moves: None, excludes_shipped: false };
        let full = NAMES.iter().map(|name| (*name, EACH)).collect();
        let mini = MINI.iter().map(|name| (*name, 1)).collect();
        vec![
            preset("football-full", "108 scenes, four of each zone and kind", full),
            preset("football-mini", "20 scenes in the zones and kinds of the mini set", mini),
        ]
    }

    fn rejections(&self) -> &'static [Rejection] {
        &[UNFIT, CROWDED]
    }

    fn key(&self, level: &Level) -> Option<LevelKey> {
        text::read_one(level.text()).ok().map(|scene| key(&scene))
    }

    fn kind_of(&self, level: &Level) -> Option<String> {
        let (zone, kind) = zone::of_name(&level.label())?;
        Some(format!("{zone}_{}", kind.letter()))
    }
}

/// The names of all groups in the order of [`groups`].
const NAMES: [&str; 27] = [
    "R1_P", "R1_T", "R1_R", "R2_P", "R2_T", "R2_R", "R3_P", "R3_T", "R3_R", "R4_P", "R4_T", "R4_R", "R5_P",
    "R5_T", "R5_R", "R6_P", "R6_T", "R6_R", "R7_P", "R7_T", "R7_R", "R8_P", "R8_T", "R8_R", "R9_P", "R9_T",
    "R9_R",
];

/// Equal scenes have the same ball and players, whatever their names.
fn key(scene: &Scene) -> LevelKey {
    text::print(&Scene { name: "key".into(), ..scene.clone() }).into_bytes().into()
}

impl CandidateSource for Group {
    fn worker(&self, seed: u64) -> Box<dyn CandidateWorker> {
        Box::new(Worker { group: self.clone(), seed })
    }
}

struct Worker {
    group: Group,
    seed: u64,
}

impl CandidateWorker for Worker {
    fn candidate(&mut self, number: u64, _budget: Option<SearchBudget<'_>>) -> Result<Candidate, Rejection> {
        let Group { zone, kind, name } = &self.group;
        let mut draw = Draw::of(self.seed, name, number);
        let title = format!("{name}-0");
        let scene = match kind {
            Kind::Real => moments::scene(&title, *zone, &mut draw).ok_or(UNFIT)?,
            kind => arranged::scene(&title, *zone, *kind, &mut draw),
        };
        judge(&scene)?;
        Ok(Candidate { number, text: text::print(&scene), sizes: None, key: key(&scene) })
    }
}

fn judge(scene: &Scene) -> Result<(), Rejection> {
    let ball = scene.ball_metres();
    let opponents = scene.metres(Team::Right);
    if opponents.iter().any(|place| distance(*place, ball) < ROOM) {
        return Err(CROWDED);
    }
    let alone = scene.metres(Team::Left).iter().filter(|place| distance(**place, ball) < 2.5).count() == 1;
    let on_pitch = text::errors(&text::print(scene)).is_empty() && limits::check_ball(scene.ball).is_ok();
    let fit = alone && on_pitch && passing::carrier(scene).is_some() && check::faults(scene).is_empty();
    fit.then_some(()).ok_or(UNFIT)
}

#[cfg(test)]
mod tests;
