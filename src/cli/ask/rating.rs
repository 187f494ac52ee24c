//! Ratings of replies, from the words of `--rate`.

use std::path::Path;

use crate::exit::Failure;
use mageyard_config::Problem;
use mageyard_domain::Rating;
use mageyard_lab::AnswerReference;
use mageyard_study::rate_answer;

/// Rates as words such as `88f18db3:2/4=good` say.
pub(super) fn rate(journal: &Path, step: u32, words: &str) -> Result<(), Failure> {
    let (answer, rating) = words.split_once('=').ok_or_else(|| no_rating(words))?;
    let rating = match rating {
        "good" => Some(Rating::Good),
        "bad" => Some(Rating::Bad),
        "none" => None,
        _ => return Err(no_rating(words).into()),
    };
    let answer: AnswerReference = answer.parse()?;
    rate_answer(journal, step, &answer, rating)?;
    Ok(())
}

fn no_rating(words: &str) -> Problem {
    Problem::new(format!("--rate: {words:?} is not an answer and a rating"))
        .with_help("write ASK:VARIANT/SAMPLE=good, or bad, or none to take a rating away")
}
