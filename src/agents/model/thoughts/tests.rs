use proptest::prelude::*;

use super::*;
use mageyard_domain::{Delimiter, Thought, with_thoughts};

const TAGS: &str = "<think> </think>, <thinking> </thinking>, [T] [/T], <|a|> <|end|><|b|>";
const HEADINGS: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);

/// A text, its thoughts, and the opening delimiter of a thought that is not closed.
type Parts = (String, Vec<Thought>, Option<String>);

/// Splits chunks as the reply builder does.
fn split(format: &ReplyFormat, chunks: &[&str]) -> Parts {
    let mut splitter = ThoughtSplitter::new(&parse_tags(TAGS).unwrap(), format);
    let (mut text, mut thoughts): (String, Vec<Thought>) = Default::default();
    let mut take = |piece: Piece<'_>| match piece {
        Piece::Text(new) => text.push_str(new),
        Piece::Open(open) => {
            thoughts.push(Thought { at: text.len(), open: open.into(), ..Thought::default() });
        }
        Piece::Thought(new) => thoughts.last_mut().unwrap().text.push_str(new),
        Piece::Close(new) | Piece::Space(new) => thoughts.last_mut().unwrap().close.push_str(new),
        Piece::CloseOnly(close) => {
            let at = thoughts.last().map_or(0, |last| last.at);
            let thought = text.split_off(at);
            thoughts.push(Thought { at, open: String::new(), text: thought, close: close.into() });
        }
    };
    for chunk in chunks {
        splitter.push(chunk, &mut take);
    }
    let unclosed = splitter.finish(&mut take).map(str::to_owned);
    (text, thoughts, unclosed)
}

fn shown(format: &ReplyFormat, whole: &str) -> (String, Vec<String>, Option<String>) {
    let (text, thoughts, unclosed) = split(format, &[whole]);
    (text, thoughts.into_iter().map(|thought| thought.text).collect(), unclosed)
}

#[test]
fn thoughts_of_every_form_are_set_apart() {
    for (whole, text, thoughts, unclosed) in [
        ("# action\nUp", "# action\nUp", &[][..], None),
        ("<think>hm</think>\n\n# action\nUp", "# action\nUp", &["hm"][..], None),
        (" \n<think>\nhm\n</think># action", " \n# action", &["\nhm\n"], None),
        ("hm\n# action\nDown\n</think>\nUp", "Up", &["hm\n# action\nDown\n"], None),
        ("<think>never closed\n# action\nUp", "", &["never closed\n# action\nUp"], Some("<think>")),
        ("<think></think>Up", "Up", &[""], None),
        ("<think>a</think>x\n<think>b</think> y", "x\ny", &["a", "b"], None),
        ("<think>a<think>b</think>c</think>Up", "Up", &["a<think>b", "c"], None),
        ("[T]</think>[/T]Up", "Up", &["</think>"], None),
        ("<|a|>hm<|end|><|b|>Up", "Up", &["hm"], None),
        ("<|a|>hm<|end|>\n<|b|>\nUp", "Up", &["hm"], None),
        ("the tag <think> in a line\nUp", "the tag <think> in a line\nUp", &[], None),
        ("Up</think>", "", &["Up"], None),
        ("<thinkin", "<thinkin", &[], None),
        ("", "", &[], None),
    ] {
        let thoughts = thoughts.iter().map(|thought| (*thought).to_owned()).collect();
        assert_eq!(
            shown(&HEADINGS, whole),
            (text.to_owned(), thoughts, unclosed.map(str::to_owned)),
            "{whole:?}"
        );
    }
}

#[test]
fn the_tags_of_the_reply_format_are_text() {
    let format = ReplyFormat {
        delimiter: Delimiter::Tags,
        analysis: "think".into(),
        action: "answer".into(),
        ..HEADINGS
    };
    let whole = "<think>hm</think><answer>Up</answer>";
    assert_eq!(shown(&format, whole), (whole.to_owned(), vec![], None));
    let both = "[T]a[/T]<think>hm</think><answer>Up</answer>";
    assert_eq!(shown(&format, both), (whole.to_owned(), vec!["a".to_owned()], None));
}

#[test]
fn a_list_of_delimiters_is_checked() {
    assert!(parse_tags(" , ").unwrap().is_empty());
    for wrong in ["<think>", "<a> </a> <b>", "| |"] {
        let error = parse_tags(wrong).unwrap_err().to_string();
        assert!(error.contains("is not an opening and a closing delimiter"), "{error}");
    }
}

/// Texts made of delimiters, parts of them and other characters.
fn texts() -> impl Strategy<Value = String> {
    let parts = [
        "<think>",
        "</think>",
        "<thinking>",
        "</thinking>",
        "[T]",
        "[/T]",
        "<|a|>",
        "<|end|><|b|>",
        "<",
        "<th",
        "</",
        "[",
        "<|end|>",
        "\n",
        " ",
        "x",
        "é",
        "Up\n",
    ];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..16).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn chunks_change_nothing(whole in texts(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8)) {
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(whole.len() + 1)).collect();
        ends.retain(|end| whole.is_char_boundary(*end));
        ends.extend([0, whole.len()]);
        ends.sort_unstable();
        let chunks: Vec<&str> = ends.windows(2).map(|pair| &whole[pair[0]..pair[1]]).collect();
        let (text, thoughts, unclosed) = split(&HEADINGS, &chunks);
        prop_assert_eq!(with_thoughts(&text, &thoughts), whole.as_str(), "nothing is lost");
        prop_assert_eq!(&(text, thoughts, unclosed), &split(&HEADINGS, &[&whole]));
        let letters: Vec<String> = whole.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        prop_assert_eq!(split(&HEADINGS, &letters), split(&HEADINGS, &[&whole]));
    }

    #[test]
    fn no_answer_has_a_closing_delimiter(whole in texts()) {
        let (text, ..) = split(&HEADINGS, &[&whole]);
        for tags in &*parse_tags(TAGS).unwrap() {
            prop_assert!(!text.contains(&tags.close), "{text:?}");
        }
    }
}
