//! `prompts check`: checks prompt files.

use std::path::Path;

use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::finding::Finding;
use crate::cli::finding::print_findings;
use crate::config::CatalogEntry;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::SourceFile;
use crate::dialog::Prompt;
use crate::lab;
use crate::lab::Lab;

/// The size limit of a prompt file, in bytes; the same as in the catalog.
const LIMIT: u64 = 1 << 20;

/// Check prompt files
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Prompt files [default: all prompt variants]
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let mut findings: Vec<_> = args.files.iter().map(|name| Finding::of(name, check_file(name))).collect();
    if args.files.is_empty() {
        findings = self::findings(&context.lab, context.folders(), |_| true);
    }
    print_findings(&findings, args.json)
}

/// Checks the prompt variants selected by `meant`.
pub(in crate::cli) fn findings(
    lab: &Lab,
    folders: &Folders,
    meant: impl Fn(&CatalogEntry) -> bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for spec in lab.environments() {
        let catalog = lab::prompt_catalog(*spec, folders);
        for entry in catalog.entries().iter().filter(|entry| meant(entry)) {
            let read = lab::read_prompt(&catalog, entry).map(|prompt| prompt.summary);
            findings.push(Finding::of(format!("prompts/{}/{}", spec.name(), entry.name), read));
        }
    }
    findings
}

fn check_file(path: &str) -> Result<String, Problem> {
    let file = SourceFile::read(path, LIMIT)?;
    let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    lab::parse_prompt(&file, &name).map(|Prompt { summary, .. }| summary)
}
