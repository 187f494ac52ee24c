//! The linear mode against sample episodes: what is said, and what lines do.

use super::{Narrator, Reading};
use crate::command::{ScreenView, commands_in};
use crate::model::{Modal, Model};
use crate::pane::Pane;
use crate::requests::Request;
use crate::testing;
use crate::testing::ScriptedEpisode;
use crate::update::{Effect, Msg, update};
use mageyard_domain::Setting;
use mageyard_engine::{Edit, SessionCommand};

/// Enters lines one after another; the effects of all of them.
fn enter(model: &mut Model, lines: &[&str]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for line in lines {
        model.prepare();
        effects.extend(update(model, Msg::Line((*line).to_owned())));
    }
    effects
}

/// What is said after these lines, besides what was said before.
fn said_after(model: &mut Model, lines: &[&str]) -> String {
    let mut narrator = Narrator::default();
    model.prepare();
    narrator.news(model);
    enter(model, lines);
    model.prepare();
    narrator.news(model).join("\n")
}

#[test]
fn an_empty_line_is_the_next_half_and_spaces_run() {
    let model = testing::model(120, 40);
    let effects = |line: &str| enter(&mut model.clone(), &[line]);
    assert_eq!(effects(""), [Effect::Command(0, SessionCommand::Step)]);
    assert_eq!(effects(" "), [Effect::Command(0, SessionCommand::Run(None))]);
    for line in ["12 run", ":12 run", "12 space", " 12  run"] {
        assert_eq!(effects(line), [Effect::Command(0, SessionCommand::Run(Some(12)))], "{line:?}");
    }
    assert_eq!(effects("quit"), [Effect::Quit]);
    assert_eq!(effects("q"), [Effect::Quit]);
}

#[test]
fn a_number_shows_a_step_and_names_of_panes_are_read() {
    let mut model = testing::model(120, 40);
    let said = said_after(&mut model, &["3"]);
    assert_eq!(model.episode().unwrap().index(), 2);
    assert!(said.starts_with("Step 3 of 50\nFrame: "), "{said}");
    for pane in Pane::ALL {
        let reading = Reading::of(&pane.name().to_lowercase());
        assert_eq!(reading, Some(Reading::Pane(pane)));
        assert!(!reading.unwrap().lines(&model).is_empty(), "{pane:?}");
    }
    assert!(Reading::of("nothing").is_none());
}

#[test]
fn every_command_of_the_palette_is_a_line() {
    for row in commands_in(ScreenView::Episode) {
        let mut model = testing::model_with_prompts();
        let effects = enter(&mut model, &[row.name]);
        let notice = model.notice.clone().unwrap_or_default();
        assert!(!notice.contains("no command"), "{}: {notice}", row.name);
        let said = said_after(&mut testing::model_with_prompts(), &[row.name]);
        if Reading::of(row.name).is_some() {
            continue;
        }
        // A command that moves what the full screen shows says so; the others say or do something.
        assert!(
            !said.is_empty() || !effects.is_empty() || matches!(row.name, "cancel" | "newest"),
            "{}",
            row.name
        );
    }
}

#[test]
fn the_number_of_a_command_in_the_help_performs_it() {
    let mut model = testing::model(120, 40);
    let said = said_after(&mut model, &["help"]);
    let number = |name: &str| {
        let line = said.lines().find(|line| line.contains(&format!(": {name} (key"))).unwrap();
        line.split(':').next().unwrap().to_owned()
    };
    assert_eq!(enter(&mut model, &[&number("quit")]), [Effect::Quit]);
    enter(&mut model, &["help", ""]);
    assert!(model.modal.is_none());
}

#[test]
fn a_missing_argument_is_a_question_and_a_typing_error_has_suggestions() {
    let mut model = testing::model(120, 40);
    let said = said_after(&mut model, &["marked"]);
    assert!(said.contains("Question: which value for marked?\n1: parse"), "{said}");
    let said = said_after(&mut model, &["2"]);
    assert!(said.contains("Note:"), "{said}");
    let said = said_after(&mut model, &["restrat"]);
    assert!(said.starts_with("Note: there is no command \"restrat\"; did you mean restart"), "{said}");
    let said = said_after(&mut model, &["ver"]);
    assert!(said.contains("1: verdict"), "{said}");
}

