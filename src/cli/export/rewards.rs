//! The rewards of reinforcement learning (`MageBench`, Sokoban): for the task in the units of gym-sokoban, for the
//! form of a reply, for its length, and against repetition.

use std::ops::Add;

use serde::Serialize;

use crate::dialog::ReaderRules;
use crate::dialog::parse_reply;
use crate::domain::ActionSpace;
use crate::domain::EnvironmentSpec;
use crate::domain::ReplyFormat;
use crate::envs::Sokoban;

/// The rules by which the form of a reply is judged, whatever rules the episode was played by.
pub(super) const RULES: &str = "think";
/// For a reply in the form, with actions that are recognised.
const FORMAT: f64 = 0.5;
/// Characters of a reply that count, a thousandth each.
const MAX_CHARACTERS: usize = 200;
const PER_CHARACTER: f64 = 0.001;
/// For a step that is part of a repetition.
const REPETITION: f64 = -0.2;
/// Points of a step, and points for one unit of gym-sokoban.
const STEP_POINTS: f64 = -0.5;
const POINTS_PER_UNIT: f64 = 5.0;

/// The parts of a reward. `total` is their sum; the cost of a step is not among them and stands apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Rewards {
    /// 1 for each box that came onto a target, -1 for each that left one, 10 for all of them.
    pub(super) task: f64,
    /// 0.5 for the form.
    pub(super) format: f64,
    /// 0.001 a character, 0.2 at most.
    pub(super) length: f64,
    /// -0.2 for repetition.
    pub(super) repetition: f64,
    /// The sum of the four.
    pub(super) total: f64,
}

impl Rewards {
    /// Of these parts, with their sum, free of what reckoning in floats leaves behind the sixth place.
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

/// Whether the rewards of this kind of environment can be told in the units of gym-sokoban.
pub(super) fn is_defined_for(kind: &dyn EnvironmentSpec) -> bool {
    kind.name() == Sokoban.name()
}

/// What a step was worth for the task by its reward in points, its cost taken out.
pub(super) fn task_reward(points: f64) -> f64 {
    (points - STEP_POINTS) / POINTS_PER_UNIT
}

/// What a step costs, in the units of gym-sokoban.
pub(super) const STEP_COST: f64 = STEP_POINTS / POINTS_PER_UNIT;

/// What the form of a reply is worth. `form` is the environment's own; the rules say how it is written.
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

/// What the length of a reply is worth.
pub(super) fn length_reward(reply: &str) -> f64 {
    let characters = reply.chars().take(MAX_CHARACTERS).count();
    PER_CHARACTER * f64::from(u32::try_from(characters).unwrap_or(0))
}

/// What repetition takes away.
pub(super) fn repetition_reward(repeats: bool) -> f64 {
    if repeats { REPETITION } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Setting;

    #[test]
    fn points_become_units_of_gym() {
        let points = [-0.5, 4.5, -5.5, 54.5];
        assert_eq!(points.map(task_reward).map(rounded), [0.0, 1.0, -1.0, 11.0]);
        assert_eq!(STEP_COST, -0.1);
    }

    #[test]
    fn a_reply_is_paid_for_its_form_and_its_length() {
        let rules = ReaderRules::named(RULES).unwrap();
        let form = Sokoban.reply_format(Setting::Online).unwrap();
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
    fn parts_are_added_without_dust() {
        let ten = (0..10).fold(Rewards::default(), |sum, _| sum + Rewards::of(0.0, 0.5, 0.2, -0.2));
        assert_eq!(ten, Rewards { task: 0.0, format: 5.0, length: 2.0, repetition: -2.0, total: 5.0 });
        assert_eq!(Rewards::of(task_reward(54.5), 0.5, 0.035, 0.0).total, 11.535);
    }
}
