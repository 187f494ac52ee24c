use proptest::prelude::*;

use super::*;

#[test]
fn lines_that_meet_are_joined_and_end_at_the_edge() {
    let mut grid = CellGrid::new(7, 4);
    grid.outline([0, 0], [4, 2], CellRole::Line);
    grid.vertical(2, 0, 2, CellRole::Line);
    grid.horizontal(1, 4, i32::MAX, CellRole::Note);
    assert_eq!(grid.text(), "┌─┬─┐\n│ │ ├──\n└─┴─┘\n\n");
    assert_eq!(grid.get(6, 1).map(|cell| cell.role), Some(CellRole::Note));
    assert_eq!(grid.get(7, 1), None);
}

#[test]
fn a_text_is_cut_with_a_mark_and_cannot_control_a_terminal() {
    let mut grid = CellGrid::new(10, 3);
    grid.write((1, 0), 5, "abcdefgh", CellRole::Text);
    grid.write((0, 1), 10, "a\u{1b}[2J\u{202e}b", CellRole::Text);
    grid.write((7, 2), 9, "over the edge", CellRole::Text);
    assert_eq!(grid.text(), " abcd…\na␛[2J⟨U+2…\n       ove\n");
}

#[test]
fn half_a_wide_symbol_is_never_drawn() {
    let mut grid = CellGrid::new(4, 2);
    grid.write((0, 0), 4, "中文", CellRole::Text);
    assert_eq!(grid.text(), "中文\n\n");
    assert_eq!(grid.get(1, 0).unwrap().symbol, SECOND_COLUMN);
    grid.put(1, 0, 'x', CellRole::Line);
    grid.put(2, 0, 'y', CellRole::Line);
    assert_eq!(grid.text(), " xy\n\n");
    grid.write((3, 1), 2, "中", CellRole::Text);
    grid.write((-1, 1), 2, "中", CellRole::Text);
    assert_eq!(grid.text(), " xy\n\n");
}

proptest! {
    #[test]
    fn nothing_is_drawn_outside_and_each_row_keeps_its_width(
        size in (0_u16..20, 0_u16..8), at in (any::<i32>(), any::<i32>()), near in (-30_i32..30, -10_i32..10),
        text in any::<String>(), width in any::<i32>(),
    ) {
        let mut grid = CellGrid::new(size.0, size.1);
        for (x, y) in [at, near] {
            grid.write((x, y), width, &text, CellRole::Text);
            grid.outline([x, y], [near.0, near.1], CellRole::Line);
            grid.put(x, y, '*', CellRole::Trail);
        }
        prop_assert!(grid.rows().all(|row| row.len() == usize::from(size.0)));
        for row in grid.rows() {
            for (at, cell) in row.iter().enumerate() {
                let wide = unicode_width::UnicodeWidthChar::width(cell.symbol);
                let is_second = row.get(at + 1).is_some_and(|next| next.symbol == SECOND_COLUMN);
                prop_assert_eq!(wide == Some(2), is_second);
                prop_assert!(cell.symbol == SECOND_COLUMN || !crate::sanitize::is_hidden(cell.symbol));
            }
        }
    }
}
