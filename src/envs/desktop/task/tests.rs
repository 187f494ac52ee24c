#![expect(clippy::needless_pass_by_value, reason = "JSON is written in place")]

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

fn record() -> Value {
    json!({
        "task_id": "0a-1",
        "instruction": "Make the file.",
        "visual": false,
        "max_steps": 1,
        "max_time": 30,
        "eval_procedure": [exists()],
        "reset_procedure": null,
        "cleanup_procedure": [{"evaluator": "filesystem", "function": "rm", "params": {"path": "${AS_ROOT}/a"}}],
    })
}

fn exists() -> Value {
    json!({"evaluator": "filesystem", "function": "exists", "params": {"file_to_check": {"${AS_ROOT}/a": true}}})
}

/// The record with a value at a place.
fn with(pointer: &str, value: Value) -> Value {
    let mut record = record();
    *record.pointer_mut(pointer).unwrap() = value;
    record
}

fn with_field(name: &str, value: Value) -> Value {
    let mut record = record();
    record.as_object_mut().unwrap().insert(name.to_owned(), value);
    record
}

fn read(record: &Value) -> Result<Task, String> {
    Task::read(record.as_object().unwrap()).map_err(|error| error.to_string())
}

fn procedure(evaluator: &str, function: &str, params: Value) -> Value {
    json!({"evaluator": evaluator, "function": function, "params": params})
}

fn error_of(evaluator: &str, function: &str, params: Value) -> String {
    read(&with("/eval_procedure", json!([procedure(evaluator, function, params)]))).unwrap_err()
}

#[test]
fn a_task_is_read_as_published() {
    let task = read(&record()).unwrap();
    assert_eq!((task.id.as_str(), task.max_steps, task.max_time.as_secs()), ("0a-1", 1, 30));
    assert_eq!((task.evaluation.len(), task.reset.len(), task.cleanup.len()), (1, 0, 1));
    assert_eq!(task.evaluation[0].name(), "filesystem.exists");
    assert!(task.warnings().is_empty());
    assert!(task.needs().is_empty());
}

#[test]
fn a_record_is_recognised_by_its_fields() {
    assert!(Task::matches(record().as_object().unwrap()));
    let web = json!({"task": "x", "evaluation": [], "instruction": "", "task_id": ""});
    assert!(!Task::matches(web.as_object().unwrap()));
}

#[test]
fn wrong_fields_are_named() {
    for (name, value, error) in [
        ("task_id", json!(3), "task_id: is not a text"),
        ("instruction", json!(" "), "instruction: is empty"),
        ("visual", json!("no"), "visual: is not true or false"),
        ("max_steps", json!(-1), "max_steps: is not a whole number from 0"),
        ("max_time", json!(0), "max_time: is not a number of seconds above 0"),
        ("max_time", json!(1e300), "max_time: is not a number of seconds above 0"),
        ("eval_procedure", json!([]), "eval_procedure: has no procedures, so nothing can be judged"),
        ("reset_procedure", json!({}), "reset_procedure: is not a list of objects"),
        ("oracle", json!(["a"]), "oracle: is not a text"),
    ] {
        assert_eq!(read(&with_field(name, value)).unwrap_err(), error);
    }
    let mut without = record();
    without.as_object_mut().unwrap().remove("visual");
    assert_eq!(read(&without).unwrap_err(), "visual: is missing");
    assert_eq!(read(&with_field("max_steps", json!(0))).unwrap().max_steps, 0);
    let many = json!(vec![exists(); 257]);
    assert!(read(&with_field("eval_procedure", many)).unwrap_err().contains("the limit is 256"));
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    let error = error_of("filesistem", "exists", json!({}));
    assert!(
        error.starts_with("eval_procedure[0].evaluator: filesistem is not an evaluator; there is filesystem"),
        "{error}"
    );
    let error = error_of("filesystem", "exist", json!({}));
    assert!(
        error.starts_with(
            "eval_procedure[0].function: exist is not a function of filesystem; there is exists"
        ),
        "{error}"
    );
    let error = error_of("filesystem", "rm", json!({"path": "a"}));
    assert_eq!(error, "eval_procedure[0].function: filesystem.rm prepares a computer and does not judge");
    let reset = with("/reset_procedure", json!([exists()]));
    assert_eq!(
        read(&reset).unwrap_err(),
        "reset_procedure[0].function: filesystem.exists judges and does not prepare a computer"
    );
    let error = error_of("filesystem", "exists", json!({"file_to_check": {"${AS_RROT}/a": true}}));
    assert_eq!(
        error,
        "eval_procedure[0].params.file_to_check: ${AS_RROT} is not a variable; there is AS_ROOT, AS_HOME, AS_TEST"
    );
    let error = read(&with_field("instruction", json!("Read ${HOME}."))).unwrap_err();
    assert!(error.starts_with("instruction: ${HOME} is not a variable; there is AS_HOME"), "{error}");
}

#[test]
fn parameters_are_checked_and_unknown_ones_are_warnings() {
    let error = error_of("filesystem", "verify_ini", json!({"target_path": "a"}));
    assert_eq!(error, "eval_procedure[0].params.ref_path: is missing");
    let error = error_of("filesystem", "verify_ini", json!({"target_path": 3, "ref_path": "b"}));
    assert_eq!(error, "eval_procedure[0].params.target_path: is not the path of a file");
    let wrong = procedure("process", "create_process", json!({"cmd": ["a", 1]}));
    let error = read(&with("/reset_procedure", json!([wrong]))).unwrap_err();
    assert_eq!(error, "reset_procedure[0].params.cmd: is not a text or a list of texts");
    let extra = procedure("system", "sleep", json!({"seconds": 1, "ignore_space": true}));
    let mut record = with("/eval_procedure", json!([exists(), extra]));
    record.as_object_mut().unwrap().insert("note".to_owned(), json!("x"));
    assert_eq!(
        read(&record).unwrap().warnings(),
        [
            "note: is a field that is not read",
            "eval_procedure[1].params.ignore_space: is not read by system.sleep"
        ]
    );
}

