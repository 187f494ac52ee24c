//! The step that lost an episode: the verdict of the solver, the plan, the table, and the way to the step.

use super::asked_branches::view;
use super::asking::{line, model, step};
use super::*;
use crate::requests::{Answer, AskAnswer, AskOrder, BlameVerdict, PlannedBlame, Request};
use crate::tests::screen_text;
use mageyard_config::Problem;
use mageyard_study::{PlannedStudy, StudySort, StudyTable};

fn order(number: u64, words: &str) -> Effect {
    let journal = "/s/0001/journal.jsonl".into();
    Effect::Request(Request::Ask(AskOrder::Blame(PlannedBlame { number, journal, words: words.to_owned() })))
}

fn judge(model: &mut Model, number: u64, line: &str, step: Option<u32>) {
    let verdict = BlameVerdict { lines: vec![line.to_owned()], step };
    assert!(update(model, Msg::Answer(Answer::Asked(AskAnswer::Judged(number, Ok(verdict))))).is_empty());
}

fn plan(model: &mut Model, number: u64) {
    let lines = vec!["from at most 3 of them 5 episodes each".to_owned()];
    let plan = PlannedStudy { sort: StudySort::Blame, lines, left: 15, ..PlannedStudy::default() };
    assert!(update(model, Msg::Answer(Answer::Asked(AskAnswer::Planned(number, Ok(plan))))).is_empty());
}

fn arrive(model: &mut Model, number: u64, blamed: Option<u32>) {
    let view = StudyTable { blamed, ..view(StudySort::Blame, "said") };
    update(model, Msg::Answer(Answer::Asked(AskAnswer::Arrived(number, view.into()))));
}

#[test]
fn the_solver_names_the_step_and_enter_goes_there() {
    let mut model = model();
    assert_eq!(command(&mut model, "blame"), [order(1, "")]);
    let text = screen_text(&model);
    assert!(text.contains("Which step lost the episode?") && text.contains("looking for it …"), "{text}");
    judge(&mut model, 7, "of another question", Some(3));
    assert!(press(&mut model, "enter").is_empty() && screen_text(&model).contains("looking for it …"));
    judge(&mut model, 1, "step 2 (Up) put the goal out of reach, proven by the solver", Some(2));
    let text = screen_text(&model);
    assert!(text.contains("proven by the solver") && text.contains("Enter goes to step 2"), "{text}");
    assert!(press(&mut model, "enter").is_empty() && model.modal.is_none());
    assert_eq!(step(&model), 2);
    command(&mut model, "blame");
    judge(&mut model, 2, "the goal was within reach to the end", None);
    assert!(screen_text(&model).contains("Enter closes"));
    assert!(press(&mut model, "enter").is_empty() && model.modal.is_none());
    assert_eq!(step(&model), 2);
    command(&mut model, "blame");
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Ask(AskOrder::Stop))], "the search stops");
}

#[test]
fn steps_are_played_on_after_their_plan_and_the_row_of_the_verdict_is_selected() {
    let mut model = model();
    command(&mut model, "blame");
    judge(&mut model, 1, "not known", None);
    press(&mut model, "p l a y");
    let text = screen_text(&model);
    assert!(
        text.contains("how: play") && text.contains("Enter looks for it") && !text.contains("not known"),
        "{text}"
    );
    assert_eq!(press(&mut model, "enter"), [order(2, "play")]);
    let refused = Problem::new("blame takes no prompts").with_help("write play");
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Judged(2, Err(refused)))));
    assert!(screen_text(&model).contains("! blame takes no prompts; write play"));
    assert_eq!(press(&mut model, "enter"), [order(3, "play")]);
    plan(&mut model, 3);
    let text = screen_text(&model);
    assert!(text.contains("5 episodes each") && text.contains("Enter plays the branches"), "{text}");
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(3)))]);
    arrive(&mut model, 3, None);
    let text = screen_text(&model);
    assert!(
        text.contains("playing … 1 of at most 4 branches are over") && text.contains("▸ row-1"),
        "{text}"
    );
    arrive(&mut model, 3, Some(2));
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Ended(3, Ok(())))));
    let text = screen_text(&model);
    assert!(text.contains("▸ row-2") && text.contains("1 branch is over"), "{text}");
    press(&mut model, "right");
    assert!(screen_text(&model).contains("1   goal reached  b1 · said"));
    press(&mut model, "left");
    assert!(press(&mut model, "enter").is_empty() && model.modal.is_none());
    assert_eq!(step(&model), 2);
    let mut without = testing::model(120, 40);
    assert!(command(&mut without, "blame").is_empty());
    assert!(without.modal.is_none() && without.notice.is_some());
}

#[test]
fn in_the_linear_mode_an_empty_line_goes_to_the_step_and_words_play_on() {
    let mut model = model();
    assert_eq!(line(&mut model, "blame"), [order(1, "")]);
    judge(&mut model, 1, "not known", None);
    assert_eq!(line(&mut model, "play samples=5"), [order(2, "play samples=5")]);
    plan(&mut model, 2);
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Ask(AskOrder::Make(2)))]);
    arrive(&mut model, 2, Some(2));
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Ended(2, Ok(())))));
    line(&mut model, "branches 2");
    line(&mut model, "");
    line(&mut model, "2");
    assert!(model.modal.is_none());
    assert_eq!(step(&model), 2);
}
