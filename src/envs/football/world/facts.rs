//! The state as data, with the names of the real engine.

use serde_json::{Value, json};

use super::seen::Seen;
use super::settings::Engine;
use crate::{FrameState, GameEnding, PlayerRole, Squad, Team};

/// The facts of a state.
pub(super) fn facts(seen: &Seen) -> Value {
    let state = &seen.state;
    let mut facts = engine_facts(state);
    let own = json!({
        "engine": seen.engine.name(),
        "scene": &*seen.scene,
        "decision": seen.decision,
        "frames": seen.frames,
        "ending": seen.ending.map(ending_name),
        "reward_terms": seen.terms,
    });
    if let (Some(facts), Value::Object(own)) = (facts.as_object_mut(), own) {
        facts.extend(own);
        let said = [("engine_version", &seen.version), ("reopened", &seen.remark)];
        let said = said.into_iter().filter_map(|(name, text)| Some((name, text.as_deref()?)));
        facts.extend(said.map(|(name, text)| (name.to_owned(), text.into())));
        if seen.is_drawn {
            facts.insert("drawing".into(), "engine".into());
        }
    }
    facts
}

/// The engine with this name in the facts.
pub(super) fn engine_named(name: &str) -> Option<Engine> {
    [Engine::Lite, Engine::Grf].into_iter().find(|engine| engine.name() == name)
}

/// What the engine's own observation has.
pub(crate) fn engine_facts(state: &FrameState) -> Value {
    let owner = state.owner.map_or((-1, -1), |owner| {
        let team = i32::from(owner.team == Team::Right);
        (team, i64::try_from(owner.player).unwrap_or(-1))
    });
    let roles = |squad: &Squad| squad.roles[..squad.count].iter().map(|role| role.code()).collect::<Vec<_>>();
    let all = |squad: &Squad, value: Value| vec![value; squad.count];
    let left = &state.left;
    let right = &state.right;
    json!({
        "ball": state.ball, "ball_direction": state.ball_movement, "ball_rotation": state.ball_rotation,
        "ball_owned_team": owner.0, "ball_owned_player": owner.1,
        "left_team": left.positions(), "left_team_direction": &left.movements[..left.count],
        "left_team_roles": roles(left), "left_team_tired_factor": &left.tired[..left.count],
        "left_team_yellow_card": all(left, false.into()), "left_team_active": all(left, true.into()),
        "right_team": right.positions(), "right_team_direction": &right.movements[..right.count],
        "right_team_roles": roles(right), "right_team_tired_factor": &right.tired[..right.count],
        "right_team_yellow_card": all(right, false.into()), "right_team_active": all(right, true.into()),
        "active": state.active, "designated": state.active,
        "sticky_actions": state.sticky.0.map(u8::from), "game_mode": state.mode.code(),
        "score": state.score, "steps_left": state.steps_left,
    })
}

/// The name of an ending in facts and output.
pub(super) fn ending_name(ending: GameEnding) -> &'static str {
    use crate::GameMode as M;
    match ending {
        GameEnding::Goal => "goal",
        GameEnding::Conceded => "conceded",
        GameEnding::Possession => "lost",
        GameEnding::Out(M::GoalKick) => "goal_kick",
        GameEnding::Out(M::FreeKick) => "free_kick",
        GameEnding::Out(M::Corner) => "corner",
        GameEnding::Out(M::ThrowIn) => "throw_in",
        GameEnding::Out(M::Penalty) => "penalty",
        GameEnding::Out(M::Normal | M::KickOff) => "stopped",
        GameEnding::Limit => "limit",
    }
}

/// A player's name in texts and pictures: role and number, such as `CM 7`.
pub(super) fn player_name(role: PlayerRole, slot: usize) -> String {
    format!("{} {}", role.name(), slot + 1)
}
