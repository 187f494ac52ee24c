//! Panes, recordings, endings and other levels.

use super::*;
use crate::model::Playback;
use crate::recorded_episodes::EpisodeOutline;
use crate::requests::{Answer, Player, Request, SessionBatch, SessionSummary};
use mageyard_engine::{Head, RunState, SeatChoice};

#[test]
fn without_a_person_the_arrows_look_and_scroll() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, "left").is_empty());
    assert_eq!(model.episodes[0].cursor, Some(5));
    model.panes.focus = Pane::Agent;
    model.size = Size::new(80, 16);
    model.panes.tab = Pane::Agent;
    command(&mut model, "5");
    assert!(press(&mut model, "down").is_empty());
    assert_eq!(model.panes.scroll[Pane::Agent as usize], 1);
    press(&mut model, "G k");
    let (most, page) = crate::view::scroll_extent(&model, Pane::Agent);
    assert!(most > 3 && page > 3);
    assert_eq!(model.panes.scroll[Pane::Agent as usize], most - 1);
    press(&mut model, "g g pagedown");
    assert_eq!(model.panes.scroll[Pane::Agent as usize], page.min(most));
}

#[test]
fn tab_goes_round_and_keeps_the_tab_beside_the_frame() {
    let mut model = testing::model(80, 24);
    let mut seen = Vec::new();
    for _ in Pane::ALL {
        press(&mut model, "tab");
        seen.push((model.panes.focus, model.panes.tab));
    }
    let [frame, agent, memory, score, steps] = Pane::ALL;
    assert_eq!(seen, [(agent, agent), (memory, memory), (score, score), (steps, steps), (frame, steps)]);
    press(&mut model, "backtab");
    assert_eq!(model.panes.focus, steps);
}

#[test]
fn a_recording_takes_no_orders_and_says_so() {
    let snapshot = {
        let base = testing::sample_episode().snapshot();
        Snapshot { run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
    };
    let mut model = testing::model_of(snapshot, 120, 40);
    assert!(press(&mut model, "enter").is_empty());
    assert_eq!(model.notice.as_deref(), Some("this is a recording: Space plays it, h and l show its steps"));
    assert!(press(&mut model, "a").is_empty() && model.modal.is_none());
    assert!(model.notice.as_deref().unwrap().contains("`mageyard play "), "{:?}", model.notice);
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
}

#[test]
fn an_episode_that_is_over_says_how_it_goes_on() {
    let mut told =
        ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).reply("# analyze\nx\n# action\nUp");
    told = told.act(54.5, true, Status::Won);
    let mut model = testing::model_of(told.snapshot(), 120, 40);
    assert!(press(&mut model, "space").is_empty());
    assert_eq!(
        model.notice.as_deref(),
        Some("the episode is over (won); :restart plays it again, :next plays the next level")
    );
    assert!(press(&mut model, "enter").is_empty());
    assert!(model.notice.as_deref().unwrap().starts_with("sokoban/mini/7 is the last level of its set"));
    model.names.levels = ["sokoban/mini/7", "sokoban/mini/8", "sokoban/more/1"].map(String::from).to_vec();
    let next = Request::OpenLevel("sokoban/mini/8".into());
    assert_eq!(press(&mut model, "enter"), [Effect::Request(next)]);
    assert!(press(&mut model, "enter").is_empty(), "it is being opened");
    model.awaited.play = None;
    press(&mut model, "t");
    assert!(crate::tests::screen_text(&model).contains("Who plays this level again"));
}

#[test]
fn a_level_that_was_played_is_played_by_another_agent() {
    let mut told =
        ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).reply("# analyze\nx\n# action\nUp");
    told = told.act(54.5, true, Status::Won);
    let mut snapshot = told.snapshot();
    let choice = SeatChoice { name: "random".into(), summary: "at random".into(), refusal: None };
    snapshot.run.seats = vec![choice].into();
    let mut model = testing::model_of(snapshot, 120, 40);
    let player = Player::Agent("random".into());
    let again = Request::PlayWith { level: Some("sokoban/mini/7".into()), player };
    assert_eq!(press(&mut model, "t enter"), [Effect::Request(again)]);
}

