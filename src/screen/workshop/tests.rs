//! The workshop: what is asked, what keys do, and what is drawn.

use std::sync::Arc;

use crate::model::{Modal, Model};
use crate::requests::{
    Answer, AskAnswer, FilledDraft, OpenedWorkshop, Request, WorkshopAnswer, WorkshopOrder,
};
use crate::testing;
use crate::tests::screen_text;
use crate::update::{Effect, Msg, update};
use mageyard_config::Problem;
use mageyard_dialog::{PartDiff, Prompt, RequestDiff, TurnDiff, WordChange};
use mageyard_domain::{Cost, PartId, Picture, Segment, TurnPart};
use mageyard_lab::{Bounds, Needs, PromptOrigin, PromptText, PromptVersionText, WrittenPrompt};
use mageyard_study::{
    DraftImage, MoreStates, PinnedState, PlannedStudy, StudyTable, VersionCell, VersionComparison,
    VersionRow, VersionTable,
};
use ratatui::layout::Size;

const TEXT: &str = "+++\nname = \"plain\"\nsummary = \"a test\"\n+++\n## system\nYou see {actions}.\n## io\nWrite:\n{format}\n## turn\nNext.\n## placeholder\nnone\n## retry\nAgain: {format}\n";

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| update(model, Msg::Key(testing::key(key)))).collect()
}

fn answer(model: &mut Model, answer: WorkshopAnswer) -> Vec<Effect> {
    update(model, Msg::Answer(Answer::Workshop(answer)))
}

fn orders(effects: Vec<Effect>) -> Vec<WorkshopOrder> {
    let order = |effect| match effect {
        Effect::Request(Request::Workshop(order)) => Some(order),
        _ => None,
    };
    effects.into_iter().filter_map(order).collect()
}

fn sheet(model: &Model) -> &super::WorkshopSheet {
    match &model.modal {
        Some(Modal::Workshop(sheet)) => sheet,
        other => panic!("{other:?}"),
    }
}

fn opened(origin: PromptOrigin) -> WorkshopAnswer {
    let state = |number: u32| PinnedState {
        address: format!("some-session/0001#{number}"),
        why: format!("\u{1b}[31mstate {number}"),
        prompt: "plain".to_owned(),
        model: Ok("mock".to_owned()),
    };
    WorkshopAnswer::Opened(Ok(Box::new(OpenedWorkshop {
        text: PromptText { name: "plain".to_owned(), text: TEXT.to_owned(), origin },
        suite: "pinned-sokoban".to_owned(),
        is_own: true,
        states: Ok((1..=3).map(state).collect()),
    })))
}

fn filled(state: usize, changed: bool) -> Box<FilledDraft> {
    let same = |text: &str| TurnPart::Text(Some(Segment::Io), text.to_owned());
    let words = vec![
        WordChange::Same("You see ".to_owned()),
        WordChange::Removed("Up".to_owned()),
        WordChange::Added("Up and Down".to_owned()),
    ];
    let first = if changed {
        PartDiff::Text(Some(Segment::System), words)
    } else {
        PartDiff::Same(TurnPart::Text(Some(Segment::System), "You see Up".to_owned()))
    };
    let image = TurnPart::Image { digest: "7/0".to_owned(), image: None };
    let turn = |role: &str, number, parts| TurnDiff {
        role: role.to_owned(),
        old: Some(number),
        new: Some(number),
        parts,
    };
    let turns = vec![
        turn("system", 1, vec![first]),
        turn("user", 2, vec![PartDiff::Same(image), PartDiff::Same(same("Write \u{1b}[31mit"))]),
    ];
    let picture = Arc::new(Picture::new(4, 2, 1, vec![9; 24]).unwrap());
    let images = vec![DraftImage { part: PartId { step: 7, index: 0 }, picture, size: (8, 4) }];
    let needs = Needs { input: Bounds::exactly(321), ..Needs::default() };
    let request = RequestDiff { turns, parameters: Vec::new() };
    Box::new(FilledDraft { state, request, images, needs: Ok(needs) })
}

/// The dialog on a shipped prompt with three states, whose request is filled in.
fn open() -> Model {
    let mut model = testing::model_with_prompts();
    press(&mut model, ":");
    update(&mut model, Msg::Paste("workshop".to_owned()));
    let asked = orders(press(&mut model, "enter"));
    let [WorkshopOrder::Open(place)] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!((place.environment.as_str(), place.prompt.as_str()), ("sokoban", "plain"));
    let asked = orders(answer(&mut model, opened(PromptOrigin::Shipped)));
    assert_eq!(asked, [WorkshopOrder::Fill(TEXT.to_owned(), 0)]);
    answer(&mut model, WorkshopAnswer::Filled(TEXT.to_owned(), Ok(filled(0, false))));
    model
}

