use super::*;

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap()
}

const GROUND: &str =
    r#"{"image": "a.png", "instruction": "Press it", "bbox": [1, 2, 3.5, 4], "resolution": [10, 20]}"#;
const SINGLE: &str = r#"{"obs_before": "a.png", "obs_after": "b.png", "operation": "type", "bbox": [], "action_space": ["click", "type"], "metadata": {"repr": "types"}}"#;

#[test]
fn a_record_may_lack_what_the_data_lack() {
    let ground = Ground::read(&object(GROUND)).unwrap();
    assert_eq!((ground.area, ground.resolution), (Area([1.0, 2.0, 3.5, 4.0]), Some((10, 20))));
    assert_eq!((ground.raw_instruction, ground.about), (None, About::default()));
    let single = Transition::read(&object(SINGLE)).unwrap();
    assert!(single.single && single.acts[0].area.is_none());
    assert_eq!(single.acts[0].repr.as_deref(), Some("types"));
}

#[test]
fn a_wrong_field_is_named() {
    let ground = |from: &str, to: &str| Ground::read(&object(&GROUND.replace(from, to))).unwrap_err();
    let single = |from: &str, to: &str| Transition::read(&object(&SINGLE.replace(from, to))).unwrap_err();
    for (error, field, reason) in [
        (ground("\"a.png\"", "3"), "image", "is not a text"),
        (ground("\"image\"", "\"picture\""), "image", "is missing"),
        (ground("3.5", "\"x\""), "bbox", "is not a list of four numbers"),
        (ground("[1, 2, 3.5, 4]", "[]"), "bbox", "is missing"),
        (ground("[10, 20]", "[10]"), "resolution", "is not a width and a height in pixels"),
        (ground("\"resolution\"", "\"clicks\": 9, \"x\""), "clicks", "is not a number from 1 to 3"),
        (single("\"type\",", "\"drag\","), "operation", "\"drag\" is not in action_space"),
        (single("\"obs_after\"", "\"after\""), "obs_after", "is missing"),
        (single("[\"click\", \"type\"]", "[]"), "action_space", "is not a list of texts"),
    ] {
        assert_eq!((error.field.as_str(), error.reason.as_str()), (field, reason));
    }
    let inner = r#"{"actions": [{"obs_before": "a", "operation": "click"}, {"operation": "click"}], "action_space": ["click"]}"#;
    assert_eq!(Transition::read(&object(inner)).unwrap_err().field, "actions[1].obs_before");
}

#[test]
fn records_are_told_apart_by_their_fields() {
    let both = r#"{"actions": [], "instruction": "", "is_success": true, "action_space": []}"#;
    let kinds = |text: &str| {
        let record = object(text);
        [Ground::matches(&record), Transition::matches(&record), Trajectory::matches(&record)]
    };
    assert_eq!(kinds(GROUND), [true, false, false]);
    assert_eq!(kinds(SINGLE), [false, true, false]);
    assert_eq!(kinds(both), [false, true, true], "only the user can say which");
    assert_eq!(kinds("{}"), [false; 3]);
    let unknown = object(&GROUND.replace("\"image\"", "\"imgae\": 1, \"image\""));
    assert_eq!(Ground::unknown_fields(&unknown), ["imgae"]);
}

#[test]
fn a_place_on_the_edge_is_outside() {
    let area = Area([10.0, 10.0, 20.0, 20.0]);
    assert!(area.contains(10.1, 19.9) && !area.contains(10.0, 15.0) && !area.contains(15.0, 20.0));
    assert_eq!((area.distance(15.0, 15.0), area.distance(7.0, 6.0)), (0.0, 5.0));
    assert!(Area([3.0, 3.0, 3.0, 9.0]).is_empty() && !area.is_within((19, 30)));
}
