//! Views and rows of a page with three targets, of which one has no match.

use std::io::Cursor;

use serde_json::{Value, json};

use super::*;
use crate::aes;
use crate::aes::{AesResult, Rendering, Rules};
use crate::details::{PairDetails, ShotDetails, UnmatchedDetails};
use crate::observation::PNG;
use crate::snapshot::{PROPERTIES, Snapshot};
use mageyard_domain::{BlobStore, MemoryBlobStore, ScoreRow};

fn element(id: &str, (x, y, w, h): (f64, f64, f64, f64), color: &str) -> Value {
    let styles: Vec<_> = PROPERTIES.iter().map(|name| if *name == "color" { color } else { "" }).collect();
    json!({
        "tag": "p", "id": id, "x": x, "y": y, "w": w, "h": h, "descendants": 0, "class": "", "filter": "has_text",
        "evalby": "text|color", "text": "Hello", "styles": styles,
    })
}

fn snapshot(elements: &[Value]) -> Snapshot {
    Snapshot::parse(&page_json(elements)).unwrap()
}

fn page_json(elements: &[Value]) -> String {
    let text = json!({
        "version": 1, "viewport": [640, 320], "document": [640, 900], "base": "", "properties": PROPERTIES.as_slice(),
        "limit": null, "elements": elements,
    });
    text.to_string()
}

/// A target with three texts, and a page that has the first one, and the second one elsewhere in another colour.
fn snapshots() -> (Snapshot, Snapshot) {
    let black = "rgb(0, 0, 0)";
    let first = element("title", (0.0, 0.0, 640.0, 60.0), black);
    let target = [
        first.clone(),
        element("send", (40.0, 100.0, 200.0, 80.0), black),
        element("end", (0.0, 500.0, 50.0, 20.0), black),
    ];
    let page = [first, element("go", (60.0, 100.0, 200.0, 80.0), "rgb(128, 0, 0)")];
    (snapshot(&target), snapshot(&page))
}

fn details() -> Details {
    let (target, page) = snapshots();
    let rules = Rules::released();
    let score = aes::compare(&target, &page, rules).named("as opened");
    let rendering =
        Rendering { viewport: [640, 320], browser: "Browser 1".into(), fonts: vec!["serif".into()] };
    let pairs = score.pairs.iter().map(|pair| PairDetails {
        target: ElementDetails::of(&target.elements[pair.target]),
        generated: ElementDetails::of(&page.elements[pair.generated]),
        lost: 100.0 * (1.0 - pair.score) * pair.weight / score.weight,
        explanation: aes::explain(&target, &page, (pair.target, pair.generated), rules).unwrap(),
    });
    let shot = |picture, top| ShotDetails { picture: Some(picture), scroll: [0.0, top], snapshot: None };
    let state = StateDetails {
        name: "as opened".into(),
        target: shot(0, 0.0),
        generated: shot(1, 30.0),
        fault: None,
        pairs: pairs.collect(),
        unmatched: vec![UnmatchedDetails { target: ElementDetails::of(&target.elements[2]), counts: true }],
    };
    Details {
        waits: "nominal".into(),
        target: "live".into(),
        states: vec![state],
        target_blocked: Vec::new(),
        generated_blocked: vec!["https://example.com/\u{1b}[2J".into()],
        result: AesResult::new(vec![score], rules, rendering),
    }
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image::RgbImage::new(width, height).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn observation(details: &[u8]) -> Observation {
    observation_in(&(Arc::new(MemoryBlobStore::default()) as Arc<dyn BlobStore>), details)
}

fn observation_in(store: &Arc<dyn BlobStore>, details: &[u8]) -> Observation {
    let data =
        |media: &str, bytes: &[u8]| ObservationPart::Data(BlobHandle::store(store, media, bytes).unwrap());
    let parts = vec![
        data(PNG, &png(640, 320)),
        data(PNG, &png(640, 300)),
        data(&file_media("html"), b"<p>page</p>"),
        data(&file_media("js"), b"let a;"),
        data(DETAILS_MEDIA, details),
    ];
    Observation::from_parts(parts, "a page", Value::Null)
}

fn inspected() -> ObservationDetails {
    let details = serde_json::to_vec(&details()).unwrap();
    Inspector.inspect(&observation(&details)).unwrap()
}

#[test]
fn each_page_has_its_views_and_the_boxes_of_its_pairs() {
    let found = inspected();
    let [page] = &found.pages[..] else { panic!("{found:?}") };
    let names: Vec<_> = page.views.iter().map(|view| (view.name, view.picture.height())).collect();
    let all = [("page", 300), ("target", 320), ("side by side", 320), ("difference", 320), ("pairs", 300)];
    assert_eq!((&*page.title, &names[..]), ("as opened", &all[..]));
    let boxes = page.views[4].boxes.as_ref().unwrap();
    let moved = PixelBox { left: 60, top: 70, width: 200, height: 80 };
    assert_eq!(boxes.pairs[1].boxes, [Some(PixelBox { left: 40, ..moved }), Some(moved)], "scrolled by 30");
    assert_eq!((boxes.pairs[2].boxes[1], &*boxes.pairs[2].label), (None, "0"));
    assert_eq!(boxes.pairs[0].label, "100");
}

#[test]
fn each_page_has_a_drawing_with_its_score_and_the_texts_of_its_snapshot() {
    let without = inspected().pages[0].drawing.as_ref().unwrap().draw(80, 24, None).text();
    assert!(
        without.contains("AES ") && without.contains(" · 1 outside") && !without.contains("Hello"),
        "{without}"
    );
    let mut details = details();
    let store: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
    let page = page_json(&[element("go", (60.0, 100.0, 200.0, 80.0), "rgb(0, 0, 0)")]);
    details.states[0].generated.snapshot = Some(store.put("text/plain", page.as_bytes()).unwrap());
    let bytes = serde_json::to_vec(&details).unwrap();
    let found = Inspector.inspect(&observation_in(&store, &bytes)).unwrap();
    let text = found.pages[0].drawing.as_ref().unwrap().draw(80, 24, None).text();
    assert!(text.contains("│Hello"), "{text}");
}

#[test]
fn the_present_files_are_named_by_their_parameters() {
    let code = inspected().code;
    let texts: Vec<_> = code.iter().map(|(name, text)| (name.as_str(), &**text)).collect();
    assert_eq!(texts, [("html", "<p>page</p>"), ("js", "let a;")]);
}

/// A row by the labels that lead to it.
fn row<'a>(rows: &'a [ScoreRow], labels: &[&str]) -> &'a ScoreRow {
    let found =
        rows.iter().find(|row| row.label == labels[0]).unwrap_or_else(|| panic!("{labels:?} in {rows:?}"));
    if labels.len() == 1 { found } else { row(&found.rows, &labels[1..]) }
}

