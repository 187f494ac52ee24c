//! The screen as a whole: what stands where, in which style, at every size.

mod dresses;
mod sizes;
mod words;

use std::fmt::Write;

use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::style::Color;

use super::command::COMMANDS;
use super::look::View;
use super::model::Fault;
use super::model::Model;
use super::model::Palette;
use super::model::Sheet;
use super::pane::Pane;
use super::still::picture;
use super::testing;
use super::testing::Told;
use super::theme::Depth;
use super::theme::Role;
use super::theme::Theme;
use crate::config::Problem;
use crate::domain::Action;
use crate::domain::Form;
use crate::domain::Observation;
use crate::domain::Part;
use crate::domain::Picture;
use crate::domain::Setting;
use crate::domain::Status;
use crate::domain::Window;
use crate::engine::Distance;
use crate::engine::Distances;
use crate::engine::Head;
use crate::engine::Mode;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Waiting;

fn symbols(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in buffer.content.chunks(buffer.area.width.max(1).into()) {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    text
}

/// Each cell as a letter that stands for the role it was drawn in, with the meaning of the letters.
fn roles(model: &Model) -> String {
    let model = Model { theme: Theme::labelled(), ..model.clone() };
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').collect();
    let buffer = picture(&model);
    let mut used = [false; Role::COUNT];
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
    for role in Role::all().filter(|role| used[*role as usize]) {
        write!(text, "{}={} ", letters[role as usize], role.name()).unwrap();
    }
    text
}

/// Text in place of the picture, so that a snapshot shows the whole screen.
fn plain(width: u16, height: u16) -> Model {
    Model { view: View::Text, ..testing::model(width, height) }
}

#[test]
fn the_screen_at_its_sizes() {
    for (width, height) in [(120, 40), (80, 24), (60, 16)] {
        let model = plain(width, height);
        assert_snapshot!(format!("symbols-{width}x{height}"), symbols(&picture(&model)));
        assert_snapshot!(format!("styles-{width}x{height}"), roles(&model));
    }
}

#[test]
fn the_tabs_at_80x24() {
    for pane in [Pane::Memory, Pane::Score, Pane::Steps] {
        let model = Model { tab: pane, focus: pane, ..plain(80, 24) };
        assert_snapshot!(format!("tab-{}", pane.name().to_lowercase()), symbols(&picture(&model)));
    }
}

#[test]
fn an_earlier_step_is_marked() {
    let mut model = plain(120, 40);
    model.episodes[0].cursor = Some(4);
    assert_snapshot!("looking-back", symbols(&picture(&model)));
    assert!(roles(&model).contains("=status.back"));
}

#[test]
fn a_refused_reply_under_the_microscope() {
    let mut model = plain(120, 40);
    (model.episodes[0].cursor, model.raw, model.reply, model.focus) = (Some(4), true, Some(1), Pane::Agent);
    assert_snapshot!("microscope", symbols(&picture(&model)));
    assert_snapshot!("microscope-styles", roles(&model));
}

#[test]
fn a_plan_is_shown_whole() {
    let model = Model { view: View::Text, ..testing::on(testing::plan().snapshot(), 120, 40) };
    assert_snapshot!("plan", symbols(&picture(&model)));
}

/// The moments of an episode that the hint line tells apart.
fn moments() -> [(&'static str, Snapshot); 6] {
    let asked = Told::new("model", Setting::Online, (3, 2)).step("Left", -0.5, true);
    let unread = Told::new("model", Setting::Online, (3, 2)).say("no heading at all");
    let over = Told::new("model", Setting::Online, (5, 1)).say("# analyze\nx\n# action\nUp");
    let over = over.act(54.5, true, Status::Won);
    let thinking = Snapshot { waiting: Waiting::Thinking, ..asked.snapshot() };
    [
        ("a solver, an action pending", testing::story().snapshot()),
        ("a model, to be asked", testing::sending(asked.snapshot())),
        ("a model, thinking", testing::sending(thinking)),
        ("a model, a reply not read", testing::sending(unread.snapshot())),
        ("a model, an action pending", testing::sending(testing::story().snapshot())),
        ("a model, over", testing::sending(over.snapshot())),
    ]
}

#[test]
fn the_hint_line_names_what_can_be_done_at_this_moment() {
    let mut text = String::new();
    for (moment, snapshot) in moments() {
        writeln!(text, "{moment}").unwrap();
        for (width, height, focus) in
            [(120, 40, Pane::Frame), (80, 24, Pane::Frame), (120, 40, Pane::Agent), (120, 40, Pane::Steps)]
        {
            let model = Model { focus, ..testing::on(snapshot.clone(), width, height) };
            let line = seen(&model).lines().last().unwrap().to_owned();
            writeln!(text, "{width:>4} {:6} {line}", focus.name()).unwrap();
        }
    }
    assert_snapshot!("hints", text);
}

/// The lines of the screen that this model makes.
fn seen(model: &Model) -> String {
    symbols(&picture(model))
}

#[test]
fn the_request_and_the_prompts_are_shown_over_the_panes() {
    let mut model = Model { sheet: Some(Sheet::Request(0)), ..testing::asking() };
    assert_snapshot!("request", seen(&model));
    model.sheet = Some(Sheet::Prompts(None));
    let text = seen(&model);
    assert!(
        text.contains("● 1 plain") && text.contains("  2 blind            few words (no images)"),
        "{text}"
    );
    assert!(text.contains("oracle · Online · plain · AM 3 OM 2 · 2 images"), "{text}");
}

#[test]
fn the_way_to_the_goal_stands_in_the_filmstrip_and_the_score() {
    for (width, height) in [(120, 40), (80, 24)] {
        let model = Model { view: View::Text, ..testing::on(testing::astray(), width, height) };
        let steps = Model { focus: Pane::Steps, tab: Pane::Steps, ..model.clone() };
        assert_snapshot!(format!("way-{width}x{height}"), symbols(&picture(&steps)));
    }
    let score = |cursor, told: Snapshot| {
        let mut model =
            Model { view: View::Text, focus: Pane::Score, tab: Pane::Score, ..testing::on(told, 80, 24) };
        model.episodes[0].cursor = cursor;
        seen(&model)
    };
    let text = score(None, testing::astray());
    assert!(text.contains("lost by     step 11") && text.contains("wasted           10 before"), "{text}");
    let text = score(Some(2), testing::astray());
    assert!(text.contains("to go             9") && text.contains("wasted            2 so far"), "{text}");
    let awaited = || testing::faulty().snapshot().along(Distances::new(vec![None; 14], true));
    let text = score(Some(2), awaited());
    assert!(text.contains("to go       searching") && text.contains("wasted            … so far"), "{text}");
    let known = Distance::Unknown("a limit".into());
    let unknown = testing::faulty().snapshot().along(Distances::new(vec![Some(known); 14], true));
    let text = score(Some(2), unknown);
    assert!(text.contains("to go       unknown") && text.contains("wasted      unknown"), "{text}");
    let text = score(None, testing::faulty().snapshot());
    assert!(!text.contains("to go") && !text.contains("wasted"), "{text}");
}

#[test]
fn errors_have_marks_in_the_filmstrip_and_a_verdict() {
    for (width, height) in [(120, 40), (80, 24)] {
        let told = testing::faulty().snapshot();
        let model = Model {
            view: View::Text,
            focus: Pane::Steps,
            tab: Pane::Steps,
            ..testing::on(told, width, height)
        };
        assert_snapshot!(format!("marks-{width}x{height}"), symbols(&picture(&model)));
        let only = Model { only: true, sought: "dead".parse().unwrap(), ..model.clone() };
        assert_snapshot!(format!("marks-only-{width}x{height}"), symbols(&picture(&only)));
        let verdict = Model { sheet: Some(Sheet::Verdict(0)), ..model };
        assert_snapshot!(format!("verdict-{width}x{height}"), symbols(&picture(&verdict)));
    }
}
