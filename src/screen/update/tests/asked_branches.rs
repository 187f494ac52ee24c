//! Asks that play branches to their end: the plan, the table, and the branches that are shown.

use crate::requests::{Answer, AskAnswer, AskOrder, Request};
use std::path::PathBuf;

use super::asking::{line, model, step};
use super::*;
use crate::tests::screen_text;
use mageyard_config::Problem;
use mageyard_study::{
    AnswerBar, Column, PlannedStudy, PlayedBranch, Sample, StudyRow, StudySort, StudyTable,
};

/// Two rows, the second with a branch that is over and one that is not.
pub(crate) fn view(sort: StudySort, text: &str) -> StudyTable {
    let branch = |sample: u32, ending: &str, is_over: bool| {
        Arc::new(Sample {
            number: sample,
            answer: Some(ending.to_owned()),
            facts: vec![format!("b{sample}"), text.to_owned()],
            branch: Some(PlayedBranch {
                journal: format!("/s/0001/b{sample}/journal.jsonl").into(),
                is_over,
            }),
            ..Sample::default()
        })
    };
    let row = |number: usize, samples| StudyRow {
        number,
        name: format!("row-{number} {text}"),
        cells: vec!["2".to_owned(), text.to_owned()],
        answers: vec![AnswerBar {
            answer: "goal reached".to_owned(),
            share: [0.5, 0.1, 0.9],
            words: "50 % (10–90)".to_owned(),
            notes: String::new(),
        }],
        samples,
    };
    StudyTable {
        sort,
        title: format!("2 to the end each {text}"),
        head: vec![text.to_owned()],
        columns: vec![Column::count("over"), Column::alone("endings")],
        rows: vec![
            row(1, Vec::new()),
            row(2, vec![branch(1, "goal reached", true), branch(2, "unfinished", false)]),
        ],
        tail: vec!["1 of 1 pair differs".to_owned()],
        done: 1,
        all: 4,
        ..StudyTable::default()
    }
}

fn plan(model: &mut Model, number: u64) {
    let lines = vec!["4 branches to play: at most 80 steps".to_owned()];
    let plan = PlannedStudy { sort: StudySort::ToEnd, lines, left: 4, ..PlannedStudy::default() };
    update(model, Msg::Answer(Answer::Asked(AskAnswer::Planned(number, Ok(plan)))));
}

fn arrive(model: &mut Model, number: u64, view: StudyTable) {
    update(model, Msg::Answer(Answer::Asked(AskAnswer::Arrived(number, view.into()))));
}

fn journal(branch: u32) -> PathBuf {
    format!("/s/0001/b{branch}/journal.jsonl").into()
}

#[test]
fn the_number_of_branches_takes_the_place_of_the_samples() {
    let mut model = model();
    let words = |effects: Vec<Effect>| {
        let last = effects.into_iter().rev().find_map(|effect| match effect {
            Effect::Request(Request::Ask(AskOrder::Plan(order))) => Some(order.words),
            _ => None,
        });
        last.unwrap_or_default()
    };
    let planned = words(command(&mut model, "ask to-end unsafe prompts=A,B"));
    assert!(planned.starts_with("prompts=A,B ") && planned.ends_with(" unsafe to-end=5"), "{planned}");
    assert!(!planned.contains("samples"), "{planned}");
    press(&mut model, "esc x");
    assert!(screen_text(&model).contains("samples 5"), "{}", screen_text(&model));
    let planned = words(press(&mut model, "tab tab tab tab tab tab t o - e n d = 3"));
    assert!(planned.ends_with(" to-end=3") && !planned.contains("samples"), "{planned}");
    press(&mut model, "esc esc");
    let planned = words(command(&mut model, "ask to-end=3 samples=4"));
    assert!(
        planned.contains(" samples=4 ") && planned.ends_with(" to-end=3"),
        "what was written is refused, not dropped: {planned}"
    );
}

#[test]
fn branches_are_played_after_their_plan_and_one_that_is_over_is_shown() {
    let mut model = model();
    command(&mut model, "ask to-end=2");
    plan(&mut model, 1);
    let text = screen_text(&model);
    assert!(text.contains("at most 80 steps") && text.contains("Enter plays the branches"), "{text}");
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(1)))]);
    assert!(screen_text(&model).contains("playing …"));
    arrive(&mut model, 1, view(StudySort::ToEnd, "said"));
    let text = screen_text(&model);
    assert!(text.contains("playing … 1 of 4 branches are over"), "{text}");
    assert!(
        text.contains("goal reached     ██▓▓▓▓▓▓▓▓╌╌╌╌╌╌╌╌") && text.contains("1 of 1 pair differs"),
        "{text}"
    );
    assert!(press(&mut model, "R").is_empty(), "branches have no request of their own");
    press(&mut model, "down enter");
    let text = screen_text(&model);
    assert!(text.contains("variant 2: row-2") && text.contains("1   goal reached  b1 · said"), "{text}");
    assert!(press(&mut model, "u f + 1").is_empty(), "nothing is rated and nothing is used");
    assert!(press(&mut model, "down enter").is_empty());
    assert_eq!(model.notice.as_deref(), Some("this branch is still being played"));
    let shown =
        [Effect::Request(Request::Ask(AskOrder::Stop)), Effect::Request(Request::OpenJournal(journal(1)))];
    assert_eq!(press(&mut model, "up enter"), shown, "what is over is kept");
    assert!(model.modal.is_none());
    let branch = testing::branch_model("/s/0001/b1/journal.jsonl").episodes[0].snapshot.clone();
    read_recordings(&mut model, Vec::new(), [branch]);
    assert_eq!(model.current, 1);
    press(&mut model, "esc");
    assert_eq!(model.current, 0, "Esc leads back to the row");
    let text = screen_text(&model);
    assert!(text.contains("variant 2: row-2") && !text.contains("playing …"), "{text}");
}

#[test]
fn leaving_stops_and_an_unfinished_branch_is_continued() {
    let mut model = model();
    command(&mut model, "ask to-end=2");
    plan(&mut model, 1);
    press(&mut model, "enter");
    arrive(&mut model, 1, view(StudySort::ToEnd, "said"));
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Ask(AskOrder::Stop))]);
    assert!(screen_text(&model).contains("stopping … 1 of 4 branches are over"));
    let ended = AskAnswer::Ended(1, Ok(()));
    assert!(update(&mut model, Msg::Answer(Answer::Asked(ended))).is_empty(), "no marks are read");
    assert_eq!(
        press(&mut model, "down enter down enter"),
        [Effect::Request(Request::ContinueJournal(journal(2)))]
    );
    command(&mut model, "ask to-end=2");
    plan(&mut model, 2);
    press(&mut model, "enter");
    let failed = Problem::new("not every branch came to its end: refused");
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Ended(2, Err(failed)))));
    assert!(screen_text(&model).contains("! not every branch came to its end: refused"));
}

#[test]
fn in_the_linear_mode_numbers_open_rows_and_branches() {
    let mut model = model();
    let at = step(&model);
    line(&mut model, "ask to-end=2");
    plan(&mut model, 1);
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Ask(AskOrder::Make(1)))]);
    arrive(&mut model, 1, view(StudySort::ToEnd, "said"));
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Ended(1, Ok(())))));
    line(&mut model, "9");
    assert_eq!(model.notice.as_deref(), Some("a number is that of a row, from 1; an empty line goes back"));
    line(&mut model, "2");
    assert_eq!(line(&mut model, "1"), [Effect::Request(Request::OpenJournal(journal(1)))]);
    assert!(model.modal.is_none() && step(&model) == at);
}
