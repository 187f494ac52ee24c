//! `prompts check`: whether prompt files are right.

use std::path::Path;

use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::finding::Finding;
use crate::cli::finding::print_findings;
use crate::cli::prompt_catalog;
use crate::config::CatalogEntry;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::SourceFile;
use crate::dialog::Prompt;
use crate::envs;

/// The most bytes a prompt file may have, as on the shelf.
const LIMIT: u64 = 1 << 20;

/// Say whether prompt files are right, and where they are not
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Prompt files; all variants on the shelf when left out
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let mut findings: Vec<_> = args.files.iter().map(|name| Finding::of(name, check_file(name))).collect();
    if args.files.is_empty() {
        findings = self::findings(house.folders(), |_| true);
    }
    print_findings(&findings, args.json)
}

/// The variants on the shelf, those that are meant, one finding each.
pub(in crate::cli) fn findings(folders: &Folders, meant: impl Fn(&CatalogEntry) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for kind in envs::environments() {
        let shelf = prompt_catalog::catalog(*kind, folders);
        for entry in shelf.entries().iter().filter(|entry| meant(entry)) {
            let read = prompt_catalog::read_variant(&shelf, entry).map(|prompt| prompt.summary);
            findings.push(Finding::of(format!("prompts/{}/{}", kind.name(), entry.name), read));
        }
    }
    findings
}

fn check_file(path: &str) -> Result<String, Problem> {
    let sheet = SourceFile::read(path, LIMIT)?;
    let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    prompt_catalog::parse_checked(&sheet, &name).map(|Prompt { summary, .. }| summary)
}
