//! What a time limit counts, and when it is checked.

use async_trait::async_trait;
use tokio::time::{Instant, sleep};

use super::*;

/// Replies with this line after this time, as a person or not.
struct Late {
    line: &'static str,
    seconds: u64,
    person: bool,
}

#[async_trait]
impl Agent for Late {
    async fn decide(&mut self, _: DecisionInput<'_>) -> Result<Answer, AgentError> {
        sleep(Duration::from_secs(self.seconds)).await;
        Ok(Answer::Replied(format!("# analyze\n# action\n{}\n", self.line).into()))
    }

    fn is_person(&self) -> bool {
        self.person
    }
}

/// A corridor that takes this long to open and to act.
struct SlowCorridor {
    corridor: Box<dyn Environment>,
    open: Duration,
    act: Duration,
}

#[async_trait]
impl Environment for SlowCorridor {
    fn recovery(&self) -> Recovery {
        self.corridor.recovery()
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        sleep(self.open).await;
        self.corridor.open(context).await
    }

    async fn act(
        &mut self,
        action: &Action,
        context: &EnvironmentContext,
    ) -> Result<Outcome, EnvironmentError> {
        sleep(self.act).await;
        self.corridor.act(action, context).await
    }

    fn grace(&self) -> Duration {
        Duration::ZERO
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.corridor.look(context).await
    }
}

fn agent(line: &'static str, seconds: u64) -> Late {
    Late { line, seconds, person: false }
}

/// A head with a limit of 7 s that counts what is played.
fn limited(setting: Setting, time_checked: TimeChecked) -> Head {
    let head = head(setting, 40, 50);
    let conduct = EpisodePolicy { time_checked, ..head.conduct };
    Head { conduct, ..head }.limited_to(Some(Seconds::whole(7)))
}

/// A driver whose environment needs so many seconds to open and to act.
fn slow_driver(head: Head, agent: Late, (open, act): (u64, u64), earlier: u64) -> Driver {
    let form = CorridorSpec.reply_format(head.setting).unwrap();
    let corridor = environment(&head);
    let open = Duration::from_secs(open);
    let act = Duration::from_secs(act);
    let cast = Participants {
        environment: Box::new(SlowCorridor { corridor, open, act }),
        agent: Box::new(agent),
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: crate::RoleSeats::default(),
    };
    let log = Box::new(NullSink::default());
    Driver::new(Episode::new(head.into()), cast, log, Duration::from_secs(earlier))
}

async fn play(head: Head, agent: Late, times: (u64, u64)) -> (Episode, u64) {
    let mut driver = slow_driver(head, agent, times, 0);
    driver.run_to_end().await.unwrap();
    (driver.episode().clone(), driver.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_is_checked_always_ends_what_is_under_way() {
    let always = || limited(Setting::Online, TimeChecked::Always);
    let (episode, elapsed) = play(always(), agent("Right", 3), (0, 0)).await;
    assert_eq!((episode.ending(), episode.steps_done(), elapsed), (Some(Ending::TimeLimit), 2, 7));
    assert!(episode.steps()[2].attempts[0].cancelled);
    let (episode, _) = play(always(), agent("Right", 0), (0, 10)).await;
    assert_eq!((episode.ending(), episode.steps_done()), (Some(Ending::TimeLimit), 0), "the act is stopped");
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_comes_after_the_limit_is_kept_and_not_carried_out() {
    let between = |setting| limited(setting, TimeChecked::Between);
    let (episode, elapsed) = play(between(Setting::Online), agent("Right", 3), (0, 0)).await;
    assert_eq!((episode.ending(), episode.steps_done(), elapsed), (Some(Ending::TimeLimit), 2, 9));
    let late = &episode.steps()[2];
    assert_eq!((late.attempts.len(), late.action.clone()), (1, None));
    assert!(late.attempts[0].counts() && late.output().is_some(), "it is kept and counts");
    let (plan, _) = play(between(Setting::Global), agent("Right, Right", 8), (0, 0)).await;
    assert_eq!((plan.ending(), plan.steps_done()), (Some(Ending::TimeLimit), 0));
    let once = |head: Head| {
        let attempts = 1.try_into().unwrap();
        let conduct = EpisodePolicy { attempts, on_unreadable: OnUnreadable::End, ..head.conduct };
        Head { conduct, ..head }
    };
    let (mute, _) = play(once(between(Setting::Online)), agent("Fly", 8), (0, 0)).await;
    assert_eq!(mute.ending(), Some(Ending::TimeLimit), "the time is checked before the reply is read");
    let (mute, _) = play(once(between(Setting::Online)), agent("Fly", 1), (0, 0)).await;
    assert_eq!(mute.ending(), Some(Ending::Unreadable));
}

#[tokio::test(start_paused = true)]
async fn an_act_that_began_before_the_limit_ends_by_itself() {
    for (act, steps) in [(10, 1), (4, 2)] {
        let head = limited(Setting::Online, TimeChecked::Between);
        let (episode, elapsed) = play(head, agent("Right", 0), (0, act)).await;
        assert_eq!((episode.ending(), episode.steps_done()), (Some(Ending::TimeLimit), steps));
        assert_eq!(elapsed, act * u64::from(steps));
        assert!(episode.steps().last().unwrap().attempts.is_empty(), "no request is sent after it");
    }
}

#[tokio::test(start_paused = true)]
async fn opening_pauses_and_persons_do_not_count() {
    let head = limited(Setting::Online, TimeChecked::Always);
    let mut driver = slow_driver(head.clone(), agent("Right", 2), (20, 0), 0);
    while driver.episode().steps_done() < 3 {
        driver.advance().await.unwrap();
        sleep(Duration::from_secs(100)).await;
    }
    assert_eq!((driver.elapsed().as_secs(), driver.episode().ending()), (6, None));
    driver.run_to_end().await.unwrap();
    assert_eq!((driver.episode().ending(), driver.elapsed().as_secs()), (Some(Ending::TimeLimit), 7));

    let person = Late { person: true, ..agent("Right", 50) };
    let head = Head { max_steps: 3, ..head };
    let mut driver = slow_driver(head, person, (20, 2), 0);
    driver.run_to_end().await.unwrap();
    assert_eq!(driver.episode().ending(), Some(Ending::StepLimit));
    assert_eq!((driver.episode().time_of_persons().as_secs(), driver.elapsed().as_secs()), (150, 156));
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_an_old_head_counts_all_the_time_for_which_it_is_open() {
    let old = Head { max_time: Some(Seconds::whole(7)), ..head(Setting::Online, 40, 50) };
    let begun = Instant::now();
    let (episode, _) = play(old.clone(), agent("Right", 0), (20, 0)).await;
    assert_eq!((episode.ending(), episode.steps().len()), (Some(Ending::TimeLimit), 0), "while it opens");
    assert_eq!(begun.elapsed().as_secs(), 7);
    let mut driver = slow_driver(old, agent("Right", 0), (0, 0), 0);
    driver.advance().await.unwrap();
    sleep(Duration::from_secs(8)).await;
    driver.advance().await.unwrap();
    assert_eq!(driver.episode().ending(), Some(Ending::TimeLimit), "a pause counts");
}

#[tokio::test(start_paused = true)]
async fn the_time_before_a_resume_counts() {
    let head = limited(Setting::Online, TimeChecked::Always);
    let mut driver = slow_driver(head, agent("Right", 3), (20, 0), 6);
    driver.run_to_end().await.unwrap();
    assert_eq!((driver.episode().ending(), driver.elapsed().as_secs()), (Some(Ending::TimeLimit), 7));
    assert_eq!(driver.episode().steps_done(), 0);
}
