//! A person plays actions with parameters: on the command line, and with the form.

use super::*;
use crate::model::ActionForm;
use mageyard_domain::Arg;

fn person_with_params() -> Model {
    testing::person_with_params(120, 40)
}

fn played(effects: Vec<Effect>) -> String {
    let written = |order| match order {
        SessionCommand::Play(actions) => actions.iter().map(Action::to_string).collect::<Vec<_>>().join("; "),
        other => format!("{other:?}"),
    };
    commands(effects).into_iter().map(written).collect::<Vec<_>>().join(" | ")
}

fn form(model: &Model) -> &ActionForm {
    match &model.modal {
        Some(Modal::Form(form)) => form,
        other => panic!("no form is open: {other:?}"),
    }
}

fn field(model: &Model, index: usize) -> &str {
    form(model).rows().nth(index).unwrap().1.text_editor.text()
}

fn error(model: &Model, index: usize) -> String {
    let form = form(model);
    let (param, field) = form.rows().nth(index).unwrap();
    form.error(param, field).map(|error| error.to_string()).unwrap_or_default()
}

fn type_text(model: &mut Model, text: &str) {
    update(model, Msg::Paste(text.into()));
}

#[test]
fn an_action_is_played_from_the_command_line() {
    let mut model = person_with_params();
    for (line, action) in [
        ("return", "return"),
        ("act return", "return"),
        ("type text=\"hello, you\"", "type(text=\"hello, you\")"),
        ("act type(\"x\", into=name)", "type(into=\"name\", text=\"x\")"),
        ("click (3, 4) button=right", "click(at=(3, 4), button=\"right\")"),
        ("scroll -3", "scroll(by=-3)"),
        ("write html=\"<p>\\n\"", "write(html=\"<p>\\n\")"),
    ] {
        assert_eq!(played(command(&mut model, line)), action, "{line}");
        assert!(model.modal.is_none(), "{line}");
    }
    for (line, why) in [
        ("click (1280, 4)", "click: at must be a point (x, y) from (0, 0) to (1279, 719), not (1280, 4)"),
        ("click at=(1, 2) buton=left", "click has no parameter \"buton\"; its parameters are at, button"),
        ("act jump", "\"jump\" is not an action here; the actions are return, click, type, scroll, write"),
        ("jump", "unknown command \"jump\"; ? lists all commands"),
    ] {
        assert!(command(&mut model, line).is_empty(), "{line}");
        assert_eq!(model.notice.as_deref(), Some(why), "{line}");
    }
}

