//! Reads answers to questions. Nothing is guessed: an answer that does not have its form is an error that says why.

use mageyard_domain::AnswerForm;
use serde_json::Value;

const FENCE: &str = "```";

/// Reads an answer.
///
/// # Errors
/// What the text lacks, as a sentence without an end mark.
pub fn read_answer(form: AnswerForm, text: &str) -> Result<Value, String> {
    match form {
        AnswerForm::Number => number(text),
        AnswerForm::Assessment => assessment(text),
        AnswerForm::Text | AnswerForm::Done => Ok(text.trim().into()),
    }
}

/// The number in the first block between triple backticks (`WebCanvas`, appendix O).
fn number(text: &str) -> Result<Value, String> {
    let missing = || "it has no number between triple backticks".to_owned();
    let (_, rest) = text.split_once(FENCE).ok_or_else(missing)?;
    let (block, _) = rest.split_once(FENCE).ok_or_else(missing)?;
    let parsed = block.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    parsed
        .map(Value::from)
        .ok_or_else(|| "the first block between triple backticks is not a number".to_owned())
}

/// What a look back can say of the task (`WebCanvas`, the reward module).
const STATUSES: [&str; 3] = ["doing", "finished", "loop"];

/// A JSON object with a known status and a description.
fn assessment(text: &str) -> Result<Value, String> {
    let answer = object(text)?;
    let status = answer.get("status").and_then(Value::as_str);
    if !status.is_some_and(|status| STATUSES.contains(&status)) {
        return Err(format!("its status is not one of {}", STATUSES.join(", ")));
    }
    match answer.get("description") {
        Some(Value::String(_)) => Ok(answer),
        _ => Err("its description is missing or not a text".to_owned()),
    }
}

/// The JSON object from the first opening brace to the last closing one.
fn object(text: &str) -> Result<Value, String> {
    let missing = || "it has no JSON object".to_owned();
    let start = text.find('{').ok_or_else(missing)?;
    let end = text.rfind('}').filter(|end| *end > start).ok_or_else(missing)?;
    let parsed = serde_json::from_str::<Value>(&text[start..=end]);
    parsed.map_err(|error| format!("its JSON object cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_number_stands_in_the_first_block() {
        let read = |text| read_answer(AnswerForm::Number, text);
        assert_eq!(read("So: ```0.25``` or ```1```"), Ok(json!(0.25)));
        assert_eq!(read("```\n1\n```"), Ok(json!(1.0)));
        for text in ["0.5", "```", "```0.5", "```half```", "```NaN```", "```inf```", "``````"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_assessment_may_stand_among_words_and_has_its_fields() {
        let read = |text: &str| read_answer(AnswerForm::Assessment, text);
        let whole = json!({"status": "doing", "description": "Well.", "more": {"a": 1}});
        assert_eq!(read(&format!("Here: {whole}.")), Ok(whole));
        for text in [
            "none",
            "}{",
            "{\"a\": }",
            "{a: 1}",
            "{} and {}",
            "{\"status\": \"done\", \"description\": \"Well.\"}",
            "{\"status\": \"doing\"}",
            "{\"status\": \"doing\", \"description\": 7}",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
