//! Files of programs with changed parts: every reader ends in time, without a panic. The changes are the same in every run.

#![expect(clippy::disallowed_methods, reason = "the time is measured")]

use std::io::{Cursor, Read as _};
use std::time::{Duration, Instant};

use zip::ZipArchive;

use super::write::{Docx, archive, formatted, odt, p, table};
use crate::{DocumentKind, document_kinds};

const PPTX: &[u8] = include_bytes!("../../tests/files/slides/good.pptx");
const OFFICE: &[u8] = include_bytes!("../../tests/files/slides/office.pptx");
const XLSX: &[u8] = include_bytes!("../../handlers/sheets/tests/files/good.xlsx");

/// The longest time for a small file with all readers, on a machine that is busy with other tests.
const LIMIT: Duration = Duration::from_secs(20);

/// Numbers that look random and are the same in every run (Marsaglia, 2003).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below a limit, or 0.
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }
}

type Part = (String, Vec<u8>);

fn parts(bytes: &[u8]) -> Vec<Part> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let part = |index| {
        let mut part = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        part.read_to_end(&mut content).unwrap();
        (part.name().unwrap().into_owned(), content)
    };
    (0..ZipArchive::new(Cursor::new(bytes)).unwrap().len()).map(part).collect()
}

/// Values that readers may not expect.
const VALUES: [&[u8]; 8] =
    [b"", b"-1", b"9223372036854775807", b"1e999", b"nan", b"rId1", b"../../..", "ß\u{1F600}".as_bytes()];

/// Changes a part at a place.
fn change(content: &mut Vec<u8>, numbers: &mut Numbers) {
    let start = numbers.below(content.len());
    let end = (start + numbers.below(80)).min(content.len());
    match numbers.below(6) {
        0 => content.truncate(start),
        1 => drop(content.drain(start..end)),
        2 => {
            let piece = content[start..end].repeat(20);
            content.splice(start..start, piece);
        }
        3 => {
            let other = numbers.below(content.len());
            let start = start.min(other);
            content.swap(start, other);
        }
        4 => quoted_value(content, start, numbers),
        _ => element(content, start, numbers),
    }
}

/// Replaces the next value in quotes.
fn quoted_value(content: &mut Vec<u8>, start: usize, numbers: &mut Numbers) {
    let quote = |from: usize, content: &[u8]| content[from..].iter().position(|byte| *byte == b'"');
    let Some(open) = quote(start, content).map(|place| start + place + 1) else { return };
    let Some(close) = quote(open, content).map(|place| open + place) else { return };
    content.splice(open..close, VALUES[numbers.below(VALUES.len())].iter().copied());
}

/// Moves the text from a mark to the next one to another mark.
fn element(content: &mut Vec<u8>, start: usize, numbers: &mut Numbers) {
    let mark = |from: usize, content: &[u8]| {
        content[from..].iter().position(|byte| *byte == b'<').map(|at| from + at)
    };
    let Some(open) = mark(start, content) else { return };
    let close = mark(open + 1, content).unwrap_or(content.len());
    let piece: Vec<u8> = content.drain(open..close).collect();
    let from = numbers.below(content.len());
    let to = mark(from, content).unwrap_or(content.len());
    content.splice(to..to, piece);
}

/// Files with one to three changes in their parts.
pub(crate) fn mutants(bytes: &[u8], count: usize) -> impl Iterator<Item = Vec<u8>> {
    let parts = parts(bytes);
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    std::iter::repeat_with(move || {
        let mut changed = parts.clone();
        for _ in 0..=numbers.below(3) {
            let index = numbers.below(changed.len());
            if !changed[index].1.is_empty() {
                change(&mut changed[index].1, &mut numbers);
            }
        }
        let changed: Vec<(&str, &[u8])> =
            changed.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        archive(&changed)
    })
    .take(count)
}

fn check(bytes: &[u8], kind: DocumentKind, count: usize) {
    assert_eq!(document_kinds(bytes), [kind]);
    let mut read = 0;
    for mutant in mutants(bytes, count) {
        let start = Instant::now();
        let kinds = document_kinds(&mutant);
        assert!(start.elapsed() < LIMIT, "reading took {:?}", start.elapsed());
        assert!(kinds.len() <= 1, "{kinds:?}");
        read += kinds.len();
    }
    // Changes that break every file, or none, would test nothing.
    assert!((count / 10..=count - count / 10).contains(&read), "{read} of {count} were read");
}

#[test]
fn changed_presentations_are_read_or_refused() {
    check(PPTX, DocumentKind::Presentation, 60);
    check(OFFICE, DocumentKind::Presentation, 60);
}

#[test]
fn changed_workbooks_are_read_or_refused() {
    check(XLSX, DocumentKind::Workbook, 200);
}

#[test]
fn changed_text_documents_are_read_or_refused() {
    let style = "<w:style w:type=\"paragraph\" w:styleId=\"A\"><w:basedOn w:val=\"B\"/></w:style>";
    let body = [
        formatted(
            "<w:jc w:val=\"center\"/><w:tabs><w:tab w:val=\"left\" w:pos=\"720\"/></w:tabs>",
            "<w:b/>",
            "text",
        ),
        table(2, &[&[p("a"), p("b")], &[p("c")]]),
        "<w:sectPr><w:footerReference r:id=\"footer0\"/><w:pgSz w:w=\"12240\"/></w:sectPr>".to_owned(),
    ];
    let file = Docx::new(body.concat()).styles(style).theme_font("Arial").footer(&p("1")).bytes();
    check(&file, DocumentKind::Word, 300);
    let text = "<text:h>head</text:h><text:p text:style-name=\"A\">a<text:s text:c=\"3\"/><text:span>b</text:span></text:p>";
    let style = "<style:style style:name=\"A\"><style:text-properties fo:background-color=\"#ffff00\"/></style:style>";
    check(&odt(style, text), DocumentKind::OpenDocument, 300);
}
