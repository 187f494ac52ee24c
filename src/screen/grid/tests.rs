//! The dialog that asks again: chips, the words that they make, marks on the frame, sizes, and what is kept.

use std::sync::Arc;

use super::chips::{Chip, Chips};
use super::sheet::AskGrid;
use crate::model::{AskProgress, Modal, Model};
use crate::requests::{
    AddedStep, Answer, AskAnswer, AskOrder, ModelAnswer, ModelEntry, PlannedWords, Request, SuiteOrder,
};
use crate::testing;
use crate::tests::screen_text;
use crate::update::tests::asking::JOURNAL;
use crate::update::{Effect, Msg, update};
use insta::assert_snapshot;
use mageyard_domain::{
    Action, ActionShape, DetailsError, Observation, ObservationDetails, ObservationInspector, PixelBox,
    Presentation,
};
use mageyard_engine::Snapshot;
use mageyard_study::{AnswerBar, Column, PlannedStudy, Sample, StudyRow, StudySort, StudyTable};

fn chips() -> Chips {
    let mut chips = Chips::new(["A", "3", "1", "m"], 5);
    chips.prompts = ["A", "B", "C"].map(str::to_owned).to_vec();
    chips.actions = ["Left", "Up"].map(str::to_owned).to_vec();
    chips
}

fn chosen(chips: &Chips) -> Vec<String> {
    chips.choices().into_iter().filter(|choice| choice.is_chosen).map(|choice| choice.text).collect()
}

#[test]
fn digits_choose_values_and_one_is_always_left() {
    let mut chips = chips();
    chips.focus_on(Chip::Prompts);
    assert!(chips.choose_digit('2') && chips.choose_digit('1'));
    assert_eq!((chips.text(Chip::Prompts), chosen(&chips)), ("B", vec!["B".to_owned()]));
    chips.choose_digit('2');
    assert_eq!(chips.text(Chip::Prompts), "B", "the last one stays");
    assert!(!chips.choose_digit('9'), "there is no ninth prompt");
    chips.focus_on(Chip::Target);
    for (digit, text) in [('2', "optimal"), ('6', "Up"), ('1', "")] {
        chips.choose_digit(digit);
        assert_eq!(chips.text(Chip::Target), text);
    }
    chips.focus_on(Chip::Am);
    chips.choose_digit('0');
    assert_eq!(chips.text(Chip::Am), "3,0", "the digit is the value");
}

#[test]
fn windows_that_are_not_possible_with_any_value_are_marked() {
    let mut chips = chips();
    chips.focus_on(Chip::Om);
    let impossible = |chips: &Chips| -> Vec<String> {
        let choices = chips.choices().into_iter().filter(|choice| !choice.is_possible);
        choices.map(|choice| choice.text).collect()
    };
    assert_eq!(impossible(&chips), ["4", "5", "6", "7", "8", "9"], "OM is at most AM");
    chips.set_text(Chip::Am, "3,7");
    assert_eq!(impossible(&chips), ["8", "9"]);
    chips.set_text(Chip::Om, "5");
    chips.focus_on(Chip::Am);
    assert_eq!(impossible(&chips), ["0", "1", "2", "3", "4"]);
}

#[test]
fn samples_are_a_number_that_is_typed_or_stepped() {
    let mut chips = chips();
    chips.focus_on(Chip::Samples);
    chips.move_cursor(1);
    assert_eq!(chips.text(Chip::Samples), "10");
    chips.choose_digit('1');
    chips.insert("2");
    assert!(chips.is_typing());
    chips.end_typing(true);
    assert_eq!((chips.text(Chip::Samples), chosen(&chips)), ("12", vec!["12".to_owned()]));
    chips.choose_digit('7');
    chips.end_typing(false);
    assert_eq!(chips.text(Chip::Samples), "12", "Esc brings the text back");
}

#[test]
fn words_set_chips_and_are_made_of_them() {
    for (words, made) in [
        ("prompts=A,B samples=20", "prompts=A,B samples=20 am=3 om=1 models=m"),
        ("--om 2 --target move box 1", "prompts=A samples=5 am=3 om=2 models=m target=move box 1"),
        (
            "leave-out=rows temperature=0",
            "prompts=A samples=5 am=3 om=1 models=m leave-out=rows temperature=0",
        ),
        ("to-end prompts=B", "prompts=B am=3 om=1 models=m to-end=5"),
        ("to-end 7 unsafe", "prompts=A am=3 om=1 models=m unsafe to-end=7"),
        (
            "from-text=\"# analyze\\nThe box\"",
            "prompts=A samples=5 am=3 om=1 models=m from-text=\"# analyze\\nThe box\"",
        ),
    ] {
        let mut chips = chips();
        chips.set_words(words);
        assert_eq!(chips.words(), made, "{words}");
        let mut again = self::chips();
        again.set_words(&chips.words());
        let is_same = Chip::ALL.into_iter().filter(|chip| *chip != Chip::Other);
        assert!(is_same.into_iter().all(|chip| again.text(chip) == chips.text(chip)), "{words}");
    }
}

