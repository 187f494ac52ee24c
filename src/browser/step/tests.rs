use super::*;

fn read(json: &str) -> Result<Step, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

#[test]
fn every_step_is_written_as_it_is_read() {
    for json in [
        r##"{"click":{"css":"#send"}}"##,
        r#"{"click":{"class":"card","index":2}}"#,
        r#"{"right_click":{"id":"menu"}}"#,
        r#"{"double_click":{"text":"Open"}}"#,
        r#"{"choose":{"from":{"name":"size"},"option":"Large"}}"#,
        r#"{"type":{"into":{"xpath":"//input"},"text":"a b"}}"#,
        r#"{"type":{"text":"a"}}"#,
        r#"{"clear":{"id":"q"}}"#,
        r#"{"press":{"key":"Control+a"}}"#,
        r#"{"press":{"key":"Enter","on":{"id":"q"}}}"#,
        r#"{"submit":{"id":"form"}}"#,
        r#"{"hover":{"link_text":"More","offset":[10,-5]}}"#,
        r#"{"drag":{"from":{"id":"a"},"to":{"onto":{"id":"b"}}}}"#,
        r#"{"drag":{"from":{"id":"a"},"to":{"by":[40,0]}}}"#,
        r#"{"mouse_down":{"id":"a"}}"#,
        r#"{"mouse_move":{"by":[5,5]}}"#,
        r#"{"mouse_up":{}}"#,
        r#"{"scroll":{"into_view":{"id":"a"}}}"#,
        r#"{"scroll":{"by":[0,300]}}"#,
        r#"{"scroll":{"to":[0,0]}}"#,
        r#"{"scroll":{"to_end":{}}}"#,
        r#"{"wait_ms":500}"#,
    ] {
        assert_eq!(serde_json::to_string(&read(json).unwrap()).unwrap(), json);
    }
}

#[test]
fn a_step_that_is_not_understood_is_refused_with_the_reason() {
    for (json, reason) in [
        (r#"{"run":"alert(1)"}"#, "unknown variant `run`"),
        (r#"{"click":{}}"#, "exactly one of id, class, css"),
        (r#"{"click":{"id":"a","css":"b"}}"#, "exactly one of id, class, css"),
        (r#"{"click":{"id":"a","wait":1}}"#, "unknown field `wait`"),
        (r#"{"type":{"into":{"id":"a"}}}"#, "missing field `text`"),
        (r#"{"wait_ms":10001}"#, "wait_ms is 10001, the most is 10000"),
        (r#"{"mouse_up":{"at":1}}"#, "unknown field `at`"),
    ] {
        let found = read(json).unwrap_err();
        assert!(found.contains(reason), "{json}: {found}");
    }
}

#[test]
fn a_target_is_named_in_words() {
    assert_eq!(Target::LinkText("a \"b\"".into()).to_string(), r#"link text "a \"b\"""#);
}
