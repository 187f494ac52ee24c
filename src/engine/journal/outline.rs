//! The outline of a journal: its own steps with their actions, rewards and states, read without anything else. It is much
//! faster than restoring the episode, and needs no environment.

use std::path::Path;

use serde::Deserialize;

use super::error::JournalError;
use super::lineage::read_head;
use super::sealed_lines::{SealedLines, damage, open};
use super::tagged::{LineTag, parse_event};
use crate::head::Head;
use mageyard_dialog::{PersonAnswer, PersonQuestion};
use mageyard_domain::{Action, Digest};

/// The own steps of a journal. Those that a branch shares with its parent are not among them.
#[derive(Clone, Debug)]
pub struct JournalOutline {
    /// The settings that it was started with.
    pub head: Head,
    /// The finished steps, oldest first.
    pub steps: Vec<OutlineStep>,
}

/// A finished step.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineStep {
    /// Its number, from 1.
    pub number: u32,
    /// The action and its reward; `None` if the step ended without one.
    pub action: Option<(Action, f64)>,
    /// The state after it; `None` if that is the state before it.
    pub state: Option<Digest>,
}

/// Reads the outline of a journal, without taking its lock.
pub fn read_outline(path: &Path) -> Result<JournalOutline, JournalError> {
    let mut lines = SealedLines::new(path, open(path)?);
    let head = read_head(&mut lines)?.head;
    let first = head.parent.as_ref().map_or(1, |parent| parent.step);
    let mut outline = Outliner { number: first, is_decided: false, steps: Vec::new() };
    while let Some(line) = lines.next()? {
        let number = line.end.next;
        outline.take(line.text).map_err(|why| damage(path, number, format!("not an event: {why}")))?;
    }
    Ok(JournalOutline { head, steps: outline.steps })
}

struct Outliner {
    /// The current step.
    number: u32,
    /// Whether something was decided or asked at it.
    is_decided: bool,
    steps: Vec<OutlineStep>,
}

/// The events that end a step, with the fields that an outline needs.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ended {
    Acted { action: Action, reward: f64, state: Digest },
    Looked { state: Digest },
    Person { question: PersonQuestion, answer: PersonAnswer },
}

impl Outliner {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let tag = LineTag::parse(text).map_err(|error| error.to_string())?;
        match tag.event.as_ref() {
            "passed" => self.end(None, None),
            "acted" | "looked" | "person" => {
                match parse_event(&tag.event, text).map_err(|error| error.to_string())? {
                    Ended::Acted { action, reward, state } => self.end(Some((action, reward)), Some(state)),
                    Ended::Looked { state } if self.is_decided => self.end(None, Some(state)),
                    Ended::Person {
                        question: PersonQuestion::Confirm(action),
                        answer: PersonAnswer::Refuse(_),
                    } => self.end(Some((action, 0.0)), None),
                    Ended::Looked { .. } | Ended::Person { .. } => {}
                }
            }
            "sent" | "replied" | "cut" | "accepted" | "planned" | "acting" => self.is_decided = true,
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, action: Option<(Action, f64)>, state: Option<Digest>) {
        self.steps.push(OutlineStep { number: self.number, action, state });
        (self.number, self.is_decided) = (self.number + 1, false);
    }
}
