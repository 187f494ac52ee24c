//! Views of equal content.

use std::sync::Arc;

use mageyard_domain::{
    BlobHandle, BlobStore, MemoryBlobStore, Observation, ObservationPart, Options,
    PartKind::{Data, Image, Text},
};
use serde_json::Value;

use super::stored::{DOWN, SIZE, element, elements, observation, observation_in, snapshot};
use crate::aes::{AesResult, Rendering, Rules};
use crate::details::{DETAILS_MEDIA, Details, SNAPSHOT_MEDIA, ShotDetails, StateDetails};
use crate::perception::list::PageList;
use crate::perception::{NAMES, PICTURES_MEDIA, VIEWS, show};
use crate::snapshot::Snapshot;

fn viewed(seen: &Observation, view: &str) -> Result<Observation, String> {
    show(seen, &Options::from([("view".to_owned(), view.into())]))
}

fn text(seen: &Observation, part: usize) -> String {
    match &seen.parts()[part] {
        ObservationPart::Text(text) => text.to_string(),
        other => panic!("{other:?}"),
    }
}

fn list(elements: &[Value]) -> PageList {
    PageList::new(&Snapshot::parse(&snapshot(elements)).unwrap(), [0.0, DOWN], SIZE)
}

#[test]
fn every_view_shows_both_pages_and_is_no_other_state() {
    let named = |at: usize| (VIEWS[at].name, NAMES[at].0);
    assert!((0..VIEWS.len()).all(|at| named(at).0 == named(at).1) && VIEWS.len() == NAMES.len());
    let seen = observation(&elements(), Some(&elements()[1..]));
    let kinds = |seen: &Observation| seen.parts().iter().map(ObservationPart::kind).collect::<Vec<_>>();
    assert_eq!(kinds(&seen), [Text, Image, Image, Text, Image, Data]);
    for view in VIEWS {
        let shown = viewed(&seen, view.name).unwrap();
        assert_eq!((shown.digest(), shown.facts()), (seen.digest(), seen.facts()), "{}", view.name);
        let page = if view.is_picture { Image } else { Text };
        assert_eq!(kinds(&shown), [Text, page, Image, Text, page, Data], "{}", view.name);
        let again = viewed(&shown, "image").unwrap();
        assert_eq!(kinds(&again), kinds(&seen), "{} can be shown as pictures again", view.name);
        assert!(again.images().zip(seen.images()).all(|(one, other)| one.1 == other.1), "{}", view.name);
    }
    assert!(
        viewed(&seen, "tree").unwrap_err().contains("view: \"tree\" is not one of image, numbered, elements")
    );
}

#[test]
fn frames_are_around_the_visible_elements() {
    let seen = observation(&elements(), Some(&elements()));
    let shown = viewed(&seen, "numbered").unwrap();
    let frames: Vec<Vec<_>> = shown
        .images()
        .map(|(_, picture)| picture.numbers().iter().map(|one| (one.number, one.rect)).collect())
        .collect();
    let expected = [
        (1, [0, 10, 640, 40]),
        (2, [0, 60, 640, 20]),
        (3, [40, 60, 40, 20]),
        (4, [20, 100, 300, 120]),
        (5, [40, 120, 100, 40]),
        (6, [160, 120, 100, 40]),
        (7, [400, 240, 60, 20]),
        (8, [400, 100, 80, 80]),
    ];
    assert_eq!(frames, [expected.to_vec(), vec![], expected.to_vec()]);
    let pixels = shown.images().next().unwrap().1.pixels().unwrap();
    assert_ne!(pixels[(10 * 640 + 300) * 3], 200, "the upper edge of the heading is painted");
    assert_eq!(pixels[(300 * 640 + 10) * 3], 200);
}

#[test]
fn lists_say_what_can_be_seen() {
    let seen = observation(&elements(), None);
    let words = text(&viewed(&seen, "elements").unwrap(), 1);
    let lines: Vec<&str> = words.lines().collect();
    assert!(
        lines[0].starts_with("The visible elements of the page in an area of 640 x 320 pixels"),
        "{words}"
    );
    let expected = [
        "1 h1 \"Tea shop\" at 0, 10, 640 x 40, text #000000, font 32px bold serif",
        "2 p \"Fresh every day\" at 0, 60, 640 x 20, text #000000, font 16px serif",
        "3 b \"every\" at 40, 60, 40 x 20, text #000000, font 16px serif",
        "4 div at 20, 100, 300 x 120, background #ffffff, top border 2px solid #010203, corners 8px 0px 0px 0px",
        "5 button \"Send\" at 40, 120, 100 x 40, text #ffffff, font 16px serif, background #143c78",
        "6 button \"Cancel\" at 160, 120, 100 x 40, text #000000, font 16px serif, background #c80000",
        "7 a \"More\" at 400, 240, 60 x 20, text #0000ff, font 16px serif",
        "8 img at 400, 100, 80 x 80",
    ];
    assert_eq!(lines[1..], expected);
    assert!(!words.contains("secret") && !words.contains("evalby"), "classes and annotations cannot be seen");
    assert!(list(&[]).words().ends_with("\nnone"));
}

