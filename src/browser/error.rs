//! What can go wrong, in two kinds that are never mixed: a fault of a page counts against its author, a failure of
//! the browser is a failure of the environment and never a score.

use std::path::PathBuf;
use std::time::Duration;

use super::step::Target;

/// Why a call of a page did not succeed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BrowserError {
    /// The page is to blame.
    #[error(transparent)]
    Page(#[from] PageFault),
    /// The browser is to blame; the page says nothing about its author.
    #[error(transparent)]
    Browser(#[from] BrowserFailure),
}

/// What a page did wrong. Texts of the page are as it wrote them: sanitize before display.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PageFault {
    /// The file to open is not inside the folder of the page, or not a regular file.
    #[error("there is no file {0}")]
    NoFile(String),
    /// The load event did not come in time.
    #[error("the page did not load within {} s", .0.as_secs_f64())]
    LoadTimeout(Duration),
    /// The page led to an error page.
    #[error("the page did not load: {0}")]
    LoadFailed(String),
    /// A script, of the page or in the page, did not end in time; the page was closed if it could not be stopped.
    #[error("a script of the page did not end within {} s", .0.as_secs_f64())]
    ScriptTimeout(Duration),
    /// A script of ours failed in this page.
    #[error("the script failed: {0}")]
    ScriptFailed(String),
    /// What a script returned is larger than the limit.
    #[error("the result has {bytes} bytes, the limit is {most}")]
    TooLarge {
        /// Bytes of the result.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The page could not be drawn in time.
    #[error("the page was not drawn within {} s", .0.as_secs_f64())]
    DrawTimeout(Duration),
    /// The page used more memory than allowed.
    #[error("the page used more than {0} MiB of memory")]
    OutOfMemory(u64),
    /// The process of the page crashed.
    #[error("the page crashed")]
    Crashed,
    /// The page closed its own window.
    #[error("the page closed itself")]
    ClosedItself,
    /// A step could not be performed.
    #[error("{target}: {reason}")]
    Interaction {
        /// The element that was meant.
        target: Target,
        /// Why it cannot be used.
        reason: InteractionFault,
    },
    /// A step did not end in time.
    #[error("the interaction did not end within {} s", .0.as_secs_f64())]
    InteractionTimeout(Duration),
}

/// Why an element cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InteractionFault {
    /// No element fits the target.
    #[error("not found")]
    NotFound,
    /// The expression of the target cannot be read.
    #[error("not a valid expression: {0}")]
    InvalidExpression(String),
    /// `display: none`, or without a rectangle for another reason.
    #[error("not displayed")]
    NotDisplayed,
    /// `visibility` is `hidden` or `collapse`.
    #[error("hidden")]
    Hidden,
    /// The rectangle has no width or no height.
    #[error("has no size")]
    NoSize,
    /// The point cannot be scrolled into the viewport.
    #[error("outside the part of the page that can be scrolled to")]
    OutOfReach,
    /// Another element lies over the point.
    #[error("covered by {0}")]
    Covered(String),
    /// `pointer-events: none`.
    #[error("does not take the pointer (pointer-events: none)")]
    IgnoresPointer,
    /// The element takes no text and no focus.
    #[error("cannot take the keyboard")]
    NotFocusable,
    /// The element is in no form.
    #[error("in no form")]
    NoForm,
    /// The element cannot be emptied.
    #[error("cannot be edited")]
    NotEditable,
    /// The element is no list of options.
    #[error("not a select element")]
    NotASelect,
    /// The list has no such option.
    #[error("has no option {0}")]
    NoOption(String),
    /// The option is disabled.
    #[error("the option is disabled")]
    DisabledOption,
}

/// Why there is no browser that answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrowserFailure {
    /// No browser is installed. The message has the command that installs it.
    #[error("{0}")]
    Missing(String),
    /// The browser does not start.
    #[error("{}{} does not start: {reason}", program.display(), named_in(origin.as_deref()))]
    Start {
        /// The program.
        program: PathBuf,
        /// Where it was named, if it is not one of the usual programs.
        origin: Option<String>,
        /// What it printed, or what failed.
        reason: String,
    },
    /// The browser ended.
    #[error("the browser ended: {0}")]
    Ended(String),
    /// The browser does not answer.
    #[error("the browser did not answer {method} within {} s", waited.as_secs_f64())]
    Silent {
        /// The request.
        method: String,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The browser refused a request or answered in an unknown way.
    #[error("the browser refused {method}: {message}")]
    Refused {
        /// The request.
        method: String,
        /// Its answer.
        message: String,
    },
}

fn named_in(origin: Option<&str>) -> String {
    origin.map_or_else(String::new, |origin| format!(" (named by {origin})"))
}
