//! The agent that speaks from a recording. Before each recorded reply it makes the request that would be sent
//! now, as the agent of a model makes it, and holds it against the one that was sent; where none was sent it
//! compares what the step shows. At the first difference it stops: it never goes on with words that were an
//! answer to something else. Nothing is sent, so nothing is used up.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::SeatError;
use super::model::Packer;
use super::model::recorded;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::Ask;
use crate::domain::Cue;
use crate::domain::Difference;
use crate::domain::Options;
use crate::domain::Packing;
use crate::domain::Reply;
use crate::domain::SentTurn;
use crate::domain::visible;

/// A recording, as far as it concerns its agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// Where it was read, for people.
    pub from: String,
    /// The settings of the model that was asked; empty where none was.
    pub model: Options,
    /// The answers, in order.
    pub cues: Vec<Cue>,
}

/// Speaks from a recording.
pub(super) struct Replay {
    script: Script,
    /// For a recording of requests.
    packer: Option<Packer>,
}

impl Replay {
    pub(super) fn new(script: Script) -> Result<Self, SeatError> {
        let asked = script.cues.iter().any(|cue| cue.body.is_some());
        let packer = asked.then(|| Packer::new(&script.model)).transpose();
        let packer = packer.map_err(|error| SeatError::Script {
            from: script.from.clone(),
            why: format!("its settings of the model: {error}"),
        })?;
        Ok(Self { script, packer })
    }

    /// The next one that there is.
    fn after(&self, step: u32, attempt: u32) -> Option<&Cue> {
        self.script.cues.iter().find(|cue| (cue.step, cue.attempt) > (step, attempt))
    }

    fn cue(&self, step: u32, attempt: u32) -> Result<&Cue, AgentError> {
        let found = self.script.cues.iter().find(|cue| (cue.step, cue.attempt) == (step, attempt));
        found.ok_or_else(|| AgentError::Unscripted {
            from: self.script.from.clone(),
            step,
            attempt,
            last: match self.after(step, attempt).or(self.script.cues.last()) {
                Some(Cue { meddled: Some(meddled), .. }) => format!("a person had intervened: {meddled}"),
                Some(cue) => format!("its last is for step {}, attempt {}", cue.step, cue.attempt),
                None => "it holds none at all".to_owned(),
            },
        })
    }
}

#[async_trait]
impl Agent for Replay {
    fn reads(&self) -> bool {
        self.packer.is_some()
    }

    fn packing(&self) -> Option<Arc<dyn Packing>> {
        self.packer.as_ref().map(Packer::packing)
    }

    async fn decide(&mut self, ask: Ask<'_>) -> Result<Answer, AgentError> {
        let cue = self.cue(ask.step, ask.attempt)?.clone();
        let spot = match (&cue.body, &mut self.packer) {
            (Some(body), Some(packer)) => {
                let request = packer.pack(&ask)?;
                compare(body, &request.sent.body, &request.turns)
            }
            _ => state(&cue, &ask),
        };
        match spot {
            Some(spot) => Err(differs(spot, &cue)),
            None => Ok(free(cue.answer)),
        }
    }
}

/// An answer that costs nothing this time.
fn free(answer: Answer) -> Answer {
    match answer {
        Answer::Said(reply) => Answer::Said(Reply { usage: None, ..reply }),
        Answer::Stood => Answer::Stood,
    }
}

/// Where two requests differ: turn, what, then, now.
type Spot = (Option<usize>, String, String, String);

fn differs((turn, what, recorded, now): Spot, cue: &Cue) -> AgentError {
    let (step, attempt, meddled) = (cue.step, cue.attempt, cue.meddled.clone());
    AgentError::Differs(Box::new(Difference { step, attempt, turn, what, recorded, now, meddled }))
}

fn state(cue: &Cue, ask: &Ask<'_>) -> Option<Spot> {
    let now = ask.observation.digest();
    let spot = || (None, "the state".to_owned(), cue.state.to_string(), now.to_string());
    (cue.state != now).then(spot)
}

/// The first difference between the request that was kept and the one of now.
fn compare(kept: &Value, body: &Value, now: &[SentTurn]) -> Option<Spot> {
    let then = match recorded(kept) {
        Ok(then) => then,
        Err(why) => return Some((None, "the request".to_owned(), why, "as it should be".to_owned())),
    };
    let turns = (1..).zip(then.iter().zip(now));
    let mut spots = turns.filter_map(|(number, (then, now))| {
        let (what, then, now) = turn(then, now)?;
        Some((Some(number), what, then, now))
    });
    spots.next().or_else(|| count(&then, now)).or_else(|| field(kept, body))
}

