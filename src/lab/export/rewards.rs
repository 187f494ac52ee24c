//! Reinforcement-learning rewards (`MageBench`): for the task in units of its environment, for the format of a
//! reply, for its length, and a penalty for repetition.

use std::ops::Add;

use serde::Serialize;

use mageyard_dialog::{ReaderRules, parse_reply};
use mageyard_domain::{ActionSpace, ReplyFormat};

/// The reader rules that judge the format of a reply, whatever reader the episode used.
pub(super) const RULES: &str = "think";
/// For a reply in the right format with known actions.
const FORMAT: f64 = 0.5;
/// The number of characters that count, at a thousandth each.
const MAX_CHARACTERS: usize = 200;
const PER_CHARACTER: f64 = 0.001;
/// For a step that is part of a repetition.
const REPETITION: f64 = -0.2;

/// The parts of a reward. `total` is their sum; the step cost is separate and not included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Rewards {
    /// The reward of the environment without the step cost, in its units.
    pub(super) task: f64,
    /// 0.5 for the right format.
    pub(super) format: f64,
    /// 0.001 per character, at most 0.2.
    pub(super) length: f64,
    /// -0.2 for repetition.
    pub(super) repetition: f64,
    /// The sum of the four.
    pub(super) total: f64,
}

impl Rewards {
    /// Builds a reward from its parts, rounded to six decimal places.
    pub(super) fn of(task: f64, format: f64, length: f64, repetition: f64) -> Self {
        let [task, format, length, repetition] = [task, format, length, repetition].map(rounded);
        Self { task, format, length, repetition, total: rounded(task + format + length + repetition) }
    }
}

impl Add for Rewards {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::of(
            self.task + other.task,
            self.format + other.format,
            self.length + other.length,
            self.repetition + other.repetition,
        )
    }
}

pub(super) fn rounded(number: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (number * 1e6).round() / 1e6 + 0.0
}

/// The reward for the format of a reply. `form` is the environment's own reply format.
pub(super) fn format_reward(
    rules: &ReaderRules,
    form: &ReplyFormat,
    reply: &str,
    space: &ActionSpace,
) -> f64 {
    match parse_reply(rules, &rules.reply_format(form), reply, space).result {
        Ok(_) => FORMAT,
        Err(_) => 0.0,
    }
}

/// The reward for the length of a reply.
pub(super) fn length_reward(reply: &str) -> f64 {
    let characters = reply.chars().take(MAX_CHARACTERS).count();
    PER_CHARACTER * f64::from(u32::try_from(characters).unwrap_or(0))
}

/// The penalty for repetition.
pub(super) fn repetition_reward(repeats: bool) -> f64 {
    if repeats { REPETITION } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_rewarded_for_format_and_length() {
        let rules = ReaderRules::named(RULES).unwrap();
        let form = ReplyFormat::headings("# analyze", "# action", false);
        let space = ActionSpace::new(&[("Left", "walk left"), ("Up", "walk up")]);
        let paid = |reply: &str| (format_reward(&rules, &form, reply, &space), rounded(length_reward(reply)));
        assert_eq!(paid("<think>a</think><answer>Up</answer>"), (0.5, 0.035));
        assert_eq!(paid("<think>a</think><answer>Jump</answer>"), (0.0, 0.037));
        assert_eq!(paid("# analyze\na\n\n# action\nUp"), (0.0, 0.024));
        assert_eq!(paid(""), (0.0, 0.0));
        let long = format!("<think>{}</think><answer>Left</answer>", "é".repeat(500));
        assert_eq!(paid(&long), (0.5, 0.2));
        assert_eq!(paid(&"é".repeat(199)), (0.0, 0.199));
    }

    #[test]
    fn parts_are_added_without_rounding_errors() {
        let ten = (0..10).fold(Rewards::default(), |sum, _| sum + Rewards::of(0.0, 0.5, 0.2, -0.2));
        assert_eq!(ten, Rewards { task: 0.0, format: 5.0, length: 2.0, repetition: -2.0, total: 5.0 });
        assert_eq!(Rewards::of(11.0, 0.5, 0.035, 0.0).total, 11.535);
    }
}
