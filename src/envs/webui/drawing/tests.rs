use proptest::prelude::*;

use super::*;

fn mark(target: Area, generated: Option<Area>, label: &str) -> Mark {
    Mark { target, generated, label: label.into(), is_alike: label == "=" }
}

fn page() -> PageDrawing {
    let heading = [0.0, 0.0, 400.0, 80.0];
    let moved = [160.0, 120.0, 160.0, 60.0];
    PageDrawing {
        viewport: [400.0, 240.0],
        title: "AES 61".into(),
        texts: vec![(heading, "The heading\u{1b}[2J".into()), (moved, "Send it to them".into())],
        marks: vec![
            mark(heading, Some(heading), "="),
            mark([40.0, 120.0, 160.0, 60.0], Some(moved), "~61"),
            mark([40.0, 200.0, 120.0, 20.0], None, "!p.end"),
        ],
    }
}

#[test]
fn texts_outlines_differences_and_scores_are_where_they_are_on_the_page() {
    let text = page().draw(40, 13, None).text();
    let expected = [
        "┌─────────────────────────────────────=┐",
        "│The heading␛[2J                       │",
        "│                                      │",
        "└──────────────────────────────────────┘",
        "",
        "",
        "    ╌╌╌╌╌╌╌╌╌╌╌╌┌───────────~61┐",
        "    ╎           │Send it to th…│",
        "    ╌╌╌╌╌╌╌╌╌╌╌╌└──────────────┘",
        "",
        "    ╌!p.end╌╌╌╌╌",
        "",
        "AES 61 · = alike  ~ differs  ! missing",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_smallest_drawing_has_texts_and_marks() {
    let text = page().draw(20, 8, None).text();
    let expected = [
        "┌The heading␛[2J──=┐",
        "└──────────────────┘",
        "",
        "",
        "  ╌╌╌╌╌╌╶Sen~61╴",
        "",
        "  ╌!p.e…",
        "AES 61",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn marks_have_roles() {
    let grid = page().draw(80, 30, None);
    let role = |symbol: char| grid.rows().flatten().find(|cell| cell.symbol == symbol).map(|cell| cell.role);
    assert_eq!(
        ['=', '~', '!', '╌', '┌', 'S'].map(role),
        [
            CellRole::Alike,
            CellRole::Differing,
            CellRole::First,
            CellRole::First,
            CellRole::Second,
            CellRole::Text
        ]
        .map(Some)
    );
}

#[test]
fn texts_are_wrapped_by_words_and_the_rest_is_cut() {
    let mut grid = CellGrid::new(12, 5);
    write_text([0, 0, 9, 3], "one two three four five", &mut grid);
    assert_eq!(grid.text(), "\n one two\n three f…\n\n\n");
}

fn area() -> impl Strategy<Value = Area> {
    prop_oneof![
        [-100.0..500.0, -100.0..500.0, 0.0..500.0, 0.0..300.0],
        [any::<f64>(), any::<f64>(), any::<f64>(), any::<f64>()]
    ]
}

proptest! {
    #[test]
    fn no_size_panics_and_the_drawing_fits(
        columns in 0_u16..210, rows in 0_u16..70,
        texts in prop::collection::vec((area(), any::<String>()), 0..6),
        marks in prop::collection::vec((area(), prop::option::of(area()), any::<String>()), 0..6),
    ) {
        let marks = marks.iter().map(|(target, generated, label)| mark(*target, *generated, label)).collect();
        let drawing = PageDrawing { texts, marks, ..page() };
        let grid = drawing.draw(columns, rows, None);
        prop_assert_eq!((grid.columns(), grid.rows().len()), (columns.into(), if columns == 0 { 0 } else { rows.into() }));
    }
}
