//! A person in the seat.

use super::*;

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
    let terms = terms(Some(person), Duration::ZERO);
    (Session::start(driver, terms), log)
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

#[tokio::test(start_paused = true)]
async fn only_a_person_plays_by_hand() {
    let mut play = Play::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.order(Order::Play(vec![Action::plain("Right")]));
    let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
    assert!(fault.fault.as_ref().unwrap().contains("not a person's"));
    assert_eq!(fault.steps_done(), 0);
}
