//! Requests are in the journal before they go out, and one whose reply is lost is not forgotten.

use std::sync::Mutex;

use async_trait::async_trait;

use super::*;
use crate::journal::load_blob;
use mageyard_domain::{AgentEvent, BlobRef, PartId, RequestOutcome, SentImage, UnansweredRequests};

fn sent_image() -> SentImage {
    let part = PartId { step: 1, index: 0 };
    SentImage { part, blob: BlobRef::of("image/png", b"a frame"), size: (1, 1), bytes: b"a frame"[..].into() }
}

/// Sends one request a decision. The first try of the second decision fails, after the server has begun to answer.
struct SendingAgent {
    journal: Option<std::path::PathBuf>,
    /// What the journal had at the moment of each send.
    journaled: Arc<Mutex<Vec<String>>>,
}

impl SendingAgent {
    /// The bytes go out.
    fn send(&self) {
        let last = self.journal.as_ref().and_then(|path| read_journal(path).unwrap().lines.pop());
        let name = match last.map(|line| line.stored) {
            Some(StoredEvent::Sent { .. }) => "sent".to_owned(),
            Some(StoredEvent::Retried { .. }) => "retried".to_owned(),
            other => format!("{other:?}"),
        };
        self.journaled.lock().unwrap().push(name);
    }
}

#[async_trait]
impl Agent for SendingAgent {
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let request = Arc::new(SentRequest { frames: vec![sent_image()], ..SentRequest::default() });
        ask.observer.sending(&request)?;
        self.send();
        if ask.step == 2 {
            let busy = AgentError::Api { status: 429, message: "busy".into() };
            let broken = AgentError::ErrorWithinReply { code: Some(502), message: "oops".into() };
            let unreachable = AgentError::Unreachable("refused".into());
            for error in [busy, AgentError::Timeout { seconds: 3, begun: false }, broken, unreachable] {
                if matches!(error, AgentError::ErrorWithinReply { .. }) {
                    ask.observer.notify(AgentEvent::UsageReported(Usage {
                        input: 7,
                        output: 1,
                        ..Usage::default()
                    }));
                }
                ask.observer.failed(&error)?;
                ask.observer.sending(&request)?;
                self.send();
            }
        }
        let usage = Some(Usage { input: 100, output: 10, ..Usage::default() });
        Ok(Answer::Replied(Reply { text: "# analyze\n# action\nRight\n".into(), usage, ..Reply::default() }))
    }
}

fn sending_driver(journal: Option<&Path>, log: Box<dyn EventSink>) -> (Driver, Arc<Mutex<Vec<String>>>) {
    let head = head(Setting::Online, 3, 50);
    let journaled = Arc::<Mutex<Vec<String>>>::default();
    let agent = SendingAgent { journal: journal.map(Path::to_owned), journaled: journaled.clone() };
    let cast = Participants {
        environment: environment(&head),
        agent: Box::new(agent),
        form: CorridorSpec.reply_format(head.setting).unwrap(),
        prompts: Arc::default(),
        reference_search: None,
        roles: crate::RoleSeats::default(),
    };
    (Driver::new(Episode::new(head.into()), cast, log, Duration::ZERO), journaled)
}

async fn played(folder: &Path) -> (Driver, Vec<String>) {
    let journal = Journal::create(folder, &head(Setting::Online, 3, 50)).unwrap();
    let path = journal.path().to_owned();
    let (mut driver, journaled) = sending_driver(Some(&path), Box::new(journal));
    driver.run_to_end().await.unwrap();
    let journaled = journaled.lock().unwrap().clone();
    (driver, journaled)
}

#[tokio::test]
async fn each_try_of_a_request_is_journaled_before_it_goes_out() {
    let folder = tempfile::tempdir().unwrap();
    let (driver, journaled) = played(folder.path()).await;
    assert_eq!(journaled, ["sent", "sent", "retried", "retried", "retried", "retried"]);
    let tokens = TokenTotals {
        requests: 5,
        unmetered: 1,
        usage: Usage { input: 207, output: 21, ..Usage::default() },
        unanswered: UnansweredRequests { refused: 1, failed: 2, ..UnansweredRequests::default() },
        estimated: None,
    };
    assert_eq!(driver.episode().spent(), tokens, "what never left is not counted");
    assert_eq!(driver.episode().steps()[1].attempts[0].failed_tries.len(), 4);
    let recorded = read_journal(&folder.path().join("journal.jsonl")).unwrap();
    let failed = recorded.lines.into_iter().filter_map(|line| match line.stored {
        StoredEvent::Failed { class, outcome, usage, .. } => Some((class, outcome, usage.is_some())),
        _ => None,
    });
    let expected = [
        ("status 429", RequestOutcome::Refused, false),
        ("timeout", RequestOutcome::Failed, false),
        ("error 502 within the reply", RequestOutcome::Failed, true),
        ("unreachable", RequestOutcome::NotSent, false),
    ];
    assert_eq!(
        failed.collect::<Vec<_>>(),
        expected.map(|(class, outcome, metered)| (class.to_owned(), outcome, metered))
    );
    let mut environment = environment(&recorded.head);
    let recorded = read_journal(&folder.path().join("journal.jsonl")).unwrap();
    let restored = restore(&recorded, environment.as_mut()).await.unwrap();
    assert_eq!(restored.spent(), tokens);
}

#[tokio::test]
async fn a_failed_try_of_an_older_journal_counts_as_before() {
    let mut episode = asked_episode().await;
    for refused in [true, false] {
        episode.apply(Event::Failed(FailedTry::of_old_journal("x", refused))).unwrap();
        episode.apply(Event::Retried).unwrap();
    }
    episode.apply(Event::Cancelled(Reply::default())).unwrap();
    assert_eq!((episode.spent().requests, episode.spent().unmetered), (3, 2));
}

