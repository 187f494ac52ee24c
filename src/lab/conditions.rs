//! Conditions that a person wrote: their mistakes with the place, and what they need to know beside an episode.

use crate::break_effects::check_break_effect;
use crate::read_recordings;
use std::ops::Range;
use std::sync::Arc;

use super::{Lab, LabError};
use mageyard_config::{Config, Problem, load_prices};
use mageyard_engine::{Breakpoints, Condition, ConditionError, Known, RecordedPath, Store};

/// The problem with a condition that was written at `place`, such as a flag, with the place in its text.
pub fn condition_problem(error: &ConditionError, place: &str, text: &str) -> Problem {
    let problem = Problem::new(error.message.clone()).at(place, text, error.span.clone());
    Problem { help: error.help.clone(), ..problem }
}

/// The breakpoints of these texts, each written at `place`, with what they need to know.
pub async fn read_breakpoints(
    lab: &Lab,
    texts: &[String],
    place: &str,
    config: &Config,
) -> Result<Breakpoints, LabError> {
    let mut breakpoints = Breakpoints::default();
    let mut known = prices_of(config)?;
    for text in texts {
        let more: Breakpoints = text.parse().map_err(|error| condition_problem(&error, place, text))?;
        for (session, span) in more.sessions() {
            learn_condition(lab, session, span, place, text, config, &mut known).await?;
        }
        for (effect, span) in more.effects() {
            check_break_effect(lab, effect, config)
                .map_err(|problem| at_place(problem, place, text, span))?;
        }
        breakpoints = breakpoints.with(more);
    }
    Ok(breakpoints.knowing(Arc::new(known)))
}

/// The condition of this text, written at `place`, and what it needs to know.
pub async fn read_condition(
    lab: &Lab,
    text: &str,
    place: &str,
    config: &Config,
) -> Result<(Condition, Known), LabError> {
    let condition: Condition = text.parse().map_err(|error| condition_problem(&error, place, text))?;
    let mut known = prices_of(config)?;
    for (session, span) in condition.sessions() {
        learn_condition(lab, session, span, place, text, config, &mut known).await?;
    }
    Ok((condition, known))
}

/// Adds the states and actions of a session that a condition compares with.
async fn learn_condition(
    lab: &Lab,
    session: &str,
    span: &Range<usize>,
    place: &str,
    text: &str,
    config: &Config,
    known: &mut Known,
) -> Result<(), LabError> {
    let store = Store::new(config.store_folder());
    let mut paths = Vec::new();
    for recording in read_recordings(lab, &store, &[session.to_owned()]) {
        let recording =
            recording.map_err(|error| Problem::new(error.to_string()).at(place, text, span.clone()))?;
        paths.push(RecordedPath::of(&recording.restore().await?.episode));
    }
    known.recordings.insert(session.to_owned(), paths);
    Ok(())
}

/// A problem with a part of a text that was written at `place`.
fn at_place(problem: Problem, place: &str, text: &str, span: Range<usize>) -> Problem {
    Problem { location: None, ..problem }.at(place, text, span)
}

/// What conditions know without a session.
fn prices_of(config: &Config) -> Result<Known, LabError> {
    Ok(Known { prices: load_prices(config)?, ..Known::default() })
}
