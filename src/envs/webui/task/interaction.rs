//! The interactions of a task, as data: what is done with both pages, one after another.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use mageyard_browser::{Step, WaitMs};

/// The largest number of interactions of a task.
pub(crate) const MAX_INTERACTIONS: usize = 50;
/// The largest number of steps of an interaction.
const MAX_STEPS: usize = 200;

/// An interaction: steps, and a time to wait before the page is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interaction {
    /// What it is, for people; without it `interaction N`.
    #[serde(default)]
    pub name: String,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// How long to wait after the steps, in milliseconds; without it not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wait_ms: Option<WaitMs>,
}

impl Interaction {
    /// How long to wait after the steps.
    pub fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms.map_or(0, WaitMs::get))
    }

    /// All waiting in it, also within its steps.
    pub fn total_wait(&self) -> Duration {
        let of_step = |step: &Step| match step {
            Step::WaitMs(wait) => Duration::from_millis(wait.get()),
            _ => Duration::ZERO,
        };
        self.wait() + self.steps.iter().map(of_step).sum::<Duration>()
    }
}

/// Reads a JSON list of interactions: `[{"name": "open", "steps": [{"click": {"css": "#menu"}}], "wait_ms": 1000}]`.
///
/// # Errors
/// The line, from 1, and what is wrong there.
pub fn parse_interactions(text: &str) -> Result<Vec<Interaction>, (usize, String)> {
    let mut list: Vec<Interaction> =
        serde_json::from_str(text).map_err(|error| (error.line().max(1), reason(&error)))?;
    if list.len() > MAX_INTERACTIONS {
        return Err((1, format!("a task has at most {MAX_INTERACTIONS} interactions, not {}", list.len())));
    }
    for (number, one) in (1..).zip(&mut list) {
        if one.name.trim().is_empty() {
            one.name = format!("interaction {number}");
        }
        if one.steps.is_empty() || one.steps.len() > MAX_STEPS {
            return Err((1, format!("interaction {number} needs 1 to {MAX_STEPS} steps")));
        }
    }
    Ok(list)
}

/// The message without its place.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interactions_are_read_with_their_waits() {
        let text = r##"[{"name": "open", "steps": [{"click": {"css": "#a"}}, {"wait_ms": 20}], "wait_ms": 300},
            {"steps": [{"scroll": {"to_end": {}}}]}]"##;
        let read = parse_interactions(text).unwrap();
        assert_eq!((read[0].name.as_str(), read[1].name.as_str()), ("open", "interaction 2"));
        assert_eq!(
            read.iter().map(Interaction::wait).collect::<Vec<_>>(),
            [Duration::from_millis(300), Duration::ZERO]
        );
        assert_eq!(read[0].total_wait(), Duration::from_millis(320));
        assert_eq!(parse_interactions("[]"), Ok(vec![]));
    }

    #[test]
    fn a_wrong_list_is_refused_with_its_line() {
        for (text, line, part) in [
            ("{}", 1, "invalid type"),
            ("[\n{\"steps\": [{\"run\": 1}]}]", 2, "unknown variant `run`"),
            ("[{\"steps\": []}]", 1, "interaction 1 needs 1 to 200 steps"),
            ("[{\"steps\": [{\"mouse_up\": {}}], \"wait\": 1}]", 1, "unknown field `wait`"),
            ("[{\"steps\": [{\"mouse_up\": {}}],\n\"wait_ms\": 99999}]", 2, "the most is 10000"),
        ] {
            let (at, why) = parse_interactions(text).unwrap_err();
            assert!(at == line && why.contains(part), "{text}: {at}: {why}");
        }
    }
}
