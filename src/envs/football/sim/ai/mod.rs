//! The deciding half of the simulator: what the players of a team want, ten times a second. The rules are those
//! of the real engine's AI (Google Research Football, Apache-2.0, on public-domain code), as mechanisms: slots in
//! a moving box, force fields, markers and hunters, pass odds. Everything happens in the team's own frame.

mod carrier;
mod chase;
mod dribble;
mod effort;
mod field;
mod formation;
mod hunting;
mod judgement;
mod keeping;
mod leaders;
mod look;
mod marking;
mod matching;
mod memory;
mod moment;
mod numbers;
mod odds;
mod player;
mod releasing;
mod roles;
mod runs;
mod slots;
mod support;

pub(crate) use leaders::{Claims, Leaders};
pub(crate) use look::World;
pub(crate) use memory::AiMemory;

use super::command::Command;
use crate::MAX_PLAYERS;
use crate::random::Random;
use moment::Moment;
use player::Mind;

/// The commands of a team (left 0, right 1) for the next frame; that of a player whom an agent moves is to be
/// ignored. To be called once each frame, in the order of frames.
pub(crate) fn think(
    world: &World<'_>,
    team: usize,
    memory: &mut AiMemory,
    random: &mut Random,
) -> [Command; MAX_PLAYERS] {
    let moment = world.moment(team, memory);
    memory.observe(&moment);
    let last_line = marking::last_line(&moment);
    let formation = formation::Formation::of(&moment, memory, last_line);
    arrange(&moment, &formation, team, memory);
    let mind = Mind {
        moment: &moment,
        memory,
        sight: memory.sight(&moment, late(moment.difficulty)),
        clear: memory.sight(&moment, 0),
        formation,
        last_line,
        streams: team * MAX_PLAYERS,
    };
    let mut commands = [Command::IDLE; MAX_PLAYERS];
    for (mate, command) in commands.iter_mut().enumerate().take(moment.mate_count) {
        *command = look::turned(mind.command(mate, random), team);
    }
    commands
}

/// The way of one player of a team to the ball: direction (unit, axes of the pitch) and speed in metres per
/// second. The agent's player goes it by himself while a ball is on its way to him.
pub(crate) fn way_to_ball(world: &World<'_>, team: usize, player: usize) -> (super::vector::Vec2, f64) {
    let path = world.path(1.0);
    let chase = chase::to_ball(&world.man(team, player, 1.0), &path);
    (chase.direction, chase.speed)
}

/// The tasks that are given out now and then: slots and markers every 0.4 s (the teams take turns), runs every
/// half second, the supporter every 1.5 s.
fn arrange(moment: &Moment, formation: &formation::Formation, team: usize, memory: &mut AiMemory) {
    let frame = memory.decisions() - 1 + if team == 0 { 2 } else { 0 };
    if frame.is_multiple_of(4) {
        formation::assign_slots(moment, formation, memory);
    }
    if frame % 4 == 3 {
        marking::assign(moment, memory);
    }
    if frame.is_multiple_of(5) {
        runs::start(moment, memory);
    }
    if frame.is_multiple_of(15) {
        runs::choose_supporter(moment, memory);
    }
}

/// Frames by which a team of this difficulty sees late: 50 ms at 1 counts as none, 170 ms at 0 as two.
fn late(difficulty: f64) -> usize {
    let reaction = 0.85 * (0.3 + 0.7 * difficulty);
    let milliseconds = 80.0 - 40.0 * reaction + 100.0 * (1.0 - difficulty);
    if milliseconds < 55.0 {
        0
    } else if milliseconds < 150.0 {
        1
    } else {
        2
    }
}
