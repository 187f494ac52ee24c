//! Tests of packs: what is written is read again, and every mistake has its line.

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
    for file in &mut page.files {
        file.line = 0;
    }
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
