//! Files that a record names: found below the folder of its file and nowhere else, checked, and read when an episode is made.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::{Component, Path, PathBuf};

use super::record_set::{excerpt_of, fault_problem};
use mageyard_config::Problem;
use mageyard_domain::{
    BlobStore, EnvironmentSpec, FieldError, Level, LevelFile, LevelSource, MAX_BLOB_BYTES, NamedFile,
    NamedForm, picture_header,
};

/// The folders in which a named file is looked for, below the folder of the record.
const FOLDERS: [&str; 3] = ["", "images", "image"];
/// The most files of a record.
const MOST_FILES: usize = 256;

/// The level with the bytes of its files in this store. A level whose files are stored, or that has none, is as before.
pub fn read_level_files(
    spec: &dyn EnvironmentSpec,
    level: &Level,
    blobs: &dyn BlobStore,
) -> Result<Level, Problem> {
    let LevelSource::Record { record, path, line } = &level.source else { return Ok(level.clone()) };
    let fault = |error: FieldError| named_problem(path, *line, record, &error);
    let mut stored = BTreeMap::new();
    for named in named_files(spec, record).map_err(fault)? {
        let wrong = |reason: String| fault(FieldError::new(&named.field, reason));
        if !stored.contains_key(&named.path) {
            let (media, bytes) = read(&named, folder_of(path)).map_err(wrong)?;
            let content = blobs.put(media, &bytes).map_err(|error| wrong(error.to_string()))?;
            stored.insert(named.path.clone(), content);
        }
    }
    let files = stored.into_iter().map(|(name, content)| LevelFile { name, content }).collect();
    let source = LevelSource::Files { record: record.clone(), files };
    Ok(Level { source, ..level.clone() })
}

/// What is wrong with the files of a level that are not read yet. With `sizes` also pictures of another size than written,
/// which an episode can have.
pub(super) fn check_level_files(spec: &dyn EnvironmentSpec, level: &Level, sizes: bool) -> Vec<Problem> {
    let LevelSource::Record { record, path, line } = &level.source else { return Vec::new() };
    let fault = |error: FieldError| named_problem(path, *line, record, &error);
    let named = match named_files(spec, record) {
        Ok(named) => named,
        Err(error) => return vec![fault(error)],
    };
    let wrong = |named: NamedFile| {
        let reason = check(&named, folder_of(path), sizes).err()?;
        Some(fault(FieldError::new(named.field, reason)))
    };
    named.into_iter().filter_map(wrong).collect()
}

/// What is wrong with a record that begins in this line.
fn named_problem(path: &Path, line: usize, record: &str, error: &FieldError) -> Problem {
    let field = record.find(&format!("\"{}\"", error.field)).unwrap_or(0);
    let below = record[..field].matches('\n').count();
    fault_problem(path, line + below, &excerpt_of(record, below, &error.field), error)
}

/// The files that a record names.
fn named_files(spec: &dyn EnvironmentSpec, record: &str) -> Result<Vec<NamedFile>, FieldError> {
    let Some(records) = spec.capabilities().files.records else { return Ok(Vec::new()) };
    let fields = serde_json::from_str(record).map_err(|error| FieldError::new("", error.to_string()))?;
    let files = records.read(&fields)?.files;
    if files.len() > MOST_FILES {
        return Err(FieldError::new("", format!("names {} files; the limit is {MOST_FILES}", files.len())));
    }
    Ok(files)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// The regular file of this name below a folder, with all links followed.
pub(super) fn find_inside(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let written = Path::new(name);
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if written.is_absolute() || !written.components().all(plain) {
        return Err(format!("{name:?} is not a path inside the folder of the record"));
    }
    if name.is_empty() || name.contains('\0') {
        return Err("names no file".to_owned());
    }
    let whole = folder.canonicalize().map_err(|error| format!("the folder cannot be read: {error}"))?;
    let found = FOLDERS.iter().map(|base| whole.join(base).join(written));
    let Some(found) = found.into_iter().find(|path| path.symlink_metadata().is_ok()) else {
        return Err(format!("there is no file {name}, in the folder of the record or in {}", FOLDERS[1]));
    };
    let real = found.canonicalize().map_err(|error| format!("{name} cannot be read: {error}"))?;
    if !real.starts_with(&whole) {
        return Err(format!("{name} is a link out of the folder of the record"));
    }
    // A pipe or device could block for ever.
    if !real.is_file() {
        return Err(format!("{name} is not a regular file"));
    }
    Ok(real)
}

/// The path of a named file that is not too large.
fn sized_file(named: &NamedFile, folder: &Path) -> Result<PathBuf, String> {
    let path = find_inside(folder, &named.path)?;
    let length = path.metadata().map_err(|error| error.to_string())?.len();
    if length > MAX_BLOB_BYTES {
        let limit = MAX_BLOB_BYTES >> 20;
        return Err(format!("{} has {} MiB; the limit is {limit} MiB", named.path, length >> 20));
    }
    Ok(path)
}

fn check(named: &NamedFile, folder: &Path, sizes: bool) -> Result<(), String> {
    let path = sized_file(named, folder)?;
    let NamedForm::Picture { size } = named.form else { return Ok(()) };
    let file = File::open(&path).map_err(|error| format!("{}: {error}", named.path))?;
    let (_, actual) =
        picture_header(BufReader::new(file)).map_err(|error| format!("{}: {error}", named.path))?;
    match size.filter(|size| sizes && *size != actual) {
        Some((width, height)) => Err(format!(
            "{} has {}x{} px, and the record says {width}x{height}",
            named.path, actual.0, actual.1
        )),
        None => Ok(()),
    }
}

/// The media type and the bytes of a named file.
fn read(named: &NamedFile, folder: &Path) -> Result<(&'static str, Vec<u8>), String> {
    let path = sized_file(named, folder)?;
    let failed = |error: std::io::Error| format!("{} cannot be read: {error}", named.path);
    let mut bytes = Vec::new();
    File::open(&path).map_err(failed)?.take(MAX_BLOB_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    let media = match named.form {
        NamedForm::Picture { .. } => {
            picture_header(Cursor::new(&bytes)).map_err(|error| format!("{}: {error}", named.path))?.0
        }
        NamedForm::Any => media_type(&path),
    };
    Ok((media, bytes))
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("json") => "application/json",
        Some("html") => "text/html",
        Some("txt") => "text/plain",
        _ => "application/octet-stream",
    }
}

/// What is wrong with a level, in the line of its record if it is one.
pub(super) fn level_problem(level: &Level, what: &str) -> Problem {
    let message = format!("{}: {what}", level.label());
    match &level.source {
        LevelSource::Record { record, path, line } => {
            named_problem(path, *line, record, &FieldError::new("", message))
        }
        LevelSource::Text(_) | LevelSource::Files { .. } => Problem::new(message),
    }
}
