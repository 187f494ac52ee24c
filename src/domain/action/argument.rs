//! The arguments of an action.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize, Serializer};

use crate::sanitize::escape_json;

/// The largest magnitude at which every whole number is an `f64`.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A finite number. Minus zero is zero.
#[derive(Clone, Copy, Debug)]
pub struct Number(f64);

impl Number {
    /// The number; `None` if it is infinite or not a number.
    pub fn new(value: f64) -> Option<Self> {
        // The sum turns -0 into 0.
        value.is_finite().then_some(Self(value + 0.0))
    }

    /// Its value.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Its value as a whole number, if it is one and every neighbour of it has a value of its own.
    pub fn as_integer(self) -> Option<i64> {
        let exact = self.0.fract() == 0.0 && self.0.abs() <= MAX_EXACT;
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
        exact.then_some(self.0 as i64)
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self(value.into())
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.as_integer() {
            Some(whole) => to.serialize_i64(whole),
            None => to.serialize_f64(self.0),
        }
    }
}

/// As in JSON, whole numbers without a decimal point.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_integer() {
            Some(whole) => write!(f, "{whole}"),
            None => write!(f, "{}", serde_json::Value::from(self.0)),
        }
    }
}

/// The value of a parameter. In JSON: `"text"`, `1.5`, `[x, y]` for a point, `{"code": "text"}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "StoredArg", into = "StoredArg")]
pub enum Arg {
    /// A text, also the chosen value of a parameter with a list of values.
    Text(String),
    /// A number.
    Number(Number),
    /// A point in pixels, from the left and from the top. It may lie outside what the parameter allows.
    Point {
        /// From the left.
        x: i64,
        /// From the top.
        y: i64,
    },
    /// The text of a program or file.
    Code(String),
}

/// An argument as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredArg {
    Text(String),
    Number(#[serde(deserialize_with = "finite")] Number),
    Point([i64; 2]),
    Code { code: String },
}

fn finite<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Number, D::Error> {
    Number::new(f64::deserialize(from)?).ok_or_else(|| serde::de::Error::custom("the number is not finite"))
}

impl Arg {
    /// The argument in a JSON value as an agent writes it: as stored, or `true`, `false`, or whole numbers with a
    /// decimal point in a point. `None` if the value is nothing of this.
    pub fn from_json(value: &str) -> Option<Self> {
        if let Ok(stored) = serde_json::from_str::<StoredArg>(value) {
            return Some(stored.into());
        }
        if let Ok([x, y]) = serde_json::from_str::<[f64; 2]>(value) {
            let whole = |value| Number::new(value).and_then(Number::as_integer);
            return Some(Self::Point { x: whole(x)?, y: whole(y)? });
        }
        serde_json::from_str::<bool>(value).ok().map(|flag| Self::Text(flag.to_string()))
    }
}

impl From<StoredArg> for Arg {
    fn from(stored: StoredArg) -> Self {
        match stored {
            StoredArg::Text(text) => Self::Text(text),
            StoredArg::Number(number) => Self::Number(number),
            StoredArg::Point([x, y]) => Self::Point { x, y },
            StoredArg::Code { code } => Self::Code(code),
        }
    }
}

impl From<Arg> for StoredArg {
    fn from(arg: Arg) -> Self {
        match arg {
            Arg::Text(text) => Self::Text(text),
            Arg::Number(number) => Self::Number(number),
            Arg::Point { x, y } => Self::Point([x, y]),
            Arg::Code(code) => Self::Code { code },
        }
    }
}

/// The written form: texts and code as JSON strings without hidden characters, points as `(x, y)`.
impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Code(text) => {
                f.write_str(&escape_json(&serde_json::Value::from(text.as_str()).to_string()))
            }
            Self::Number(number) => write!(f, "{number}"),
            Self::Point { x, y } => write!(f, "({x}, {y})"),
        }
    }
}