#[tokio::test]
async fn a_try_that_has_failed_is_not_counted_again_when_the_request_ends() {
    for end in [Event::Cancelled(Reply::default()), Event::Expired, Event::Asked] {
        let mut episode = asked_episode().await;
        let usage = Some(Usage { input: 5, output: 1, ..Usage::default() });
        let outcome = RequestOutcome::Failed;
        let failed = FailedTry { why: "x".into(), class: "stalled".into(), outcome, usage };
        episode.apply(Event::Failed(failed.clone())).unwrap();
        assert!(episode.apply(Event::Failed(failed)).is_err(), "it has failed already");
        assert_eq!(episode.spent().requests, 1);
        episode.apply(end).unwrap();
        let spent = episode.spent();
        assert_eq!((spent.requests, spent.unmetered, spent.total_tokens()), (1, 0, 6));
        assert_eq!(spent.unanswered.failed, 1);
    }
}

#[tokio::test]
async fn sent_images_leave_memory_once_they_are_in_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (driver, _) = played(folder.path()).await;
    let attempts = driver.episode().steps().iter().flat_map(|step| &step.attempts);
    let images: Vec<SentImage> =
        attempts.filter_map(|attempt| Some(attempt.sent.as_ref()?.frames[0].clone())).collect();
    assert!(images.len() >= 2 && images.iter().all(|image| image.bytes.is_empty()));
    let stored = load_blob(Some(&folder.path().join("journal.jsonl")), &images[0]).unwrap();
    assert_eq!(*stored, *b"a frame");
    let (mut unrecorded, _) = sending_driver(None, Box::new(corridor::NullSink::default()));
    unrecorded.run_to_end().await.unwrap();
    let sent = unrecorded.episode().steps()[0].attempts[0].sent.clone().unwrap();
    assert_eq!(*sent.frames[0].bytes, *b"a frame", "nothing else has them");
}

#[tokio::test]
async fn a_request_without_a_reply_becomes_a_cancelled_attempt_of_unknown_cost() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path()).await;
    let path = folder.path().join("journal.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    let sent = whole.lines().position(|line| line.contains(r#""event":"sent""#)).unwrap();
    let kept: String = whole.split_inclusive('\n').take(sent + 1).collect();
    std::fs::write(&path, kept).unwrap();
    let (journal, recorded) = Journal::open(&path).unwrap();
    let mut environment = environment(&recorded.head);
    let episode = restore(&recorded, environment.as_mut()).await.unwrap();
    assert_eq!(
        (episode.spent().requests, episode.spent().unmetered),
        (1, 1),
        "known before it is asked again"
    );
    assert!(episode.steps()[0].attempts.is_empty() && episode.pending_request().is_some());
    let form = CorridorSpec.reply_format(Setting::Online).unwrap();
    let agent = SendingAgent { journal: None, journaled: Arc::default() };
    let cast = Participants {
        environment,
        agent: Box::new(agent),
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: crate::RoleSeats::default(),
    };
    let mut driver = Driver::new(episode, cast, Box::new(journal), Duration::ZERO);
    driver.run_to_end().await.unwrap();
    let first = &driver.episode().steps()[0];
    let attempts: Vec<_> =
        first.attempts.iter().map(|attempt| (attempt.cancelled, attempt.usage.is_some())).collect();
    assert_eq!(attempts, [(true, false), (false, true)]);
    assert!(first.attempts[0].sent.is_some());
    assert_eq!((first.spent().requests, first.spent().unmetered, first.spent().usage.input), (2, 1, 100));
}

/// An episode whose first request was sent.
async fn asked_episode() -> Episode {
    let mut episode = Episode::new(head(Setting::Online, 3, 50).into());
    let opening = environment(episode.head()).open(&EnvironmentContext::default()).await.unwrap();
    episode.apply(Event::Opened(opening, None)).unwrap();
    assert!(episode.apply(Event::Retried).is_err(), "nothing was sent that could be sent again");
    let version = PromptVersion { prompt: "none".into(), segments: std::collections::BTreeMap::new() }.into();
    episode.apply(Event::Sent(Arc::default(), version)).unwrap();
    episode
}

#[tokio::test]
async fn a_time_limit_after_a_lost_reply_keeps_the_request() {
    let mut episode = asked_episode().await;
    assert!(episode.apply(Event::Retried).is_err(), "the try is still under way");
    episode.apply(Event::Expired).unwrap();
    assert_eq!(episode.ending(), Some(Ending::TimeLimit));
    assert!(episode.steps()[0].attempts[0].cancelled);
    assert_eq!(episode.spent().unmetered, 1);
}

#[tokio::test]
async fn a_request_that_cannot_be_journaled_is_not_sent() {
    for (log, full_at) in NullSink::both()
        .into_iter()
        .zip([19, 13])
        .flat_map(|(log, writes)| (0..writes).map(move |at| (log.clone(), at)))
    {
        log.fails_after.store(full_at, Ordering::Relaxed);
        let (mut driver, journaled) = sending_driver(None, Box::new(log.clone()));
        let mut refused = 0;
        while driver.episode().ending().is_none() {
            if let Err(error) = driver.advance().await {
                assert!(matches!(error, DriverError::Journal(_)), "{error}");
                refused += 1;
            }
        }
        assert_eq!(refused, 1);
        let sent = journaled.lock().unwrap().len();
        let attempts = driver.episode().steps().iter().flat_map(|step| &step.attempts);
        let attempts: usize = attempts
            .map(|attempt| attempt.failed_tries.len() + usize::from(attempt.last_try.is_some()))
            .sum();
        assert_eq!(sent, attempts, "full at event {full_at}: what went out is in the journal, and only that");
    }
}
