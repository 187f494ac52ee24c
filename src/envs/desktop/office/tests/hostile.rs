use proptest::prelude::*;

use super::write::{Docx, archive, odt, p};
use crate::office::docx::{Document, Scope};
use crate::office::odt::OpenDocument;
use crate::office::package::Limits;
use crate::office::xml::{ATTRIBUTES, DEPTH, ELEMENTS, XmlError, parse};
use crate::office::{Package, Unreadable};

fn nested(depth: usize) -> Vec<u8> {
    format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth)).into_bytes()
}

#[test]
fn a_bomb_is_refused_and_what_is_small_is_not() {
    let zeros = vec![b'0'; 8 << 20];
    let bytes = archive(&[("bomb", &zeros), ("small", &zeros[..1 << 20])]);
    let mut package = Package::open(&bytes).unwrap();
    assert_eq!(package.bytes("bomb"), Err(Unreadable::Bomb { part: "bomb".to_owned(), limit: 200 }));
    assert_eq!(package.bytes("small").unwrap().unwrap().len(), 1 << 20);
    assert_eq!(package.bytes("missing"), Ok(None));
}

#[test]
fn limits_of_parts_and_sizes_hold() {
    let bytes = archive(&[("a", &[1; 600]), ("b", &[2; 600]), ("c", &[3; 1001])]);
    let limits = Limits { parts: 3, part: 1000, all: 1100, ratio: 200 };
    let mut package = Package::open_within(&bytes, limits).unwrap();
    assert_eq!(package.bytes("c"), Err(Unreadable::PartTooLarge { part: "c".to_owned(), limit: 1000 }));
    assert!(package.bytes("a").is_ok());
    assert_eq!(package.bytes("b"), Err(Unreadable::TooLarge { limit: 1100 }));
    let few = Limits { parts: 2, ..limits };
    let refused = Package::open_within(&bytes, few).err();
    assert_eq!(refused, Some(Unreadable::TooManyParts { found: 3, limit: 2 }));
}

#[test]
fn a_part_with_a_wrong_checksum_is_refused() {
    let text = b"some text that is not compressed away: 0123456789";
    let mut bytes = archive(&[("a", text)]);
    let header = 30 + "a".len();
    bytes[header + 5] ^= 0xff;
    let mut package = Package::open(&bytes).unwrap();
    assert!(matches!(package.bytes("a"), Err(Unreadable::Part { .. })));
}

#[test]
fn xml_has_limits() {
    assert!(parse(&nested(DEPTH)).is_ok());
    assert!(matches!(parse(&nested(DEPTH + 1)), Err(XmlError::Depth)));
    let wide = |count: usize| format!("<a>{}</a>", "<b/>".repeat(count)).into_bytes();
    assert!(parse(&wide(ELEMENTS - 1)).is_ok());
    assert!(matches!(parse(&wide(ELEMENTS)), Err(XmlError::Elements)));
    let attributes = |count: usize| {
        let all: Vec<String> = (0..count).map(|index| format!("a{index}='1'")).collect();
        format!("<a {}/>", all.join(" ")).into_bytes()
    };
    assert!(parse(&attributes(ATTRIBUTES)).is_ok());
    assert!(matches!(parse(&attributes(ATTRIBUTES + 1)), Err(XmlError::Attributes)));
}

#[test]
fn entities_and_document_types_are_refused() {
    let laughs = b"<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>";
    assert!(matches!(parse(laughs), Err(XmlError::DocumentType)));
    let outside = b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>";
    assert!(matches!(parse(outside), Err(XmlError::DocumentType)));
    assert!(matches!(parse(b"<a>&b;</a>"), Err(XmlError::Entity(name)) if name == "b"));
    assert!(parse(b"<a b='&c;'/>").is_err());
    let root = parse(b"<a b='&lt;&#65;'>&lt;&amp;&gt;&quot;&apos;&#x42;<![CDATA[<c>]]></a>").unwrap();
    assert_eq!(root.text(), "<&>\"'B<c>");
    assert_eq!(root.attr("b"), Some("<A"));
}