fn turn(then: &SentTurn, now: &SentTurn) -> Option<(String, String, String)> {
    if then.role != now.role {
        return Some(("the role".to_owned(), spelt(then), spelt(now)));
    }
    if then.text != now.text {
        let (then, now) = excerpts(&then.text, &now.text);
        return Some(("the text".to_owned(), then, now));
    }
    if then.pictures.len() != now.pictures.len() {
        let (then, now) = (then.pictures.len().to_string(), now.pictures.len().to_string());
        return Some(("the number of its pictures".to_owned(), then, now));
    }
    let mut pictures = (1..).zip(then.pictures.iter().zip(&now.pictures));
    let (number, (then, now)) = pictures.find(|(_, (then, now))| then != now)?;
    Some((format!("its picture {number}"), then.to_string(), now.to_string()))
}

fn spelt(turn: &SentTurn) -> String {
    format!("{:?}", turn.role).to_lowercase()
}

fn count(then: &[SentTurn], now: &[SentTurn]) -> Option<Spot> {
    let turn = then.len().min(now.len()) + 1;
    let spot =
        || (Some(turn), "the number of turns".to_owned(), then.len().to_string(), now.len().to_string());
    (then.len() != now.len()).then(spot)
}

/// The first field beside the turns that is not the same.
fn field(then: &Value, now: &Value) -> Option<Spot> {
    let (then, now) = (then.as_object()?, now.as_object()?);
    let mut names = then.keys().chain(now.keys()).filter(|name| *name != "messages");
    let name = names.find(|name| then.get(*name) != now.get(*name))?;
    let shown = |value: Option<&Value>| {
        value.map_or_else(|| "none".to_owned(), |value| excerpt(&value.to_string(), 0))
    };
    Some((None, format!("the field {:?}", visible(name)), shown(then.get(name)), shown(now.get(name))))
}

/// Characters of an excerpt before the first that differs, and from there on.
const BEFORE: usize = 20;
const AFTER: usize = 40;

/// Both texts around the first character that differs.
fn excerpts(then: &str, now: &str) -> (String, String) {
    let same = then.chars().zip(now.chars()).take_while(|(then, now)| then == now).count();
    (excerpt(then, same), excerpt(now, same))
}

/// A stretch of the text around its character `at`, in quotes, made safe to show in one line.
fn excerpt(text: &str, at: usize) -> String {
    let start = at.saturating_sub(BEFORE);
    let mut rest = text.chars().skip(start);
    let stretch: String = rest.by_ref().take(at - start + AFTER).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if rest.next().is_some() { "…" } else { "" });
    let shown = visible(&stretch).replace('\n', "␤").replace('\t', "␉");
    format!("“{before}{shown}{after}”")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::Role;

    fn turn_of(role: Role, text: &str) -> SentTurn {
        SentTurn { role, text: text.to_owned(), pictures: Vec::new() }
    }

    fn body(turns: &[(&str, &str)]) -> Value {
        let messages: Vec<_> =
            turns.iter().map(|(role, text)| json!({"role": role, "content": text})).collect();
        json!({"model": "m", "messages": messages})
    }

    #[test]
    fn the_first_turn_that_differs_is_named_with_both_sides() {
        let then = body(&[("system", "You play."), ("user", "Go\u{1b}[2J up.")]);
        let now = [turn_of(Role::System, "You play."), turn_of(Role::User, "Go down.")];
        let (turn, what, then, now) = compare(&then, &then, &now).unwrap();
        assert_eq!((turn, what.as_str()), (Some(2), "the text"));
        assert_eq!((then.as_str(), now.as_str()), ("“Go␛[2J up.”", "“Go down.”"));
    }

    #[test]
    fn a_missing_turn_and_a_changed_field_are_differences() {
        let kept = body(&[("user", "a"), ("assistant", "b")]);
        let one = [turn_of(Role::User, "a")];
        assert_eq!(compare(&kept, &kept, &one).unwrap().0, Some(2));
        let both = [turn_of(Role::User, "a"), turn_of(Role::Assistant, "b")];
        assert_eq!(compare(&kept, &kept, &both), None);
        let mut other = kept.clone();
        other["model"] = json!("n");
        let spot = compare(&kept, &other, &both).unwrap();
        assert_eq!(spot, (None, "the field \"model\"".into(), "“\"m\"”".into(), "“\"n\"”".into()));
        let swapped = [turn_of(Role::User, "a"), turn_of(Role::User, "b")];
        assert_eq!(compare(&kept, &kept, &swapped).unwrap().1, "the role");
    }

    #[test]
    fn a_long_text_is_shown_around_the_difference_only() {
        let then = format!("{}x{}", "ä".repeat(1000), "b".repeat(1000));
        let now = format!("{}\ny", "ä".repeat(1000));
        let (then, now) = excerpts(&then, &now);
        assert_eq!(then, format!("“…{}x{}…”", "ä".repeat(BEFORE), "b".repeat(AFTER - 1)));
        assert_eq!(now, format!("“…{}␤y”", "ä".repeat(BEFORE)));
    }
}
