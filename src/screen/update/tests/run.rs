//! Steps, counts, looking back, the memory window and the prompt.

use super::*;
use mageyard_engine::RunState;

#[test]
fn enter_does_a_half_and_counts_do_several() {
    let mut model = testing::model(120, 40);
    assert_eq!(commands(press(&mut model, "enter")), [SessionCommand::Step]);
    assert_eq!(commands(press(&mut model, "3 enter")), [SessionCommand::Step]);
    assert_eq!(model.typed.count, None);
}

#[test]
fn enter_at_an_earlier_step_shows_the_newest_one_first() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, "h h 3 enter").is_empty());
    assert_eq!(model.episodes[0].cursor, None);
    assert_eq!(model.notice.as_deref(), Some("back at the newest step; Enter applies Right"));
    assert_eq!(commands(press(&mut model, "enter")), [SessionCommand::Step]);
    let told = ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).step("Left", -0.5, true);
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    assert!(press(&mut model, "0 enter").is_empty());
    assert_eq!(model.notice.as_deref(), Some("back at the newest step; Enter asks the agent"));
}

#[test]
fn a_count_of_halves_orders_the_next_when_one_is_done() {
    let mut told = ScriptedEpisode::new("oracle", Setting::Online, (5, 1));
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    let tell =
        |model: &mut Model, snapshot: Snapshot| commands(update(model, Msg::Snapshot(0, Arc::new(snapshot))));
    assert_eq!(commands(press(&mut model, "3 enter")), [SessionCommand::Step]);
    let thinking = {
        let base = told.snapshot();
        Snapshot { run: RunState { waiting: Waiting::Reply, ..base.run.clone() }, ..base }
    };
    assert_eq!(tell(&mut model, thinking), []);
    told = told.reply("# analyze\nx\n# action\nUp");
    assert_eq!(tell(&mut model, told.snapshot()), [SessionCommand::Step], "the second: apply");
    assert_eq!(tell(&mut model, told.snapshot()), [], "not done yet");
    told = told.act(-0.5, true, Status::Running);
    assert_eq!(tell(&mut model, told.snapshot()), [SessionCommand::Step], "the third: ask");
    told = told.reply("# analyze\nx\n# action\nUp");
    assert_eq!(tell(&mut model, told.snapshot()), [], "three are done");
}

#[test]
fn a_cancel_ends_a_count_of_halves() {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (5, 1));
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    press(&mut model, "3 enter");
    let thinking = {
        let base = told.snapshot();
        Snapshot { run: RunState { waiting: Waiting::Reply, ..base.run.clone() }, ..base }
    };
    update(&mut model, Msg::Snapshot(0, Arc::new(thinking)));
    assert_eq!(commands(press(&mut model, "esc")), [SessionCommand::Cancel]);
    assert_eq!(model.episodes[0].remaining_halves, None);
}

#[test]
fn space_runs_and_stands() {
    let mut model = testing::model(120, 40);
    assert_eq!(commands(press(&mut model, "space")), [SessionCommand::Run(None)]);
    assert_eq!(commands(press(&mut model, "1 2 space")), [SessionCommand::Run(Some(12))]);
    let snapshot = running(&model);
    update(&mut model, Msg::Snapshot(0, snapshot));
    assert_eq!(commands(press(&mut model, "space")), [SessionCommand::Pause]);
    assert_eq!(commands(press(&mut model, "5 space")), [SessionCommand::Run(Some(5))]);
}

#[test]
fn replies_are_turned_over_under_the_microscope() {
    let mut model = testing::model(120, 40);
    press(&mut model, "h h h");
    command(&mut model, "5");
    let count = crate::panes::reply_count(&model);
    assert_eq!(count, 3, "a step with three replies");
    press(&mut model, "r");
    assert_eq!((model.agent.raw, model.agent.shown_reply), (true, None));
    press(&mut model, ",");
    assert_eq!(model.agent.shown_reply, Some(1));
    press(&mut model, "5 ,");
    assert_eq!(
        (model.agent.shown_reply, model.notice.as_deref()),
        (Some(1), Some("this is the first reply of the step"))
    );
    press(&mut model, ",");
    assert_eq!((model.agent.shown_reply, model.notice.as_deref()), (Some(0), None));
    press(&mut model, ". .");
    assert_eq!(model.agent.shown_reply, None, "the last one is followed");
    press(&mut model, ".");
    assert_eq!(model.notice.as_deref(), Some("this is the last reply of the step"));
    press(&mut model, ", l");
    assert_eq!(model.agent.shown_reply, None, "another step begins with its last reply");
    press(&mut model, "r");
    assert!(!model.agent.raw);
}