#[test]
fn variables_are_replaced_everywhere_once() {
    let variables =
        Variables { root: "/w ${AS_HOME}".to_owned(), home: "/h".to_owned(), ..Variables::default() };
    let value = json!({"${AS_ROOT}": ["a${AS_HOME}b${AS_HOME}", {"k": "$AS_ROOT ${"}], "n": 1});
    assert_eq!(
        variables.replace_in(&value).unwrap(),
        json!({"/w ${AS_HOME}": ["a/hb/h", {"k": "$AS_ROOT ${"}], "n": 1})
    );
    assert_eq!(
        variables.replace("to ${AS_GMAIL_RECIPIENT}").unwrap_err(),
        "${AS_GMAIL_RECIPIENT} has no value here: it needs an account"
    );
    let same = json!({"${AS_HOME}": 1, "/h": 2});
    assert!(variables.replace_in(&same).unwrap_err().ends_with("is there twice"));
    let task = read(&record()).unwrap();
    let procedures = task.procedures(Stage::Cleanup, &variables).unwrap();
    assert_eq!(procedures[0].params["path"], "/w ${AS_HOME}/a");
}

#[test]
fn a_variable_without_a_value_names_its_procedure() {
    let gmail = procedure("gmail", "check_sent", json!({"to": "${AS_GMAIL_RECIPIENT}"}));
    let task = read(&with("/eval_procedure", json!([exists(), gmail]))).unwrap();
    let error = task.procedures(Stage::Evaluation, &Variables::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("eval_procedure[1]: ${AS_GMAIL_RECIPIENT} has no value"),
        "{error}"
    );
    assert_eq!(task.needs(), [Need::Account("gmail".to_owned())]);
}

#[test]
fn needs_are_programs_a_desktop_accounts_and_fixtures() {
    let mut record = record();
    let fields = record.as_object_mut().unwrap();
    fields.insert("visual".to_owned(), json!(true));
    let copy = json!({"src": "${AS_ROOT}/data/1/a b.docx", "dest": "${AS_ROOT}/data/1/copy.docx"});
    let reset = json!([
        procedure("filesystem", "copy", copy),
        procedure("filesystem", "create_file", json!({"path": "${AS_ROOT}/data/made.ini"})),
        procedure(
            "process",
            "create_process",
            json!({"cmd": ["/usr/bin/libreoffice", "x"], "wait_for": null})
        ),
        procedure("process", "create_process", json!({"cmd": "gimp"})),
        procedure("system", "exec", json!({"command": "cd x && code '${AS_ROOT}/data/2/b.py'; ls"})),
    ]);
    fields.insert("reset_procedure".to_owned(), reset);
    let ini = json!({"target_path": "${AS_ROOT}/data/own.ini", "ref_path": "${AS_ROOT}/data/made.ini"});
    fields.insert("eval_procedure".to_owned(), json!([procedure("filesystem", "verify_ini", ini)]));
    let task = read(&record).unwrap();
    let needs = task.needs();
    let shown: Vec<String> = needs.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "needs a desktop",
            "needs LibreOffice",
            "needs GIMP",
            "needs VS Code",
            "needs the file ${AS_ROOT}/data/1/a b.docx",
            "needs the file ${AS_ROOT}/data/2/b.py",
        ]
    );
    assert_eq!(lines(&needs).last().map(String::as_str), Some("needs 2 files of the published data"));
}

#[test]
fn evaluators_of_accounts_are_read_whatever_their_function() {
    for evaluator in ["gmail", "google_calendar", "google_docs", "telegram", "outlook"] {
        let record = with("/eval_procedure", json!([procedure(evaluator, "any", json!({"x": 1}))]));
        let needs = read(&record).unwrap().needs();
        assert_eq!(lines(&needs), [format!("needs an account for {evaluator}")]);
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "\\PC*",
        Just("${AS_ROOT}/data/x".to_owned()),
        Just("filesystem".to_owned()),
        Just("exists".to_owned()),
        Just("${".to_owned()),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("\\PC{0,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn any_params() -> impl Strategy<Value = Map<String, Value>> {
    let name = prop_oneof![
        Just("path"),
        Just("file_to_check"),
        Just("name"),
        Just("cmd"),
        Just("command"),
        Just("seconds"),
        Just("content"),
    ];
    prop::collection::btree_map(name, any_value(), 0..4)
        .prop_map(|map| map.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

proptest! {
    #[test]
    fn no_record_panics(
        field in prop::sample::select(vec!["task_id", "instruction", "visual", "max_steps", "max_time", "eval_procedure", "oracle"]),
        value in any_value(),
    ) {
        let _ = read(&with_field(field, value)).map(|task| task.needs());
    }

    #[test]
    fn no_procedure_panics(row in any::<prop::sample::Index>(), params in any_params()) {
        let rows: Vec<_> = crate::handlers::all().collect();
        let handler = rows[row.index(rows.len())];
        let call = procedure(handler.evaluator, handler.function, Value::Object(params));
        for stage in ["/eval_procedure", "/reset_procedure"] {
            let _ = read(&with(stage, json!([call]))).map(|task| (task.needs(), lines(&task.needs())));
        }
    }
}
