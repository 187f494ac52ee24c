//! Actions, their parameters, and the space of the actions that are allowed at a step.
//!
//! An [`ActionSpec`] describes an action once: prompts, palette, help, forms and checks all use it.

mod argument;
mod error;
mod list;
mod parameter;
mod space;
mod spec;
mod written;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use self::argument::{Arg, Number};
pub use self::error::ActionError;
pub use self::list::split_list;
pub use self::parameter::{ParamKind, ParamSpec};
pub use self::space::ActionSpace;
pub use self::spec::ActionSpec;
pub use self::written::{MisreadAction, WrittenAction};

/// An action by name, with its arguments. Each environment converts it to its own type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Action {
    /// The name as listed in the action space, such as `Left`.
    pub name: String,
    /// Arguments by the name of their parameter; empty for an action without parameters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, Arg>,
}

impl Action {
    /// An action without arguments.
    pub fn plain(name: impl Into<String>) -> Self {
        Self { name: name.into(), args: BTreeMap::new() }
    }

    /// The action with this argument.
    #[must_use]
    pub fn with(mut self, parameter: impl Into<String>, arg: Arg) -> Self {
        self.args.insert(parameter.into(), arg);
        self
    }

    /// The action in one line, with the number of lines in place of code.
    pub fn label(&self) -> String {
        if !self.args.values().any(|arg| matches!(arg, Arg::Code(_))) {
            return self.to_string();
        }
        let value = |arg: &Arg| match arg {
            Arg::Code(text) if text.lines().count() == 1 => "1 line".to_owned(),
            Arg::Code(text) => format!("{} lines", text.lines().count()),
            other => other.to_string(),
        };
        let args: Vec<String> =
            self.args.iter().map(|(name, arg)| format!("{name}: {}", value(arg))).collect();
        format!("{}({})", self.name, args.join(", "))
    }
}

/// The written form: `Left`, or `click(at=(120, 40), button="left")`. Control characters in arguments are escaped.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (name, arg)) in self.args.iter().enumerate() {
            f.write_str(if index == 0 { "(" } else { ", " })?;
            write!(f, "{name}={arg}")?;
        }
        f.write_str(if self.args.is_empty() { "" } else { ")" })
    }
}

#[cfg(test)]
mod tests;
