//! Questions of the episode to the person: the dialog opens by itself, and each key answers what it says.

use super::*;
use crate::tests::screen_text;
use mageyard_dialog::{PersonAnswer, PersonQuestion};
use mageyard_domain::{Action, Question};
use mageyard_engine::{Edit, Mode};

fn confirm() -> PersonQuestion {
    PersonQuestion::Confirm(Action::plain("Left"))
}

fn answers(question: &PersonQuestion, keys: &str) -> Vec<SessionCommand> {
    let mut model = testing::asked(question.clone());
    commands(press(&mut model, keys))
}

fn answer(question: &PersonQuestion, answer: PersonAnswer) -> Vec<SessionCommand> {
    vec![SessionCommand::Answer(question.clone(), answer)]
}

#[test]
fn keys_answer_and_other_keys_do_nothing() {
    let confirm = confirm();
    assert_eq!(answers(&confirm, "y"), answer(&confirm, PersonAnswer::Yes));
    assert_eq!(answers(&confirm, "s"), answer(&confirm, PersonAnswer::End));
    assert_eq!(answers(&confirm, "n f a r enter"), answer(&confirm, PersonAnswer::Refuse("far".into())));
    assert_eq!(answers(&confirm, "n enter"), answer(&confirm, PersonAnswer::Refuse("".into())));
    assert_eq!(answers(&confirm, "n f esc y"), answer(&confirm, PersonAnswer::Yes), "Esc goes back");
    assert_eq!(answers(&confirm, "enter space x"), [], "what was typed before the dialog came");
    let allow = PersonQuestion::Allow(vec!["a folder is emptied".into()]);
    assert_eq!(answers(&allow, "e s y"), answer(&allow, PersonAnswer::Yes));
    assert_eq!(answers(&allow, "n"), answer(&allow, PersonAnswer::End));
    let surface = PersonQuestion::Ask(Question::take_over("Solve it.").into());
    assert_eq!(answers(&surface, "n e y"), answer(&surface, PersonAnswer::Yes));
    assert_eq!(answers(&surface, "s"), answer(&surface, PersonAnswer::End));
}

#[test]
fn an_empty_answer_is_sent_by_the_second_enter() {
    let open = PersonQuestion::Ask(Question::to_person("Is it right?").into());
    let mut model = testing::asked(open.clone());
    assert!(press(&mut model, "enter").is_empty());
    assert!(screen_text(&model).contains("Enter again sends it"));
    assert_eq!(commands(press(&mut model, "enter")), answer(&open, PersonAnswer::Text("".into())));
    assert_eq!(answers(&open, "n o enter"), answer(&open, PersonAnswer::Text("no".into())));
    assert_eq!(answers(&open, "enter n o backspace backspace enter"), [], "it is empty again");
}

#[test]
fn escape_leaves_the_question_open_and_pauses_and_enter_shows_it_again() {
    let mut model = testing::asked(confirm());
    model.episodes[0].snapshot = {
        let base = (*model.episodes[0].snapshot).clone();
        Arc::new(Snapshot {
            run: RunState { mode: Mode::Running { left: None }, ..base.run.clone() },
            ..base
        })
    };
    assert_eq!(commands(press(&mut model, "esc")), [SessionCommand::Pause]);
    assert!(model.modal.is_none() && screen_text(&model).contains("the question stays open"));
    assert_eq!(commands(press(&mut model, "enter")), []);
    assert!(matches!(model.modal, Some(Modal::Person(_))));
}

#[test]
fn the_dialog_comes_by_itself_and_goes_with_its_question() {
    let model = testing::asked(confirm());
    let asked = model.episodes[0].snapshot.clone();
    let mut model = testing::model(120, 40);
    let before = model.episodes[0].snapshot.clone();
    update(&mut model, Msg::Snapshot(0, asked.clone()));
    assert!(matches!(model.modal, Some(Modal::Person(_))));
    update(&mut model, Msg::Snapshot(0, before.clone()));
    assert!(model.modal.is_none(), "another one has answered");
    model.modal = Some(Modal::Restart);
    update(&mut model, Msg::Snapshot(0, asked));
    assert!(matches!(model.modal, Some(Modal::Restart)));
    assert!(model.notice.as_deref().is_some_and(|said| said.contains("a question waits for you")));
}

#[test]
fn the_action_that_is_asked_for_can_be_edited() {
    let mut model = testing::asked(confirm());
    press(&mut model, "e");
    assert!(matches!(model.modal, Some(Modal::Edit(_))), "{:?}", model.notice);
}

#[test]
fn a_line_answers_in_the_linear_mode() {
    let line = |line: &str| {
        let mut model = testing::asked(confirm());
        let effects = commands(update(&mut model, Msg::Line(line.to_owned())));
        (effects, model.notice.unwrap_or_default())
    };
    assert_eq!(line("no too far").0, answer(&confirm(), PersonAnswer::Refuse("too far".into())));
    assert_eq!(line("end").0, answer(&confirm(), PersonAnswer::End));
    assert!(matches!(&line("edit Right").0[..], [SessionCommand::Edit(_, Edit::Actions(_))]));
    assert!(line("edit Fly").1.contains("not an action here"));
    assert!(line("perhaps").1.contains("another answer"));
    assert!(line(":cancel").1.contains("stays open"));
    let mut narrator = crate::linear::Narrator::default();
    let said = narrator.news(&testing::asked(confirm())).join("\n");
    assert!(
        said.contains("Question: Carry out this action?\nAsked: Left\nAnswer: y carries it out"),
        "{said}"
    );
}
