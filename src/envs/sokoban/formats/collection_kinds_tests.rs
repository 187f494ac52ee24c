//! Collections in the layouts that public ones have, made here: each keeps its number of levels.

use proptest::prelude::*;

use super::FORMATS;

const BOARD: &str = "#####\n#@$.#\n#####";

/// A collection of boards with a text before each, after each, and around all.
fn framed(head: &str, before: &str, after: &str, count: usize) -> String {
    let number = |text: &str, number: usize| text.replace("{n}", &number.to_string());
    let levels = (1..=count).map(|n| format!("{}{BOARD}\n{}", number(before, n), number(after, n)));
    format!("{head}{}", levels.collect::<String>())
}

/// Each layout: what it is, the text before all boards, before each and after each.
const KINDS: [(&str, &str, &str, &str); 16] = [
    ("numbers above", "", "; {n}\n", "\n"),
    ("numbers above, set apart", "", "; {n}\n\n", "\n"),
    ("numbers below", "", "", "; {n}\n\n"),
    ("plain titles above", "", "Yard {n}\n", "\n"),
    ("plain titles between boards", "", "Yard {n}\n", ""),
    ("title lines below", "", "", "Title: Yard {n}\nAuthor: A. N. Other\n\n"),
    ("title lines above", "", "Title: Yard {n}\n", "\n"),
    ("a header", "; All of it\n; A. N. Other\n; http://example.org\n\n", "; {n}\n", "\n"),
    ("a text header", "Date: May\nAuthor: A. N. Other\nRating: 3\n\n", "", "\n"),
    ("solutions below", "", "", "Solution: R\n\n"),
    ("solutions in blocks", "", "", "Solution/A. N. Other/1/1\nR\n\n"),
    ("solutions without a heading", "", "", "R\n\n"),
    ("comment blocks below", "", "", "Comment:\nfirst line\nsecond line\nComment-End:\n\n"),
    ("unknown properties", "", "", "Rating: 5\nTime-limit: 30\n\n"),
    ("levels with numbers", "", "Level {n}: yard\n", "\n"),
    ("only blank lines", "", "", "\n\n"),
];

fn collections(count: usize) -> Vec<(&'static str, Vec<u8>)> {
    let framed =
        KINDS.map(|(kind, head, before, after)| (kind, framed(head, before, after, count).into_bytes()));
    let joined = |level: &str| format!("{level}\n").repeat(count).into_bytes();
    let xml = "<Level Id=\"a\"><L>#####</L><L>#@$.#</L><L>#####</L></Level>".repeat(count);
    let latin = framed_latin(count);
    let mut all: Vec<_> = framed.into();
    all.extend([
        ("rows joined by signs", joined("5#|#@$.#|5#|\n")),
        ("second letters", joined("#####\n#pbo#\n#####\n")),
        ("groups of runs", joined("2(2#)#\n#@$.#\n5(#)\n")),
        ("XML", format!("<?xml version=\"1.0\"?><SokobanLevels>{xml}</SokobanLevels>").into_bytes()),
        ("Latin-1", latin),
    ]);
    all
}

fn framed_latin(count: usize) -> Vec<u8> {
    framed("", "; caf\u{e9} {n}\n", "\n", count).chars().map(|c| c as u8).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_collection_of_each_kind_keeps_its_number_of_levels(count in 1_usize..40, windows in any::<bool>()) {
        let collections = collections(count);
        prop_assert_eq!(collections.len(), 21);
        for (kind, bytes) in collections {
            let bytes = if windows { with_crlf(&bytes) } else { bytes };
            let format = FORMATS.iter().find(|format| (format.matches)(&bytes)).unwrap();
            let levels = (format.read)(&bytes).unwrap_or_else(|error| panic!("{kind}: {error}"));
            prop_assert_eq!(levels.len(), count, "{}", kind);
            for level in levels {
                prop_assert!(level.text().starts_with(BOARD), "{}: {}", kind, level.text());
            }
        }
    }
}

fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] }).collect()
}

#[test]
fn titles_and_solutions_belong_to_the_board_above() {
    let read = |text: String| {
        let format = FORMATS.iter().find(|format| format.name == "xsb").unwrap();
        (format.read)(text.as_bytes()).unwrap()
    };
    let numbers: Vec<_> = read(framed("", "", "; {n}\n\n", 3)).into_iter().map(|level| level.title).collect();
    assert_eq!(numbers, ["1", "2", "3"].map(|title| Some(title.to_owned())));
    for level in read(framed("", "", "R\n\n", 2)) {
        assert_eq!((level.title.as_deref(), level.text()), (None, &*format!("{BOARD}\n; solution: R")));
    }
    for level in read(framed("", "", "Rating: 5\n\n", 2)) {
        assert_eq!((level.title.as_deref(), level.text()), (None, BOARD));
    }
    let word = read(format!("{BOARD}\nDull\n\n{BOARD}\n"));
    assert_eq!((word[0].title.as_deref(), word[0].text(), word[1].title.as_deref()), (None, BOARD, None));
}
