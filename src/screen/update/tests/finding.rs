//! Marked steps are found, and the filmstrip shows them alone.

use super::*;
use crate::modals::verdict_lines;
use crate::tests::screen_text;
use mageyard_engine::{Distances, Mark};

fn faulty() -> Model {
    testing::model_of(testing::faulty_episode().snapshot(), 120, 40)
}

/// The number of the step that is looked at.
fn at(model: &Model) -> u32 {
    model.episode().and_then(EpisodeView::step).map_or(0, |step| step.number)
}

fn steps(model: &Model, mark: Mark) -> Vec<usize> {
    let marks = model.episode().unwrap().snapshot.error_analysis.marks().clone();
    (1..).zip(&marks).filter(|(_, marks)| marks.has(mark)).map(|(number, _)| number).collect()
}

#[test]
fn the_story_has_every_mark() {
    let model = faulty();
    let all = Mark::ALL.map(|mark| steps(&model, mark));
    let [unread, incomplete, dropped, invalid, repeating, unrendered, failed, same, off, dead, edited] = all;
    assert_eq!((unrendered, failed), (Vec::new(), Vec::new()), "only some environments find these");
    assert_eq!((unread, incomplete, dropped, invalid), (vec![3, 4], vec![], vec![], vec![4]));
    assert_eq!((repeating, same), (vec![5, 6, 7, 8, 9, 10], vec![3, 5, 6, 7, 8, 9, 10]));
    assert_eq!((off, dead, edited), (Vec::new(), vec![12, 13], Vec::new()));
}

