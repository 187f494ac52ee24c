use super::*;
use crate::recording::RecordedEnd;

/// Two episodes of each of four scenes whose rewards grow with the scene.
fn set(baseline: Baseline, scale: f64) -> SampleSet {
    let sample = |index: u32| {
        let scene = index / 2;
        let reward = scale * f64::from(scene + 1);
        let end = if scene == 0 { RecordedEnd::Limit } else { RecordedEnd::Possession };
        let terms = [reward, 0.0, 0.0, 0.0, 0.0, 0.0];
        Sample { scene: scene as usize, terms, reward, frames: 10.0 * f64::from(index), end }
    };
    let mut observed = Observed::default();
    observed.duels[2] = [100, 40];
    observed.passes = [8, 2];
    (0..100).for_each(|step| observed.speeds[0].add(f64::from(step) / 20.0));
    SampleSet { baseline, samples: (0..8).map(sample).collect(), observed }
}

fn failed(recorded: &SampleSet, simulated: SampleSet) -> Vec<String> {
    let checks = compare(&[(recorded, simulated)], 4);
    checks.iter().filter(|check| !check.passes()).map(|check| check.name.clone()).collect()
}

#[test]
fn equal_behaviour_passes_every_check() {
    for baseline in Baseline::TABLE {
        assert_eq!(failed(&set(baseline, 5.0), set(baseline, 5.0)), Vec::<String>::new());
    }
}

#[test]
fn other_rewards_fail_mean_and_term() {
    let failed = failed(&set(Baseline::Builtin, 5.0), set(Baseline::Builtin, 8.0));
    assert_eq!(failed, ["builtin: mean reward", "builtin: term 1, advance"]);
}

#[test]
fn other_ends_and_lengths_fail() {
    let mut other = set(Baseline::Idle, 5.0);
    for sample in &mut other.samples {
        (sample.end, sample.frames) = (RecordedEnd::Goal, 300.0);
    }
    let expected = [
        "idle: distance of the lengths",
        "idle: variation of the ends",
        "idle: scenes with the recorded majority end",
    ];
    assert_eq!(failed(&set(Baseline::Idle, 5.0), other), expected);
}

#[test]
fn scenes_in_another_order_fail_the_ranks_alone() {
    let mut other = set(Baseline::Sprint, 5.0);
    for sample in &mut other.samples {
        let reward = 25.0 - sample.reward;
        (sample.reward, sample.terms[0]) = (reward, reward);
    }
    assert_eq!(failed(&set(Baseline::Sprint, 5.0), other), ["sprint: rank correlation of the scenes"]);
}

#[test]
fn another_style_fails_duels_passes_and_quartiles() {
    let mut other = set(Baseline::Random16, 5.0);
    other.observed = Observed::default();
    other.observed.duels[2] = [100, 15];
    other.observed.passes = [6, 4];
    (0..100).for_each(|_| other.observed.speeds[0].add(4.9));
    let expected = [
        "random16: distances whose chance to lose the ball is off",
        "random16: share of passes received",
        "random16: quartiles of the speed of the carrier",
    ];
    assert_eq!(failed(&set(Baseline::Random16, 5.0), other), expected);
}
