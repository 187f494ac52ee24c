//! Tests of the engine with a tiny environment, a corridor.

mod analysis;
mod continuation;
mod controller;
pub(super) mod corridor;
mod distance;
mod edits;
mod episode_policy;
mod episode_rules;
mod episode_time;
mod format;
mod found_errors;
mod interventions;
mod one_sided;
mod ownership;
mod replies;
mod requests;
mod seats;
mod session;
mod summary;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use self::corridor::*;
use super::*;
use mageyard_domain::*;

pub(super) async fn run_episode(head: Head, lines: &[&'static str]) -> Episode {
    let mut driver = driver(head, script(lines), Box::new(NullSink::default()));
    driver.run_to_end().await.unwrap();
    driver.episode().clone()
}

fn transcript(episode: &Episode) -> Vec<String> {
    let line = |step: &Arc<Step>| {
        let action = step.action.as_ref().map_or("-".to_owned(), ToString::to_string);
        format!("{} {} {}", step.observation.text(), action, step.returns.sum)
    };
    episode.steps().iter().map(line).collect()
}

#[tokio::test]
async fn an_online_episode_reaches_the_goal_step_by_step() {
    let episode = run_episode(head(Setting::Online, 3, 50), &["Left", "Right", "Right", "Right"]).await;
    assert_eq!(
        transcript(&episode),
        [".@.. Left -1", "@... Right -2", ".@.. Right -3", "..@. Right 6", "...@ - 6"]
    );
    assert_eq!(episode.ending(), Some(Ending::Won));
    assert_eq!(episode.steps_done(), 4);
    assert!((CorridorSpec.score(episode.returns(), episode.reference()).unwrap() - 99.0).abs() < 1e-9);
}

#[tokio::test]
async fn a_global_plan_is_applied_completely_and_ends_the_episode() {
    let episode = run_episode(head(Setting::Global, 5, 50), &["Right, Jump, Right"]).await;
    assert_eq!(transcript(&episode), [".@.... Right -1", "..@... Right -2", "...@.. - -2"]);
    assert_eq!(episode.ending(), Some(Ending::PlanEnded));
    assert_eq!(episode.steps().iter().map(|step| step.attempts.len()).sum::<usize>(), 1);
}

#[tokio::test]
async fn the_step_limit_ends_an_episode_in_both_settings() {
    for (setting, line) in [(Setting::Online, "Left"), (Setting::Global, "Left,Left,Left,Left,Left")] {
        let episode = run_episode(head(setting, 5, 3), &[line]).await;
        assert_eq!((episode.ending(), episode.steps_done()), (Some(Ending::StepLimit), 3), "{setting}");
    }
}

#[tokio::test]
async fn three_unreadable_replies_skip_a_step() {
    let episode = run_episode(head(Setting::Online, 2, 3), &["Fly", "Right"]).await;
    let first = &episode.steps()[0];
    assert_eq!((first.attempts.len(), first.parse_errors(), first.skipped), (3, 3, true));
    assert_eq!(first.action, None);
    assert_eq!(episode.ending(), Some(Ending::Won));
    assert_eq!(episode.steps_done(), 2);
    let episode = run_episode(head(Setting::Global, 2, 3), &["Fly"]).await;
    assert_eq!(episode.ending(), Some(Ending::Unreadable));
}

#[tokio::test]
async fn an_agent_that_gives_up_ends_the_episode() {
    let episode = run_episode(head(Setting::Online, 4, 50), &["stand"]).await;
    assert_eq!(episode.ending(), Some(Ending::Stood));
    assert_eq!(episode.steps_done(), 0);
    assert!((CorridorSpec.score(episode.returns(), episode.reference()).unwrap() - 94.0).abs() < 1e-9);
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_cancels_a_request_and_ends_the_episode() {
    let limited = Head { max_time: Some(mageyard_domain::Seconds::whole(7)), ..head(Setting::Online, 5, 50) };
    let mut driver = driver(limited, script(&["Left", "…"]), Box::new(NullSink::default()));
    while driver.episode().steps().get(1).is_none_or(|step| step.attempts.is_empty()) {
        driver.advance().await.unwrap();
    }
    assert_eq!(driver.episode().ending(), Some(Ending::TimeLimit), "at once, not at the next need");
    assert_eq!(driver.elapsed(), Duration::from_secs(7));
    assert!(driver.episode().steps()[1].attempts[0].cancelled);
}

#[tokio::test]
async fn a_stopped_request_is_recorded() {
    let mut driver = driver(head(Setting::Online, 5, 50), script(&["…"]), Box::new(NullSink::default()));
    driver.advance().await.unwrap();
    let stop = CancellationToken::new();
    let stopping = async {
        tokio::task::yield_now().await;
        stop.cancel();
    };
    let (advanced, ()) = tokio::join!(driver.advance_until(&stop), stopping);
    assert_eq!(advanced.unwrap(), Advance::Stopped);
    assert_eq!(driver.episode().steps()[0].attempts.len(), 1);
    assert!(driver.episode().steps()[0].attempts[0].cancelled);
    assert_eq!(*driver.episode().need(), Need::Decide { step: 1, attempt: 1 });
}

#[tokio::test]
async fn a_stopped_driver_does_not_begin_an_action() {
    let mut driver = driver(head(Setting::Online, 5, 50), script(&["Left"]), Box::new(NullSink::default()));
    while !matches!(driver.episode().need(), Need::Act(_)) {
        driver.advance().await.unwrap();
    }
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(driver.advance_until(&stop).await.unwrap(), Advance::Stopped);
    assert_eq!(driver.episode().steps_done(), 0);
}

#[tokio::test]
async fn an_event_out_of_turn_is_refused_and_changes_nothing() {
    let mut episode = Episode::new(head(Setting::Online, 3, 50).into());
    assert!(episode.apply(Event::Asked).unwrap_err().to_string().contains("asked"));
    assert_eq!(*episode.need(), Need::Open);
    let mut done = run_episode(head(Setting::Online, 2, 50), &["Right"]).await;
    assert!(done.apply(Event::Abandoned).is_err());
    assert_eq!(done.ending(), Some(Ending::Won));
}

#[tokio::test]
async fn a_full_disk_pauses_and_loses_nothing() {
    for (log, full_at) in NullSink::both().iter().flat_map(|log| (0..30).map(move |at| (log, at))) {
        log.written.store(0, Ordering::Relaxed);
        let agent = script(&["Left", "Right", "Right", "Right"]);
        let mut driver = driver(head(Setting::Online, 3, 50), agent.clone(), Box::new(log.clone()));
        while driver.episode().ending().is_none() {
            log.full.store(log.written.load(Ordering::Relaxed) == full_at, Ordering::Relaxed);
            if let Err(error) = driver.advance().await {
                assert!(error.to_string().contains("nothing is lost"), "{error}");
                log.full.store(false, Ordering::Relaxed);
                driver.advance().await.unwrap();
            }
            assert_eq!(log.held.load(Ordering::Relaxed), 0, "nothing is held back between advances");
        }
        assert_eq!(driver.episode().returns().sum, 6.0);
        assert_eq!(driver.episode().steps_done(), 4);
        // An agent that could not be asked is asked again.
        let asked_again = usize::from(matches!(full_at, 1 | 5 | 9 | 13));
        assert_eq!(log.written.load(Ordering::Relaxed), 17 + asked_again, "full at {full_at}");
    }
}

/// Plays an episode into a journal; returns its bytes and the episode.
async fn write_journal(folder: &Path, head: &Head, lines: &[&'static str]) -> (Vec<u8>, Episode) {
    let journal = Journal::create(folder, head).unwrap();
    let mut driver = driver(head.clone(), script(lines), Box::new(journal));
    driver.run_to_end().await.unwrap();
    (std::fs::read(folder.join("journal.jsonl")).unwrap(), driver.episode().clone())
}

/// Resumes an episode from its journal and plays it to the end.
/// Opens a journal. A process that another test has just started has a copy of the lock until it executes its program.
fn open_when_free(path: &Path) -> Result<(Journal, JournalContents), JournalError> {
    let until = std::time::Instant::now() + Duration::from_secs(5);
    loop {
        match Journal::open(path) {
            Err(JournalError::Busy { .. }) if std::time::Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(1));
            }
            opened => return opened,
        }
    }
}

async fn resume(path: &Path, lines: &[&'static str]) -> Result<Episode, String> {
    let (journal, recorded) = open_when_free(path).map_err(|error| error.to_string())?;
    let mut environment = environment(&recorded.head);
    let episode = restore(&recorded, environment.as_mut()).await.map_err(|error| error.to_string())?;
    let form = CorridorSpec.reply_format(recorded.head.setting).unwrap();
    let agent = Box::new(script(lines));
    let cast = Participants {
        environment,
        agent,
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: RoleSeats::default(),
    };
    let mut driver = Driver::new(episode, cast, Box::new(journal), Duration::ZERO);
    driver.run_to_end().await.map_err(|error| error.to_string())?;
    Ok(driver.episode().clone())
}

#[tokio::test]
async fn a_journal_cut_at_any_byte_resumes_to_the_same_end() {
    for (setting, lines) in [
        (Setting::Online, &["Left", "Fly", "Right", "Right", "Right"][..]),
        (Setting::Global, &["Right, Left, Right"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let head = head(setting, 3, 6);
        let (whole, expected) = write_journal(folder.path(), &head, lines).await;
        let path = folder.path().join("journal.jsonl");
        let head_length = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let outcome = resume(&path, lines).await;
            if cut < head_length {
                assert!(outcome.unwrap_err().contains("not even the head is known"), "cut at {cut}");
                continue;
            }
            let episode = outcome.unwrap();
            assert_eq!(transcript(&episode), transcript(&expected), "{setting} cut at {cut}");
            assert_eq!(episode.ending(), expected.ending());
            assert!(read_journal(&path).unwrap().torn.is_none(), "the torn line is gone");
        }
    }
}

#[tokio::test]
async fn the_last_event_is_read_from_the_end_of_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, _) = write_journal(folder.path(), &head(Setting::Online, 3, 6), &["Right"]).await;
    let path = folder.path().join("journal.jsonl");
    let tail = read_journal_tail(&path).unwrap().unwrap();
    assert!(tail.is_final && !tail.torn && tail.event == "acted", "won: {tail:?}");
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let torn = read_journal_tail(&path).unwrap().unwrap();
    assert_eq!(
        (torn.event.as_str(), torn.is_final, torn.torn, torn.n + 1),
        ("accepted", false, true, tail.n)
    );
    std::fs::write(&path, "").unwrap();
    assert_eq!(read_journal_tail(&path).unwrap(), None);
}

#[tokio::test]
async fn any_changed_byte_is_reported_and_repair_keeps_the_intact_part() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, _) = write_journal(folder.path(), &head(Setting::Online, 3, 6), &["Right"]).await;
    let path = folder.path().join("journal.jsonl");
    for at in 0..whole.len() - 1 {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let line = 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count();
        let checked = match check_journal(&path) {
            // The version of the format, which is read first.
            Err(JournalError::Newer { found: 4, .. }) if whole[..at].ends_with(b"\"format\":") => continue,
            checked => checked.unwrap(),
        };
        let damage = checked.damage.unwrap_or_else(|| panic!("byte {at} was not noticed"));
        assert_eq!(damage.line, line, "byte {at}");
        assert_eq!(checked.recorded.map_or(0, |good| good.lines.len() + 1), line - 1);
    }
    let mut bytes = whole.clone();
    let last = whole.len() - 30;
    bytes[last] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    assert!(read_journal(&path).unwrap_err().to_string().contains("the seal does not match"));
    let good = check_journal(&path).unwrap().recorded.unwrap();
    let repaired = repair_journal(&path, &good).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "the damaged file is unchanged");
    assert_eq!(read_journal(&repaired).unwrap().lines.len(), good.lines.len());
    assert!(repair_journal(&path, &good).is_err(), "a repaired file is never overwritten");
}

