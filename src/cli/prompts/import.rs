//! `prompts import`: prompt variants from the user's own checkout of another program.

use std::path::{Path, PathBuf};

use super::record::PromptRecord;
use crate::context::Context;
use crate::diagnostics::print_problem;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::output_file;
use mageyard_config::{Problem, SourceFile};
use mageyard_dialog::PromptImages;
use mageyard_domain::{EnvironmentSpec, ImportedPrompt, ImportedText, PromptImport};
use mageyard_lab::{imported_prompt_text, parse_prompt};

/// The size limit of a source file, in bytes.
const LIMIT: u64 = 4 << 20;

/// Make prompt variants from your own checkout of another program
///
/// `prompts import magebench DIR` reads the texts that the benchmark's released program sends from its source files and
/// makes variants such as magebench-0s-CoT of them. The files are read as data and never run. What a checkout does not
/// have, or has in another form, is named with file and line, and the other variants are made.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The program: magebench
    #[arg(value_name = "NAME")]
    program: String,
    /// Its checkout
    #[arg(value_name = "DIR")]
    checkout: PathBuf,
    /// Overwrite existing variants
    #[arg(long)]
    force: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let all = context.lab.environments().iter();
    let imports = all.filter_map(|spec| Some((*spec, spec.capabilities().published.prompts?)));
    let imports: Vec<_> = imports.filter(|(_, import)| import.name == args.program).collect();
    if imports.is_empty() {
        let problem = Problem::new(format!("no prompts can be imported from {:?}", args.program));
        return Err(problem.with_help("the program is magebench").into());
    }
    let mut made = Vec::new();
    let mut problems = Vec::new();
    for (spec, import) in imports {
        for variant in import.variants {
            let read = read_variant(args, (spec, import, variant), context, &mut problems)?;
            made.extend(read);
        }
    }
    print(args, &made)?;
    for problem in &problems {
        print_problem(problem);
    }
    Ok(if problems.is_empty() { Exit::Done } else { Exit::BadRequest })
}

/// Makes a variant of the texts that are there; `None` if none is.
fn read_variant(
    args: &Args,
    (spec, import, variant): (&dyn EnvironmentSpec, &PromptImport, &ImportedPrompt),
    context: &Context,
    problems: &mut Vec<Problem>,
) -> Result<Option<PromptRecord>, Failure> {
    let mut texts = Vec::new();
    for text in variant.texts {
        match read_text(&args.checkout, import, text) {
            Ok(found) => texts.push((text.segment, found)),
            // Variants share files; a problem is said once.
            Err(problem) if problems.contains(&problem) => {}
            Err(problem) => problems.push(problem),
        }
    }
    if texts.is_empty() {
        return Ok(None);
    }
    let base = spec.prompts().iter().find(|(name, _)| *name == variant.base).map_or("", |(_, text)| *text);
    let folder = context.folders().prompts(spec.name());
    let path = folder.join(format!("{}.md", variant.name));
    let text = imported_prompt_text(variant, import.program, base, &texts)
        .map_err(|why| Problem::new(format!("{}: {why}", variant.name)))?;
    let file = SourceFile { path: path.clone(), text: text.as_str().into() };
    let prompt = parse_prompt(&file, variant.name)?;
    std::fs::create_dir_all(&folder)
        .map_err(|error| Problem::new(format!("cannot create the folder: {error}")).at(&folder, "", 0..0))?;
    output_file::write(&path, text.as_bytes(), args.force)?;
    Ok(Some(PromptRecord {
        environment: spec.name().to_owned(),
        prompt: prompt.name,
        summary: prompt.summary,
        images: prompt.images != PromptImages::None,
        origin: path.display().to_string(),
        ..PromptRecord::default()
    }))
}

/// Reads a text from its file; a problem names the line, and what was looked for.
fn read_text(checkout: &Path, import: &PromptImport, text: &ImportedText) -> Result<String, Problem> {
    let path = checkout.join(text.file);
    let file = SourceFile::read(&path, LIMIT)?;
    (import.read)(&file.text, text).map_err(|missing| {
        file.problem_in_line(format!("{} is not imported: {}", text.segment, missing.reason), missing.line)
    })
}

fn print(args: &Args, made: &[PromptRecord]) -> Result<(), Failure> {
    let mut out = Output::open();
    if args.json {
        return Ok(made.iter().try_for_each(|row| out.record(row))?);
    }
    let row = |row: &PromptRecord| vec![format!("{}/{}", row.environment, row.prompt), row.origin.clone()];
    let rows: Vec<_> = made.iter().map(row).collect();
    Ok(out.table(&rows)?)
}
