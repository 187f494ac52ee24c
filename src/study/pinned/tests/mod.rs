//! Versions compared: by samples, and on states that were played.

mod played;

use super::*;
use mageyard_statistics::{LevelSample, Repeat};

fn samples(accepted: &[u8]) -> Vec<LevelSample> {
    let sample = |(number, value): (usize, &u8)| LevelSample {
        level: number.to_string(),
        repeat: Repeat { number: 1, seed: 0 },
        value: f64::from(*value),
    };
    accepted.iter().enumerate().map(sample).collect()
}

fn compared(before: &[u8], now: &[u8]) -> VersionComparison {
    VersionComparison::of((2, 3), &samples(before), &samples(now)).unwrap()
}

#[test]
fn few_states_say_how_many_more_are_needed_at_least() {
    let one = compared(&[0, 1, 1, 0, 1], &[1, 1, 1, 0, 1]);
    assert_eq!((one.states, one.is_different, one.more), (5, false, MoreStates::AtLeast(25)));
    let words = one.to_string();
    assert!(words.starts_with("version 3 against 2: +20 points accepted ("), "{words}");
    assert!(words.ends_with("not decided, at least 25 more states are needed"), "{words}");
    let five = compared(&[0; 5], &[1; 5]);
    assert_eq!(five.more, MoreStates::AtLeast(1));
    assert!(five.to_string().ends_with("at least 1 more state is needed"));
    assert_eq!(compared(&[1; 3], &[1; 3]).more, MoreStates::AtLeast(15), "none differs yet");
    assert_eq!(VersionComparison::of((1, 2), &samples(&[]), &samples(&[1])), None);
}

#[test]
fn enough_states_decide_in_both_directions() {
    let better = compared(&[0; 8], &[1; 8]);
    assert!(better.is_different && better.to_string().ends_with("better"), "{better}");
    let worse = compared(&[1; 8], &[0; 8]);
    assert!(worse.is_different && worse.to_string().ends_with("worse"), "{worse}");
}

#[test]
fn a_spread_that_is_known_says_about_how_many_states_are_needed() {
    let before: Vec<u8> = (0..20).map(|number| u8::from(number % 2 == 0)).collect();
    let now: Vec<u8> = (0..20).map(|number| u8::from(number % 2 == 0 && number > 5 || number < 4)).collect();
    let one = compared(&before, &now);
    assert!(!one.is_different, "{one}");
    assert!(matches!(one.more, MoreStates::Needed(_) | MoreStates::AtLeast(_)), "{one}");
}
