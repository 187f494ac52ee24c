//! Reads a folder that is one level of a checkout.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use mageyard_config::Problem;

/// The largest number of files of a level.
const MAX_FILES: usize = 400;
/// The largest number of folders within each other.
const MAX_DEPTH: usize = 8;
/// How much of a file is read, in bytes: one more than a level may use, so that a larger file is noticed.
const MAX_BYTES: u64 = (4 << 20) + 1;

/// The files of a folder and its subfolders, sorted by name: names relative to the folder, and contents. A link is
/// refused.
pub(super) fn read(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Problem> {
    let mut files = Vec::new();
    add(folder, "", 0, &mut files)?;
    files.sort();
    Ok(files)
}

fn add(folder: &Path, before: &str, depth: usize, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), Problem> {
    let unread =
        |error: std::io::Error| Problem::new(format!("cannot be read: {error}")).at(folder, "", 0..0);
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        let path = entry.path();
        let kind = entry.file_type().map_err(unread)?;
        let refused = |what: String| Problem::new(what).at(&path, "", 0..0);
        let name = entry.file_name().into_string().map_err(|_| refused("its name is not UTF-8".into()))?;
        let name = format!("{before}{name}");
        if kind.is_dir() && depth < MAX_DEPTH {
            add(&path, &format!("{name}/"), depth + 1, files)?;
        } else if kind.is_file() {
            files.push((name, content(&path).map_err(unread)?));
        } else {
            return Err(refused("is a link, a special file or a folder too deep; it is not read".into()));
        }
        if files.len() > MAX_FILES {
            return Err(refused(format!("is one of more than {MAX_FILES} files of a level")));
        }
    }
    Ok(())
}

fn content(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(MAX_BYTES).read_to_end(&mut content)?;
    Ok(content)
}
