//! The difference of two requests: turns are aligned, then the parts of a turn that changed, then the words of a text.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Request;
use mageyard_domain::{
    MAX_COMPARED_PAIRS, Message, MessagePart, PartId, RequestReader, Role, Segment, SentRequest,
    SequenceChange, Turn, TurnPart, common_ends, sequence_changes,
};

/// The difference of two requests.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestDiff {
    /// The turns of both, in order. Equal ones have equal parts only.
    pub turns: Vec<TurnDiff>,
    /// The fields of the body besides the turns that differ: name, old and new value.
    pub parameters: Vec<(String, Option<Value>, Option<Value>)>,
}

/// A turn of one of the requests, or of both.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnDiff {
    /// Its role as written.
    pub role: String,
    /// Its number in the old request, from 1, if it is there.
    pub old: Option<usize>,
    /// Its number in the new request, from 1, if it is there.
    pub new: Option<usize>,
    /// Its parts.
    pub parts: Vec<PartDiff>,
}

/// A part of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum PartDiff {
    /// Both have it.
    Same(TurnPart),
    /// Only the old request has it.
    Removed(TurnPart),
    /// Only the new request has it.
    Added(TurnPart),
    /// Both have a text of this segment, with other words.
    Text(Option<Segment>, Vec<WordChange>),
}

/// Words of a changed text, with the white space between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordChange {
    /// Both texts have them.
    Same(String),
    /// Only the old text has them.
    Removed(String),
    /// Only the new text has them.
    Added(String),
}

impl RequestDiff {
    /// Compares two requests, whose turns this reader reads.
    pub fn new(old: &SentRequest, new: &SentRequest, reader: &dyn RequestReader) -> Self {
        let turns = turn_diffs(&old.read_turns(reader), &new.read_turns(reader));
        Self { turns, parameters: parameter_changes(&reader.parameters(old), &reader.parameters(new)) }
    }

    /// Compares two requests that are not encoded. Images are compared by the steps that they are of ([`PartId`]), which are
    /// their digests here.
    pub fn of_requests(old: &Request, new: &Request) -> Self {
        let turns = |request: &Request| request.messages.iter().map(turn).collect::<Vec<_>>();
        Self { turns: turn_diffs(&turns(old), &turns(new)), parameters: Vec::new() }
    }

    /// Whether the requests are equal.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.turns.iter().all(TurnDiff::is_same)
    }
}

impl TurnDiff {
    /// Whether both requests have this turn with equal parts.
    pub fn is_same(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, PartDiff::Same(_)))
            && self.old.is_some()
            && self.new.is_some()
    }
}

/// A turn that is not encoded.
fn turn(message: &Message) -> Turn {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let part = |part: &MessagePart| match part {
        MessagePart::Text(segment, text) => TurnPart::Text(Some(*segment), text.to_string()),
        MessagePart::Image(id, _) => TurnPart::Image { digest: image_key(*id), image: None },
    };
    let parts = message.parts.iter().map(part).collect();
    Turn { role: role.to_owned(), parts, joined: false, cache_mark: false }
}

/// The text in place of the digest of an image that is not encoded: its step and its index, such as `7/0`.
pub fn image_key(part: PartId) -> String {
    format!("{}/{}", part.step, part.index)
}

fn turn_diffs(old: &[Turn], new: &[Turn]) -> Vec<TurnDiff> {
    let parts = |turn: &Turn| (turn.role.clone(), turn.parts.iter().map(key).collect::<Vec<_>>());
    let (old_keys, new_keys): (Vec<_>, Vec<_>) =
        (old.iter().map(parts).collect(), new.iter().map(parts).collect());
    let pairs =
        align(&old_keys, &new_keys, &|one, other| (one.0 == other.0).then(|| distance(&one.1, &other.1)));
    let whole = |parts: &[TurnPart], of: fn(TurnPart) -> PartDiff| parts.iter().cloned().map(of).collect();
    let diff = |(from, to): (Option<usize>, Option<usize>)| {
        let one = from.and_then(|at| old.get(at));
        let other = to.and_then(|at| new.get(at));
        let parts = match (one, other) {
            (Some(one), Some(other)) => part_diffs(&one.parts, &other.parts),
            (Some(one), None) => whole(&one.parts, PartDiff::Removed),
            (None, Some(other)) => whole(&other.parts, PartDiff::Added),
            (None, None) => Vec::new(),
        };
        let role = one.or(other).map_or(String::new(), |turn| turn.role.clone());
        TurnDiff { role, old: from.map(|at| at + 1), new: to.map(|at| at + 1), parts }
    };
    pairs.into_iter().map(diff).collect()
}

