//! `tutor`: lessons for newcomers.

/// Learn the screen in lessons with a simulated model
///
/// No key and no network are needed, and nothing is added to the recordings. `:tutor` starts a lesson while the screen is open.
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
