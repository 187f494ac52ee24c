//! Which elements are paired.

use super::super::{PageScore, PageStatus, PaperRule, Remark, Rules, compare};
use super::builder::{at, element, page, styled, target};
use super::values::released;
use crate::snapshot::Element;

fn scored(wanted: Vec<Element>, written: Vec<Element>, rules: Rules) -> PageScore {
    compare(&page(wanted), &page(written), rules)
}

/// The partner of the target among two: one in its place that the filter refuses, and one beside it that it accepts.
fn partner(filter: &str, here: Element, beside: Element, rules: Rules) -> usize {
    let beside = at(beside, 44.0, 60.0);
    scored(vec![target(filter, "color")], vec![here, beside], rules).pairs[0].generated
}

#[test]
fn a_filter_prefers_what_passes() {
    let text = |text: &str| Element { text: text.to_owned(), ..element() };
    let style = |name: &str, value: &str| styled(element(), name, value);
    for (filter, other) in [
        ("text", text("Bye")),
        ("placeholder", text("Bye")),
        ("value", text("Bye")),
        ("class", Element { class: "other".to_owned(), ..element() }),
        ("color", style("color", "rgb(256, 256, 256)")),
        ("width", style("width", "400px")),
        ("border-top-width", style("border-left-width", "3px")),
        ("display", style("display", "flex")),
        ("background-image", style("background-image", "url(a)")),
    ] {
        for rules in [released(), Rules::paper().with(PaperRule::OwnTopWidth, false)] {
            let found = partner(filter, other.clone(), element(), rules);
            let read = !rules.has(PaperRule::RealAttributes) || !["placeholder", "value"].contains(&filter);
            assert_eq!(found, usize::from(read), "{filter} {rules:?}");
        }
    }
    for filter in ["has_text", "src", "type"] {
        assert_eq!(partner(filter, text(""), element(), released()), 0, "{filter} always passes");
    }
}

#[test]
fn thresholds_are_exclusive() {
    let texts = |text: &str| Element { text: text.to_owned(), ..element() };
    let ten = "a b c d e f g h i j";
    let wanted = Element { text: ten.to_owned(), ..target("text", "color") };
    let partner = |other: &str| {
        let written = vec![texts(other), at(texts(ten), 44.0, 60.0)];
        scored(vec![wanted.clone()], written, released()).pairs[0].generated
    };
    // Seven of ten words pass, six do not.
    assert_eq!((partner("a b c d e f g"), partner("a b c d e f")), (0, 1));
    let wide = |width: &str| styled(element(), "width", width);
    // A hundredth of 200 passes only because 1 - 0.99 is a little more than 0.01, in Python too.
    assert_eq!(self::partner("width", wide("1.9px"), element(), released()), 1);
    assert_eq!(self::partner("width", wide("2px"), element(), released()), 0);
}

#[test]
fn a_comparison_that_is_impossible_costs_a_hundredth() {
    let auto = styled(element(), "width", "auto");
    // Four pixels to the side cost more than a hundredth, a fraction of a pixel less.
    assert_eq!(partner("width", auto.clone(), element(), released()), 0);
    let close = at(element(), 40.1, 60.0);
    let found = scored(vec![target("width", "color")], vec![auto, close], released());
    assert_eq!(found.pairs[0].generated, 1);
}

#[test]
fn a_wrong_filter_still_matches_where_boxes_overlap_unless_as_in_the_paper() {
    let wrong = Element { text: "Bye".to_owned(), ..element() };
    let counts = |written: Element, rules| {
        let found = scored(vec![target("text", "color")], vec![written], rules);
        (found.matched, found.zero, found.dropped)
    };
    let strict = released().with(PaperRule::StrictFilter, true);
    let both = strict.with(PaperRule::UnmatchedCount, true);
    assert_eq!(counts(wrong.clone(), released()), (1, 0, 0));
    assert_eq!(counts(at(wrong.clone(), 300.0, 60.0), released()), (0, 0, 1));
    assert_eq!(counts(wrong.clone(), strict), (0, 0, 1));
    assert_eq!(counts(wrong, both), (0, 1, 0));
}

#[test]
fn the_generated_element_with_fewer_descendants_wins_as_released() {
    let with = |descendants| Element { descendants, ..element() };
    let choose = |rules| {
        let wanted = Element { descendants: 3, ..target("text", "color") };
        scored(vec![wanted], vec![with(3), with(2), with(5)], rules).pairs[0].generated
    };
    assert_eq!(choose(released()), 1);
    assert_eq!(choose(released().with(PaperRule::DescendantDifference, true)), 0);
}

#[test]
fn an_unknown_filter_drops_the_target_unless_as_in_the_paper() {
    let kept = released().with(PaperRule::KeepUnknownFilters, true);
    for filter in ["background", "border-top", "name", "", "text-shadow", "box-shadow", "background-size"] {
        let found = scored(vec![target(filter, "color")], vec![element()], released());
        assert_eq!((found.status, found.targets, found.dropped), (PageStatus::Empty, 1, 1), "{filter}");
        let remark = Remark::UnknownFilter { element: 0, name: filter.to_owned(), kept: false };
        assert_eq!(found.remarks, [remark]);
        let found = scored(vec![target(filter, "color")], vec![element()], kept);
        assert_eq!((found.status, found.matched, found.aes), (PageStatus::Scored, 1, 1.0), "{filter}");
    }
}

#[test]
fn hidden_and_tiny_elements_are_not_scored() {
    let hidden = |element| Element { shown: false, styles: Vec::new(), ..element };
    let tiny = |element| Element { w: 0.1, h: 1.0, ..element };
    let found = scored(
        vec![hidden(target("text", "color")), tiny(target("text", "color")), target("text", "color")],
        vec![hidden(element()), tiny(element()), element()],
        released(),
    );
    assert_eq!((found.targets, found.shown, found.pairs[0].target, found.pairs[0].generated), (1, 1, 2, 2));
    assert_eq!(found.remarks, [Remark::NotShown { element: 0 }, Remark::NotShown { element: 1 }]);
}

#[test]
fn annotations_without_a_partner_are_reported() {
    let no_evalby = Element { evalby: None, ..target("text", "") };
    let found = scored(vec![target("text", "color"), no_evalby], vec![element()], released());
    assert_eq!((found.status, found.score, found.weight), (PageStatus::TaskError, 0.0, 0.0));
    assert_eq!(found.remarks, [Remark::WithoutEvalby { element: 1 }]);
    let no_filter = Element { filter: None, ..target("", "color|nonsense") };
    let found = scored(vec![target("text", "color"), no_filter], vec![element()], released());
    let unknown = Remark::UnknownAttribute { element: 1, name: "nonsense".to_owned() };
    assert_eq!(found.remarks, [Remark::WithoutFilter { element: 1 }, unknown]);
    assert_eq!((found.status, found.targets), (PageStatus::Scored, 1));
    // Annotations of the generated page do not matter.
    let strange = Element { evalby: None, ..target("nonsense", "") };
    assert_eq!(scored(vec![target("text", "color")], vec![strange], released()).aes, 1.0);
}
