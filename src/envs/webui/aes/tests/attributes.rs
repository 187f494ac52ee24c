//! Every rule that compares two values, on literal strings.

use super::super::{PaperRule, Rules, explain};
use super::builder::{element, page, styled, target};
use super::values::{assert_styles, released, value, values};
use crate::snapshot::Element;

const LENGTHS: [(&str, &str, Option<f64>); 25] = [
    ("12px", "12px", Some(1.0)),
    ("12px", "8px", Some(8.0 / 12.0)),
    ("8px", "12px", Some(0.5)),
    ("8px", "16px", Some(0.0)),
    ("8px", "80px", Some(0.0)),
    ("8px", "-4px", Some(0.0)),
    ("0px", "0px", Some(1.0)),
    ("0px", "-0px", Some(1.0)),
    ("0px", "1px", Some(0.0)),
    ("12", "xp12pxpx", Some(1.0)),
    (" 12 px", "1e1px", Some(10.0 / 12.0)),
    ("1_0px", "+10.0px", Some(1.0)),
    ("10px", "nan", Some(0.0)),
    ("inf", "10px", Some(0.0)),
    ("-2px", "-2px", Some(1.0)),
    ("-2px", "-1px", Some(1.5)),
    ("-2px", "4px", Some(4.0)),
    ("-2px", "inf", None),
    ("auto", "auto", None),
    ("normal", "2px", None),
    ("2px", "normal", None),
    ("50%", "50%", None),
    ("4px 8px", "4px 8px", None),
    ("1__0px", "10px", None),
    ("px", "10px", None),
];

#[test]
fn lengths_lose_their_relative_difference() {
    for name in [
        "width",
        "height",
        "font-size",
        "letter-spacing",
        "border-top-left-radius",
        "border-top-right-radius",
        "border-bottom-left-radius",
        "border-bottom-right-radius",
        "border-left-width",
        "border-right-width",
        "border-bottom-width",
    ] {
        assert_styles(name, name, &LENGTHS, released());
    }
}

#[test]
fn the_top_border_is_read_on_the_left_as_released() {
    assert_styles("border-top-width", "border-left-width", &LENGTHS, released());
    assert_styles("border-top-width", "border-top-width", &[("1px", "9px", Some(1.0))], released());
    let own = released().with(PaperRule::OwnTopWidth, true);
    assert_styles("border-top-width", "border-top-width", &LENGTHS, own);
    assert_styles("border-top-width", "border-left-width", &[("1px", "9px", Some(1.0))], own);
}

#[test]
fn negative_lengths_are_bounded_in_the_paper() {
    let bounded = released().with(PaperRule::BoundedLengths, true);
    let rows = [("-2px", "-1px", Some(0.5)), ("-2px", "4px", Some(0.0)), ("-2px", "-2px", Some(1.0))];
    assert_styles("letter-spacing", "letter-spacing", &rows, bounded);
}

const COLOURS: [(&str, &str, Option<f64>); 14] = [
    ("rgb(1, 2, 3)", "rgb(1, 2, 3)", Some(1.0)),
    ("rgb(0, 0, 0)", "rgb(0, 0, 255)", Some((2.0 + 1.0 / 256.0) / 3.0)),
    ("rgb(51, 102, 153)", "rgb(51, 110, 140)", Some((3.0 - 21.0 / 256.0) / 3.0)),
    ("rgba(0, 0, 0, 0)", "rgb(0, 0, 0)", Some(1.0)),
    ("rgba(9, 9, 9, 0.5)", "rgba(9, 9, 9, 0.1)", Some(1.0)),
    ("rgb(300, 0, 0)", "rgb(0, 0, 0)", Some(2.0 / 3.0)),
    ("rgb(1.5, 2, 3)", "rgb(1.5, 2, 3, 4, 5)", Some(1.0)),
    ("rgb(1, 2)", "rgb(1, 2)", None),
    ("rgb(1,2,3)", "rgb(1,2,3)", None),
    ("rgb(1, 2, 3) x", "rgb(1, 2, 3)", None),
    ("color(srgb 1 0 0)", "color(srgb 1 0 0)", None),
    ("oklch(0.5 0.1 20)", "rgb(1, 2, 3)", None),
    ("red", "red", None),
    ("", "rgb(1, 2, 3)", None),
];

#[test]
fn colours_lose_the_mean_difference_of_their_channels() {
    for name in [
        "color",
        "background-color",
        "outline-color",
        "border-top-color",
        "border-right-color",
        "border-bottom-color",
        "border-left-color",
    ] {
        assert_styles(name, name, &COLOURS, released());
    }
}

#[test]
fn words_are_equal_or_not() {
    let rows = [("a", "a", Some(1.0)), ("a", "A", Some(0.0)), ("", "", Some(1.0)), ("a", "a ", Some(0.0))];
    for name in [
        "font-family",
        "font-style",
        "font-weight",
        "display",
        "tab-size",
        "outline-style",
        "outline-width",
        "border-top-style",
        "border-right-style",
        "border-bottom-style",
        "border-left-style",
        "background-repeat",
        "background-image",
    ] {
        assert_styles(name, name, &rows, released());
    }
}

fn saying(text: &str) -> Element {
    Element { text: text.to_owned(), ..element() }
}

