//! Matches the texts that should name actions against the action space.

use std::borrow::Cow;
use std::ops::Range;

use super::members::split_members;
use super::objects::{ObjectError, WrittenObject};
use super::plain_members::{self, Decorated};
use super::{ActionPart, Candidate, Leniency, ParseError, Spans, excerpt};
use crate::rules::Tolerance;
use mageyard_domain::{
    Action, ActionError, ActionSpace, ActionSpec, MisreadAction, ParamKind, WrittenAction, nearest_names,
};

/// The maximum length of a plan in which members still repeat an action.
const MAX_REPEATED: usize = 10_000;

/// Signs before an action, followed by a space.
const MARKERS: [char; 14] = ['-', '*', '+', '•', '–', '—', '·', '▪', '◦', '→', '⇒', '➜', '➡', '>'];

/// The actions that the candidates name.
pub(super) fn match_actions(
    part: &ActionPart<'_>,
    candidates: &[Candidate<'_>],
    spans: &mut Spans,
) -> Result<Vec<Action>, ParseError> {
    let list = part.format.list;
    let action_space = part.action_space;
    let matcher = ActionMatcher {
        part,
        tolerate: &part.rules.tolerate,
        action_space,
        lowercase_names: action_space.names().map(str::to_lowercase).collect(),
    };
    let rule = if list { "list" } else { "action" };
    let mut actions = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let action = matcher.match_candidate(candidate, spans);
        if action.is_err() && list && matcher.tolerate.lists {
            let room = MAX_REPEATED.saturating_sub(actions.len());
            if let Some(read) = matcher.read_member(candidate, room, spans) {
                actions.extend(read);
                continue;
            }
        }
        match action {
            Ok(action) => actions.push(action),
            Err(None) if list && matcher.tolerate.unknown => spans.record_dropped(candidate.span.clone()),
            Err(error) => return Err(error.unwrap_or_else(|| matcher.no_match_error(rule, candidate))),
        }
    }
    match (actions.is_empty(), candidates) {
        (false, _) => Ok(actions),
        (true, []) => Err(ParseError::missing(rule, "the list is empty".into())),
        (true, [one]) => Err(matcher.no_match_error(rule, one)),
        (true, [first, .., end]) => {
            let why = format!("none of the {} list members is an action", candidates.len());
            let error = matcher.no_match_error(rule, first);
            Err(ParseError { why, at: Some(first.span.start..end.span.end), ..error })
        }
    }
}

/// Matches a text against the actions, within the tolerances.
struct ActionMatcher<'a> {
    part: &'a ActionPart<'a>,
    tolerate: &'a Tolerance,
    action_space: &'a ActionSpace,
    lowercase_names: Vec<String>,
}

/// Why a text is not an action: an error in its arguments, or `None` if it names no action.
type Mismatch = Option<ParseError>;

