//! Packed pages: folders of files as one text, so that a level opens without its files.
//!
//! A line `@@ page NAME` begins a page and a line `@@ file NAME` a file of it; the lines up to the next such line are
//! its content. A line of content that begins with `@@` is written with one more `@` in front. `base64` after the name
//! means that the content is bytes in Base64, and `unended` that the last line has no line break.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::file_name::{file_name_error, page_name_error};
use mageyard_domain::{LevelError, sanitize};

/// The largest file of a page, in bytes: a screenshot of 2400 by 1100 pixels with photographs has up to 3 MiB.
pub(crate) const MAX_FILE_BYTES: usize = 4 << 20;
/// The largest number of files of a page.
const MAX_FILES: usize = 200;
/// The length of a line of Base64.
const BASE64_LINE: usize = 76;

const MARK: &str = "@@";
const BASE64: &str = "base64";
const UNENDED: &str = "unended";

/// A page as its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackedPage {
    /// The name.
    pub(crate) name: String,
    /// The files in their order.
    pub(crate) files: Vec<PackedFile>,
    /// The line of its header, from 1.
    pub(super) line: usize,
}

/// A file of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackedFile {
    /// The path in the folder of the page, with `/` between its parts.
    pub(crate) name: String,
    /// The content.
    pub(crate) content: Vec<u8>,
    /// The line of its header, from 1.
    pub(super) line: usize,
}

impl PackedPage {
    /// A page without files.
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The file of this name.
    pub(crate) fn file(&self, name: &str) -> Option<&PackedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// The page as text. The names of the page and its files must be valid.
    pub(crate) fn print(&self) -> String {
        let mut text = format!("{MARK} page {}\n", self.name);
        for file in &self.files {
            file.print(&mut text);
        }
        text
    }
}

impl PackedFile {
    /// A file with this content.
    pub(crate) fn new(name: String, content: Vec<u8>) -> Self {
        Self { name, content, line: 0 }
    }

    /// The content as text, if it is UTF-8.
    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.content).ok()
    }

    /// The content as text if it is printed as text.
    fn printable(&self) -> Option<&str> {
        self.text().filter(|text| !text.contains(['\r', '\0']))
    }

    fn print(&self, text: &mut String) {
        // Writing to a string does not fail.
        let _ = write!(text, "{MARK} file {}", self.name);
        let Some(content) = self.printable() else {
            let _ = writeln!(text, " {BASE64}");
            let encoded = STANDARD.encode(&self.content);
            let lines = encoded.as_bytes().chunks(BASE64_LINE);
            for line in lines {
                _ = writeln!(text, "{}", String::from_utf8_lossy(line));
            }
            return;
        };
        let unended = !content.is_empty() && !content.ends_with('\n');
        text.push_str(if unended { " unended\n" } else { "\n" });
        for line in content.strip_suffix('\n').unwrap_or(content).split('\n').filter(|_| !content.is_empty())
        {
            let _ = writeln!(text, "{}{line}", if line.starts_with(MARK) { "@" } else { "" });
        }
    }
}

/// The pages of a pack, and every error in it, both in the order of the text. A page with an error may lack files.
pub(super) fn parse(text: &str) -> (Vec<PackedPage>, Vec<LevelError>) {
    let mut reading = Reading::default();
    // Carriage returns are content.
    for (line, row) in (1..).zip(text.strip_suffix('\n').unwrap_or(text).split('\n')) {
        reading.row(line, row);
    }
    reading.end_file();
    if reading.pages.is_empty() && reading.errors.is_empty() {
        reading.error(1, "there is no page: a page begins with a line @@ page NAME");
    }
    (reading.pages, reading.errors)
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    pages: Vec<PackedPage>,
    names: BTreeSet<String>,
    errors: Vec<LevelError>,
    file: Option<OpenFile>,
    /// Whether lines without a file have been reported since the last header.
    reported: bool,
}

/// A file whose lines are being read.
#[derive(Default)]
struct OpenFile {
    file: PackedFile,
    base64: bool,
    unended: bool,
    too_large: bool,
}

impl Reading {
    fn error(&mut self, line: usize, reason: impl Into<String>) {
        self.errors.push(LevelError { line, reason: reason.into() });
    }