#[test]
fn short_texts_are_equal_or_not_and_long_ones_overlap() {
    let ten = "a b c d e f g h i j";
    for (wanted, written, expected) in [
        ("Buy now", " buy NOW\n", 1.0),
        ("Buy now", "Buy  now", 0.0),
        ("", "", 1.0),
        ("", "x", 0.0),
        ("a b c d e f g h i", "a b c d e f g h j", 0.0),
        (ten, ten, 1.0),
        (ten, "a b c d e", 0.5),
        (ten, "A b c d e f g h i j", 9.0 / 11.0),
        (ten, "", 0.0),
        ("a a a a a a a a a a", "a", 1.0),
        ("a b c d e f g h  i", "a b c d e f g h i", 9.0 / 10.0),
        ("\u{1c}a\u{a0}", "A", 1.0),
    ] {
        for name in ["text", "placeholder", "value"] {
            let found = value(name, saying(wanted), saying(written), released());
            assert_eq!(found, Some(expected), "{name}: {wanted:?} and {written:?}");
        }
    }
}

#[test]
fn texts_always_overlap_in_the_paper() {
    let overlap = released().with(PaperRule::TextOverlap, true);
    assert_eq!(value("text", saying("buy it now"), saying("buy it later"), overlap), Some(0.5));
    assert_eq!(value("text", saying("Buy"), saying("buy"), overlap), Some(0.0));
    assert_eq!(value("text", saying(""), saying(" "), overlap), Some(1.0));
}

fn with_attribute(name: &str, value: &str) -> Element {
    Element { attributes: [(name.to_owned(), value.to_owned())].into(), ..element() }
}

#[test]
fn html_attributes_are_constants_as_released_and_read_in_the_paper() {
    let real = released().with(PaperRule::RealAttributes, true);
    for name in ["src", "type"] {
        let a = with_attribute(name, "a");
        let b = with_attribute(name, "b");
        assert_eq!(value(name, a.clone(), b.clone(), released()), Some(1.0));
        assert_eq!(value(name, a.clone(), b, real), Some(0.0));
        assert_eq!(value(name, a.clone(), element(), real), Some(0.0));
        assert_eq!(value(name, a.clone(), a, real), Some(1.0));
    }
    for name in ["placeholder", "value"] {
        let a = with_attribute(name, "Your name");
        let b = with_attribute(name, "your NAME");
        assert_eq!(value(name, a.clone(), b, real), Some(1.0));
        assert_eq!(value(name, a, element(), real), Some(0.0));
    }
    assert_eq!(value("has_text", saying("x"), saying(""), released()), Some(1.0));
    assert_eq!(value("has_text", saying("x"), saying(" "), real), Some(0.0));
    assert_eq!(value("has_text", saying("x"), saying("y"), real), Some(1.0));
}

#[test]
fn a_class_is_never_scored() {
    assert_eq!(values("class", element(), element(), released()), [("class".to_owned(), None)]);
}

#[test]
fn addresses_of_images_are_relative_in_the_paper() {
    let relative = released().with(PaperRule::RelativeAddresses, true);
    let image =
        |folder: &str| styled(element(), "background-image", &format!("url(\"file:///{folder}/a.png\")"));
    let compared = |rules: Rules| {
        let target = Element {
            filter: Some("text".to_owned()),
            evalby: Some("background-image".to_owned()),
            ..image("pages/one")
        };
        let mut target = page(vec![target]);
        let mut generated = page(vec![image("pages/two")]);
        (target.base, generated.base) = ("file:///pages/one/".to_owned(), "file:///pages/two/".to_owned());
        explain(&target, &generated, (0, 0), rules).unwrap().attributes[0].value
    };
    assert_eq!((compared(released()), compared(relative)), (Some(0.0), Some(1.0)));
}

fn names(evalby: &str, background: &str, rules: Rules) -> Vec<String> {
    let target = styled(target("text", evalby), "background", background);
    let explained = explain(&page(vec![target]), &page(vec![element()]), (0, 0), rules).unwrap();
    explained.attributes.into_iter().map(|part| part.name).collect()
}

#[test]
fn shorthands_have_their_parts() {
    let gradient = "rgba(0, 0, 0, 0) linear-gradient(rgb(1, 2, 3), rgb(4, 5, 6))";
    let complete = released().with(PaperRule::CompleteShorthands, true);
    for (name, background, parts, paper) in [
        ("border-radius", "", 4, 4),
        ("border", "", 4, 12),
        ("outline", "", 3, 3),
        ("border-top", "", 2, 2),
        ("border-left", "", 2, 2),
        ("border-right", "", 2, 2),
        ("background", gradient, 3, 3),
    ] {
        assert_eq!(names(name, background, released()).len(), parts, "{name}");
        assert_eq!(names(name, background, complete).len(), paper, "{name}");
    }
    for (name, paper) in [("background", 3), ("border-bottom", 2)] {
        assert_eq!(names(name, "rgb(1, 2, 3) none", released()), [name]);
        assert_eq!(names(name, "rgb(1, 2, 3) none", complete).len(), paper, "{name}");
    }
    let first = |background| names("background", background, released())[0].clone();
    assert_eq!((first(gradient), first("none")), ("background-linear-gradient".into(), "background".into()));
}

#[test]
fn ignored_and_unknown_names_add_nothing() {
    for name in ["padding", "margin-left", "z-index", "overflow", "nonsense", "border-down", "text ", ""] {
        assert_eq!(values(name, element(), element(), released()), [(name.to_owned(), None)]);
    }
}
