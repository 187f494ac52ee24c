//! What is said at each moment of an episode.

use super::*;

#[test]
fn the_hint_line_names_keys_of_the_focused_pane() {
    for pane in Pane::ALL {
        let model = Model { focus: pane, ..plain(120, 40) };
        let text = symbols(&picture(&model));
        let line = text.lines().last().unwrap();
        assert!(line.contains("? help"), "{line}");
        let wanted = COMMANDS.iter().find(|row| row.panes == [pane]);
        assert!(wanted.is_none_or(|row| line.contains(row.hint)), "{}: {line}", pane.name());
    }
}

#[test]
fn help_and_leave_are_always_in_the_hint_line() {
    for (width, height) in [(60, 16), (80, 24), (120, 40)] {
        for focus in Pane::ALL {
            let text = seen(&Model { focus, ..plain(width, height) });
            let line = text.lines().last().unwrap();
            assert!(line.contains("? help") && line.contains("q leave"), "{line}");
        }
    }
}

#[test]
fn looking_back_shows_the_window_of_that_request_and_what_comes_next() {
    let mut model = plain(120, 40);
    model.episodes[0].cursor = Some(2);
    model.episodes[0].window = Window::new(4, 3).ok();
    let text = seen(&model);
    assert!(text.contains("AM 3 · OM 2 ╮") && text.contains("next AM 4 OM 3: 3 images"), "{text}");
    model.episodes[0].window = None;
    assert!(!seen(&model).contains("next AM"));
}

#[test]
fn the_next_request_counts_on_the_reply_under_way() {
    let told = Told::new("oracle", Setting::Online, (5, 1)).step("Left", -0.5, true);
    let thinking = Snapshot { waiting: Waiting::Thinking, ..told.snapshot() };
    let text = seen(&testing::on(thinking, 120, 40));
    assert!(text.contains("step 3 will hold 2"), "{text}");
}

#[test]
fn after_the_end_nothing_is_asked_any_more() {
    let told = Told::new("oracle", Setting::Online, (5, 1)).say("# analyze\nx\n# action\nUp");
    let mut model = testing::on(told.act(54.5, true, Status::Won).snapshot(), 120, 40);
    let text = seen(&model);
    assert!(text.contains("nothing is asked any more") && text.contains("· 0 images"), "{text}");
    assert!(text.contains("█ ■") && text.contains("▲ end") && !text.contains("asked for"), "{text}");
    model.episodes[0].cursor = Some(0);
    let text = seen(&model);
    assert!(text.contains("request of step 1") && text.contains("looking at step 1 of 1"), "{text}");
}

#[test]
fn a_level_that_opens_says_that_it_searches() {
    let opening = Snapshot { steps: Vec::new(), waiting: Waiting::Thinking, ..testing::story().snapshot() };
    let text = seen(&testing::on(opening, 120, 40));
    assert!(
        text.contains("opening the level and searching its optimum") && text.contains(" OPENING "),
        "{text}"
    );
}

#[test]
fn a_step_that_was_asked_for_in_vain_says_so() {
    let unread = Told::new("model", Setting::Online, (3, 2)).say("no heading at all").snapshot();
    assert!(seen(&testing::on(unread.clone(), 80, 24)).contains("! no reply was read so far"));
    let mut step = Step::clone(&unread.steps[0]);
    for attempt in &mut step.attempts {
        attempt.cut = true;
    }
    let cut = Snapshot { steps: vec![step.into()], ..unread };
    assert!(seen(&testing::on(cut, 80, 24)).contains("✂ asked, but no whole reply came"));
}
