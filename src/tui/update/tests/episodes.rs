//! Panes, recordings, endings and other levels.

use super::*;

#[test]
fn without_a_person_the_arrows_look_and_scroll() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, "left").is_empty());
    assert_eq!(model.episodes[0].cursor, Some(5));
    model.focus = Pane::Agent;
    model.size = Size::new(80, 16);
    model.tab = Pane::Agent;
    command(&mut model, "5");
    assert!(press(&mut model, "down").is_empty());
    assert_eq!(model.scroll[Pane::Agent as usize], 1);
    press(&mut model, "G k");
    let (most, page) = crate::tui::view::scroll_extent(&model, Pane::Agent);
    assert!(most > 3 && page > 3);
    assert_eq!(model.scroll[Pane::Agent as usize], most - 1);
    press(&mut model, "g pagedown");
    assert_eq!(model.scroll[Pane::Agent as usize], page.min(most));
}

#[test]
fn tab_goes_round_and_keeps_the_tab_beside_the_frame() {
    let mut model = testing::model(80, 24);
    let mut seen = Vec::new();
    for _ in Pane::ALL {
        press(&mut model, "tab");
        seen.push((model.focus, model.tab));
    }
    let [frame, agent, memory, score, steps] = Pane::ALL;
    assert_eq!(seen, [(agent, agent), (memory, memory), (score, score), (steps, steps), (frame, steps)]);
    press(&mut model, "backtab");
    assert_eq!(model.focus, steps);
}

#[test]
fn a_recording_takes_no_orders_and_says_so() {
    let snapshot = Snapshot { mode: Mode::Recorded, ..testing::sample_episode().snapshot() };
    let mut model = testing::model_of(snapshot, 120, 40);
    for keys in ["enter", "space", "]", "+"] {
        assert!(press(&mut model, keys).is_empty(), "{keys}");
        assert_eq!(model.notice.as_deref(), Some("this is a recording: it can be viewed, not run"), "{keys}");
    }
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
}

#[test]
fn an_episode_that_is_over_says_how_it_goes_on() {
    let mut told =
        ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).reply("# analyze\nx\n# action\nUp");
    told = told.act(54.5, true, Status::Won);
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    assert!(press(&mut model, "enter").is_empty());
    assert_eq!(model.notice.as_deref(), Some("the episode is over (won); :open plays another level"));
}

#[test]
fn giving_up_asks_first() {
    let mut model = testing::model(120, 40);
    assert!(command(&mut model, "abandon").is_empty());
    assert!(press(&mut model, "n").is_empty() && model.modal.is_none());
    command(&mut model, "abandon");
    assert_eq!(commands(press(&mut model, "y")), [SessionCommand::Abandon]);
    let mut told = testing::sample_episode();
    told.episode.apply(Event::Abandoned).unwrap();
    assert_eq!(told.episode.ending(), Some(Ending::Abandoned));
    model.episodes[0].snapshot = Arc::new(told.snapshot());
    command(&mut model, "abandon");
    assert!(model.modal.is_none() && model.notice.is_some());
}

#[test]
fn another_level_is_opened_and_the_first_one_can_be_looked_at() {
    let mut model = testing::model(120, 40);
    let snapshot = running(&model);
    update(&mut model, Msg::Snapshot(0, snapshot));
    assert_eq!(command(&mut model, "open sokoban/mini/8"), [Effect::Open("sokoban/mini/8".into())]);
    let other = Arc::new(ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).snapshot());
    assert_eq!(update(&mut model, Msg::Opened(Ok(other))), [Effect::Command(0, SessionCommand::Pause)]);
    assert_eq!((model.current, model.episodes.len()), (1, 2));
    assert_eq!(press(&mut model, "enter"), [Effect::Command(1, SessionCommand::Step)]);
    press(&mut model, "H");
    assert_eq!(model.current, 0);
    press(&mut model, "H L L");
    assert_eq!(model.current, 1);
    assert!(model.notice.as_deref().unwrap().contains(":open starts another"));
}

#[test]
fn what_does_not_open_is_shown_and_nothing_moves() {
    let mut model = testing::model(120, 40);
    update(&mut model, Msg::Opened(Err(Problem::new("there is no level \"x\""))));
    assert!(matches!(model.modal, Some(Modal::Fault(Fault::Open(_)))));
    assert_eq!(model.current, 0);
}
