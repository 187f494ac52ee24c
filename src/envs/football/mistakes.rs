//! Decisions that are wrong in the ways of models that play football, for the agent `faulty`. They are made from the facts,
//! so any engine can be behind them.

use serde::Deserialize;
use serde_json::Value;

use super::{EngineAction, METRES};
use mageyard_domain::{Action, Mistakes, Observation};

use EngineAction as A;

/// Makes the mistakes.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootballMistakes;

/// What the mistakes need of the facts.
#[derive(Deserialize)]
struct Facts {
    left_team: Vec<[f64; 2]>,
    right_team: Vec<[f64; 2]>,
    active: usize,
    ball_owned_team: i8,
    ball_owned_player: i64,
    sticky_actions: [u8; 10],
}

/// A mistake: what it is, and the action in this state; `None` where it would be none. The number chooses among several.
type Mistake = (&'static str, fn(&Facts, u64) -> Option<EngineAction>);

const MISTAKES: [Mistake; 9] = [
    ("I run towards my own goal.", |_, number| pick(&[A::Left, A::TopLeft, A::BottomLeft], number)),
    ("I run into the nearest opponent.", |facts, _| facts.towards_opponent()),
    ("I run over the side line.", |facts, _| facts.over_the_line()),
    ("I shoot although the goal is far away.", |facts, _| {
        (facts.has_ball() && facts.place()?[0] < FAR).then_some(A::Shot)
    }),
    ("I pass although I do not have the ball.", |facts, number| {
        pick(&PASSES, number).filter(|_| !facts.has_ball())
    }),
    ("I pass back towards my own goal.", |facts, number| {
        pick(&PASSES, number).filter(|_| facts.has_ball() && facts.is_held(&[LEFT, TOP_LEFT, BOTTOM_LEFT]))
    }),
    ("I press sprint again although I sprint.", |facts, _| facts.is_held(&[SPRINT]).then_some(A::Sprint)),
    ("I dribble while I sprint, so the ball runs ahead of me.", |facts, _| {
        facts.is_held(&[SPRINT]).then_some(A::Dribble)
    }),
    ("I release dribble although I do not dribble.", |facts, _| {
        (!facts.is_held(&[DRIBBLE])).then_some(A::ReleaseDribble)
    }),
];

const PASSES: [EngineAction; 3] = [A::ShortPass, A::LongPass, A::HighPass];
/// A shot from a smaller x is hopeless: some 27 m from the goal.
const FAR: f64 = 0.5;
/// From this distance to the middle the side line is near, in public units.
const NEAR_LINE: f64 = 0.25;
/// Places of flags.
const LEFT: usize = 0;
const TOP_LEFT: usize = 1;
const BOTTOM_LEFT: usize = 7;
const SPRINT: usize = 8;
const DRIBBLE: usize = 9;

impl Mistakes for FootballMistakes {
    fn make(&self, number: u64, seen: &Observation) -> Option<(Action, String)> {
        let facts: Facts = Deserialize::deserialize(seen.facts() as &Value).ok()?;
        let kinds = MISTAKES.len() as u64;
        let from = usize::try_from(number % kinds).ok()?;
        let mut all = MISTAKES.iter().cycle().skip(from).take(MISTAKES.len());
        all.find_map(|(reason, make)| {
            let action = make(&facts, number / kinds)?;
            Some((Action::plain(action.name()), (*reason).to_owned()))
        })
    }
}

fn pick(actions: &[EngineAction], number: u64) -> Option<EngineAction> {
    let index = number.checked_rem(actions.len() as u64)?;
    actions.get(usize::try_from(index).ok()?).copied()
}

impl Facts {
    /// Where the controlled player is.
    fn place(&self) -> Option<[f64; 2]> {
        self.left_team.get(self.active).copied()
    }

    fn has_ball(&self) -> bool {
        self.ball_owned_team == 0 && usize::try_from(self.ball_owned_player) == Ok(self.active)
    }

    /// Whether one of these flags is on.
    fn is_held(&self, flags: &[usize]) -> bool {
        flags.iter().any(|flag| self.sticky_actions[*flag] != 0)
    }

    fn towards_opponent(&self) -> Option<EngineAction> {
        let [x, y] = self.place()?;
        let way = |place: &[f64; 2]| [(place[0] - x) * METRES[0], (place[1] - y) * METRES[1]];
        let length = |[x, y]: &[f64; 2]| x * x + y * y;
        let ways = self.right_team.iter().map(way);
        ways.min_by(|one, other| length(one).total_cmp(&length(other))).and_then(direction)
    }

    fn over_the_line(&self) -> Option<EngineAction> {
        let [_, y] = self.place()?;
        (y.abs() > NEAR_LINE).then_some(if y < 0.0 { A::Top } else { A::Bottom })
    }
}

/// The nearest of the eight directions.
fn direction(way: [f64; 2]) -> Option<EngineAction> {
    let along = |action: &EngineAction| action.direction().map_or(0.0, |[x, y]| x * way[0] + y * way[1]);
    let directions = A::AGENT.into_iter().filter(|action| action.direction().is_some());
    directions.max_by(|one, other| along(one).total_cmp(&along(other)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    /// A carrier in the own half near the upper side line, with a keeper and an opponent to the lower right.
    fn facts() -> Value {
        json!({
            "left_team": [[-0.98, 0.0], [-0.2, -0.35]], "right_team": [[0.98, 0.0], [-0.1, -0.29]], "active": 1,
            "ball_owned_team": 0, "ball_owned_player": 1, "sticky_actions": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        })
    }

    /// The actions of each mistake that happens in a state.
    fn made(facts: Value) -> BTreeMap<String, Vec<String>> {
        let seen = Observation::from_parts(vec![], "", facts);
        let mut made = BTreeMap::<_, Vec<_>>::new();
        for number in 0..100 {
            let (action, reason) = FootballMistakes.make(number, &seen).unwrap();
            assert!(EngineAction::AGENT.iter().any(|allowed| allowed.name() == action.name), "{action}");
            assert_eq!(FootballMistakes.make(number, &seen), Some((action.clone(), reason.clone())));
            let actions = made.entry(reason).or_default();
            if !actions.contains(&action.name) {
                actions.push(action.name);
            }
        }
        made
    }

    #[test]
    fn a_carrier_runs_the_wrong_way_and_shoots_from_afar() {
        let made = made(facts());
        let actions = |reason: &str| made[reason].join(" ");
        assert_eq!(actions("I run into the nearest opponent."), "action_bottom_right");
        assert_eq!(actions("I run over the side line."), "action_top");
        assert_eq!(actions("I shoot although the goal is far away."), "action_shot");
        assert_eq!(made["I run towards my own goal."].len(), 3);
        assert_eq!(actions("I release dribble although I do not dribble."), "action_release_dribble");
        assert_eq!(made.len(), 5, "{made:?}");
    }

    #[test]
    fn flags_and_passes_are_misused() {
        let mut facts = facts();
        facts["sticky_actions"] = json!([1, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        let with_ball = made(facts.clone());
        assert!(with_ball.contains_key("I pass back towards my own goal."));
        assert_eq!(with_ball["I press sprint again although I sprint."], ["action_sprint"]);
        assert_eq!(with_ball["I dribble while I sprint, so the ball runs ahead of me."], ["action_dribble"]);
        facts["ball_owned_team"] = json!(-1);
        let without = made(facts);
        assert_eq!(without["I pass although I do not have the ball."].len(), 3);
        assert!(!without.contains_key("I shoot although the goal is far away."));
    }

    #[test]
    fn facts_of_something_else_have_no_mistakes() {
        for facts in [Value::Null, json!({"board": "#@#"})] {
            assert_eq!(FootballMistakes.make(3, &Observation::from_parts(vec![], "", facts)), None);
        }
    }
}
