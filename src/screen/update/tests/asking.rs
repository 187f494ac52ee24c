//! Asking again: the dialog, its plan, the calls that come back, and what is stored.

use crate::requests::{Answer, AskAnswer, AskOrder, ForkOrder, PlannedWords, RatedReply, Request};
use std::path::PathBuf;

use super::*;
use crate::grid::Page;
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

/// The words that were planned last.
fn planned_words(effects: &[Effect]) -> PlannedWords {
    let order = |effect: &Effect| match effect {
        Effect::Request(Request::Ask(AskOrder::Plan(order))) => Some(order.clone()),
        _ => None,
    };
    effects.iter().rev().find_map(order).unwrap_or_else(|| panic!("nothing is planned: {effects:?}"))
}

fn list_order(step: u32) -> Effect {
    Effect::Request(Request::Ask(AskOrder::List(JOURNAL.into(), step)))
}

fn arrived(model: &mut Model, number: u64, view: StudyTable) -> Vec<Effect> {
    update(model, Msg::Answer(Answer::Asked(AskAnswer::Arrived(number, view.into()))))
}

fn ended(model: &mut Model, number: u64, end: Result<(), Problem>) -> Vec<Effect> {
    update(model, Msg::Answer(Answer::Asked(AskAnswer::Ended(number, end))))
}

fn planned(model: &mut Model, number: u64, plan: Result<&str, Problem>) {
    let plan = plan.map(|line| PlannedStudy { brief: line.to_owned(), left: 6, ..PlannedStudy::default() });
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
    let effects = press(&mut model, "x");
    assert_eq!(effects[0], list_order(at));
    assert_eq!(planned_words(&effects).step, at, "opening plans");
    let text = screen_text(&model);
    assert!(text.contains(&format!("Ask again at step {at}")) && text.contains("planning …"), "{text}");
    let order = planned_words(&press(&mut model, "tab tab 1 tab 1 2"));
    assert!(order.words.contains(" samples=5 am=3,1 om=1"), "{}", order.words);
    planned(&mut model, order.number - 1, Ok("a plan of earlier words"));
    assert!(press(&mut model, "enter").is_empty(), "no call is made before its plan");
    assert!(screen_text(&model).contains("planning …"));
    planned(&mut model, order.number, Ok("6 calls to make"));
    assert!(screen_text(&model).contains("6 calls to make"));
    // Other words need another plan.
    let order = planned_words(&press(&mut model, "2"));
    assert!(screen_text(&model).contains("planning …") && press(&mut model, "enter").is_empty());
    planned(&mut model, order.number, Ok("9 calls to make"));
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(order.number)))]);
    assert!(screen_text(&model).contains("asking …"));
    arrived(&mut model, order.number, view("said"));
    let text = screen_text(&model);
    assert!(text.contains("asking … 2 of 4 replies · Esc stops"), "{text}");
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Ask(AskOrder::Stop))]);
    assert!(screen_text(&model).contains("stopping … 2 of 4 replies"), "what came back stays");
    let effects = ended(&mut model, order.number, Ok(()));
    let last = planned_words(&effects);
    assert!(last.words == order.words && effects.contains(&list_order(at)), "what is left is planned again");
    planned(&mut model, last.number, Ok("5 calls to make"));
    assert!(screen_text(&model).contains("2 of 4 replies · 5 calls to make"));
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn chips_do_not_change_while_calls_are_made() {
    let mut model = model();
    let order = planned_words(&press(&mut model, "x"));
    planned(&mut model, order.number, Ok("6 calls to make"));
    press(&mut model, "enter tab");
    assert!(press(&mut model, "tab 7").is_empty());
    assert!(model.notice.as_deref().is_some_and(|notice| notice.contains("Esc stops them")));
    assert!(screen_text(&model).contains("samples 5"), "{}", screen_text(&model));
}

#[test]
fn a_refused_plan_and_calls_that_fail_say_why() {
    let mut model = model();
    let order = planned_words(&command(&mut model, "ask --prompts nope --target Up 1"));
    assert!(
        order.words.starts_with("prompts=nope ") && order.words.ends_with(" target=Up 1"),
        "{}",
        order.words
    );
    planned(
        &mut model,
        order.number,
        Err(Problem::new("there is no prompt nope").with_help("did you mean none?")),
    );
    assert!(screen_text(&model).contains("! there is no prompt nope; did you mean none?"));
    let again = planned_words(&press(&mut model, "enter"));
    assert_eq!(again.words, order.words, "it is planned again, never made");
    planned(&mut model, again.number, Ok("fine"));
    press(&mut model, "enter");
    let last =
        planned_words(&ended(&mut model, again.number, Err(Problem::new("calls keep failing: refused"))));
    planned(&mut model, last.number, Ok("fine"));
    assert!(screen_text(&model).contains("! calls keep failing: refused"), "a new plan does not hide it");
    let mut without = testing::model(120, 40);
    assert!(press(&mut without, "x").is_empty());
    assert!(without.modal.is_none() && without.notice.is_some());
}

