//! What is read is what python-pptx reads (`tests/files/slides/make.py`).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{BOTH, GOOD, OFFICE};
use crate::office::pptx::{Bullet, Kind, Notes, Paragraph, Presentation, Run, RunKind, Shape, Slide};

const READINGS: &str = include_str!("../../../tests/files/slides/python-pptx.json");

/// The number of `MSO_SHAPE_TYPE`.
fn number(shape: &Shape) -> Option<u32> {
    if shape.placeholder {
        return Some(14);
    }
    match shape.kind {
        Kind::AutoShape => Some(1),
        Kind::Freeform => Some(5),
        Kind::Group => Some(6),
        Kind::Line => Some(9),
        Kind::Picture => Some(13),
        Kind::TextBox => Some(17),
        Kind::Table => Some(19),
        Kind::Graphic => Some(3),
        Kind::Formless | Kind::Media | Kind::Other => None,
    }
}

fn read_run(run: &Run) -> Value {
    let format = &run.direct;
    let rgb = format.rgb.map(|[red, green, blue]| format!("{red:02X}{green:02X}{blue:02X}"));
    json!({
        "text": run.text, "font": format.font.as_deref(), "size": format.size, "bold": format.bold,
        "italic": format.italic, "underline": format.underline.as_deref(),
        "strike": format.strike.as_deref(), "rgb": rgb,
    })
}

fn read_paragraph(paragraph: &Paragraph) -> Value {
    let character = match &paragraph.direct.bullet {
        Some(Bullet::Character(character)) => Some(character.as_ref()),
        _ => None,
    };
    let runs = paragraph.runs.iter().filter(|run| run.kind == RunKind::Text);
    json!({
        "text": paragraph.text, "level": paragraph.level, "bullet": character,
        "alignment": paragraph.direct.alignment.as_deref(), "runs": runs.map(read_run).collect::<Vec<_>>(),
    })
}

fn text(paragraphs: &[Paragraph]) -> String {
    paragraphs.iter().map(|paragraph| paragraph.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn read_shape(shape: &Shape) -> Value {
    let frame = shape.frame;
    let rows = shape.rows.iter();
    let cells: Vec<Vec<String>> = rows.map(|row| row.iter().map(|cell| text(cell)).collect()).collect();
    let child = |child: &Shape| json!({"name": child.name, "text": child.text.as_deref().map(text)});
    json!({
        "name": shape.name, "type": number(shape),
        "frame": [frame.left, frame.top, frame.width, frame.height],
        "text": shape.text.as_ref().map(|text| text.iter().map(read_paragraph).collect::<Vec<_>>()),
        "cells": cells, "children": shape.children.iter().map(child).collect::<Vec<_>>(),
        "picture": shape.picture.as_ref().map(|bytes| bytes.len()),
    })
}

fn read_slide(slide: &Slide) -> Value {
    let notes = match &slide.notes {
        Notes::Text(text) => Some(text.as_str()),
        Notes::Missing | Notes::NoPlaceholder => None,
    };
    json!({"notes": notes, "shapes": slide.shapes.iter().map(read_shape).collect::<Vec<_>>()})
}

fn compare(place: &str, found: &Value, expected: &Value, count: &mut usize) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let keys = |map: &Map<String, Value>| map.keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(keys(found), keys(expected), "{place}");
            for (name, value) in found {
                compare(&format!("{place}.{name}"), value, &expected[name], count);
            }
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{place}");
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                compare(&format!("{place}[{index}]"), found, expected, count);
            }
        }
        (found, expected) => {
            assert_eq!(found, expected, "{place}");
            *count += 1;
        }
    }
}

#[test]
fn everything_is_read_as_python_pptx_reads_it() {
    let readings: Value = serde_json::from_str(READINGS).unwrap();
    let mut count = 0;
    for (name, bytes) in [("good.pptx", GOOD), ("office.pptx", OFFICE)] {
        let presentation = Presentation::read(bytes).unwrap();
        let slides: Vec<Value> = presentation.slides.iter().map(read_slide).collect();
        let read = json!({"size": [presentation.size.width, presentation.size.height], "slides": slides});
        compare(name, &read, &readings[name], &mut count);
    }
    assert!(count > 500, "{count} values were compared");
}

#[test]
fn two_programs_write_the_same_presentation() {
    let all = json!({});
    for rules in BOTH {
        assert_eq!(super::compare(GOOD, GOOD, &all, rules), Ok(()));
        assert_eq!(super::compare(OFFICE, OFFICE, &all, rules), Ok(()));
    }
    assert_eq!(super::compare(GOOD, OFFICE, &all, super::STANDARD), Ok(()));
    assert_eq!(super::compare(OFFICE, GOOD, &all, super::STANDARD), Ok(()));
}
