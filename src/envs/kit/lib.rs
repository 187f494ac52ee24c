//! What several environments share: the published values of MageBench, the types of options, and the reader of Python's
//! stored objects. It is no environment, and nothing outside `envs` uses it.

pub mod magebench;
pub mod option_types;
pub mod python;
pub use self::magebench::Entry;
pub use self::magebench::ListForm;
pub use self::option_types::ChoiceOption;
pub use self::option_types::IntegerOption;
pub use self::option_types::refuse_unknown;
pub use self::python::Expression;
pub use self::python::Line;
pub use self::python::SourceError;
pub use self::python::Token;
pub use self::python::statement;