fn recording() -> Model {
    let snapshot = {
        let base = testing::sample_episode().snapshot();
        Snapshot { run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
    };
    testing::model_of(snapshot, 120, 40)
}

#[test]
fn space_plays_a_recording_to_its_end_and_pauses() {
    let mut model = recording();
    let newest = model.episodes[0].newest_index();
    let pace = Duration::from_millis(300);
    assert_eq!(
        press(&mut model, "space"),
        [Effect::PlaybackTimer(pace)],
        "from the start, as the end is shown"
    );
    assert_eq!(
        (model.episodes[0].index(), model.episodes[0].playback),
        (0, Some(Playback { steps_left: None }))
    );
    assert_eq!(update(&mut model, Msg::PlaybackTick), [Effect::PlaybackTimer(pace)]);
    assert!(press(&mut model, "space").is_empty());
    assert!(update(&mut model, Msg::PlaybackTick).is_empty(), "a paused playback ignores its last timer");
    assert_eq!(model.episodes[0].index(), 1);
    press(&mut model, "+");
    let faster = Duration::from_millis(200);
    assert_eq!(press(&mut model, "space"), [Effect::PlaybackTimer(faster)]);
    assert_eq!(model.episodes[0].index(), 1, "it continues from the shown step");
    let ticks = (0..20).take_while(|_| !update(&mut model, Msg::PlaybackTick).is_empty()).count();
    assert_eq!((ticks + 2, model.episodes[0].index()), (newest, newest));
    assert_eq!(model.episodes[0].playback, None);
    press(&mut model, "0 2");
    assert_eq!(press(&mut model, "space"), [Effect::PlaybackTimer(faster)]);
    assert_eq!(update(&mut model, Msg::PlaybackTick), [Effect::PlaybackTimer(faster)]);
    assert!(update(&mut model, Msg::PlaybackTick).is_empty(), "a count ends the playback");
    assert_eq!(model.episodes[0].index(), 2);
}

#[test]
fn an_episode_that_is_over_previews_requests_and_records_nothing() {
    let mut model = testing::model_with_prompts();
    let over = {
        let base = Snapshot::clone(&model.episodes[0].snapshot);
        Snapshot { run: RunState { waiting: Waiting::Ended(Ending::Won), ..base.run.clone() }, ..base }
    };
    model.episodes[0].snapshot = Arc::new(over);
    let before = model.episodes[0].window();
    for keys in ["[", "p 2"] {
        assert!(press(&mut model, keys).is_empty(), "{keys}");
    }
    let viewed = &model.episodes[0];
    assert_eq!((viewed.window().am(), viewed.prompt()), (before.am() - 1, "blind"));
    assert_eq!((viewed.snapshot.window, viewed.snapshot.prompt.as_str()), (before, "plain"));
    let asked = crate::shown_request::selected_request(&model).unwrap();
    let crate::shown_request::RequestContent::Unsent(request, _) = asked.content else {
        panic!("a preview was never sent");
    };
    assert!(request.messages.iter().all(|message| message.images().next().is_none()), "blind sends no image");
    press(&mut model, "0");
    assert!(model.episodes[0].previews(), "the preview holds at other steps");
    assert!(press(&mut model, "esc").is_empty());
    assert!(!model.episodes[0].previews());
}

#[test]
fn restart_asks_while_an_episode_is_in_progress() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, "a").is_empty());
    assert!(matches!(model.modal, Some(Modal::Restart)));
    let again = Effect::Request(Request::Restart(model.episodes[0].snapshot.head.clone()));
    assert!(press(&mut model, "n").is_empty() && model.modal.is_none());
    assert!(command(&mut model, "restart").is_empty());
    assert_eq!(press(&mut model, "y"), std::slice::from_ref(&again));
    assert!(press(&mut model, "enter").is_empty(), "what is typed ahead is not for the episode before");
    assert!(model.notice.as_ref().unwrap().contains("is being opened"));
    let over = {
        let base = Snapshot::clone(&model.episodes[0].snapshot);
        Snapshot { run: RunState { waiting: Waiting::Ended(Ending::Won), ..base.run.clone() }, ..base }
    };
    model.episodes[0].snapshot = Arc::new(over);
    assert_eq!(press(&mut model, "a"), [again]);
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
    assert_eq!(
        command(&mut model, "open sokoban/mini/8"),
        [Effect::Request(Request::OpenLevel("sokoban/mini/8".into()))]
    );
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

fn over() -> ScriptedEpisode {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (5, 1)).reply("# analyze\nx\n# action\nUp");
    told.act(54.5, true, Status::Won)
}

