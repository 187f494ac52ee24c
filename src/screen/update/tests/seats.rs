//! The dialog that lets another agent decide, its command, and the oracle's opinion.

use super::*;
use crate::requests::{Answer, OracleQuestion, Request};
use crate::tests::screen_text;
use mageyard_engine::{RunState, SeatChoice};

/// A live episode in which an oracle and a person can be seated, and a model cannot.
fn model() -> Model {
    let choice = |name: &str, refusal: Option<&str>| SeatChoice {
        name: name.into(),
        summary: format!("what {name} is"),
        refusal: refusal.map(str::to_owned),
    };
    let seats = [choice("oracle", None), choice("human", None), choice("model", Some("it has no name"))];
    let snapshot = testing::model(120, 40).episodes[0].snapshot.clone();
    let snapshot = {
        let base = (*snapshot).clone();
        Snapshot {
            journal: Some("/s/journal.jsonl".into()),
            run: RunState { seats: seats.into(), ..base.run.clone() },
            ..base
        }
    };
    testing::model_of(snapshot, 120, 40)
}

fn seat(name: &str, steps: Option<u32>) -> Vec<SessionCommand> {
    vec![SessionCommand::Seat(name.to_owned(), steps)]
}

#[test]
fn the_selected_agent_is_seated_for_the_typed_number_of_steps() {
    let mut model = model();
    assert!(press(&mut model, "t").is_empty());
    let text = screen_text(&model);
    assert!(text.contains("all steps to the end") && text.contains("not here: it has no name"), "{text}");
    assert!(press(&mut model, "home j 0 1 2 backspace").is_empty());
    assert!(screen_text(&model).contains("the next 1 step, then the agent before it again"));
    assert_eq!(commands(press(&mut model, "enter")), seat("human", Some(1)));
    assert!(model.modal.is_none());
    press(&mut model, "t end");
    assert!(press(&mut model, "enter").is_empty(), "it cannot be seated");
    assert!(matches!(model.modal, Some(Modal::Seats(_))));
    assert!(screen_text(&model).contains("model: it has no name"));
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn a_name_that_is_typed_selects_the_agent() {
    let mut model = model();
    assert_eq!(commands(press(&mut model, "t h u m a n 2 enter")), seat("human", Some(2)));
    assert_eq!(commands(press(&mut model, "t o r a c l e enter")), seat("oracle", None));
    press(&mut model, "t h u q k");
    assert!(matches!(model.modal, Some(Modal::Seats(_))), "letters of a name are no commands");
    assert_eq!(commands(press(&mut model, "enter")), seat("human", None));
    press(&mut model, "t q");
    assert!(model.modal.is_none());
}

#[test]
fn the_command_names_an_agent_and_a_number_of_steps() {
    let mut model = model();
    assert_eq!(commands(command(&mut model, "seat oracle")), seat("oracle", None));
    assert_eq!(commands(command(&mut model, "seat oracle 3")), seat("oracle", Some(3)));
    for (line, notice) in [
        ("seat orcale", "did you mean oracle?"),
        ("seat model", "model: it has no name"),
        ("seat oracle 0", "is not a number of steps"),
        ("seat oracle three", "is not a number of steps"),
    ] {
        assert!(command(&mut model, line).is_empty(), "{line}");
        assert!(screen_text(&model).contains(notice), "{line}: {}", screen_text(&model));
    }
}

#[test]
fn in_a_recording_another_agent_needs_a_branch() {
    let mut model = model();
    let viewed = &mut model.episodes[0];
    viewed.snapshot = {
        let base = (*viewed.snapshot).clone();
        Snapshot { run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
    }
    .into();
    assert!(press(&mut model, "t").is_empty(), "the name of the agent is still to be typed");
    let Some(Modal::Fork(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!(sheet.changes(), "agent=");
}

#[test]
fn the_oracle_is_asked_only_about_steps_that_were_taken() {
    let mut model = model();
    let newest = model.episodes[0].snapshot.steps.len();
    assert!(!model.episodes[0].snapshot.steps[newest - 1].is_done());
    let step = model.episodes[0].snapshot.steps[newest - 2].clone();
    let question = OracleQuestion { environment: "sokoban".into(), step };
    let asked = Effect::Request(Request::AskOracle(question));
    assert_eq!(press(&mut model, "O"), [asked], "not the step that is open");
    assert!(press(&mut model, "tab").is_empty(), "it is asked once");
    let state = model.episodes[0].snapshot.steps[newest - 2].state;
    update(&mut model, Msg::Answer(Answer::OracleSaid(state, Ok("Left: two moves".to_owned()))));
    press(&mut model, "h");
    assert!(screen_text(&model).contains("oracle: Left: two moves"), "{}", screen_text(&model));
    press(&mut model, "O");
    assert!(!screen_text(&model).contains("oracle: Left"));
}