fn part_diffs(old: &[TurnPart], new: &[TurnPart]) -> Vec<PartDiff> {
    let (old_keys, new_keys): (Vec<_>, Vec<_>) =
        (old.iter().map(key).collect(), new.iter().map(key).collect());
    let pairs = align(&old_keys, &new_keys, &|one, other| match (one, other) {
        (PartKey::Text(one, _), PartKey::Text(other, _)) if one == other => Some(1),
        _ => None,
    });
    let diff =
        |pair: (Option<usize>, Option<usize>)| match (pair.0.map(|at| &old[at]), pair.1.map(|at| &new[at])) {
            (Some(one), Some(other)) if key(one) == key(other) => Some(PartDiff::Same(one.clone())),
            (Some(TurnPart::Text(segment, one)), Some(TurnPart::Text(_, other))) => {
                Some(PartDiff::Text(*segment, word_changes(one, other)))
            }
            (Some(one), _) => Some(PartDiff::Removed(one.clone())),
            (None, Some(other)) => Some(PartDiff::Added(other.clone())),
            (None, None) => None,
        };
    pairs.into_iter().filter_map(diff).collect()
}

/// What is compared of a part: of an image its bytes, not the step that it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PartKey {
    Text(Option<Segment>, String),
    Image(String),
    Unknown(String),
}

fn key(part: &TurnPart) -> PartKey {
    match part {
        TurnPart::Text(segment, text) => PartKey::Text(*segment, text.clone()),
        TurnPart::Image { digest, .. } => PartKey::Image(digest.clone()),
        TurnPart::Unknown(json) => PartKey::Unknown(json.clone()),
    }
}

/// The cost of removing or adding an element. A changed pair is kept together if it costs less than twice this.
const ALONE: usize = 8;
/// What an equal part of a turn counts for the likeness of two turns.
const EQUAL: usize = 16;
/// What an equal placeholder counts: nearly all turns of old steps have one.
const EQUAL_PLACEHOLDER: usize = 4;
/// What another text of the same segment of a prompt counts.
const SAME_SEGMENT: usize = 12;

/// How much two turns of one role differ: from 4, if all parts are equal, to 20.
fn distance(one: &[PartKey], other: &[PartKey]) -> usize {
    let most = one.len().max(other.len()).max(1);
    let alike: usize = one.iter().map(|part| likeness(part, other)).sum();
    4 + EQUAL - (alike / most).min(EQUAL)
}

fn likeness(part: &PartKey, other: &[PartKey]) -> usize {
    let is_equal = other.contains(part);
    match part {
        PartKey::Text(Some(Segment::Placeholder), _) if is_equal => EQUAL_PLACEHOLDER,
        _ if is_equal => EQUAL,
        // An output or the beginning of a turn is of one step; other texts are versions of each other.
        PartKey::Text(segment, _)
            if !matches!(
                segment,
                Some(Segment::Output | Segment::Turn | Segment::Skipped | Segment::Placeholder)
            ) =>
        {
            let is_same = |part: &PartKey| matches!(part, PartKey::Text(other, _) if other == segment);
            if other.iter().any(is_same) { SAME_SEGMENT } else { 0 }
        }
        _ => 0,
    }
}

