//! The kinds of options that environments have, and the refusal of unknown option names.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use mageyard_domain::{OptionError, Options, nearest_names};

/// An integer option with a range.
pub struct IntegerOption {
    /// The key in the table of the environment.
    pub name: &'static str,
    /// The smallest allowed value.
    pub min: u64,
    /// The largest allowed value.
    pub max: u64,
    /// The value where the table has none.
    pub default: u64,
}

impl IntegerOption {
    /// The option's value, or its default. An error names the allowed range.
    pub fn read(&self, options: &Options) -> Result<u64, OptionError> {
        let Some(value) = options.get(self.name) else { return Ok(self.default) };
        value.as_u64().filter(|number| (self.min..=self.max).contains(number)).ok_or_else(|| OptionError {
            name: self.name.to_owned(),
            why: format!("{value} is not a whole number from {} to {}", self.min, self.max),
        })
    }
}

/// An option that is on or off.
pub struct SwitchOption {
    /// The key in the table of the environment.
    pub name: &'static str,
    /// The value where the table has none.
    pub default: bool,
}

impl SwitchOption {
    /// The option's value, or its default.
    pub fn read(&self, options: &Options) -> Result<bool, OptionError> {
        let Some(value) = options.get(self.name) else { return Ok(self.default) };
        let why = || format!("{value} is neither true nor false");
        value.as_bool().ok_or_else(|| OptionError { name: self.name.to_owned(), why: why() })
    }
}

/// An option with a fixed set of values, each with a name.
pub struct ChoiceOption<T: 'static> {
    /// The key in the table of the environment.
    pub name: &'static str,
    /// The allowed values, each with the text that names it.
    pub values: &'static [(&'static str, T)],
}

impl<T: Copy + Default> ChoiceOption<T> {
    /// The option's value, or its default. An error lists the names.
    pub fn read(&self, options: &Options) -> Result<T, OptionError> {
        let Some(given) = options.get(self.name) else { return Ok(T::default()) };
        let found = self.values.iter().find(|(name, _)| given.as_str() == Some(name));
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = self.values.iter().map(|(name, _)| *name).collect();
            let why = format!("{given} is not one of {}", names.join(", "));
            OptionError { name: self.name.to_owned(), why }
        })
    }
}

/// Refuses options whose names are not in `known`. `who` is the environment's name for the message.
pub fn refuse_unknown(options: &Options, known: &[&str], who: &str) -> Result<(), OptionError> {
    let Some(name) = options.keys().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let why = match nearest_names(name, known.iter().copied()).as_slice() {
        [] => format!("{who} has no such setting; it has {}", known.join(", ")),
        near => format!("{who} has no such setting; did you mean {}?", near.join(" or ")),
    };
    Err(OptionError { name: name.to_owned(), why })
}
