//! What several environments share: lists of levels and prompts of a checkout of the benchmark, types of options, and a
//! reader of Python files as data.
//!
//! It is no environment and has no rules of one. Code belongs here when a second environment needs it, and to `domain` when
//! code outside the environments does. Start with [`option_types`]; [`python`] reads expressions and never runs them.

pub mod magebench;
pub mod option_types;
pub mod prompts;
pub mod python;
mod statements;

pub use self::magebench::{Entry, ListForm};
pub use self::option_types::{ChoiceOption, IntegerOption, SwitchOption, refuse_unknown};
pub use self::python::{Expression, Line, SourceError, Token, statement};
pub use self::statements::statements;
