use serde_json::{Value, json};

use super::*;
use mageyard_football::{EngineAction, GameMode};

fn state() -> Value {
    json!({
        "b": [0.1, -0.2, 0.11], "bd": [0.0, 0.0, 0.0], "o": [0, 1], "a": 1, "g": 0, "s": [0, 0],
        "k": [0, 0, 0, 0, 1, 0, 0, 0, 1, 0],
        "L": [-1.0, 0.0, 0.1, -0.2], "LD": [0.0, 0.0, 0.01, 0.0],
        "R": [1.0, 0.0], "RD": [0.0, 0.0],
    })
}

fn episode() -> Value {
    let mut step = state();
    step["act"] = json!(5);
    step["rw"] = json!(0.5);
    json!({
        "scenario": "X_1", "policy": "idle", "seed": 7, "adaptive": false, "reward": 0.5,
        "terms": [0.5, 0, 0, 0, 0, 0], "frames": 1, "calls": 1, "end": "out_mode_5",
        "roles_left": [0, 9], "roles_right": [0], "initial": state(), "steps": [step],
    })
}

fn error(change: impl Fn(&mut Value)) -> String {
    let mut value = episode();
    change(&mut value);
    read_trace(value.to_string().as_bytes()).unwrap_err().to_string()
}

#[test]
fn an_episode_is_read_with_its_frames() {
    let trace = read_trace(episode().to_string().as_bytes()).unwrap();
    assert_eq!(trace.summary.end, RecordedEnd::Out(GameMode::ThrowIn));
    assert_eq!(trace.summary.end.name(), "out_mode_5");
    let frame = &trace.frames[0];
    assert_eq!((frame.action, frame.reward), (EngineAction::Right, 0.5));
    assert_eq!(frame.state.left.positions(), [[-1.0, 0.0], [0.1, -0.2]]);
    assert_eq!((frame.state.right.count, frame.state.steps_left), (1, 400));
    assert_eq!(frame.state.sticky.direction(), Some(EngineAction::Right));
    assert!(frame.state.sticky.sprint());
}

#[test]
fn errors_name_the_field() {
    type Change = fn(&mut Value);
    let cases: [(&str, Change); 9] = [
        ("seed is missing", |value| value["seed"] = Value::Null),
        ("terms: has 1 elements and needs 6", |value| value["terms"] = json!([1])),
        ("end: needs the name of an end, such as goal", |value| value["end"] = json!("rain")),
        ("steps: has 1 elements and needs 2", |value| value["frames"] = json!(2)),
        ("steps[0].act: needs the code of an action, 0 to 32", |value| value["steps"][0]["act"] = json!(33)),
        ("steps[0].o[1]: needs the index of a player of the team", |value| {
            value["steps"][0]["o"][1] = json!(2);
        }),
        ("steps[0].R: has 4 elements and needs 2", |value| value["steps"][0]["R"] = json!([0, 0, 0, 0])),
        ("initial.L[3]: needs a number", |value| value["initial"]["L"][3] = json!("far")),
        ("roles_left: needs 1 to 11 players", |value| value["roles_left"] = json!([])),
    ];
    for (expected, change) in cases {
        assert_eq!(error(change), expected);
    }
    let text = read_trace(b"{\"seed\": ").unwrap_err().to_string();
    assert_eq!(text, "line 1, column 9: EOF while parsing a value");
}

#[test]
fn a_damaged_recording_is_an_error_and_never_a_panic() {
    let text = episode().to_string();
    for at in 0..text.len() {
        let mut damaged = text.clone().into_bytes();
        damaged[at] = b'9';
        let _ = read_trace(&damaged);
        let _ = read_summaries(&damaged);
        assert!(read_trace(&text.as_bytes()[..at]).is_err());
    }
    assert!(read_trace(&b"[".repeat(100_000)).is_err());
}

#[test]
fn summaries_are_a_list() {
    let mut one = episode();
    one.as_object_mut().unwrap().retain(|key, _| !["initial", "steps", "roles_left"].contains(&key.as_str()));
    let list = read_summaries(json!([one, one]).to_string().as_bytes()).unwrap();
    assert_eq!((list.len(), list[1].decisions, list[1].terms[0]), (2, 1, 0.5));
    assert_eq!(read_summaries(b"[{}]").unwrap_err().to_string(), "[0].end is missing");
    assert_eq!(read_summaries(b"{}").unwrap_err().to_string(), "the file: needs a list");
}