fn cell(action: &str, accepted: bool) -> VersionCell {
    VersionCell {
        answers: vec![(Some(action.to_owned()), 1)],
        replies: 1,
        accepted: Some(usize::from(accepted)),
        cost: Some(Cost::Unknown),
        refused: None,
    }
}

fn versions() -> WorkshopAnswer {
    let text = |number: u32, text: &str| PromptVersionText {
        number,
        text: text.to_owned(),
        when: "2026-11-29 07:12".to_owned(),
    };
    let row = |number, cells: Vec<VersionCell>| {
        let accepted = cells.iter().filter_map(|cell| cell.accepted).sum();
        VersionRow { number, accepted: (accepted, cells.len()), cost: Cost::NoRequests, cells }
    };
    let rows = vec![
        row(1, vec![cell("Up", false), cell("Left", false), cell("Up", true)]),
        row(2, vec![cell("Down", true), cell("Left", false), cell("Up", true)]),
    ];
    let comparison = VersionComparison {
        older: 1,
        newer: 2,
        difference: 1.0 / 3.0,
        interval: None,
        states: 3,
        p: 1.0,
        is_different: false,
        more: MoreStates::AtLeast(15),
    };
    let table = VersionTable { rows, comparison: Some(comparison) };
    let texts = vec![text(1, &TEXT.replace("Next.", "Go.")), text(2, TEXT)];
    WorkshopAnswer::Versions { texts, table, is_complete: true }
}

#[test]
fn text_request_and_versions_are_shown_together() {
    let mut model = open();
    answer(&mut model, versions());
    for (width, height) in [(120, 40), (80, 24)] {
        model.size = Size::new(width, height);
        for keys in ["", "tab", "tab"] {
            if !keys.is_empty() {
                press(&mut model, keys);
            }
            let name = format!("workshop-{width}x{height}-{:?}", sheet(&model).focus).to_lowercase();
            insta::assert_snapshot!(name, screen_text(&model));
            assert!(!screen_text(&model).contains('\u{1b}'));
        }
        press(&mut model, "tab");
    }
}

