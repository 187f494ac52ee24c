//! Options: their names, their values, and what the check of task files says of them.

use serde_json::{Value, json};

use super::super::examine::{Examine, NAMES};
use super::{BOTH, GOOD, compare};
use crate::handlers::Params;
use crate::handlers::scripted::error;
use crate::task::{Variables, read_procedures};

fn examine(options: Value) -> Examine {
    let params = json!({"options": options});
    Examine::read(&Params(params.as_object().unwrap())).unwrap()
}

#[test]
fn each_option_changes_something_of_its_own() {
    let usual = examine(json!({}));
    assert_eq!(examine(Value::Null), usual);
    let mut seen = vec![usual.clone()];
    for name in NAMES {
        let is_on = examine(json!({*name: true})) == usual;
        let is_off = examine(json!({*name: false})) == usual;
        assert_ne!(is_on, is_off, "{name}");
        let changed = examine(json!({*name: !is_on}));
        assert!(!seen.contains(&changed), "{name}");
        seen.push(changed);
    }
    assert!(usual.note && usual.shape && !usual.image_size && !usual.right_position);
}

#[test]
fn an_unknown_option_is_an_error_with_the_nearest_name() {
    for rules in BOTH {
        let judge = |options: Value| error(compare(GOOD, GOOD, &options, rules));
        let reason = judge(json!({"examine_txt": true}));
        assert_eq!(
            reason.split(", ").next(),
            Some("unknown names in options: \"examine_txt\"; there is examine_text")
        );
        assert!(judge(json!({"zzz": true})).contains("examine_shape, examine_text"));
        assert!(judge(json!({"ignore_space": true})).contains("\"ignore_space\" is not known"));
        assert_eq!(judge(json!({"examine_text": "yes"})), "options.examine_text must be true or false");
        assert_eq!(judge(json!([])), "the parameter options must be an object");
    }
}

#[test]
fn the_check_of_a_task_names_a_wrong_option() {
    let check = |options: Value| {
        let params = json!({"expected": "a.pptx", "result": "b.pptx", "options": options});
        let procedure = json!({"evaluator": "slides", "function": "compare_pptx_files", "params": params});
        read_procedures(&procedure.to_string(), &Variables::default())
    };
    assert_eq!(check(json!({"examine_shape": false, "examine_note": null})).unwrap().len(), 1);
    let reason = |options: Value| check(options).unwrap_err().error.reason;
    let unknown = "\"examine_shap\" is not known; there is examine_shape";
    assert!(reason(json!({"examine_shap": false})).contains(unknown));
    assert!(reason(json!({"examine_shape": 1})).contains("not true or false"));
    assert!(reason(json!("examine_shape")).contains("is not an object"));
}
