//! Suites: the list, the dialog with its plan, the report that grows, and one state with its frame and replies.

use super::asking::{JOURNAL, line, model};
use super::*;
use crate::requests::{
    AddedStep, Answer, AskAnswer, LoadedRecording, Request, SuiteAnswer, SuiteDetails, SuiteEntry,
    SuiteOrder, SuiteWords, WantedRecording,
};
use crate::tests::screen_text;
use mageyard_config::Problem;
use mageyard_study::{Column, ComparedState, PlannedStudy, Sample, StudyRow, StudyTable, VariantAnswers};

/// A report on three states by two variants, which differ in the first one; the second is a step of `JOURNAL`.
pub(crate) fn view(text: &str) -> StudyTable {
    let reply = |answer: &str| {
        let facts = vec!["accepted".to_owned(), text.to_owned()];
        let answer = Some(answer.to_owned());
        let said = Some(format!("because of {text}"));
        Arc::new(Sample { number: 1, answer, text: said, facts, ..Sample::default() })
    };
    let answers = |answer: &str| VariantAnswers {
        summary: format!("1 of 1 accepted ({answer} 1) {text}"),
        samples: vec![reply(answer)],
    };
    let state = |number: usize, step: u32| ComparedState {
        number,
        title: format!("wall: reason-{number} {text}"),
        address: format!("s/1#{step} {text}"),
        journal: JOURNAL.into(),
        step,
        facts: vec!["accepted: Up (solver)".to_owned(), text.to_owned()],
        variants: vec![answers("Up"), answers("Left")],
    };
    let row = |number: usize, name: &str, cells: [&str; 2]| StudyRow {
        number,
        name: format!("{name} {text}"),
        cells: cells.map(str::to_owned).to_vec(),
        ..StudyRow::default()
    };
    StudyTable {
        title: format!("walls: 3 states, 2 variants {text}"),
        columns: vec![Column::figure("optimal"), Column::figure("cost")],
        rows: vec![row(1, "0s-CoT", ["60 % (23–88)", text]), row(2, "HD-CoT", ["20 % (1–70)", "0.1 USD"])],
        tail: vec![format!("variant 2 minus 1: -40 points; 31 pairs of whole episodes {text}")],
        states: vec![state(17, 4), state(3, 2), state(5, 1)],
        differing: 1,
        end: vec![text.to_owned()],
        done: 6,
        all: 8,
        ..StudyTable::default()
    }
}

fn rows() -> Vec<SuiteEntry> {
    let row = |name: &str, is_own: bool| SuiteEntry {
        name: name.to_owned(),
        is_own,
        facts: vec![format!("50 states of {name}")],
        broken: None,
    };
    vec![row("mistakes", false), row("walls", true)]
}

fn answer(model: &mut Model, answer: SuiteAnswer) {
    assert!(update(model, Msg::Answer(Answer::Suite(answer))).is_empty());
}

fn asked(model: &mut Model, answer: AskAnswer) {
    assert!(update(model, Msg::Answer(Answer::Asked(answer))).is_empty());
}

fn planned(model: &mut Model, number: u64) {
    let plan = PlannedStudy { lines: vec!["8 calls to make".to_owned()], left: 8, ..PlannedStudy::default() };
    asked(model, AskAnswer::Planned(number, Ok(plan)));
}

/// The dialog for `walls`, with one stored ask.
fn open_sheet(model: &mut Model) {
    assert_eq!(
        command(model, "suites walls"),
        [Effect::Request(Request::Suite(SuiteOrder::Read("walls".to_owned())))]
    );
    let details = SuiteDetails { prompts: vec!["0s-CoT".to_owned()], stored: vec![view("said").into()] };
    answer(model, SuiteAnswer::Read("walls".to_owned(), Ok(details)));
}

#[test]
fn the_list_has_shipped_and_own_suites_and_enter_asks_about_one() {
    let mut model = model();
    assert_eq!(press(&mut model, "X"), [Effect::Request(Request::Suite(SuiteOrder::List))]);
    assert!(screen_text(&model).contains("reading the suites"));
    answer(&mut model, SuiteAnswer::Listed(rows()));
    let text = screen_text(&model);
    assert!(text.contains("mistakes  shipped") && text.contains("walls  your own"), "{text}");
    let effects = press(&mut model, "down enter");
    assert_eq!(effects, [Effect::Request(Request::Suite(SuiteOrder::Read("walls".to_owned())))]);
    assert!(screen_text(&model).contains("Ask about the suite walls"));
    assert!(press(&mut model, "esc").contains(&Effect::Request(Request::Suite(SuiteOrder::List))));
    let is_back = |list: &crate::model::SuiteList| list.selected_row().is_some_and(|row| row.name == "walls");
    assert!(matches!(&model.modal, Some(Modal::Suites(list)) if is_back(list)), "Esc leads back to its row");
    press(&mut model, "esc X");
    let mut broken = rows();
    broken[0].broken = Some("line 3: no digest".to_owned());
    answer(&mut model, SuiteAnswer::Listed(broken));
    assert!(screen_text(&model).contains("! line 3: no digest"));
    assert!(press(&mut model, "enter").is_empty());
    assert_eq!(model.notice.as_deref(), Some("the suite mistakes cannot be read"));
}

