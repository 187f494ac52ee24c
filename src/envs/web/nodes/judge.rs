//! Questions of semantic functions, and the scores that their answers give (`WebCanvas`, appendix on the judge).

use mageyard_domain::{Answered, Question, SideRole, answer_to};

/// The question how well an answer meets a rule.
pub(super) fn question(rule: &str, answer: &str) -> Question {
    Question::for_number(SideRole::Judge, [("rule", rule.to_owned()), ("answer", answer.to_owned())])
}

/// What is known of a question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Judged {
    /// The score, from 0 to 1 with two decimals.
    Score(f64),
    /// No reply of the judge could be read, for this reason: 0.
    Unread(String),
    /// It was not answered yet.
    Waiting,
}

/// The answer to a question, if it is among these.
pub(super) fn judged(question: &Question, answers: &[Answered]) -> Judged {
    let Some(answered) = answer_to(answers, question) else { return Judged::Waiting };
    match (&answered.answer, answered.number()) {
        (Err(reason), _) => Judged::Unread(reason.clone()),
        (Ok(_), Some(number)) => Judged::Score(score(number)),
        (Ok(_), None) => Judged::Unread("the answer is not a number".to_owned()),
    }
}

/// A number of the judge as a score: not below 0, not over 1, with two decimals.
fn score(number: f64) -> f64 {
    // Formatting rounds the exact value, as Python does; a product with 100 would be rounded before.
    let text = format!("{:.2}", number.clamp(0.0, 1.0));
    text.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_to_the_range_and_rounded() {
        for (number, expected) in [
            (0.285, 0.28),
            (0.555, 0.56),
            (-3.0, 0.0),
            (7.0, 1.0),
            (0.125, 0.12),
            (0.994, 0.99),
            (0.996, 1.0),
        ] {
            assert_eq!(score(number), expected, "{number}");
        }
    }
}
