//! The parts of a condition. Each is displayed in the form in which it is read.

use std::fmt;

use regex::{Regex, RegexBuilder};

use super::asker::Asker;
use crate::error_analysis::Mark;
use mageyard_domain::Number;

/// The largest size of a compiled pattern, and of the tables of a search with it, in bytes.
const PATTERN_SIZE: usize = 256 << 10;

/// The deepest nesting of groups in a pattern.
const PATTERN_DEPTH: u32 = 50;

/// A condition without the places of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    Term(Term),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
}

/// The smallest part that is true or false of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// The step has some mark.
    Any,
    /// The step has this mark.
    Marked(Mark),
    /// So many steps in a row up to this one have the mark. Of [`Mark::Dropped`] the number of dropped members is compared
    /// instead.
    Streak(Mark, Comparison, Number),
    Quantity(Quantity, Comparison, Number),
    Text(TextField, Match),
    /// The first step whose state or action differs from this recording.
    Differs(String),
}

/// How a number is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    AtMost,
    Less,
    AtLeast,
    More,
}

impl Comparison {
    /// All comparisons; the longer signs are first, because they begin like shorter ones.
    pub(super) const ALL: [Self; 6] =
        [Self::Unequal, Self::AtMost, Self::AtLeast, Self::Less, Self::More, Self::Equal];

    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::AtMost => "<=",
            Self::Less => "<",
            Self::AtLeast => ">=",
            Self::More => ">",
        }
    }

    /// Whether it holds. Sums of decimal rewards are equal to what they are written as.
    pub(super) fn holds(self, value: f64, limit: f64) -> bool {
        let equal = value == limit || (value - limit).abs() < 1e-9;
        match self {
            Self::Equal => equal,
            Self::Unequal => !equal,
            Self::AtMost => equal || value < limit,
            Self::Less => !equal && value < limit,
            Self::AtLeast => equal || value > limit,
            Self::More => !equal && value > limit,
        }
    }

    /// Whether it, once true of a value, is true of every larger one.
    pub(super) fn grows(self) -> bool {
        matches!(self, Self::AtLeast | Self::More)
    }

    /// Whether it, once false of a value, is false of every larger one.
    pub(super) fn shrinks(self) -> bool {
        matches!(self, Self::AtMost | Self::Less)
    }
}

/// A number that a step has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    Step,
    Reward,
    RewardDrop,
    Sum,
    Tokens(Asker),
    TokensIn(Asker),
    TokensOut(Asker),
    Attempts,
    Dropped,
    Distance,
    Cost(Asker),
    Latency,
    Am,
    Om,
}

impl Quantity {
    pub(super) const ALL: [Self; 14] = [
        Self::Step,
        Self::Reward,
        Self::RewardDrop,
        Self::Sum,
        Self::Tokens(Asker::All),
        Self::TokensIn(Asker::All),
        Self::TokensOut(Asker::All),
        Self::Attempts,
        Self::Dropped,
        Self::Distance,
        Self::Cost(Asker::All),
        Self::Latency,
        Self::Am,
        Self::Om,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Reward => "reward",
            Self::RewardDrop => "reward_drop",
            Self::Sum => "sum",
            Self::Tokens(_) => "tokens",
            Self::TokensIn(_) => "tokens_in",
            Self::TokensOut(_) => "tokens_out",
            Self::Attempts => "attempts",
            Self::Dropped => Mark::Dropped.name(),
            Self::Distance => "distance",
            Self::Cost(_) => "cost",
            Self::Latency => "latency",
            Self::Am => "am",
            Self::Om => "om",
        }
    }

    /// Whose requests it counts, if it counts requests.
    pub(super) fn asker(self) -> Option<Asker> {
        match self {
            Self::Tokens(asker) | Self::TokensIn(asker) | Self::TokensOut(asker) | Self::Cost(asker) => {
                Some(asker)
            }
            _ => None,
        }
    }

    /// The same number of the requests of this asker.
    pub(super) fn of(self, asker: Asker) -> Self {
        match self {
            Self::Tokens(_) => Self::Tokens(asker),
            Self::TokensIn(_) => Self::TokensIn(asker),
            Self::TokensOut(_) => Self::TokensOut(asker),
            Self::Cost(_) => Self::Cost(asker),
            other => other,
        }
    }

    /// Whether it counts side requests of a role only, some of which come after the action.
    pub(crate) fn is_of_role(self) -> bool {
        matches!(self.asker(), Some(Asker::Role(_)))
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.asker().map_or(Ok(()), |asker| write!(f, "{asker}"))
    }
}

/// A text that a step has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextField {
    Action,
    Text,
    Seen,
    Url,
    Note,
    Agent,
    Model,
    Prompt,
    Environment,
    Level,
    Reader,
    Role,
    Tag,
    Comment,
}

