//! The mean edit distance of lists of actions and its interval, from the answers to the number of a report, against an
//! independent calculation: `edit_distance.py` made `edit_distance.json`.

use mageyard::domain::{Action, Arg, EnvironmentSpec, Level, Observation, Options};
use mageyard::envs::looks::Idm;
use mageyard::statistics::{RatioSample, Repeat, ratio};
use serde_json::{Value, json};

fn level(sample: &Value, space: &Value) -> Level {
    let names = sample["actions"].as_array().unwrap();
    let act = |name| json!({"obs_before": "a.png", "obs_after": "b.png", "operation": name});
    let acts: Vec<Value> = names.iter().map(act).collect();
    Level::from_text(1, None, json!({"actions": acts, "action_space": space}).to_string())
}

/// What a measure counts of an answer.
fn parts(sample: &Value, space: &Value) -> (f64, f64) {
    let capabilities = Idm.capabilities();
    let letters = Arg::Text(sample["answer"].as_str().unwrap().to_owned());
    let answer = Action::plain("answer").with("letters", letters);
    let seen = Observation::from_parts(Vec::new(), "", ());
    let judging = capabilities.judging.unwrap();
    let judged = judging.judge_answer(&level(sample, space), &Options::new(), &seen, Some(&answer));
    let measures = capabilities.scoring.set_measures();
    let measure = measures.iter().find(|measure| measure.name == "edit_distance").unwrap();
    measure.parts(&judged.unwrap().unwrap(), None).unwrap()
}

#[test]
fn the_mean_edit_distance_and_its_interval_are_those_of_another_program() {
    let data: Value = serde_json::from_str(include_str!("edit_distance.json")).unwrap();
    let sample = |sample: &Value| RatioSample {
        level: sample["level"].as_str().unwrap().to_owned(),
        repeat: Repeat { number: u32::try_from(sample["repeat"].as_u64().unwrap()).unwrap(), seed: 0 },
        parts: parts(sample, &data["space"]),
    };
    let samples: Vec<RatioSample> = data["samples"].as_array().unwrap().iter().map(sample).collect();
    assert_eq!(samples.len(), 36);
    let found = ratio(&samples).unwrap();
    let interval = found.interval.unwrap();
    let close = |one: f64, other: &Value| (one - other.as_f64().unwrap()).abs() < 1e-9;
    assert!(close(found.value, &data["mean"]), "{found:?}");
    assert!(close(interval.low, &data["interval"][0]), "{found:?}");
    assert!(close(interval.high, &data["interval"][1]), "{found:?}");
}
