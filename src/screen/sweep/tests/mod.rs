//! Drawings and keys of the dashboard.

mod hostile;
mod keys;
mod now;
mod on_screen;
mod pages;
mod sorting;
mod without_color;

use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::content::Content;
use super::dashboard::Dashboard;
use super::draw::{DashboardLook, draw};
use super::state::{DashboardState, Outcome};
use super::{
    CellDifference, CellEpisodes, CellPhase, CellView, EpisodeRow, MapSquare, PlaceContent, PlaceScore,
    ScoreMap, SweepScores, SweepView,
};
use crate::episode_state::EpisodeState;
use crate::keymap::{Bindings, Keymap};
use mageyard_domain::Amount;
use mageyard_engine::Ending;
use mageyard_terminal::Theme;

fn cell(number: usize, state: CellPhase) -> CellView {
    let finished = if state == CellPhase::Done { 5 } else { 2 };
    CellView {
        name: format!("cell-{number}"),
        values: vec![(number % 3 * 5).to_string(), (number / 3).to_string()],
        state,
        finished,
        planned: 5,
        won: Some(1),
        score: Some(52.25),
        tokens: (finished > 0).then_some(1000 * number as u64 + 1000),
        cost: Amount::parse(&format!("0.{number}")).ok().map(|amount| (amount, "USD".to_owned())),
        errors: if number == 2 { vec![("parse", 3), ("ia", 1)] } else { Vec::new() },
        note: if state == CellPhase::Failed { "status 500: overloaded".to_owned() } else { String::new() },
    }
}

fn view() -> SweepView {
    use CellPhase::{Done, Failed, Parked, Queued, Running};
    let states = [Done, Done, Running, Failed, Parked, Queued];
    SweepView {
        name: "ablation".to_owned(),
        address: "ablation".to_owned(),
        columns: vec!["am".to_owned(), "om".to_owned()],
        cells: states.into_iter().enumerate().map(|(number, state)| cell(number, state)).collect(),
        rate: Some(4.2),
        left: Some(std::time::Duration::from_secs(4000)),
        spent: "412 requests, 1,200,000 tokens, 3.20 USD".to_owned(),
        servers: "http://server/v1: at most 16 requests at once of 64 allowed, 3 rate limits".to_owned(),
        limits: Vec::new(),
        running: Vec::new(),
        incidents: Vec::new(),
        control: Vec::new(),
        note: String::new(),
        is_run: true,
        has_ended: false,
    }
}

fn score(cell: usize, score: &str, sign: char, verdict: &str, shade: char) -> MapSquare {
    let short_verdict = verdict.split(',').next().filter(|text| text.starts_with(['+', '-']));
    let content = PlaceContent::Score(PlaceScore {
        score: score.to_owned(),
        mean: score.parse().unwrap_or_default(),
        interval: "[41.00, 52.00]".to_owned(),
        episodes: 5,
        verdict: verdict.to_owned(),
        short_verdict: short_verdict.unwrap_or_default().to_owned(),
        sign,
        shade,
        details: format!("{score} over 5 levels"),
    });
    MapSquare { cells: vec![cell], content }
}

/// A map with every kind of place.
fn map(name: &str) -> ScoreMap {
    let empty = |cells: Vec<usize>, content| MapSquare { cells, content };
    ScoreMap {
        name: name.to_owned(),
        columns: vec!["OM 1".to_owned(), "OM 2".to_owned()],
        rows: vec![
            (
                "AM 1".to_owned(),
                vec![
                    score(0, "45.17", '◇', "reference", ' '),
                    empty(Vec::new(), PlaceContent::Struck("OM 2 is more than AM 1".to_owned())),
                ],
            ),
            (
                "AM 5".to_owned(),
                vec![
                    score(1, "61.50", '▲', "+16.33", '█'),
                    score(2, "47.25", '≈', "+2.08, inside noise", '░'),
                ],
            ),
            (
                "AM 10".to_owned(),
                vec![empty(vec![5], PlaceContent::NoScore), empty(Vec::new(), PlaceContent::Absent)],
            ),
        ],
        findings: Vec::new(),
        baselines: "baselines: random 12.00".to_owned(),
    }
}

fn episodes() -> CellEpisodes {
    let episode = |folder: &str, state: EpisodeState, errors: &str| EpisodeRow {
        journal: Path::new(folder).join("journal.jsonl"),
        folder: folder.to_owned(),
        level: "sokoban/mini/1".to_owned(),
        repeat: "1".to_owned(),
        state,
        steps: "8".to_owned(),
        score: "49.00".to_owned(),
        errors: errors.to_owned(),
        tokens: "9872".to_owned(),
        time: "0.4 s".to_owned(),
    };
    let episodes = vec![
        episode("0001", EpisodeState::Ended(Ending::Won), ""),
        episode("0002", EpisodeState::Ended(Ending::StepLimit), "parse 2, ia 1"),
        episode("0003", EpisodeState::Unfinished, ""),
    ];
    CellEpisodes { cell: Some(1), episodes, problem: String::new() }
}

/// The content without maps.
fn content() -> Content {
    Content { view: Arc::new(view()), scores: Arc::default(), episodes: Arc::new(episodes()) }
}

/// The scores with these maps, in which every second cell has a difference.
fn scores(maps: Vec<ScoreMap>) -> Arc<SweepScores> {
    let difference = |number: u32| {
        (number % 2 == 1).then(|| CellDifference { points: f64::from(number) - 2.0, sign: '≈' })
    };
    let differences = (0..6).map(difference).collect();
    Arc::new(SweepScores { maps, findings: Vec::new(), differences })
}

/// The content with two maps.
fn with_maps() -> Content {
    Content { scores: scores(vec![map("prompt A"), map("prompt B")]), ..content() }
}

/// Draws a dashboard in this state.
fn draw_state(
    content: &Content,
    state: &mut DashboardState,
    theme: &Theme,
    keys: &Bindings,
    buffer: &mut Buffer,
) {
    let mut dashboard = Dashboard::new(content.clone());
    dashboard.state = std::mem::take(state);
    let look = DashboardLook { theme, keys, notice: None, has_frames: true };
    draw(&dashboard, &look, buffer.area, buffer);
    *state = dashboard.state;
}

fn drawn(content: &Content, state: &mut DashboardState, (width, height): (u16, u16)) -> Vec<String> {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    let theme = Theme::labelled();
    let keys = Keymap::default();
    draw_state(content, state, &theme, keys.dashboard(), &mut buffer);
    let row = |y: u16| -> String { (0..width).map(|x| buffer[(x, y)].symbol().to_owned()).collect() };
    (0..height).map(|y| row(y).trim_end().to_owned()).collect()
}

fn press(state: &mut DashboardState, content: &Content, code: KeyCode) -> Outcome {
    state.press(KeyEvent::new(code, KeyModifiers::NONE), Keymap::default().dashboard(), content)
}
