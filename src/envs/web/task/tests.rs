use super::*;
use crate::levels::{FORMATS, Records};
use mageyard_domain::{LevelRecords, parse_records, record_errors};
use serde_json::{Map, Value, json};

fn record() -> Value {
    json!({
        "index": "WXkY6peQb2NDE6VKrNQkd",
        "task": "Buy a tent",
        "reference_task_length": 6,
        "evaluation": [
            {"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "shop.test", "url": "http://www.shop.test/"}},
            {"match_function_name": "url_semantic_match", "content": {"key": "q", "reference_answer": "a tent"}},
            {"match_function_name": "element_path_exactly_match", "method": "selector", "content": {"reference_answer": " .a >b ", "netloc": "shop", "url": "http://shop.test/"}},
            {"match_function_name": "element_value_exactly_match", "content": {"reference_answer": "2", "netloc": "shop", "path": "#count"}},
            {"match_function_name": "cache_data_exact_match", "content": {"reference_answer": "12 Euro", "url": "http://shop.test/"}},
            {"match_function_name": "element_path_exactly_match", "method": "xpath", "content": {"reference_answer": "//b", "netloc": ""}}
        ],
        "start": "http://shop.test/",
        "search": "http://find.test/search?q=",
        "workflow": [
            {"action": "fill_form", "selector": "#count", "argument": "2"},
            {"action": "switch_tab", "argument": 2}
        ]
    })
}

fn read(record: &Value) -> Result<Task, FieldError> {
    Task::read(record.as_object().unwrap())
}

#[test]
fn a_task_is_read_as_it_is_and_written_again() {
    let task = read(&record()).unwrap();
    assert_eq!(
        (task.index.to_string().as_str(), task.text.as_str(), task.reference_length),
        ("WXkY6peQb2NDE6VKrNQkd", "Buy a tent", 6)
    );
    assert_eq!((task.nodes[0].key.as_deref(), task.nodes[1].key.as_deref()), (None, Some("q")));
    assert_eq!(task.nodes[5].method, PathMethod::XPath);
    assert_eq!(task.workflow[1].argument.as_deref(), Some("2"));
    let paths =
        [(PathMethod::Selector, " .a >b "), (PathMethod::Selector, "#count"), (PathMethod::XPath, "//b")];
    assert_eq!(task.paths(), paths);
    assert!(task.has_semantic_nodes());
    assert_eq!(read(&task.to_record()).unwrap(), task);
    let numbered =
        Task { index: TaskIndex::Number(7), start: None, search: None, workflow: Vec::new(), ..task };
    assert_eq!(read(&numbered.to_record()).unwrap(), numbered);
    assert_eq!(unknown_fields(record().as_object().unwrap()), Vec::<String>::new());
}

/// The record with another value at a place, or without it.
fn changed(pointer: &str, value: Option<Value>) -> Value {
    let mut record = record();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = record.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => drop(parent.insert(name.to_owned(), value)),
        None => drop(parent.shift_remove(name)),
    }
    record
}

#[test]
fn a_wrong_field_is_named() {
    let cases: [(&str, Option<Value>, &str, &str); 22] = [
        ("/index", None, "index", "is missing"),
        ("/index", Some(json!(1.5)), "index", "is neither a whole number from 0 nor a text"),
        ("/task", Some(json!(" ")), "task", "is empty"),
        ("/reference_task_length", Some(json!(0)), "reference_task_length", "is not a whole number from 1"),
        ("/reference_task_length", Some(json!("6")), "reference_task_length", "is not a whole number from 1"),
        ("/evaluation", Some(json!([])), "evaluation", "has no nodes"),
        ("/evaluation", Some(json!([1])), "evaluation", "is not a list of objects"),
        ("/evaluation", Some(json!({})), "evaluation", "is not a list of objects"),
        ("/evaluation/0/match_function_name", None, "evaluation[0].match_function_name", "is missing"),
        (
            "/evaluation/0/match_function_name",
            Some(json!("url_include_match")),
            "evaluation[0].match_function_name",
            "did you mean url_included_match",
        ),
        ("/evaluation/0/content", Some(json!([])), "evaluation[0].content", "is not an object"),
        ("/evaluation/0/content/key", None, "evaluation[0].content.key", "is missing"),
        (
            "/evaluation/0/content/reference_answer",
            Some(json!(4)),
            "evaluation[0].content.reference_answer",
            "is not a text",
        ),
        (
            "/evaluation/1/content/reference_answer",
            Some(json!("")),
            "evaluation[1].content.reference_answer",
            "is empty",
        ),
        ("/evaluation/2/method", None, "evaluation[2].method", "is missing"),
        ("/evaluation/2/method", Some(json!("Selector")), "evaluation[2].method", "did you mean selector"),
        ("/evaluation/2/content/netloc", None, "evaluation[2].content.netloc", "is missing"),
        ("/evaluation/3/content/path", Some(json!(1)), "evaluation[3].content.path", "is not a text"),
        (
            "/evaluation/4/content/reference_answer",
            None,
            "evaluation[4].content.reference_answer",
            "is missing",
        ),
        ("/start", Some(json!("shop.test")), "start", "does not begin with http:// or https://"),
        ("/workflow/0/action", Some(json!("press")), "workflow[0].action", "is not one of goto, "),
        ("/workflow/0/selector", Some(json!(1)), "workflow[0].selector", "is not a text"),
    ];
    for (pointer, value, field, reason) in cases {
        let error = read(&changed(pointer, value)).unwrap_err();
        assert_eq!(error.field, field);
        assert!(error.reason.contains(reason), "{error}");
    }
}