#[test]
fn calls_are_made_only_after_their_plan_and_escape_keeps_what_came_back() {
    let mut model = model();
    let words = "prompts=0s-CoT,HD-CoT samples=4";
    let effects = command(&mut model, &format!("suites walls {words}"));
    let plan = |number| SuiteWords { number, suite: "walls".to_owned(), words: words.to_owned() };
    let [_, Effect::Request(Request::Suite(SuiteOrder::Plan(order)))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(*order, plan(1));
    let refused = Problem::new("no such prompt").with_help("name another");
    asked(&mut model, AskAnswer::Planned(1, Err(refused)));
    assert!(screen_text(&model).contains("! no such prompt; name another"));
    assert_eq!(
        press(&mut model, "enter"),
        [Effect::Request(Request::Suite(SuiteOrder::Plan(plan(2))))],
        "it is never made"
    );
    planned(&mut model, 2);
    let text = screen_text(&model);
    assert!(text.contains("8 calls to make") && text.contains("Enter makes the calls"), "{text}");
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Suite(SuiteOrder::Make(2)))]);
    asked(&mut model, AskAnswer::Arrived(1, view("another").into()));
    assert!(!screen_text(&model).contains("another"), "the answer to another plan");
    asked(&mut model, AskAnswer::Arrived(2, view("said").into()));
    let text = screen_text(&model);
    for part in [
        "asking … 6 of 8 replies",
        "optimal  60 % (23–88)  20 % (1–70)",
        "31 pairs of whole episodes",
        "The answers differ in 1 state",
        "▸  17  wall: reason-17",
        "Alike in 2 states",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Suite(SuiteOrder::Stop))]);
    assert!(screen_text(&model).contains("stopping …"));
    asked(&mut model, AskAnswer::Ended(2, Ok(())));
    assert!(screen_text(&model).contains("6 of 8 replies"));
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn names_are_completed_and_a_stored_ask_opens_without_a_call() {
    let mut model = model();
    open_sheet(&mut model);
    press(&mut model, "p right right s right 2");
    let Some(Modal::Ask(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!(sheet.words(), "prompts=0s-CoTs2", "a name that is complete takes what is typed");
    press(&mut model, "ctrl-u s a right 4");
    let Some(Modal::Ask(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!(sheet.words(), "samples=4");
    assert!(screen_text(&model).contains("Stored about this suite"));
    assert_eq!(press(&mut model, "down enter"), [Effect::Request(Request::Suite(SuiteOrder::Stop))]);
    assert!(screen_text(&model).contains("6 of 8 replies"));
}

#[test]
fn one_key_shows_the_frame_and_the_replies_of_a_state_and_another_one_its_recording() {
    let mut model = model();
    open_sheet(&mut model);
    press(&mut model, "down enter");
    let read = Effect::Request(Request::LoadRecording(WantedRecording::Journal(JOURNAL.into())));
    assert_eq!(press(&mut model, "enter"), std::slice::from_ref(&read));
    let text = screen_text(&model);
    for part in [
        "State 17 of walls",
        "accepted: Up (solver)",
        "1 of 2: 0s-CoT",
        "2 of 2: HD-CoT",
        "1: Left · accepted",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.contains("reading the recording"), "{text}");
    let snapshot = model.episodes[0].snapshot.clone();
    let read_answer =
        || Ok(LoadedRecording { name: "s/1".to_owned(), step: None, snapshot: snapshot.clone() });
    update(&mut model, Msg::Answer(Answer::Loaded(WantedRecording::Journal(JOURNAL.into()), read_answer())));
    let Some(Modal::Asked(report)) = &model.modal else { panic!("{:?}", model.modal) };
    assert!(report.picture().is_some());
    assert!(!screen_text(&model).contains("reading the recording"));
    assert_eq!(press(&mut model, "right"), [read], "the next state has a frame of its own");
    assert!(screen_text(&model).contains("State 3 of walls"));
    assert!(press(&mut model, "enter").is_empty(), "its episode is open");
    assert_eq!((model.modal.is_none(), model.episode().unwrap().step().unwrap().number), (true, 2));
    press(&mut model, "esc");
    assert!(screen_text(&model).contains("State 3 of walls"), "Esc leads back to the report");
    press(&mut model, "enter X");
    assert!(screen_text(&model).contains("State 3 of walls"), "the command shows it too");
    press(&mut model, "esc");
    assert!(screen_text(&model).contains("▸   3  wall"));
    press(&mut model, "esc");
    assert!(screen_text(&model).contains("Stored about this suite"), "where the report was opened");
    press(&mut model, "esc");
    assert_eq!(press(&mut model, "X"), [Effect::Request(Request::Suite(SuiteOrder::List))]);
}

#[test]
fn a_report_that_is_hidden_grows_while_the_table_of_an_ask_is_open() {
    let mut model = model();
    command(&mut model, "suites walls samples=4");
    planned(&mut model, 1);
    press(&mut model, "enter");
    asked(&mut model, AskAnswer::Arrived(1, view("first").into()));
    press(&mut model, "enter down enter");
    assert!(model.modal.is_none() && model.has_way_back(), "the recording is shown");
    command(&mut model, "ask samples=2");
    planned(&mut model, 2);
    press(&mut model, "enter");
    asked(&mut model, AskAnswer::Arrived(1, view("second").into()));
    asked(&mut model, AskAnswer::Ended(1, Ok(())));
    assert!(screen_text(&model).contains("asking …"), "the ask goes on");
    let Some(Modal::Asked(report)) = model.take_covered(|_| true) else { panic!("the report is covered") };
    assert!(report.view.title.ends_with("second") && !report.is_running(), "{:?}", report.progress);
}

#[test]
fn a_recording_that_cannot_be_read_says_why() {
    let mut model = model();
    open_sheet(&mut model);
    press(&mut model, "down enter enter");
    let gone = Err(Problem::new("the recording is gone"));
    update(&mut model, Msg::Answer(Answer::Loaded(WantedRecording::Journal(JOURNAL.into()), gone)));
    assert!(screen_text(&model).contains("! the recording is gone"));
}

#[test]
fn the_shown_step_is_added_to_a_suite_with_its_reason() {
    let mut model = model();
    let step = model.episode().unwrap().step().unwrap().number;
    let effects = command(&mut model, "suite add walls pushes into the corner");
    let added = |why: Option<&str>| {
        let suite = "walls".to_owned();
        let why = why.map(str::to_owned);
        [Effect::Request(Request::Suite(SuiteOrder::Add(AddedStep {
            suite,
            journal: JOURNAL.into(),
            step,
            why,
        })))]
    };
    assert_eq!(effects, added(Some("pushes into the corner")));
    answer(&mut model, SuiteAnswer::Added(Ok("1 state added".to_owned())));
    assert_eq!(model.notice.as_deref(), Some("1 state added"));
    assert_eq!(command(&mut model, "suite add walls"), added(None));
    answer(&mut model, SuiteAnswer::Added(Err(Problem::new("shipped").with_help("choose another name"))));
    assert_eq!(model.notice.as_deref().map(|said| said.lines().count()), Some(1));
    assert!(command(&mut model, "suite walls").is_empty());
    assert!(model.notice.as_deref().unwrap().contains(":suite add NAME"));
    let mut without = testing::model(120, 40);
    assert!(command(&mut without, "suite add walls").is_empty() && without.notice.is_some());
}

#[test]
fn the_linear_mode_answers_each_dialog_with_a_line() {
    let mut model = model();
    line(&mut model, "suites");
    answer(&mut model, SuiteAnswer::Listed(rows()));
    assert_eq!(
        line(&mut model, "walls"),
        [Effect::Request(Request::Suite(SuiteOrder::Read("walls".to_owned())))]
    );
    let details = SuiteDetails { prompts: Vec::new(), stored: vec![view("said").into()] };
    answer(&mut model, SuiteAnswer::Read("walls".to_owned(), Ok(details)));
    assert!(matches!(
        &line(&mut model, "samples=2")[..],
        [Effect::Request(Request::Suite(SuiteOrder::Plan(_)))]
    ));
    planned(&mut model, 1);
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Suite(SuiteOrder::Make(1)))]);
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Suite(SuiteOrder::Stop))]);
    asked(&mut model, AskAnswer::Arrived(1, view("said").into()));
    asked(&mut model, AskAnswer::Ended(1, Ok(())));
    assert!(matches!(&line(&mut model, "3")[..], [Effect::Request(Request::LoadRecording(_))]));
    let Some(Modal::Asked(report)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!((report.level, report.state().unwrap().number), (crate::model::AskLevel::State, 3));
    line(&mut model, "next");
    let Some(Modal::Asked(report)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!(report.state().unwrap().number, 5);
    line(&mut model, "");
    line(&mut model, "");
    assert!(model.modal.is_none());
}
