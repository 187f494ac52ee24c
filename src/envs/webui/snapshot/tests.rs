use serde_json::{Value, json};

use super::{ElementFault, MAX_ELEMENTS, PROPERTIES, Snapshot, SnapshotError};

fn element() -> Value {
    json!({
        "tag": "h1", "id": "", "x": 8, "y": 21.4, "w": 1889, "h": 37, "descendants": 0, "class": "big",
        "filter": "text", "evalby": null, "text": "Hello", "styles": vec!["none"; PROPERTIES.len()],
    })
}

fn page(elements: Vec<Value>) -> Value {
    json!({
        "version": 1, "viewport": [1920, 937], "document": [1905, 2400.5], "properties": PROPERTIES[..],
        "elements": Value::Array(elements), "limit": null,
    })
}

fn with(mut value: Value, field: &str, new: Value) -> Value {
    value[field] = new;
    value
}

fn without(mut value: Value, field: &str) -> Value {
    value.as_object_mut().unwrap().remove(field).unwrap();
    value
}

fn parse(value: &Value) -> Result<Snapshot, SnapshotError> {
    Snapshot::parse(&value.to_string())
}

#[test]
fn a_snapshot_is_read() {
    let snapshot = parse(&page(vec![element()])).unwrap();
    assert_eq!(snapshot.document, [1905.0, 2400.5]);
    assert_eq!((snapshot.elements[0].y, snapshot.elements[0].shown), (21.4, true));
    assert_eq!(snapshot.column("background"), Some(1));
}

#[test]
fn a_hidden_annotated_element_has_neither_text_nor_styles() {
    let hidden = with(without(without(element(), "text"), "styles"), "shown", json!(false));
    assert!(!parse(&page(vec![hidden.clone()])).unwrap().elements[0].shown);
    let plain = with(hidden, "filter", Value::Null);
    let fault = ElementFault::HiddenAndPlain;
    assert_eq!(parse(&page(vec![element(), plain])), Err(SnapshotError::Element { index: 1, fault }));
}

#[test]
fn every_required_field_is_required() {
    for field in ["version", "viewport", "document", "properties", "elements", "limit"] {
        let found = parse(&without(page(vec![]), field));
        assert!(matches!(found, Err(SnapshotError::Json { .. })), "{field}: {found:?}");
    }
    for field in ["tag", "id", "x", "y", "w", "h", "descendants", "class", "filter", "evalby"] {
        let found = parse(&page(vec![without(element(), field)]));
        assert!(matches!(found, Err(SnapshotError::Json { .. })), "{field}: {found:?}");
    }
}

#[test]
fn unknown_fields_and_other_versions_are_refused() {
    assert!(matches!(parse(&with(page(vec![]), "more", json!(1))), Err(SnapshotError::Json { .. })));
    assert!(matches!(parse(&page(vec![with(element(), "more", json!(1))])), Err(SnapshotError::Json { .. })));
    assert_eq!(parse(&with(page(vec![]), "version", json!(2))), Err(SnapshotError::Version { found: 2 }));
}

#[test]
fn a_limit_is_an_error() {
    let reason = "5,000 elements".to_owned();
    assert_eq!(parse(&with(page(vec![]), "limit", json!(reason))), Err(SnapshotError::Limit { reason }));
    let count = MAX_ELEMENTS + 1;
    assert_eq!(parse(&page(vec![element(); count])), Err(SnapshotError::TooManyElements { count }));
    assert!(parse(&page(vec![element(); MAX_ELEMENTS])).is_ok());
}

#[test]
fn boxes_are_finite_and_have_a_size_of_at_least_nothing() {
    for (field, value) in [("w", json!(-1)), ("h", json!(-0.5)), ("x", json!(1e39)), ("y", json!(-1e300))] {
        let found = parse(&page(vec![with(element(), field, value)]));
        assert_eq!(found, Err(SnapshotError::Element { index: 0, fault: ElementFault::Box }), "{field}");
    }
    assert!(matches!(parse(&page(vec![with(element(), "x", Value::Null)])), Err(SnapshotError::Json { .. })));
}

#[test]
fn styles_match_the_properties() {
    let short = with(element(), "styles", json!(["red"]));
    let fault = ElementFault::Styles { found: 1, expected: PROPERTIES.len() };
    assert_eq!(parse(&page(vec![short])), Err(SnapshotError::Element { index: 0, fault }));
    let missing = with(page(vec![]), "properties", json!(PROPERTIES[1..]));
    assert_eq!(parse(&missing), Err(SnapshotError::MissingProperty { name: "color" }));
    let twice: Vec<_> = PROPERTIES.iter().chain(&["color"]).collect();
    let name = "color".to_owned();
    assert_eq!(
        parse(&with(page(vec![]), "properties", json!(twice))),
        Err(SnapshotError::RepeatedProperty { name })
    );
}
