//! The texts that an action writes, in the agent pane and in the form.

use std::sync::Arc;

use super::*;
use crate::update::{Effect, Msg, update};
use mageyard_domain::Arg;
use mageyard_engine::{EditTarget, SessionCommand};

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for name in keys.split(' ') {
        effects.extend(update(model, Msg::Key(testing::key(name))));
        model.prepare();
    }
    effects
}

fn command(model: &mut Model, line: &str) -> Vec<Effect> {
    press(model, ":");
    update(model, Msg::Paste(line.into()));
    press(model, "enter")
}

fn page(lines: usize, last: &str) -> String {
    let body = (1..=lines).map(|line| format!("  <p>line {line}</p>\n")).collect::<Vec<_>>().concat();
    format!("<body>\n{body}{last}\n</body>\n")
}

fn write(html: &str, css: Option<&str>) -> Action {
    let action = Action::plain("write").with("html", Arg::Code(html.into()));
    css.map_or(action.clone(), |css| action.with("css", Arg::Code(css.into())))
}

/// The sample episode whose last two steps write code; the last action is pending.
fn writing_model(width: u16, height: u16) -> Model {
    let mut snapshot = testing::sample_episode().snapshot();
    let first = write(&page(20, "<p>end</p>"), Some("p {\n  color: red;\n}\n"));
    let second = write(&page(20, "<p>\u{1b}[2J the end</p>"), None);
    for (index, action) in [(5, first), (6, second)] {
        let step = snapshot.steps.get_mut(index).unwrap();
        let space = testing::space_with_params();
        *step = Step { action: Some(action), space, ..Step::clone(step) }.into();
    }
    let mut model = testing::with(testing::model_of(snapshot, width, height), |model| {
        model.panes.focus = Pane::Agent;
        model.frame.shown_as = FrameView::Text;
    });
    model.prepare();
    model
}

#[test]
fn code_is_shown_with_its_changes_then_in_full_then_as_replies() {
    let mut model = writing_model(120, 40);
    let text = screen_text(&model);
    assert!(text.contains("▶ write(html: 23 lines)"), "{text}");
    assert!(text.contains("html: 23 lines, +1 -1 since step 6; C"), "{text}");
    press(&mut model, "C");
    assert_snapshot!("code-changes", screen_text(&model));
    assert!(roles(&model).contains("code.added") && roles(&model).contains("code.removed"));
    press(&mut model, "C");
    let text = screen_text(&model);
    assert!(text.contains(" 2     <p>line 1</p>") && !text.contains("equal lines"), "{text}");
    press(&mut model, "C");
    model.size.width = 200;
    assert!(screen_text(&model).contains("C shows the changes"));
}

#[test]
fn code_that_was_not_there_before_has_no_signs_of_changes() {
    let mut model = writing_model(120, 40);
    press(&mut model, "h C");
    let text = screen_text(&model);
    assert!(text.contains("css: 3 lines, new") && text.contains(" 2     color: red;"), "{text}");
    press(&mut model, "h h C");
    assert!(screen_text(&model).contains("the action of this step writes no code"));
}

#[test]
fn the_pending_code_is_edited_in_the_form_and_replaces_the_action() {
    let mut model = writing_model(80, 24);
    assert!(press(&mut model, "e").is_empty());
    assert_snapshot!("code-form", screen_text(&model));
    let Some(Modal::Form(form)) = &model.modal else { panic!("no form") };
    assert_eq!(form.focus(), 0);
    let effects = press(&mut model, "ctrl-e");
    let [Effect::ExternalEditor(text, ".html")] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(*text, page(20, "<p>\u{1b}[2J the end</p>"));
    update(&mut model, Msg::EditorReturned(Ok(page(1, "<b>edited</b>"))));
    let target = EditTarget::of(model.episodes[0].snapshot.steps.last().unwrap());
    let edited = mageyard_engine::Edit::Actions(vec![write(&page(1, "<b>edited</b>"), None)]);
    let effects = press(&mut model, "ctrl-d");
    assert_eq!(effects, [Effect::Command(0, SessionCommand::Edit(target, edited))]);
    assert!(model.modal.is_none());
    press(&mut model, "e ctrl-d");
    assert!(screen_text(&model).contains("nothing was changed"));
}

#[test]
fn a_text_named_in_the_command_opens_in_the_users_editor() {
    let mut model = writing_model(120, 40);
    let effects = command(&mut model, "edit css");
    assert_eq!(effects, [Effect::ExternalEditor(String::new(), ".css")]);
    let mut model = writing_model(120, 40);
    command(&mut model, "edit js");
    assert!(screen_text(&model).contains("cannot edit \"js\""), "{}", screen_text(&model));
}

/// A person at the second step, after a page was written.
fn written_by_a_person(setting: Setting) -> Model {
    let mut model = testing::person_with_params(120, 40);
    let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    let step = snapshot.steps.last().unwrap();
    let earlier = Step { action: Some(write("<p>one</p>\n<p>two</p>\n", None)), ..Step::clone(step) };
    let newest = Step { number: 2, ..Step::clone(step) };
    snapshot.steps = [Arc::new(earlier), Arc::new(newest)].into_iter().collect();
    snapshot.head = Arc::new(Head { setting, ..Head::clone(&snapshot.head) });
    model.episodes[0].snapshot = Arc::new(snapshot);
    model
}

#[test]
fn a_person_edits_what_was_written_as_the_next_action() {
    let mut model = written_by_a_person(Setting::Online);
    press(&mut model, "e");
    let Some(Modal::Form(form)) = &model.modal else { panic!("no form") };
    assert_eq!(form.rows().next().unwrap().1.text_editor.text(), "<p>one</p>\n<p>two</p>\n");
    press(&mut model, "x");
    let effects = press(&mut model, "ctrl-d");
    let [Effect::Command(0, SessionCommand::Play(actions))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(actions[..], [write("<p>one</p>\n<p>two</p>\nx", None)]);
    let mut model = written_by_a_person(Setting::Online);
    let effects = command(&mut model, "edit html");
    assert_eq!(effects, [Effect::ExternalEditor("<p>one</p>\n<p>two</p>\n".into(), ".html")]);
    let mut model = written_by_a_person(Setting::Online);
    assert!(command(&mut model, "edit wasm").is_empty());
    assert!(screen_text(&model).contains("cannot edit \"wasm\""), "{}", screen_text(&model));
}

#[test]
fn a_person_writes_from_what_is_there_in_both_settings() {
    for setting in [Setting::Online, Setting::Global] {
        let mut model = written_by_a_person(setting);
        press(&mut model, "w");
        let Some(Modal::Form(form)) = &model.modal else { panic!("no form") };
        assert_eq!(form.rows().next().unwrap().1.text_editor.text(), "<p>one</p>\n<p>two</p>\n");
        press(&mut model, "x");
        let effects = press(&mut model, "ctrl-d");
        let [Effect::Command(0, SessionCommand::Play(actions))] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!(actions[..], [write("<p>one</p>\n<p>two</p>\nx", None)]);
    }
}
