use proptest::prelude::*;

use super::*;

fn small() -> PitchDrawing {
    PitchDrawing {
        title: "frame 12 of 400 · 0:0".into(),
        left: vec![[-0.9, 0.0], [0.0, 0.2]],
        right: vec![[0.9, 0.0]],
        ball: [0.1, 0.2],
        active: 1,
        sticky: Sticky::default(),
        trail: vec![[-0.2, 0.2], [-0.1, 0.2]],
    }
}

fn drawn(columns: u16, rows: u16, action: &str) -> String {
    let action = Action::plain(action);
    small().draw(columns, rows, Some(&action)).text()
}

#[test]
fn a_small_pitch_has_players_ball_trail_and_the_arrow_of_a_run() {
    let expected = "\
frame 12 of 400 · 0:0
 ┌──────────────────┬─────────────────┐
 │                  │                 │
 ├─────┐            │           ┌─────┤
 │     │            │           │     │
 │     │            │           │     │
[│     │            │           │     │]
[│ o1  │            │           │   x1│]
 │     │            │           │     │
 │     │        • • @2*--→      │     │
 ├─────┘            │           └─────┤
 │                  │                 │
 └──────────────────┴─────────────────┘
@ controlled  o own  x opponent  * ball
";
    assert_eq!(drawn(40, 14, "action_right"), expected);
}

#[test]
fn the_smallest_pitch_has_everybody() {
    let expected = "\
frame 12 of 400 · 0…
 ┌────────┬───────┐
 │        │       │
[│        │       │]
[│o1      │   --x1→]
 │      •*@2--    │
 └────────┴───────┘
";
    assert_eq!(drawn(20, 8, "action_shot"), expected, "a shot leads to the goal");
}

#[test]
fn a_large_pitch_has_all_lines_and_its_proportions() {
    let text = drawn(100, 60, "action_top_left");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 34);
    assert!(rows.iter().all(|row| row.chars().count() <= 100), "{text}");
    assert!(text.contains("·····") && text.contains('↖') && text.contains("• trail"), "{text}");
    let flat = small().draw(200, 20, None);
    assert_eq!(
        (flat.columns(), flat.rows().len()),
        (77, 20),
        "a flat room has a pitch that is a little longer"
    );
}

#[test]
fn an_action_without_a_way_is_written_beside_the_player() {
    let text = drawn(60, 20, "action_short_pass");
    let at = text.lines().position(|row| row.contains("@2")).unwrap();
    assert!(text.lines().nth(at - 1).unwrap().contains("short pass"), "{text}");
    let held = Sticky([false, false, true, false, false, false, false, false, true, false]);
    let pass = PitchDrawing { sticky: held, ..small() };
    let text = pass.draw(60, 20, Some(&Action::plain("action_short_pass"))).text();
    assert!(text.contains('↑') && !text.contains("short pass"), "{text}");
}

#[test]
fn those_who_share_a_place_are_side_by_side_and_have_roles() {
    let at = [0.2, 0.1];
    let together = PitchDrawing { left: vec![at, at], right: vec![at, at], ball: at, ..small() };
    let grid = together.draw(60, 20, None);
    let text = grid.text();
    for label in ["@2", "o1", "x1", "x2", "*"] {
        assert!(text.contains(label), "{label}: {text}");
    }
    let role = |symbol: char| grid.rows().flatten().find(|cell| cell.symbol == symbol).map(|cell| cell.role);
    let thing = |glyph| Some(CellRole::Thing(glyph));
    assert_eq!(
        ['@', 'x', '*', '┌'].map(role),
        [thing(Glyph::Agent), thing(Glyph::Opponent), thing(Glyph::Ball), Some(CellRole::Line)]
    );
}

#[test]
fn facts_have_the_same_places() {
    let facts = serde_json::json!({
        "ball": [0.1, 0.2, 0.11], "active": 1,
        "left_team": [[-0.9, 0.0], [0.0, 0.2]], "right_team": [[0.9, 0.0]],
    });
    let expected = PitchDrawing { title: String::new(), trail: Vec::new(), ..small() };
    assert_eq!(PitchDrawing::of_facts(&facts), Some(expected));
    assert_eq!(PitchDrawing::of_facts(&serde_json::json!({})), None);
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![[-1.3..1.3, -0.6..0.6], [any::<f64>(), any::<f64>()]]
}

proptest! {
    #[test]
    fn no_size_panics_and_the_drawing_fits(
        columns in 0_u16..210, rows in 0_u16..70, action in 0_u8..33, active in 0_usize..12,
        left in prop::collection::vec(place(), 0..11), right in prop::collection::vec(place(), 0..11),
        ball in place(), trail in prop::collection::vec(place(), 0..10),
    ) {
        let drawing = PitchDrawing { left, right, ball, active, trail, ..small() };
        let action = EngineAction::from_code(action).map(|action| Action::plain(action.name()));
        let grid = drawing.draw(columns, rows, action.as_ref());
        prop_assert!(grid.columns() <= columns.into() && grid.rows().len() <= rows.into());
        prop_assert_eq!(grid, drawing.draw(columns, rows, action.as_ref()));
    }
}
