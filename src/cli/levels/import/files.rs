//! Reads the levels of a file of another program, or of a folder of such files.

use std::path::{Path, PathBuf};

use super::super::file_formats;
use crate::diagnostics::print_message;
use crate::output::count_noun;
use mageyard_config::{Problem, SourceFile};
use mageyard_domain::{EnvironmentSpec, FileNotes, Level, decode_text};
use mageyard_lab::{LEVEL_FILE_LIMIT, Lab};

/// Maximum number of files in a folder.
const MAX_FILES: usize = 10_000;

/// Levels of one environment with the source of each: file and format.
pub(super) struct Imported {
    pub(super) kind: &'static dyn EnvironmentSpec,
    pub(super) levels: Vec<Level>,
    pub(super) from: Vec<(String, &'static str)>,
    pub(super) notes: FileNotes,
}

/// Levels with their notes in their environment's native format.
pub(super) fn to_native_text(
    kind: &dyn EnvironmentSpec,
    levels: &[Level],
    notes: &FileNotes,
) -> Result<String, Problem> {
    let own = file_formats::native_format(kind)?;
    file_formats::write_with_notes(own, levels, notes).map_err(|error| error.problem(own))
}

/// The levels of a file, or of all files of a folder. Fails if one of them cannot be read.
pub(super) fn read_all(lab: &Lab, from: &Path, format: &str) -> Result<Imported, Problem> {
    let files = if from.is_dir() { list_files(from)? } else { vec![from.to_owned()] };
    let mut imported: Option<Imported> = None;
    for file in &files {
        let (kind, levels, format, notes) = read_noted_file(lab, file, format)?;
        let empty = Imported { kind, levels: Vec::new(), from: Vec::new(), notes: FileNotes::default() };
        let all = imported.get_or_insert(empty);
        if all.kind.name() != kind.name() {
            let what = format!(
                "has levels of {}, but earlier files have levels of {}",
                kind.name(),
                all.kind.name()
            );
            return Err(Problem::new(what).at(file, "", 0..0));
        }
        add_notes(&mut all.notes, notes, files.len() == 1);
        for level in levels {
            all.levels.push(Level { number: all.levels.len() + 1, ..level });
            all.from.push((file.display().to_string(), format));
        }
    }
    imported.ok_or_else(|| Problem::new("the folder has no files").at(from, "", 0..0))
}

/// Adds the notes of a file. Where there are several files, lines about a collection go to its first level.
fn add_notes(all: &mut FileNotes, mut notes: FileNotes, single: bool) {
    if single {
        all.collection.append(&mut notes.collection);
    } else if let Some(first) = notes.levels.first_mut() {
        first.splice(0..0, notes.collection);
    }
    all.levels.append(&mut notes.levels);
}

/// The levels of a file. A single level without a title gets the name of the file.
pub(super) fn read_file(
    lab: &Lab,
    file: &Path,
    name: &str,
) -> Result<(&'static dyn EnvironmentSpec, Vec<Level>, &'static str), Problem> {
    read_noted_file(lab, file, name).map(|(kind, levels, format, _)| (kind, levels, format))
}

/// Environment, levels, format and notes of a file.
type NotedFile = (&'static dyn EnvironmentSpec, Vec<Level>, &'static str, FileNotes);

fn read_noted_file(lab: &Lab, file: &Path, name: &str) -> Result<NotedFile, Problem> {
    let bytes = SourceFile::read_limited(file, LEVEL_FILE_LIMIT)?;
    let (kind, format) = file_formats::find_format(lab, name, &bytes).map_err(|problem| match name {
        "auto" => problem.at(file, "", 0..0),
        _ => problem,
    })?;
    let mut levels = (format.read)(&bytes)
        .map_err(|error| file_formats::format_problem(lab, file, &bytes, format.name, &error))?;
    if let ([level @ Level { title: None, .. }], Some(stem)) = (levels.as_mut_slice(), file.file_stem())
        && file != Path::new("-")
    {
        level.title = Some(stem.to_string_lossy().into_owned());
    }
    let decoded = decode_text(&bytes).ok().filter(|_| format.comment.is_some());
    if let Some(found) = decoded.as_ref().filter(|found| found.encoding != "UTF-8") {
        print_message(&format!("{}: read as {}", file.display(), found.encoding));
    }
    let notes = decoded.map(|found| (kind.capabilities().files.notes)(&found.text));
    let mut notes = notes.unwrap_or_default();
    notes.levels.resize(levels.len(), Vec::new());
    Ok((kind, levels, format.name, notes))
}

/// The files of a folder, sorted by name with numeric order. Hidden files are skipped; so are subfolders, with a
/// notice.
fn list_files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unread = |error| Problem::new(format!("cannot be read: {error}")).at(folder, "", 0..0);
    let mut files = Vec::new();
    let mut folders = 0;
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !hidden {
            files.push(path);
        } else if path.is_dir() && !hidden {
            folders += 1;
        }
        if files.len() > MAX_FILES {
            return Err(Problem::new(format!("has more than {MAX_FILES} files")).at(folder, "", 0..0));
        }
    }
    if folders > 0 {
        let skipped = count_noun(folders, "subfolder", "subfolders");
        print_message(&format!("{}: skipped {skipped}; import each by its name", folder.display()));
    }
    files.sort_by_cached_key(|path| natural_sort_key(&path.to_string_lossy()));
    Ok(files)
}

/// The sort key of a name: runs of digits as numbers, so that 9 is before 10.
fn natural_sort_key(name: &str) -> Vec<(u128, String)> {
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
    fn names_sort_by_numeric_value() {
        let mut names = ["b", "10-a", "9-b", "9-a", "100", "a2", "a10"];
        names.sort_by_cached_key(|name| natural_sort_key(name));
        assert_eq!(names, ["a2", "a10", "b", "9-a", "9-b", "10-a", "100"]);
    }
}
