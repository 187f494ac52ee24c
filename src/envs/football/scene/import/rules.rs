//! The rules that a scenario sets: everything but those of the benchmark would be another game. A rule that a scenario does
//! not set is that of the benchmark.

use mageyard_kit::Expression;

/// What a rule of a scenario must be.
enum Required {
    Flag(bool),
    Number(f64),
    /// Whatever it is, the game is the same.
    Free,
}

/// The rules of a scenario (`MageBench`, released scenarios).
const RULES: [(&str, Required); 10] = [
    ("game_duration", Required::Number(400.0)),
    ("deterministic", Required::Free),
    ("offsides", Required::Flag(false)),
    ("end_episode_on_score", Required::Flag(true)),
    ("end_episode_on_out_of_play", Required::Flag(true)),
    ("end_episode_on_possession_change", Required::Flag(true)),
    ("left_team_difficulty", Required::Number(1.0)),
    ("right_team_difficulty", Required::Number(0.0)),
    ("real_time", Required::Free),
    // Seeds are those of episodes.
    ("game_engine_random_seed", Required::Free),
];

/// Refuses a rule of another game.
pub(super) fn check(rule: &str, value: &Expression) -> Result<(), String> {
    let known = RULES.iter().find(|(name, _)| *name == rule);
    let (_, required) = known.ok_or_else(|| format!("{rule} is not a rule that is read"))?;
    let (fits, wanted) = match required {
        Required::Free => return Ok(()),
        Required::Flag(wanted) => {
            (flag(value) == Some(*wanted), if *wanted { "True" } else { "False" }.into())
        }
        Required::Number(wanted) => (*value == Expression::Number(*wanted), wanted.to_string()),
    };
    if fits { Ok(()) } else { Err(format!("{rule}: {value} would be another game; {wanted} is simulated")) }
}

/// The value of `True` or `False`.
pub(super) fn flag(value: &Expression) -> Option<bool> {
    match value {
        Expression::Name(name) if name == "True" => Some(true),
        Expression::Name(name) if name == "False" => Some(false),
        _ => None,
    }
}
