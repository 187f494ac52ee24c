//! A text file of the user and its path. Reading refuses files that are not UTF-8 text.

use std::fs::File;
use std::io;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::problem::Problem;

/// The maximum size of a settings, theme or keymap file, in bytes.
pub(crate) const SMALL_FILE_LIMIT: u64 = 1 << 20;

/// The text of a file and its path, for problems with a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path; for a shipped text it starts with `shipped`.
    pub path: PathBuf,
    /// The complete text, without a byte order mark.
    pub text: Arc<str>,
}

impl SourceFile {
    /// A text that ships with the program; `path` is its path in the sources.
    pub fn shipped(path: &str, text: &str) -> Self {
        Self { path: Path::new("shipped").join(path), text: text.into() }
    }

    /// Reads a file of UTF-8 text with at most `limit` bytes.
    pub fn read(path: impl Into<PathBuf>, limit: u64) -> Result<Self, Problem> {
        let path = path.into();
        match bytes(&path, limit) {
            Ok(bytes) => Self::from_bytes(path, bytes, limit),
            Err(error) => Err(unreadable_problem(path, &error)),
        }
    }

    /// Reads a file like [`Self::read`]; `None` if it does not exist.
    pub fn read_if_exists(path: impl Into<PathBuf>, limit: u64) -> Result<Option<Self>, Problem> {
        let path = path.into();
        match bytes(&path, limit) {
            Ok(bytes) => Self::from_bytes(path, bytes, limit).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable_problem(path, &error)),
        }
    }

    /// Reads the bytes of a regular file with at most `limit` bytes; `-` is standard input.
    pub fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, Problem> {
        let place = |problem: Problem| problem.at(path, "", 0..0);
        let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
        if path.exists() && !path.is_dir() && !path.is_file() && path != Path::new("/dev/stdin") {
            return Err(place(Problem::new("is not a regular file")));
        }
        let bytes = bytes(path, limit).map_err(|error| unreadable_problem(path.to_owned(), &error))?;
        if bytes.len() as u64 > limit {
            return Err(place(too_large_problem(limit)));
        }
        Ok(bytes)
    }

    fn from_bytes(path: PathBuf, bytes: Vec<u8>, limit: u64) -> Result<Self, Problem> {
        if bytes.len() as u64 > limit {
            return Err(too_large_problem(limit).at(path, "", 0..0));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { path, text: text.strip_prefix('\u{feff}').unwrap_or(&text).into() }),
            Err(error) => Err(not_utf8_problem(path, &error)),
        }
    }

    /// A problem at these bytes of the file.
    pub fn problem_at(&self, what: impl Into<String>, span: Range<usize>) -> Problem {
        Problem::new(what).at(self.path.clone(), self.text.clone(), span)
    }

    /// A problem with a line, counted from 1.
    pub fn problem_in_line(&self, what: impl Into<String>, line: usize) -> Problem {
        let start: usize = self.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let length = self.text[start..].lines().next().map_or(0, str::len);
        self.problem_at(what, start..start + length)
    }

    /// A problem for an error of the TOML parser.
    pub fn toml_problem(&self, error: &toml::de::Error) -> Problem {
        let what = error.message().trim_end().replace('\n', ": ");
        self.problem_at(what, error.span().unwrap_or(0..0))
    }
}

fn bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn too_large_problem(limit: u64) -> Problem {
    Problem::new(format!("is larger than {}, the maximum", format_size(limit)))
}

fn unreadable_problem(path: PathBuf, error: &io::Error) -> Problem {
    let what = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "is a folder, not a file".to_owned(),
        io::ErrorKind::NotADirectory => "a part of this path is a file, not a folder".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    Problem::new(what).at(path, "", 0..0)
}

fn not_utf8_problem(path: PathBuf, error: &std::string::FromUtf8Error) -> Problem {
    let good = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned();
    let what = format!("is not UTF-8 text: invalid byte at position {}", good + 1);
    Problem::new(what).at(path, text, good..good).with_help("save it as UTF-8")
}

/// A number of bytes in the largest unit up to MiB, rounded down.
fn format_size(bytes: u64) -> String {
    match (bytes >> 20, bytes >> 10) {
        (0, 0) => format!("{bytes} bytes"),
        (0, kilo) => format!("{kilo} KiB"),
        (mega, _) => format!("{mega} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temp_file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_that_is_not_utf8_is_refused_with_the_byte_offset() {
        let (_folder, path) = temp_file(b"ok\nab\xffcd");
        let problem = SourceFile::read(&path, 100).unwrap_err();
        assert_eq!(problem.message, "is not UTF-8 text: invalid byte at position 6");
        assert_eq!(problem.location.unwrap().line(), 2);
    }

    #[test]
    fn the_limit_is_exact() {
        let (_folder, path) = temp_file(b"12345");
        assert_eq!(&*SourceFile::read(&path, 5).unwrap().text, "12345");
        let problem = SourceFile::read(&path, 4).unwrap_err();
        assert_eq!(problem.message, "is larger than 4 bytes, the maximum");
    }

    #[test]
    fn a_byte_order_mark_is_removed() {
        let (_folder, path) = temp_file("\u{feff}# a".as_bytes());
        assert_eq!(&*SourceFile::read(&path, 100).unwrap().text, "# a");
    }

    #[test]
    fn only_a_file_that_does_not_exist_gives_none() {
        let (folder, path) = temp_file(b"");
        assert_eq!(SourceFile::read_if_exists(folder.path().join("none"), 100), Ok(None));
        assert_eq!(
            SourceFile::read_if_exists(folder.path(), 100).unwrap_err().message,
            "is a folder, not a file"
        );
        let below = SourceFile::read_if_exists(path.join("below"), 100).unwrap_err();
        assert_eq!(below.message, "a part of this path is a file, not a folder");
    }

    #[test]
    fn a_problem_in_a_line_covers_that_line() {
        let sheet = SourceFile::shipped("x", "one\r\ntwo\nthree");
        for (line, span) in [(1, 0..3), (2, 5..8), (3, 9..14), (9, 14..14)] {
            assert_eq!(sheet.problem_in_line("x", line).location.unwrap().span, span, "line {line}");
        }
    }
}
