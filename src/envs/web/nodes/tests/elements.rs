//! Functions on elements.

use super::*;

const PATH: &str = ".cart > span";

fn path() -> Node {
    node("element_path_exactly_match", json!({"reference_answer": PATH, "netloc": "shop"}))
}

fn value(reference: &str) -> Node {
    node("element_value_exactly_match", json!({"reference_answer": reference, "netloc": "shop"}))
}

#[test]
fn an_element_is_the_same_or_a_near_ancestor_of_text() {
    for (tag, relation, standard, code) in [
        ("a", Relation::Same, YES, YES),
        ("span", Relation::Above(1), YES, YES),
        ("h6", Relation::Above(3), YES, YES),
        ("li", Relation::Above(2), YES, YES),
        ("a", Relation::Above(1), NO, NO),
        ("h7", Relation::Above(1), NO, NO),
        ("span", Relation::Above(4), NO, NO),
        ("option", Relation::ChosenOption, YES, NO),
        ("select", Relation::SelectOfOption, YES, NO),
        ("path", Relation::Inside, YES, NO),
        ("button", Relation::Operated, YES, NO),
    ] {
        assert_eq!(scores(&path(), &click(PATH, tag, relation)), [standard, code], "{tag} {relation:?}");
    }
}

#[test]
fn an_element_that_is_another_or_not_there_does_not_count() {
    let mut act = click(PATH, "span", Relation::Same);
    let facts = |act: &mut ActFacts, change: fn(&mut PathFacts)| {
        change(&mut act.element.as_mut().unwrap().paths[0]);
    };
    facts(&mut act, |facts| facts.relation = None);
    assert_eq!(scores(&path(), &act), [NO, YES], "each rule set has its own lookup");
    facts(&mut act, |facts| facts.code_relation = None);
    assert_eq!(scores(&path(), &act), [NO, NO]);
    let sentence = comparison(&path(), &act, Rules::Standard).sentence;
    assert_eq!(sentence, r#"".cart > span" finds another element ("span")"#);
    facts(&mut act, |facts| facts.tag = None);
    let sentence = comparison(&path(), &act, Rules::Standard).sentence;
    assert_eq!(sentence, r#"".cart > span" finds no element on the page"#, "also CSS that cannot be read");
    let other = click("p", "p", Relation::Same);
    let sentence = comparison(&path(), &other, Rules::Standard).sentence;
    assert_eq!(sentence, r#"the page was not searched for ".cart > span""#);
    assert_eq!(scores(&path(), &act_on("https://shop.test/", "scroll_down")), [NO, NO]);
}

#[test]
fn the_site_is_one_label_of_the_host() {
    for (address, netloc, standard, code) in [
        ("https://www.shop.test/p", "shop", YES, YES),
        ("https://shop.test/p", "shop", YES, YES),
        ("https://shop.other.test/p", "shop", YES, YES),
        ("https://www.shop.test/p", "www", NO, NO),
        ("https://wwwnc.cdc.gov/", "cdc", YES, YES),
        ("http://127.0.0.1:8000/", "127", YES, YES),
        ("http://localhost:8000/", "", YES, YES),
        ("http://localhost:8000/", "localhost", NO, NO),
        ("https://www.com/", "", YES, YES),
        ("https://me.too@shop.test/", "shop", YES, NO),
        ("https://me.too@shop.test/", "me", NO, YES),
    ] {
        let content = json!({"reference_answer": PATH, "netloc": netloc});
        let node = node("element_path_exactly_match", content);
        let act = ActFacts { before: address.to_owned(), ..click(PATH, "a", Relation::Same) };
        assert_eq!(scores(&node, &act), [standard, code], "{address} {netloc}");
    }
}

#[test]
fn an_element_in_a_frame_is_on_both_sites_by_the_standard_rules() {
    let mut act = click(PATH, "a", Relation::Same);
    act.before = "https://portal.test/".to_owned();
    assert_eq!(scores(&path(), &act), [NO, NO]);
    act.element.as_mut().unwrap().document = "https://shop.test/frame".to_owned();
    assert_eq!(scores(&path(), &act), [YES, NO]);
}

#[test]
fn an_act_that_failed_counts_in_the_released_code_only() {
    let act = ActFacts { done: false, ..click(PATH, "a", Relation::Same) };
    assert_eq!(scores(&path(), &act), [NO, YES]);
    assert_eq!(scores(&value("Add to Cart"), &act), [NO, YES]);
    assert_eq!(comparison(&path(), &act, Rules::Standard).sentence, "the act did not succeed");
}

#[test]
fn verbs_and_selectors_that_the_released_code_does_not_have_do_not_count_there() {
    let hover = ActFacts { verb: "hover".to_owned(), ..click(PATH, "a", Relation::Same) };
    assert_eq!(scores(&path(), &hover), [YES, NO]);
    let mut blank = click(PATH, "a", Relation::Same);
    blank.element.as_mut().unwrap().code_css = None;
    assert_eq!(scores(&path(), &blank), [YES, NO]);
    assert_eq!(scores(&value("Add to Cart"), &blank), [YES, NO]);
}

#[test]
fn a_name_without_a_function_is_never_met() {
    let node = node("element_path_included_match", json!({"reference_answer": PATH, "netloc": "shop"}));
    assert_eq!(scores(&node, &click(PATH, "a", Relation::Same)), [NO, NO]);
}

#[test]
fn an_xpath_works_by_the_standard_rules_and_stops_the_released_code() {
    let content = json!({"reference_answer": "//a", "netloc": "shop"});
    let xpath = read(
        &json!({"match_function_name": "element_path_exactly_match", "method": "xpath", "content": content}),
    );
    let task = task([xpath, value("Add to Cart")]);
    let achieved = |act: &ActFacts, rules| {
        let examination = examine(&task, settings(rules, JudgeAt::Before), act, &Progress::of(&task), &[]);
        (examination.progress.achieved(), examination.comparisons.len())
    };
    let act = click("//a", "a", Relation::Same);
    assert_eq!(achieved(&act, Rules::Standard), (2.0, 2));
    assert_eq!(achieved(&act, Rules::Code), (0.0, 1), "the node after it is left out");
    let elsewhere = ActFacts { before: "https://else.test/".to_owned(), ..act };
    assert_eq!(achieved(&elsewhere, Rules::Code), (0.0, 2), "the site is compared first");
}

#[test]
fn a_value_is_what_was_typed_or_the_label() {
    let act = |verb: &str, text: Option<&str>| ActFacts {
        verb: verb.to_owned(),
        text: text.map(str::to_owned),
        ..click(PATH, "a", Relation::Same)
    };
    for (reference, act, standard, code) in [
        ("Add to Cart", act("click", None), YES, YES),
        ("add to cart", act("click", None), NO, NO),
        ("Jane", act("fill_form", Some("Jane")), YES, YES),
        ("Jane", act("fill_search", Some("Jane")), YES, YES),
        ("Add to Cart", act("fill_form", Some("Jane")), NO, NO),
        ("a.b#c", act("fill_form", Some("a.b#c")), YES, YES),
        ("Large", act("select_option", Some("Large")), YES, NO),
        ("Add to Cart", act("select_option", Some("Large")), YES, YES),
        ("Jane", act("cache_data", Some("Jane")), NO, NO),
    ] {
        assert_eq!(scores(&value(reference), &act), [standard, code], "{reference} {act:?}");
    }
    let part = node("element_value_included_match", json!({"reference_answer": "Cart", "netloc": "shop"}));
    assert_eq!(scores(&part, &act("click", None)), [YES, YES]);
    assert_eq!(scores(&part, &act("fill_form", None)), [NO, NO], "nothing was typed");
}

#[test]
fn the_path_of_a_value_must_hold_first() {
    let content = json!({"reference_answer": "Add to Cart", "netloc": "shop", "path": PATH});
    let node = node("element_value_exactly_match", content);
    assert_eq!(scores(&node, &click(PATH, "span", Relation::Above(2))), [YES, YES]);
    assert_eq!(scores(&node, &click(PATH, "a", Relation::Above(2))), [NO, NO]);
    assert_eq!(scores(&node, &click("p", "a", Relation::Same)), [NO, NO]);
    let found = comparison(&node, &click("p", "a", Relation::Same), Rules::Code);
    assert_eq!(found.found.as_deref(), Some("Add to Cart"));
}

#[test]
fn a_judge_is_asked_about_a_value_that_is_not_empty() {
    let content = json!({"reference_answer": "a name", "netloc": "shop"});
    let node = node("element_value_semantic_match", content);
    let act = |text: &str| ActFacts {
        verb: "fill_form".to_owned(),
        text: Some(text.to_owned()),
        ..click(PATH, "a", Relation::Same)
    };
    assert_eq!(scores(&node, &act("")), [NO, NO]);
    assert_eq!(scores(&node, &act("Jane")), [None, None]);
}
