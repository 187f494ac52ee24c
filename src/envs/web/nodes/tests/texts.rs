//! Functions on texts that are kept or answered.

use super::*;

fn act(verb: &str, text: &str) -> ActFacts {
    ActFacts { text: Some(text.to_owned()), ..act_on("https://a.test/", verb) }
}

fn text_node(function: &str, reference: &str) -> Node {
    node(function, json!({"reference_answer": reference}))
}

#[test]
fn texts_are_compared_in_small_letters_from_either_action() {
    for (function, reference, verb, text, standard, code) in [
        ("cache_data_exact_match", "12 Euro", "cache_data", "12 EURO", YES, YES),
        ("cache_data_exact_match", "12 Euro", "get_final_answer", "12 euro", YES, YES),
        ("cache_data_exact_match", "12 Euro", "cache_data", "12 Euro.", NO, NO),
        ("cache_data_included_match", "ÉTÉ", "cache_data", "en été", YES, YES),
        ("final_answer_exact_match", "yes", "get_final_answer", "Yes", YES, YES),
        ("final_answer_exact_match", "yes", "cache_data", "Yes", YES, YES),
        ("final_answer_included_match", "42", "get_final_answer", "It is 42", YES, YES),
        ("final_answer_included_match", "42", "get_final_answer", "", NO, NO),
        ("final_answer_included_match", "42", "fill_form", "42", NO, NO),
        ("final_answer_included_match", "", "get_final_answer", "", NO, NO),
    ] {
        let found = scores(&text_node(function, reference), &act(verb, text));
        assert_eq!(found, [standard, code], "{function} {reference} {verb} {text}");
    }
}

#[test]
fn the_released_code_fails_at_a_semantic_text_and_leaves_out_what_follows() {
    for function in ["cache_data_semantic_match", "final_answer_semantic_match"] {
        let task = task([text_node(function, "a colour"), text_node("final_answer_exact_match", "red")]);
        let examination = |rules| {
            let act = act("get_final_answer", "red");
            examine(&task, settings(rules, JudgeAt::Before), &act, &Progress::of(&task), &[])
        };
        let standard = examination(Rules::Standard);
        assert_eq!((standard.progress.achieved(), standard.questions.len()), (1.0, 1));
        let code = examination(Rules::Code);
        assert_eq!((code.progress.achieved(), code.questions.len(), code.comparisons.len()), (0.0, 0, 1));
        assert!(code.comparisons[0].sentence.contains("the nodes after it"), "{:?}", code.comparisons);
    }
}
