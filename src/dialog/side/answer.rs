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
        AnswerForm::Object => object(text),
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
    fn an_object_may_stand_among_words() {
        let read = |text| read_answer(AnswerForm::Object, text);
        assert_eq!(read("Here: {\"a\": {\"b\": 1}}."), Ok(json!({"a": {"b": 1}})));
        for text in ["none", "}{", "{\"a\": }", "{a: 1}", "{} and {}"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
