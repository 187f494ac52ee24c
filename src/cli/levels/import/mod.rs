//! `levels import`: levels from the files of other programs, as a level file of ours.

mod files;
mod magebench;

use std::path::Path;
use std::path::PathBuf;

use serde_json::json;

use self::files::Imported;
use self::files::read_all;
use self::files::to_native_text;
use self::magebench::ImportRequest;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::output_file;
use crate::config::Problem;

/// Bring levels in from the files of other programs
///
/// Formats: magebench (pickled gym environments), gym (JSON arrays), boxoban, lurd (boards with
/// solutions), xsb. With the word magebench and a checkout of the benchmark its level sets are
/// written, with what it published of each level.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// File or folder; - is standard input; `magebench` takes a checkout
    #[arg(value_name = "FILE")]
    from: String,
    /// The checkout of the benchmark, its resources folder, or the folder of its level files
    #[arg(value_name = "DIR")]
    checkout: Option<PathBuf>,
    /// The format of the files; auto looks at each
    #[arg(long, value_name = "NAME", default_value = "auto")]
    format: String,
    /// The level file to write, instead of standard output; for `magebench` the folder of its sets
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    force: bool,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    match (args.from.as_str(), &args.checkout) {
        ("magebench", Some(_)) if args.format != "auto" => {
            let problem =
                Problem::new("a checkout of the benchmark has its own format, so --format says nothing");
            return Err(problem.with_help("leave it out").into());
        }
        ("magebench", Some(checkout)) => {
            let out = args.out.as_deref();
            return magebench::run(
                &ImportRequest { checkout, out, force: args.force, json: args.json },
                house,
            );
        }
        ("magebench", None) if !Path::new("magebench").exists() => {
            let problem = Problem::new("`levels import magebench` needs a checkout of the benchmark");
            return Err(problem.with_help("mageyard levels import magebench DIR").into());
        }
        (from, Some(more)) => {
            let what = format!(
                "one file or folder is imported at a time, and {from} and {} are two",
                more.display()
            );
            return Err(Problem::new(what).into());
        }
        _ => {}
    }
    let imported = read_all(Path::new(&args.from), &args.format)?;
    let text = to_native_text(imported.kind, &imported.levels)?;
    if let Some(out) = &args.out {
        output_file::write(out, text.as_bytes(), args.force)?;
    }
    print_imported(args, &imported, &text)
}

fn print_imported(args: &Args, imported: &Imported, text: &str) -> Result<Exit, Failure> {
    let mut output = Output::open();
    if args.json {
        for (level, (file, format)) in imported.levels.iter().zip(&imported.from) {
            output.object_line(&json!({
                "type": "level", "level": level.label(), "number": level.number, "text": level.text,
                "format": format, "file": file,
            }))?;
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
