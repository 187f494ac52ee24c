//! The whole screen: text and styles at several sizes.

mod actions;
mod claims;
mod code;
pub(super) mod console;
mod content;
mod drawings;
mod film;
mod hostile;
mod layout;
mod numbers;
mod persons;
mod pictures;
mod score_rows;
mod sizes;
mod themes;
mod transcript;
mod views;
mod wide;
mod without_color;
mod words;
mod written;

use std::fmt::Write;

use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::style::Color;

use super::appearance::FrameView;
use super::command::{ScreenView, commands_in};
use super::model::{Fault, Modal, Model, Palette};
use super::offscreen::render;
use super::pane::Pane;
use super::testing;
use super::testing::ScriptedEpisode;
use mageyard_config::Problem;
use mageyard_domain::{
    Action, EpisodePolicy, Observation, ObservationPart, OnRepeating, Picture, RepetitionThresholds,
    ReplyFormat, Setting, Status, Window,
};
use mageyard_engine::{Distance, Distances, Ending, Head, Mode, RunState, Snapshot, Step, Waiting};
use mageyard_terminal::{ColorDepth, StyleRole, Theme};

fn symbols(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in buffer.content.chunks(buffer.area.width.max(1).into()) {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    text
}

/// Each cell as a letter for the role of its style, and below them what the letters mean.
fn roles(model: &Model) -> String {
    let model = testing::with(model.clone(), |model| model.look.theme = Theme::labelled());
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').collect();
    let buffer = render(&model);
    let mut used = [false; StyleRole::COUNT];
    let mut text = String::new();
    for row in buffer.content.chunks(buffer.area.width.max(1).into()) {
        let line: String = row
            .iter()
            .map(|cell| match cell.fg {
                Color::Indexed(role) if cell.symbol() != " " => {
                    used[usize::from(role)] = true;
                    letters[usize::from(role)]
                }
                _ => ' ',
            })
            .collect();
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    for role in StyleRole::all().filter(|role| used[*role as usize]) {
        write!(text, "{}={} ", letters[role as usize], role.name()).unwrap();
    }
    text
}

/// A model that shows the frame as text, so that the snapshot contains all of the screen.
fn text_model(width: u16, height: u16) -> Model {
    testing::with(testing::model(width, height), |model| model.frame.shown_as = FrameView::Text)
}

#[test]
fn the_screen_at_its_sizes() {
    for (width, height) in [(120, 40), (80, 24), (60, 16)] {
        let model = text_model(width, height);
        assert_snapshot!(format!("symbols-{width}x{height}"), symbols(&render(&model)));
        assert_snapshot!(format!("styles-{width}x{height}"), roles(&model));
    }
}

#[test]
fn the_tabs_at_80x24() {
    for pane in [Pane::Memory, Pane::Score, Pane::Steps] {
        let model = testing::with(text_model(80, 24), |model| {
            model.panes.tab = pane;
            model.panes.focus = pane;
        });
        assert_snapshot!(format!("tab-{}", pane.name().to_lowercase()), symbols(&render(&model)));
    }
}

#[test]
fn an_earlier_step_is_marked_as_such() {
    let mut model = text_model(120, 40);
    model.episodes[0].cursor = Some(4);
    assert_snapshot!("looking-back", symbols(&render(&model)));
    assert!(roles(&model).contains("=status.back"));
}

#[test]
fn a_rejected_reply_in_the_raw_view() {
    let mut model = text_model(120, 40);
    (model.episodes[0].cursor, model.agent.raw, model.agent.shown_reply, model.panes.focus) =
        (Some(4), true, Some(1), Pane::Agent);
    assert_snapshot!("raw-view", symbols(&render(&model)));
    assert_snapshot!("raw-view-styles", roles(&model));
}

#[test]
fn a_plan_is_shown_in_full() {
    let model = testing::with(testing::model_of(testing::planned_episode().snapshot(), 120, 40), |model| {
        model.frame.shown_as = FrameView::Text;
    });
    assert_snapshot!("plan", symbols(&render(&model)));
}

/// The moments of an episode for which the hint line differs.
fn moments() -> [(&'static str, Snapshot); 6] {
    let asked = ScriptedEpisode::new("model", Setting::Online, (3, 2)).step("Left", -0.5, true);
    let unread = ScriptedEpisode::new("model", Setting::Online, (3, 2)).reply("no heading at all");
    let over = ScriptedEpisode::new("model", Setting::Online, (5, 1)).reply("# analyze\nx\n# action\nUp");
    let over = over.act(54.5, true, Status::Won);
    let thinking = {
        let base = asked.snapshot();
        Snapshot { run: RunState { waiting: Waiting::Reply, ..base.run.clone() }, ..base }
    };
    [
        ("a solver, an action pending", testing::sample_episode().snapshot()),
        ("a model, request not sent", testing::with_encoder(asked.snapshot())),
        ("a model, request in flight", testing::with_encoder(thinking)),
        ("a model, parse error", testing::with_encoder(unread.snapshot())),
        ("a model, an action pending", testing::with_encoder(testing::sample_episode().snapshot())),
        ("a model, over", testing::with_encoder(over.snapshot())),
    ]
}

#[test]
fn the_hint_line_lists_the_available_commands() {
    let mut text = String::new();
    for (moment, snapshot) in moments() {
        writeln!(text, "{moment}").unwrap();
        for (width, height, focus) in
            [(120, 40, Pane::Frame), (80, 24, Pane::Frame), (120, 40, Pane::Agent), (120, 40, Pane::Steps)]
        {
            let model = testing::with(testing::model_of(snapshot.clone(), width, height), |model| {
                model.panes.focus = focus;
            });
            let line = screen_text(&model).lines().last().unwrap().to_owned();
            writeln!(text, "{width:>4} {:6} {line}", focus.name()).unwrap();
        }
    }
    assert_snapshot!("hints", text);
}

/// The text of the screen for this model.
pub(super) fn screen_text(model: &Model) -> String {
    symbols(&render(model))
}

#[test]
fn the_request_and_the_prompt_list_are_modals() {
    let mut model = Model { modal: Some(Modal::Request(0)), ..testing::model_with_prompts() };
    assert_snapshot!("request", screen_text(&model));
    model.modal = Some(Modal::Prompts);
    let text = screen_text(&model);
    assert!(
        text.contains("● 1 plain") && text.contains("  2 blind            few words (no images)"),
        "{text}"
    );
    assert!(text.contains("oracle · Online · plain · AM 3 OM 2 · 2 images"), "{text}");
}

#[test]
fn distances_are_shown_in_the_filmstrip_and_the_score() {
    for (width, height) in [(120, 40), (80, 24)] {
        let model = testing::with(testing::model_of(testing::detour_snapshot(), width, height), |model| {
            model.frame.shown_as = FrameView::Text;
        });
        let steps = testing::with(model.clone(), |model| {
            model.panes.focus = Pane::Steps;
            model.panes.tab = Pane::Steps;
        });
        assert_snapshot!(format!("distances-{width}x{height}"), symbols(&render(&steps)));
    }
    let score = |cursor, told: Snapshot| {
        let mut model = testing::with(testing::model_of(told, 80, 24), |model| {
            model.frame.shown_as = FrameView::Text;
            model.panes.focus = Pane::Score;
            model.panes.tab = Pane::Score;
        });
        model.episodes[0].cursor = cursor;
        screen_text(&model)
    };
    let text = score(None, testing::detour_snapshot());
    assert!(text.contains("dead since  step 11") && text.contains("extra moves      10 before"), "{text}");
    let text = score(Some(2), testing::detour_snapshot());
    assert!(text.contains("distance          9") && text.contains("extra moves       2 so far"), "{text}");
    let awaited =
        || testing::faulty_episode().snapshot().with_distances(Distances::new(vec![None; 14], true));
    let text = score(Some(2), awaited());
    assert!(text.contains("distance    searching") && text.contains("extra moves       … so far"), "{text}");
    let known = Distance::Unknown("a limit".into());
    let unknown =
        testing::faulty_episode().snapshot().with_distances(Distances::new(vec![Some(known); 14], true));
    let text = score(Some(2), unknown);
    assert!(text.contains("distance    unknown") && text.contains("extra moves unknown"), "{text}");
    let text = score(None, testing::faulty_episode().snapshot());
    assert!(!text.contains("distance") && !text.contains("extra moves"), "{text}");
}

#[test]
fn the_palette_has_the_groups_of_commands_in_full_or_not_at_all() {
    for (width, height) in [(120, 40), (60, 16)] {
        let model =
            Model { modal: Some(Modal::Palette(Palette::default())), ..testing::model(width, height) };
        let text = screen_text(&model);
        let row = text.lines().find(|line| line.contains("next half step")).unwrap();
        assert_eq!(row.contains("Step"), width == 120, "{row}");
        assert!(!row.contains('…'), "{row}");
    }
}

#[test]
fn after_the_end_the_verdict_says_that_no_step_follows() {
    for (moment, snapshot) in moments() {
        let model = testing::model_of(snapshot, 120, 40);
        let verdict = Model { modal: Some(Modal::Verdict(crate::model::EntryMenu::default())), ..model };
        let is_over = moment.ends_with("over");
        let text = screen_text(&verdict);
        assert_eq!(text.contains("no mark; the episode ended before it"), is_over, "{moment}\n{text}");
    }
}

#[test]
fn errors_have_marks_in_the_filmstrip_and_a_verdict() {
    for (width, height) in [(120, 40), (80, 24)] {
        let told = testing::faulty_episode().snapshot();
        let model = testing::with(testing::model_of(told, width, height), |model| {
            model.frame.shown_as = FrameView::Text;
            model.panes.focus = Pane::Steps;
            model.panes.tab = Pane::Steps;
        });
        assert_snapshot!(format!("marks-{width}x{height}"), symbols(&render(&model)));
        let only = testing::with(model.clone(), |model| {
            model.marks.only = true;
            model.marks.searched = "dead".parse().unwrap();
        });
        assert_snapshot!(format!("marks-only-{width}x{height}"), symbols(&render(&only)));
        let verdict = Model { modal: Some(Modal::Verdict(crate::model::EntryMenu::default())), ..model };
        assert_snapshot!(format!("verdict-{width}x{height}"), symbols(&render(&verdict)));
    }
}

#[test]
fn an_action_that_the_repetition_limit_refused_is_named_so() {
    let conduct = EpisodePolicy {
        on_repeating: OnRepeating::Refuse,
        thresholds: RepetitionThresholds { unchanged: 5, same: 2 },
        ..EpisodePolicy::default()
    };
    let episode = ScriptedEpisode::with_policy("model", Setting::Online, (3, 2), conduct);
    let episode = episode.step("Up", -0.5, true).reply("# analyze\nx\n# action\nUp");
    let snapshot = episode.snapshot();
    assert_eq!(snapshot.run.waiting, Waiting::Ended(Ending::Repetition));
    let text = screen_text(&testing::model_of(snapshot.clone(), 120, 40));
    assert!(text.contains("refused (repetition limit): Up"), "{text}");
    let name = crate::panes::reply_name(1.try_into().unwrap(), snapshot.steps.last().unwrap(), 0);
    assert_eq!(name, "reply 1 of up to 1");
}
