//! The dialog of readers: what is asked, what moves, and a draft with its counts.

use crate::model::{Modal, Model};
use crate::requests::{Answer, ReadReply, ReaderAnswer, ReaderEntry, ReaderOrder, Request};
use crate::testing;
use crate::tests::screen_text;
use crate::update::{Effect, Msg, update};
use mageyard_config::Problem;
use mageyard_dialog::ParseError;
use mageyard_domain::Action;
use mageyard_engine::Attempt;
use mageyard_lab::{Doubt, ReparseCounts, ReplyPlace, ReplyShape, Rereading};

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| update(model, Msg::Key(testing::key(key)))).collect()
}

fn answer(model: &mut Model, answer: ReaderAnswer) -> Vec<Effect> {
    update(model, Msg::Answer(Answer::Reader(answer)))
}

fn orders(effects: Vec<Effect>) -> Vec<ReaderOrder> {
    let order = |effect| match effect {
        Effect::Request(Request::Reader(order)) => Some(order),
        _ => None,
    };
    effects.into_iter().filter_map(order).collect()
}

fn place(episode: usize, step: u32) -> ReplyPlace {
    ReplyPlace { episode, step, attempt: 1 }
}

fn shape(rule: &str, places: Vec<ReplyPlace>) -> ReplyShape {
    ReplyShape {
        doubt: Doubt::Refused,
        rule: rule.to_owned(),
        form: "text",
        why: format!("the rule {rule} \u{1b}[31mfails"),
        count: places.len(),
        places,
    }
}

fn reading(errors: usize, shapes: Vec<ReplyShape>) -> Rereading {
    let counts = ReparseCounts { episodes: 4, replies: 40, errors: [9, errors], ..ReparseCounts::default() };
    Rereading { counts, shapes }
}

fn entry(name: &str, is_recorded: bool) -> ReaderEntry {
    let reader = format!("{name}/1");
    ReaderEntry { name: name.into(), reader, about: String::new(), is_own: name == "mine", is_recorded }
}

/// The dialog with three readers, of which two have read.
fn open() -> Model {
    let mut model = testing::model(120, 40);
    press(&mut model, ":");
    update(&mut model, Msg::Paste("readers some-session".to_owned()));
    let asked = orders(press(&mut model, "enter"));
    assert_eq!(asked, [ReaderOrder::Open("some-session".into())]);
    answer(&mut model, ReaderAnswer::Loading(4));
    let entries = vec![entry("lenient", false), entry("strict", true), entry("mine", false)];
    answer(&mut model, ReaderAnswer::Readers(entries));
    let shapes = vec![shape("heading", vec![place(0, 3), place(2, 5)]), shape("action", vec![place(1, 1)])];
    let asked = orders(answer(&mut model, ReaderAnswer::Read(1, reading(9, shapes))));
    assert_eq!(asked, [ReaderOrder::Show(place(0, 3))], "the recorded reader and its first reply are shown");
    answer(&mut model, ReaderAnswer::Read(0, reading(1, Vec::new())));
    model
}

fn attempt(verdict: Result<Vec<Action>, ParseError>) -> Attempt {
    Attempt {
        verdict: Some(verdict.map_err(Box::new)),
        ..Attempt::pending("I go up.".to_owned().into(), None)
    }
}

fn refused() -> Attempt {
    attempt(Err(ParseError { rule: "heading".into(), why: "it has none".into(), at: None, near: vec![] }))
}

fn show(model: &mut Model, at: ReplyPlace) {
    let read = attempt(Ok(vec![Action::plain("Up")]));
    let readings = vec![read, refused(), refused()];
    let run = format!("some-session/1#{}", at.step);
    let journal = "/runs/some-session/0001/journal.jsonl".into();
    let shown = ReadReply { place: at, journal, run, readings, draft: None };
    answer(model, ReaderAnswer::Shown(shown.into()));
}

