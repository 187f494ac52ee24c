//! Replies whose actions are labelled code blocks.
//!
//! A label is the name of a parameter for code, or its language. Blocks of one action follow each other; a later block
//! replaces an earlier one with the same label. A line outside the blocks that is an action begins a new one; all other
//! text outside the blocks is ignored.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ActionPart;
use super::Leniency;
use super::ParseError;
use super::Spans;
use super::excerpt;
use super::fence::Block;
use super::fence::Part;
use super::fence::split_blocks;
use crate::domain::Action;
use crate::domain::ActionError;
use crate::domain::ActionSpec;
use crate::domain::Arg;
use crate::domain::ParamSpec;
use crate::domain::nearest_names;

/// Other labels of a language, and the extensions of its files.
const ALIASES: [(&str, &str); 7] = [
    ("js", "javascript"),
    ("mjs", "javascript"),
    ("htm", "html"),
    ("py", "python"),
    ("ipython", "python"),
    ("sh", "bash"),
    ("shell", "bash"),
];

/// The actions of the blocks in a span of the reply.
pub(super) fn parse(
    part: &ActionPart<'_>,
    body: Range<usize>,
    spans: &mut Spans,
) -> Result<Vec<Action>, ParseError> {
    let mut builder = Builder { part, drafts: Vec::new(), continues: false, unknown: None };
    for found in split_blocks(part.reply, &body) {
        match found {
            Part::Line(line) => builder.push_line(line),
            Part::Block(block) => builder.push_block(&block, spans)?,
        }
    }
    builder.finish(body, spans)
}

/// An action whose blocks are collected.
struct Draft<'a> {
    spec: &'a ActionSpec,
    action: Action,
    /// Where its arguments are.
    places: BTreeMap<String, Range<usize>>,
    span: Range<usize>,
}

struct Builder<'a> {
    part: &'a ActionPart<'a>,
    drafts: Vec<Draft<'a>>,
    /// Whether a line began the last action: then the next block belongs to it.
    continues: bool,
    /// The first block whose label is unknown.
    unknown: Option<Range<usize>>,
}

impl<'a> Builder<'a> {
    /// Begins an action if the line is one.
    fn push_line(&mut self, line: Range<usize>) {
        let (reply, space) = (self.part.reply, self.part.action_space);
        let Ok(read) = space.read_without_code(&reply[line.clone()]) else { return };
        let Some(spec) = space.spec(&read.action.name) else { return };
        let places =
            read.args.into_iter().map(|(name, at)| (name, line.start + at.start..line.start + at.end));
        self.drafts.push(Draft { spec, action: read.action, places: places.collect(), span: line.clone() });
        self.continues = true;
    }

    fn push_block(&mut self, block: &Block, spans: &mut Spans) -> Result<(), ParseError> {
        let (reply, tolerate) = (self.part.reply, &self.part.rules.tolerate);
        if !block.is_closed {
            if !tolerate.fence {
                let why = "a code block is not closed".to_owned();
                return Err(ParseError::at("fence", why, block.span.clone()));
            }
            spans.record_leniency(Leniency::Fence);
        }
        // A line that is an action is no label.
        let is_action = self.drafts.last().is_some_and(|draft| self.continues && draft.span == block.label);
        let label = if is_action { "" } else { &reply[block.label.clone()] };
        let Some((spec, param)) = self.find_param(label, spans) else {
            return self.drop_block(block, spans);
        };
        let code = Arg::Code(reply[block.code.clone()].to_owned());
        let same = self.drafts.last_mut().filter(|draft| draft.spec.name == spec.name);
        let draft = if let Some(draft) = same {
            draft
        } else {
            let (action, span) = (Action::plain(&*spec.name), block.span.clone());
            self.drafts.push(Draft { spec, action, places: BTreeMap::new(), span });
            let last = self.drafts.len() - 1;
            &mut self.drafts[last]
        };
        draft.action.args.insert(param.name.clone(), code);
        draft.places.insert(param.name.clone(), block.code.clone());
        draft.span.end = block.span.end;
        self.continues = false;
        Ok(())
    }

    /// The parameter that a label names: of the action that a line began, otherwise of all actions.
    fn find_param(&self, label: &str, spans: &mut Spans) -> Option<(&'a ActionSpec, &'a ParamSpec)> {
        let all = self.part.action_space.specs();
        let begun = self.drafts.last().filter(|_| self.continues).map(|draft| draft.spec);
        let found = begun.and_then(|spec| {
            let one = std::slice::from_ref(spec);
            labelled(one, label).or_else(|| only_code(one, |_| label.is_empty()))
        });
        let found = found.or_else(|| labelled(all, label));
        if found.is_some() || !self.part.rules.tolerate.capitals {
            return found;
        }
        let label = canonical_label(label);
        let likely = only_code(all, |param| param.name.to_lowercase() == label || language(param) == label)
            .or_else(|| only_code(all, |_| label.is_empty()))?;
        spans.record_leniency(Leniency::Label);
        Some(likely)
    }