#[tokio::test]
async fn a_newer_journal_is_refused_by_its_version() {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), &head(Setting::Online, 3, 6), &["Right"]).await;
    let path = folder.path().join("journal.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let body = text.lines().next().unwrap().replace("\"format\":2", "\"format\":4");
    let body = format!("{}}}", &body[..body.len() - 27]);
    std::fs::write(&path, super::journal::sealed_text(&body)).unwrap();
    let error = read_journal(&path).unwrap_err();
    assert!(matches!(error, JournalError::Newer { found: 4, .. }), "{error}");
}

#[tokio::test]
async fn a_changed_environment_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), &head(Setting::Online, 3, 6), &["Right"]).await;
    let recorded = read_journal(&folder.path().join("journal.jsonl")).unwrap();
    let mut other = from_world(Corridor { at: 0, length: 3 });
    let error = restore(&recorded, other.as_mut()).await.unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.why.contains("the environment has changed"), "{error}");
}

#[test]
fn an_episode_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::create(folder.path(), &head(Setting::Online, 3, 6)).unwrap();
    let error = Journal::open(&folder.path().join("journal.jsonl")).unwrap_err();
    assert!(matches!(error, JournalError::Busy { .. }), "{error}");
    drop(journal);
    Journal::open(&folder.path().join("journal.jsonl")).unwrap();
}

/// Two futures that meet again must not hide that they were different on the way.
#[tokio::test]
async fn a_rewind_compares_every_observation_and_not_only_the_last() {
    let episode = run_episode(head(Setting::Online, 5, 2), &["Left", "Left"]).await;
    let context = EnvironmentContext::default();
    let mut other = from_world(Corridor { at: 2, length: 5 });
    other.open(&context).await.unwrap();
    let wrong = other.checkpoint(&context).await.unwrap();
    let error = rewind(other.as_mut(), &context, episode.steps(), 3, Some((1, &wrong))).await.unwrap_err();
    assert!(matches!(error, RewindError::Changed { step: 2, .. }), "{error}");
    let mut same = from_world(Corridor { at: 1, length: 5 });
    let seen = rewind(same.as_mut(), &context, episode.steps(), 3, None).await.unwrap();
    assert_eq!(seen.observation.digest(), episode.steps()[2].state);
    assert_eq!([None, Some(2), Some(3)].map(|saved| repeated_actions(episode.steps(), 3, saved)), [2, 1, 0]);
}
