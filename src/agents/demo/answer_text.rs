//! The text of an answer to a side request, in the asked form or, as often as other replies, without it.

use mageyard_domain::{AnswerForm, Question};

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
