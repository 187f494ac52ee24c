//! `tutor`: lessons for newcomers on a recorded episode.

/// Learn the screen step by step on a recorded episode
///
/// The recording is part of the program: no model, no key and no network are needed. `:tutor` starts a lesson while the screen is open.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Lesson to start [default: the first]
    #[arg(value_name = "LESSON")]
    pub lesson: Option<String>,
    /// List the lessons instead of opening the screen
    #[arg(long, conflicts_with = "lesson")]
    pub list: bool,
    /// Print JSON, one object per line
    #[arg(long, requires = "list")]
    pub json: bool,
}