impl ActionMatcher<'_> {
    fn match_candidate(&self, candidate: &Candidate<'_>, spans: &mut Spans) -> Result<Action, Mismatch> {
        if candidate.is_object {
            return self.match_object(candidate, spans);
        }
        let text = candidate.text.trim();
        match self.read(candidate, text, spans) {
            Err(None) => {}
            read => return read,
        }
        let mut leniencies = Vec::new();
        let bare = self.strip_decorations(text, &mut leniencies);
        let action = self.read(candidate, bare, spans).or_else(|mismatch| {
            leniencies.push(Leniency::Capitals);
            if mismatch.is_some() { Err(mismatch) } else { self.read_ignoring_case(candidate, bare, spans) }
        })?;
        for leniency in leniencies {
            spans.record_leniency(leniency);
        }
        Ok(action)
    }

    /// The actions of a list member in a common form that is not exactly an action; `None` if a part of it is not
    /// understood, or if it repeats an action more often than there is room.
    fn read_member(&self, candidate: &Candidate<'_>, room: usize, spans: &mut Spans) -> Option<Vec<Action>> {
        let text = candidate.text.trim();
        if candidate.is_object || text.is_empty() {
            return None;
        }
        if plain_members::is_fence(text) {
            spans.record_leniency(Leniency::Fence);
            return Some(Vec::new());
        }
        let mut used = Spans::default();
        let actions = self.read_decorated(candidate, text, &mut used).or_else(|| {
            used = Spans::default();
            used.record_leniency(Leniency::Joint);
            let parts = plain_members::joined_parts(text);
            let parts = Some(parts).filter(|parts| parts.len() > 1)?;
            let read = |part| self.read_decorated(candidate, part, &mut used);
            parts.into_iter().map(read).collect::<Option<Vec<_>>>().map(|read| read.concat())
        });
        let actions = actions.filter(|actions| actions.len() == 1 || actions.len() <= room)?;
        spans.append(used);
        Some(actions)
    }

    /// The action of a text with decorations, as often as it says.
    fn read_decorated(
        &self,
        candidate: &Candidate<'_>,
        text: &str,
        spans: &mut Spans,
    ) -> Option<Vec<Action>> {
        for form in Decorated::forms(text) {
            let span = place(candidate, form.text, &(0..form.text.len()));
            let Ok(action) = self.match_candidate(&Candidate::written(form.text, span), spans) else {
                continue;
            };
            if form.explains_another(self.part, &action.name) {
                return None;
            }
            for leniency in form.leniencies {
                spans.record_leniency(leniency);
            }
            return Some(vec![action; form.times]);
        }
        None
    }

    /// The action with exactly this written form.
    fn read(&self, candidate: &Candidate<'_>, text: &str, spans: &mut Spans) -> Result<Action, Mismatch> {
        if !self.action_space.has_params() {
            return self.action_space.find(text).ok_or(None);
        }
        match self.action_space.read(text) {
            Ok(read) => {
                record_arguments(candidate, text, &read, spans);
                Ok(read.action)
            }
            Err(MisreadAction { error: ActionError::Unknown { .. }, .. }) => Err(None),
            Err(_) if self.count_actions(text) > 1 => Err(None),
            Err(misread) => {
                Err(Some(self.argument_error(&misread.error, place(candidate, text, &misread.at))))
            }
        }
    }

    fn match_object(&self, candidate: &Candidate<'_>, spans: &mut Spans) -> Result<Action, Mismatch> {
        let reply = self.part.reply;
        let object_error = |error: ObjectError| match error.error {
            Some(reason) => self.argument_error(&reason, error.at),
            None => ParseError::at("action", error.why, error.at),
        };
        let object = WrittenObject::parse(reply, &candidate.text, &candidate.span)
            .map_err(|error| Some(object_error(error)))?;
        let spec = self.action_space.spec(&object.name).or_else(|| {
            let spec = self.spec_ignoring_case(&object.name)?;
            spans.record_leniency(Leniency::Capitals);
            Some(spec)
        });
        let Some(spec) = spec else { return Err(None) };
        object.action(reply, spec, spans).map_err(|error| Some(object_error(error)))
    }

    /// The error of an argument, with the nearest names of parameters or values.
    fn argument_error(&self, error: &ActionError, at: Range<usize>) -> ParseError {
        let near = nearest_to(error, self.action_space);
        ParseError { near, ..ParseError::at("argument", error.to_string(), at) }
    }

    /// The text without the list markers, quotes and full stops that are tolerated around an action.
    fn strip_decorations<'t>(&self, text: &'t str, leniencies: &mut Vec<Leniency>) -> &'t str {
        let mut rest = text;
        while let Some((inner, leniency)) = self.strip_one_decoration(rest) {
            if !leniencies.contains(&leniency) {
                leniencies.push(leniency);
            }
            rest = inner.trim();
        }
        rest
    }

    fn strip_one_decoration<'t>(&self, text: &'t str) -> Option<(&'t str, Leniency)> {
        let marker = || strip_list_marker(text).map(|rest| (rest, Leniency::Marker));
        let ending = || {
            let rest = text.strip_suffix(|c| self.tolerate.ending.contains(c))?;
            Some((rest, Leniency::Ending))
        };
        let around = || {
            let inner = |pair: &String| {
                let mut ends = pair.chars();
                text.strip_prefix(ends.next()?)?.strip_suffix(ends.next()?)
            };
            let pair = self.tolerate.around.iter().find_map(inner);
            // Of bold text that began with the heading or with an earlier member only one end is here.
            let is_bold = self.tolerate.around.iter().any(|pair| pair == "**");
            let unpaired = || text.strip_suffix("**").or_else(|| text.strip_prefix("**")).filter(|_| is_bold);
            pair.or_else(unpaired).map(|inner| (inner, Leniency::Around))
        };
        Some(()).filter(|()| self.tolerate.markers).and_then(|()| marker()).or_else(around).or_else(ending)
    }

    /// The action with this written form and its name in any capitals.
    fn read_ignoring_case(
        &self,
        candidate: &Candidate<'_>,
        text: &str,
        spans: &mut Spans,
    ) -> Result<Action, Mismatch> {
        if let Some(spec) = self.spec_ignoring_case(text).filter(|spec| spec.is_plain()) {
            return Ok(Action::plain(&*spec.name));
        }
        let called = text.find('(').map(|at| (text[..at].trim_end(), at));
        let called = called.and_then(|(name, at)| Some((self.spec_ignoring_case(name)?, at)));
        let Some((spec, at)) = called.filter(|(spec, _)| !spec.params.is_empty()) else { return Err(None) };
        match spec.read_arguments(text, at) {
            Ok(read) if read.length == text.len() => {
                record_arguments(candidate, text, &read, spans);
                Ok(read.action)
            }
            Ok(_) => Err(None),
            Err(misread) => {
                Err(Some(self.argument_error(&misread.error, place(candidate, text, &misread.at))))
            }
        }
    }

    /// The action with this name in any capitals; `None` if two action names differ only in capitals.
    fn spec_ignoring_case(&self, name: &str) -> Option<&ActionSpec> {
        let longest = self.lowercase_names.iter().map(String::len).max().unwrap_or(0);
        // A longer text cannot match, so it is not copied.
        let name = Some(name).filter(|name| self.tolerate.capitals && name.len() <= 4 * longest)?;
        let name = name.to_lowercase();
        let mut matches =
            self.lowercase_names.iter().zip(self.action_space.specs()).filter(|(lower, _)| **lower == name);
        match (matches.next(), matches.next()) {
            (Some((_, spec)), None) => Some(spec),
            _ => None,
        }
    }

    /// The number of parts of a text that are actions, if it is split like a list.
    fn count_actions(&self, text: &str) -> usize {
        let parts = split_members(text, true, self.action_space.has_params());
        parts.into_iter().filter(|part| self.action_space.find(text[part.clone()].trim()).is_some()).count()
    }

    fn no_match_error(&self, rule: &str, candidate: &Candidate<'_>) -> ParseError {
        let text = candidate.text.trim();
        if text.is_empty() {
            return ParseError::at(rule, "the action is empty".into(), candidate.span.clone());
        }
        let why = match self.count_actions(text) {
            0 | 1 => format!("{:?} is not an action", excerpt(text)),
            count => format!("{:?} names {count} actions, expected one", excerpt(text)),
        };
        let name = excerpt(text);
        let name = name.find('(').filter(|_| self.action_space.has_params()).map_or(name, |at| &name[..at]);
        let near = nearest_names(name, self.action_space.names()).into_iter().map(str::to_owned).collect();
        ParseError { near, ..ParseError::at(rule, why, candidate.span.clone()) }
    }
}

