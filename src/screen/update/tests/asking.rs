//! Asking again: the dialog, its plan, the calls that come back, and what is stored.

use crate::requests::{Answer, AskAnswer, AskOrder, ForkOrder, PlannedWords, RatedReply, Request};
use std::path::PathBuf;

use super::*;
use crate::model::AskLevel;
use crate::tests::screen_text;
use mageyard_config::Problem;
use mageyard_dialog::LeftOut;
use mageyard_domain::{Rating, Segment};
use mageyard_engine::Edit;
use mageyard_study::{AnswerBar, Column, PartMark, PlannedStudy, Sample, StudyRow, StudyTable};

pub(crate) const JOURNAL: &str = "/s/0001/journal.jsonl";

/// The model of a recorded episode, the step before the newest in view.
pub(super) fn model() -> Model {
    let snapshot = testing::sample_episode().snapshot();
    let mut model = testing::model_of(Snapshot { journal: Some(JOURNAL.into()), ..snapshot }, 120, 40);
    press(&mut model, "h");
    model
}

pub(super) fn step(model: &Model) -> u32 {
    model.episode().unwrap().step().unwrap().number
}

fn plan_order(number: u64, step: u32, words: &str) -> Effect {
    let journal = PathBuf::from(JOURNAL);
    let words = words.to_owned();
    Effect::Request(Request::Ask(AskOrder::Plan(PlannedWords { number, journal, step, words })))
}

fn planned(model: &mut Model, number: u64, plan: Result<&str, Problem>) {
    let plan =
        plan.map(|line| PlannedStudy { lines: vec![line.to_owned()], left: 6, ..PlannedStudy::default() });
    assert!(update(model, Msg::Answer(Answer::Asked(AskAnswer::Planned(number, plan)))).is_empty());
}

/// An ask with two variants; the second has the replies Up and one that cannot be read.
pub(crate) fn view(text: &str) -> StudyTable {
    let reply = |sample: u32, answer: Option<&str>| {
        let facts = vec!["12 tokens".to_owned()];
        Arc::new(Sample {
            number: sample,
            answer: answer.map(str::to_owned),
            text: Some(text.to_owned()),
            reply: Some(text.to_owned().into()),
            facts,
            ..Sample::default()
        })
    };
    let bar = |answer: &str| AnswerBar {
        answer: answer.to_owned(),
        share: [0.5, 0.1, 0.9],
        words: "50 % (10–90)".to_owned(),
        notes: "taken".to_owned(),
    };
    let variant = |number: usize, samples: Vec<Arc<Sample>>| StudyRow {
        number,
        name: format!("variant-{number} {text}"),
        cells: vec!["2".to_owned(), text.to_owned()],
        answers: vec![bar("Up"), bar("unreadable")],
        samples,
    };
    StudyTable {
        id: "88f18db35a6c9a08".to_owned(),
        folder: "/s/0001/asks/88f18db35a6c9a08".into(),
        title: format!("2 variants {text}"),
        head: vec![text.to_owned()],
        columns: vec![Column::count("replies"), Column::alone("tokens")],
        rows: vec![variant(1, Vec::new()), variant(2, vec![reply(1, Some("Up")), reply(2, None)])],
        tail: vec!["state a before and a after: unchanged".to_owned()],
        done: 2,
        all: 4,
        ..StudyTable::default()
    }
}

/// What a question of the linear mode is answered with.
pub(super) fn line(model: &mut Model, line: &str) -> Vec<Effect> {
    update(model, Msg::Line(line.to_owned()))
}

