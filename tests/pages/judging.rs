//! The verdict: half of the score for the right text, half for the form that was sent.

use std::time::Duration;

use mageyard_domain::{EnvironmentError, Judging, Level, Options, StoredEpisode, Verdict};
use serde_json::{Value, json};

use super::level::PageLevel;

/// Judges levels that say so.
pub(super) struct PageJudging;

impl Judging for PageJudging {
    fn judges(&self, level: &Level, _: &Options) -> bool {
        PageLevel::parse(level.text()).is_ok_and(|level| level.judge.is_some())
    }

    fn judge_again(&self, episode: &StoredEpisode<'_>) -> Option<Result<Verdict, String>> {
        let last = episode.steps.last().ok_or_else(|| "nothing was observed".to_owned());
        Some(last.map(|last| verdict(last.observation.facts(), episode.conclusion.ending.is_unreadable())))
    }
}

/// The verdict on a page with these facts.
pub(super) fn verdict(facts: &Value, unreadable: bool) -> Verdict {
    let is_right = facts["typed"] == facts["field"];
    let is_sent = facts["sent"] == true;
    let feedback =
        [(is_right, "the text is wrong"), (is_sent, "the form was not sent"), (!unreadable, "no action")];
    Verdict {
        score: Some(50.0 * f64::from(u8::from(is_right)) + 50.0 * f64::from(u8::from(is_sent))),
        success: is_right && is_sent,
        feedback: feedback.iter().filter(|row| !row.0).map(|row| row.1.to_owned()).collect(),
        figures: facts["clicks"].as_f64().map(|clicks| ("clicks".to_owned(), clicks)).into_iter().collect(),
        details: json!({"typed": facts["typed"]}),
    }
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
