//! Collects code blocks as the arguments of actions.
//!
//! Blocks of one action follow each other; a later block replaces an earlier one with the same label. A line that is an
//! action begins a new one.

use std::collections::BTreeMap;
use std::ops::Range;

use super::block_splitter::Block;
use super::labels::{CodeParam, exact_param, known_labels, likely_param};
use super::{
    ActionPart, BlockRule, BlockSpan, Leniency, ParseError, Spans, excerpt, trimmed_span, unchanged,
};
use mageyard_domain::{Action, ActionError, ActionSpec, Arg, Delimiter, nearest_names};

/// An action whose blocks are collected.
struct Draft<'a> {
    spec: &'a ActionSpec,
    action: Action,
    /// Where its arguments are.
    places: BTreeMap<String, Range<usize>>,
    span: Range<usize>,
}

impl Draft<'_> {
    /// Whether a line began an action whose arguments are all code, and no block followed.
    fn has_no_code(&self) -> bool {
        self.action.args.is_empty() && self.spec.is_program()
    }
}

/// The actions so far.
pub(super) struct Builder<'a> {
    pub(super) part: &'a ActionPart<'a>,
    drafts: Vec<Draft<'a>>,
    /// Whether a line began the last action: then the next block belongs to it.
    continues: bool,
    /// The label of the first block whose label is unknown.
    unknown: Option<Range<usize>>,
}

impl<'a> Builder<'a> {
    /// A builder without an action.
    pub(super) fn new(part: &'a ActionPart<'a>) -> Self {
        Self { part, drafts: Vec::new(), continues: false, unknown: None }
    }

    /// Begins an action if the line is one.
    pub(super) fn push_line(&mut self, line: Range<usize>) {
        let reply = self.part.reply;
        let space = self.part.action_space;
        let Ok(read) = space.read_without_code(&reply[line.clone()]) else { return };
        let Some(spec) = space.spec(&read.action.name) else { return };
        let places =
            read.args.into_iter().map(|(name, at)| (name, line.start + at.start..line.start + at.end));
        self.drafts.push(Draft { spec, action: read.action, places: places.collect(), span: line.clone() });
        self.continues = true;
    }

    pub(super) fn push_block(&mut self, block: &Block, spans: &mut Spans) -> Result<(), ParseError> {
        let reply = self.part.reply;
        let rules = &self.part.rules.blocks;
        if !block.is_closed {
            if !rules.open {
                let why = "a code block is not closed".to_owned();
                return Err(ParseError::at("fence", why, block.span.clone()));
            }
            spans.record_leniency(Leniency::Fence);
        }
        // A line that is an action is no label.
        let is_action = self.drafts.last().is_some_and(|draft| self.continues && draft.span == block.label);
        let label = if is_action { "" } else { &reply[block.label.clone()] };
        let Some((param, rule)) = self.find_param(label, spans) else {
            return self.drop_block(block, spans);
        };
        let is_before = !label.is_empty() && block.label.end <= block.span.start;
        let rule = if is_before { BlockRule::Other } else { rule };
        if is_before {
            spans.record_leniency(Leniency::Label);
        }
        let at = BlockSpan { label: block.label.clone(), ..BlockSpan::new(rule, block.code.clone()) };
        self.push_code(param, &block.span, at, reply[block.code.clone()].to_owned(), spans);
        Ok(())
    }

    /// Adds an argument to the last action, or to a new one.
    pub(super) fn push_code(
        &mut self,
        (spec, param): CodeParam<'a>,
        span: &Range<usize>,
        at: BlockSpan,
        code: String,
        spans: &mut Spans,
    ) {
        if self.drafts.last().is_none_or(|draft| draft.spec.name != spec.name) {
            let action = Action::plain(&*spec.name);
            self.drafts.push(Draft { spec, action, places: BTreeMap::new(), span: span.clone() });
        }
        let Some(draft) = self.drafts.last_mut() else { return };
        draft.action.args.insert(param.name.clone(), Arg::Code(code));
        if let Some(replaced) = draft.places.insert(param.name.clone(), at.at.clone()) {
            spans.mark_replaced(&replaced);
        }
        draft.span.end = span.end;
        self.continues = false;
        spans.record_block(BlockSpan { parameter: Some(param.name.clone()), ..at });
    }