#[test]
fn calls_are_made_only_after_their_plan_was_shown() {
    let mut model = model();
    let at = step(&model);
    let listed = Effect::Request(Request::Ask(AskOrder::List(JOURNAL.into(), at)));
    assert_eq!(press(&mut model, "x"), [listed], "opening plans nothing");
    let text = screen_text(&model);
    assert!(
        text.contains(&format!("Ask again at step {at}")) && text.contains("Enter shows the plan"),
        "{text}"
    );
    press(&mut model, "tab ctrl-u 1 , 3 tab ctrl-u 1");
    let effects = press(&mut model, "enter");
    let [Effect::Request(Request::Ask(AskOrder::Plan(order)))] = &effects[..] else { panic!("{effects:?}") };
    assert!(order.words.contains(" am=1,3 om=1 ") && order.words.ends_with("samples=5"), "{}", order.words);
    assert_eq!((order.number, order.step), (1, at));
    planned(&mut model, 7, Ok("another plan"));
    assert!(screen_text(&model).contains("planning …"));
    planned(&mut model, 1, Ok("6 calls to make"));
    let text = screen_text(&model);
    assert!(text.contains("6 calls to make") && text.contains("Enter makes the calls"), "{text}");
    // Another word needs another plan.
    press(&mut model, "1");
    assert!(screen_text(&model).contains("Enter shows the plan"));
    press(&mut model, "backspace");
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(1)))]);
    assert!(screen_text(&model).contains("asking …"));
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Arrived(1, view("said").into()))));
    let text = screen_text(&model);
    assert!(text.contains("asking … 2 of 4 replies") && text.contains("██▓▓▓▓▓▓▓▓╌╌╌╌╌╌╌╌"), "{text}");
    assert!(text.contains("50 % (10–90)  taken") && text.contains("Esc stops"), "{text}");
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Ask(AskOrder::Stop))]);
    assert!(screen_text(&model).contains("stopping …"), "what came back stays");
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Ended(1, Ok(())))));
    assert!(screen_text(&model).contains("2 of 4 replies"));
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Ask(AskOrder::List(JOURNAL.into(), at)))]);
    let text = screen_text(&model);
    assert!(text.contains("Enter shows the plan"), "the plan is used: {text}");
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn a_refused_plan_and_calls_that_fail_say_why() {
    let mut model = model();
    let at = step(&model);
    let effects = command(&mut model, "ask --prompts nope --target Up 1");
    let [_, Effect::Request(Request::Ask(AskOrder::Plan(order)))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert!(
        order.words.starts_with("prompts=nope ") && order.words.ends_with(" target=Up 1"),
        "{}",
        order.words
    );
    planned(&mut model, 1, Err(Problem::new("there is no prompt nope").with_help("did you mean none?")));
    assert!(screen_text(&model).contains("! there is no prompt nope; did you mean none?"));
    let words = order.words.clone();
    assert_eq!(press(&mut model, "enter"), [plan_order(2, at, &words)], "it is planned again, never made");
    planned(&mut model, 2, Ok("fine"));
    press(&mut model, "enter");
    let failed = Problem::new("calls keep failing: refused");
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Ended(2, Err(failed)))));
    assert!(screen_text(&model).contains("! calls keep failing: refused"));
    let mut without = testing::model(120, 40);
    assert!(press(&mut without, "x").is_empty());
    assert!(without.modal.is_none() && without.notice.is_some());
}

