//! The text of an answer to a side request, in the asked form or, as often as other replies, without it.

use mageyard_domain::{AnswerForm, DecisionInput, Probe, ProbeForm, Probes, Question};

use super::fault::{Fault as FaultKind, Help, misread};
use super::script::{Fate, Purpose, Script};

/// What a look back says.
const ASSESSMENTS: [&str; 3] = [
    "The last step helped. Go on in the same direction.",
    "The last step did not bring the goal nearer. Try another way.",
    "Most of the task is done. Check what is still missing.",
];

/// The text of an answer with this fate.
pub(super) fn answer_text(script: &Script<'_>, fate: Fate, question: &Question) -> String {
    if matches!(fate, Fate::ParseError(_) | Fate::InvalidAction) {
        return "I cannot say that with certainty.".to_owned();
    }
    match question.form {
        AnswerForm::Number => {
            let number = (script.fraction(Purpose::Words, 2) * 100.0).round() / 100.0;
            format!("```{number}```")
        }
        AnswerForm::Assessment => {
            let text = script.pick(Purpose::Words, 3, &ASSESSMENTS).unwrap_or(ASSESSMENTS[0]);
            let answer = serde_json::json!({
                "status": "doing", "score": 7, "reason": "The state changed.", "description": text,
            });
            answer.to_string()
        }
        AnswerForm::Text | AnswerForm::Done => String::new(),
    }
}

/// The text of an answer to a question about the state: the right one of the state as the model sees it, as often as its skill says.
pub(super) fn probe_text(
    script: &Script<'_>,
    fate: Fate,
    (probe, input): (&Probe, &DecisionInput<'_>),
    probes: Option<&dyn Probes>,
) -> String {
    if matches!(fate, Fate::ParseError(_) | Fate::InvalidAction) {
        return "I cannot say that with certainty.".to_owned();
    }
    let Some(probes) = probes else { return "I cannot say that.".to_owned() };
    let faults = &script.settings.faults;
    let seen = input.observation;
    let is_wrong = faults.of(seen) == Some(FaultKind::Seen) && !Help::of(input.request, seen, probes).words;
    let wrong = is_wrong.then(|| misread(probes, seen, &faults.misreading)).flatten();
    let answer = if script.fraction(Purpose::Right, 1) < script.settings.skill {
        probes.answer(wrong.as_ref().unwrap_or(seen), probe).unwrap_or_else(|| probe.right.clone())
    } else {
        guess(script, &probe.form)
    };
    format!("I look at the state first.\n\nAnswer: {answer}")
}

/// Any answer.
fn guess(script: &Script<'_>, form: &ProbeForm) -> String {
    let below = |count: u64, number: u32| script.choice.below(&script.over(Purpose::Slip, number), count);
    match form {
        ProbeForm::Choice(words) => {
            script.pick(Purpose::Slip, 4, &words.iter().collect::<Vec<_>>()).cloned().unwrap_or_default()
        }
        ProbeForm::Number { least, most } => {
            let count = u64::try_from(most - least + 1).unwrap_or(1);
            (least + i64::try_from(below(count, 5)).unwrap_or(0)).to_string()
        }
        ProbeForm::Places { rows, columns } => {
            format!("({}, {})", 1 + below((*rows).into(), 6), 1 + below((*columns).into(), 7))
        }
    }
}
