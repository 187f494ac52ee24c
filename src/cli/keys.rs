//! `keys`: the commands of the screen with their keys.

/// List the commands of the screens with their keys
///
/// The first column is the table of `keys.toml` to which a binding belongs: `keys` for the screen, `sweep` for the dashboard.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
}