#[test]
fn what_is_not_one_root_is_refused() {
    for text in ["", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>text", "<a", "<a b='1' b='2'/>"] {
        assert!(parse(text.as_bytes()).is_err(), "{text}");
    }
    assert!(matches!(parse(b"<a>\xff</a>"), Err(XmlError::Encoding)));
    assert!(parse("\u{feff}<a/>".as_bytes()).is_ok());
}

#[test]
fn names_go_by_namespaces_and_not_by_prefixes() {
    let root = parse(
        b"<x:p xmlns:x='http://purl.oclc.org/ooxml/wordprocessingml/main' x:val='1' val='2'><p/><y:p xmlns:y='urn:y'/></x:p>",
    )
    .unwrap();
    assert!(root.is("w:p"));
    assert_eq!((root.attr("w:val"), root.attr("val")), (Some("1"), Some("2")));
    assert!(root.child("p").is_some());
    assert_eq!(root.children("w:p").count(), 0);
}

#[test]
fn damaged_and_wrong_documents_say_why() {
    let read = |bytes: &[u8]| Document::read(bytes, Scope::All).map(|_| ()).unwrap_err().to_string();
    assert!(read(b"no archive").contains("is damaged or not an office document"));
    assert_eq!(read(&archive(&[("a", b"")])), "lacks the part \"officeDocument\"");
    assert_eq!(read(&odt("", "")), "lacks the part \"officeDocument\"");
    let whole = Docx::new(p("text")).bytes();
    assert!(Document::read(&whole, Scope::All).is_ok());
    read(&whole[..whole.len() / 2]);
    assert!(read(&Docx::new("<w:p>").bytes()).contains("damaged part \"word/document.xml\""));
    assert!(read(&Docx::new(p("&b;")).bytes()).contains("entity \"b\""));
    let open = OpenDocument::read(&whole).map(|_| ()).unwrap_err();
    assert_eq!(open, Unreadable::Missing("content.xml".to_owned()));
}

#[test]
fn styles_in_a_ring_end() {
    let ring = "<w:style w:type='paragraph' w:default='1' w:styleId='A'><w:basedOn w:val='B'/></w:style>\
                <w:style w:type='paragraph' w:styleId='B'><w:basedOn w:val='A'/></w:style>";
    let document = Document::read(&Docx::new(p("a")).styles(ring).bytes(), Scope::All).unwrap();
    assert_eq!(document.paragraphs[0].text, "a");
}

#[test]
fn blanks_that_elements_write_have_a_limit() {
    let blanks = |count: &str| odt("", &format!("<text:p>a<text:s text:c='{count}'/>b</text:p>"));
    let text = |bytes: &[u8]| OpenDocument::read(bytes).unwrap().paragraphs[0].text.clone();
    assert_eq!(text(&blanks("3")), "a   b");
    assert!(OpenDocument::read(&blanks("1000001")).is_err());
    let many = format!("<text:p>{}</text:p>", "<text:s text:c='18446744073709551615'/>".repeat(3));
    assert!(OpenDocument::read(&odt("", &many)).unwrap_err().to_string().contains("blanks"));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let _ = parse(&bytes);
        prop_assert!(Document::read(&bytes, Scope::All).is_err());
        prop_assert!(OpenDocument::read(&bytes).is_err());
    }

    #[test]
    fn random_marks_never_panic(text in "[<>/&;!\\[\\]a-c='\" \\-?#x0-9]{0,200}") {
        let _ = parse(text.as_bytes());
        let _ = Document::read(&Docx::new(text).bytes(), Scope::All);
    }

    #[test]
    fn changed_bytes_never_panic(changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = Docx::new(p("text")).bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = Document::read(&bytes, Scope::All);
        let _ = OpenDocument::read(&bytes);
    }

    #[test]
    fn a_text_is_read_as_it_was_written(text in "[a-zA-Z0-9äß€ ]{0,60}") {
        for scope in [Scope::All, Scope::Direct] {
            let document = Document::read(&Docx::new(p(&text)).bytes(), scope).unwrap();
            prop_assert_eq!(&document.paragraphs[0].text, &text);
        }
    }
}
