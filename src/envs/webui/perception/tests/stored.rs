//! Observations of a small page with everything that is stored beside them, as an episode records them.

use std::io::Cursor;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::details::SNAPSHOT_MEDIA;
use crate::observation::{ObservationBuilder, PNG};
use crate::perception::{LayoutPart, Side};
use crate::snapshot::PROPERTIES;
use mageyard_domain::{BlobStore, MemoryBlobStore, Observation};

/// The size of the pictures.
pub(super) const SIZE: [u32; 2] = [640, 320];
/// How far the page is scrolled down.
pub(super) const DOWN: f64 = 30.0;

/// An element of a page with these styles; all others are as usual.
pub(super) fn element(tag: &str, area: [f64; 4], inside: u32, text: &str, styles: &[(&str, &str)]) -> Value {
    let usual = |name: &str| match name {
        "color" => "rgb(0, 0, 0)",
        "background-color" => "rgba(0, 0, 0, 0)",
        "font-size" => "16px",
        "font-weight" => "400",
        "font-style" | "letter-spacing" => "normal",
        "font-family" => "serif",
        _ if name.ends_with("-width") || name.ends_with("-radius") => "0px",
        _ => "none",
    };
    let style =
        |name: &&str| styles.iter().find(|(given, _)| given == name).map_or(usual(name), |(_, value)| value);
    let styles: Vec<&str> = PROPERTIES.iter().map(style).collect();
    let [x, y, w, h] = area;
    json!({
        "tag": tag, "id": "", "x": x, "y": y + DOWN, "w": w, "h": h, "descendants": inside, "class": "secret",
        "filter": null, "evalby": "text", "text": text, "styles": styles,
    })
}

/// A page with a heading, a text, a card with two buttons, a link and a picture, and what is below the picture.
pub(super) fn elements() -> Vec<Value> {
    let blue = [("background-color", "rgb(20, 60, 120)"), ("color", "rgb(255, 255, 255)")];
    let card = [
        ("background-color", "rgb(255, 255, 255)"),
        ("border-top-width", "2px"),
        ("border-top-style", "solid"),
        ("border-top-color", "rgb(1, 2, 3)"),
        ("border-top-left-radius", "8px"),
    ];
    vec![
        element("main", [0.0, 0.0, 640.0, 300.0], 7, "Tea shop\nFresh every day\nSend Cancel\nMore", &[]),
        element(
            "h1",
            [0.0, 10.0, 640.0, 40.0],
            0,
            "Tea shop",
            &[("font-weight", "700"), ("font-size", "32px")],
        ),
        element("p", [0.0, 60.0, 640.0, 20.0], 1, "Fresh every day", &[]),
        element("b", [40.0, 60.0, 40.0, 20.0], 0, "every", &[]),
        element("div", [20.0, 100.0, 300.0, 120.0], 2, "Send Cancel", &card),
        element("button", [40.0, 120.0, 100.0, 40.0], 0, "Send", &blue),
        element(
            "button",
            [160.0, 120.0, 100.0, 40.0],
            0,
            "Cancel",
            &[("background-color", "rgb(200, 0, 0)")],
        ),
        element("a", [400.0, 240.0, 60.0, 20.0], 0, "More", &[("color", "rgb(0, 0, 255)")]),
        element("img", [400.0, 100.0, 80.0, 80.0], 0, "", &[]),
        element("p", [0.0, 900.0, 640.0, 20.0], 0, "Below", &[]),
    ]
}

/// The text of a snapshot.
pub(super) fn snapshot(elements: &[Value]) -> String {
    json!({
        "version": 1, "viewport": SIZE, "document": [640, 1200], "base": "", "properties": PROPERTIES.as_slice(),
        "limit": null, "elements": elements,
    })
    .to_string()
}

fn png(shade: u8) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let [width, height] = SIZE;
    let picture = image::RgbImage::from_pixel(width, height, image::Rgb([shade; 3]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// An observation with a picture of the wanted page in the description, another picture there, and one of the present page.
pub(super) fn observation(wanted: &[Value], present: Option<&[Value]>) -> Observation {
    observation_in(&(Arc::new(MemoryBlobStore::default()) as Arc<dyn BlobStore>), wanted, present)
}

/// The same with its blobs in this store.
pub(super) fn observation_in(
    blobs: &Arc<dyn BlobStore>,
    wanted: &[Value],
    present: Option<&[Value]>,
) -> Observation {
    let mut shown = ObservationBuilder::new(blobs);
    shown.add_text("Build this page.");
    let mut add = |side, shade, elements: &[Value]| {
        let snapshot = shown.put(SNAPSHOT_MEDIA, snapshot(elements).as_bytes()).unwrap();
        let (part, scroll) = (shown.next_part(), [0.0, DOWN]);
        shown.add_layouts([LayoutPart { part, side, state: 0, scroll, snapshot }]);
        shown.add_picture(PNG, &png(shade)).unwrap();
        if side == Side::Wanted {
            shown.add_picture(PNG, &png(9)).unwrap();
            shown.add_text("The present page:");
        }
    };
    add(Side::Wanted, 200, wanted);
    if let Some(present) = present {
        add(Side::Present, 250, present);
    }
    shown.add_pictures().unwrap();
    shown.finish(json!({"task_parts": 3}))
}