/// The snapshot as a recording of this number.
fn recorded(told: &ScriptedEpisode, number: u32, level: &str) -> Arc<Snapshot> {
    let snapshot = told.snapshot();
    let head = mageyard_engine::Head {
        number: number.try_into().unwrap(),
        reference: level.into(),
        ..mageyard_engine::Head::clone(&snapshot.head)
    };
    Arc::new({
        let base = snapshot;
        Snapshot { head: Arc::new(head), run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
    })
}

#[test]
fn a_followed_recording_continues_with_the_next_episode() {
    let mut model = testing::model_of(
        {
            let base = over().snapshot();
            Snapshot { run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
        },
        120,
        40,
    );
    (model.follow, model.following) = (true, true);
    let started = || recorded(&ScriptedEpisode::new("oracle", Setting::Online, (5, 1)), 2, "hall");
    update(&mut model, Msg::EpisodeStarted(started()));
    assert_eq!((model.current, model.notice.as_deref()), (1, Some("episode 2 of 2")));
    update(&mut model, Msg::EpisodeStarted(started()));
    assert_eq!(model.current, 1, "it is not over yet");
    press(&mut model, "?");
    update(&mut model, Msg::Snapshot(1, recorded(&over(), 2, "hall")));
    assert_eq!(model.current, 1, "a dialog is open");
    press(&mut model, "esc");
    assert_eq!(model.current, 2);
    press(&mut model, "H H");
    assert_eq!(model.current, 0);
    update(&mut model, Msg::Snapshot(2, started()));
    assert_eq!(model.current, 0, "an episode selected by hand stays");
    press(&mut model, "$");
    assert_eq!(model.current, 2, "$ follows again");
}

#[test]
fn a_recording_that_is_not_followed_stays() {
    let mut model = testing::model_of(
        {
            let base = over().snapshot();
            Snapshot { run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
        },
        120,
        40,
    );
    update(&mut model, Msg::EpisodeStarted(recorded(&over(), 2, "hall")));
    press(&mut model, "$");
    assert_eq!((model.current, model.episodes.len()), (0, 2));
}

fn list(model: &Model) -> &crate::model::EpisodeList {
    match &model.modal {
        Some(Modal::Episodes(list)) => list,
        other => panic!("{other:?} is not the list"),
    }
}

fn summaries() -> Vec<SessionSummary> {
    let summary = |name: &str, episodes| SessionSummary {
        name: name.into(),
        episodes,
        summary: "sokoban/mini/1 · oracle".into(),
        is_sweep: false,
        ..SessionSummary::default()
    };
    vec![summary("20260102-a", 2), summary("20260101-b", 1)]
}

#[test]
fn the_list_of_episodes_is_filtered_and_opened() {
    let mut model = testing::model(120, 40);
    let other = recorded(&over(), 2, "hanoi/three/1");
    model.episodes.push(EpisodeView::new(other, false));
    assert_eq!(command(&mut model, "episodes"), [Effect::Request(Request::ListSessions)]);
    update(&mut model, Msg::Answer(Answer::Sessions(Ok(summaries()))));
    assert_eq!(list(&model).len(), 4);
    press(&mut model, "h a n o i");
    assert_eq!(list(&model).len(), 1);
    assert!(press(&mut model, "enter").is_empty());
    assert_eq!((model.current, model.modal.is_none()), (1, true));
    press(&mut model, "E");
    press(&mut model, "2 0 2 6 down enter");
    assert_eq!(list(&model).opening.as_deref(), Some("20260101-b"));
    let effects = read_recordings(&mut model, Vec::new(), [recorded(&over(), 1, "b")]);
    assert!(effects.is_empty() && model.modal.is_none(), "one episode is shown at once");
    assert_eq!(model.episode().unwrap().snapshot.head.reference, "b");
    assert_eq!(
        press(&mut model, "E 2 0 2 6 enter")[1..],
        [Effect::Request(Request::OpenRecorded("20260102-a".into()))]
    );
    read_recordings(&mut model, Vec::new(), [recorded(&over(), 1, "x"), recorded(&over(), 2, "y")]);
    assert_eq!((model.current, list(&model).filter()), (3, ""), "several are listed");
    press(&mut model, "down enter");
    assert_eq!(model.episode().unwrap().snapshot.head.reference, "y");
    press(&mut model, "E z z enter backspace ctrl-u esc");
    assert!(model.modal.is_none());
}

#[test]
fn without_an_open_episode_escape_quits() {
    let mut model = testing::model(120, 40);
    model.episodes.clear();
    press(&mut model, "E");
    update(&mut model, Msg::Recorded(Err(Problem::new("it is damaged"))));
    assert!(matches!(model.modal, Some(Modal::Fault(Fault::Recording(_)))));
    assert!(press(&mut model, "esc").is_empty());
    assert!(list(&model).opening.is_none());
    assert_eq!(press(&mut model, "esc"), [Effect::Quit]);
}

fn journal(number: u32) -> PathBuf {
    format!("/sessions/1/{number:04}/journal.jsonl").into()
}

fn read_episode(number: u32) -> Arc<Snapshot> {
    let snapshot = Snapshot::clone(&recorded(&over(), number, &format!("level/{number}")));
    Arc::new(Snapshot { journal: Some(journal(number)), ..snapshot })
}

/// Of ten thousand episodes the first was read.
fn long_session() -> Model {
    let mut model = testing::model(120, 40);
    model.episodes.clear();
    press(&mut model, "E");
    read_recordings(&mut model, (1..=10_000).map(journal).collect(), [read_episode(1)]);
    model
}

#[test]
fn an_episode_of_a_long_session_is_read_when_it_is_opened_from_the_list() {
    let mut model = long_session();
    assert_eq!(list(&model).len(), 10_000);
    assert_eq!(
        (list(&model).row(41).unwrap().name.as_str(), model.unlisted()),
        ("  0042", Some((9999, 10_000)))
    );
    let mut head = Head::clone(&model.episodes[0].snapshot.head);
    head.reference = "level/42".into();
    let outline =
        EpisodeOutline { head: Box::new(head), summary: None, is_unfinished: true, annotations: (0, 0) };
    update(&mut model, Msg::Answer(Answer::Outlined(vec![(41, Some(outline))])));
    press(&mut model, "l e v e l / 4 2");
    assert_eq!(list(&model).len(), 1, "what is listed is filtered before it is read");
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::OpenJournal(journal(42)))]);
    assert_eq!((model.current, list(&model).opening.as_deref()), (0, Some("0042")));
    assert!(press(&mut model, "enter").is_empty(), "it is read once");
    read_recordings(&mut model, Vec::new(), [read_episode(42)]);
    assert_eq!((model.current, model.episodes.len(), model.modal.is_none()), (41, 10_000, true));
    assert_eq!(model.episode().unwrap().snapshot.head.reference, "level/42");
    press(&mut model, "esc");
    assert_eq!((list(&model).filter(), list(&model).opening.is_none()), ("level/42", true));
}