#[test]
fn fields_without_a_meaning_are_listed() {
    let mut record = record();
    record["page"] = json!(1);
    record["evaluation"][0]["content"]["netlok"] = json!("shop");
    record["workflow"][1]["text"] = json!("");
    let unknown = unknown_fields(record.as_object().unwrap());
    assert_eq!(unknown, ["page", "evaluation[0].content.netlok", "workflow[1].text"]);
}

#[test]
fn a_file_in_any_form_has_tasks_with_their_lines() {
    let one = record().to_string();
    let titles = |text: &str| -> Vec<String> {
        parse_records(text, &Records).unwrap().iter().map(mageyard_domain::Level::label).collect()
    };
    assert_eq!(titles(&format!("[{one},\n{one}]")), ["Buy a tent", "Buy a tent"]);
    assert_eq!(titles(&format!("{one}\n{one}\n")).len(), 2);
    let json5 = one.replace("\"task\"", "/* what */ task").replace("}]}", "},],}");
    assert_eq!(titles(&format!("[{json5},]")).len(), 1);
    let wrong = one.replace("url_semantic_match", "url_semantics");
    let errors = record_errors(&format!("{one}\n{wrong}\n"), &Records);
    assert_eq!(errors.len(), 1);
    let error = errors[0].to_string();
    assert!(error.starts_with("line 2: evaluation[1].match_function_name: \"url_semantics\""), "{error}");
    assert!(Records.matches(record().as_object().unwrap()) && !Records.matches(&Map::new()));
}

#[test]
fn tasks_have_properties_for_reports() {
    let task = read(&record()).unwrap();
    let properties =
        |task: &Task| -> Vec<String> { properties(task).into_iter().map(|(_, value)| value).collect() };
    assert_eq!(properties(&task), ["6", "6 to 8", "shop.test"]);
    let mut other = Task { reference_length: 16, start: None, ..task };
    other.nodes.drain(..3);
    other.nodes.truncate(1);
    assert_eq!(
        properties(&other),
        ["1", "over 15", "shop"],
        "the label of a site, where nothing else is known"
    );
}

/// A step of a raw export with these reward functions.
fn step(functions: &Value) -> Value {
    json!({"href": "http://www.shop.test/?q=a%252Bb&x", "selector": "#b", "value": "v%20w", "rewardFunction": functions})
}

fn export(steps: &Value) -> Result<Task, FieldError> {
    read_export(json!({"title": "Buy a tent", "steps": steps}).as_object().unwrap(), 4)
}

fn nodes(functions: &Value) -> Vec<Value> {
    let task = export(&json!([step(functions)])).unwrap();
    task.to_record()["evaluation"].as_array().unwrap().clone()
}

