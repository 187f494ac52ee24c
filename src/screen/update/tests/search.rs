//! Search in a pane, in a dialog, and on through the steps.

use super::*;
use crate::tests::screen_text;

/// The first reply has the word twice, the second once, the third not.
fn model() -> Model {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (3, 2))
        .reply("# analyze\na Wall is on the left and the wall is long\n\n# action\nUp")
        .act(-0.5, true, Status::Running)
        .reply("# analyze\nbehind the WALL is nothing\n\n# action\nLeft")
        .act(-0.5, true, Status::Running)
        .step("Up", -0.5, true);
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    (model.panes.focus, model.panes.tab) = (Pane::Agent, Pane::Agent);
    model
}

fn search(model: &mut Model, text: &str) {
    press(model, "/");
    update(model, Msg::Paste(text.to_owned()));
    press(model, "enter");
}

fn shown(model: &Model) -> u32 {
    model.episode().and_then(EpisodeView::step).map_or(0, |step| step.number)
}

/// The hint line.
fn hint(model: &Model) -> String {
    screen_text(model).lines().last().unwrap_or_default().trim().to_owned()
}

#[test]
fn matches_are_counted_while_typing_and_n_goes_through_them_and_on_to_other_steps() {
    let mut model = model();
    press(&mut model, "0");
    let first = shown(&model);
    press(&mut model, "/ w a l l");
    assert!(hint(&model).starts_with("/wall█  2 here"), "{}", hint(&model));
    press(&mut model, "enter");
    assert!(hint(&model).starts_with("/wall  1/2 · in 2 steps"), "{}", hint(&model));
    press(&mut model, "n");
    assert!(hint(&model).starts_with("/wall  2/2"), "{}", hint(&model));
    press(&mut model, "n");
    assert_eq!(shown(&model), first + 1, "{:?}", model.notice);
    assert!(model.notice.as_deref().unwrap().starts_with(&format!("step {}: 1 match", first + 1)));
    press(&mut model, "N");
    assert_eq!(shown(&model), first);
    model.notice = None;
    assert!(hint(&model).starts_with("/wall  2/2"), "{}", hint(&model));
    press(&mut model, "esc");
    assert!(model.search.is_none());
}

#[test]
fn an_upper_case_letter_makes_case_count_and_nothing_found_is_said() {
    let mut model = model();
    press(&mut model, "0");
    search(&mut model, "Wall");
    assert!(hint(&model).starts_with("/Wall  1/1"), "{}", hint(&model));
    search(&mut model, "wALL");
    let said = model.notice.clone().unwrap();
    assert!(
        said.contains("is not in the agent pane of any step") && said.contains("case does not count"),
        "{said}"
    );
    press(&mut model, "/ x esc");
    assert!(model.search.is_none());
    press(&mut model, "/ backspace");
    assert!(model.search.is_none());
}

#[test]
fn a_dialog_is_searched_and_scrolled_to_the_match() {
    let mut model = model();
    model.size = Size::new(80, 24);
    press(&mut model, "R");
    let rows = crate::view::searched_rows(&model);
    let last = rows.iter().rfind(|row| !row.trim().is_empty()).unwrap().trim().to_owned();
    search(&mut model, &last);
    let Some(Modal::Request(_)) = model.modal else { panic!("{:?}", model.modal) };
    assert!(screen_text(&model).contains(&last), "{last}\n{}", screen_text(&model));
    press(&mut model, "esc");
    assert!(model.search.is_none() && model.modal.is_some(), "Esc ends the search first");
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn without_a_search_n_still_goes_to_marks() {
    let mut model = model();
    press(&mut model, "n");
    assert!(model.notice.as_deref().unwrap().contains("mark"), "{:?}", model.notice);
    search(&mut model, "wall");
    press(&mut model, "esc n");
    assert!(model.notice.as_deref().unwrap().contains("mark"), "{:?}", model.notice);
}

#[test]
fn a_pane_without_words_searches_all_panes_from_the_shown_step_on() {
    for (focus, size) in [(Pane::Frame, Size::new(120, 40)), (Pane::Steps, Size::new(80, 24))] {
        let mut model = model();
        (model.size, model.panes.focus) = (size, focus);
        press(&mut model, "0 l");
        let second = shown(&model);
        press(&mut model, "/ w a l l");
        assert!(hint(&model).starts_with("/wall█  1 here"), "{focus:?}: {}", hint(&model));
        press(&mut model, "enter");
        assert_eq!((shown(&model), model.panes.focus), (second, Pane::Agent), "the shown step has it");
        assert!(hint(&model).starts_with("/wall  1/1 · in 2 steps"), "{}", hint(&model));
        press(&mut model, "n");
        assert_eq!(shown(&model), second - 1, "then the others");
        press(&mut model, "esc");
        // What only another pane has is found too, and n comes round to it.
        model.set_focus(focus);
        search(&mut model, "so far");
        assert_eq!(model.panes.focus, Pane::Score, "{}", screen_text(&model));
        press(&mut model, "n n n n");
        assert_eq!(model.panes.focus, Pane::Score);
        model.set_focus(focus);
        search(&mut model, "nowhere at all");
        assert_eq!(model.notice.as_deref(), Some("\"nowhere at all\" is not in any pane"));
        assert_eq!(model.panes.focus, focus);
    }
}
