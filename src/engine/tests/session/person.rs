//! Sessions that a person plays.

use super::*;

/// An agent that replies with the actions from a channel.
struct ChannelAgent(mpsc::UnboundedReceiver<Vec<Action>>);

#[async_trait::async_trait]
impl Agent for ChannelAgent {
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let actions = self.0.recv().await.ok_or(AgentError::PersonLeft)?;
        Ok(Answer::Replied(ask.form.write("", &actions, ask.space).into()))
    }
}

/// A session that a person plays.
fn human_session(setting: Setting) -> (Session, NullSink) {
    let (person, decisions) = mpsc::unbounded_channel();
    let head = head(setting, 9, 50);
    let form = CorridorSpec.reply_format(head.setting).unwrap();
    let environment = environment(&head);
    let agent = Box::new(ChannelAgent(decisions));
    let log = NullSink::default();
    let cast = Participants {
        environment,
        agent,
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: crate::RoleSeats::default(),
    };
    let driver = Driver::new(Episode::new(head.into()), cast, Box::new(log.clone()), Duration::ZERO);
    let terms = session_options(Some(person), Duration::ZERO);
    (Session::start(driver, terms), log)
}

fn act(session: &Session, name: &str) {
    order(session, SessionCommand::Play(vec![Action::plain(name)]));
}

#[tokio::test(start_paused = true)]
async fn a_persons_action_is_applied_at_once() {
    let (session, _) = human_session(Setting::Online);
    let mut snapshots = session.snapshots.clone();
    act(&session, "Left");
    wait_until(&mut snapshots, |snapshot| snapshot.steps_done() == 1 && snapshot.run.waiting == Waiting::Ask)
        .await;
    order(&session, SessionCommand::Run(None));
    wait_until(&mut snapshots, |snapshot| snapshot.run.waiting == Waiting::Reply).await;
    for _ in 0..9 {
        act(&session, "Right");
    }
    wait_until(&mut snapshots, |snapshot| snapshot.run.waiting == Waiting::Ended(Ending::Won)).await;
}

#[tokio::test(start_paused = true)]
async fn a_persons_plan_is_shown_before_it_is_applied() {
    for asked_first in [false, true] {
        let (session, _) = human_session(Setting::Global);
        let mut snapshots = session.snapshots.clone();
        if asked_first {
            order(&session, SessionCommand::Step);
            wait_until(&mut snapshots, |snapshot| {
                snapshot.run.waiting == Waiting::Reply && !snapshot.steps.is_empty()
            })
            .await;
        }
        order(&session, SessionCommand::Play(["Left", "Right", "Right"].map(Action::plain).to_vec()));
        wait_until(&mut snapshots, |snapshot| snapshot.run.waiting == Waiting::Apply).await;
        tokio::time::sleep(Duration::from_secs(10)).await;
        let planned = snapshots.borrow().clone();
        assert_eq!((planned.steps_done(), planned.plan.len(), planned.run.waiting), (0, 2, Waiting::Apply));
        order(&session, SessionCommand::Run(None));
        wait_until(&mut snapshots, |snapshot| snapshot.run.waiting == Waiting::Ended(Ending::PlanEnded))
            .await;
        assert_eq!(snapshots.borrow().steps_done(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_disk_leaves_no_stale_decision() {
    let (session, log) = human_session(Setting::Online);
    let mut snapshots = session.snapshots.clone();
    wait_until(&mut snapshots, |snapshot| snapshot.run.waiting == Waiting::Ask).await;
    log.full.store(true, Ordering::Relaxed);
    act(&session, "Left");
    wait_until(&mut snapshots, |snapshot| snapshot.run.error.is_some()).await;
    log.full.store(false, Ordering::Relaxed);
    for (done, name) in [(1, "Right"), (2, "Right"), (3, "Left")] {
        act(&session, name);
        wait_until(&mut snapshots, |snapshot| {
            snapshot.steps_done() == done && snapshot.run.waiting == Waiting::Ask
        })
        .await;
        let action = snapshots.borrow().steps[done as usize - 1].action.clone();
        assert_eq!(action, Some(Action::plain(name)));
    }
}

#[tokio::test(start_paused = true)]
async fn playing_by_hand_needs_the_human_agent() {
    let mut play = RunningSession::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.send(SessionCommand::Play(vec![Action::plain("Right")]));
    let fault = play.until(|snapshot| snapshot.run.error.is_some()).await;
    assert!(fault.run.error.as_ref().unwrap().contains("--agent human"));
    assert_eq!(fault.steps_done(), 0);
}
