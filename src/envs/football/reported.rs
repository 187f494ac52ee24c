//! A state as data, as the real engine reports it and facts have it: it is untrusted until it is checked.

use serde::Deserialize;

use crate::{FrameState, GameMode, MAX_PLAYERS, Owner, PlayerRole, Squad, Sticky, Team};

/// A state as it is reported.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ReportedState {
    pub(crate) ball: [f64; 3],
    pub(crate) ball_direction: [f64; 3],
    pub(crate) ball_rotation: [f64; 3],
    pub(crate) owner: [i64; 2],
    pub(crate) active: i64,
    pub(crate) mode: u8,
    pub(crate) score: [u32; 2],
    pub(crate) sticky: Vec<u8>,
    pub(crate) left: ReportedPlayers,
    pub(crate) right: ReportedPlayers,
    pub(crate) steps_left: u32,
}

/// The players of a team.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ReportedPlayers {
    pub(crate) places: Vec<[f64; 2]>,
    pub(crate) movements: Vec<[f64; 2]>,
    pub(crate) roles: Vec<u8>,
    pub(crate) tired: Vec<f64>,
}

impl ReportedState {
    /// The state, if it can be one. An error names the field.
    pub(crate) fn check(self) -> Result<FrameState, &'static str> {
        let left = self.left.check().ok_or("left needs 1 to 11 players")?;
        let right = self.right.check().ok_or("right needs 1 to 11 players")?;
        let owner = owner(self.owner, [left.count, right.count])?;
        let active = usize::try_from(self.active).ok().filter(|player| *player < left.count);
        Ok(FrameState {
            ball: self.ball,
            ball_movement: self.ball_direction,
            ball_rotation: self.ball_rotation,
            owner,
            active: active.ok_or("active names no player")?,
            mode: GameMode::from_code(self.mode).ok_or("mode is not 0 to 6")?,
            score: self.score,
            sticky: sticky(&self.sticky).ok_or("sticky has fewer than ten flags")?,
            left,
            right,
            steps_left: self.steps_left,
        })
    }
}

impl ReportedPlayers {
    fn check(&self) -> Option<Squad> {
        let count = self.places.len();
        let lengths = [self.movements.len(), self.roles.len(), self.tired.len()];
        if !(1..=MAX_PLAYERS).contains(&count) || lengths != [count; 3] {
            return None;
        }
        let mut squad = Squad { count, ..Squad::EMPTY };
        squad.positions[..count].copy_from_slice(&self.places);
        squad.movements[..count].copy_from_slice(&self.movements);
        squad.tired[..count].copy_from_slice(&self.tired);
        for (role, code) in squad.roles.iter_mut().zip(&self.roles) {
            *role = PlayerRole::from_code(*code)?;
        }
        Some(squad)
    }
}

/// The owner, if the ball has one.
fn owner([team, player]: [i64; 2], counts: [usize; 2]) -> Result<Option<Owner>, &'static str> {
    let unknown = "owner names no player";
    let (team, count) = match team {
        -1 => return Ok(None),
        0 => (Team::Left, counts[0]),
        1 => (Team::Right, counts[1]),
        _ => return Err(unknown),
    };
    let player = usize::try_from(player).ok().filter(|player| *player < count);
    Ok(Some(Owner { team, player: player.ok_or(unknown)? }))
}

/// The full action set has three more flags, which are left out.
fn sticky(flags: &[u8]) -> Option<Sticky> {
    let flags: &[u8; 10] = flags.first_chunk()?;
    Some(Sticky(flags.map(|flag| flag != 0)))
}
