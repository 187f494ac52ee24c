//! What happens now: running episodes with their frames, failures and retries, limits, and maps beside each other.

use super::*;
use crate::small_frame::SmallFrame;
use crate::sweep::page::Page;
use crate::sweep::{Incident, IncidentKind, LimitUse, RunningEpisode};
use mageyard_domain::{Glyph, Observation, Presentation};

const GLYPHS: &[(char, Glyph)] = &[('#', Glyph::Obstacle), ('@', Glyph::Agent), (' ', Glyph::Floor)];

fn running(number: u32) -> RunningEpisode {
    let board = Observation::from_parts(vec![], "####\n#@ #\n####\n\n@ is you".to_owned(), ());
    let presentation = Presentation { glyphs: GLYPHS, ..Presentation::NONE };
    RunningEpisode {
        cell: 2,
        journal: Path::new(&format!("000{number}")).join("journal.jsonl"),
        level: format!("sokoban/mini/{number}"),
        repeat: "1".to_owned(),
        step: number,
        max_steps: 30,
        score: "score 45.20".to_owned(),
        action: "Left".to_owned(),
        frame: SmallFrame::of(&board, &presentation),
    }
}

fn busy() -> Content {
    let mut incidents = Vec::new();
    Incident::count_in(&mut incidents, IncidentKind::Failed, "status 500", "overloaded");
    Incident::count_in(&mut incidents, IncidentKind::Retried, "", "first");
    Incident::count_in(&mut incidents, IncidentKind::Retried, "", "the connection broke");
    let limits = vec![
        LimitUse { name: "cost".to_owned(), text: "9.50 of 10 USD".to_owned(), share: 950 },
        LimitUse { name: "tokens".to_owned(), text: "1,000 of 4,000".to_owned(), share: 250 },
    ];
    let view = SweepView { running: (1..=3).map(running).collect(), incidents, limits, ..view() };
    Content { view: Arc::new(view), ..with_maps() }
}

fn has(rows: &[String], words: &str) {
    assert!(rows.iter().any(|row| row.contains(words)), "{words}: {rows:#?}");
}

#[test]
fn limits_are_bars_with_numbers() {
    let rows = drawn(&busy(), &mut DashboardState::default(), (120, 40));
    let cost = "cost ███████████████████░ 9.50 of 10 USD, 95.0 %";
    assert_eq!(rows[2], format!(" {cost}   tokens █████░░░░░░░░░░░░░░░ 1,000 of 4,000, 25.0 %"));
}

#[test]
fn a_large_screen_has_maps_the_table_running_episodes_and_failures_side_by_side() {
    for size in [(120, 40), (200, 60)] {
        let mut view = SweepView::clone(&busy().view);
        view.cells.extend((6..30).map(|number| cell(number, CellPhase::Queued)));
        let content = Content { view: Arc::new(view), ..busy() };
        let rows = drawn(&content, &mut DashboardState::default(), size);
        for words in [
            "▸prompt A",
            "Score by AM and OM  prompt A",
            "state      am  om  episodes",
            "Running  ",
            "sokoban/mini/1",
            "→ Left",
            "##@   ##",
            "! 1 failed: status 500",
            "  the connection broke",
            "errors: parse 3, ia 1",
            "Selected cell",
        ] {
            has(&rows, words);
        }
        let last = usize::from(size.1) - 3;
        let is_empty = |row: &&String| row.trim().is_empty();
        let empty = rows[..last].iter().filter(is_empty).count();
        assert!(empty < usize::from(size.1) / 3, "{size:?} has {empty} empty rows: {rows:#?}");
    }
}

#[test]
fn a_small_screen_has_what_happens_now_on_a_page_of_its_own() {
    let content = busy();
    let mut state = DashboardState { page: Page::Activity, ..DashboardState::default() };
    let rows = drawn(&content, &mut state, (80, 24));
    for words in ["Running  ", "step 1 of 30 · score 45.20", "##@   ##", "↻ 2 retried", "am 10 · om 0"] {
        has(&rows, words);
    }
    press(&mut state, &content, KeyCode::Down);
    assert_eq!(press(&mut state, &content, KeyCode::Enter), Outcome::Show("0002/journal.jsonl".into()));
    press(&mut state, &content, KeyCode::End);
    press(&mut state, &content, KeyCode::Down);
    assert_eq!(state.running, 2);
    has(&drawn(&content, &mut state, (80, 24)), "sokoban/mini/3");
    assert_eq!(press(&mut state, &content, KeyCode::Esc), Outcome::Draw);
    assert_eq!(state.page(&content), Page::Map);
}