#[test]
fn a_stored_ask_opens_without_calls_and_its_cells_open_replies_and_requests() {
    let mut model = model();
    let at = step(&model);
    press(&mut model, "x");
    let stored = |step| AskAnswer::Listed(JOURNAL.into(), step, Ok(vec![view("words of the reply").into()]));
    update(&mut model, Msg::Answer(Answer::Asked(stored(at + 1))));
    press(&mut model, "s");
    assert!(!screen_text(&model).contains("88f18db3"), "those of another step");
    update(&mut model, Msg::Answer(Answer::Asked(stored(at))));
    assert!(screen_text(&model).contains("88f18db3  2 variants"));
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Stop))]);
    let text = screen_text(&model);
    assert!(text.contains("stored: 2 variants") && text.contains("2 variant-2"), "{text}");
    press(&mut model, "right");
    let text = screen_text(&model);
    assert!(text.contains("▸ 1 Up") && text.contains("2 unreadable"), "{text}");
    assert!(text.contains("Reply 1 of variant 2: Up") && text.contains("words of the reply"), "{text}");
    press(&mut model, "down enter");
    let text = screen_text(&model);
    assert!(text.contains("╭ Reply 2 of variant 2: unreadable") && text.contains("12 tokens"), "{text}");
    press(&mut model, "esc");
    let folder = PathBuf::from("/s/0001/asks/88f18db35a6c9a08");
    let read = |variant| Effect::Request(Request::Ask(AskOrder::ReadRequest(folder.clone(), variant)));
    assert_eq!(press(&mut model, "R"), [read(2)]);
    let request = |model: &mut Model, variant: usize, text: &str| {
        let answer = AskAnswer::Request(folder.clone(), variant, Ok(text.to_owned()));
        update(model, Msg::Answer(Answer::Asked(answer)));
    };
    request(&mut model, 2, "same\nsecond words");
    assert!(screen_text(&model).contains("second words"));
    press(&mut model, "esc");
    assert_eq!(press(&mut model, "D"), [read(1)], "that of the second variant is known");
    request(&mut model, 1, "same\nfirst words");
    let text = screen_text(&model);
    assert!(text.contains("- first words") && text.contains("+ second words"), "{text}");
    press(&mut model, "esc t");
    let text = screen_text(&model);
    assert!(text.contains("██▓▓▓▓▓▓▓▓╌╌╌╌╌╌╌╌") && text.contains("50 % (10–90)  taken"), "{text}");
    assert!(text.contains("state a before and a after"), "{text}");
    press(&mut model, "esc");
    let effects = press(&mut model, "esc");
    assert_eq!(planned_words(&effects).step, at, "Esc leads back to what the chips say");
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn in_the_linear_mode_lines_change_the_chips_and_numbers_open_variants_and_replies() {
    let mut model = model();
    let at = step(&model);
    line(&mut model, "ask");
    update(
        &mut model,
        Msg::Answer(Answer::Asked(AskAnswer::Listed(JOURNAL.into(), at, Ok(vec![view("said").into()])))),
    );
    let order = planned_words(&line(&mut model, "samples=9 target=Up"));
    assert!(order.words.contains("samples=9") && order.words.ends_with("target=Up"), "{}", order.words);
    planned(&mut model, order.number, Ok("6 calls to make"));
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Ask(AskOrder::Make(order.number)))]);
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Ask(AskOrder::Stop))]);
    arrived(&mut model, order.number, view("said"));
    ended(&mut model, order.number, Ok(()));
    line(&mut model, "2");
    line(&mut model, "1");
    let Some(Modal::Grid(grid)) = &model.modal else { panic!("{:?}", model.modal) };
    assert_eq!((grid.page, grid.column()), (Page::Reply, 1));
    line(&mut model, "");
    line(&mut model, "request");
    line(&mut model, "");
    line(&mut model, "");
    line(&mut model, "");
    assert!(model.modal.is_none(), "{:?}", model.modal);
}

/// The dialog with the first reply of the second variant of a stored ask.
fn second_variant(model: &mut Model) {
    let at = step(model);
    press(model, "x");
    update(
        model,
        Msg::Answer(Answer::Asked(AskAnswer::Listed(JOURNAL.into(), at, Ok(vec![view("said").into()])))),
    );
    press(model, "s enter right");
}

#[test]
fn a_reply_begins_a_branch_and_is_rated() {
    let mut model = model();
    let at = step(&model);
    second_variant(&mut model);
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
    assert!(
        screen_text(&model).contains("▸ 1 Up │") || !screen_text(&model).contains("Up +"),
        "it is rated once that is written"
    );
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Rated(good, Ok(())))));
    assert!(screen_text(&model).contains("▸ 1 Up +"));
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
    second_variant(&mut model);
    assert_eq!(
        press(&mut model, "1"),
        [Effect::Request(Request::Fork(order))],
        "a recorded step goes on in a branch"
    );
    press(&mut model, "esc");
    second_variant(&mut model);
    assert!(press(&mut model, "9").is_empty());
    assert_eq!(model.notice.as_deref(), Some("there is no reply 9"));
}

#[test]
fn candidates_of_a_pending_step_are_planned_and_one_becomes_its_reply() {
    let snapshot = testing::sample_episode().snapshot();
    let mut model = testing::model_of(Snapshot { journal: Some(JOURNAL.into()), ..snapshot }, 120, 40);
    let at = step(&model);
    let order = planned_words(&press(&mut model, "4 c"));
    assert!(order.words.contains(" samples=4 ") && order.step == at, "{}", order.words);
    planned(&mut model, order.number, Ok("4 calls to make"));
    assert!(press(&mut model, "2").is_empty(), "a digit uses a reply, and there is none yet");
    assert_eq!(model.notice.take().as_deref(), Some("there is no reply 2"));
    assert!(screen_text(&model).contains(&format!("Candidates at step {at}")));
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(order.number)))]);
    let mut one = view("said");
    one.rows.remove(0);
    arrived(&mut model, order.number, one);
    ended(&mut model, order.number, Ok(()));
    let text = screen_text(&model);
    assert!(text.contains("▸ 1 Up") && text.contains("2 unreadable"), "{text}");
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
    let order = planned_words(&effects);
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
        mark(LeftOut::FramePair(at - 1), 0.5, Some(true)),
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
    assert!(text.contains(&format!("together: frames {} and {at} ≠.50", at - 1)), "{text}");
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
    second_variant(&mut model);
    line(&mut model, "2");
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
