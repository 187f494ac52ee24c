//! Small office documents of which one part is the input.

use std::io::Cursor;
use std::io::Write;

use zip::CompressionMethod;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A part of a document that can be the input: the main part, and what it refers to (kind, part), of which the input is the
/// last one, or the main part itself if there is none.
const PARTS: &[(&str, &[(&str, &str)])] = &[
    ("word/document.xml", &[]),
    ("word/document.xml", &[("styles", "word/styles.xml")]),
    ("xl/workbook.xml", &[]),
    ("xl/workbook.xml", &[("worksheet", "xl/sheet.xml")]),
    ("ppt/presentation.xml", &[]),
    ("ppt/presentation.xml", &[("slide", "ppt/slide.xml")]),
    ("content.xml", &[]),
];

/// What a main part is if the input is another one.
const MAIN: &[(&str, &str)] = &[
    (
        "word/document.xml",
        "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body><w:p/></w:body>\
         </w:document>",
    ),
    (
        "xl/workbook.xml",
        "<s:workbook xmlns:s='http://schemas.openxmlformats.org/spreadsheetml/2006/main' \
         xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>\
         <s:sheets><s:sheet name='a' r:id='r0'/></s:sheets></s:workbook>",
    ),
    (
        "ppt/presentation.xml",
        "<p:presentation xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main' \
         xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>\
         <p:sldIdLst><p:sldId r:id='r0'/></p:sldIdLst></p:presentation>",
    ),
];

/// The file of an input: an archive as it is for a `pick` beyond the parts.
pub fn office_file(pick: u8, input: &[u8]) -> Vec<u8> {
    let Some((main, others)) = PARTS.get(usize::from(pick)) else { return input.to_vec() };
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &[u8]| {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        writer.start_file(name, stored).expect("a name fits");
        writer.write_all(content).expect("memory takes it");
    };
    add("_rels/.rels", relations(&[("officeDocument", main)]).as_bytes());
    let (folder, file) = main.rsplit_once('/').unwrap_or(("", main));
    add(&format!("{folder}/_rels/{file}.rels"), relations(others).as_bytes());
    match others.last() {
        None => add(main, input),
        Some((_, part)) => {
            let known = MAIN.iter().find(|(name, _)| name == main);
            add(main, known.map_or("", |(_, content)| content).as_bytes());
            add(part, input);
        }
    }
    writer.finish().expect("memory takes it").into_inner()
}

fn relations(targets: &[(&str, &str)]) -> String {
    let relation = |(index, (kind, target)): (usize, &(&str, &str))| {
        format!("<Relationship Id='r{index}' Type='{OFFICE}/{kind}' Target='/{target}'/>")
    };
    let all: String = targets.iter().enumerate().map(relation).collect();
    format!("<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>{all}</Relationships>")
}