#[test]
fn what_a_search_tells_is_marked_and_found_and_said() {
    let mut model = faulty();
    let said = |model: &Model| model.notice.clone().unwrap_or_default();
    command(&mut model, "marked off_path");
    assert_eq!(said(&model), "no step has the mark off_path; no distances are computed here");
    model = testing::model_of(
        testing::faulty_episode().snapshot().with_distances(Distances::new(vec![None; 14], true)),
        120,
        40,
    );
    command(&mut model, "marked off_path");
    assert_eq!(said(&model), "no step has the mark off_path; the search is not finished for 13 steps");
    model = testing::model_of(testing::detour_snapshot(), 120, 40);
    assert_eq!(steps(&model, Mark::OffPath), [1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(steps(&model, Mark::Dead), [11, 12, 13], "the search proves it a step sooner than the rules");
    command(&mut model, "marked off_path");
    assert_eq!(at(&model), 1);
    assert_eq!(said(&model), "step 1: 2 extra moves (1 of 10 marked off_path, wrapped)");
    press(&mut model, "N");
    assert!(
        said(&model).starts_with("step 11: made the level unsolvable, dead state (10 of 10"),
        "{}",
        said(&model)
    );
    let text: Vec<String> = verdict_lines(&model, 76).iter().map(ToString::to_string).collect();
    let text = text.join("\n");
    assert!(text.contains("10 extra moves at 9 steps; step 11 made the level unsolvable"), "{text}");
    assert!(text.contains("since step 11: a search proved that the goal is out of reach"), "{text}");
}

#[test]
fn the_reply_that_could_not_be_read_is_the_one_that_is_shown() {
    let mut model = faulty();
    command(&mut model, "marked parse");
    let said = |model: &Model| model.notice.clone().unwrap_or_default();
    assert!(
        said(&model).contains("parse error in reply 1 of 2")
            && said(&model).ends_with("; r shows the raw reply")
    );
    press(&mut model, "r");
    assert_eq!((at(&model), model.agent.raw, model.agent.shown_reply), (3, true, Some(0)));
    press(&mut model, "n");
    assert_eq!((at(&model), model.agent.shown_reply), (4, Some(0)));
    assert!(said(&model).contains("parse error in reply 1 of 3, invalid action"), "{}", said(&model));
    press(&mut model, "r r");
    assert_eq!((model.agent.raw, model.agent.shown_reply), (true, None), "back and raw again is the last");
    command(&mut model, "marked same");
    assert_eq!(model.agent.shown_reply, None, "another mark is no question of a reply");
}

#[test]
fn a_mark_is_looked_for_and_n_goes_on() {
    let mut model = faulty();
    let said = |model: &Model| model.notice.clone().unwrap_or_default();
    assert!(command(&mut model, "marked dead").is_empty(), "looking orders nothing");
    assert_eq!(at(&model), 12);
    assert_eq!(said(&model), "step 12: dead state (1 of 2 marked dead, wrapped)");
    press(&mut model, "n");
    assert_eq!((at(&model), said(&model).as_str()), (13, "step 13: dead state (2 of 2 marked dead)"));
    press(&mut model, "n");
    assert_eq!(at(&model), 12);
    press(&mut model, "N N");
    assert_eq!(at(&model), 12, "back and round");
    command(&mut model, "marked parse,ia");
    assert_eq!(at(&model), 3);
    assert!(said(&model).contains("parse error in reply 1 of 2, ineffective action"), "{}", said(&model));
    press(&mut model, "N");
    assert_eq!(at(&model), 4);
    press(&mut model, "0");
    command(&mut model, "marked ra");
    press(&mut model, "3 n");
    assert_eq!(at(&model), 8);
    press(&mut model, "9 N");
    assert_eq!(at(&model), 5, "nine back in a ring of six");
    command(&mut model, "marked deed");
    assert!(said(&model).contains("did you mean dead?"), "{}", said(&model));
    assert_eq!(at(&model), 5);
}

#[test]
fn nothing_to_find_is_said() {
    let mut model =
        testing::model_of(ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).snapshot(), 120, 40);
    for keys in ["n", "N", "M"] {
        press(&mut model, keys);
        assert_eq!(model.notice.as_deref(), Some("no step has a mark"), "{keys}");
    }
}

#[test]
fn the_filmstrip_shows_marked_steps_alone_and_the_one_looked_at() {
    let mut model = faulty();
    let shown = |model: &Model| -> Vec<Option<usize>> {
        let area = crate::layout::areas(model, ratatui::layout::Rect::new(0, 0, 120, 40)).unwrap();
        let steps = area.panes.iter().find(|pane| pane.0 == Pane::Steps).unwrap().1;
        let ticks = (0..steps.width).map(|x| ratatui::layout::Position::new(steps.x + x, steps.y + 1));
        let mut ticks: Vec<_> = ticks.filter_map(|at| crate::view::step_at(model, at)).map(Some).collect();
        ticks.dedup();
        ticks
    };
    assert_eq!(shown(&model).len(), 14);
    command(&mut model, "marked dead");
    press(&mut model, "M");
    assert_eq!(shown(&model), [Some(11), Some(12)]);
    press(&mut model, "0");
    assert_eq!(shown(&model), [Some(0), Some(11), Some(12)]);
    press(&mut model, "n");
    assert_eq!(at(&model), 12);
    press(&mut model, "M");
    assert_eq!((shown(&model).len(), model.notice.as_deref()), (14, Some("all steps are shown")));
}

#[test]
fn the_verdict_explains_the_shown_step_and_its_entries_lead_to_their_steps() {
    let mut model = faulty();
    command(&mut model, "4");
    press(&mut model, "V");
    let text = screen_text(&model);
    let of_step = text.split("The episode").next().unwrap();
    assert!(of_step.contains("Step 4") && of_step.contains("3 of 3 attempts unreadable"), "{text}");
    assert!(of_step.contains("invalid action (IA): ") && text.contains("2 steps: 3, 4"), "{text}");
    assert!(text.contains("▸ ! parse error"), "the first kind that occurs is selected: {text}");
    press(&mut model, "enter");
    assert_eq!((at(&model), model.modal.is_none()), (3, true), "after the shown one, round the end");
    press(&mut model, "V down down enter");
    assert_eq!(at(&model), 5, "the third kind that occurs is repeating");
    press(&mut model, "n");
    assert_eq!(at(&model), 6, "n goes on with it");
    press(&mut model, "0 V");
    assert!(screen_text(&model).contains("  no mark"), "{}", screen_text(&model));
    model.size = Size::new(80, 24);
    for _ in 0..40 {
        press(&mut model, "j");
    }
    assert!(screen_text(&model).contains("play.on_unreadable"), "the rules: {}", screen_text(&model));
    press(&mut model, "V");
    assert!(model.modal.is_none());
}

#[test]
fn the_list_of_marks_begins_with_the_errors_that_occur() {
    let mut model = faulty();
    let labels = |model: &Model| -> Vec<String> {
        let palette = crate::model::Palette::with("marked ".to_owned());
        crate::completions::completions(model, &palette).into_iter().map(|offer| offer.label).collect()
    };
    assert_eq!(
        labels(&model),
        [
            "parse,ia,ra,dead",
            "parse",
            "ia",
            "ra",
            "dead",
            "same",
            "ending",
            "off_path",
            "edited",
            "any",
            "next",
            "previous",
            "only"
        ]
    );
    press(&mut model, "0");
    update(&mut model, Msg::Key(key(":")));
    update(&mut model, Msg::Paste("marked ".into()));
    press(&mut model, "enter");
    assert_eq!(at(&model), 3, "Enter shows the first error: {:?}", model.notice);
    let clean = ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).step("Up", -0.5, true);
    assert_eq!(labels(&testing::model_of(clean.snapshot(), 120, 40))[0], "parse");
}

#[test]
fn the_verdict_says_why_and_by_which_rules() {
    let mut model = faulty();
    press(&mut model, "V");
    assert!(matches!(model.modal, Some(Modal::Verdict(_))));
    let text: Vec<String> = verdict_lines(&model, 76).iter().map(ToString::to_string).collect();
    let text = text.join("\n");
    for part in [
        "! parse error            2 steps: 3, 4",
        "step 4 ended without a legal action",
        "Right 6 times in a row with the state unchanged, steps 5 to 10",
        "since step 12: the box at row 2, column 2 is in a corner",
        "the same action or the same reply 5 times in a row with the state",
        "play.on_unreadable",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}
