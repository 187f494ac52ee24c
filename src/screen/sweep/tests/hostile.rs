//! The dashboard with text from outside in every field.

use super::*;
use mageyard_domain::is_hidden;

const TEXT: &str = "箱\u{1b}[2J\u{1b}]52;c;QUJD\u{7}\u{202e}\u{200d}\u{9b}5A\0\r\u{7f}\n\tend";

fn hostile_content() -> Content {
    let own = || TEXT.to_owned();
    let mut shown = view();
    (shown.name, shown.spent, shown.servers, shown.note) = (own(), own(), own(), own());
    shown.columns = vec![own(), own()];
    for cell in &mut shown.cells {
        (cell.name, cell.values, cell.note) = (own(), vec![own(), own()], own());
    }
    let mut map = map(TEXT);
    (map.columns, map.baselines, map.findings) = (vec![own(), own()], own(), vec![own(), own()]);
    for (name, places) in &mut map.rows {
        *name = own();
        for place in places {
            place.content = PlaceContent::Struck(own());
        }
    }
    let mut episodes = episodes();
    episodes.problem = own();
    for row in &mut episodes.episodes {
        (row.folder, row.level) = (own(), own());
        (row.score, row.errors, row.tokens, row.time) = (own(), own(), own(), own());
    }
    Content { view: Arc::new(shown), scores: scores(vec![map]), episodes: Arc::new(episodes) }
}

#[test]
fn no_page_hands_on_a_control_character() {
    let content = hostile_content();
    for size in [(120, 40), (80, 24), (60, 16)] {
        let mut state = DashboardState::default();
        state.say(TEXT.to_owned());
        for code in ["", "enter", "enter", "?", "esc", "tab", "esc", "tab", "v"] {
            if !code.is_empty() {
                let key = crate::testing::key(code);
                state.press(key, Keymap::default().dashboard(), &content);
            }
            for row in drawn(&content, &mut state, size) {
                assert!(!row.contains(is_hidden) && !row.contains(['\n', '\t']), "{code} {size:?}: {row:?}");
            }
        }
    }
}
