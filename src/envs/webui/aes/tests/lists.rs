//! Shadows, gradients and sizes of backgrounds, on literal strings.

use super::super::PaperRule;
use super::values::{assert_styles, released};

const ONE: &str = "rgb(0, 0, 0) 1px 2px 4px 0px";

#[test]
fn a_box_shadow_is_one_outer_opaque_shadow_as_released() {
    let rows = [
        (ONE, ONE, Some(1.0)),
        (ONE, "rgb(0, 0, 128) 1px 2px 4px 0px", Some((2.0 * 2.5 / 3.0 + 4.0) / 6.0)),
        (ONE, "rgb(0, 0, 0) 1px 1px 3px 5px", Some((2.0 + 1.0 + 0.5 + 0.75) / 6.0)),
        (ONE, "rgba(0, 0, 0, 0.5) 1px 2px 4px 0px", None),
        ("rgba(0, 0, 0, 0.5) 1px 2px 4px 0px", "rgba(0, 0, 0, 0.5) 1px 2px 4px 0px", None),
        (ONE, "rgb(0, 0, 0) 1px 2px 4px 0px inset", None),
        (ONE, "none", None),
        ("none", "none", None),
        ("rgb(0, 0, 0) 1px 2px 4px 0px, rgb(0, 0, 0) 1px 2px 4px 0px", ONE, None),
    ];
    assert_styles("box-shadow", "box-shadow", &rows, released());
}

#[test]
fn a_text_shadow_is_its_colours_and_lengths_as_released() {
    let one = "rgb(0, 0, 0) 1px 2px 4px";
    let rows = [
        (one, one, Some(1.0)),
        (one, "rgb(0, 0, 128) 1px 2px 2px", Some((2.0 * 2.5 / 3.0 + 2.5) / 5.0)),
        (one, "none", Some(0.0)),
        ("none", one, None),
        ("none", "none", None),
        (one, "rgba(0, 0, 0, 0) 1px 2px 4px", Some(1.0)),
        (one, "rgba(0, 0, 0, 0.5) 1px 2px 4px", Some(3.0 / 5.0)),
        ("rgba(0, 0, 0, 0.5) 1px 2px 4px", "none", None),
        ("rgba(0, 0, 0, 0.5) 1px 2px 4px", "rgba(0, 0, 0, 0.5) 1px 2px 4px", None),
        // The last length of a shadow ends with a comma and is not counted.
        ("rgb(0, 0, 0) 1px 2px 4px, rgb(9, 9, 9) 1px 1px 1px", one, Some(2.0 / 5.0)),
    ];
    assert_styles("text-shadow", "text-shadow", &rows, released());
}

#[test]
fn a_gradient_is_its_opaque_colours_in_order_as_released() {
    let two = "linear-gradient(rgb(0, 0, 0) 0%, rgb(255, 255, 255) 100%)";
    let rows = [
        (two, two, Some(1.0)),
        (two, "rgb(0, 0, 0) none", Some(1.0)),
        (
            two,
            "linear-gradient(rgb(0, 0, 128), rgb(255, 255, 255), rgb(7, 7, 7))",
            Some(f64::midpoint(2.5 / 3.0, 1.0)),
        ),
        (two, "linear-gradient(rgba(0, 0, 0, 0.5), rgba(1, 1, 1, 0.5))", None),
        (two, "linear-gradient(rgb(0.5, 0, 0), rgb(1,1,1))", None),
        ("none", "none", None),
    ];
    assert_styles("background-linear-gradient", "background", &rows, released());
}

#[test]
fn a_background_size_is_two_lengths_as_released() {
    let rows = [
        ("10px 20px", "10px 10px", Some(0.75)),
        ("10px 20px", "10px", None),
        ("auto", "auto", None),
        ("50% 50%", "50% 50%", None),
        ("10px 10px, 5px 5px", "10px 10px, 5px 5px", None),
    ];
    assert_styles("background-size", "background-size", &rows, released());
}

#[test]
fn the_paper_compares_what_the_released_code_skips() {
    let rules = released().with(PaperRule::CompareMissing, true);
    let soft = "rgba(0, 0, 0, 0.5) 1px 2px 4px 0px";
    let shadows = [
        ("none", "none", Some(1.0)),
        ("none", ONE, Some(0.0)),
        (ONE, "none", Some(0.0)),
        (soft, soft, Some(1.0)),
        (soft, "rgba(0, 0, 128, 0.5) 1px 2px 2px 0px", Some((2.0 * 2.5 / 3.0 + 3.5) / 6.0)),
        (soft, "rgba(0, 0, 0, 0.5) 1px 2px 4px 0px inset", Some(0.0)),
        ("rgb(0, 0, 0) 1px 2px 4px 0px, rgb(0, 0, 0) 1px 2px 4px 0px", ONE, Some(0.5)),
    ];
    assert_styles("box-shadow", "box-shadow", &shadows, rules);
    assert_styles("text-shadow", "text-shadow", &[("rgb(0, 0, 0) 1px 1px 1px", "none", Some(0.0))], rules);
    let lengths = [
        ("auto", "auto", Some(1.0)),
        ("auto", "10px", Some(0.0)),
        ("50%", "25%", Some(0.5)),
        ("50%", "50px", Some(0.0)),
        ("8px", "4px", Some(0.5)),
    ];
    assert_styles("width", "width", &lengths, rules);
    let colours =
        [("oklch(0.5 0.1 20)", "oklch(0.5 0.1 20)", Some(1.0)), ("rgb(0, 0, 0)", "oklch(0 0 0)", Some(0.0))];
    assert_styles("color", "color", &colours, rules);
    let sizes = [
        ("auto", "auto", Some(1.0)),
        ("cover", "contain", Some(0.0)),
        ("10px", "10px 5px", Some(0.75)),
        ("10px 10px, 5px 5px", "10px 10px", Some(0.5)),
    ];
    assert_styles("background-size", "background-size", &sizes, rules);
    let gradients = [
        (
            "linear-gradient(rgba(0, 0, 0, 0.5), rgb(9, 9, 9))",
            "linear-gradient(rgba(0, 0, 0, 0.1), rgb(9, 9, 9))",
            Some(1.0),
        ),
        ("linear-gradient(rgb(0, 0, 0), rgb(9, 9, 9))", "none", Some(0.0)),
        ("linear-gradient(rgb(0, 0, 0), rgb(9, 9, 9))", "linear-gradient(rgb(0, 0, 0))", Some(0.5)),
        ("none", "none", Some(1.0)),
    ];
    assert_styles("background-linear-gradient", "background-image", &gradients, rules);
}