/// Pairs the elements of two sequences in order, at the least cost: equal ones cost nothing, a pair that differs what
/// `cost` says (`None` if it must not be a pair), others [`ALONE`] each.
fn align<T: PartialEq>(
    old: &[T],
    new: &[T],
    cost: &dyn Fn(&T, &T) -> Option<usize>,
) -> Vec<(Option<usize>, Option<usize>)> {
    let (start, end) = common_ends(old, new);
    let rows = old.len() - start - end;
    let columns = new.len() - start - end;
    let mut pairs: Vec<_> = (0..start).map(|at| (Some(at), Some(at))).collect();
    if rows.saturating_mul(columns) > MAX_COMPARED_PAIRS {
        pairs.extend((0..rows).map(|at| (Some(start + at), None)));
        pairs.extend((0..columns).map(|at| (None, Some(start + at))));
    } else {
        pairs.extend(
            align_middle(&old[start..start + rows], &new[start..start + columns], cost)
                .into_iter()
                .map(|(from, to)| (from.map(|at| start + at), to.map(|at| start + at))),
        );
    }
    pairs.extend((0..end).map(|at| (Some(old.len() - end + at), Some(new.len() - end + at))));
    pairs
}

fn align_middle<T: PartialEq>(
    old: &[T],
    new: &[T],
    cost: &dyn Fn(&T, &T) -> Option<usize>,
) -> Vec<(Option<usize>, Option<usize>)> {
    let columns = new.len() + 1;
    let of_pair = |x: usize, y: usize| if old[x] == new[y] { Some(0) } else { cost(&old[x], &new[y]) };
    let mut costs = vec![0_usize; (old.len() + 1) * columns];
    for x in (0..=old.len()).rev() {
        for y in (0..=new.len()).rev() {
            let removed = (x < old.len()).then(|| costs[(x + 1) * columns + y] + ALONE);
            let added = (y < new.len()).then(|| costs[x * columns + y + 1] + ALONE);
            let pair = (x < old.len() && y < new.len())
                .then(|| Some(costs[(x + 1) * columns + y + 1] + of_pair(x, y)?))
                .flatten();
            costs[x * columns + y] = [removed, added, pair].into_iter().flatten().min().unwrap_or(0);
        }
    }
    let mut x = 0;
    let mut y = 0;
    let mut pairs = Vec::new();
    while x < old.len() || y < new.len() {
        let here = costs[x * columns + y];
        let is_pair = x < old.len()
            && y < new.len()
            && of_pair(x, y).is_some_and(|cost| costs[(x + 1) * columns + y + 1] + cost == here);
        if is_pair {
            pairs.push((Some(x), Some(y)));
            (x, y) = (x + 1, y + 1);
        } else if x < old.len() && costs[(x + 1) * columns + y] + ALONE == here {
            pairs.push((Some(x), None));
            x += 1;
        } else {
            pairs.push((None, Some(y)));
            y += 1;
        }
    }
    pairs
}

/// The words of both texts, in runs of one kind.
fn word_changes(old: &str, new: &str) -> Vec<WordChange> {
    let old = words(old);
    let new = words(new);
    let mut changes: Vec<WordChange> = Vec::new();
    for change in sequence_changes(&old, &new) {
        match (changes.last_mut(), change) {
            (Some(WordChange::Same(text)), SequenceChange::Same(at, _))
            | (Some(WordChange::Removed(text)), SequenceChange::Removed(at)) => text.push_str(old[at]),
            (Some(WordChange::Added(text)), SequenceChange::Added(at)) => text.push_str(new[at]),
            (_, SequenceChange::Same(at, _)) => changes.push(WordChange::Same(old[at].to_owned())),
            (_, SequenceChange::Removed(at)) => changes.push(WordChange::Removed(old[at].to_owned())),
            (_, SequenceChange::Added(at)) => changes.push(WordChange::Added(new[at].to_owned())),
        }
    }
    changes
}

/// A text as words and the white space between them.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| c.is_whitespace() != first.is_whitespace()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after;
    }
    words
}