impl TextField {
    pub(super) const ALL: [Self; 14] = [
        Self::Action,
        Self::Text,
        Self::Seen,
        Self::Url,
        Self::Note,
        Self::Agent,
        Self::Model,
        Self::Prompt,
        Self::Environment,
        Self::Level,
        Self::Reader,
        Self::Role,
        Self::Tag,
        Self::Comment,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Text => "text",
            Self::Seen => "seen",
            Self::Url => "url",
            Self::Note => "note",
            Self::Agent => "agent",
            Self::Model => "model",
            Self::Prompt => "prompt",
            Self::Environment => "environment",
            Self::Level => "level",
            Self::Reader => "reader",
            Self::Role => "role",
            Self::Tag => "tag",
            Self::Comment => "comment",
        }
    }
}

/// What a text is compared with. Upper and lower case are the same, except in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    Equal(String),
    Unequal(String),
    Contains(String),
    Pattern(Pattern),
}

/// A regular expression, searched in linear time. Equal when its text is.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Regex);

impl Pattern {
    /// Compiles a pattern. The error is one line.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let built = RegexBuilder::new(text)
            .size_limit(PATTERN_SIZE)
            .dfa_size_limit(PATTERN_SIZE)
            .nest_limit(PATTERN_DEPTH)
            .build();
        built.map(Self).map_err(|error| match error {
            regex::Error::CompiledTooBig(limit) => {
                format!("the compiled pattern is larger than {limit} bytes")
            }
            error => {
                let text = error.to_string();
                let last = text.lines().last().unwrap_or_default();
                format!("invalid regular expression: {}", last.trim_start_matches("error: "))
            }
        })
    }

    /// The first part of the text that it matches.
    pub(super) fn find<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.0.find(text).map(|found| found.as_str())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Pattern {}

impl Expression {
    /// The terms, in order.
    pub(crate) fn terms(&self) -> Vec<&Term> {
        match self {
            Self::Term(term) => vec![term],
            Self::Not(inner) => inner.terms(),
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::terms).collect(),
        }
    }
}

impl Term {
    /// Whether it counts steps in a row with a mark that continues, so that it stays true once it is.
    pub(crate) fn continues(&self) -> bool {
        matches!(self, Self::Streak(Mark::RepeatedAction | Mark::Dead, ..))
    }

    /// Whether it compares with a recorded session.
    pub(crate) fn names_session(&self) -> bool {
        matches!(self, Self::Differs(_))
    }

    /// Whether it is judged by the annotations of a step.
    pub(crate) fn reads_annotations(&self) -> bool {
        matches!(self, Self::Text(TextField::Tag | TextField::Comment, _))
    }

    /// Whether it is true only of a step that has annotations.
    pub(crate) fn needs_annotations(&self) -> bool {
        self.reads_annotations() && !matches!(self, Self::Text(_, Match::Unequal(_)))
    }

    /// Whether it is judged by distances.
    pub(crate) fn needs_distance(&self) -> bool {
        matches!(
            self,
            Self::Marked(Mark::OffPath)
                | Self::Streak(Mark::OffPath, ..)
                | Self::Quantity(Quantity::Distance, ..)
        )
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut fmt::Formatter<'_>, parts: &[Self], word: &str, bare: fn(&Self) -> bool| {
            parts.iter().enumerate().try_for_each(|(index, part)| {
                f.write_str(if index == 0 { "" } else { word })?;
                if bare(part) { write!(f, "{part}") } else { write!(f, "({part})") }
            })
        };
        let is_single = |part: &Self| matches!(part, Self::Term(_) | Self::Not(_));
        match self {
            Self::Term(term) => write!(f, "{term}"),
            Self::Not(inner) if is_single(inner) => write!(f, "not {inner}"),
            Self::Not(inner) => write!(f, "not ({inner})"),
            Self::And(parts) => joined(f, parts, " and ", is_single),
            Self::Or(parts) => joined(f, parts, " or ", |part| !matches!(part, Self::Or(_))),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str(super::ANY),
            Self::Marked(mark) => f.write_str(mark.name()),
            Self::Streak(mark, sign, limit) => write!(f, "{}{}{limit}", mark.name(), sign.sign()),
            Self::Quantity(quantity, sign, limit) => {
                write!(f, "{quantity}{}{limit}", sign.sign())
            }
            Self::Text(field, wanted) => write!(f, "{}{wanted}", field.name()),
            Self::Differs(session) => write!(f, "{}({})", super::DIFFERS, written(session)),
        }
    }
}

impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal(text) => write!(f, "={}", written(text)),
            Self::Unequal(text) => write!(f, "!={}", written(text)),
            Self::Contains(text) => write!(f, "~{}", written(text)),
            Self::Pattern(pattern) => write!(f, "~/{}/", pattern.0.as_str().replace('/', "\\/")),
        }
    }
}

/// Whether a value of this character need not be quoted.
pub(super) fn is_plain(letter: char) -> bool {
    !letter.is_whitespace() && !letter.is_control() && !",;()\"=".contains(letter)
}

/// A value as it is written: in quotes if it has other than plain characters.
fn written(text: &str) -> String {
    let plain = !text.is_empty() && !text.starts_with('/') && text.chars().all(is_plain);
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")) }
}
