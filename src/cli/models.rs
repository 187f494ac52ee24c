//! `config models`: presets of model families, the shipped ones and the user's.

use serde_json::json;

use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::finding::Finding;
use super::finding::print_findings;
use super::output::Output;
use crate::config;
use crate::config::Folders;
use crate::domain::Presets;
use crate::domain::sanitize;

/// List and check presets of model families
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// List all presets in the order in which they are tried
    List(Args),
    /// Check the preset file
    Check(Args),
    /// Print the shipped presets, as an example of a preset file
    Example,
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::List(args) => list(&args, context),
            Self::Check(args) => print_findings(&[finding(context.folders())], args.json),
            Self::Example => {
                Output::open().raw(config::SHIPPED_PRESETS.as_bytes())?;
                Ok(Exit::Done)
            }
        }
    }
}

fn list(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let folders = context.folders();
    let (presets, path) = (config::load_presets(folders)?, folders.models_file());
    let mut out = Output::open();
    if args.json {
        for row in &presets.0 {
            let source = if row.own { "own" } else { "shipped" };
            let fields = json!({
                "name": row.preset.name, "models": row.models, "source": source, "omit": row.preset.omit,
                "rename": row.preset.rename, "set": row.preset.set, "note": row.note,
            });
            out.object_line("preset", &fields)?;
        }
        return Ok(Exit::Done);
    }
    out.line(format!("{}{}", path.display(), if path.exists() { "" } else { " (does not exist)" }))?;
    let rows = presets.0.iter().map(|row| {
        let source = if row.own { "own" } else { "shipped" };
        let (models, summary) = (row.models.join(", "), row.preset.summary());
        [&row.preset.name, source, &models, &summary].map(|cell| sanitize(cell).into_owned()).to_vec()
    });
    let titles = ["preset", "source", "models", "request"].map(str::to_owned).to_vec();
    out.table(&std::iter::once(titles).chain(rows).collect::<Vec<_>>())?;
    let config = context.config()?;
    if let Some(preset) = context.lab.model_preset(&config)? {
        out.line(sanitize(&format!("in use: {}, {}", preset.name, preset.summary())))?;
    }
    Ok(Exit::Done)
}

/// The check of the preset file.
pub(super) fn finding(folders: &Folders) -> Finding {
    Finding::of("presets", config::load_presets(folders).map(|presets| count_text(&presets)))
}

fn count_text(presets: &Presets) -> String {
    let own = presets.0.iter().filter(|row| row.own).count();
    format!("{} presets, {own} of them in the user's file", presets.0.len())
}