#[test]
fn counts_end_and_are_taken_back() {
    let mut model = testing::model(120, 40);
    press(&mut model, "9 9 9 9 9 9 9 9 9 9 9");
    assert_eq!(model.typed.count, Some(9999));
    assert!(press(&mut model, "esc").is_empty());
    assert_eq!(model.typed.count, None);
}

#[test]
fn a_nought_is_the_first_step_or_part_of_a_count() {
    let mut model = testing::model(120, 40);
    press(&mut model, "0");
    assert_eq!(model.episodes[0].cursor, Some(0));
    press(&mut model, "2 0");
    assert_eq!(model.typed.count, Some(20));
}

#[test]
fn looking_back_never_reaches_the_session() {
    let mut model = testing::model(120, 40);
    let newest = model.episodes[0].newest_index();
    for (keys, cursor) in [
        ("h", Some(newest - 1)),
        ("2 h", Some(newest - 3)),
        ("l", Some(newest - 2)),
        ("0", Some(0)),
        ("h", Some(0)),
        ("$", None),
        ("l", None),
        ("h 9 l", None),
    ] {
        assert!(press(&mut model, keys).is_empty());
        assert_eq!(model.episodes[0].cursor, cursor, "after {keys}");
    }
    assert!(command(&mut model, "2").is_empty());
    assert_eq!(model.episodes[0].index(), 1);
    command(&mut model, "go 3");
    assert_eq!(model.episodes[0].index(), 2);
    command(&mut model, "99");
    assert_eq!(model.notice.as_deref(), Some("there is no step 99; the steps are 1 to 7"));
}

#[test]
fn the_view_follows_the_newest_step_until_one_looks_back() {
    let mut model =
        testing::model_of(ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).snapshot(), 120, 40);
    let longer = Arc::new(testing::sample_episode().snapshot());
    update(&mut model, Msg::Snapshot(0, longer.clone()));
    assert_eq!(model.episodes[0].index(), 6);
    press(&mut model, "h");
    update(&mut model, Msg::Snapshot(0, longer));
    assert_eq!(model.episodes[0].index(), 5);
}

#[test]
fn the_window_changes_by_one_and_knows_what_was_ordered() {
    let mut model = testing::model(120, 40);
    let window = |am, om| SessionCommand::SetWindow(Window::new(am, om).unwrap());
    assert_eq!(commands(press(&mut model, "] ]")), [window(4, 2), window(5, 2)]);
    assert_eq!(commands(press(&mut model, "}")), [window(5, 3)]);
    assert_eq!(commands(press(&mut model, "2 {")), [window(5, 1)]);
    assert_eq!(commands(press(&mut model, "[")), [window(4, 1)]);
}

#[test]
fn a_window_without_sense_is_refused_with_its_reason() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, "2 [").is_empty());
    assert!(model.notice.as_deref().unwrap().starts_with("OM=2 is more than AM=1"));
    assert!(press(&mut model, "2 {").is_empty());
    assert!(model.notice.as_deref().unwrap().starts_with("OM is 0"));
    assert!(press(&mut model, "9 [").is_empty());
    assert_eq!(model.notice.as_deref(), Some("AM is 3 and cannot be reduced further"));
    assert_eq!(model.episodes[0].window(), Window::new(3, 2).unwrap());
}

