//! `prompts check`: checks prompt files.

use std::path::Path;

use super::ROLES;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::finding::{Finding, print_findings};
use mageyard_config::{CatalogEntry, Folders, Problem, SourceFile};
use mageyard_dialog::Prompt;
use mageyard_lab::{Lab, check_role_prompt, role_prompt_catalog, role_prompt_entries};

/// The size limit of a prompt file, in bytes; the same as in the catalog.
const LIMIT: u64 = 1 << 20;

/// Check prompt files
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Prompt files [default: all prompt variants and the prompts of roles]
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let mut findings: Vec<_> = args.files.iter().map(|name| Finding::of(name, check_file(name))).collect();
    if args.files.is_empty() {
        findings = self::findings(&context.lab, context.folders(), |_| true);
    }
    print_findings(&findings, args.json)
}

/// Checks the prompt variants selected by `meant`.
pub(crate) fn findings(lab: &Lab, folders: &Folders, meant: impl Fn(&CatalogEntry) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for spec in lab.environments() {
        let catalog = mageyard_lab::prompt_catalog(*spec, folders);
        for entry in catalog.entries().iter().filter(|entry| meant(entry)) {
            let read = mageyard_lab::read_prompt(&catalog, entry).map(|prompt| prompt.summary);
            findings.push(Finding::of(format!("prompts/{}/{}", spec.name(), entry.name), read));
        }
        let roles = role_prompt_catalog(*spec, folders);
        for entry in role_prompt_entries(*spec, folders).iter().filter(|entry| meant(entry)) {
            let read = roles.read(entry).and_then(|file| check_role_prompt(&file, &entry.name));
            let read = read.map(|role| role.summary().to_owned());
            findings.push(Finding::of(format!("prompts/{}/{ROLES}/{}", spec.name(), entry.name), read));
        }
    }
    findings
}

fn check_file(path: &str) -> Result<String, Problem> {
    let file = SourceFile::read(path, LIMIT)?;
    let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    if Path::new(path).parent().is_some_and(|folder| folder.ends_with(ROLES)) {
        return check_role_prompt(&file, &name).map(|role| role.summary().to_owned());
    }
    mageyard_lab::parse_prompt(&file, &name).map(|Prompt { summary, .. }| summary)
}
