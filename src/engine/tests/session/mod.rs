//! Orders to a session, on a paused clock.

use std::sync::atomic::AtomicBool;

use tokio::sync::mpsc;
use tokio::sync::watch;

use super::*;

const LIMIT: Duration = Duration::from_hours(1);

struct Play {
    session: Session,
    agent: Script,
    log: Nowhere,
}

impl Play {
    fn start(setting: Setting, lines: &[&'static str]) -> Self {
        Self::with(head(setting, 3, 50), script(lines))
    }

    fn with(head: Head, agent: Script) -> Self {
        let log = Nowhere::default();
        let driver = driver(head, agent.clone(), Box::new(log.clone()));
        let terms = Terms {
            kind: &Corridors,
            person: None,
            pace: Duration::from_secs(2),
            allowance: None,
            folder: "nowhere".into(),
        };
        Self { session: Session::start(driver, terms), agent, log }
    }

    fn order(&self, order: Order) {
        self.session.orders.as_ref().unwrap().send(order).unwrap();
    }

    async fn until(&mut self, what: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let seen = self.session.snapshots.wait_for(|snapshot| what(snapshot));
        tokio::time::timeout(LIMIT, seen).await.expect("it never came").unwrap().clone()
    }

    async fn waits_for(&mut self, waiting: Waiting) -> Arc<Snapshot> {
        self.until(|snapshot| snapshot.waiting == waiting && snapshot.mode == Mode::Standing).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_has_two_halves() {
    let mut play = Play::start(Setting::Online, &["Left", "Right"]);
    let opened = play.waits_for(Waiting::Ask).await;
    assert_eq!((opened.steps.len(), opened.score), (1, Some(93.0)));
    play.order(Order::Step);
    let asked = play.waits_for(Waiting::Apply).await;
    assert_eq!(asked.steps[0].action, Some(Action::plain("Left")));
    assert_eq!(asked.returns.sum, 0.0);
    play.order(Order::Step);
    let applied = play.waits_for(Waiting::Ask).await;
    assert_eq!((applied.steps.len(), applied.returns.sum), (2, -1.0));
}

#[tokio::test(start_paused = true)]
async fn running_keeps_its_pace_and_stops_at_the_end() {
    let mut play = Play::start(Setting::Online, &["Left", "Right", "Right", "Right"]);
    play.waits_for(Waiting::Ask).await;
    let began = tokio::time::Instant::now();
    play.order(Order::Run(None));
    let ended = play.waits_for(Waiting::Ended(Ending::Won)).await;
    assert_eq!((ended.mode, ended.steps_done()), (Mode::Standing, 4));
    assert_eq!(began.elapsed(), Duration::from_secs(7), "four steps of 2 s, the last half without a pause");
    play.order(Order::Step);
    let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
    assert!(fault.fault.as_ref().unwrap().contains("the episode is over (won)"));
}

#[tokio::test(start_paused = true)]
async fn a_count_runs_so_many_steps_and_a_pause_stops_between_them() {
    let mut play = Play::start(Setting::Online, &["Left"]);
    play.waits_for(Waiting::Ask).await;
    play.order(Order::Run(Some(3)));
    play.until(|snapshot| snapshot.mode == Mode::Running { left: Some(1) }).await;
    assert_eq!(play.waits_for(Waiting::Ask).await.steps_done(), 3);
    play.order(Order::Run(None));
    play.until(|snapshot| snapshot.steps_done() == 5).await;
    play.order(Order::Pause);
    let stood = play.until(|snapshot| snapshot.mode == Mode::Standing).await;
    assert!(stood.steps_done() <= 6);
    assert_eq!(stood.fault, None);
}

#[tokio::test(start_paused = true)]
async fn a_cancel_cuts_the_thought_and_moves_nothing() {
    let mut play = Play::start(Setting::Online, &["…"]);
    play.waits_for(Waiting::Ask).await;
    for cuts in 1..=2 {
        play.order(Order::Step);
        play.until(|snapshot| snapshot.waiting == Waiting::Thinking).await;
        play.order(Order::Cancel);
        let cut = play.waits_for(Waiting::Ask).await;
        assert_eq!(cut.steps[0].attempts.len(), cuts);
        assert!(cut.steps[0].attempts.iter().all(|attempt| attempt.cut));
        assert_eq!((cut.steps.len(), cut.steps[0].parse_errors()), (1, 0));
    }
    assert_eq!(play.agent.asked.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn leaving_is_orderly_at_every_need() {
    for (lines, orders) in [
        (&["…"][..], &[Order::Step][..]),
        (&["Right"], &[]),
        (&["Right"], &[Order::Step]),
        (&["Left"], &[Order::Run(None)]),
        (&["Right", "Right"], &[Order::Run(None), Order::Pace(Duration::ZERO)]),
    ] {
        let mut play = Play::start(Setting::Online, lines);
        for order in orders {
            play.order(order.clone());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        play.order(Order::Leave);
        let left = async { while play.session.snapshots.changed().await.is_ok() {} };
        tokio::time::timeout(LIMIT, left).await.expect("it never left");
    }
}

#[tokio::test(start_paused = true)]
async fn the_window_changes_for_the_next_request_and_marks_the_episode() {
    let mut play = Play::start(Setting::Online, &["…"]);
    play.waits_for(Waiting::Ask).await;
    let window = Window::new(3, 2).unwrap();
    play.order(Order::Step);
    play.until(|snapshot| snapshot.waiting == Waiting::Thinking).await;
    play.order(Order::Window(window));
    play.order(Order::Cancel);
    let set = play.until(|snapshot| snapshot.window == window).await;
    assert!(set.mixed);
    assert_eq!(set.steps[0].window, window);
}

#[tokio::test(start_paused = true)]
async fn giving_up_ends_the_episode_even_during_a_thought() {
    for lines in [["Left"], ["…"]] {
        let mut play = Play::start(Setting::Online, &lines);
        play.waits_for(Waiting::Ask).await;
        play.order(Order::Run(None));
        play.until(|snapshot| snapshot.mode != Mode::Standing).await;
        play.order(Order::Abandon);
        play.waits_for(Waiting::Ended(Ending::Abandoned)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_broken_agent_is_a_fault_and_can_be_asked_again() {
    let mut play = Play::start(Setting::Online, &["broken"]);
    play.order(Order::Run(None));
    let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
    assert_eq!(fault.fault.as_deref(), Some("the script agent has no move: no way"));
    assert_eq!((fault.mode, fault.waiting), (Mode::Standing, Waiting::Ask));
    play.order(Order::Step);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(play.session.snapshots.borrow().fault.is_some());
    assert_eq!(play.agent.asked.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn a_full_disk_is_a_fault_that_goes_away_with_room() {
    let mut play = Play::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.log.full.store(true, Ordering::Relaxed);
    play.order(Order::Run(None));
    let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
    assert!(fault.fault.as_ref().unwrap().contains("Make room"));
    assert_eq!(fault.steps_done(), 0);
    play.log.full.store(false, Ordering::Relaxed);
    play.order(Order::Run(None));
    assert_eq!(play.waits_for(Waiting::Ended(Ending::Won)).await.steps_done(), 2);
}

#[tokio::test(start_paused = true)]
async fn only_a_person_plays_by_hand() {
    let mut play = Play::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.order(Order::Play(vec![Action::plain("Right")]));
    let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
    assert!(fault.fault.as_ref().unwrap().contains("not a person's"));
    assert_eq!(fault.steps_done(), 0);
}

#[tokio::test(start_paused = true)]
async fn orders_do_not_hurry_a_run() {
    let mut play = Play::start(Setting::Online, &["Left"]);
    play.waits_for(Waiting::Ask).await;
    let began = tokio::time::Instant::now();
    play.order(Order::Run(Some(2)));
    for pace in 10..40 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        play.order(Order::Pace(Duration::from_secs(pace)));
    }
    play.until(|snapshot| snapshot.steps_done() == 2 && snapshot.mode == Mode::Standing).await;
    assert!(began.elapsed() >= Duration::from_secs(39), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn what_comes_after_the_end_is_said_and_not_written() {
    let mut play = Play::start(Setting::Online, &["Right"]);
    play.order(Order::Run(None));
    play.waits_for(Waiting::Ended(Ending::Won)).await;
    let written = play.log.written.load(Ordering::Relaxed);
    for order in [Order::Window(Window::new(1, 1).unwrap()), Order::Abandon, Order::Step] {
        play.order(order);
        let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
        assert!(fault.fault.as_ref().unwrap().contains("the episode is over (won)"));
    }
    assert_eq!(play.log.written.load(Ordering::Relaxed), written);
}

/// A session that goes on with an episode whose first events are these.
async fn restored(events: usize) -> (Session, Nowhere) {
    let folder = tempfile::tempdir().unwrap();
    journaled(folder.path(), &head(Setting::Online, 3, 50), &["Right"]).await;
    let mut recorded = read(&folder.path().join("journal.jsonl")).unwrap();
    recorded.lines.truncate(events);
    let mut world = environment(&recorded.head);
    let episode = restore(&recorded, world.as_mut()).await.unwrap();
    let form = Corridors.form(Setting::Online).unwrap();
    let agent = Box::new(script(&["Right"]));
    let cast = Cast { environment: world, agent, form, prompts: Arc::default(), reference: None };
    let log = Nowhere::default();
    let driver = Driver::new(episode, cast, Box::new(log.clone()), Duration::ZERO);
    let terms = Terms {
        kind: &Corridors,
        person: None,
        pace: Duration::ZERO,
        allowance: None,
        folder: "nowhere".into(),
    };
    (Session::start(driver, terms), log)
}

#[tokio::test(start_paused = true)]
async fn an_episode_that_is_picked_up_stands_until_it_is_told_to_go_on() {
    // Opened; asked; replied; accepted; acted.
    for events in 1..=5 {
        let (session, log) = restored(events).await;
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(log.written.load(Ordering::Relaxed), 0, "after {events} events");
        assert_eq!(session.snapshots.borrow().mode, Mode::Standing);
    }
    let (_session, log) = restored(0).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(log.written.load(Ordering::Relaxed), 1, "it was not even open");
}

#[tokio::test(start_paused = true)]
async fn leaving_writes_what_waited_when_there_is_room_again() {
    let mut play = Play::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.order(Order::Step);
    play.waits_for(Waiting::Apply).await;
    let written = play.log.written.load(Ordering::Relaxed);
    play.log.full.store(true, Ordering::Relaxed);
    play.order(Order::Step);
    play.until(|snapshot| snapshot.fault.is_some()).await;
    play.log.full.store(false, Ordering::Relaxed);
    play.order(Order::Leave);
    while play.session.snapshots.changed().await.is_ok() {}
    assert_eq!(play.log.written.load(Ordering::Relaxed), written + 1, "the act is not lost");
}

/// A session whose search for the optimum ends when the gate opens.
fn opening(gate: &Arc<AtomicBool>) -> Session {
    let head = head(Setting::Online, 3, 50);
    let (gate, environment) = (gate.clone(), environment(&head));
    let search: Search = Box::new(move |stop| {
        while !gate.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Some(Reference { best: 7.0, steps: 3 })
    });
    let agent = Box::new(script(&["Right"]));
    let form = Corridors.form(Setting::Online).unwrap();
    let cast = Cast { environment, agent, form, prompts: Arc::default(), reference: Some(search) };
    let log = Box::new(Nowhere::default());
    let driver = Driver::new(Episode::new(head.into()), cast, log, Duration::ZERO);
    let terms = Terms {
        kind: &Corridors,
        person: None,
        pace: Duration::ZERO,
        allowance: None,
        folder: "nowhere".into(),
    };
    Session::start(driver, terms)
}

#[tokio::test]
async fn a_cancel_while_the_level_opens_loses_neither_the_optimum_nor_an_order() {
    let gate = Arc::new(AtomicBool::new(false));
    let session = opening(&gate);
    let mut snapshots = session.snapshots.clone();
    tokio::time::sleep(Duration::from_millis(20)).await;
    for early in [Order::Cancel, Order::Step] {
        order(&session, early);
    }
    tokio::time::sleep(Duration::from_millis(20)).await;
    gate.store(true, Ordering::Relaxed);
    soon(&mut snapshots, |snapshot| snapshot.waiting == Waiting::Apply).await;
    assert_eq!(snapshots.borrow().reference, Some(Reference { best: 7.0, steps: 3 }));
}

#[tokio::test]
async fn whoever_leaves_or_gives_up_does_not_wait_for_the_opening() {
    let gate = Arc::new(AtomicBool::new(false));
    let session = opening(&gate);
    let mut snapshots = session.snapshots.clone();
    order(&session, Order::Abandon);
    soon(&mut snapshots, |snapshot| snapshot.waiting == Waiting::Ended(Ending::Abandoned)).await;
    let session = opening(&gate);
    let mut snapshots = session.snapshots.clone();
    order(&session, Order::Leave);
    let left = async { while snapshots.changed().await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(20), left).await.expect("it never left");
}

/// As [`seen`], on the real clock.
async fn soon(snapshots: &mut watch::Receiver<Arc<Snapshot>>, what: impl Fn(&Snapshot) -> bool) {
    let limit = Duration::from_secs(20);
    tokio::time::timeout(limit, seen(snapshots, what)).await.expect("it did not come in time");
}

/// An agent that waits for what comes through a channel.
struct Listener(mpsc::UnboundedReceiver<Vec<Action>>);

#[async_trait::async_trait]
impl Agent for Listener {
    async fn decide(&mut self, ask: Ask<'_>) -> Result<Answer, AgentError> {
        let actions = self.0.recv().await.ok_or(AgentError::Empty)?;
        Ok(Answer::Said(ask.form.write("", &actions).into()))
    }
}

/// A session with a person in the seat.
fn seated(setting: Setting) -> (Session, Nowhere) {
    let (person, decisions) = mpsc::unbounded_channel();
    let head = head(setting, 9, 50);
    let form = Corridors.form(head.setting).unwrap();
    let (environment, agent) = (environment(&head), Box::new(Listener(decisions)));
    let log = Nowhere::default();
    let cast = Cast { environment, agent, form, prompts: Arc::default(), reference: None };
    let driver = Driver::new(Episode::new(head.into()), cast, Box::new(log.clone()), Duration::ZERO);
    let terms = Terms {
        kind: &Corridors,
        person: Some(person),
        pace: Duration::ZERO,
        allowance: None,
        folder: "nowhere".into(),
    };
    (Session::start(driver, terms), log)
}

fn order(session: &Session, order: Order) {
    session.orders.as_ref().unwrap().send(order).unwrap();
}

fn act(session: &Session, name: &str) {
    order(session, Order::Play(vec![Action::plain(name)]));
}

#[tokio::test(start_paused = true)]
async fn a_person_plays_at_once_whether_asked_first_or_not() {
    let (session, _) = seated(Setting::Online);
    let mut snapshots = session.snapshots.clone();
    act(&session, "Left");
    seen(&mut snapshots, |snapshot| snapshot.steps_done() == 1 && snapshot.waiting == Waiting::Ask).await;
    order(&session, Order::Run(None));
    seen(&mut snapshots, |snapshot| snapshot.waiting == Waiting::Thinking).await;
    for _ in 0..9 {
        act(&session, "Right");
    }
    seen(&mut snapshots, |snapshot| snapshot.waiting == Waiting::Ended(Ending::Won)).await;
}

#[tokio::test(start_paused = true)]
async fn a_plan_of_a_person_is_shown_before_it_is_carried_out() {
    for asked_first in [false, true] {
        let (session, _) = seated(Setting::Global);
        let mut snapshots = session.snapshots.clone();
        if asked_first {
            order(&session, Order::Step);
            seen(&mut snapshots, |snapshot| {
                snapshot.waiting == Waiting::Thinking && !snapshot.steps.is_empty()
            })
            .await;
        }
        order(&session, Order::Play(["Left", "Right", "Right"].map(Action::plain).to_vec()));
        seen(&mut snapshots, |snapshot| snapshot.waiting == Waiting::Apply).await;
        tokio::time::sleep(Duration::from_secs(10)).await;
        let planned = snapshots.borrow().clone();
        assert_eq!((planned.steps_done(), planned.plan.len(), planned.waiting), (0, 2, Waiting::Apply));
        order(&session, Order::Run(None));
        seen(&mut snapshots, |snapshot| snapshot.waiting == Waiting::Ended(Ending::PlanEnded)).await;
        assert_eq!(snapshots.borrow().steps_done(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_disk_leaves_no_decision_over_and_no_person_waiting() {
    let (session, log) = seated(Setting::Online);
    let mut snapshots = session.snapshots.clone();
    seen(&mut snapshots, |snapshot| snapshot.waiting == Waiting::Ask).await;
    log.full.store(true, Ordering::Relaxed);
    act(&session, "Left");
    seen(&mut snapshots, |snapshot| snapshot.fault.is_some()).await;
    log.full.store(false, Ordering::Relaxed);
    for (done, name) in [(1, "Right"), (2, "Right"), (3, "Left")] {
        act(&session, name);
        seen(&mut snapshots, |snapshot| snapshot.steps_done() == done && snapshot.waiting == Waiting::Ask)
            .await;
        let action = snapshots.borrow().steps[done as usize - 1].action.clone();
        assert_eq!(action, Some(Action::plain(name)));
    }
}

async fn seen(snapshots: &mut watch::Receiver<Arc<Snapshot>>, what: impl Fn(&Snapshot) -> bool) {
    let seen = snapshots.wait_for(|snapshot| what(snapshot));
    tokio::time::timeout(LIMIT, seen).await.expect("it never came").unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_edit_waits_its_turn_and_lands_only_where_it_was_made() {
    let mut play = Play::start(Setting::Online, &["Left", "…"]);
    play.waits_for(Waiting::Ask).await;
    play.order(Order::Step);
    let pending = play.waits_for(Waiting::Apply).await;
    let spot = Spot::of(&pending.steps[0]);
    let right = || Edit::Actions(vec![Action::plain("Right")]);
    play.order(Order::Edit(spot, right()));
    let edited = play.until(|snapshot| snapshot.mixed).await;
    assert_eq!((edited.waiting, &edited.steps[0].action), (Waiting::Apply, &Some(Action::plain("Right"))));
    play.order(Order::Step);
    play.waits_for(Waiting::Ask).await;
    play.order(Order::Step);
    play.until(|snapshot| snapshot.waiting == Waiting::Thinking).await;
    play.order(Order::Edit(spot, right()));
    play.order(Order::Cancel);
    let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
    assert!(fault.fault.as_ref().unwrap().contains("the edit was made for reply 1 of step 1"), "{fault:?}");
    assert_eq!((fault.steps.len(), fault.returns.sum), (2, -1.0));
}