    /// The parameter that a label names, and by which rule: of the action that a line began, otherwise of all actions.
    fn find_param(&self, label: &str, spans: &mut Spans) -> Option<(CodeParam<'a>, BlockRule)> {
        let space = self.part.action_space;
        let begun = self.drafts.last().filter(|_| self.continues).map(|draft| draft.spec);
        if let Some(found) = exact_param(space, begun, label) {
            return Some((found, if label.is_empty() { BlockRule::Unlabelled } else { BlockRule::Exact }));
        }
        let likely = Some(label).filter(|_| self.part.rules.blocks.labels);
        let likely = likely.and_then(|label| likely_param(space, label))?;
        spans.record_leniency(Leniency::Label);
        Some((likely, if label.is_empty() { BlockRule::Unlabelled } else { BlockRule::Other }))
    }

    /// Ignores a block, or refuses the reply, as for a list member that is not an action.
    fn drop_block(&mut self, block: &Block, spans: &mut Spans) -> Result<(), ParseError> {
        self.unknown.get_or_insert(block.label.clone());
        if !self.part.rules.tolerate.unknown {
            return Err(self.unknown_label_error(block.label.clone()));
        }
        spans.record_dropped(block.span.clone());
        let at = BlockSpan::new(BlockRule::Unknown, block.code.clone());
        spans.record_block(BlockSpan { label: block.label.clone(), ..at });
        Ok(())
    }

    pub(super) fn unknown_label_error(&self, at: Range<usize>) -> ParseError {
        let label = excerpt(&self.part.reply[at.clone()]);
        let known = known_labels(self.part.action_space);
        let why =
            format!("{label:?} is not a label of a code block here; the labels are {}", known.join(", "));
        let near = nearest_names(label, known).into_iter().map(str::to_owned).collect();
        ParseError { near, ..ParseError::at("block", why, at) }
    }

    pub(super) fn finish(mut self, body: Range<usize>, spans: &mut Spans) -> Result<Vec<Action>, ParseError> {
        self.drafts.retain(|draft| !draft.has_no_code());
        let (Some(first), Some(last)) = (self.drafts.first(), self.drafts.last()) else {
            return self.finish_without_blocks(body, spans).map(|action| vec![action]);
        };
        let dropped = (spans.dropped.first(), spans.dropped.last());
        let start = dropped.0.map_or(first.span.start, |block| block.start.min(first.span.start));
        let end = dropped.1.map_or(last.span.end, |block| block.end.max(last.span.end));
        self.record_action(start..end, &body, spans);
        if !self.part.format.list && self.drafts.len() > 1 {
            let why = format!("the reply has {} actions, expected one", self.drafts.len());
            return Err(ParseError::at("action", why, first.span.start..last.span.end));
        }
        for draft in &self.drafts {
            draft.spec.check(&draft.action).map_err(|error| argument_error(&error, draft))?;
            for (name, at) in &draft.places {
                spans.record_argument(name, at.clone());
            }
        }
        Ok(self.drafts.into_iter().map(|draft| draft.action).collect())
    }
}

impl Builder<'_> {
    /// The action of a reply without a block that is used: one that changes nothing, if the reply says so.
    fn finish_without_blocks(&self, body: Range<usize>, spans: &mut Spans) -> Result<Action, ParseError> {
        if let Some(label) = self.unknown.clone() {
            spans.action = Some(body);
            return Err(self.unknown_label_error(label));
        }
        if let Some((action, said)) = unchanged::read(self.part, &body, spans) {
            self.record_action(said, &body, spans);
            return Ok(action);
        }
        spans.action = Some(body.clone());
        let labels = known_labels(self.part.action_space).join(", ");
        Err(ParseError::at("block", format!("no code block with a label: {labels}"), body))
    }

    /// Records where the actions are. Where nothing delimits them, the analysis is what comes before.
    fn record_action(&self, at: Range<usize>, body: &Range<usize>, spans: &mut Spans) {
        if self.part.format.delimiter == Delimiter::Whole {
            let before = trimmed_span(self.part.reply, body.start..at.start);
            spans.analysis = Some(before).filter(|before| !before.is_empty());
        }
        spans.action = Some(at);
    }
}

fn argument_error(error: &ActionError, draft: &Draft<'_>) -> ParseError {
    let at = error.parameter().and_then(|name| draft.places.get(name)).unwrap_or(&draft.span);
    ParseError::at("argument", error.to_string(), at.clone())
}