fn model(width: u16, height: u16) -> Model {
    let snapshot = testing::sample_episode().snapshot();
    testing::model_of(Snapshot { journal: Some(JOURNAL.into()), ..snapshot }, width, height)
}

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| update(model, Msg::Key(testing::key(key)))).collect()
}

fn grid(model: &Model) -> &AskGrid {
    match &model.modal {
        Some(Modal::Grid(grid)) => grid,
        other => panic!("{other:?}"),
    }
}

fn last_plan(effects: &[Effect]) -> Option<&PlannedWords> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::Request(Request::Ask(AskOrder::Plan(order))) => Some(order),
        _ => None,
    })
}

fn answer(model: &mut Model, answer: AskAnswer) -> Vec<Effect> {
    update(model, Msg::Answer(Answer::Asked(answer)))
}

fn plan(model: &mut Model, number: u64, left: u64) {
    let brief =
        if left > 0 { format!("{left} calls to make · ~9 tokens in") } else { "all made".to_owned() };
    let planned = PlannedStudy { left, brief, ..PlannedStudy::default() };
    answer(model, AskAnswer::Planned(number, Ok(planned)));
}

/// Variants with these answers, in order; `None` cannot be read.
fn view(variants: &[&[Option<&str>]]) -> StudyTable {
    let row = |(number, answers): (usize, &&[Option<&str>])| {
        let sample = |(number, answer): (u32, Option<&str>)| {
            Arc::new(Sample {
                number,
                answer: answer.map(str::to_owned),
                text: Some(format!("because {number}")),
                reply: Some("because".to_owned().into()),
                meets_target: Some(answer == Some("Right")),
                ..Sample::default()
            })
        };
        let mut names: Vec<Option<&str>> = answers.to_vec();
        names.sort();
        names.dedup();
        #[allow(clippy::cast_precision_loss, reason = "a few replies")]
        let share = |name: Option<&str>| {
            answers.iter().filter(|answer| **answer == name).count() as f64 / answers.len() as f64
        };
        let bar = |name: Option<&str>| AnswerBar {
            answer: name.unwrap_or("unreadable").to_owned(),
            share: [share(name), 0.1, 0.9],
            words: format!("{:.0} %", 100.0 * share(name)),
            notes: String::new(),
        };
        StudyRow {
            number,
            name: format!("prompt-{number}  AM=3 OM=1  m"),
            cells: vec!["67 % (21–94)".to_owned(), "1".to_owned(), "0.02 USD".to_owned()],
            answers: names.into_iter().map(bar).collect(),
            samples: (1..).zip(answers.iter().copied()).map(sample).collect(),
        }
    };
    let count: usize = variants.iter().map(|answers| answers.len()).sum();
    StudyTable {
        id: format!("{}-ask", variants.len()),
        folder: "/s/0001/asks/one".into(),
        title: "variants".to_owned(),
        columns: ["target", "unreadable", "cost"].map(Column::figure).to_vec(),
        rows: (1..).zip(variants).map(row).collect(),
        done: count,
        all: count,
        ..StudyTable::default()
    }
}

#[test]
fn each_change_of_the_words_is_planned_and_only_the_last_plan_counts() {
    let mut model = model(120, 40);
    let first = last_plan(&press(&mut model, "x")).unwrap().number;
    plan(&mut model, first, 5);
    let changed = press(&mut model, "tab 2 0");
    let orders: Vec<_> =
        changed.iter().filter(|effect| last_plan(std::slice::from_ref(*effect)).is_some()).collect();
    assert_eq!(orders.len(), 2, "one for each digit");
    let last = last_plan(&changed).unwrap().clone();
    assert!(last.words.contains("samples=20"), "{}", last.words);
    plan(&mut model, last.number - 1, 2);
    assert!(grid(&model).ready().is_none() && screen_text(&model).contains("planning …"));
    plan(&mut model, last.number, 20);
    assert!(screen_text(&model).contains("20 calls to make · ~9 tokens in"), "{}", screen_text(&model));
    assert!(press(&mut model, "tab left right").is_empty(), "words that are as before are not planned again");
}

