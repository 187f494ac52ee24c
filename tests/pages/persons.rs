//! What a person is asked: to confirm actions, to allow the opening, to solve a captcha, to judge.

use mageyard_domain::{Level, Options, Persons, Question};

use super::level::PageLevel;

/// Asks persons on levels that say so. A captcha is not known before.
pub(super) struct PagePersons;

impl Persons for PagePersons {
    fn must_confirm(&self, level: &Level, _: &Options) -> bool {
        read(level).confirm
    }

    fn destroys(&self, level: &Level, _: &Options) -> Vec<String> {
        read(level).destructive
    }

    fn asks(&self, level: &Level, _: &Options) -> bool {
        read(level).judge.as_deref() == Some("person")
    }
}

fn read(level: &Level) -> PageLevel {
    PageLevel::parse(level.text()).unwrap_or_default()
}

/// What stands before the page after some action.
pub(super) fn captcha() -> Question {
    Question::take_over("The page shows a captcha. Solve it.")
}

/// What is asked at the end.
pub(super) fn judge() -> Question {
    Question::to_person("Is the form filled in well? Write what is wrong; nothing if it is right.")
}