fn number(row: &ScoreRow) -> f64 {
    row.value.replace('−', "-").parse().unwrap()
}

#[test]
fn the_rows_of_the_score_add_up() {
    let rows = inspected().score;
    let score = row(&rows, &["AES"]);
    let lost = row(&rows, &["lost"]);
    assert!((number(score) - number(lost) - 100.0).abs() < 0.02, "{score:?} {lost:?}");
    assert!((lost.rows.iter().map(number).sum::<f64>() - number(lost)).abs() < 0.05);
    let send = row(&rows, &["as opened", "p#send"]);
    assert_eq!(send.pair, Some(mageyard_domain::PairPlace { page: 0, pair: 1 }));
    assert_eq!(send.note, "matched with p#go");
    assert!(number(send) < -1.0, "{send:?}");
    assert!((send.rows.iter().map(number).sum::<f64>() - number(send)).abs() < 0.03, "{send:?}");
    let color = row(&rows, &["as opened", "p#send", "color"]);
    // One of three channels differs by 128 of 256.
    assert_eq!(color.note, "rgb(0, 0, 0) → rgb(128, 0, 0), alike 0.833");
    assert_eq!(
        row(&rows, &["as opened", "p#send", "position"]).note,
        "200×80 at (40, 100) → 200×80 at (60, 100), alike 0.950"
    );
    assert_eq!(row(&rows, &["as opened", "p#end"]).value, "counts 0");
    assert_eq!(row(&rows, &["rendering", "rules"]).value, "parity");
    let first = &row(&rows, &["as opened"]).rows[0];
    assert_eq!(first.label, "p#send", "what costs most comes first");
}

#[test]
fn an_observation_without_a_score_has_no_views_and_a_damaged_one_is_an_error() {
    let bare = Observation::from_parts(vec![ObservationPart::Text("a task".into())], "a task", Value::Null);
    assert_eq!(Inspector.inspect(&bare), Ok(ObservationDetails::default()));
    let why = Inspector.inspect(&observation(b"{}")).unwrap_err().to_string();
    assert!(why.starts_with("the details of this observation cannot be shown: missing field"), "{why}");
}