/// The nearest names of parameters or values to what an error is about.
fn nearest_to(error: &ActionError, action_space: &ActionSpace) -> Vec<String> {
    let names = |given: &str, known: &[&str]| {
        nearest_names(given, known.iter().copied()).into_iter().map(str::to_owned).collect()
    };
    match error {
        ActionError::UnknownParameter { action, parameter, .. } => {
            let params = action_space.spec(action).map_or(&[][..], |spec| &spec.params);
            names(parameter, &params.iter().map(|param| param.name.as_str()).collect::<Vec<_>>())
        }
        ActionError::Invalid { action, parameter, given, .. } => {
            match action_space.spec(action).and_then(|spec| spec.param(parameter)).map(|param| &param.kind) {
                Some(ParamKind::Choice { values }) => {
                    names(given.trim_matches('"'), &values.iter().map(String::as_str).collect::<Vec<_>>())
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Records where the arguments of an action are; `text` is a part of the candidate.
fn record_arguments(candidate: &Candidate<'_>, text: &str, read: &WrittenAction, spans: &mut Spans) {
    if let Cow::Borrowed(_) = candidate.text {
        for (parameter, at) in &read.args {
            spans.record_argument(parameter, place(candidate, text, at));
        }
    }
}

/// The place in the reply of a range of `text`, which is a part of the candidate; the whole candidate if its text has
/// escapes.
fn place(candidate: &Candidate<'_>, text: &str, at: &Range<usize>) -> Range<usize> {
    match candidate.text {
        Cow::Borrowed(whole) => {
            let start = candidate.span.start + (text.as_ptr().addr() - whole.as_ptr().addr());
            start + at.start..start + at.end
        }
        Cow::Owned(_) => candidate.span.clone(),
    }
}

/// The text after a list marker: `- `, `– `, `* `, `+ `, `-> `, `1. `, `1) ` or `1、`.
pub(super) fn strip_list_marker(text: &str) -> Option<&str> {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => ["->", "=>"].iter().find_map(|arrow| text.strip_prefix(arrow)).or_else(|| {
            let after = text.strip_prefix(MARKERS)?;
            Some(after.strip_prefix('\u{fe0f}').unwrap_or(after))
        })?,
        digits => {
            let after = &text[digits..];
            if let Some(rest) = after.strip_prefix(['、', '．', '）']) {
                return Some(rest);
            }
            after.strip_prefix(['.', ')', ':'])?
        }
    };
    rest.strip_prefix([' ', '\t', '\u{3000}'])
}
