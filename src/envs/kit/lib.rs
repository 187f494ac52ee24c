//! What several environments share: lists of levels and prompts of a checkout of the benchmark, types of options, a reader of
//! Python files as data, and a font.
//!
//! It is no environment and has no rules of one. Code belongs here when a second environment needs it, and to `domain` when
//! code outside the environments does. Start with [`option_types`]; [`python`] reads expressions and never runs them.

pub mod magebench;
pub mod option_types;
pub mod prompts;
pub mod python;

pub use self::magebench::{Entry, ListForm};
pub use self::option_types::{ChoiceOption, IntegerOption, SwitchOption, refuse_unknown};
pub use self::python::{Expression, Line, SourceError, Token, statement};

/// `DejaVu` Sans Bold, reduced to the characters of ASCII; the licence lies beside it.
pub const SANS_BOLD: &[u8] = include_bytes!("font/dejavu-sans-bold-subset.ttf");
