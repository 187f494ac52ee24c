//! Why a page was not read or an act is not possible.

use std::fmt;

use mageyard_domain::sanitize;

/// Why a page was not read, or an act on it is not possible.
#[derive(Debug, thiserror::Error)]
pub enum PageFailure<E> {
    /// A script could not run.
    #[error(transparent)]
    Access(E),
    /// The answer of a script has another form: an error of this program, or a page that reached into the script.
    #[error("the answer of the script that reads the page has another form: {0}")]
    Answer(String),
    /// The act is not possible. Nothing was changed but what is scrolled into view or focused.
    #[error("{0}")]
    Refused(Refusal),
}

impl<E> PageFailure<E> {
    /// Why the act is not possible, if that is the failure.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}

/// Why an act on a numbered element is not possible: a sentence for the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The observation does not have this number.
    NoNumber {
        /// The number.
        number: u32,
        /// The largest number of the observation; 0 without any.
        last: u32,
    },
    /// The element is not there any more.
    Stale {
        /// The number.
        number: u32,
        /// What happened to it.
        why: Staleness,
    },
    /// The element is disabled.
    Disabled(u32),
    /// The element has no place where a pointer could reach it.
    Invisible(u32),
    /// Something else is in front of the element.
    Covered {
        /// The number.
        number: u32,
        /// Its role or tag.
        role: String,
        /// Its label, which may be empty.
        label: String,
    },
    /// An option is chosen, not clicked.
    IsOption(u32),
    /// The element cannot be typed into.
    NotField {
        /// The number.
        number: u32,
        /// What it is.
        what: String,
    },
    /// The field cannot be changed.
    ReadOnly(u32),
    /// The field does not take this text.
    WrongForm {
        /// The number.
        number: u32,
        /// The type of the field.
        kind: String,
    },
    /// The element is neither a select nor an option.
    NotSelect {
        /// The number.
        number: u32,
        /// What it is.
        what: String,
    },
    /// The select does not have such an option.
    NoOption {
        /// The wanted text.
        option: String,
        /// The options that there are, the first ones.
        options: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// The option is disabled.
    DisabledOption(String),
}

/// What happened to an element since it was numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staleness {
    /// It was removed from the page.
    Removed,
    /// Another document is there.
    NewDocument,
    /// The page was read again, so numbers changed.
    ReadAgain,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber { number, last: 0 } => {
                write!(f, "there is no element {number}: the last observation has no elements")
            }
            Self::NoNumber { number, last } => {
                write!(f, "there is no element {number}: the last observation has the numbers 1 to {last}")
            }
            Self::Stale { number, why } => write!(f, "element {number} cannot be used: {why}"),
            Self::Disabled(number) => write!(f, "element {number} is disabled"),
            Self::Invisible(number) => {
                write!(f, "element {number} has no visible place that a pointer reaches")
            }
            Self::Covered { number, role, label } if label.is_empty() => {
                write!(f, "element {number} is covered by another element: {}", line(role))
            }
            Self::Covered { number, role, label } => {
                write!(f, "element {number} is covered by another element: {} '{}'", line(role), line(label))
            }
            Self::IsOption(number) => {
                write!(f, "element {number} is an option of a select: choose it with select_option")
            }
            Self::NotField { number, what } => {
                write!(f, "element {number} cannot be filled: it is not a field for text but {}", line(what))
            }
            Self::ReadOnly(number) => write!(f, "element {number} cannot be filled: it is read-only"),
            Self::WrongForm { number, kind } => {
                write!(
                    f,
                    "element {number} does not take this text: its type is {}{}",
                    line(kind),
                    form(kind)
                )
            }
            Self::NotSelect { number, what } => {
                write!(f, "element {number} has no options to select: it is {}", line(what))
            }
            Self::NoOption { option, options, more } => {
                let options: Vec<_> = options.iter().map(|one| format!("'{}'", line(one))).collect();
                write!(f, "no option is like '{}'; there are {}", line(option), options.join(", "))?;
                if *more > 0 { write!(f, " and {more} more") } else { Ok(()) }
            }
            Self::DisabledOption(option) => write!(f, "the option '{}' is disabled", line(option)),
        }
    }
}

impl fmt::Display for Staleness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Removed => "it was removed from the page",
            Self::NewDocument => "another page is loaded since the observation",
            Self::ReadAgain => "its number is from an older observation",
        })
    }
}

/// The form of values of a type, such as dates.
fn form(kind: &str) -> &'static str {
    match kind {
        "date" => ", which takes YYYY-MM-DD",
        "time" => ", which takes HH:MM",
        "datetime-local" => ", which takes YYYY-MM-DDTHH:MM",
        "month" => ", which takes YYYY-MM",
        "week" => ", which takes YYYY-Www",
        "color" => ", which takes #rrggbb",
        "range" => ", which takes a number in its range",
        _ => "",
    }
}

/// A text of a page within one line.
fn line(text: &str) -> String {
    sanitize(text).replace(['\n', '\t'], " ")
}