#[test]
fn a_draft_is_filled_in_as_it_is_written_and_the_newest_counts() {
    let mut model = open();
    let asked = orders(press(&mut model, "pagedown end !"));
    let [WorkshopOrder::Fill(draft, 0)] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(draft.len(), TEXT.len() + 1);
    let draft = draft.clone();
    // The request of an earlier draft counts no more.
    answer(&mut model, WorkshopAnswer::Filled(TEXT.to_owned(), Ok(filled(0, true))));
    assert!(!screen_text(&model).contains("1 part changed"), "{}", screen_text(&model));
    answer(&mut model, WorkshopAnswer::Filled(draft, Ok(filled(0, true))));
    let text = screen_text(&model);
    for words in
        ["1 part changed against the saved text", "[-Up-]{+Up and Down+}", "about 321 input tokens", "8×4 px"]
    {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_the_last_request_stays() {
    let mut model = open();
    press(&mut model, "down down down down down end { s o u p");
    assert_eq!(orders(press(&mut model, "}")), [], "a draft that is not valid is not filled in");
    let text = screen_text(&model);
    assert!(text.contains("✗ line 6: unknown variable {soup}"), "{text}");
    assert!(text.contains("the last valid draft"), "{text}");
    press(&mut model, "ctrl-d");
    assert!(screen_text(&model).contains("was not saved"), "{}", screen_text(&model));
    press(&mut model, "ctrl-g");
    assert!(screen_text(&model).contains("cannot be asked"), "{}", screen_text(&model));
    press(&mut model, "esc");
    assert!(screen_text(&model).contains("Esc again discards the draft"));
    assert_eq!(orders(press(&mut model, "esc")), [WorkshopOrder::Close]);
    assert!(model.modal.is_none());
}

#[test]
fn the_first_press_plans_and_the_second_asks() {
    for key in ["ctrl-g", "ctrl-enter"] {
        let mut model = open();
        let asked = orders(press(&mut model, key));
        let [WorkshopOrder::Plan { number, text, samples: 1 }] = asked.as_slice() else {
            panic!("{asked:?}")
        };
        assert_eq!(text, TEXT);
        let number = *number;
        let planned = PlannedStudy { lines: vec!["3 calls to make".to_owned()], ..PlannedStudy::default() };
        let told = |model: &mut Model, answer| update(model, Msg::Answer(Answer::Asked(answer)));
        told(&mut model, AskAnswer::Planned(number + 1, Ok(PlannedStudy::default())));
        assert!(screen_text(&model).contains("planning"), "that was another ask");
        told(&mut model, AskAnswer::Planned(number, Ok(planned)));
        assert!(screen_text(&model).contains("3 calls to make"), "{}", screen_text(&model));
        assert_eq!(orders(press(&mut model, key)), [WorkshopOrder::Make(number)]);
        let table = StudyTable { done: 2, all: 3, ..StudyTable::default() };
        told(&mut model, AskAnswer::Arrived(number, table.into()));
        assert!(screen_text(&model).contains("2 of 3 replies"), "{}", screen_text(&model));
        let asked = orders(told(&mut model, AskAnswer::Ended(number, Ok(()))));
        assert_eq!(asked, [WorkshopOrder::ReadVersions(1)]);
        answer(&mut model, versions());
        assert!(
            screen_text(&model).contains("not decided, at least 15 more states"),
            "{}",
            screen_text(&model)
        );
    }
}

#[test]
fn a_plan_is_dropped_by_esc_and_by_a_change() {
    for key in ["esc", "x"] {
        let mut model = open();
        press(&mut model, "ctrl-g");
        assert_eq!(orders(press(&mut model, key))[0], WorkshopOrder::Stop, "{key}");
        assert!(matches!(sheet(&model).asking, super::sheet::Asking::None));
    }
    let mut model = open();
    press(&mut model, "ctrl-g");
    let problem = Err(Problem::new("no model is named"));
    let number = sheet(&model).number().unwrap();
    update(&mut model, Msg::Answer(Answer::Asked(AskAnswer::Planned(number, problem))));
    assert!(screen_text(&model).contains("no model is named"));
}

#[test]
fn versions_are_compared_with_the_draft_and_gone_back_to() {
    let mut model = open();
    answer(&mut model, versions());
    press(&mut model, "tab tab down enter");
    let text = screen_text(&model);
    for words in ["version 1 of 2026-11-29 07:12 against the draft", "- Go.", "+ Next."] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    press(&mut model, "u");
    assert!(sheet(&model).draft().contains("Go."));
    assert!(screen_text(&model).contains("the draft has the text of version 1"));
    assert_eq!(orders(press(&mut model, "right")).len(), 1, "the next state is filled in");
    assert!(
        screen_text(&model).contains("version 1 in state 2: Left, not accepted"),
        "{}",
        screen_text(&model)
    );
}

#[test]
fn saving_replaces_the_prompt_and_another_name_makes_a_variant() {
    let mut model = open();
    press(&mut model, "ctrl-d");
    assert!(screen_text(&model).contains("nothing was changed"));
    press(&mut model, "tab n ctrl-u m i n e enter");
    assert!(sheet(&model).draft().contains("name = \"mine\""));
    let saved = orders(press(&mut model, "ctrl-d"));
    let [WorkshopOrder::Save(text)] = saved.as_slice() else { panic!("{saved:?}") };
    let text = text.clone();
    let prompt = Prompt::parse(&text).unwrap();
    let written = WrittenPrompt { prompt, path: "/prompts/mine.md".into(), before: None };
    let effects = answer(&mut model, WorkshopAnswer::Saved(text, Ok(Box::new(written))));
    let uses = |effect: &Effect| matches!(effect, Effect::Command(..));
    assert!(effects.iter().any(uses), "the episode uses it from the next request on: {effects:?}");
    assert!(screen_text(&model).contains("saved the new prompt mine to /prompts/mine.md"));
    assert!(!sheet(&model).has_changed());
}

#[test]
fn deleting_and_unpinning_are_asked_first() {
    let mut model = open();
    press(&mut model, "tab D");
    assert!(screen_text(&model).contains("cannot be deleted"), "it is shipped");
    answer(&mut model, opened(PromptOrigin::InPlaceOfShipped));
    assert_eq!(orders(press(&mut model, "D n")), []);
    press(&mut model, "D");
    assert!(screen_text(&model).contains("The shipped one is used again."), "{}", screen_text(&model));
    assert_eq!(orders(press(&mut model, "y")), [WorkshopOrder::Delete]);
    press(&mut model, "x");
    assert!(screen_text(&model).contains("Remove state 1 from the suite pinned-sokoban?"));
    assert_eq!(orders(press(&mut model, "y")), [WorkshopOrder::Unpin(0)]);
    answer(&mut model, WorkshopAnswer::Deleted(Ok("/data/plain-1.md".into())));
    assert!(model.modal.is_none());
}

#[test]
fn a_prompt_or_states_that_cannot_be_opened_say_why() {
    let mut model = open();
    let stateless = WorkshopAnswer::Opened(Ok(Box::new(OpenedWorkshop {
        text: PromptText { name: "plain".to_owned(), text: TEXT.to_owned(), origin: PromptOrigin::Own },
        suite: "pinned-sokoban".to_owned(),
        is_own: false,
        states: Err(Problem::new("no states of sokoban are pinned")),
    })));
    answer(&mut model, stateless);
    assert!(screen_text(&model).contains("no states of sokoban are pinned"), "{}", screen_text(&model));
    assert_eq!(orders(press(&mut model, "x")), [], "the text can be edited all the same");
    assert!(sheet(&model).has_changed());
    let mut model = testing::model_with_prompts();
    press(&mut model, ":");
    update(&mut model, Msg::Paste("workshop soup".to_owned()));
    press(&mut model, "enter");
    answer(&mut model, WorkshopAnswer::Opened(Err(Problem::new("there is no suite soup"))));
    assert!(screen_text(&model).contains("there is no suite soup"));
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn lines_edit_ask_and_go_back() {
    let mut model = open();
    answer(&mut model, versions());
    let say = |model: &mut Model, line: &str| {
        let Some(Modal::Workshop(sheet)) = model.modal.take() else { panic!("it is closed") };
        let mut effects = Vec::new();
        super::answer(model, sheet, line, &mut effects);
        orders(effects)
    };
    let lines = |model: &Model| super::lines(model, sheet(model)).join("\n");
    for words in
        ["* version 2", "accepted 2/3", "Down ✓, Left ✗, Up ✓", "Is it better?", "about 321 input tokens"]
    {
        assert!(lines(&model).contains(words), "{words}\n{}", lines(&model));
    }
    say(&mut model, "text");
    assert!(lines(&model).contains("   6 | You see {actions}."), "{}", lines(&model));
    let asked = say(&mut model, "replace 6 You see {soup}.");
    assert_eq!(asked, []);
    assert!(lines(&model).contains("Error: line 6: unknown variable {soup}"), "{}", lines(&model));
    let asked = say(&mut model, "replace 6 You see {actions}!");
    assert!(matches!(asked.as_slice(), [WorkshopOrder::Fill(text, 0)] if text.contains("{actions}!")));
    assert!(matches!(say(&mut model, "save").as_slice(), [WorkshopOrder::Save(_)]));
    assert!(matches!(say(&mut model, "ask").as_slice(), [WorkshopOrder::Plan { .. }]));
    assert_eq!(say(&mut model, ""), [WorkshopOrder::Stop]);
    say(&mut model, "version 1");
    say(&mut model, "compare");
    assert!(lines(&model).contains("- Go."), "{}", lines(&model));
    say(&mut model, "replace 99 x");
    assert!(lines(&model).contains("takes the number of a line from 1 to"), "{}", lines(&model));
    say(&mut model, "");
    assert!(lines(&model).contains("an empty line again discards the draft"));
    assert_eq!(say(&mut model, ""), [WorkshopOrder::Close]);
    assert!(model.modal.is_none());
}

#[test]
fn the_request_is_shown_where_it_changed_until_a_person_scrolls() {
    let mut model = open();
    model.size = Size::new(80, 24);
    let mut long = filled(0, true);
    let first = (1..40).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
    let part = PartDiff::Same(TurnPart::Text(Some(Segment::Task), first));
    long.request.turns[0].parts.insert(0, part);
    press(&mut model, "x");
    let draft = sheet(&model).draft().to_owned();
    answer(&mut model, WorkshopAnswer::Filled(draft, Ok(long)));
    press(&mut model, "tab");
    assert!(screen_text(&model).contains("[-Up-]{+Up and Down+}"), "{}", screen_text(&model));
    press(&mut model, "home");
    assert!(screen_text(&model).contains("1 part changed"), "{}", screen_text(&model));
    press(&mut model, "pagedown");
    assert!(screen_text(&model).contains("line 10"), "{}", screen_text(&model));
}

#[test]
fn a_long_action_keeps_its_sign() {
    let mut long = cell("click(element=\"menu\")", true);
    assert_eq!(super::text::cell_words(Some(&long), 9), "click(… ✓");
    (long.replies, long.accepted) = (5, Some(3));
    assert_eq!(super::text::cell_words(Some(&long), 9), "clic… 3/5");
    long.answers = vec![(None, 5)];
    assert_eq!(super::text::cell_words(Some(&long), 20), "unread 3/5");
    assert_eq!(super::text::cell_words(None, 9), "–");
}

#[test]
fn images_are_thumbnails_where_the_terminal_gets_pixels() {
    let mut model = open();
    let whole = ratatui::layout::Rect::new(0, 0, 120, 40);
    assert!(super::pictures(&model, sheet(&model), whole).is_empty(), "cells show too little");
    model.device.chosen_form = mageyard_terminal::ChosenForm::Form(mageyard_terminal::PictureForm::Kitty);
    let shown = super::pictures(&model, sheet(&model), whole);
    assert_eq!(shown.len(), 1);
    assert_eq!((shown[0].1.height, shown[0].1.width), (4, 16), "twice as wide as high, in cells");
    let mut comparing = model.clone();
    answer(&mut comparing, versions());
    press(&mut comparing, "tab tab enter");
    assert!(super::pictures(&comparing, sheet(&comparing), whole).is_empty());
}