#[test]
fn the_next_episode_is_shown_once_it_was_read_and_only_the_last_one_asked_for() {
    let mut model = long_session();
    press(&mut model, "esc");
    assert_eq!(
        press(&mut model, "L L"),
        [
            Effect::Request(Request::OpenJournal(journal(2))),
            Effect::Request(Request::OpenJournal(journal(3)))
        ]
    );
    assert_eq!((model.current, model.awaited.episode), (0, Some(2)));
    read_recordings(&mut model, Vec::new(), [read_episode(2)]);
    assert_eq!(model.current, 0, "the second one was passed by");
    read_recordings(&mut model, Vec::new(), [read_episode(3)]);
    assert_eq!((model.current, model.awaited.episode), (2, None));
    assert_eq!(model.notice.as_deref(), Some("episode 3 of 10000"));
    assert!(press(&mut model, "H").is_empty());
    assert_eq!(model.current, 1);
    press(&mut model, "2 L");
    update(&mut model, Msg::Recorded(Err(Problem::new("it is damaged"))));
    assert!(matches!(model.modal, Some(Modal::Fault(Fault::Recording(_)))));
    press(&mut model, "esc");
    assert_eq!(
        (model.current, press(&mut model, "2 L")),
        (1, vec![Effect::Request(Request::OpenJournal(journal(4)))]),
        "again"
    );
}

#[test]
fn rows_are_made_when_sessions_are_read_and_say_how_they_ended() {
    let mut model = testing::model(120, 40);
    command(&mut model, "episodes");
    update(&mut model, Msg::Answer(Answer::Sessions(Ok(summaries()))));
    let shown = |model: &Model| crate::tests::screen_text(model);
    assert!(!shown(&model).contains("✓ won"));
    let mut read = summaries();
    read[0].fields.endings = ["won".to_owned()].into();
    let batch = SessionBatch { read, ..SessionBatch::default() };
    update(&mut model, Msg::Answer(Answer::SessionsRead(batch.into())));
    assert!(shown(&model).contains("20260102-a      ✓ won  2 episodes"), "{}", shown(&model));
    assert!(shown(&model).contains("‖ paused  step 7 of 50"), "{}", shown(&model));
    update(&mut model, Msg::Paste("won".to_owned()));
    assert_eq!(list(&model).len(), 1, "states can be filtered");
    press(&mut model, "esc");
    model.episodes.clear();
    press(&mut model, "E");
    assert_eq!(list(&model).len(), 2, "the rows are those of now");
}