fn parameter_changes(
    old: &[(String, Value)],
    new: &[(String, Value)],
) -> Vec<(String, Option<Value>, Option<Value>)> {
    let find = |all: &[(String, Value)], name: &str| {
        all.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let names: BTreeSet<&String> = old.iter().chain(new).map(|(name, _)| name).collect();
    let changes = names.into_iter().map(|name| (name.clone(), find(old, name), find(new, name)));
    changes.filter(|(_, old, new)| old != new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(role: &str, parts: &[(&str, &str)]) -> Turn {
        let part = |(kind, text): &(&str, &str)| match *kind {
            "image" => TurnPart::Image { digest: (*text).to_owned(), image: None },
            "task" => TurnPart::Text(Some(Segment::Task), (*text).to_owned()),
            "turn" => TurnPart::Text(Some(Segment::Turn), (*text).to_owned()),
            "output" => TurnPart::Text(Some(Segment::Output), (*text).to_owned()),
            "placeholder" => TurnPart::Text(Some(Segment::Placeholder), (*text).to_owned()),
            _ => TurnPart::Text(None, (*text).to_owned()),
        };
        let parts = parts.iter().map(part).collect();
        Turn { role: role.to_owned(), parts, joined: false, cache_mark: false }
    }

    /// Each turn as its sign, its role and its parts.
    fn told(old: &[Turn], new: &[Turn]) -> Vec<String> {
        let part = |part: &PartDiff| match part {
            PartDiff::Same(_) => "=".to_owned(),
            PartDiff::Removed(TurnPart::Image { digest, .. }) => format!("-{digest}"),
            PartDiff::Added(TurnPart::Image { digest, .. }) => format!("+{digest}"),
            PartDiff::Removed(_) => "-".to_owned(),
            PartDiff::Added(_) => "+".to_owned(),
            PartDiff::Text(_, words) => words.iter().map(word).collect(),
        };
        let turns = turn_diffs(old, new);
        let line = |turn: &TurnDiff| {
            let sign = match (turn.old, turn.new) {
                (Some(_), None) => "-",
                (None, _) => "+",
                _ => "=",
            };
            format!("{sign}{} {}", turn.role, turn.parts.iter().map(part).collect::<Vec<_>>().join(" "))
        };
        turns.iter().map(line).collect()
    }

    fn word(change: &WordChange) -> String {
        match change {
            WordChange::Same(text) => text.clone(),
            WordChange::Removed(text) => format!("[-{text}-]"),
            WordChange::Added(text) => format!("{{+{text}+}}"),
        }
    }

    /// A request with one output in memory and the newest frame, at this step.
    fn request(step: u32) -> Vec<Turn> {
        let before = format!("out {}", step - 1);
        let frame = format!("frame{step}");
        vec![
            turn("system", &[("task", "push the boxes")]),
            turn("user", &[("turn", &format!("state {}", step - 1)), ("placeholder", "frame not shown")]),
            turn("assistant", &[("output", &before)]),
            turn("user", &[("turn", &format!("state {step}")), ("image", &frame)]),
        ]
    }

    #[test]
    fn a_request_against_itself_has_no_difference() {
        let turns = turn_diffs(&request(4), &request(4));
        assert!(turns.iter().all(TurnDiff::is_same));
        assert_eq!(turns.len(), 4);
    }

    #[test]
    fn a_step_later_one_turn_goes_one_comes_and_one_frame_becomes_a_placeholder() {
        assert_eq!(
            told(&request(4), &request(5)),
            [
                "=system =",
                "-user - -",
                "-assistant -",
                "=user = -frame4 +",
                "+assistant +",
                "+user + +frame5",
            ]
        );
    }

    #[test]
    fn words_of_a_changed_segment_are_marked_and_images_compared_by_digest() {
        let old = [turn("user", &[("task", "push all boxes now"), ("image", "a")])];
        let new = [turn("user", &[("task", "push two boxes"), ("image", "b")])];
        assert_eq!(told(&old, &new), ["=user push [-all-]{+two+} boxes[- now-] -a +b"]);
        assert_eq!(told(&old, &[]), ["-user - -a"]);
    }

    #[test]
    fn parameters_that_differ_or_are_missing_are_listed() {
        let value = |name: &str, value: f64| (name.to_owned(), Value::from(value));
        let changes = parameter_changes(
            &[value("temperature", 0.1), value("top_p", 1.0)],
            &[value("temperature", 0.5), value("seed", 3.0)],
        );
        let told: Vec<_> =
            changes.iter().map(|(name, old, new)| (name.as_str(), old.is_some(), new.is_some())).collect();
        assert_eq!(told, [("seed", false, true), ("temperature", true, true), ("top_p", true, false)]);
    }
}
