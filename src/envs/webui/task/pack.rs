//! Packed pages: folders of files as one text, so that a level opens without its files.
//!
//! A line `@@ page NAME` begins a page and a line `@@ file NAME` a file of it; the lines up to the next such line are
//! its content. A line of content that begins with `@@` is written with one more `@` in front. `base64` after the name
//! means that the content is bytes in Base64, and `unended` that the last line has no line break.

use std::collections::BTreeSet;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::file_name::file_name_error;
use super::file_name::page_name_error;
use crate::domain::LevelError;
use crate::domain::sanitize;

/// The largest file of a page, in bytes.
pub(in crate::envs::webui) const MAX_FILE_BYTES: usize = 1 << 20;
/// The largest number of files of a page.
const MAX_FILES: usize = 200;
/// The length of a line of Base64.
const BASE64_LINE: usize = 76;

const MARK: &str = "@@";
const BASE64: &str = "base64";
const UNENDED: &str = "unended";

/// A page as its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::envs::webui) struct PackedPage {
    /// The name.
    pub(in crate::envs::webui) name: String,
    /// The files in their order.
    pub(in crate::envs::webui) files: Vec<PackedFile>,
    /// The line of its header, from 1.
    pub(super) line: usize,
}

/// A file of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::envs::webui) struct PackedFile {
    /// The path in the folder of the page, with `/` between its parts.
    pub(in crate::envs::webui) name: String,
    /// The content.
    pub(in crate::envs::webui) content: Vec<u8>,
    /// The line of its header, from 1.
    pub(super) line: usize,
}

impl PackedPage {
    /// A page without files.
    pub(in crate::envs::webui) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The file of this name.
    pub(in crate::envs::webui) fn file(&self, name: &str) -> Option<&PackedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// The page as text. The names of the page and its files must be valid.
    pub(in crate::envs::webui) fn print(&self) -> String {
        let mut text = format!("{MARK} page {}\n", self.name);
        self.files.iter().for_each(|file| file.print(&mut text));
        text
    }
}

impl PackedFile {
    /// A file with this content.
    pub(in crate::envs::webui) fn new(name: String, content: Vec<u8>) -> Self {
        Self { name, content, line: 0 }
    }

    /// The content as text, if it is UTF-8.
    pub(in crate::envs::webui) fn text(&self) -> Option<&str> {
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
            lines.for_each(|line| _ = writeln!(text, "{}", String::from_utf8_lossy(line)));
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
    let (mut base64, mut unended) = (false, false);
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn page(files: &[(&str, &[u8])]) -> PackedPage {
        let file = |(name, content): &(&str, &[u8])| PackedFile {
            name: (*name).to_owned(),
            content: content.to_vec(),
            line: 0,
        };
        PackedPage { files: files.iter().map(file).collect(), ..PackedPage::new("a page") }
    }

    /// Without line numbers.
    fn bare(mut page: PackedPage) -> PackedPage {
        page.line = 0;
        page.files.iter_mut().for_each(|file| file.line = 0);
        page
    }

    fn errors(text: &str) -> Vec<(usize, String)> {
        parse(text).1.into_iter().map(|error| (error.line, error.reason)).collect()
    }

    #[test]
    fn a_page_is_printed_in_a_form_that_is_read_back() {
        let files: [(&str, &[u8]); 6] = [
            ("index.html", b"<p>1</p>\n@@ page x\n@@@\n@\n\n"),
            ("empty.txt", b""),
            ("newline.txt", b"\n"),
            ("cut.css", b"p {}"),
            ("images/a b.png", &[0, 255, 10, 13]),
            ("dos.txt", b"a\r\nb\r\n"),
        ];
        let text = page(&files).print();
        let expected = "@@ page a page\n@@ file index.html\n<p>1</p>\n@@@ page x\n@@@@\n@\n\n@@ file empty.txt\n\
            @@ file newline.txt\n\n@@ file cut.css unended\np {}\n@@ file images/a b.png base64\nAP8KDQ==\n\
            @@ file dos.txt base64\nYQ0KYg0K\n";
        assert_eq!(text, expected);
        let (pages, errors) = parse(&text);
        assert_eq!((errors, pages.len()), (vec![], 1));
        assert_eq!(bare(pages[0].clone()), page(&files));
        assert_eq!((pages[0].line, pages[0].files[3].line), (1, 11));
    }

    #[test]
    fn every_error_has_its_line() {
        let text = "\n@@ page a\nstray\nstray\n@@ file ../b\nx\n@@ file c\n@@ file c\n@@ fiel d\n@@\n@@ page a\n\
            @@ file e base64\n!\n";
        let found = errors(text);
        let parts = [
            (3, "belongs to no file"),
            (5, "no part . or .."),
            (8, "a file c already"),
            (9, "@@ page NAME or @@ file NAME"),
            (10, "one more @"),
            (11, "a page a already"),
            (12, "is not Base64"),
        ];
        assert_eq!(found.len(), parts.len(), "{found:?}");
        for ((line, reason), (at, part)) in found.iter().zip(parts) {
            assert!(*line == at && reason.contains(part), "{line}: {reason}");
        }
        assert_eq!(errors("").len(), 1);
        assert!(errors("@@ file a\n")[0].1.contains("belongs to a page"));
    }

    #[test]
    fn sizes_are_limited() {
        let large = "x".repeat(MAX_FILE_BYTES);
        assert_eq!(errors(&format!("@@ page a\n@@ file b unended\n{large}\n")), []);
        assert_eq!(errors(&format!("@@ page a\n@@ file b\n{large}\n"))[0].0, 2);
        let many: Vec<String> = (0..=MAX_FILES).map(|number| format!("@@ file {number}\n")).collect();
        let many = many.concat();
        assert_eq!(errors(&format!("@@ page a\n{many}")), [(202, "a page has at most 200 files".into())]);
    }

    proptest! {
        #[test]
        fn any_bytes_survive(contents in vec(vec(prop_oneof![Just(b'@'), Just(b'\n'), Just(b' '), any::<u8>()], 0..40), 0..5)) {
            let names: Vec<String> = (0..contents.len()).map(|number| format!("f{number}")).collect();
            let files: Vec<(&str, &[u8])> = names.iter().map(String::as_str).zip(contents.iter().map(Vec::as_slice)).collect();
            let (pages, errors) = parse(&page(&files).print());
            prop_assert_eq!(errors, vec![]);
            prop_assert_eq!(bare(pages[0].clone()), page(&files));
        }

        #[test]
        fn any_text_is_read_to_its_end(text in "(@@ (page|file) ?[a./ ]{0,4}( base64| unended)?\n|[@ a]{0,4}\n|.{0,9}){0,12}") {
            let (pages, _) = parse(&text);
            for page in pages.iter().flat_map(|page| &page.files) {
                prop_assert_eq!(file_name_error(&page.name), None);
            }
        }
    }
}
