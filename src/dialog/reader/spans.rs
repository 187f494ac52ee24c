//! Which bytes of a reply were read as what, and the deviations that the rules accepted. Journals store this.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

/// A deviation from the exact format that the rules accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leniency {
    /// A heading at another level, in bold, or in other capitals.
    Heading,
    /// A code fence around the action, the object or the reply.
    Fence,
    /// Text outside the tags or the object.
    Outside,
    /// A list with one action per line.
    Lines,
    /// A list marker before an action.
    Marker,
    /// Quotes or similar characters around an action.
    Around,
    /// A full stop or a similar character after an action.
    Ending,
    /// Other capitals in an action.
    Capitals,
    /// Another label of a code block.
    Label,
    /// How often an action is repeated, as a number after it.
    Count,
    /// An explanation after an action.
    Explanation,
    /// Words or signs other than a comma between list members.
    Joint,
    /// Tokens of a chat template at the end of the reply.
    Token,
}

impl fmt::Display for Leniency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Heading => "another heading",
            Self::Fence => "a code fence",
            Self::Outside => "text outside the format",
            Self::Lines => "one action per line",
            Self::Marker => "a list marker",
            Self::Around => "characters around the action",
            Self::Ending => "a character after the action",
            Self::Capitals => "other capitals",
            Self::Label => "another label of a code block",
            Self::Count => "a number of repetitions",
            Self::Explanation => "an explanation after an action",
            Self::Joint => "words or signs between actions",
            Self::Token => "tokens of a chat template at the end",
        })
    }
}

/// The byte ranges of a reply that the reader used, and the deviations that it accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spans {
    /// The analysis, without surrounding white space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Range<usize>>,
    /// The action or the list, without surrounding white space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Range<usize>>,
    /// The first twenty list members that are not action names, or blocks with an unknown label, and were ignored.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub dropped: ThinVec<Range<usize>>,
    /// How many more were ignored.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_dropped: u32,
    /// The deviations that were accepted, each kind once.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub liberties: ThinVec<Leniency>,
    /// The first hundred arguments of the actions.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub args: ThinVec<ArgumentSpan>,
    /// The first hundred code blocks.
    #[serde(default, skip_serializing_if = "ThinVec::is_empty")]
    pub blocks: ThinVec<BlockSpan>,
    /// The fallback rule that found the action, if the delimiters gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<FallbackMatch>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A code block in a reply, and what it was read as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSpan {
    /// The bytes of its label; may be empty.
    pub label: Range<usize>,
    /// The parameter that got its code; `None` if the block is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The bytes of its code.
    pub at: Range<usize>,
    /// The rule that says so.
    pub rule: BlockRule,
    /// Whether a later block replaced it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
}

impl BlockSpan {
    pub(super) fn new(rule: BlockRule, at: Range<usize>) -> Self {
        Self { label: at.start..at.start, parameter: None, at, rule, replaced: false }
    }
}

/// Why a code block belongs to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockRule {
    /// It has exactly the label of the parameter.
    Exact,
    /// It has another label that can only mean this parameter.
    Other,
    /// It has no label, and only this parameter takes code.
    Unlabelled,
    /// A sentence without code says that it does not change.
    Unchanged,
    /// Its text begins with the label (the benchmark's released code).
    Prefix,
    /// It has more angle brackets than lines (the benchmark's released code).
    AngleBrackets,
    /// It has `;`, `function `, `document.` or `const` (the benchmark's released code).
    Keywords,
    /// It has more than one curly bracket (the benchmark's released code).
    Braces,
    /// Its label is unknown.
    Unknown,
}

impl fmt::Display for BlockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Exact => "the label",
            Self::Other => "another label",
            Self::Unlabelled => "no label, and only one file is possible",
            Self::Unchanged => "a sentence says that it does not change",
            Self::Prefix => "it begins with the label",
            Self::AngleBrackets => "guessed: more < and > than lines",
            Self::Keywords => "guessed: ; or function or document. or const",
            Self::Braces => "guessed: more than one curly bracket",
            Self::Unknown => "unknown label, ignored",
        })
    }
}

/// An argument in a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentSpan {
    /// The name of the parameter.
    pub parameter: String,
    /// The bytes of its value.
    pub at: Range<usize>,
}

/// The match of a fallback rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FallbackMatch {
    /// The name of the rule.
    pub rule: String,
    /// The bytes of the reply that it matched; the action is a part of them.
    pub span: Range<usize>,
}

/// The maximum number of arguments whose spans are recorded.
const MAX_ARGUMENT_SPANS: usize = 100;

/// The maximum number of code blocks whose spans are recorded.
const MAX_BLOCK_SPANS: usize = 100;

/// The maximum number of dropped list members whose spans are recorded.
const MAX_DROPPED_SPANS: usize = 20;

impl Spans {
    pub(super) fn record_dropped(&mut self, at: Range<usize>) {
        if at.is_empty() {
            return;
        }
        if self.dropped.len() < MAX_DROPPED_SPANS {
            self.dropped.push(at);
        } else {
            self.more_dropped = self.more_dropped.saturating_add(1);
        }
    }

    /// How many list members or blocks were ignored. Of recordings without this count, at most twenty are known.
    pub fn dropped_count(&self) -> usize {
        self.dropped.len() + usize::try_from(self.more_dropped).unwrap_or(usize::MAX)
    }

    pub(super) fn record_argument(&mut self, parameter: &str, at: Range<usize>) {
        if self.args.len() < MAX_ARGUMENT_SPANS {
            self.args.push(ArgumentSpan { parameter: parameter.to_owned(), at });
        }
    }

    pub(super) fn record_block(&mut self, block: BlockSpan) {
        if self.blocks.len() < MAX_BLOCK_SPANS {
            self.blocks.push(block);
        }
    }

    /// Marks the block with this code: a later one replaced it.
    pub(super) fn mark_replaced(&mut self, code: &Range<usize>) {
        for block in self.blocks.iter_mut().filter(|block| block.at == *code) {
            block.replaced = true;
        }
    }

    /// Adds the arguments and the deviations of a part of the reply.
    pub(super) fn append(&mut self, part: Self) {
        for argument in part.args {
            self.record_argument(&argument.parameter, argument.at);
        }
        for leniency in part.liberties {
            self.record_leniency(leniency);
        }
    }

    pub(super) fn record_leniency(&mut self, leniency: Leniency) {
        if !self.liberties.contains(&leniency) {
            self.liberties.push(leniency);
        }
    }
}
