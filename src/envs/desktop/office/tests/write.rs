//! A small writer of documents: the parts that are given, and what an archive must have.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const DRAWING: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
const MATH: &str = "http://schemas.openxmlformats.org/officeDocument/2006/math";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// An archive of parts.
pub(crate) fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A text document of Word: what is in its parts, as XML.
#[derive(Clone, Default)]
pub(crate) struct Docx {
    body: String,
    styles: String,
    theme: String,
    footers: Vec<String>,
    pictures: Vec<Vec<u8>>,
}

impl Docx {
    pub(crate) fn new(body: impl Into<String>) -> Self {
        Self { body: body.into(), ..Self::default() }
    }

    /// Sets the elements in `w:styles`.
    pub(crate) fn styles(mut self, styles: &str) -> Self {
        styles.clone_into(&mut self.styles);
        self
    }

    /// Sets the font of the theme for text outside of headings.
    pub(crate) fn theme_font(mut self, font: &str) -> Self {
        self.theme = format!(
            "<a:theme xmlns:a='{DRAWING}'><a:themeElements><a:fontScheme><a:minorFont><a:latin typeface='{font}'/>\
             </a:minorFont></a:fontScheme></a:themeElements></a:theme>"
        );
        self
    }

    /// Adds a footer, of which the relation is `footer` and its place from 0.
    pub(crate) fn footer(mut self, paragraphs: &str) -> Self {
        self.footers.push(format!("<w:ftr xmlns:w='{WORD}'>{paragraphs}</w:ftr>"));
        self
    }

    /// Adds a picture, of which the relation is `picture` and its place from 0.
    pub(crate) fn picture(mut self, bytes: &[u8]) -> Self {
        self.pictures.push(bytes.to_vec());
        self
    }

    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut parts: Vec<(String, Vec<u8>)> = vec![
            ("_rels/.rels".to_owned(), relations(&[relation("main", "officeDocument", "word/document.xml")])),
            ("word/document.xml".to_owned(), self.document()),
        ];
        let mut used = Vec::new();
        let mut add = |id: &str, kind: &str, name: String, bytes: &[u8]| {
            used.push(relation(id, kind, &name));
            parts.push((format!("word/{name}"), bytes.to_vec()));
        };
        let styles = format!("<w:styles xmlns:w='{WORD}'>{}</w:styles>", self.styles);
        add("styles", "styles", "styles.xml".to_owned(), styles.as_bytes());
        if !self.theme.is_empty() {
            add("theme", "theme", "theme/theme1.xml".to_owned(), self.theme.as_bytes());
        }
        for (index, footer) in self.footers.iter().enumerate() {
            add(&format!("footer{index}"), "footer", format!("footer{index}.xml"), footer.as_bytes());
        }
        for (index, picture) in self.pictures.iter().enumerate() {
            add(&format!("picture{index}"), "image", format!("media/image{index}.png"), picture);
        }
        parts.push(("word/_rels/document.xml.rels".to_owned(), relations(&used)));
        let parts: Vec<(&str, &[u8])> =
            parts.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        archive(&parts)
    }

    fn document(&self) -> Vec<u8> {
        let body = &self.body;
        format!(
            "<?xml version='1.0' encoding='UTF-8'?><w:document xmlns:w='{WORD}' xmlns:a='{DRAWING}' \
             xmlns:m='{MATH}' xmlns:r='{OFFICE}'><w:body>{body}</w:body></w:document>"
        )
        .into_bytes()
    }
}

fn relation(id: &str, kind: &str, target: &str) -> String {
    format!("<Relationship Id='{id}' Type='{OFFICE}/{kind}' Target='{target}'/>")
}

fn relations(relations: &[String]) -> Vec<u8> {
    format!("<Relationships xmlns='{PACKAGE}'>{}</Relationships>", relations.concat()).into_bytes()
}

/// A paragraph of one run.
pub(crate) fn p(text: &str) -> String {
    formatted("", "", text)
}

/// A paragraph of one run, with what is in `w:pPr` and in `w:rPr`.
pub(crate) fn formatted(paragraph: &str, of_run: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{paragraph}</w:pPr>{}</w:p>", run(of_run, text))
}

/// A run, with what is in `w:rPr`.
pub(crate) fn run(format: &str, text: &str) -> String {
    let text = text.replace('\t', "</w:t><w:tab/><w:t>");
    format!("<w:r><w:rPr>{format}</w:rPr><w:t>{text}</w:t></w:r>")
}

/// A table of cells, each the elements in `w:tc`.
pub(crate) fn table(columns: usize, rows: &[&[String]]) -> String {
    let mut table = format!("<w:tbl><w:tblGrid>{}</w:tblGrid>", "<w:gridCol/>".repeat(columns));
    for row in rows {
        write!(table, "<w:tr><w:tc>{}</w:tc></w:tr>", row.join("</w:tc><w:tc>")).unwrap();
    }
    table + "</w:tbl>"
}

/// A text of `OpenDocument`: its automatic styles, and what is in `office:text`.
pub(crate) fn odt(styles: &str, text: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' \
         xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' \
         xmlns:style='urn:oasis:names:tc:opendocument:xmlns:style:1.0' \
         xmlns:fo='urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0'>\
         <office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:text>{text}</office:text></office:body></office:document-content>"
    );
    archive(&[("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", content.as_bytes())])
}
