//! The shapes of replies that fail or are read with doubt: what is alike counts as one.

use std::collections::BTreeMap;

use super::step::{Reread, RereadStep, actions_text};
use mageyard_dialog::ParseError;

/// The most places of a shape that are kept.
const MOST_PLACES: usize = 1_000;

/// Where a reply is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyPlace {
    /// The index of its episode among those that were read.
    pub episode: usize,
    /// The number of the step.
    pub step: u32,
    /// The number of the attempt among those that count, from 1.
    pub attempt: usize,
}

/// Why a reply is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// It fails.
    Refused,
    /// A fallback rule read it.
    Fallback,
    /// Parts of it were ignored.
    Ignored,
}

/// Replies that fail, or are read with doubt, in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyShape {
    /// Why they are looked at.
    pub doubt: Doubt,
    /// The rule that failed, or the fallback rule that read them; empty if parts were ignored.
    pub rule: String,
    /// What they look like: `JSON`, `tags`, `code`, `headings`, `text` or `empty`.
    pub form: &'static str,
    /// What was found and expected. Quoted texts and numbers that differ among the replies are left out.
    pub why: String,
    /// How many there are.
    pub count: usize,
    /// Where they are, in order; at most 1,000.
    pub places: Vec<ReplyPlace>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    doubt: Doubt,
    rule: String,
    form: &'static str,
    why: String,
}

/// The shapes of the replies so far.
#[derive(Default)]
pub(super) struct Shapes(BTreeMap<Key, ReplyShape>);

impl Shapes {
    /// Adds the replies of a step that fail or are read with doubt.
    pub(super) fn add(&mut self, episode: usize, step: &RereadStep<'_>) {
        for (index, (given, again)) in step.before.iter().zip(&step.now).enumerate() {
            let Some((doubt, rule, why)) = doubt(again) else { continue };
            let form = form(&given.reply);
            let key = Key { doubt, rule: rule.clone(), form, why: without_details(&why) };
            let general = key.why.clone();
            let new = || ReplyShape { doubt, rule, form, why: why.clone(), count: 0, places: Vec::new() };
            let shape = self.0.entry(key).or_insert_with(new);
            if shape.why != why {
                shape.why = general;
            }
            shape.count += 1;
            if shape.places.len() < MOST_PLACES {
                shape.places.push(ReplyPlace { episode, step: step.step.number, attempt: index + 1 });
            }
        }
    }

    /// The shapes, the most frequent first.
    pub(super) fn sorted(self) -> Vec<ReplyShape> {
        let mut shapes: Vec<ReplyShape> = self.0.into_values().collect();
        shapes.sort_by(|a, b| a.doubt.cmp(&b.doubt).then(b.count.cmp(&a.count)));
        shapes
    }
}

/// Why a reply is looked at, the rule, and the words about it.
fn doubt(again: &Reread) -> Option<(Doubt, String, String)> {
    match (&again.result, &again.fallback) {
        (Err(ParseError { rule, why, .. }), _) => Some((Doubt::Refused, rule.clone(), why.clone())),
        (Ok(_), Some(rule)) => {
            Some((Doubt::Fallback, rule.clone(), "a fallback rule found the action".to_owned()))
        }
        (Ok(actions), None) if again.dropped > 0 => Some((
            Doubt::Ignored,
            String::new(),
            format!("parts were ignored, \"{}\" was read", actions_text(actions)),
        )),
        _ => None,
    }
}

/// The words without what is quoted and without numbers, which differ from reply to reply.
fn without_details(words: &str) -> String {
    let mut general = String::with_capacity(words.len());
    let mut letters = words.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                general.push_str("\"…\"");
                while let Some(inner) = letters.next() {
                    match inner {
                        '\\' => drop(letters.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '0'..='9' => {
                general.push('N');
                while letters.next_if(char::is_ascii_digit).is_some() {}
            }
            other => general.push(other),
        }
    }
    general
}

/// What a reply looks like at first sight.
fn form(reply: &str) -> &'static str {
    let text = reply.trim();
    let has_tag = || text.split('<').skip(1).any(|rest| rest.starts_with('/') && rest.contains('>'));
    let is_heading = |line: &str| {
        let line = line.trim_start();
        let name = line.trim_start_matches(['#', '*', ' ']).split_once(':').map_or("", |parts| parts.0);
        line.starts_with('#')
            || line.starts_with("**")
            || (1..=24).contains(&name.len()) && !name.contains(' ')
    };
    match text.chars().next() {
        None => "empty",
        Some('{' | '[') => "JSON",
        _ if text.contains("```") => "code",
        _ if has_tag() => "tags",
        _ if text.lines().any(is_heading) => "headings",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_reply_to_reply_is_left_out() {
        assert_eq!(
            without_details("the text \"a \\\" b\" at 12 is not 3.5"),
            "the text \"…\" at N is not N.N"
        );
        assert_eq!(without_details("an open \"quote"), "an open \"…\"");
    }

    #[test]
    fn forms_are_told_apart() {
        let cases = [
            ("", "empty"),
            (" \n", "empty"),
            ("{\"action\": \"Up\"}", "JSON"),
            ("<think>x</think><answer>Up</answer>", "tags"),
            ("Here:\n```json\n{}\n```", "code"),
            ("**Analysis:** x\n**Action:** Up", "headings"),
            ("Action: Up", "headings"),
            ("I would go up, if I could: it is free", "text"),
            ("a < b", "text"),
        ];
        for (reply, expected) in cases {
            assert_eq!(form(reply), expected, "{reply}");
        }
    }
}
