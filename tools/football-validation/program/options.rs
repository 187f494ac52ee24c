//! The options that the subcommands share: how many episodes, on how many threads, and how they are printed.

use super::parallel::threads;

/// Options of a subcommand that simulates episodes and prints a table.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Options {
    /// Episodes for each scene and policy
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(super) seeds: u64,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print the table in Markdown
    #[arg(long, conflicts_with = "json")]
    pub(super) markdown: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    pub(super) json: bool,
}

impl Options {
    /// How many threads simulate.
    pub(super) fn threads(self) -> usize {
        threads(self.jobs)
    }
}
