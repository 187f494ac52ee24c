//! `levels import`: levels from the files of other programs, as a level file of ours.

use std::path::Path;
use std::path::PathBuf;

use serde_json::json;

use super::exchange;
use super::magebench;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::output::Output;
use crate::cli::reference::LIMIT;
use crate::cli::result;
use crate::config::Problem;
use crate::config::Sheet;
use crate::domain::Kind;
use crate::domain::Level;

/// The most files of a folder.
const FILES: usize = 10_000;

/// Bring levels in from the files of other programs
///
/// Formats: magebench (pickled gym environments), gym (JSON arrays), boxoban, lurd (boards with
/// solutions), xsb. With the word magebench and a checkout of the benchmark its level sets are
/// written, with what it published of each level.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// File or folder; - is standard input; `magebench` takes a checkout
    #[arg(value_name = "FILE")]
    pub(super) from: String,
    /// The checkout of the benchmark, its resources folder, or the folder of its level files
    #[arg(value_name = "DIR")]
    pub(super) checkout: Option<PathBuf>,
    /// The format of the files; auto looks at each
    #[arg(long, value_name = "NAME", default_value = "auto")]
    format: String,
    /// The level file to write, instead of standard output; for `magebench` the folder of its sets
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    pub(super) force: bool,
    /// Print one object a line
    #[arg(long)]
    pub(super) json: bool,
}

/// Levels of one environment and where each comes from.
struct Imported {
    kind: &'static dyn Kind,
    levels: Vec<Level>,
    from: Vec<(String, &'static str)>,
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    match (args.from.as_str(), &args.checkout) {
        ("magebench", Some(checkout)) => return magebench::run(args, checkout, house),
        ("magebench", None) if !Path::new("magebench").exists() => {
            let problem = Problem::new("`levels import magebench` needs a checkout of the benchmark");
            return Err(problem.help("mageyard levels import magebench DIR").into());
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
    let imported = gather(Path::new(&args.from), &args.format)?;
    let text = written(imported.kind, &imported.levels)?;
    if let Some(out) = &args.out {
        result::write(out, text.as_bytes(), args.force)?;
    }
    tell(args, &imported, &text)
}

fn tell(args: &Args, imported: &Imported, text: &str) -> Result<Exit, Failure> {
    let mut output = Output::open();
    if args.json {
        for (level, (file, format)) in imported.levels.iter().zip(&imported.from) {
            output.object(&json!({
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

/// Levels as a file of their environment's own format.
pub(super) fn written(kind: &dyn Kind, levels: &[Level]) -> Result<String, Problem> {
    let own = exchange::own(kind)?;
    let write = own.write.ok_or_else(|| Problem::new(format!("{} cannot be written", own.name)))?;
    write(levels).map_err(|error| Problem::new(error.to_string()))
}

/// The levels of a file, or of every file of a folder; one that cannot be read refuses all.
fn gather(from: &Path, format: &str) -> Result<Imported, Problem> {
    let files = if from.is_dir() { files(from)? } else { vec![from.to_owned()] };
    let mut imported: Option<Imported> = None;
    for file in &files {
        let (kind, levels, format) = read(file, format)?;
        let all = imported.get_or_insert(Imported { kind, levels: Vec::new(), from: Vec::new() });
        if all.kind.name() != kind.name() {
            let what =
                format!("holds levels of {}, and the files before it of {}", kind.name(), all.kind.name());
            return Err(Problem::new(what).at(file, "", 0..0));
        }
        for level in levels {
            all.levels.push(Level { number: all.levels.len() + 1, ..level });
            all.from.push((file.display().to_string(), format));
        }
    }
    imported.ok_or_else(|| Problem::new("is a folder without files").at(from, "", 0..0))
}

/// The levels of a file; a single one without a title is called like its file.
pub(super) fn read(
    file: &Path,
    name: &str,
) -> Result<(&'static dyn Kind, Vec<Level>, &'static str), Problem> {
    let bytes = Sheet::bytes(file, LIMIT)?;
    let (kind, format) = exchange::format(name, &bytes).map_err(|problem| match name {
        "auto" => problem.at(file, "", 0..0),
        _ => problem,
    })?;
    let mut levels =
        (format.read)(&bytes).map_err(|error| exchange::refused(file, &bytes, format.name, &error))?;
    if let ([level @ Level { title: None, .. }], Some(stem)) = (levels.as_mut_slice(), file.file_stem())
        && file != Path::new("-")
    {
        level.title = Some(stem.to_string_lossy().into_owned());
    }
    Ok((kind, levels, format.name))
}

/// The files of a folder in the order of their names, numbers as numbers; hidden ones stay out.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unread = |error| Problem::new(format!("cannot be read: {error}")).at(folder, "", 0..0);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !hidden {
            files.push(path);
        }
        if files.len() > FILES {
            return Err(Problem::new(format!("holds more than {FILES} files")).at(folder, "", 0..0));
        }
    }
    files.sort_by_cached_key(|path| natural(&path.to_string_lossy()));
    Ok(files)
}

/// A name as its stretches of digits and of other characters, so that 9 comes before 10.
fn natural(name: &str) -> Vec<(u128, String)> {
    let mut parts: Vec<(u128, String)> = vec![(0, String::new())];
    for c in name.chars() {
        match (c.to_digit(10), parts.last_mut()) {
            (Some(digit), Some((number, words))) if words.is_empty() => {
                *number = number.saturating_mul(10).saturating_add(u128::from(digit));
            }
            (Some(digit), _) => parts.push((u128::from(digit), String::new())),
            (None, Some((_, words))) => words.push(c),
            (None, None) => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_people_count() {
        let mut names = ["b", "10-a", "9-b", "9-a", "100", "a2", "a10"];
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(names, ["a2", "a10", "b", "9-a", "9-b", "10-a", "100"]);
    }
}