#[test]
fn what_was_asked_before_is_shown_with_its_plan() {
    let mut model = model(120, 40);
    let number = last_plan(&press(&mut model, "x")).unwrap().number;
    plan(&mut model, number, 0);
    answer(&mut model, AskAnswer::Arrived(number, view(&[&[Some("Right"), None]]).into()));
    let text = screen_text(&model);
    assert!(
        text.contains("1 prompt-1") && text.contains("1 Right ✓") && text.contains("2 unreadable ✗"),
        "{text}"
    );
    assert!(press(&mut model, "enter").is_empty(), "nothing is made");
    assert_eq!(grid(&model).call().unwrap().number, 1);
    // Words that cannot be asked have no replies.
    let order = last_plan(&press(&mut model, "up tab 7")).unwrap().clone();
    assert!(screen_text(&model).contains("1 Right ✓"), "until it is known what the words are");
    answer(&mut model, AskAnswer::Planned(order.number, Err(mageyard_config::Problem::new("refused"))));
    let text = screen_text(&model);
    assert!(!text.contains("1 Right ✓") && text.contains("! refused"), "{text}");
}

#[test]
fn the_head_of_a_column_has_its_figures_and_columns_scroll_sideways() {
    let answers: &[Option<&str>] = &[Some("Right"), Some("Up"), None];
    for (width, height) in [(120, 40), (80, 24), (60, 16)] {
        let mut model = model(width, height);
        press(&mut model, "x");
        let mut asked = grid(&model).clone();
        asked.open_view(view(&[answers; 5]).into());
        model.modal = Some(Modal::Grid(asked.into()));
        let text = screen_text(&model);
        assert!(text.contains("1 prompt-1") && text.contains("1 Right ✓"), "{text}");
        let has_figures = text.contains("target 67 % (21–94)") && text.contains("unreadable 1 · 0.02 USD");
        assert!(has_figures || height < 20, "{text}");
        assert!(!text.contains("5 prompt-5") && text.contains("▸ "), "{text}");
        press(&mut model, "right right right right right");
        let text = screen_text(&model);
        assert!(text.contains("5 prompt-5") && !text.contains("1 prompt-1"), "{text}");
        assert!(text.contains("Reply 1 of variant 5: Right"), "{text}");
        press(&mut model, "down down");
        let text = screen_text(&model);
        assert!(text.contains("3 unreadable ✗") && text.contains("Reply 3 of variant 5"), "{text}");
    }
}

#[test]
fn answers_have_their_shares_beside_the_grid() {
    let mut model = model(120, 40);
    press(&mut model, "x");
    let mut asked = grid(&model).clone();
    asked.open_view(view(&[&[Some("Up"), Some("Up"), Some("Left"), None], &[Some("Left")]]).into());
    assert_eq!(super::shares::answers(&asked), ["Left", "Up", "unreadable"], "the last cannot be read");
    model.modal = Some(Modal::Grid(asked.into()));
    let text = screen_text(&model);
    assert!(text.contains("50 %") && text.contains("100 %") && text.contains("25 %"), "{text}");
}

#[test]
fn targets_are_those_that_the_environment_offers() {
    let mut model = model(120, 40);
    let number = last_plan(&press(&mut model, "x")).unwrap().number;
    press(&mut model, "tab tab tab tab tab");
    assert!(screen_text(&model).contains("○ optimal"), "until it is known what it offers");
    let planned = PlannedStudy { targets: vec!["readable"], ..PlannedStudy::default() };
    answer(&mut model, AskAnswer::Planned(number, Ok(planned)));
    let text = screen_text(&model);
    assert!(text.contains("● none") && text.contains("○ readable") && text.contains("○ Left"), "{text}");
    assert!(!text.contains("optimal") && !text.contains("legal"), "{text}");
}

#[test]
fn the_grid_is_drawn_as_it_is() {
    let answers: [&[Option<&str>]; 3] =
        [&[Some("Right"), Some("Right"), None], &[Some("Up"), Some("Right"), Some("Right")], &[Some("Left")]];
    for (width, height) in [(120, 40), (80, 24)] {
        let mut model = with_places(&answers, width, height);
        press(&mut model, "right down");
        assert_snapshot!(format!("grid-{width}x{height}"), screen_text(&model));
    }
    let mut model = model(120, 40);
    let number = last_plan(&press(&mut model, "x")).unwrap().number;
    plan(&mut model, number, 5);
    press(&mut model, "tab tab tab");
    assert_snapshot!("grid-chips", screen_text(&model));
}

