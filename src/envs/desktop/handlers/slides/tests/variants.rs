//! Changed forms of a presentation, each with its verdict under both rules (`tests/files/slides/variants.json`). The verdicts of the
//! released code are those of its steps carried out with python-pptx.

use serde_json::{Value, json};

use super::super::examine::{Examine, NAMES};
use super::super::verdict;
use super::change::{Change, changed};
use super::{BOTH, GOOD};
use crate::handlers::{Finding, Params, Rules};
use crate::office::pptx::Presentation;

const VARIANTS: &str = include_str!("../../../tests/files/slides/variants.json");

fn file(case: &Value, name: &str) -> Presentation {
    let none = Vec::new();
    let changes = case[name].as_array().unwrap_or(&none).iter();
    let text = |change: &'_ Value, index: usize| change[index].as_str().unwrap().to_owned();
    let changes: Vec<[String; 3]> =
        changes.map(|change| [0, 1, 2].map(|index| text(change, index))).collect();
    let changes: Vec<Change<'_>> = changes.iter().map(|[part, from, to]| (&**part, &**from, &**to)).collect();
    Presentation::read(&changed(GOOD, &changes)).unwrap()
}

fn name(verdict: &Result<(), Finding>) -> &'static str {
    match verdict {
        Ok(()) => "pass",
        Err(Finding::Fail(_)) => "fail",
        Err(Finding::Error(_)) => "error",
        Err(Finding::Ask(_)) => "ask",
    }
}

fn cases() -> Vec<Value> {
    serde_json::from_str(VARIANTS).unwrap()
}

/// The two presentations of a case.
struct Files {
    expected: Presentation,
    result: Presentation,
}

impl Files {
    fn judge(&self, options: &Value, rules: Rules) -> Result<(), Finding> {
        let params = json!({"options": options});
        let examine = Examine::read(&Params(params.as_object().unwrap())).unwrap();
        verdict(&self.expected, &self.result, &examine, rules)
    }
}

#[test]
fn every_variant_has_its_verdict() {
    let mut wrong = Vec::new();
    for case in cases() {
        let mut options = case["options"].clone();
        if options.is_null() {
            options = json!({});
        }
        let files = Files { expected: file(&case, "reference"), result: file(&case, "result") };
        for rules in BOTH {
            let verdict = files.judge(&options, rules);
            if case[rules.name()] != name(&verdict) {
                wrong.push(format!("{} under {rules:?}: {verdict:?}", case["name"]));
            }
        }
        let Some(off) = case["off"].as_array() else { continue };
        for name in off {
            options[name.as_str().unwrap()] = json!(false);
        }
        for rules in BOTH {
            let verdict = files.judge(&options, rules);
            if verdict.is_err() {
                wrong.push(format!("{} without its options under {rules:?}: {verdict:?}", case["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_option_has_a_variant_that_it_decides() {
    let all = cases();
    for option in NAMES {
        let is_about = |case: &Value| {
            let off = case["off"].as_array().is_some_and(|off| off.iter().any(|name| name == option));
            off || case["options"][option] == json!(true)
        };
        let of_option: Vec<&Value> = all.iter().filter(|case| is_about(case)).collect();
        assert!(of_option.iter().any(|case| case["standard"] == "fail"), "{option} has no wrong file");
    }
}
