//! Level 2: every recording through reward, ends and skipping.

use super::replay::{Replay, ReplayedReward};
use super::{Accepts, Check, Level};
use crate::recording::Trace;
use crate::statistics::count;

/// The most that a reward may differ.
const REWARD: f64 = 0.001;
/// The same where distances of rounded positions decide it.
const ROUNDED_REWARD: f64 = 0.03;

/// The checks of the rules over recordings with their names.
pub fn rules(traces: &[(String, Trace)]) -> Vec<Check> {
    if traces.is_empty() {
        return Vec::new();
    }
    let replays: Vec<(&str, &Trace, Replay)> =
        traces.iter().map(|(name, trace)| (name.as_str(), trace, super::replay(trace))).collect();
    let equal = |what: &str, good: &dyn Fn(&Trace, &Replay) -> bool| {
        let wrong: Vec<&str> =
            replays.iter().filter(|(_, trace, replay)| !good(trace, replay)).map(|row| row.0).collect();
        let right = count(replays.len() - wrong.len());
        let check = Check::new(Level::Rules, what, Some(right), Accepts::Least(count(replays.len())));
        check
            .samples(replays.len())
            .note(wrong.first().map_or(String::new(), |name| format!("first: {name}")))
    };
    vec![
        equal("episodes with equal end and end frame", &|trace, replay| {
            replay.end == Some((trace.summary.frames, trace.summary.end))
        }),
        equal("episodes with equal number of decisions", &|trace, replay| {
            replay.decisions == trace.summary.decisions
        }),
        equal("episodes with equal executed actions", &|_, replay| replay.other_action.is_none()),
        reward("largest difference of a reward", &replays, false, REWARD),
        reward("the same where a pass or a shot is paid", &replays, true, ROUNDED_REWARD),
    ]
}

fn reward(name: &str, replays: &[(&str, &Trace, Replay)], rounded: bool, most: f64) -> Check {
    let frames = replays.iter().flat_map(|(name, _, replay)| {
        (1..).zip(&replay.rewards).map(move |(number, reward)| (*name, number, reward))
    });
    let frames: Vec<(&str, u32, &ReplayedReward)> =
        frames.filter(|(_, _, reward)| reward.is_rounded() == rounded).collect();
    let worst = frames.iter().max_by(|one, other| one.2.difference().total_cmp(&other.2.difference()));
    let excused = frames.iter().filter(|(_, _, reward)| reward.is_count_rounded()).count();
    let mut notes: Vec<String> =
        worst.iter().map(|(name, number, _)| format!("{name}, frame {number}")).collect();
    if excused > 0 {
        notes.push(format!("in {excused} frames rounding moves a count of opponents passed"));
    }
    let value = worst.map_or(0.0, |row| row.2.difference());
    Check::new(Level::Rules, name, Some(value), Accepts::Most(most))
        .samples(frames.len())
        .note(notes.join("; "))
}
