//! What several environments share: the published values of MageBench, the types of options, and the reader of Python's
//! stored objects. It is no environment, and nothing outside `envs` uses it.

pub mod magebench;
pub mod option_types;
pub mod python;

pub use self::magebench::{Entry, ListForm};
pub use self::option_types::{ChoiceOption, IntegerOption, refuse_unknown};
pub use self::python::{Expression, Line, SourceError, Token, statement};
