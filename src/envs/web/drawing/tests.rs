use mageyard_domain::CellDrawing;

use super::*;
use crate::page::{PageReading, PageSigns};

fn element(number: u32, role: &str, label: &str, rect: Area) -> ReadElement {
    serde_json::from_value(serde_json::json!({
        "number": number, "kind": if role == "text" { "text" } else { "element" }, "role": role, "label": label,
        "tag": if role == "option" { "option" } else { "div" }, "value": null, "states": [], "rect": rect,
        "acts": matches!(role, "link" | "button" | "option"), "depth": 0, "frame": 0, "key": number,
    }))
    .unwrap()
}

fn reading(elements: Vec<ReadElement>) -> PageReading {
    PageReading {
        lines: Vec::new(),
        cut: 0,
        elements,
        frames: Vec::new(),
        title: "Shop\u{1b}".to_owned(),
        viewport: [800.0, 400.0],
        scroll: [0.0, 120.0],
        extent: [800.0, 2_000.0],
        signs: PageSigns::default(),
    }
}

fn sample() -> PageReading {
    reading(vec![
        element(1, "heading", "Books", [20.0, 0.0, 200.0, 40.0]),
        element(2, "button", "Buy now", [400.0, 80.0, 160.0, 120.0]),
        element(3, "text", "A long text of several words", [20.0, 80.0, 160.0, 80.0]),
        element(4, "link", "Far", [20.0, 900.0, 100.0, 20.0]),
        element(5, "option", "One", [20.0, 300.0, 100.0, 20.0]),
        element(6, "link", "More", [-10.0, 240.0, 100.0, 40.0]),
    ])
}

fn text(drawing: &PageDrawing, columns: u16, rows: u16) -> Vec<String> {
    let grid = drawing.draw(columns, rows, None);
    let lines = grid.rows().map(|row| row.iter().map(|cell| cell.symbol).collect::<String>());
    lines.map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn texts_and_numbers_are_at_their_places() {
    let found = text(&PageDrawing::new(&sample()), 40, 11);
    assert_eq!(found[0], " Books");
    assert!(found[2].contains("A long") && found[2].contains("2──────┐"), "{found:#?}");
    assert!(found[3].contains("│Buy n…│"), "{found:#?}");
    assert!(found[6] == "6 Mo…", "{found:#?}");
    assert_eq!(found[10], "from 120 of 2000 px");
    assert!(!found.concat().contains("Far"));
}

#[test]
fn any_size_can_be_drawn() {
    let drawing = PageDrawing::new(&sample());
    for (columns, rows) in [(0, 0), (1, 1), (1, 30), (300, 2), (80, 24)] {
        assert_eq!(drawing.draw(columns, rows, None).columns(), usize::from(columns));
    }
}

#[test]
fn boxes_are_those_of_what_is_operated_and_seen() {
    let boxes: Vec<(u32, [i32; 4])> = numbered_boxes(&sample()).map(Into::into).collect();
    assert_eq!(boxes, [(2, [400, 80, 160, 120]), (6, [-10, 240, 100, 40])]);
}

#[test]
fn a_cell_of_an_element_stands_for_its_middle() {
    let drawing = PageDrawing::new(&sample());
    let boxes: Vec<[i32; 4]> = numbered_boxes(&sample()).map(|one| one.rect).collect();
    let [columns, rows] = [60_u16, 20];
    let mut found = 0;
    for y in 0..rows - 1 {
        for x in 0..columns {
            let Some((right, down)) = drawing.pixel_at((columns, rows), (x, y)) else { continue };
            let [right, down] = [right, down].map(|at| i32::try_from(at).unwrap());
            let inside = |[left, top, width, height]: &[i32; 4]| {
                (*left..left + width).contains(&right) && (*top..top + height).contains(&down)
            };
            assert!(boxes.iter().any(inside), "cell {x}, {y}: {right}, {down}");
            found += 1;
        }
    }
    assert!(found > 4, "{found}");
    assert_eq!(drawing.pixel_at((columns, rows), (columns - 1, rows - 1)), None);
}