#[test]
fn readers_and_the_selected_reply_are_beside_each_other() {
    let mut model = open();
    show(&mut model, place(0, 3));
    let text = screen_text(&model);
    for words in [
        "strict/1 ●",
        "mine/1",
        "…",
        "heading · text",
        "I go up.",
        "✗ heading: it has none",
        "some-session/1#3",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(text.lines().any(|line| line.contains("lenient/1") && line.contains("Up")), "{text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn arrows_move_in_the_focused_list_and_among_the_replies_of_a_shape() {
    let mut model = open();
    show(&mut model, place(0, 3));
    assert_eq!(orders(press(&mut model, "right")), [ReaderOrder::Show(place(2, 5))]);
    assert_eq!(orders(press(&mut model, "right")), [ReaderOrder::Show(place(2, 5))], "it is the last one");
    show(&mut model, place(2, 5));
    assert_eq!(orders(press(&mut model, "tab down")), [ReaderOrder::Show(place(1, 1))]);
    // A reader that refuses nothing leaves the reply that is shown.
    show(&mut model, place(1, 1));
    assert_eq!(orders(press(&mut model, "tab up")), []);
    assert!(screen_text(&model).contains("lenient/1 reads all replies"), "{}", screen_text(&model));
    assert!(screen_text(&model).contains("read as Up"), "{}", screen_text(&model));
    assert_eq!(orders(press(&mut model, "esc")), [ReaderOrder::Close]);
    assert!(model.modal.is_none());
}

#[test]
fn enter_opens_the_step() {
    let mut model = open();
    show(&mut model, place(0, 3));
    let effects = press(&mut model, "enter");
    let journal = "/runs/some-session/0001/journal.jsonl".into();
    assert_eq!(effects, [Effect::Request(Request::OpenJournal(journal))]);
    assert_eq!(model.awaited.step.as_ref().map(|awaited| awaited.1), Some(3));
}

/// The dialog with a draft that has one more letter than the file.
fn drafted() -> Model {
    let mut model = open();
    show(&mut model, place(0, 3));
    assert_eq!(orders(press(&mut model, "e")), [ReaderOrder::Text("strict".into())]);
    answer(&mut model, ReaderAnswer::Text("strict".into(), Ok("version = 1".into())));
    let asked = orders(press(&mut model, "end #"));
    assert_eq!(asked[0], ReaderOrder::Try("version = 1#".into()));
    model
}

#[test]
fn a_draft_is_read_as_it_is_written() {
    let mut model = drafted();
    answer(&mut model, ReaderAnswer::Trying { done: 2, of: 4 });
    assert!(screen_text(&model).contains("2 of 4 episodes"), "{}", screen_text(&model));
    // What was read of an earlier text counts no more.
    answer(&mut model, ReaderAnswer::Tried("version = 1".into(), Ok(reading(7, Vec::new()))));
    assert!(!screen_text(&model).contains("9 → 7"));
    let tried =
        ReaderAnswer::Tried("version = 1#".into(), Ok(reading(2, vec![shape("fence", vec![place(3, 8)])])));
    assert_eq!(orders(answer(&mut model, tried))[0], ReaderOrder::Show(place(3, 8)));
    let text = screen_text(&model);
    assert!(text.contains("refused 9 → 2") && text.contains("✗ fence"), "{text}");
    // A text that is wrong says so; the last counts stay.
    press(&mut model, "x");
    let problem = Err(Problem::new("expected a newline"));
    answer(&mut model, ReaderAnswer::Tried("version = 1#x".into(), problem));
    let text = screen_text(&model);
    assert!(text.contains("expected a newline") && text.contains("9 → 2"), "{text}");
    press(&mut model, "ctrl-d");
    assert!(screen_text(&model).contains("expected a newline"), "a wrong text is not saved");
}

#[test]
fn a_shipped_reader_is_saved_under_another_name_and_an_own_one_is_replaced() {
    let mut model = drafted();
    answer(&mut model, ReaderAnswer::Tried("version = 1#".into(), Ok(reading(2, Vec::new()))));
    press(&mut model, "ctrl-d");
    assert!(screen_text(&model).contains("name of the reader: strict-2"), "{}", screen_text(&model));
    let saved = ReaderOrder::Save { name: "strict-2".into(), text: "version = 1#".into(), replaces: false };
    assert_eq!(orders(press(&mut model, "enter"))[0], saved);
    let failed = ReaderAnswer::Saved("strict-2".into(), Err(Problem::new("the disk is full")));
    answer(&mut model, failed);
    assert!(screen_text(&model).contains("the disk is full"), "the draft stays");
    let asked = orders(answer(
        &mut model,
        ReaderAnswer::Saved("strict-2".into(), Ok("/readers/strict-2.toml".into())),
    ));
    assert_eq!(asked[0], ReaderOrder::Open("some-session".into()));
    assert!(screen_text(&model).contains("saved as strict-2"), "{}", screen_text(&model));

    let mut model = open();
    answer(&mut model, ReaderAnswer::Read(2, reading(3, Vec::new())));
    assert_eq!(orders(press(&mut model, "end e")).last(), Some(&ReaderOrder::Text("mine".into())));
    answer(&mut model, ReaderAnswer::Text("mine".into(), Ok("version = 1".into())));
    press(&mut model, "ctrl-d");
    let saved = ReaderOrder::Save { name: "mine".into(), text: "version = 1".into(), replaces: true };
    assert_eq!(orders(press(&mut model, "enter"))[0], saved);
}

#[test]
fn a_changed_draft_is_discarded_on_the_second_esc() {
    let mut model = drafted();
    press(&mut model, "esc");
    assert!(screen_text(&model).contains("Esc again discards the draft"));
    assert_eq!(orders(press(&mut model, "esc"))[0], ReaderOrder::Try(String::new()));
    let Some(Modal::Readers(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert!(!sheet.is_typing());
}

#[test]
fn narrow_screens_and_sessions_that_cannot_be_read() {
    let mut model = drafted();
    model.size = ratatui::layout::Size::new(80, 24);
    let text = screen_text(&model);
    for words in ["version = 1#", "refused 9 → 9", "heading"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let mut model = open();
    answer(&mut model, ReaderAnswer::Failed(Problem::new("there is no session some-session")));
    assert!(screen_text(&model).contains("there is no session some-session"));
}

#[test]
fn lines_choose_readers_and_shapes() {
    let mut model = open();
    show(&mut model, place(0, 3));
    let Some(Modal::Readers(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    let text = super::lines(sheet).join("\n");
    for words in
        ["* 2: strict/1, recorded: refused 9", "shape 1: 2 replies", "  | I go up.", "an empty line closes"]
    {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let Some(Modal::Readers(sheet)) = model.modal.take() else { return };
    let mut effects = Vec::new();
    super::answer(&mut model, sheet, "shape 2", &mut effects);
    assert_eq!(orders(effects), [ReaderOrder::Show(place(1, 1))]);
    let Some(Modal::Readers(sheet)) = model.modal.take() else { panic!("it stays open") };
    let mut effects = Vec::new();
    super::answer(&mut model, sheet, "", &mut effects);
    assert_eq!(orders(effects), [ReaderOrder::Close]);
}
