//! Distance searches beside a session.

use super::*;

const FULL: SearchLimits = SearchLimits { states: 1000, memory: u64::MAX, time: None };

fn start(length: u32, lines: &[&'static str], limits: Option<SearchLimits>) -> Session {
    let driver = driver(head(Setting::Online, length, 50), script(lines), Box::new(NullSink::default()));
    let pace = Duration::ZERO;
    let folder = "nowhere".into();
    Session::start(
        driver,
        SessionOptions { kind: &CorridorSpec, person: None, pace, distance_limits: limits, folder },
    )
}

async fn until(session: &mut Session, what: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
    let seen = session.snapshots.wait_for(|snapshot| what(snapshot));
    tokio::time::timeout(Duration::from_mins(1), seen).await.expect("timed out").unwrap().clone()
}

#[tokio::test]
async fn every_state_gets_its_distance_and_every_step_its_extra_moves() {
    let mut session = start(4, &["Left", "Right", "Right", "Right", "Right"], Some(FULL));
    let opened = until(&mut session, |snapshot| snapshot.distances.at(0).is_some()).await;
    assert_eq!(opened.distances.at(0), Some(&Distance::Exact(3)));
    session.commands.as_ref().unwrap().send(SessionCommand::Run(None)).unwrap();
    let known = |snapshot: &Snapshot| (0..6).all(|index| snapshot.distances.at(index).is_some());
    let done = until(&mut session, known).await;
    let wastes: Vec<_> = (0..5).map(|index| done.distances.extra_moves(index)).collect();
    assert_eq!(wastes, [Some(2), Some(0), Some(0), Some(0), Some(0)]);
    assert_eq!(done.distances.total_extra_moves(5), Some(2));
    assert_eq!(done.distances.at(5), Some(&Distance::Exact(0)));
}

#[tokio::test]
async fn a_limit_leaves_the_distance_unknown_and_without_limits_nothing_is_searched() {
    let none = SearchLimits { states: 0, ..FULL };
    let mut session = start(4, &["Left"], Some(none));
    let opened = until(&mut session, |snapshot| snapshot.distances.at(0).is_some()).await;
    assert!(matches!(opened.distances.at(0), Some(Distance::Unknown(_))));
    let mut session = start(4, &["Right"], None);
    session.commands.as_ref().unwrap().send(SessionCommand::Run(None)).unwrap();
    let ended = until(&mut session, |snapshot| snapshot.run.waiting.ending().is_some()).await;
    assert!(ended.distances.at(0).is_none() && !ended.distances.is_pending(0));
}

#[tokio::test]
async fn an_endless_search_delays_no_step_and_stops_with_the_session() {
    let mut session = start(12, &["Right"], Some(FULL));
    session.commands.as_ref().unwrap().send(SessionCommand::Run(None)).unwrap();
    let ended = until(&mut session, |snapshot| snapshot.run.waiting.ending().is_some()).await;
    assert!(ended.distances.is_pending(0) && ended.distances.at(0).is_none());
    session.commands.as_ref().unwrap().send(SessionCommand::Leave).unwrap();
    while session.snapshots.changed().await.is_ok() {}
    // The runtime waits for its threads, so this test ends only if the search was stopped.
}

/// The distances of all states of an episode.
async fn searched(episode: &Episode) -> Distances {
    let mut search = DistanceSearch::new(&CorridorSpec, Some(FULL));
    search.add_steps(episode.steps());
    search.search_all().await.clone()
}

#[tokio::test]
async fn the_step_that_made_the_level_unsolvable_is_known() {
    let episode = run_episode(head(Setting::Online, 13, 2), &["Right", "Left"]).await;
    assert_eq!(searched(&episode).await.dead_step(), None);
    let episode = run_episode(head(Setting::Online, 13, 3), &["Right", "Left", "Left"]).await;
    let distances = searched(&episode).await;
    assert_eq!((distances.dead_step(), distances.total_extra_moves(2)), (Some(3), Some(2)));
    assert_eq!(distances.detour(2), Some(Detour { step: 3, before: 12, after: None }));
}

#[tokio::test]
async fn a_run_pauses_at_the_step_that_left_the_shortest_path() {
    let mut session = start(5, &["Right", "Left", "Right"], Some(FULL));
    let orders = session.commands.clone().unwrap();
    orders.send(SessionCommand::SetBreakpoints("off_path".parse().unwrap())).unwrap();
    orders.send(SessionCommand::Run(None)).unwrap();
    let stood = until(&mut session, |snapshot| snapshot.run.break_reason.is_some()).await;
    assert_eq!(
        stood.run.break_reason.as_deref(),
        Some("stopped: step 2 left the shortest path (3 moves left, then 4)")
    );
    assert_eq!((stood.steps_done(), stood.run.mode), (2, Mode::Paused));
    orders.send(SessionCommand::SetBreakpoints(Breakpoints::default())).unwrap();
    orders.send(SessionCommand::Run(None)).unwrap();
    let ended = until(&mut session, |snapshot| snapshot.run.waiting.ending().is_some()).await;
    assert_eq!(ended.run.break_reason, None);
}

#[tokio::test]
async fn a_run_pauses_at_marks_and_reports_unknown_distances() {
    let mut session = start(4, &["Left", "Left"], None);
    let orders = session.commands.clone().unwrap();
    orders.send(SessionCommand::SetBreakpoints("same".parse().unwrap())).unwrap();
    orders.send(SessionCommand::Run(None)).unwrap();
    let stood = until(&mut session, |snapshot| snapshot.run.break_reason.is_some()).await;
    assert_eq!(stood.run.break_reason.as_deref(), Some("stopped: step 2: ineffective action"));
    let mut session = start(4, &["Left"], Some(SearchLimits { states: 0, ..FULL }));
    let orders = session.commands.clone().unwrap();
    orders.send(SessionCommand::SetBreakpoints("off_path".parse().unwrap())).unwrap();
    orders.send(SessionCommand::Run(Some(2))).unwrap();
    let passed =
        until(&mut session, |snapshot| snapshot.steps_done() == 2 && snapshot.run.unjudged_step.is_some())
            .await;
    assert!(
        passed.run.unjudged_step.as_ref().unwrap().starts_with("breakpoint off_path not checked at step"),
        "{:?}",
        passed.run.unjudged_step
    );
    assert_eq!(passed.run.break_reason, None, "nothing stopped it");
}

#[tokio::test]
async fn the_last_step_of_a_counted_run_is_checked_too() {
    let mut session = start(5, &["Right", "Left", "Right"], Some(FULL));
    let orders = session.commands.clone().unwrap();
    orders.send(SessionCommand::SetBreakpoints("off_path".parse().unwrap())).unwrap();
    orders.send(SessionCommand::Run(Some(2))).unwrap();
    let stood = until(&mut session, |snapshot| snapshot.run.break_reason.is_some()).await;
    assert_eq!(
        stood.run.break_reason.as_deref(),
        Some("stopped: step 2 left the shortest path (3 moves left, then 4)")
    );
    assert_eq!((stood.steps_done(), stood.run.mode), (2, Mode::Paused));
    assert!(stood.error_analysis.at(1).has(Mark::OffPath) && !stood.error_analysis.at(0).has(Mark::OffPath));
    orders.send(SessionCommand::Run(Some(1))).unwrap();
    let kept =
        until(&mut session, |snapshot| snapshot.steps_done() == 3 && snapshot.run.break_reason.is_none())
            .await;
    assert_eq!(kept.distances.at(1), Some(&Distance::Exact(3)));
}

#[tokio::test]
async fn search_results_are_added_to_the_marks() {
    let played = || run_episode(head(Setting::Online, 13, 4), &["Right", "Left", "Left", "Right"]);
    let episode = played().await;
    let judged = analyze_with(&episode, &|_| None, episode.head().conduct.thresholds);
    assert!(judged.dead_state.is_none() && judged.detours == DetourTotals::default());
    let distances = searched(&episode).await;
    let along = judged.with_distances(&distances);
    let marked = |mark| (0..5).filter(|index| along.at(*index).has(mark)).collect::<Vec<_>>();
    assert_eq!((marked(Mark::OffPath), marked(Mark::Dead)), (vec![1, 2], vec![2, 3]));
    assert_eq!(along.dead_state.as_ref().unwrap().step, 3);
    assert_eq!(
        along.reason(Mark::OffPath).as_deref(),
        Some("2 extra moves at 1 step; step 3 made the level unsolvable")
    );
    assert_eq!(along.detours, DetourTotals { steps: 1, extra_moves: 2, fatal_step: Some(3) });
    assert_eq!(distances.detour(2).unwrap().describe(), "made the level unsolvable");
    let episode = played().await;
    let ruled = analyze(&episode, &CorridorSpec, episode.head().conduct.thresholds);
    let why = ruled.dead_state.clone();
    assert_eq!(
        ruled.with_distances(&distances).dead_state,
        why,
        "for the same step the reason of the rules is kept"
    );
}
