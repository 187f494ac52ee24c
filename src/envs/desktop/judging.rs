//! Verdicts: the score of the procedures, and why an episode failed.

use mageyard_domain::{Ending, Judging, Question, Verdict};
use serde_json::json;

use crate::Desktop;
use crate::evaluate::Evaluation;

/// The score of a task that is done.
pub(crate) const FULL_SCORE: f64 = 100.0;

/// Figures of verdicts by name: each 1 or 0.
pub(crate) const METRICS: &[&str] =
    &["false_finish", "parse_error", "step_limit", "time_limit", "repetition", "active_finish"];

impl Judging for Desktop {}

/// The verdict of an evaluation. One that asks a person is not given yet.
pub(crate) fn verdict(evaluation: &Evaluation, ending: Ending, not_cleaned: &[String]) -> Verdict {
    let questions = evaluation.question().map(|(_, question)| Question::to_person(question));
    let score = evaluation.score().map(f64::from);
    let success = score == Some(1.0);
    let mut feedback: Vec<String> = evaluation.sentences().into_iter().map(str::to_owned).collect();
    feedback.extend(evaluation.errors().iter().map(|why| format!("cannot be judged: {why}")));
    feedback.extend(not_cleaned.iter().map(|why| format!("not cleaned up: {why}")));
    Verdict {
        score: score.map(|score| score * FULL_SCORE),
        success,
        feedback: feedback.iter().map(|sentence| mageyard_domain::sanitize(sentence).into_owned()).collect(),
        figures: figures(ending, score),
        details: json!({ "procedures": evaluation.procedures }),
        questions: questions.into_iter().collect(),
    }
}

/// The failure modes of the paper (section 4.2), which count episodes with score 0, and whether the agent has ended the
/// episode itself.
fn figures(ending: Ending, score: Option<f64>) -> std::collections::BTreeMap<String, f64> {
    let finished = matches!(ending, Ending::Finished | Ending::Won);
    let mode = match ending {
        _ if finished => "false_finish",
        Ending::Unreadable | Ending::ReplyCut | Ending::Refusal => "parse_error",
        Ending::StepLimit => "step_limit",
        Ending::TimeLimit => "time_limit",
        Ending::Repetition => "repetition",
        _ => "",
    };
    let failed = score == Some(0.0);
    let value = |name: &str| match name {
        "active_finish" => finished,
        name => failed && name == mode,
    };
    METRICS.iter().map(|name| ((*name).to_owned(), f64::from(u8::from(value(name))))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Outcome, ProcedureResult};

    fn judged(outcomes: &[Outcome], ending: Ending) -> Verdict {
        let of = |outcome: &Outcome| ProcedureResult { name: "a.b".to_owned(), outcome: outcome.clone() };
        verdict(&Evaluation { procedures: outcomes.iter().map(of).collect() }, ending, &[])
    }

    #[test]
    fn the_score_is_the_product_and_an_error_is_no_score() {
        let (fail, error) = (Outcome::Fail("x".to_owned()), Outcome::Error("y".to_owned()));
        assert_eq!(judged(&[Outcome::Pass, Outcome::Pass], Ending::Finished).score, Some(100.0));
        assert_eq!(judged(&[Outcome::Pass, fail.clone()], Ending::Finished).score, Some(0.0));
        assert_eq!(judged(&[fail, error], Ending::Finished).score, None);
        let asked = judged(&[Outcome::Ask("is it nice?".to_owned())], Ending::Finished);
        assert_eq!((asked.score, asked.questions.len()), (None, 1));
    }

    #[test]
    fn a_failed_episode_has_one_failure_mode() {
        let fail = [Outcome::Fail("x".to_owned())];
        for (ending, mode) in [
            (Ending::Finished, "false_finish"),
            (Ending::Unreadable, "parse_error"),
            (Ending::StepLimit, "step_limit"),
            (Ending::TimeLimit, "time_limit"),
            (Ending::Repetition, "repetition"),
        ] {
            let found = judged(&fail, ending).figures;
            let modes = METRICS.iter().filter(|name| **name != "active_finish" && found[**name] == 1.0);
            assert_eq!(modes.copied().collect::<Vec<_>>(), [mode], "{ending}");
            assert_eq!(found["active_finish"] == 1.0, ending == Ending::Finished);
        }
        let done = judged(&[Outcome::Pass], Ending::Unreadable).figures;
        assert_eq!(done["parse_error"], 0.0, "an episode with a score of 1 has not failed");
    }
}
