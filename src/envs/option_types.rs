//! Settings that are whole numbers within bounds: how an environment reads its own, and how it refuses
//! a name that it does not have.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::nearest_names;

/// A whole number within bounds; one row of an environment's settings.
pub(super) struct IntegerOption {
    pub(super) name: &'static str,
    pub(super) min: u64,
    pub(super) max: u64,
    pub(super) default: u64,
}

impl IntegerOption {
    /// Its value in these options, or its default.
    pub(super) fn read(&self, options: &Options) -> Result<u64, OptionError> {
        let Some(value) = options.get(self.name) else { return Ok(self.default) };
        value.as_u64().filter(|number| (self.min..=self.max).contains(number)).ok_or_else(|| OptionError {
            name: self.name.to_owned(),
            why: format!("{value} is not a whole number from {} to {}", self.min, self.max),
        })
    }
}

/// Refuses options that are not among these; `who` is the environment in words.
pub(super) fn refuse_unknown(options: &Options, known: &[&str], who: &str) -> Result<(), OptionError> {
    let Some(name) = options.keys().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let why = match nearest_names(name, known.iter().copied()).as_slice() {
        [] => format!("{who} has no such setting; it has {}", known.join(", ")),
        near => format!("{who} has no such setting; did you mean {}?", near.join(" or ")),
    };
    Err(OptionError { name: name.to_owned(), why })
}
