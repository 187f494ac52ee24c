//! The formats of a report.

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Tables for the terminal
    #[default]
    Text,
    /// Markdown
    Md,
    /// LaTeX tables for the package booktabs
    Latex,
    /// One HTML file with its pictures inside
    Html,
    /// One row per combination of settings
    Csv,
    /// One JSON object per combination of settings
    Json,
}
