//! Replies whose actions are labelled code blocks.
//!
//! A label is the language of a parameter for code, or its name. Text outside the blocks is ignored, unless a line of it
//! is an action.

use std::ops::Range;

use super::block_builder::Builder;
use super::block_splitter::{Part, split_blocks};
use super::labels::named_param;
use super::{ActionPart, Leniency, ParseError, Spans, released_blocks};
use crate::rules::BlockSplit;
use mageyard_domain::Action;

/// The actions of the blocks in a span of the reply.
pub(super) fn parse(
    part: &ActionPart<'_>,
    body: Range<usize>,
    spans: &mut Spans,
) -> Result<Vec<Action>, ParseError> {
    let rules = &part.rules.blocks;
    let mut builder = Builder::new(part);
    match rules.split {
        BlockSplit::Backticks => released_blocks::read(&mut builder, &body, spans)?,
        BlockSplit::Lines => {
            let is_label = |label: &str| named_param(part.action_space, label).is_some();
            for found in split_blocks(rules, part.reply, &body, is_label) {
                match found {
                    Part::Line(line) => builder.push_line(line),
                    Part::Block(block) => builder.push_block(&block, spans)?,
                    Part::OtherFence => spans.record_leniency(Leniency::Fence),
                }
            }
        }
    }
    builder.finish(body, spans)
}
