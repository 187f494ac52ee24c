//! One recorded state.

use super::RecordingError;
use super::field::Field;
use mageyard_football::{FrameState, GameMode, MAX_PLAYERS, Owner, PlayerRole, Squad, Sticky, Team};

/// The engine's own end: the `steps_left` of the first state.
const STEPS: u32 = 401;

/// The state after this many frames of teams with these roles.
pub(super) fn read(
    field: &Field<'_>,
    roles: &[Vec<PlayerRole>; 2],
    frame: u32,
) -> Result<FrameState, RecordingError> {
    let left = squad(field, ["L", "LD"], &roles[0])?;
    let right = squad(field, ["R", "RD"], &roles[1])?;
    let active = field.key("a")?;
    Ok(FrameState {
        ball: field.key("b")?.numbers()?,
        ball_movement: field.key("bd")?.numbers()?,
        ball_rotation: [0.0; 3],
        owner: owner(&field.key("o")?, [left.count, right.count])?,
        active: usize::from(active.code()?),
        mode: mode(&field.key("g")?)?,
        score: score(&field.key("s")?)?,
        sticky: sticky(&field.key("k")?)?,
        left,
        right,
        steps_left: STEPS.saturating_sub(frame),
    })
}

/// The roles of a team.
pub(super) fn roles(field: &Field<'_>) -> Result<Vec<PlayerRole>, RecordingError> {
    let role = |element: Field<'_>| {
        PlayerRole::from_code(element.code()?).ok_or_else(|| element.needs("the code of a role, 0 to 9"))
    };
    let roles: Vec<PlayerRole> = field.list()?.map(role).collect::<Result<_, _>>()?;
    match roles.len() {
        1..=MAX_PLAYERS => Ok(roles),
        _ => Err(field.needs("1 to 11 players")),
    }
}

fn squad(
    field: &Field<'_>,
    [positions, movements]: [&'static str; 2],
    roles: &[PlayerRole],
) -> Result<Squad, RecordingError> {
    let mut squad = Squad { count: roles.len(), ..Squad::EMPTY };
    squad.roles[..roles.len()].copy_from_slice(roles);
    squad.positions = pairs(&field.key(positions)?, roles.len())?;
    squad.movements = pairs(&field.key(movements)?, roles.len())?;
    Ok(squad)
}

/// A flat list of x and y of this many players.
fn pairs(field: &Field<'_>, count: usize) -> Result<[[f64; 2]; MAX_PLAYERS], RecordingError> {
    let list = field.list()?;
    if list.len() != 2 * count {
        return Err(field.length(list.len(), 2 * count));
    }
    let mut pairs = [[0.0; 2]; MAX_PLAYERS];
    for (number, place) in list.zip(pairs.as_flattened_mut()) {
        *place = number.number()?;
    }
    Ok(pairs)
}

fn owner(field: &Field<'_>, counts: [usize; 2]) -> Result<Option<Owner>, RecordingError> {
    let list: Vec<Field<'_>> = field.list()?.collect();
    let [team, player] = list[..] else { return Err(field.length(list.len(), 2)) };
    let team = match team.index()? {
        None => return Ok(None),
        Some(0) => Team::Left,
        Some(1) => Team::Right,
        Some(_) => return Err(team.needs("a team: -1, 0 or 1")),
    };
    let index = player.index()?.filter(|index| *index < counts[team as usize]);
    let player = index.ok_or_else(|| player.needs("the index of a player of the team"))?;
    Ok(Some(Owner { team, player }))
}

fn mode(field: &Field<'_>) -> Result<GameMode, RecordingError> {
    GameMode::from_code(field.code()?).ok_or_else(|| field.needs("a game mode, 0 to 6"))
}

fn score(field: &Field<'_>) -> Result<[u32; 2], RecordingError> {
    let list: Vec<u32> = field.list()?.map(|goals| goals.whole()).collect::<Result<_, _>>()?;
    let found = list.len();
    list.try_into().map_err(|_| field.length(found, 2))
}

/// The full action set has three more flags, which are left out.
fn sticky(field: &Field<'_>) -> Result<Sticky, RecordingError> {
    let mut flags = [false; 10];
    let list = field.list()?;
    if list.len() < flags.len() {
        return Err(field.length(list.len(), flags.len()));
    }
    for (flag, place) in list.zip(&mut flags) {
        *place = flag.flag()?;
    }
    Ok(Sticky(flags))
}
