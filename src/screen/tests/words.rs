//! The text of the screen at different moments of an episode.

use std::sync::Arc;

use super::*;
use mageyard_engine::RunState;

#[test]
fn the_hint_line_names_keys_of_the_focused_pane() {
    for pane in Pane::ALL {
        let model = testing::with(text_model(120, 40), |model| model.panes.focus = pane);
        let text = symbols(&render(&model));
        let line = text.lines().last().unwrap();
        assert!(line.contains("? help"), "{line}");
        // These are shown only for a large picture, for a score with rows, for a film, and where there is a clock.
        let depends = ["magnify", "rows", "open", "film", "real time"];
        let wanted =
            commands_in(ScreenView::Episode).find(|row| row.panes == [pane] && !depends.contains(&row.hint));
        assert!(wanted.is_none_or(|row| line.contains(row.hint)), "{}: {line}", pane.name());
    }
}

#[test]
fn the_hint_line_always_shows_help_and_quit() {
    for (width, height) in [(60, 16), (80, 24), (120, 40)] {
        for focus in Pane::ALL {
            let text =
                screen_text(&testing::with(text_model(width, height), |model| model.panes.focus = focus));
            let line = text.lines().last().unwrap();
            assert!(line.contains("? help") && line.contains("q quit"), "{line}");
        }
    }
}

#[test]
fn an_earlier_step_shows_its_own_window_and_the_next_one() {
    let mut model = text_model(120, 40);
    model.episodes[0].cursor = Some(2);
    model.episodes[0].pending_window = Window::new(4, 3).ok();
    let text = screen_text(&model);
    assert!(text.contains("AM 3 · OM 2 ╮") && text.contains("next AM 4 OM 3: 3 images"), "{text}");
    model.episodes[0].pending_window = None;
    assert!(!screen_text(&model).contains("next AM"));
}

#[test]
fn the_next_request_includes_the_reply_in_flight() {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).step("Left", -0.5, true);
    let thinking = {
        let base = told.snapshot();
        Snapshot { run: RunState { waiting: Waiting::Reply, ..base.run.clone() }, ..base }
    };
    let text = screen_text(&testing::model_of(thinking, 120, 40));
    assert!(text.contains("step 3 will send 2"), "{text}");
}

#[test]
fn after_the_end_a_next_request_is_shown_and_not_sent() {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).reply("# analyze\nx\n# action\nUp");
    let mut model = testing::model_of(told.act(54.5, true, Status::Won).snapshot(), 120, 40);
    let text = screen_text(&model);
    assert!(text.contains("not sent: it is over") && text.contains("· 1 image"), "{text}");
    assert!(text.contains("█ ■") && text.contains("▲ end") && text.contains("a plays it again"), "{text}");
    model.episodes[0].cursor = Some(0);
    let text = screen_text(&model);
    assert!(text.contains("request of step 1") && text.contains("viewing step 1 of 1"), "{text}");
}

#[test]
fn the_end_of_a_global_episode_offers_to_go_on_online() {
    let ended = |setting| {
        let reply = match setting {
            Setting::Online => "# analyze\nx\n# action\nUp",
            Setting::Global => "### Analyze\n\n### Actions\nUp",
        };
        let told = ScriptedEpisode::new("oracle", setting, (5, 1)).reply(reply);
        let snapshot = told.act(0.5, true, Status::Won).snapshot();
        screen_text(&testing::model_of(Snapshot { continues_online: true, ..snapshot }, 120, 40))
    };
    assert!(
        ended(Setting::Global).contains("a plays it again, f goes on Online"),
        "{}",
        ended(Setting::Global)
    );
    assert!(!ended(Setting::Online).contains("goes on Online"));
}

#[test]
fn an_opening_level_shows_that_the_solver_runs() {
    let opening = {
        let base = testing::sample_episode().snapshot();
        Snapshot {
            steps: mageyard_engine::Steps::default(),
            run: RunState { waiting: Waiting::Reply, ..base.run.clone() },
            ..base
        }
    };
    let text = screen_text(&testing::model_of(opening, 120, 40));
    assert!(text.contains("opening and solving the level") && text.contains(" OPENING "), "{text}");
}

#[test]
fn a_step_without_a_readable_reply_says_so() {
    let unread = ScriptedEpisode::new("model", Setting::Online, (3, 2)).reply("no heading at all").snapshot();
    assert!(screen_text(&testing::model_of(unread.clone(), 80, 24)).contains("! parse error, no action yet"));
    let mut step = Step::clone(&unread.steps[0]);
    for attempt in &mut step.attempts {
        attempt.cancelled = true;
    }
    let cut = Snapshot { steps: [step.into()].into_iter().collect(), ..unread };
    assert!(screen_text(&testing::model_of(cut, 80, 24)).contains("✂ no complete reply received"));
}

#[test]
fn several_notices_are_shown_above_the_status() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut model = text_model(width, height);
        model.notify("one notice");
        let text = screen_text(&model);
        assert!(text.lines().last().unwrap().starts_with(" one notice"), "{text}");
        let path = format!("saved the prompt mine to /home/user/{}/mine.md", "folder/".repeat(12));
        model.notify(path.clone());
        let text = screen_text(&model);
        let shown: String = text.lines().map(str::trim).collect();
        assert!(shown.contains("one notice") && shown.contains("/mine.md"), "{text}");
        assert!(text.lines().last().unwrap().contains("? help"), "{text}");
        assert!(text.contains("AM 3 OM 2"), "the status stays visible\n{text}");
    }
}

#[test]
fn what_a_person_changed_at_a_step_is_said_before_its_first_reply_and_on_the_way_back() {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).step("Left", -0.5, true);
    let mut snapshot = told.snapshot();
    let first = 0;
    let last = snapshot.steps.len() - 1;
    Arc::make_mut(snapshot.steps.get_mut(last).unwrap()).state_set = Some("#@ #".into());
    Arc::make_mut(snapshot.steps.get_mut(first).unwrap()).hint = Some("go around".into());
    let mut model = testing::model_of(snapshot, 120, 40);
    let text = screen_text(&model);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} in\n{text}"));
    assert!(at("a person changed the state at this step") < at("previous step, 1"), "{text}");
    assert!(at("previous step, 1") < at("hint: go around"), "{text}");
    model.episodes[0].cursor = Some(0);
    let text = screen_text(&model);
    assert!(text.contains("hint: go around") && !text.contains("changed the state"), "{text}");
}

#[test]
fn dropped_members_are_told_and_marked() {
    let reply = "### Analyze\nRight and down.\n\n### Actions\nRight, Jump, Fly high, Down";
    let told = testing::ScriptedEpisode::new("model", Setting::Global, (1, 1)).reply(reply);
    let told = told.act(-0.5, true, Status::Running);
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    model.episodes[0].cursor = Some(0);
    let text = screen_text(&model);
    assert!(text.contains("∅ dropped 2 members that name no action:"), "{text}");
    assert!(text.contains("⟦Jump⟧ ⟦Fly high⟧") && text.contains("│ ∅ "), "{text}");
    assert!(text.contains("∅ dropped ╯"), "{text}");
    let told =
        testing::ScriptedEpisode::new("model", Setting::Global, (1, 1)).reply("### Actions\nRight, Down");
    let text = screen_text(&testing::model_of(told.snapshot(), 120, 40));
    assert!(!text.contains("dropped"), "{text}");
}
