//! Requests are in the journal before they go out, and one whose reply is lost is not forgotten.

use std::sync::Mutex;

use async_trait::async_trait;

use super::*;
use crate::domain::BlobRef;
use crate::domain::PartId;
use crate::domain::SentImage;
use crate::engine::journal::load_blob;

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
            Some(StoredEvent::Retried { why, refused }) => format!("retried {refused}: {why}"),
            other => format!("{other:?}"),
        };
        self.journaled.lock().unwrap().push(name);
    }
}

#[async_trait]
impl Agent for SendingAgent {
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let request = Arc::new(SentRequest { frames: vec![sent_image()], ..SentRequest::default() });
        ask.observer.sending(&request, None)?;
        self.send();
        if ask.step == 2 {
            let lost = AgentError::Api { status: 500, message: "oops".into() };
            ask.observer.sending(&request, Some(&lost))?;
            self.send();
            ask.observer.sending(&request, Some(&AgentError::Timeout { seconds: 3 }))?;
            self.send();
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
    let expected = [
        "sent",
        "sent",
        "retried true: the server returned error 500: oops",
        "retried false: the server sent nothing for 3 s (model.timeout)",
    ];
    assert_eq!(journaled, expected);
    let spent = driver.episode().spent();
    let tokens = TokenTotals {
        requests: 4,
        unmetered: 1,
        usage: Usage { input: 200, output: 20, ..Usage::default() },
    };
    assert_eq!(spent, tokens, "a refused try costs nothing, and a lost one an unknown amount");
    assert_eq!(driver.episode().steps()[1].attempts[0].failed_tries.len(), 2);
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

#[tokio::test]
async fn a_time_limit_after_a_lost_reply_keeps_the_request() {
    let mut episode = Episode::new(head(Setting::Online, 3, 50).into());
    let opening = environment(episode.head()).open(&EnvironmentContext::default()).await.unwrap();
    episode.apply(Event::Opened(opening, None)).unwrap();
    let version = PromptVersion { prompt: "none".into(), segments: std::collections::BTreeMap::new() }.into();
    let failed = FailedTry { why: "x".into(), refused: true };
    assert!(episode.apply(Event::Retried(failed)).is_err(), "nothing was sent that could be sent again");
    episode.apply(Event::Sent(Arc::default(), version)).unwrap();
    episode.apply(Event::Expired).unwrap();
    assert_eq!(episode.ending(), Some(Ending::TimeLimit));
    assert!(episode.steps()[0].attempts[0].cancelled);
    assert_eq!(episode.spent().unmetered, 1);
}

#[tokio::test]
async fn a_request_that_cannot_be_journaled_is_not_sent() {
    for full_at in 0..13 {
        let log = NullSink::default();
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
        let attempts = driver.episode().spent().requests;
        assert_eq!(sent, attempts, "full at event {full_at}: what went out is in the journal, and only that");
    }
}
