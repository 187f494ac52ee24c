//! File formats of other programs for import and export: selection by name or content, and error messages.

use std::path::Path;

use mageyard_config::{Problem, SourceFile};
use mageyard_domain::{
    EnvironmentSpec, FileLocation, FileNotes, Level, LevelFormat, LevelFormatError, sanitize,
};
use mageyard_lab::Lab;

/// A format and the environment of its levels.
pub(super) type EnvironmentFormat = (&'static dyn EnvironmentSpec, &'static LevelFormat);

/// Every format of every environment.
fn all_formats(lab: &Lab) -> impl Iterator<Item = EnvironmentFormat> + Clone + use<> {
    lab.environments()
        .iter()
        .flat_map(|kind| kind.capabilities().files.formats.iter().map(|format| (*kind, format)))
}

/// The formats of these environments that fit, for help texts.
pub(super) fn list(
    environments: &[&'static dyn EnvironmentSpec],
    fits: impl Fn(&LevelFormat) -> bool,
) -> String {
    let formats =
        environments.iter().flat_map(|spec| spec.capabilities().files.formats).filter(|format| fits(format));
    formats.fold("Formats:".to_owned(), |text, format| {
        format!("{text}\n  {:<10} {}", format.name, format.summary)
    })
}

/// The names of the formats.
pub(super) fn format_names(lab: &Lab) -> String {
    all_formats(lab).map(|(_, format)| format.name).collect::<Vec<_>>().join(", ")
}

/// The format of this name, or with `auto` the format detected from the bytes.
pub(super) fn find_format(lab: &Lab, name: &str, bytes: &[u8]) -> Result<EnvironmentFormat, Problem> {
    if name == "auto" {
        let fits = all_formats(lab).find(|(_, format)| (format.matches)(bytes));
        return fits.ok_or_else(|| {
            Problem::new("the format is not recognized")
                .with_help(format!("specify it with --format: {}", format_names(lab)))
        });
    }
    all_formats(lab).find(|(_, format)| format.name == name).ok_or_else(|| unknown_format(lab, name))
}

fn unknown_format(lab: &Lab, name: &str) -> Problem {
    Problem::new(format!("there is no format {name}"))
        .with_suggestions(name, all_formats(lab).map(|(_, format)| format.name))
}

/// The environment's native format, named like its usual file extension.
pub(super) fn native_format(kind: &dyn EnvironmentSpec) -> Result<&'static LevelFormat, Problem> {
    let usual = kind.file_extensions().first();
    let own = kind.capabilities().files.formats.iter().find(|format| Some(&format.name) == usual);
    own.ok_or_else(|| Problem::new(format!("{} has no formats to import from or export to", kind.name())))
}

/// Writes levels with their notes as comments, where the format has comments.
pub(super) fn write_with_notes(
    format: &LevelFormat,
    levels: &[Level],
    notes: &FileNotes,
) -> Result<String, WriteError> {
    let write = format.write.ok_or(WriteError::ImportOnly)?;
    let Some(comment) = format.comment else { return write(levels).map_err(WriteError::Level) };
    let lines = |notes: &[String]| {
        notes.iter().fold(String::new(), |text, note| text + "\n" + comment + &sanitize(note))
    };
    let with_comments = |(index, level): (usize, &Level)| {
        let comments = notes.levels.get(index).map(|notes| lines(notes)).unwrap_or_default();
        level.with_lines(&comments)
    };
    let commented: Vec<Level> = levels.iter().enumerate().map(with_comments).collect();
    let text = write(&commented).map_err(WriteError::Level)?;
    let header = lines(&notes.collection);
    Ok(if header.is_empty() { text } else { format!("{}\n\n{text}", header.trim_start()) })
}

/// Why levels cannot be written.
pub(super) enum WriteError {
    ImportOnly,
    Level(LevelFormatError),
}

impl WriteError {
    /// The problem to show, for an environment's own format.
    pub(super) fn problem(self, format: &LevelFormat) -> Problem {
        match self {
            Self::ImportOnly => Problem::new(format!("{} cannot be written", format.name)),
            Self::Level(error) => Problem::new(error.to_string()),
        }
    }
}

/// A parse error of an imported file, with its place.
pub(super) fn format_problem(
    lab: &Lab,
    path: &Path,
    bytes: &[u8],
    format: &str,
    error: &LevelFormatError,
) -> Problem {
    let what = match error.location {
        FileLocation::Line(_) => error.reason.clone(),
        FileLocation::Byte(_) | FileLocation::Level(_) => error.to_string(),
    };
    let help = format!("it was read as {format}; select another format with --format: {}", format_names(lab));
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let problem = match error.location {
        FileLocation::Line(line) if !text.is_empty() => {
            SourceFile { path: path.to_owned(), text: text.into() }.problem_in_line(what, line)
        }
        _ => Problem::new(what).at(path, "", 0..0),
    };
    problem.with_help(help)
}
