//! Settings that are one of a few names: how an environment reads its own.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use crate::domain::OptionError;
use crate::domain::Options;

/// One of a few names; one row of an environment's settings.
pub(super) struct ChoiceOption<T: 'static> {
    pub(super) name: &'static str,
    pub(super) values: &'static [(&'static str, T)],
}

impl<T: Copy + Default> ChoiceOption<T> {
    /// What its name in these options stands for, or its default.
    pub(super) fn read(&self, options: &Options) -> Result<T, OptionError> {
        let Some(value) = options.get(self.name) else { return Ok(T::default()) };
        let found = self.values.iter().find(|(name, _)| value.as_str() == Some(name));
        found.map(|(_, meant)| *meant).ok_or_else(|| {
            let names: Vec<&str> = self.values.iter().map(|(name, _)| *name).collect();
            let why = format!("{value} is none of {}", names.join(", "));
            OptionError { name: self.name.to_owned(), why }
        })
    }
}
