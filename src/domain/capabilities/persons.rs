//! The questions that an environment asks persons.

use crate::{Level, Options};

/// An environment that needs a person. See also [`Question::to_person`](crate::Question::to_person) and
/// [`Question::take_over`](crate::Question::take_over), which outcomes and verdicts ask.
pub trait Persons: Send + Sync {
    /// Whether a person confirms each action of this level, whatever the settings say.
    fn must_confirm(&self, level: &Level, options: &Options) -> bool {
        let _ = (level, options);
        false
    }

    /// What makes [`Persons::must_confirm`] unnecessary, for messages where no person is: an imperative without an end mark.
    fn instead_of_confirming(&self) -> Option<&'static str> {
        None
    }

    /// What opening this level destroys outside of it, a sentence each without an end mark. It is opened only if a person
    /// allows that.
    fn destroys(&self, level: &Level, options: &Options) -> Vec<String> {
        let _ = (level, options);
        Vec::new()
    }

    /// Whether episodes of this level ask a person for sure, as far as it is known before. An episode that asks
    /// nevertheless is parked where no person is.
    fn asks(&self, level: &Level, options: &Options) -> bool {
        let _ = (level, options);
        false
    }
}