#[test]
fn frames_can_be_left_out() {
    let content = busy();
    let area = Rect::new(0, 0, 120, 40);
    let mut buffer = Buffer::empty(area);
    let (theme, keymap) = (Theme::labelled(), Keymap::default());
    let look = DashboardLook { theme: &theme, keys: keymap.dashboard(), notice: None, has_frames: false };
    draw(&Dashboard::new(content), &look, area, &mut buffer);
    let text: String = buffer.content().iter().map(|cell| cell.symbol().to_owned()).collect();
    assert!(text.contains("sokoban/mini/1") && !text.contains("##@"), "{text}");
}

#[test]
fn all_maps_are_beside_each_other_as_far_as_they_fit() {
    let maps = |count: usize| {
        let named = (1..=count).map(|number| map(&format!("agent model, prompt P{number}")));
        Content { scores: scores(named.collect()), ..content() }
    };
    let mut state = DashboardState::default();
    let rows = drawn(&maps(4), &mut state, (100, 40));
    assert!(rows[5].starts_with("▸prompt P1") && rows[5].contains(" prompt P4"), "{}", rows[5]);
    assert_eq!(&rows[6][..20], "       OM 1    OM 2 ");
    assert!(rows[7].starts_with(" AM 1  ·45.17◇ ╱╱╱"), "{}", rows[7]);
    assert!(rows[8].starts_with(" AM 5  █61.50▲ ░47.25"), "{}", rows[8]);
    let content = maps(30);
    press(&mut state, &content, KeyCode::Char('N'));
    let rows = drawn(&content, &mut state, (80, 24));
    has(&rows, "▸prompt P30");
    has(&rows, "agent model, prompt P30  map 30 of 30");
}

#[test]
fn arrows_lead_from_one_map_to_the_map_beside_it() {
    let content = with_maps();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Down);
    press(&mut state, &content, KeyCode::Right);
    assert_eq!((state.map, state.place), (0, (1, 1)));
    press(&mut state, &content, KeyCode::Right);
    assert_eq!((state.map, state.place), (1, (1, 0)));
    press(&mut state, &content, KeyCode::Left);
    assert_eq!((state.map, state.place), (0, (1, 1)));
    for _ in 0..9 {
        press(&mut state, &content, KeyCode::Right);
    }
    assert_eq!((state.map, state.place), (1, (1, 1)), "it ends at the last map");
}

#[test]
fn a_sweep_without_maps_has_its_verdict_too() {
    let found = SweepScores { findings: vec!["no cell differs".to_owned()], ..SweepScores::default() };
    let content = Content { scores: Arc::new(found), ..content() };
    let rows = drawn(&content, &mut DashboardState::default(), (100, 30));
    assert_eq!(rows[4], " no cell differs");
}

#[test]
fn many_episodes_of_a_cell_are_summed_up_by_level() {
    let row = |number: usize| EpisodeRow {
        level: format!("sokoban/mini/{}", number / 50 + 1),
        state: EpisodeState::Ended(if number % 50 < 10 { Ending::Won } else { Ending::StepLimit }),
        score: if number.is_multiple_of(2) { "40.00" } else { "50.00" }.to_owned(),
        ..EpisodeRow::default()
    };
    let episodes =
        CellEpisodes { cell: Some(0), episodes: (0..100).map(row).collect(), problem: String::new() };
    let content = Content { episodes: Arc::new(episodes), ..with_maps() };
    let rows = drawn(&content, &mut DashboardState::default(), (120, 40));
    has(&rows, "sokoban/mini/2  10/50 won  45.00");
}

#[test]
fn a_place_whose_episodes_were_not_read_yet_says_so() {
    let content = with_maps();
    let mut state = DashboardState { place: (2, 0), selected: 5, ..DashboardState::default() };
    let rows = drawn(&content, &mut state, (100, 30));
    has(&rows, "AM 10, OM 1: 2 of 5 episodes are finished, their scores are being read");
}