    /// Ignores a block, or refuses the reply, as for a list member that is no action.
    fn drop_block(&mut self, block: &Block, spans: &mut Spans) -> Result<(), ParseError> {
        self.unknown.get_or_insert(block.label.clone());
        if !self.part.rules.tolerate.unknown {
            return Err(self.unknown_label_error(block.label.clone()));
        }
        spans.record_dropped(block.span.clone());
        Ok(())
    }

    fn unknown_label_error(&self, at: Range<usize>) -> ParseError {
        let label = excerpt(&self.part.reply[at.clone()]);
        let known: Vec<&str> = self.labels().collect();
        let why =
            format!("{label:?} is not a label of a code block here; the labels are {}", known.join(", "));
        let near = nearest_names(label, known).into_iter().map(str::to_owned).collect();
        ParseError { near, ..ParseError::at("block", why, at) }
    }

    fn labels(&self) -> impl Iterator<Item = &'a str> {
        let params = self.part.action_space.specs().iter().flat_map(|spec| &spec.params);
        params.filter(|param| param.kind.is_code()).map(|param| param.name.as_str())
    }

    fn finish(self, body: Range<usize>, spans: &mut Spans) -> Result<Vec<Action>, ParseError> {
        let (Some(first), Some(last)) = (self.drafts.first(), self.drafts.last()) else {
            spans.action = Some(body.clone());
            return Err(if let Some(label) = self.unknown.clone() {
                self.unknown_label_error(label)
            } else {
                let labels = self.labels().collect::<Vec<_>>().join(", ");
                ParseError::at("block", format!("no code block with a label: {labels}"), body)
            });
        };
        let dropped = (spans.dropped.first(), spans.dropped.last());
        let start = dropped.0.map_or(first.span.start, |block| block.start.min(first.span.start));
        let end = dropped.1.map_or(last.span.end, |block| block.end.max(last.span.end));
        spans.action = Some(start..end);
        if !self.part.format.list && self.drafts.len() > 1 {
            let why = format!("the reply has {} actions, expected one", self.drafts.len());
            return Err(ParseError::at("action", why, first.span.start..last.span.end));
        }
        for draft in &self.drafts {
            draft.spec.check(&draft.action).map_err(|error| argument_error(&error, draft))?;
            draft.places.iter().for_each(|(name, at)| spans.record_argument(name, at.clone()));
        }
        Ok(self.drafts.into_iter().map(|draft| draft.action).collect())
    }
}

fn argument_error(error: &ActionError, draft: &Draft<'_>) -> ParseError {
    let at = error.parameter().and_then(|name| draft.places.get(name)).unwrap_or(&draft.span);
    ParseError::at("argument", error.to_string(), at.clone())
}

/// The only parameter for code with this name or, if there is none, with this language.
fn labelled<'a>(specs: &'a [ActionSpec], label: &str) -> Option<(&'a ActionSpec, &'a ParamSpec)> {
    only_code(specs, |param| param.name == label)
        .or_else(|| only_code(specs, |param| language(param) == label))
}

/// The only parameter for code that is accepted.
fn only_code<'a>(
    specs: &'a [ActionSpec],
    accepts: impl Fn(&ParamSpec) -> bool,
) -> Option<(&'a ActionSpec, &'a ParamSpec)> {
    let params = |spec: &'a ActionSpec| spec.params.iter().map(move |param| (spec, param));
    let code = specs.iter().flat_map(params).filter(|(_, param)| param.kind.is_code());
    let mut found = code.filter(|(_, param)| accepts(param));
    found.next().filter(|_| found.next().is_none())
}

/// The language of a parameter for code.
fn language(param: &ParamSpec) -> &str {
    match &param.kind {
        crate::domain::ParamKind::Code { language } => language,
        _ => "",
    }
}

/// A label in lower case, without the name of a file before its extension, and without an alias.
fn canonical_label(label: &str) -> String {
    let label = label.trim_matches(['*', '`', ':', '"']).to_lowercase();
    let label = label.rsplit_once('.').map_or(label.as_str(), |(_, extension)| extension);
    ALIASES.iter().find(|(alias, _)| *alias == label).map_or(label, |(_, language)| language).to_owned()
}