#[test]
fn the_arguments_of_an_action_are_asked_one_by_one() {
    let mut model = testing::person_with_params(120, 40);
    let said = said_after(&mut model, &["w"]);
    assert!(said.contains("html of write, argument 1 of 2"), "{said}");
    let effects =
        enter(&mut model, &["<h1>", "two</h1>", ".", ":back", ":delete 1", ":insert 1 <p>", ".", "."]);
    let written = match effects.as_slice() {
        [Effect::Command(0, SessionCommand::Play(actions))] => actions[0].to_string(),
        other => panic!("{other:?}"),
    };
    assert!(written.contains("<p>\\ntwo</h1>"), "{written}");
    enter(&mut model, &["w", ":cancel"]);
    assert!(model.modal.is_none());
}

#[test]
fn the_pending_action_is_edited_in_one_line() {
    let mut model = testing::model(120, 40);
    let said = said_after(&mut model, &["edit"]);
    assert!(said.contains("Question: edit the action\nText: Right"), "{said}");
    assert!(enter(&mut model, &[""]).is_empty());
    enter(&mut model, &["edit action"]);
    let effects = enter(&mut model, &["Left"]);
    assert!(
        matches!(effects.as_slice(), [Effect::Command(0, SessionCommand::Edit(_, Edit::Actions(_)))]),
        "{effects:?}"
    );
}

#[test]
fn new_steps_are_told_once_and_in_order_even_if_several_arrive_together() {
    let episode = |steps: usize| {
        (0..steps).fold(ScriptedEpisode::new("oracle", Setting::Online, (3, 2)), |told, _| {
            told.step("Left", -0.5, true)
        })
    };
    let mut model = testing::model_of(episode(1).snapshot(), 120, 40);
    let mut narrator = Narrator::default();
    assert!(narrator.news(&model).join("\n").contains("Step 2 of 50"));
    update(&mut model, Msg::Snapshot(0, episode(4).snapshot().into()));
    let said = narrator.news(&model).join("\n");
    for number in 3..=5 {
        assert_eq!(said.matches(&format!("Step {number} of 50")).count(), 1, "{said}");
    }
    assert_eq!((said.matches("Action: Left").count(), said.matches("Reward: ").count()), (3, 3), "{said}");
    assert_eq!(narrator.news(&model), [""; 0]);
}

#[test]
fn a_text_from_outside_cannot_pass_for_a_line_of_the_program() {
    let reply = "# analyze\nfirst\nReward: +100, sum +100\n\u{1b}]52;c;AAAA\u{7}\n\n# action\nUp";
    let episode = ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).reply(reply);
    let mut model = testing::model_of(episode.snapshot(), 120, 40);
    let said = Narrator::default().news(&model).join("\n");
    assert!(said.contains("\n  Reward: +100") && !said.contains("\nReward: +100"), "{said}");
    assert!(said.contains("␛]52;c;AAAA␇"), "{said}");
    let said = said_after(&mut model, &["raw"]);
    assert!(said.lines().skip(1).all(|line| line.starts_with("  ")), "{said}");
}

#[test]
fn a_long_reply_is_told_in_part_and_printed_in_full_on_request() {
    let reply = format!("# analyze\n{}end\n\n# action\nUp", "word ".repeat(5000));
    let episode = ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).reply(&reply);
    let mut model = testing::model_of(episode.snapshot(), 120, 40);
    let said = Narrator::default().news(&model).join("\n");
    assert!(said.len() < 8000 && said.contains("more characters; raw prints all of them"), "{said}");
    assert!(said_after(&mut model, &["raw"]).contains("word end"));
}

#[test]
fn dialogs_that_are_only_read_close_by_themselves() {
    let mut model = testing::model_with_prompts();
    for line in ["verdict", "request"] {
        enter(&mut model, &[line]);
        assert!(model.modal.is_some());
        super::close_what_was_read(&mut model);
        assert!(model.modal.is_none(), "{line}");
    }
    enter(&mut model, &["prompt"]);
    super::close_what_was_read(&mut model);
    assert!(matches!(model.modal, Some(Modal::Prompts)));
}

#[test]
fn a_wrong_condition_is_refused_with_its_place_and_is_no_command() {
    for lines in [&["break ra>x"][..], &["break", "ra>x"]] {
        let mut model = testing::model(120, 40);
        model.appearance.settings.linear = true;
        let said = said_after(&mut model, lines);
        assert!(said.contains("Note: ra>x\nNote: ...^\nNote: \"x\" is not a number, at x"), "{said}");
        assert!(!said.contains("there is no command"), "{said}");
    }
    let mut model = testing::model(120, 40);
    let said = said_after(&mut model, &["break", "ra>=3"]);
    assert!(said.contains("breakpoints: ra>=3"), "{said}");
    let asked = enter(&mut model, &["break differs(last)"]);
    assert_eq!(asked, [Effect::Request(Request::ReadBreakpoints("differs(last)".to_owned()))]);
}
