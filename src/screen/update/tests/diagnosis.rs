//! What is wrong with steps: the dialog with its plan, the table that grows, and the replies of a cell.

use super::asking::{JOURNAL, line, model, step};
use super::*;
use crate::linear::Narrator;
use crate::model::AskLevel;
use crate::offscreen::render;
use crate::requests::{Answer, AskAnswer, AskOrder, PlannedSight, Request};
use crate::tests::screen_text;
use insta::assert_snapshot;
use mageyard_config::Problem;
use mageyard_study::{ComparedState, PlannedStudy, Sample, StudyRow, StudySort, StudyTable, VariantAnswers};

/// A diagnosis of two steps in two views; `text` is text from outside.
pub(crate) fn view(text: &str) -> StudyTable {
    let reply = |number: u32, part: &str, verdict: &str| {
        let facts = vec![format!("{part}{text}"), verdict.to_owned()];
        let said =
            Some(format!("# analyze\nreply {number}: I am at row 3, column 2. {text}\n\n# action\nLeft"));
        Arc::new(Sample { number, answer: Some("Left".to_owned()), text: said, facts, ..Sample::default() })
    };
    let answers = |summary: &str| VariantAnswers {
        summary: format!("{summary}{text}"),
        samples: vec![
            reply(1, "as asked", "not optimal"),
            reply(2, "as asked", "not optimal"),
            reply(3, "with the state in words", "optimal"),
            reply(4, "question player: In which row and column is the player?", "wrong, right is (2, 3)"),
        ],
    };
    let state = |number: usize, step: u32, cells: [&str; 2]| ComparedState {
        number,
        title: format!("first/6 step {step}{text}"),
        address: format!("20261129-1/0001#{step}{text}"),
        journal: JOURNAL.into(),
        step,
        facts: vec!["taken: Left".to_owned(), format!("right as asked 0 %, in words 100 %{text}")],
        variants: cells.map(answers).to_vec(),
    };
    let row =
        |number: usize, name: &str| StudyRow { number, name: format!("{name}{text}"), ..StudyRow::default() };
    StudyTable {
        sort: StudySort::States,
        title: format!("what is wrong with failed steps{text}"),
        rows: vec![row(1, "image"), row(2, "text")],
        states: vec![
            state(1, 2, ["◎ seen wrong, 0 % right", "✓ right, 75 % right"]),
            state(2, 4, ["↗ planned wrong, 25 % right", "… undecided"]),
        ],
        tail: vec![format!("own, in words, with hint: replies with an optimal action{text}")],
        end: vec![format!("seen wrong 50 % [1, 99], planned wrong 50 % [1, 99] of 2 failed states{text}")],
        done: 12,
        all: 16,
        ..StudyTable::default()
    }
}

fn order(number: u64, shown: u32, words: &str) -> Effect {
    let shown = Some((JOURNAL.into(), shown));
    Effect::Request(Request::Ask(AskOrder::Diagnose(PlannedSight { number, shown, words: words.to_owned() })))
}

fn answer(model: &mut Model, answer: AskAnswer) {
    assert!(update(model, Msg::Answer(Answer::Asked(answer))).is_empty());
}

fn plan(model: &mut Model, number: u64) {
    let lines = vec!["1 state".to_owned(), "32 calls to make, at most 0.02 USD".to_owned()];
    let plan = PlannedStudy { sort: StudySort::States, lines, left: 32, ..PlannedStudy::default() };
    answer(model, AskAnswer::Planned(number, Ok(plan)));
}

/// The table of a diagnosis that is over.
fn table(width: u16, height: u16) -> Model {
    let mut model = model();
    model.size = ratatui::layout::Size::new(width, height);
    command(&mut model, "diagnose");
    plan(&mut model, 1);
    press(&mut model, "enter");
    answer(&mut model, AskAnswer::Arrived(1, view("").into()));
    answer(&mut model, AskAnswer::Ended(1, Ok(())));
    model
}

fn level(model: &Model) -> (AskLevel, usize, usize) {
    let Some(Modal::Asked(sheet)) = &model.modal else { panic!("no table is shown") };
    (sheet.level, sheet.row(), sheet.suite.as_ref().map_or(0, |states| states.first_variant))
}

#[test]
fn the_plan_is_shown_before_calls_are_made_and_esc_stops_them() {
    let mut model = model();
    let at = step(&model);
    assert_eq!(command(&mut model, "diagnose"), [order(1, at, "")]);
    let text = screen_text(&model);
    assert!(text.contains("What is wrong with failed steps?") && text.contains("planning …"), "{text}");
    assert!(press(&mut model, "enter").is_empty(), "it is being planned");
    plan(&mut model, 1);
    let text = screen_text(&model);
    assert!(text.contains("at most 0.02 USD") && text.contains("Enter makes the calls"), "{text}");
    press(&mut model, "l a s t");
    assert_eq!(press(&mut model, "enter"), [order(2, at, "last")], "other words have another plan");
    plan(&mut model, 2);
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(2)))]);
    answer(&mut model, AskAnswer::Arrived(2, view("").into()));
    let text = screen_text(&model);
    assert!(text.contains("asking … 12 of 16 replies") && text.contains("◎ seen wrong, 0 % right"), "{text}");
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Ask(AskOrder::Stop))]);
    answer(&mut model, AskAnswer::Ended(2, Ok(())));
    assert!(press(&mut model, "esc").is_empty() && model.modal.is_none());
}