#[test]
fn an_ordered_window_is_forgotten_once_the_session_has_it_or_refuses() {
    let mut model = testing::model(120, 40);
    press(&mut model, "]");
    let before = Snapshot::clone(&model.episodes[0].snapshot);
    update(&mut model, Msg::Snapshot(0, Arc::new(before.clone())));
    assert_eq!(model.episodes[0].window().am(), 4, "still under way");
    let fault = {
        let base = before;
        Snapshot { run: RunState { error: Some("the disk is full".into()), ..base.run.clone() }, ..base }
    };
    update(&mut model, Msg::Snapshot(0, Arc::new(fault)));
    assert_eq!(model.episodes[0].window().am(), 3, "refused");
    assert!(matches!(&model.modal, Some(Modal::Fault(Fault::Session(words))) if words == "the disk is full"));
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn plus_is_faster_and_minus_is_slower() {
    let mut model = testing::model(120, 40);
    let pace = |ms| SessionCommand::SetPace(Duration::from_millis(ms));
    assert_eq!(commands(press(&mut model, "+ +")), [pace(200), pace(100)]);
    assert_eq!(commands(press(&mut model, "-")), [pace(200)]);
    assert_eq!(press(&mut model, "+ + + + + + +").len(), 4);
    assert_eq!(model.notice.as_deref(), Some("there is no delay left to shorten"));
}

#[test]
fn the_last_step_is_the_last_one_that_was_asked_for() {
    let mut told =
        ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).reply("# analyze\nx\n# action\nUp");
    told = told.act(54.5, true, Status::Won);
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    assert_eq!(model.episodes[0].last_step(), 1);
    command(&mut model, "7");
    assert_eq!(model.notice.as_deref(), Some("there is no step 7; the steps are 1 to 1"));
    let recorded = {
        let base = told.snapshot();
        Snapshot { run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
    };
    let mut model = testing::model_of(recorded, 120, 40);
    press(&mut model, "L");
    assert_eq!(model.notice.as_deref(), Some("this is the last episode"));
}

#[test]
fn a_prompt_is_chosen_by_its_number_or_its_name() {
    let order = |name: &str| SessionCommand::SetPrompt(name.into());
    let mut model = testing::model_with_prompts();
    assert!(press(&mut model, "p").is_empty() && matches!(model.modal, Some(Modal::Prompts)));
    assert!(press(&mut model, "7 x").is_empty() && model.modal.is_some(), "there is no seventh");
    assert_eq!(commands(press(&mut model, "2")), [order("blind")]);
    assert!(model.modal.is_none());
    assert_eq!(commands(command(&mut model, "prompt blind")), [order("blind")]);
    assert!(command(&mut model, "prompt plain").is_empty());
    assert_eq!(model.notice.as_deref(), Some("plain is already the prompt"));
    press(&mut model, "p esc");
    assert!(model.modal.is_none());
    let mut without = testing::model(120, 40);
    assert!(press(&mut without, "p").is_empty() && without.modal.is_none());
    assert_eq!(without.notice.as_deref(), Some("this environment has no prompts"));
}

#[test]
fn the_request_stays_open_while_it_changes() {
    let mut model = testing::model_with_prompts();
    press(&mut model, "R");
    assert_eq!(commands(press(&mut model, "] }")).len(), 2);
    assert!(matches!(model.modal, Some(Modal::Request(0))));
    press(&mut model, "j j");
    assert_eq!(commands(press(&mut model, "p 2")), [SessionCommand::SetPrompt("blind".into())]);
    assert!(matches!(model.modal, Some(Modal::Request(2))));
    press(&mut model, "p esc G");
    let (most, _) = crate::modals::request_extent(&model);
    assert!(matches!(model.modal, Some(Modal::Request(at)) if at == most && most > 2));
    assert!(press(&mut model, "enter space").is_empty() && model.modal.is_some());
    press(&mut model, "esc");
    assert!(model.modal.is_none());
}

#[test]
fn escape_takes_back_the_nearest_thing() {
    let mut model = testing::model(120, 40);
    let thinking = {
        let base = Snapshot::clone(&model.episodes[0].snapshot);
        Snapshot { run: RunState { waiting: Waiting::Reply, ..base.run.clone() }, ..base }
    };
    update(&mut model, Msg::Snapshot(0, Arc::new(thinking)));
    press(&mut model, "?");
    assert!(press(&mut model, "esc").is_empty() && model.modal.is_none());
    assert_eq!(commands(press(&mut model, "esc")), [SessionCommand::Cancel]);
}

#[test]
fn control_c_cancels_then_leaves() {
    let mut model = testing::model(120, 40);
    let snapshot = running(&model);
    update(&mut model, Msg::Snapshot(0, snapshot));
    assert_eq!(
        press(&mut model, "ctrl-c ctrl-c"),
        [Effect::Command(0, SessionCommand::Cancel), Effect::Quit]
    );
    let mut idle = testing::model(120, 40);
    assert_eq!(press(&mut idle, "ctrl-c"), [Effect::Quit]);
    assert_eq!(press(&mut idle, "? ctrl-c"), [Effect::Quit], "also from a sheet");
    assert_eq!(press(&mut idle, "esc q"), [Effect::Quit]);
}