#[test]
fn a_stored_ask_opens_without_calls_and_its_rows_open_calls_replies_and_the_request() {
    let mut model = model();
    let at = step(&model);
    press(&mut model, "x");
    let stored = |step| AskAnswer::Listed(JOURNAL.into(), step, Ok(vec![view("words of the reply").into()]));
    update(&mut model, Msg::Answer(Answer::Asked(stored(at + 1))));
    assert!(!screen_text(&model).contains("88f18db3"), "those of another step");
    update(&mut model, Msg::Answer(Answer::Asked(stored(at))));
    assert!(screen_text(&model).contains("88f18db3  2 variants"));
    assert_eq!(press(&mut model, "backtab enter"), [Effect::Request(Request::Ask(AskOrder::Stop))]);
    press(&mut model, "down enter");
    let text = screen_text(&model);
    assert!(text.contains("variant 2: variant-2") && text.contains("words of the reply"), "{text}");
    assert!(text.contains("1   Up") && text.contains("2   unreadable"), "{text}");
    press(&mut model, "down enter");
    let text = screen_text(&model);
    assert!(text.contains("variant 2, sample 2") && text.contains("12 tokens"), "{text}");
    press(&mut model, "esc");
    let folder = PathBuf::from("/s/0001/asks/88f18db35a6c9a08");
    assert_eq!(
        press(&mut model, "R"),
        [Effect::Request(Request::Ask(AskOrder::ReadRequest(folder.clone(), 2)))]
    );
    update(
        &mut model,
        Msg::Answer(Answer::Asked(AskAnswer::Request(folder, 2, Ok("{ \"messages\": [] }".into())))),
    );
    assert!(screen_text(&model).contains("\"messages\""));
    press(&mut model, "esc esc");
    let Some(Modal::Asked(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!((sheet.level, sheet.row()), (AskLevel::Table, 1), "the row is still selected");
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Ask(AskOrder::List(JOURNAL.into(), at)))]);
    let Some(Modal::Ask(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!(sheet.selected(), Some(0), "the ask is still selected");
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn names_of_prompts_are_completed_and_the_wheel_selects() {
    let mut model = testing::model_with_prompts();
    let snapshot = Snapshot { journal: Some(JOURNAL.into()), ..Snapshot::clone(&model.episodes[0].snapshot) };
    model.episodes[0].snapshot = snapshot.into();
    let names: Vec<_> =
        model.episodes[0].snapshot.requests.prompts.iter().map(|prompt| prompt.name.clone()).collect();
    press(&mut model, "x ctrl-u right");
    let Some(Modal::Ask(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!(sheet.fields().next().unwrap().1, names[0]);
    press(&mut model, ", right");
    let Some(Modal::Ask(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!(sheet.fields().next().unwrap().1, names[..2].join(","), "one that is not named yet");
}

#[test]
fn in_the_linear_mode_lines_change_the_fields_and_numbers_open_rows() {
    let mut model = model();
    let at = step(&model);
    line(&mut model, "ask");
    update(
        &mut model,
        Msg::Answer(Answer::Asked(AskAnswer::Listed(JOURNAL.into(), at, Ok(vec![view("said").into()])))),
    );
    let effects = line(&mut model, "samples=9 target=Up");
    let [Effect::Request(Request::Ask(AskOrder::Plan(order)))] = &effects[..] else { panic!("{effects:?}") };
    assert!(order.words.ends_with("samples=9 target=Up"), "{}", order.words);
    planned(&mut model, 1, Ok("6 calls to make"));
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Ask(AskOrder::Make(1)))]);
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Ask(AskOrder::Stop))]);
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Arrived(1, view("said").into()))));
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Ended(1, Ok(())))));
    line(&mut model, "2");
    line(&mut model, "1");
    let Some(Modal::Asked(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!((sheet.level, sheet.call().unwrap().number), (AskLevel::Reply, 1));
    line(&mut model, "");
    line(&mut model, "request");
    line(&mut model, "");
    line(&mut model, "");
    line(&mut model, "");
    assert!(model.modal.is_none());
}

/// The dialog with the calls of the second variant of a stored ask.
fn calls(model: &mut Model) {
    let at = step(model);
    press(model, "x");
    update(
        model,
        Msg::Answer(Answer::Asked(AskAnswer::Listed(JOURNAL.into(), at, Ok(vec![view("said").into()])))),
    );
    press(model, "backtab enter down enter");
}

#[test]
fn a_reply_begins_a_branch_and_is_rated() {
    let mut model = model();
    let at = step(&model);
    calls(&mut model);
    let rated = |rating| RatedReply {
        journal: JOURNAL.into(),
        step: at,
        ask: "88f18db35a6c9a08".to_owned(),
        variant: 2,
        sample: 1,
        rating,
    };
    let good = rated(Some(Rating::Good));
    assert_eq!(press(&mut model, "+"), [Effect::Request(Request::Ask(AskOrder::Rate(good.clone())))]);
    assert!(screen_text(&model).contains("1   Up"), "it is rated once that is written");
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Rated(good, Ok(())))));
    assert!(screen_text(&model).contains("1 + Up"));
    assert_eq!(
        press(&mut model, "-"),
        [Effect::Request(Request::Ask(AskOrder::Rate(rated(Some(Rating::Bad)))))]
    );
    assert_eq!(press(&mut model, "0"), [Effect::Request(Request::Ask(AskOrder::Rate(rated(None))))]);
    let refused = Err(Problem::new("the disk is full"));
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Rated(rated(None), refused))));
    assert_eq!(model.notice.as_deref(), Some("the disk is full"));
    let changes = "answer=88f18db35a6c9a08:2/1".to_owned();
    let order = ForkOrder { journal: JOURNAL.into(), step: at, changes, state: None, is_made: false };
    assert_eq!(
        press(&mut model, "f"),
        [Effect::Request(Request::Fork(order.clone()))],
        "the dialog of a branch says what it is"
    );
    assert!(screen_text(&model).contains("answer=88f18db35a6c9a08:2/1"));
    press(&mut model, "esc");
    calls(&mut model);
    assert_eq!(
        press(&mut model, "1"),
        [Effect::Request(Request::Fork(order))],
        "a recorded step goes on in a branch"
    );
    press(&mut model, "esc");
    calls(&mut model);
    assert!(press(&mut model, "9").is_empty());
    assert_eq!(model.notice.as_deref(), Some("there is no reply 9"));
}

#[test]
fn candidates_of_a_pending_step_are_planned_and_one_becomes_its_reply() {
    let snapshot = testing::sample_episode().snapshot();
    let mut model = testing::model_of(Snapshot { journal: Some(JOURNAL.into()), ..snapshot }, 120, 40);
    let at = step(&model);
    let effects = press(&mut model, "4 c");
    let [_, Effect::Request(Request::Ask(AskOrder::Plan(order)))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert!(order.words.ends_with(" samples=4") && order.step == at, "{}", order.words);
    planned(&mut model, 1, Ok("4 calls to make"));
    assert!(screen_text(&model).contains(&format!("Candidates at step {at}")));
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(1)))]);
    let mut one = view("said");
    one.rows.remove(0);
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Arrived(1, one.into()))));
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Ended(1, Ok(())))));
    let text = screen_text(&model);
    assert!(text.contains("1   Up") && text.contains("2   unreadable"), "{text}");
    let orders = commands(press(&mut model, "2"));
    let [SessionCommand::Edit(target, Edit::Picked(picked))] = &orders[..] else { panic!("{orders:?}") };
    assert_eq!((target.step, picked.reply.text.as_str()), (at, "said"));
    assert_eq!(picked.from, "ask 88f18db35a6c9a08, variant 2, sample 2");
    assert!(model.modal.is_none());
    command(&mut model, "candidates many");
    assert_eq!(model.notice.as_deref(), Some("candidates are a number of replies, such as :candidates 5"));
}

