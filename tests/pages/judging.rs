//! The verdict: half of the score for the right text, half for the form that was sent.

use std::time::Duration;

use mageyard_domain::{
    Answered, Conclusion, EnvironmentError, Judging, Level, Options, Question, Questions, ShownPart,
    SideRole, StoredEpisode, Verdict, answer_to,
};
use serde_json::{Value, json};

use super::level::PageLevel;
use super::persons;

/// Judges levels that say so.
pub(super) struct PageJudging;

impl Judging for PageJudging {
    fn judges(&self, level: &Level, _: &Options) -> bool {
        PageLevel::parse(level.text()).is_ok_and(|level| level.judge.is_some())
    }

    fn judge_again(&self, episode: &StoredEpisode<'_>) -> Option<Result<Verdict, String>> {
        let last = episode.conclusion.steps.last().ok_or_else(|| "nothing was observed".to_owned());
        if PageLevel::parse(episode.level.text()).is_ok_and(|level| level.judge.as_deref() == Some("person"))
        {
            return Some(Ok(of_person(episode.conclusion)));
        }
        let asks = asks_for_verdict(episode.level);
        Some(last.map(|last| verdict(last.observation.facts(), episode.conclusion, asks)))
    }
}

/// Asks a judge on levels that say so.
pub(super) struct PageQuestions;

impl Questions for PageQuestions {
    fn asks(&self, level: &Level, _: &Options) -> bool {
        asks_for_verdict(level) || PageLevel::parse(level.text()).is_ok_and(|level| level.asks)
    }
}

fn asks_for_verdict(level: &Level) -> bool {
    PageLevel::parse(level.text()).is_ok_and(|level| level.judge.as_deref() == Some("ask"))
}

/// What a page with these facts asks: whether the text is the right one. The judge sees the page.
pub(super) fn question(facts: &Value) -> Question {
    let text = |name: &str| facts[name].as_str().unwrap_or_default().to_owned();
    let values = [("rule", text("field")), ("answer", text("typed"))];
    let page = ShownPart { back: 0, index: 1 };
    Question { shown: vec![page], ..Question::for_number(SideRole::Judge, values) }
}

/// The verdict on a page with these facts. A judge says how right the text is if it is asked.
pub(super) fn verdict(facts: &Value, conclusion: &Conclusion, asks: bool) -> Verdict {
    let question = question(facts);
    let answered = answer_to(&conclusion.answers, &question);
    if asks && answered.is_none() {
        return Verdict { questions: vec![question], ..Verdict::default() };
    }
    let exact = f64::from(u8::from(facts["typed"] == facts["field"]));
    let worth = if asks { answered.and_then(Answered::number).unwrap_or_default() } else { exact };
    let (is_right, is_sent) = (worth == 1.0, facts["sent"] == true);
    let is_read = !conclusion.ending.is_unreadable();
    let feedback =
        [(is_right, "the text is wrong"), (is_sent, "the form was not sent"), (is_read, "no action")];
    Verdict {
        score: Some(50.0 * worth + 50.0 * f64::from(u8::from(is_sent))),
        success: is_right && is_sent,
        feedback: feedback.iter().filter(|row| !row.0).map(|row| row.1.to_owned()).collect(),
        figures: facts["clicks"].as_f64().map(|clicks| ("clicks".to_owned(), clicks)).into_iter().collect(),
        details: json!({"typed": facts["typed"]}),
        questions: Vec::new(),
    }
}

/// The verdict of a person: nothing to say is success.
pub(super) fn of_person(conclusion: &Conclusion) -> Verdict {
    let question = persons::judge();
    let Some(answered) = answer_to(&conclusion.answers, &question) else {
        return Verdict { questions: vec![question], ..Verdict::default() };
    };
    let said = answered.text().unwrap_or_default();
    let success = said.is_empty();
    let feedback = if success { Vec::new() } else { vec![said.to_owned()] };
    Verdict { score: Some(if success { 100.0 } else { 0.0 }), success, feedback, ..Verdict::default() }
}

/// What goes wrong before the verdict, if the level says so.
pub(super) async fn before(how: &str) -> Result<(), EnvironmentError> {
    match how.split_once(' ').unwrap_or((how, "")) {
        ("late", milliseconds) => {
            let late =
                milliseconds.parse().map_err(|_| EnvironmentError::Failed("late needs a number".into()))?;
            tokio::time::sleep(Duration::from_millis(late)).await;
            Ok(())
        }
        ("hang", _) => std::future::pending().await,
        ("fail", _) => Err(EnvironmentError::Failed("the page cannot be judged".into())),
        ("panic", _) => panic!("a fault of this level"),
        _ => Ok(()),
    }
}