#[test]
fn texts_of_inputs_are_what_they_show_and_hostile_texts_stay_in_their_line() {
    let mut input = element("input", [0.0, 0.0, 100.0, 20.0], 0, "", &[]);
    let shown = |input: &Value| list(std::slice::from_ref(input)).elements[0].to_string();
    assert!(shown(&input).starts_with("1 input text at"));
    input["attributes"] = serde_json::json!({"type": "email", "placeholder": "Your\nmail", "value": ""});
    assert!(shown(&input).starts_with("1 input email \"Your mail\" at"));
    input["attributes"]["value"] = "a@b".into();
    assert!(shown(&input).starts_with("1 input email \"a@b\" at"));
    input["attributes"]["type"] = "password".into();
    assert!(shown(&input).starts_with("1 input password at"), "what is typed there is not shown");
    let hostile = element("p\n2 button", [0.0, 0.0, 9.0, 9.0], 0, "a\u{1b}[2J\n2 button \"x\"\u{202e}", &[]);
    let line = shown(&hostile);
    assert!(line.lines().count() == 1 && !line.contains(['\u{1b}', '\u{202e}']), "{line}");
    let long = element("p", [0.0, 0.0, 9.0, 9.0], 0, &"x".repeat(5000), &[]);
    assert!(shown(&long).contains("… (5000 characters)"));
}

#[test]
fn parts_of_drawings_and_wrappers_are_left_out() {
    let area = [0.0, 0.0, 50.0, 50.0];
    let parts = [
        element("div", area, 3, "", &[]),
        element("svg", area, 2, "", &[]),
        element("g", area, 1, "", &[]),
        element("path", area, 0, "", &[("background-color", "rgb(1, 1, 1)")]),
        element("div", area, 0, "", &[("box-shadow", "rgb(0, 0, 0) 0px 0px 9px 0px")]),
    ];
    let tags: Vec<String> = list(&parts).elements.into_iter().map(|one| one.tag).collect();
    assert_eq!(tags, ["svg", "div"]);
}

/// The observation as earlier versions recorded it: without the list of its pictures, and after an act with details of the score
/// that name these pictures of the wanted and the present page.
fn older(blobs: &Arc<dyn BlobStore>, seen: &Observation, shots: Option<[usize; 2]>) -> Observation {
    let is_list = |part: &ObservationPart| {
        part.blob().is_some_and(|handle| &*handle.blob().media_type == PICTURES_MEDIA)
    };
    let mut parts: Vec<_> = seen.parts().iter().filter(|part| !is_list(part)).cloned().collect();
    if let Some(shots) = shots {
        let snapshot = blobs.put(SNAPSHOT_MEDIA, snapshot(&elements()).as_bytes()).unwrap();
        let [target, generated] = shots.map(|part| {
            parts.push(ObservationPart::Data(seen.parts()[part].blob().unwrap().clone()));
            let picture = u16::try_from(parts.len() - 1).ok();
            ShotDetails { picture, scroll: [0.0, DOWN], snapshot: Some(snapshot.clone()) }
        });
        let rendering = Rendering { viewport: SIZE, browser: "Browser 1".into(), fonts: Vec::new() };
        let details = Details {
            waits: "nominal".into(),
            target: "live".into(),
            states: vec![StateDetails { target, generated, ..StateDetails::default() }],
            target_blocked: Vec::new(),
            generated_blocked: Vec::new(),
            result: AesResult::new(Vec::new(), Rules::released(), rendering),
        };
        let json = serde_json::to_vec(&details).unwrap();
        parts.push(ObservationPart::Data(BlobHandle::store(blobs, DETAILS_MEDIA, &json).unwrap()));
    }
    Observation::from_parts(parts, seen.text().clone(), seen.facts().clone())
}

#[test]
fn older_recordings_are_shown_as_far_as_their_layouts_are_stored() {
    let blobs: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
    let seen = observation_in(&blobs, &elements(), Some(&elements()));
    // Without the other picture of the description, of which no layout is known.
    let parts = seen.parts().iter().enumerate().filter(|(part, _)| *part != 2).map(|(_, part)| part.clone());
    let seen = Observation::from_parts(parts.collect(), "", serde_json::json!({"task_parts": 2}));
    let acted = older(&blobs, &seen, Some([1, 3]));
    let shown = viewed(&acted, "elements").unwrap();
    assert!(text(&shown, 1).contains("Tea shop") && text(&shown, 3).contains("Tea shop"));
    assert_eq!(shown.digest(), acted.digest());
    let changed = older(&blobs, &seen, Some([3, 3]));
    let error = viewed(&changed, "numbered").unwrap_err();
    assert!(error.contains("the picture of part 1 is not stored"), "{error}");
    let opening = older(&blobs, &seen, None);
    let error = viewed(&opening, "elements").unwrap_err();
    assert!(error.contains("an opening that an earlier version recorded"), "{error}");
    assert_eq!(viewed(&opening, "image").unwrap().images().count(), 2, "screenshots need no layout");
}
