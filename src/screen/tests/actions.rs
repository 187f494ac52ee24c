//! Actions with parameters on the screen: the list, the palette, the help and the form.

use super::*;
use crate::model::{ActionForm, FormPurpose};
use mageyard_domain::Arg;

fn person(width: u16, height: u16) -> Model {
    testing::with(testing::person_with_params(width, height), |model| {
        model.frame.shown_as = FrameView::Text;
        model.panes.focus = Pane::Agent;
    })
}

fn form(name: &str, args: &[(&str, Arg)]) -> Modal {
    let space = testing::space_with_params();
    let given = args.iter().fold(Action::plain(name), |action, (name, arg)| action.with(*name, arg.clone()));
    Modal::Form(Box::new(ActionForm::new(space.spec(name).unwrap().clone(), &given, FormPurpose::Play)))
}

#[test]
fn actions_with_parameters_are_listed_with_their_keys() {
    for (width, height) in [(120, 40), (80, 24)] {
        assert_snapshot!(format!("params-list-{width}x{height}"), symbols(&render(&person(width, height))));
    }
}

#[test]
fn the_form_has_a_field_for_each_parameter() {
    let text = Arg::Text("left".into());
    let code = Arg::Code("<!doctype html>\n<p>\thello\u{1b}[2J</p>\n".into());
    for (name, modal) in [
        ("click", form("click", &[("button", text)])),
        ("type", form("type", &[("text", Arg::Text("hello ".repeat(30)))])),
        ("write", form("write", &[("html", code)])),
    ] {
        for (width, height) in [(120, 40), (80, 24), (60, 16)] {
            let model = Model { modal: Some(modal.clone()), ..person(width, height) };
            assert_snapshot!(format!("form-{name}-{width}x{height}"), symbols(&render(&model)));
        }
    }
    let mut model = Model { modal: Some(form("click", &[])), ..person(80, 24) };
    if let Some(Modal::Form(form)) = &mut model.modal {
        form.set_text("here".into());
        form.show_errors();
    }
    assert_snapshot!("form-error", symbols(&render(&model)));
    assert_snapshot!("form-error-styles", roles(&model));
}

#[test]
fn the_palette_and_the_help_show_parameters() {
    for (name, line) in
        [("names", "c"), ("params", "click "), ("values", "act click button="), ("error", "click (9999, 1)")]
    {
        let palette = Modal::Palette(Palette::with(line.to_owned()));
        let model = Model { modal: Some(palette), ..person(80, 24) };
        assert_snapshot!(format!("params-palette-{name}"), symbols(&render(&model)));
    }
    let model = Model { modal: Some(Modal::Help(crate::help::HelpSheet::default())), ..person(120, 60) };
    assert_snapshot!("params-help", symbols(&render(&model)));
}
