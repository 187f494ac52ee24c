//! Replies whose actions are labelled code blocks.
//!
//! A label is the language of a parameter for code, or its name. Text outside the blocks is ignored, unless a line of it
//! is an action.

use std::ops::Range;

use super::block_builder::Builder;
use super::fence::{Part, split_blocks};
use super::{ActionPart, ParseError, Spans, released_blocks};
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
            for found in split_blocks(rules, part.reply, &body) {
                match found {
                    Part::Line(line) => builder.push_line(line),
                    Part::Block(block) => builder.push_block(&block, spans)?,
                }
            }
        }
    }
    builder.finish(body, spans)
}