    fn row(&mut self, line: usize, row: &str) {
        match row.strip_prefix(MARK) {
            Some(rest) if rest.starts_with('@') => self.content(line, &row[1..]),
            Some(rest) => self.header(line, rest.trim_end_matches('\r')),
            None => self.content(line, row),
        }
    }

    fn content(&mut self, line: usize, row: &str) {
        match &mut self.file {
            Some(open) => open.push(row),
            None if row.trim().is_empty() || self.reported => {}
            None => {
                self.reported = true;
                self.error(line, "this line belongs to no file: a file begins with a line @@ file NAME");
            }
        }
    }

    fn header(&mut self, line: usize, rest: &str) {
        self.end_file();
        self.reported = false;
        match rest.trim().split_once(' ').unwrap_or((rest.trim(), "")) {
            ("page", name) => self.begin_page(line, name.trim()),
            ("file", name) => self.begin_file(line, name.trim()),
            _ => {
                // Its content is not reported a second time.
                self.reported = true;
                let known = "a line that begins with @@ is @@ page NAME or @@ file NAME";
                self.error(line, format!("{known}; in the content of a file it begins with one more @"));
            }
        }
    }

    fn begin_page(&mut self, line: usize, name: &str) {
        if let Some(why) = page_name_error(name) {
            self.error(line, why);
        } else if self.pages.iter().any(|page| page.name == name) {
            self.error(line, format!("there is a page {} already", sanitize(name)));
        }
        self.names.clear();
        self.pages.push(PackedPage { line, ..PackedPage::new(name) });
    }

    fn begin_file(&mut self, line: usize, given: &str) {
        let (name, base64, unended) = attributes(given);
        let error = if self.pages.is_empty() {
            Some("a file belongs to a page: a page begins with a line @@ page NAME".to_owned())
        } else if !self.names.insert(name.to_owned()) {
            Some(format!("there is a file {} already", sanitize(name)))
        } else if self.names.len() > MAX_FILES {
            Some(format!("a page has at most {MAX_FILES} files"))
        } else {
            file_name_error(name)
        };
        if let Some(why) = error {
            self.reported = true;
            return self.error(line, why);
        }
        let file = PackedFile { name: name.to_owned(), content: Vec::new(), line };
        self.file = Some(OpenFile { file, base64, unended, too_large: false });
    }

    fn end_file(&mut self) {
        let Some(open) = self.file.take() else { return };
        let line = open.file.line;
        match (open.end(), self.pages.last_mut()) {
            (Ok(file), Some(page)) => page.files.push(file),
            (Ok(_), None) => {}
            (Err(why), _) => self.error(line, why),
        }
    }
}

/// The name of a file, whether it is in Base64, and whether its last line has no line break.
fn attributes(mut given: &str) -> (&str, bool, bool) {
    let mut base64 = false;
    let mut unended = false;
    loop {
        match given.rsplit_once(' ') {
            Some((rest, BASE64)) => (given, base64) = (rest.trim_end(), true),
            Some((rest, UNENDED)) => (given, unended) = (rest.trim_end(), true),
            _ => return (given, base64, unended),
        }
    }
}

impl OpenFile {
    fn push(&mut self, row: &str) {
        // Base64 takes four characters for three bytes.
        self.too_large |= self.file.content.len() + row.len() > MAX_FILE_BYTES / 3 * 4 + BASE64_LINE;
        if !self.too_large {
            self.file.content.extend_from_slice(row.as_bytes());
            self.file.content.push(b'\n');
        }
    }

    /// The file, or why it is wrong.
    fn end(self) -> Result<PackedFile, String> {
        let Self { mut file, base64, unended, too_large } = self;
        if base64 {
            file.content.retain(|byte| !byte.is_ascii_whitespace());
            file.content =
                STANDARD.decode(&file.content).map_err(|error| format!("is not Base64: {error}"))?;
        } else if unended {
            file.content.pop();
        }
        if too_large || file.content.len() > MAX_FILE_BYTES {
            return Err(format!("a file has at most {MAX_FILE_BYTES} bytes"));
        }
        Ok(file)
    }
}
