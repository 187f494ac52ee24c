//! What each page shows.

use super::*;
use crate::sweep::lines;

#[test]
fn the_table_shows_counts_progress_a_sign_for_each_cell_and_rows() {
    let rows = drawn(&content(), &mut DashboardState::default(), (100, 20));
    assert_eq!(rows[0], " ablation  6 cells  ✓ 2 done  ▶ 1 running  ! 1 failed  ● 1 parked  · 1 queued");
    assert!(rows[1].ends_with("18 of 30 episodes  4.2/min  1 h 6 min left"), "{}", rows[1]);
    assert_eq!(rows[2], " 412 requests, 1,200,000 tokens, 3.20 USD");
    assert_eq!(rows[5], " ✓✓▶!●·");
    assert_eq!(rows[7], " state      am  om  episodes  won  score  difference  errors     cost  tokens");
    assert_eq!(rows[8], "▸✓ done     0   0        5/5    1  52.25           –       0    0 USD   1,000");
    assert_eq!(rows[9], " ✓ done     5   0        5/5    1  52.25           –       0  0.1 USD   2,000");
    assert_eq!(rows[10], " ▶ running  10  0        2/5    1  52.25           –       4  0.2 USD   3,000");
    assert!(rows[11].ends_with("   4,000  status 500: overload…"), "{}", rows[11]);
    assert_eq!(rows[17], " cell-0");
    let keys = " ↓ ↑ select  Enter episodes  f list: all cells  s sort: plan  Tab now  p pause  / find  ? help  q stop and quit";
    assert_eq!(drawn(&content(), &mut DashboardState::default(), (120, 20))[19], keys);
}

#[test]
fn the_map_shows_scores_shades_verdicts_and_what_cannot_be_played() {
    let content = Content { scores: scores(vec![map("prompt A")]), ..content() };
    let rows = drawn(&content, &mut DashboardState::default(), (100, 30));
    assert_eq!(rows[5], " Score by AM and OM  prompt A   baselines: random 12.00");
    assert_eq!(rows[6], "        OM 1                          OM 2");
    assert_eq!(rows[7], " AM 1   ··▸◇ 45.17  n 5               ╱╱ × cannot be played ╱╱╱╱╱╱");
    assert_eq!(rows[8], "        ··   [41.00, 52.00]           ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱");
    assert_eq!(rows[9], "        ··   reference                ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱");
    assert_eq!(rows[11], " AM 5   ██ ▲ 61.50  n 5               ░░ ≈ 47.25  n 5 ▶");
    assert_eq!(rows[13], "        ██   +16.33                   ░░   +2.08, inside noise");
    assert_eq!(rows[15], " AM 10     · queued                      – not planned");
    assert_eq!(rows[16], "           2 of 5 episodes");
    assert_eq!(rows[27], " AM 1, OM 1: 45.17 over 5 levels");
    assert_eq!(rows[29], " ← ↓ ↑ → select  Enter cell  Tab table  p pause  / find  ? help  q stop and quit");
}

#[test]
fn what_the_map_says_is_above_it_and_leaves_it_room() {
    let differs = "1 of 2 differs from AM 1, OM 1 beyond noise: AM 5, OM 1 by +16.33; ";
    let needed = "42 levels are needed to see 5 points";
    let content = |findings: usize| {
        let findings = vec![format!("{differs}{needed}"); findings];
        Content { scores: scores(vec![ScoreMap { findings, ..map("prompt A") }]), ..with_maps() }
    };
    let rows = drawn(&content(1), &mut DashboardState::default(), (120, 30));
    assert_eq!(rows[4], format!(" {differs}{needed}"));
    assert!(rows[7].starts_with("        OM 1                          OM 2"), "{}", rows[7]);
    let rows = drawn(&content(1), &mut DashboardState::default(), (80, 24));
    assert_eq!(
        [rows[4].as_str(), rows[5].as_str()],
        [&format!(" {}", differs.trim_end()), &format!(" {needed}")]
    );
    let rows = drawn(&content(3), &mut DashboardState::default(), (60, 16));
    let shown = rows.iter().filter(|row| row.contains("differs from")).count();
    assert!(shown > 0 && rows.iter().any(|row| row.ends_with('…')), "{rows:?}");
    for part in ["◇ 45.17", "▲ 61.50", "AM 10"] {
        assert!(rows.iter().any(|row| row.contains(part)), "the map is complete: {rows:?}");
    }
}

#[test]
fn a_small_map_has_one_line_for_each_place_and_cuts_no_number() {
    let rows = drawn(&with_maps(), &mut DashboardState::default(), (60, 16));
    assert_eq!(rows[7], " AM 1   ··▸◇ 45.17  n 5           ╱╱ × cannot be played ╱╱");
    assert_eq!(rows[8], " AM 5   ██ ▲ 61.50  n 5           ░░ ≈ 47.25  n 5 ▶");
    assert_eq!(rows[9], " AM 10     · queued                  – not planned");
    assert_eq!(rows[12], " low·░▒▓█high ◇ reference ≈ noise ▲▼ differs ? few × illegal");
}