#[test]
fn the_state_is_pinned_and_models_of_the_settings_are_offered() {
    let mut model = model(120, 40);
    let effects = press(&mut model, "x p");
    let step = model.episode().unwrap().step().unwrap().number;
    let environment = model.episode().unwrap().snapshot.head.environment.clone();
    let suite = format!("pinned-{environment}");
    let added = AddedStep { suite, journal: JOURNAL.into(), step, why: None };
    assert_eq!(effects.last(), Some(&Effect::Request(Request::Suite(SuiteOrder::Add(added)))));
    press(&mut model, "a");
    for letter in "walls".chars() {
        press(&mut model, letter.encode_utf8(&mut [0; 4]));
    }
    let added = AddedStep { suite: "walls".to_owned(), journal: JOURNAL.into(), step, why: None };
    let expected = Effect::Request(Request::Suite(SuiteOrder::Add(added)));
    assert!(press(&mut model, "enter").contains(&expected), "another suite is named");
    assert!(matches!(&model.modal, Some(Modal::Grid(_))), "and the dialog is there again");
    let entry = |name: &str| ModelEntry {
        name: name.to_owned(),
        seat: format!("model:{name}"),
        kind: "profile".to_owned(),
        facts: Vec::new(),
    };
    let listed = ModelAnswer::Listed(Ok(vec![entry("first"), entry("second\u{1b}[2J")]));
    update(&mut model, Msg::Answer(Answer::Model(listed)));
    press(&mut model, "tab tab tab tab");
    let text = screen_text(&model);
    assert!(text.contains("○ first") && text.contains("second␛[2J"), "{text}");
}

#[test]
fn branches_are_played_in_their_own_table_and_esc_leads_back() {
    let mut model = model(120, 40);
    press(&mut model, "x");
    let typed = press(&mut model, "tab tab tab tab tab tab t o - e n d = 2");
    let order = last_plan(&typed).unwrap().clone();
    let lines = vec!["restore: exact".to_owned()];
    let planned = PlannedStudy { sort: StudySort::ToEnd, lines, left: 2, ..PlannedStudy::default() };
    answer(&mut model, AskAnswer::Planned(order.number, Ok(planned)));
    assert!(screen_text(&model).contains("restore: exact"));
    assert!(press(&mut model, "enter").is_empty(), "the first Enter keeps the text");
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(order.number)))]);
    assert!(matches!(&model.modal, Some(Modal::Asked(_))));
    answer(&mut model, AskAnswer::Ended(order.number, Ok(())));
    let effects = press(&mut model, "esc");
    assert!(last_plan(&effects).is_some_and(|again| again.words == order.words), "{effects:?}");
    assert_eq!(grid(&model).progress, AskProgress::Over);
}

/// An environment that says where an action acts: an arrow to the right, and a place.
#[derive(Debug)]
struct Places;

impl ObservationInspector for Places {
    fn inspect(&self, _: &Observation) -> Result<ObservationDetails, DetailsError> {
        Ok(ObservationDetails::default())
    }

    fn action_shapes(&self, _: &Observation, action: &Action) -> Vec<ActionShape> {
        match action.name.as_str() {
            "Right" => vec![ActionShape::Arrow { from: (24, 56), to: (72, 56) }],
            "Down" => {
                let part = PixelBox { left: 40, top: 40, width: 24, height: 24 };
                vec![ActionShape::Area(part)]
            }
            "Up" => vec![ActionShape::Point { at: (8, 8), label: "\u{1b}[2J".to_owned() }],
            _ => Vec::new(),
        }
    }
}

fn with_places(variants: &[&[Option<&str>]], width: u16, height: u16) -> Model {
    let snapshot = {
        let base = testing::sample_episode().snapshot();
        let presentation = Presentation { inspector: Some(&Places), ..base.presentation };
        Snapshot { presentation, journal: Some(JOURNAL.into()), ..base }
    };
    let mut model = testing::model_of(snapshot, width, height);
    model.prepare();
    press(&mut model, "x");
    let mut asked = grid(&model).clone();
    asked.open_view(view(variants).into());
    model.modal = Some(Modal::Grid(asked.into()));
    model
}

#[test]
fn the_frame_has_the_answers_as_marks_with_their_shares() {
    let text = screen_text(&with_places(&[&[Some("Right"), Some("Right"), Some("Left")]], 120, 40));
    assert!(text.contains("╌ ─ ━ █ share") && text.contains("→67%"), "{text}");
    assert!(
        text.contains("→ Right") && text.contains("\n│ Left "),
        "only an answer with a place has a sign: {text}"
    );
    let text = screen_text(&with_places(&[&[Some("Up")], &[Some("Up"), Some("Right")]], 120, 40));
    assert!(text.contains("◎ 1:100% 2:50%"), "a place has the shares of all variants: {text}");
    assert!(text.contains("2━━") && text.contains("share, number: variant"), "{text}");
    let text = screen_text(&with_places(&[&[Some("Down")]], 120, 40));
    assert!(
        text.contains("1:100%") && text.contains("─┐"),
        "an outline has the shares at its upper line: {text}"
    );
    let small = screen_text(&with_places(&[&[Some("Right")]], 60, 16));
    assert!(!small.contains("share") && small.contains("1 Right"), "the frame gives way: {small}");
}
