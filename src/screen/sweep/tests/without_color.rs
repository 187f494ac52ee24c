//! What is selected, and the states of cells, are told apart without colour.

use std::collections::HashSet;

use ratatui::style::Modifier;

use super::*;
use mageyard_terminal::ColorDepth;

/// The dashboard without the colours of this theme.
fn plain(content: &Content, state: &DashboardState, theme: &Theme) -> Vec<(String, Modifier)> {
    let area = Rect::new(0, 0, 80, 24);
    let mut buffer = Buffer::empty(area);
    let mut state = state.clone();
    let keys = Keymap::default();
    draw_state(content, &mut state, theme, keys.dashboard(), &mut buffer);
    let lasting = Modifier::BOLD | Modifier::UNDERLINED | Modifier::REVERSED;
    buffer.content.iter().map(|cell| (cell.symbol().to_owned(), cell.modifier & lasting)).collect()
}

/// Rows of a drawing, without the lines about the selected one.
fn rows(cells: &[(String, Modifier)]) -> &[(String, Modifier)] {
    &cells[..80 * 21]
}

#[test]
fn what_is_selected_on_each_page() {
    // The rows of all cells are alike, but for their signs.
    let (mut content, listed) = (content(), content());
    let mut alike = SweepView::clone(&content.view);
    alike.cells = (0..6).map(|_| cell(0, CellPhase::Done)).collect();
    content.view = Arc::new(alike);
    let with_maps = with_maps();
    for (name, depth) in
        [("dark", ColorDepth::TrueColor), ("light", ColorDepth::Ansi16), ("dark", ColorDepth::None)]
    {
        let theme = Theme::named(name).unwrap().for_depth(depth);
        for (what, content, keys) in [
            ("cells", &content, &[][..]),
            ("places", &with_maps, &[]),
            ("episodes", &listed, &[KeyCode::Down, KeyCode::Enter]),
        ] {
            let mut state = DashboardState::default();
            plain(content, &state, &theme);
            for key in keys {
                press(&mut state, content, *key);
            }
            let mut seen = HashSet::new();
            for _ in 0..3 {
                let drawn = plain(content, &state, &theme);
                assert!(seen.insert(rows(&drawn).to_vec()), "{what} with {name} {depth:?}");
                press(&mut state, content, KeyCode::Down);
            }
        }
    }
}

#[test]
fn the_signs_of_states_differ() {
    let signs: HashSet<_> = CellPhase::ALL.map(CellPhase::sign).into();
    assert_eq!(signs.len(), CellPhase::ALL.len());
}