#[test]
fn a_map_that_does_not_fit_is_shown_around_the_selected_place() {
    let row = |am: usize| {
        let place =
            |om: usize| score(am * 20 + om, &format!("{am}.{om:02}"), '≈', "+1.00, inside noise", '▒');
        (format!("AM {am}"), (0..20).map(place).collect())
    };
    let columns = (0..20).map(|om| format!("OM {om}")).collect();
    let large = ScoreMap { columns, rows: (0..40).map(row).collect(), ..ScoreMap::default() };
    let many = SweepView { cells: (0..800).map(|number| cell(number, CellPhase::Done)).collect(), ..view() };
    let content = Content { view: Arc::new(many), scores: scores(vec![large]), ..content() };
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::End);
    let rows = drawn(&content, &mut state, (80, 24));
    assert_eq!(state.selected, 799);
    assert!(rows[6].ends_with("OM 19") && rows[6].contains("OM 15"), "{}", rows[6]);
    assert!(rows[19].starts_with(" AM 39  ▒▒ ≈ 39.15") && rows[19].ends_with("▒▒▸≈ 39.19"), "{}", rows[19]);
}

#[test]
fn on_a_narrow_screen_columns_are_left_out_and_help_and_quit_stay() {
    let content = content();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Down);
    press(&mut state, &content, KeyCode::Enter);
    let rows = drawn(&content, &mut state, (60, 16));
    assert_eq!(rows[6], "    episode  level           ending      repeat  steps");
    assert!(rows[7].ends_with("won              1      8"), "{}", rows[7]);
    assert!(rows[15].ends_with("? help  q stop and quit"), "{}", rows[15]);
}

#[test]
fn the_episodes_of_a_cell_are_listed() {
    let content = content();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Down);
    press(&mut state, &content, KeyCode::Enter);
    let rows = drawn(&content, &mut state, (100, 20));
    assert_eq!(rows[5], " Cell am 5 · om 0");
    let titles =
        "    episode  level           ending      repeat  steps  score  errors          time  tokens";
    assert_eq!(rows[6], titles);
    let first = "▸✓  0001     sokoban/mini/1  won              1      8  49.00                 0.4 s    9872";
    assert_eq!(rows[7], first);
    let second =
        " ■  0002     sokoban/mini/1  step limit       1      8  49.00  parse 2, ia 1  0.4 s    9872";
    assert_eq!(rows[8], second);
    assert!(rows[9].starts_with(" ‖  0003     sokoban/mini/1  unfinished "), "{}", rows[9]);
    assert_eq!(
        rows[19],
        " ↓ ↑ select  Enter steps  f list: all episodes  Esc back  p pause  / find  ? help  q stop and quit"
    );
}

#[test]
fn a_cell_whose_episodes_are_not_read_yet_says_so() {
    let content = content();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Enter);
    let rows = drawn(&content, &mut state, (80, 24));
    assert_eq!(rows[6], " reading the episodes …");
    assert_eq!(press(&mut state, &content, KeyCode::Enter), Outcome::Draw, "there is none to show");
}

#[test]
fn the_help_lists_every_command_with_its_keys() {
    let content = with_maps();
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::Char('?'));
    let rows = drawn(&content, &mut state, (120, 50)).join("\n");
    for row in crate::command::commands_in(crate::command::ScreenView::Sweep) {
        assert!(rows.contains(&format!(" {}: ", row.name)), "{}: {rows}", row.name);
    }
    press(&mut state, &content, KeyCode::End);
    let rows = drawn(&content, &mut state, (60, 16)).join("\n");
    assert!(rows.contains("quit: quit") && !rows.contains("open: open"), "{rows}");
    press(&mut state, &content, KeyCode::Esc);
    assert!(drawn(&content, &mut state, (80, 24))[5].starts_with("▸prompt A"));
}

#[test]
fn ten_thousand_cells_are_drawn_in_a_window_around_the_selected_one() {
    let many =
        SweepView { cells: (0..10_000).map(|number| cell(number, CellPhase::Queued)).collect(), ..view() };
    let content = Content { view: Arc::new(many), ..content() };
    let mut state = DashboardState::default();
    press(&mut state, &content, KeyCode::End);
    let rows = drawn(&content, &mut state, (80, 24));
    assert_eq!(rows.iter().filter(|row| row.starts_with(" ··")).count(), 6);
    let selected: Vec<_> = rows.iter().filter(|row| row.contains("· queued")).collect();
    assert!(selected.last().unwrap().contains("3333"), "{selected:?}");
}

#[test]
fn a_small_terminal_gets_one_sentence() {
    let rows = drawn(&content(), &mut DashboardState::default(), (59, 16));
    assert_eq!((rows[0].as_str(), rows[1].as_str()), ("the dashboard needs 60x16 cells", ""));
}

#[test]
fn a_pause_is_said_with_what_resumes_it_and_in_lines_when_it_begins_and_ends() {
    let control =
        ["paused by ada@node1: the server is slow", "since 2026; `mageyard sweep resume s` goes on"];
    let control = control.map(str::to_owned).to_vec();
    let paused = Content { view: Arc::new(SweepView { control, ..view() }), ..content() };
    let rows = drawn(&paused, &mut DashboardState::default(), (60, 20));
    assert_eq!(rows[2], " paused by ada@node1: the server is slow");
    assert_eq!(rows[3], " since 2026; `mageyard sweep resume s` goes on");
    assert_eq!(rows[4], " 412 requests, 1,200,000 tokens, 3.20 USD");
    let said =
        "Sweep: paused by ada@node1: the server is slow, since 2026; `mageyard sweep resume s` goes on";
    assert_eq!(lines::status(&paused.view)[1], said);
    assert_eq!(lines::news(&view(), &paused.view), [said]);
    assert_eq!(lines::news(&paused.view, &view()), ["Sweep: running again"]);
    assert!(lines::news(&paused.view, &paused.view).is_empty());
}
