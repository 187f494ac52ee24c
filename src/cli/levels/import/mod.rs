//! `levels import`: converts files of other programs into a level file.

mod checkout;
mod checkout_records;
mod files;
mod folder;

pub(crate) use self::checkout_records::{CheckoutLevelRecord, MissingSetRecord, RefusedLevelRecord};

use std::path::{Path, PathBuf};

use self::checkout::ImportRequest;
use self::files::{Imported, read_all, to_native_text};
use super::records::LevelRecord;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::output_file;
use mageyard_config::Problem;

/// Import levels from files of other programs
///
/// `levels import magebench DIR` imports the level sets of a checkout of the benchmark, with the
/// published result of each level. A checkout may have only some of them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File or folder; - for standard input; `magebench` for a checkout
    #[arg(value_name = "FILE")]
    from: String,
    /// Checkout of the benchmark, its resources folder, or the folder of its level files
    #[arg(value_name = "DIR")]
    checkout: Option<PathBuf>,
    /// Format of the files; auto detects it
    #[arg(long, value_name = "NAME", default_value = "auto")]
    format: String,
    /// Output file [default: standard output]; for `magebench` the output folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let environments = context.lab.environments().iter();
    let imports = environments.filter_map(|spec| Some((*spec, spec.capabilities().files.checkout_import?)));
    let imports: Vec<_> = imports.filter(|(_, import)| import.layout().name == args.from).collect();
    match (imports.first(), &args.checkout) {
        (Some(_), Some(_)) if args.format != "auto" => {
            let problem = Problem::new("--format has no effect on a checkout of the benchmark");
            return Err(problem.with_help("remove --format").into());
        }
        (Some(_), Some(checkout)) => {
            let out = args.out.as_deref();
            let force = args.force;
            let json = args.json;
            let request = |(spec, import)| ImportRequest { spec, import, checkout, out, force, json };
            let requests: Vec<_> = imports.into_iter().map(request).collect();
            return checkout::run_all(&requests, context);
        }
        (Some((_, import)), None) if !Path::new(import.layout().name).exists() => {
            let verb = format!("levels import {}", import.layout().name);
            let problem = Problem::new(format!("`{verb}` needs the folder of a checkout"));
            return Err(problem.with_help(format!("mageyard {verb} DIR")).into());
        }
        (None, Some(more)) => {
            let what = format!(
                "cannot import {} and {} together; import one file or folder at a time",
                args.from,
                more.display()
            );
            return Err(Problem::new(what).into());
        }
        _ => {}
    }
    let imported = read_all(&context.lab, Path::new(&args.from), &args.format)?;
    let text = to_native_text(imported.kind, &imported.levels, &imported.notes)?;
    if let Some(out) = &args.out {
        output_file::write(out, text.as_bytes(), args.force)?;
    }
    print_imported(args, &imported, &text)
}

fn print_imported(args: &Args, imported: &Imported, text: &str) -> Result<Exit, Failure> {
    let mut output = Output::open();
    if args.json {
        let notes = &imported.notes;
        for ((level, (file, format)), comments) in
            imported.levels.iter().zip(&imported.from).zip(&notes.levels)
        {
            output.record(&LevelRecord {
                level: level.label().into(),
                number: Some(level.number),
                text: Some(level.text()),
                format: Some(format),
                file: Some(file),
                notes: Some(comments),
                collection: Some(&notes.collection),
                ..LevelRecord::default()
            })?;
        }
        return Ok(Exit::Done);
    }
    let Some(out) = &args.out else {
        output.line(text.trim_end())?;
        return Ok(Exit::Done);
    };
    let mut formats: Vec<&str> = imported.from.iter().map(|(_, format)| *format).collect();
    formats.dedup();
    let count = imported.levels.len();
    let levels = if count == 1 { "level" } else { "levels" };
    output.line(format!("{count} {levels} ({}) written to {}", formats.join(", "), out.display()))?;
    Ok(Exit::Done)
}