#[test]
fn arrows_move_between_cells_and_enter_opens_what_one_is_made_of() {
    let mut model = table(120, 40);
    assert_eq!(level(&model), (AskLevel::Table, 0, 0));
    press(&mut model, "down right right right");
    assert_eq!(level(&model), (AskLevel::Table, 1, 1), "it stops at the last view");
    press(&mut model, "up left enter");
    assert_eq!(level(&model), (AskLevel::State, 0, 0));
    let text = screen_text(&model);
    for words in
        ["with the state in words", "question player: In which row", "reply 4: I am at", "right is (2, 3)"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(press(&mut model, "esc").is_empty());
    assert_eq!(level(&model).0, AskLevel::Table);
}

#[test]
fn the_dialogs_at_their_sizes() {
    for (width, height) in [(120, 40), (80, 24)] {
        let mut asked = model();
        asked.size = ratatui::layout::Size::new(width, height);
        command(&mut asked, "diagnose");
        plan(&mut asked, 1);
        assert_snapshot!(format!("plan-{width}x{height}"), screen_text(&asked));
        let mut model = table(width, height);
        assert_snapshot!(format!("table-{width}x{height}"), screen_text(&model));
        press(&mut model, "right enter");
        assert_snapshot!(format!("replies-{width}x{height}"), screen_text(&model));
        for _ in 0..40 {
            press(&mut model, "j");
        }
        let text = screen_text(&model);
        assert!(text.contains("reply 4: I am at row 3, column 2"), "each reply can be read in full: {text}");
    }
}

#[test]
fn more_views_than_fit_are_reached_with_arrows() {
    let mut model = table(80, 24);
    let mut many = view("");
    let name = |number: usize| StudyRow { number, name: format!("view-{number}"), ..StudyRow::default() };
    many.rows = (1..=6).map(name).collect();
    for state in &mut many.states {
        state.variants = vec![state.variants[0].clone(); 6];
    }
    answer(&mut model, AskAnswer::Arrived(1, many.into()));
    assert!(screen_text(&model).contains("view-1") && !screen_text(&model).contains("view-6"));
    press(&mut model, "right right right right right");
    let text = screen_text(&model);
    assert!(text.contains("view-6") && text.contains("← →") && !text.contains("view-1"), "{text}");
}

#[test]
fn in_lines_it_is_the_same_as_text() {
    let mut model = model();
    let at = step(&model);
    assert_eq!(line(&mut model, "diagnose"), [order(1, at, "")]);
    let mut narrator = Narrator::default();
    plan(&mut model, 1);
    let said = narrator.news(&model).join("\n");
    assert!(said.contains("what is wrong with the shown step?") && said.contains("0.02 USD"), "{said}");
    assert_eq!(line(&mut model, ""), [Effect::Request(Request::Ask(AskOrder::Make(1)))]);
    answer(&mut model, AskAnswer::Arrived(1, view("").into()));
    answer(&mut model, AskAnswer::Ended(1, Ok(())));
    let said = narrator.news(&model).join("\n");
    assert!(
        said.contains("state 1, first/6 step 2: image: ◎ seen wrong, 0 % right; text: ✓ right"),
        "{said}"
    );
    assert!(said.contains("seen wrong 50 % [1, 99]"), "{said}");
    line(&mut model, "2");
    let said = narrator.news(&model).join("\n");
    assert!(said.contains("question player: In which row") && said.contains("reply 4: I am at"), "{said}");
    line(&mut model, "");
    line(&mut model, "");
    assert!(model.modal.is_none());
}

#[test]
fn questions_are_asked_in_the_same_dialog() {
    let mut model = model();
    let shown = Some((JOURNAL.into(), step(&model)));
    let words = "samples=2".to_owned();
    let order = AskOrder::Probe(PlannedSight { number: 1, shown, words });
    assert_eq!(command(&mut model, "probe samples=2"), [Effect::Request(Request::Ask(order))]);
    let text = screen_text(&model);
    assert!(text.contains("What does the state show?") && text.contains("planning …"), "{text}");
    plan(&mut model, 1);
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Ask(AskOrder::Make(1)))]);
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let categories = vec![row(["question", "view", "right"]), row(["player", "image", "38 % [20, 60]"])];
    let title = "questions about the state".to_owned();
    answer(&mut model, AskAnswer::Arrived(1, StudyTable { title, categories, ..view("") }.into()));
    let text = screen_text(&model);
    for words in ["Questions about the state", "player    image  38 % [20, 60]", "asking … 12 of 16"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(press(&mut model, "esc"), [Effect::Request(Request::Ask(AskOrder::Stop))]);
}

#[test]
fn a_refused_plan_says_why() {
    let mut model = model();
    command(&mut model, "diagnose walls");
    let refused = Problem::new("it is not known which action is right").with_help("diagnose other steps");
    answer(&mut model, AskAnswer::Planned(1, Err(refused)));
    let text = screen_text(&model);
    assert!(text.contains("! it is not known which action is right; diagnose other steps"), "{text}");
    assert!(!render(&model).content.is_empty());
}