#[test]
fn a_raw_export_becomes_a_task() {
    let plain = json!({"href": "http://shop.test/", "selector": "", "value": ""});
    let task = export(&json!([
        plain,
        step(&json!([{"name": "url_exactly_match"}, {}, {"name": "?"}])),
        step(&json!([]))
    ]));
    let task = task.unwrap();
    assert_eq!(
        (&task.index, task.text.as_str(), task.reference_length, task.nodes.len()),
        (&TaskIndex::Number(4), "Buy a tent", 3, 1)
    );
    assert_eq!(task.nodes[0].reference, "http://www.shop.test/?q=a%2Bb&x", "decoded once");
    let href = "http://www.shop.test/?q=a%252Bb&x";
    for (function, content) in [
        (
            json!({"name": "url_included_match", "key": "a%20b", "required": "%2Fp"}),
            json!({"key": "a b", "reference_answer": "/p", "url": href}),
        ),
        (
            json!({"name": "url_exactly_match", "key": "q"}),
            json!({"key": "q", "reference_answer": "a+b", "url": href}),
        ),
        (
            json!({"name": "url_exactly_match", "key": "q", "optional": "c%20d"}),
            json!({"key": "q", "reference_answer": "c d", "url": href}),
        ),
        (
            json!({"name": "url_semantic_match", "key": "%71", "optional": "is %20"}),
            json!({"key": "q", "reference_answer": "is %20", "url": href}),
        ),
        (
            json!({"name": "element_path_exactly_match"}),
            json!({"reference_answer": "#b", "netloc": "shop", "url": href}),
        ),
        (
            json!({"name": "element_value_exactly_match"}),
            json!({"reference_answer": "v%20w", "netloc": "shop", "url": href}),
        ),
        (
            json!({"name": "element_value_included_match", "required": "v%20"}),
            json!({"reference_answer": "v%20", "netloc": "shop", "url": href}),
        ),
        (
            json!({"name": "cache_data_included_match", "required": "v%20"}),
            json!({"reference_answer": "v ", "url": href}),
        ),
        (
            json!({"name": "final_answer_semantic_match", "optional": "v%20w"}),
            json!({"reference_answer": "v w", "url": href}),
        ),
        (json!({"name": "final_answer_exact_match"}), json!({"reference_answer": "v%20w", "url": href})),
    ] {
        assert_eq!(nodes(&json!([function]))[0]["content"], content, "{function}");
    }
}

#[test]
fn a_value_and_a_path_on_one_step_are_one_node() {
    let found = nodes(&json!([
        {"name": "element_path_exactly_match"},
        {"name": "url_included_match", "required": "shop"},
        {"name": "element_value_semantic_match", "optional": "a number"},
    ]));
    let names: Vec<&str> = found.iter().map(|node| node["match_function_name"].as_str().unwrap()).collect();
    assert_eq!(names, ["url_included_match", "element_value_semantic_match"]);
    assert_eq!(found[1]["content"]["path"], "#b");
    assert_eq!(found[0]["content"].get("path"), None);
}

#[test]
fn a_description_that_is_an_address_is_the_address() {
    let mut described = step(&json!([{"name": "element_path_exactly_match"}]));
    described["description"] = json!("https://other.test/x");
    assert_eq!(export(&json!([described])).unwrap().nodes[0].netloc, "other");
    described["description"] = json!("the cart");
    assert_eq!(export(&json!([described])).unwrap().nodes[0].netloc, "shop");
}

#[test]
fn a_wrong_export_is_refused_with_its_field() {
    for (steps, field, reason) in [
        (json!([]), "steps", "has no steps"),
        (json!([step(&json!([]))]), "steps", "has no step with a reward function"),
        (json!([step(&json!([{"name": "url_match"}]))]), "steps[0].rewardFunction[0].name", "did you mean"),
        (
            json!([step(&json!([{"name": "url_included_match"}]))]),
            "steps[0].rewardFunction[0].required",
            "is missing",
        ),
        (
            json!([step(&json!([{"name": "url_exactly_match", "key": "p"}]))]),
            "steps[0].rewardFunction[0].key",
            "has no value",
        ),
        (json!([{"rewardFunction": [{"name": "url_exactly_match"}]}]), "steps[0].href", "is missing"),
    ] {
        let error = export(&steps).unwrap_err();
        assert_eq!(error.field, field, "{error}");
        assert!(error.reason.contains(reason), "{error}");
    }
}

#[test]
fn formats_are_recognized_read_and_written() {
    let tasks = json!([record(), record()]).to_string();
    let exports = json!([{"title": "t", "steps": [step(&json!([{"name": "element_path_exactly_match"}]))]}])
        .to_string();
    let [json, webcanvas] = [&FORMATS[0], &FORMATS[1]];
    for (text, expected) in [(&tasks, [true, false]), (&exports, [false, true])] {
        assert_eq!([json, webcanvas].map(|format| (format.matches)(text.as_bytes())), expected);
    }
    let levels = (json.read)(tasks.as_bytes()).unwrap();
    let written = json.write.unwrap()(&levels).unwrap();
    assert_eq!((json.read)(written.as_bytes()).unwrap().len(), 2);
    let imported = (webcanvas.read)(exports.as_bytes()).unwrap();
    assert_eq!(Task::of_level(&imported[0]).unwrap().nodes.len(), 1);
    let error = (webcanvas.read)(b"\n[{\"title\": \"t\", \"steps\": []}]").unwrap_err();
    assert_eq!(error.to_string(), "line 2: steps: has no steps");
    assert!((json.read)(b"[\xff]").is_err());
}