#[test]
fn a_line_without_its_arguments_opens_the_form() {
    let mut model = person_with_params();
    assert!(command(&mut model, "click button=left").is_empty());
    assert_eq!((field(&model, 0), field(&model, 1), form(&model).focus()), ("", "left", 0));
    type_text(&mut model, "12, 40");
    assert_eq!(played(press(&mut model, "enter")), "click(at=(12, 40), button=\"left\")");
    assert!(model.modal.is_none());
    assert!(command(&mut model, "scroll").is_empty());
    assert_eq!(form(&model).spec.name, "scroll");
    press(&mut model, "esc");
    assert!(command(&mut model, "act write").is_empty(), "all code may be left out, but not at once");
    assert_eq!(form(&model).spec.name, "write");
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn a_key_plays_an_action_or_opens_its_form() {
    let mut model = person_with_params();
    assert_eq!(played(press(&mut model, "b")), "return");
    assert!(press(&mut model, "t").is_empty());
    type_text(&mut model, "q: \"a\"");
    assert!(press(&mut model, "tab").is_empty());
    assert_eq!(form(&model).focus(), 1);
    assert_eq!(played(press(&mut model, "enter")), "type(text=\"q: \\\"a\\\"\")");
    let mut watched = testing::model(120, 40);
    assert!(press(&mut watched, "c w").is_empty() && watched.modal.is_none());
}

#[test]
fn each_field_shows_its_own_error() {
    let mut model = person_with_params();
    press(&mut model, "c");
    assert_eq!(error(&model, 0), "", "not before the field was left");
    press(&mut model, "enter");
    let needs = "click needs the parameter at: a point (x, y) from (0, 0) to (1279, 719)";
    assert_eq!((error(&model, 0).as_str(), form(&model).focus()), (needs, 0));
    type_text(&mut model, "here");
    let why = "click: at must be a point (x, y) from (0, 0) to (1279, 719), not \"here\"";
    assert_eq!(error(&model, 0), why);
    press(&mut model, "tab");
    type_text(&mut model, "thumb");
    press(&mut model, "tab");
    let why = "click: button must be one of \"left\", \"middle\", \"right\", not \"thumb\"";
    assert_eq!((error(&model, 1).as_str(), form(&model).focus()), (why, 0));
    update(
        &mut model,
        Msg::Key(crossterm::event::KeyEvent::new(
            crossterm::event::KeyCode::Char('u'),
            KeyModifiers::CONTROL,
        )),
    );
    type_text(&mut model, "1 2");
    assert!(press(&mut model, "enter").is_empty());
    assert_eq!(form(&model).focus(), 1, "the first wrong field has the focus");
    press(&mut model, "right");
    assert_eq!(field(&model, 1), "");
    press(&mut model, "right right");
    assert_eq!(field(&model, 1), "middle");
    press(&mut model, "left");
    assert_eq!(played(press(&mut model, "enter")), "click(at=(1, 2), button=\"left\")");
}

#[test]
fn code_is_written_in_the_form_or_in_an_external_editor() {
    let mut model = person_with_params();
    press(&mut model, "w");
    type_text(&mut model, "<p>");
    press(&mut model, "enter");
    type_text(&mut model, "</p>");
    assert_eq!(field(&model, 0), "<p>\n</p>");
    let control = |letter| {
        Msg::Key(crossterm::event::KeyEvent::new(
            crossterm::event::KeyCode::Char(letter),
            KeyModifiers::CONTROL,
        ))
    };
    let effects = update(&mut model, control('e'));
    assert_eq!(effects, [Effect::ExternalEditor("<p>\n</p>".into(), ".html")]);
    update(&mut model, Msg::EditorReturned(Ok("<b>\n".into())));
    press(&mut model, "tab tab");
    assert_eq!(played(update(&mut model, control('d'))), "write(html=\"<b>\\n\")");
}

#[test]
fn the_palette_completes_actions_parameters_and_values() {
    let mut model = person_with_params();
    update(&mut model, Msg::Key(key(":")));
    type_text(&mut model, "cli");
    press(&mut model, "tab");
    type_text(&mut model, "at=(1, 2) b");
    press(&mut model, "tab");
    type_text(&mut model, "m");
    press(&mut model, "tab");
    let line = "click at=(1, 2) button=\"middle\"";
    assert!(
        matches!(&model.modal, Some(Modal::Palette(palette)) if palette.input() == line),
        "{:?}",
        model.modal
    );
    assert_eq!(played(press(&mut model, "enter")), "click(at=(1, 2), button=\"middle\")");
    // The second parameter is selected: Enter completes it and keeps the palette open.
    update(&mut model, Msg::Key(key(":")));
    type_text(&mut model, "click ");
    press(&mut model, "down enter");
    assert!(matches!(&model.modal, Some(Modal::Palette(palette)) if palette.input() == "click button="));
}

#[test]
fn a_plan_has_actions_with_arguments() {
    let mut model = person_with_params();
    let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    Arc::make_mut(&mut snapshot.head).setting = Setting::Global;
    model.episodes[0].snapshot = Arc::new(snapshot);
    let plan = command(&mut model, "plan click((1, 2), left), return, type(\"a, b\")");
    assert_eq!(played(plan), "click(at=(1, 2), button=\"left\"); return; type(text=\"a, b\")");
    assert!(press(&mut model, "c").is_empty() && model.modal.is_none());
    assert!(
        model.notice.as_deref().unwrap().ends_with("such as :plan return,click(at=(640, 360))"),
        "{:?}",
        model.notice
    );
}

#[test]
fn a_pending_action_is_edited_in_its_written_form() {
    let mut model = person_with_params();
    let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    let step = Arc::make_mut(snapshot.steps.last_mut().unwrap());
    step.action = Some(Action::plain("click").with("at", Arg::Point { x: 1, y: 2 }));
    snapshot.run.waiting = Waiting::Apply;
    model.episodes[0].snapshot = Arc::new(snapshot);
    press(&mut model, "e");
    let text = |model: &Model| match &model.modal {
        Some(Modal::Edit(editor)) => editor.text_editor.text().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text(&model), "click(at=(1, 2))");
    update(&mut model, Msg::Key(key("backspace")));
    type_text(&mut model, ", button=up)");
    assert!(press(&mut model, "enter").is_empty());
    assert!(
        model.notice.as_deref().unwrap().starts_with("click: button must be one of"),
        "{:?}",
        model.notice
    );
    for _ in 0..3 {
        update(&mut model, Msg::Key(key("backspace")));
    }
    type_text(&mut model, "left)");
    let orders = commands(press(&mut model, "enter"));
    assert!(
        matches!(&orders[..], [SessionCommand::Edit(_, mageyard_engine::Edit::Actions(actions))]
        if actions[0].to_string() == "click(at=(1, 2), button=\"left\")"),
        "{orders:?}"
    );
}
