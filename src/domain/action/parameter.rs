//! The parameters of an action: their names, kinds and ranges.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Arg, Number};

/// The maximum number of values in a message.
const MAX_VALUES: usize = 20;

/// A parameter of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamSpec {
    /// The name that an agent must write: letters, digits and `_`.
    pub name: String,
    /// What it is for, in a short phrase for people and prompts.
    pub help: String,
    /// The kind and range of its values.
    pub kind: ParamKind,
    /// Whether the action needs it.
    pub required: bool,
}

/// The kind and range of the values of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParamKind {
    /// A text.
    Text {
        /// The maximum length in characters, if there is one.
        max_chars: Option<usize>,
    },
    /// A number.
    Number {
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
        /// Whether only whole numbers are allowed.
        integer: bool,
    },
    /// A point of an area, in pixels from the left and from the top.
    Point {
        /// The number of columns of the area; the largest x is one less.
        width: u32,
        /// The number of rows of the area; the largest y is one less.
        height: u32,
    },
    /// One of these texts.
    Choice {
        /// The allowed texts.
        values: Vec<String>,
    },
    /// The text of a program or file.
    Code {
        /// The language, such as `html`: the label of a code fence.
        language: String,
    },
}

impl ParamSpec {
    /// A required parameter.
    pub fn new(name: impl Into<String>, help: impl Into<String>, kind: ParamKind) -> Self {
        Self { name: name.into(), help: help.into(), kind, required: true }
    }

    /// The parameter as one that may be left out.
    #[must_use]
    pub fn optional(self) -> Self {
        Self { required: false, ..self }
    }
}

impl ParamKind {
    /// A text of any length.
    pub fn text() -> Self {
        Self::Text { max_chars: None }
    }

    /// One of these texts.
    pub fn choice<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::Choice { values: values.into_iter().map(Into::into).collect() }
    }

    /// The language, if it is the text of a program or file.
    pub fn language(&self) -> Option<&str> {
        match self {
            Self::Code { language } => Some(language),
            _ => None,
        }
    }

    /// Whether it is the text of a program or file.
    pub fn is_code(&self) -> bool {
        matches!(self, Self::Code { .. })
    }

    /// An allowed argument, as an example.
    pub(super) fn example(&self) -> Arg {
        match self {
            Self::Text { max_chars } => Arg::Text("text".chars().take(max_chars.unwrap_or(4)).collect()),
            Self::Number { min, .. } => Arg::Number(Number::new(*min).unwrap_or_else(|| 0.into())),
            Self::Point { width, height } => {
                Arg::Point { x: i64::from(*width) / 2, y: i64::from(*height) / 2 }
            }
            Self::Choice { values } => Arg::Text(values.first().cloned().unwrap_or_default()),
            Self::Code { .. } => Arg::Code("...".into()),
        }
    }

    /// Whether this argument is allowed.
    pub fn accepts(&self, arg: &Arg) -> bool {
        match (self, arg) {
            (Self::Text { max_chars }, Arg::Text(text)) => {
                max_chars.is_none_or(|max| text.chars().nth(max).is_none())
            }
            (Self::Number { min, max, integer }, Arg::Number(number)) => {
                (*min..=*max).contains(&number.get()) && (!integer || number.as_integer().is_some())
            }
            (Self::Point { width, height }, Arg::Point { x, y }) => {
                (0..i64::from(*width)).contains(x) && (0..i64::from(*height)).contains(y)
            }
            (Self::Choice { values }, Arg::Text(text)) => values.contains(text),
            (Self::Code { .. }, Arg::Code(_)) => true,
            _ => false,
        }
    }

    /// The argument as a value of this kind, where the written form is the same: a text is code, and the name of a
    /// choice may be a number.
    pub fn convert(&self, arg: Arg) -> Arg {
        match (self, arg) {
            (Self::Code { .. }, Arg::Text(text)) => Arg::Code(text),
            (Self::Choice { values }, Arg::Number(number)) if values.contains(&number.to_string()) => {
                Arg::Text(number.to_string())
            }
            (_, arg) => arg,
        }
    }

    /// What a person typed into a field for this parameter, without quotes. It may be outside the range; `None` if it
    /// is not of this kind.
    pub fn parse_field(&self, typed: &str) -> Option<Arg> {
        match self {
            Self::Text { .. } => Some(Arg::Text(typed.to_owned())),
            Self::Choice { .. } => Some(Arg::Text(typed.trim().to_owned())),
            Self::Code { .. } => Some(Arg::Code(typed.to_owned())),
            Self::Number { .. } => typed.trim().parse().ok().and_then(Number::new).map(Arg::Number),
            Self::Point { .. } => {
                let inner = typed.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
                let separators = |c: char| c == ',' || c.is_whitespace();
                let mut numbers = inner.split(separators).filter(|part| !part.is_empty()).map(str::parse);
                match (numbers.next(), numbers.next(), numbers.next()) {
                    (Some(Ok(x)), Some(Ok(y)), None) => Some(Arg::Point { x, y }),
                    _ => None,
                }
            }
        }
    }

    /// What is allowed, in few words for a signature: `text`, `0 to 10`, `html code`.
    pub(super) fn brief(&self) -> String {
        match self {
            Self::Text { max_chars: None } => "text".into(),
            Self::Text { max_chars: Some(max) } => format!("text of at most {max} characters"),
            Self::Number { min, max, integer } => {
                format!(
                    "{} {} to {}",
                    if *integer { "integer" } else { "number" },
                    number(*min),
                    number(*max)
                )
            }
            Self::Point { width, height } => {
                format!("point (0, 0) to ({}, {})", width.saturating_sub(1), height.saturating_sub(1))
            }
            Self::Choice { values } => list_values(values, " | "),
            Self::Code { language } => format!("{language} code"),
        }
    }
}

/// What is allowed, as the end of a sentence: `a whole number from 0 to 10`.
impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { max_chars: None } => f.write_str("a text"),
            Self::Text { max_chars: Some(max) } => write!(f, "a text of at most {max} characters"),
            Self::Number { min, max, integer } => {
                let kind = if *integer { "a whole number" } else { "a number" };
                write!(f, "{kind} from {} to {}", number(*min), number(*max))
            }
            Self::Point { width, height } => {
                let x = width.saturating_sub(1);
                let y = height.saturating_sub(1);
                write!(f, "a point (x, y) from (0, 0) to ({x}, {y})")
            }
            Self::Choice { values } => write!(f, "one of {}", list_values(values, ", ")),
            Self::Code { language } => write!(f, "{language} code"),
        }
    }
}

/// A bound as it is written.
fn number(bound: f64) -> String {
    Number::new(bound).map_or_else(|| bound.to_string(), |number| number.to_string())
}

fn list_values(values: &[String], separator: &str) -> String {
    let shown: Vec<String> =
        values.iter().take(MAX_VALUES).map(|value| Arg::Text(value.clone()).to_string()).collect();
    let more = values.len().saturating_sub(MAX_VALUES);
    let shown = shown.join(separator);
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
