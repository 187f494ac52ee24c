//! Functions on addresses.

use super::*;

fn exact(key: &str, reference: &str) -> Node {
    node("url_exactly_match", json!({"key": key, "reference_answer": reference}))
}

fn included(key: &str, reference: &str) -> Node {
    node("url_included_match", json!({"key": key, "reference_answer": reference}))
}

#[test]
fn the_address_is_compared_by_both_rules() {
    for (node, address, standard, code) in [
        (exact("", "https://a.test/b c"), "https://a.test/b%20c", YES, YES),
        (exact("", "https://a.test/b%20c"), "https://a.test/b%20c", NO, NO),
        (exact("", "https://a.test/"), "https://a.test", NO, NO),
        (exact("q", "two words"), "https://a.test/?q=two+words", YES, YES),
        (exact("q", "a/b"), "https://a.test/?q=a%252Fb", YES, YES),
        (exact("q", "a+b"), "https://a.test/?q=a%2Bb", YES, YES),
        (exact("q", "x"), "https://a.test/?q=&q=x", YES, YES),
        (exact("q", "y"), "https://a.test/?q=x&q=y", NO, NO),
        (exact("q", "x"), "https://a.test/#q=x", NO, NO),
        (exact("q", "x"), "https://a.test/?p=1;q=x", NO, NO),
        (exact("q", ""), "https://a.test/?q=", NO, NO),
        (exact("q", "x"), "about:blank", NO, NO),
        (included("", "a.test/b"), "https://www.a.test/b/c", YES, YES),
        (included("", "A.test"), "https://a.test/", NO, NO),
        (included("", "/b?c=d"), "https://a.test/b?c=d", NO, NO),
        (included("", "https://a.test"), "https://a.test/", NO, NO),
        (included("", "a.test:8000/b#reviews"), "http://a.test:8000/b?c#reviews", YES, YES),
        (included("", "/ü x"), "https://a.test/%C3%BC%20x", YES, YES),
        (included("", ";size=3"), "https://a.test/b;size=3", YES, NO),
        (included("", "/b;c/d"), "https://a.test/b;c/d", YES, YES),
        (included("", "me@a.test"), "https://me@a.test/", NO, YES),
        (included("q", "two"), "https://a.test/?q=one+two", YES, YES),
        (included("q", "Two"), "https://a.test/?q=one+two", NO, NO),
        (included("", "blank"), "about:blank", YES, YES),
    ] {
        let act = act_on(address, "click");
        assert_eq!(scores(&node, &act), [standard, code], "{node:?} {address}");
    }
}

#[test]
fn both_sides_and_the_reason_are_said() {
    let act = act_on("https://a.test/?q=tents%0a", "click");
    let found = comparison(&exact("q", "tent"), &act, Rules::Standard);
    assert_eq!((found.expected.as_str(), found.found.as_deref()), ("tent", Some("tents\n")));
    assert_eq!(found.sentence, r#"the parameter "q" is "tents\n", not "tent""#);
    assert!(found.has_failed());
    let found = comparison(&exact("p", "tent"), &act, Rules::Standard);
    assert_eq!(found.sentence, r#"the query of the address has no value of the parameter "p""#);
    assert!(found.found.is_none() && !found.has_failed());
}

#[test]
fn an_address_counts_before_after_or_at_both_times() {
    let node = exact("", "https://a.test/2");
    let to = ActFacts { after: "https://a.test/2".to_owned(), ..act_on("https://a.test/1", "click") };
    let from = ActFacts { after: "https://a.test/3".to_owned(), ..act_on("https://a.test/2", "click") };
    for (judge_at, expected) in
        [(JudgeAt::Before, [0.0, 1.0]), (JudgeAt::After, [1.0, 0.0]), (JudgeAt::Both, [1.0, 1.0])]
    {
        for rules in Rules::ALL {
            let task = task([node.clone()]);
            let found = [&to, &from].map(|act| {
                let progress = Progress::of(&task);
                examine(&task, settings(rules, judge_at), act, &progress, &[]).progress.achieved()
            });
            assert_eq!(found, expected, "{judge_at:?} {rules:?}");
        }
    }
    let task = task([node]);
    let when = |act| {
        let settings = settings(Rules::Standard, JudgeAt::Both);
        examine(&task, settings, act, &Progress::of(&task), &[]).comparisons[0].when
    };
    assert_eq!((when(&to), when(&from)), (Moment::After, Moment::Before));
}

#[test]
fn a_semantic_function_asks_for_each_address_that_is_new() {
    let node = node("url_semantic_match", json!({"key": "q", "reference_answer": "Is it a tent?"}));
    let task = task([node.clone(), node]);
    let act =
        ActFacts { after: "https://a.test/?q=two".to_owned(), ..act_on("https://a.test/?q=one", "click") };
    let examination =
        examine(&task, settings(Rules::Standard, JudgeAt::Both), &act, &Progress::of(&task), &[]);
    let asked: Vec<_> =
        examination.questions.iter().map(|question| question.values["answer"].as_str()).collect();
    assert_eq!(asked, ["one", "two"], "equal questions are asked once");
    assert_eq!(examination.questions[0].values["rule"], "Is it a tent?");
    assert!(examination.comparisons.iter().all(|comparison| comparison.score.is_none()));
    assert_eq!(examination.progress.achieved(), 0.0);
}
