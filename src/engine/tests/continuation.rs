//! Replies that end within a code block are continued by one more request, also after a resume.

use super::*;

fn continuing(setting: Setting) -> Head {
    let conduct = EpisodePolicy { continue_replies: true, ..EpisodePolicy::default() };
    Head { conduct, ..head(setting, 2, 30) }
}

/// Replies with these texts, by step and attempt: each step takes them from the first.
struct Texts(&'static [&'static str]);

#[async_trait::async_trait]
impl Agent for Texts {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let index = usize::try_from(input.attempt).unwrap() - 1;
        Ok(Answer::Replied(self.0[index.min(self.0.len() - 1)].to_owned().into()))
    }
}

fn driver_of(
    episode: Episode,
    environment: Box<dyn Environment>,
    texts: &'static [&'static str],
    log: Box<dyn EventSink>,
) -> Driver {
    let cast = Participants {
        environment,
        agent: Box::new(Texts(texts)),
        form: CorridorSpec.reply_format(episode.head().setting).unwrap(),
        prompts: Arc::default(),
        reference_search: None,
        roles: crate::RoleSeats::default(),
    };
    Driver::new(episode, cast, log, Duration::ZERO)
}

async fn play(head: Head, texts: &'static [&'static str]) -> Episode {
    let world = environment(&head);
    let log = Box::new(NullSink::default());
    let mut driver = driver_of(Episode::new(head.into()), world, texts, log);
    driver.run_to_end().await.unwrap();
    driver.episode().clone()
}

/// The texts of the replies of the first step, and whether each is continued by the next.
fn replies(episode: &Episode) -> Vec<(String, bool)> {
    let attempts = &episode.steps()[0].attempts;
    attempts.iter().map(|attempt| (attempt.reply.to_string(), attempt.continued)).collect()
}

#[tokio::test]
async fn an_open_fence_is_continued_once_and_both_texts_are_read_as_one() {
    let lines = &["```\n# action\nRi", "ght"];
    let episode = play(continuing(Setting::Online), lines).await;
    assert_eq!(episode.ending(), Some(Ending::Won));
    assert_eq!(
        replies(&episode),
        [("```\n# action\nRi".into(), true), ("```\n# action\nRight".into(), false)]
    );
    let step = &episode.steps()[0];
    assert_eq!((step.parse_errors(), step.continued_reply().is_none()), (0, true));
    assert_eq!(step.output().unwrap().as_ref(), "```\n# action\nRight");

    let off = play(head(Setting::Online, 2, 1), lines).await;
    assert_eq!(off.steps()[0].parse_errors(), 3, "without the policy, each is an unreadable attempt");
    let global = play(continuing(Setting::Global), &["```\n# action\nRight"]).await;
    assert_eq!(global.steps()[0].attempts.len(), 1, "a plan is never continued");
}

#[tokio::test]
async fn a_continuation_is_not_continued_and_counts_as_one_attempt() {
    let lines = &["```", "x", "```", "```y", "# action\nRight"];
    let episode = play(continuing(Setting::Online), lines).await;
    assert_eq!(episode.ending(), Some(Ending::Won));
    let texts: Vec<String> = replies(&episode).into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts, ["```", "```x", "```", "``````y", "# action\nRight"]);
    assert_eq!(episode.steps()[0].parse_errors(), 2);
}

#[tokio::test]
async fn a_resumed_journal_continues_the_reply_where_it_was_cut() {
    let lines = &["```\n# action\nRi", "ght"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let head = continuing(Setting::Online);
    let journal = Journal::create(folder.path(), &head).unwrap();
    let world = environment(&head);
    let mut driver = driver_of(Episode::new(head.into()), world, lines, Box::new(journal));
    driver.run_to_end().await.unwrap();
    let whole = std::fs::read(&path).unwrap();
    let expected = driver.episode().clone();
    drop(driver);
    let ends: Vec<usize> =
        whole.iter().enumerate().filter(|row| *row.1 == b'\n').map(|row| row.0 + 1).collect();
    for cut in ends {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let (journal, recorded) = Journal::open(&path).unwrap();
        let mut world = environment(&recorded.head);
        let episode = restore(&recorded, world.as_mut()).await.unwrap();
        let mut driver = driver_of(episode, world, lines, Box::new(journal));
        driver.run_to_end().await.unwrap();
        let episode = driver.episode();
        assert_eq!(
            (episode.ending(), replies(episode)),
            (expected.ending(), replies(&expected)),
            "cut at {cut}"
        );
    }
}