#[test]
fn the_cursor_in_a_reply_says_where_answers_go_on() {
    let snapshot = testing::sample_episode().snapshot();
    let mut model = testing::model_of(Snapshot { journal: Some(JOURNAL.into()), ..snapshot }, 120, 40);
    model.episodes[0].cursor = Some(0);
    let step = model.episode().unwrap().step().unwrap().clone();
    let reply = step.attempts.last().unwrap().reply.to_string();
    press(&mut model, "g x");
    assert!(
        screen_text(&model).contains(&format!("Continue a reply of step {} from the cursor", step.number))
    );
    press(&mut model, "up up left");
    let Some(Modal::Edit(editor)) = &model.modal else { panic!("the editor is open") };
    let start = editor.text_editor.text_to_cursor().to_owned();
    assert!(start.contains('\n') && reply.starts_with(&start) && start.len() < reply.len(), "{start:?}");
    let effects = press(&mut model, "ctrl-d");
    let [_, Effect::Request(Request::Ask(AskOrder::Plan(order)))] = &effects[..] else {
        panic!("{effects:?}")
    };
    let quoted = serde_json::to_string(&start).unwrap();
    assert!(order.words.ends_with(&format!(" from-text={quoted}")), "{}", order.words);
    assert_eq!(order.step, step.number);

    press(&mut model, "esc");
    press(&mut model, "g x");
    if let Some(Modal::Edit(editor)) = &mut model.modal {
        editor.text_editor.move_rows(-99, 80);
        editor.text_editor.home();
    }
    assert!(press(&mut model, "ctrl-d").is_empty(), "nothing to begin with");
    assert!(matches!(model.modal, Some(Modal::Edit(_))));
}

#[test]
fn parts_that_were_left_out_are_marked_in_the_memory_pane_and_in_the_request() {
    let mut model = testing::model_with_prompts();
    let snapshot = Snapshot { journal: Some(JOURNAL.into()), ..Snapshot::clone(&model.episodes[0].snapshot) };
    model.episodes[0].snapshot = snapshot.into();
    let at = step(&model);
    let mark = |part, distance, is_different| PartMark { step: at, part, distance, is_different, replies: 5 };
    let marks = vec![
        mark(LeftOut::Row(at - 1), 0.875, Some(true)),
        mark(LeftOut::Frame(at), 1.0, Some(false)),
        mark(LeftOut::Segment(Segment::Task), 0.25, None),
    ];
    press(&mut model, "g m z");
    assert!(!screen_text(&model).contains("asked without it"));
    update(
        &mut model,
        Msg::Answer(Answer::Asked(AskAnswer::Asks {
            journal: "/another".into(),
            spent: Vec::new(),
            marks: marks.clone(),
        })),
    );
    assert!(!screen_text(&model).contains("asked without it"), "another episode");
    update(
        &mut model,
        Msg::Answer(Answer::Asked(AskAnswer::Asks { journal: JOURNAL.into(), spent: Vec::new(), marks })),
    );
    let text = screen_text(&model);
    assert!(text.contains("● in ≠.88") && text.contains("● in ≈1.0"), "{text}");
    assert!(text.contains("segments: task ~.25") && text.contains("≠ they differ"), "{text}");
    press(&mut model, "R");
    let text = screen_text(&model);
    assert!(text.contains("[task]  ~.25 without it the answers were not tested"), "{text}");
    press(&mut model, "esc h");
    assert!(!screen_text(&model).contains("asked without it"), "another step");
}

#[test]
fn in_the_linear_mode_words_rate_replies_and_go_on_with_one() {
    let mut model = model();
    calls(&mut model);
    let effects = line(&mut model, "good 1");
    assert!(
        matches!(&effects[..], [Effect::Request(Request::Ask(AskOrder::Rate(rated)))] if rated.sample == 1),
        "{effects:?}"
    );
    let effects = line(&mut model, "fork 1");
    assert!(
        matches!(&effects[..], [Effect::Request(Request::Fork(order))] if order.changes.ends_with(":2/1")),
        "{effects:?}"
    );
}
