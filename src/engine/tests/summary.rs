//! The summary beside a journal, and when it is trusted.

use super::*;

static SPEC: CorridorSpec = CorridorSpec;

/// Plays an episode with a summary; returns its journal.
async fn play(folder: &Path, lines: &[&'static str]) -> (std::path::PathBuf, Episode) {
    let head = head(Setting::Online, 3, 6);
    let journal = Journal::create(folder, &head).unwrap().with_summary(&SPEC);
    let path = journal.path().to_owned();
    let mut driver = driver(head, script(lines), Box::new(journal));
    driver.run_to_end().await.unwrap();
    (path, driver.episode().clone())
}

#[tokio::test]
async fn a_finished_episode_has_a_summary() {
    let folder = tempfile::tempdir().unwrap();
    let (path, episode) = play(folder.path(), &["Left", "Fly", "Right", "Right", "Right"]).await;
    let summary = read_summary(&path).unwrap();
    assert_eq!((summary.ending, summary.steps, summary.parse_errors), (Some(Ending::Won), 5, 3));
    assert_eq!((summary.returns.sum, summary.score), (6.0, Some(99.0)));
    assert_eq!((summary.count(Mark::ParseError), summary.count(Mark::Unchanged)), (1, 0));
    assert_eq!((summary.reference.as_ref().map(|best| best.steps), summary.mixed), (Some(3), false));
    assert_eq!(summary, EpisodeSummary::of(&episode, &SPEC, Duration::from_millis(summary.milliseconds)));
}

#[tokio::test]
async fn a_summary_is_trusted_only_with_the_journal_that_it_was_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let (path, episode) = play(folder.path(), &["Right"]).await;
    let whole = std::fs::read(&path).unwrap();
    let summary = read_summary(&path).unwrap();
    for cut in 0..whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(read_summary(&path), None, "cut at {cut}");
    }
    std::fs::write(&path, [&whole[..], b"{\"torn\""].concat()).unwrap();
    assert_eq!(read_summary(&path), None, "somebody has begun another line");
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(read_summary(&path), Some(summary.clone()));
    let file = folder.path().join("summary.json");
    let text = std::fs::read_to_string(&file).unwrap();
    for other in [
        text.replace("mageyard 0", "mageyard 99"),
        text.replace("\"format\":4", "\"format\":3"),
        text.replace("\"score\":", "\"score\":1"),
        text.replace("\"steps\":", "\"steps\":1"),
        text.replace("\"lines\":", "\"lines\":1"),
        text[..text.len() / 2].to_owned(),
        String::new(),
    ] {
        assert_ne!(other, text);
        std::fs::write(&file, other).unwrap();
        assert_eq!(read_summary(&path), None);
    }
    std::fs::remove_file(&file).unwrap();
    assert_eq!(read_summary(&path), None);
    write_summary(&path, &summary).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "it can be made again from the journal");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(read_summary(&path), None);
    assert!(write_summary(&path, &summary).is_err());
    assert_eq!(episode.ending(), Some(Ending::Won));
}

#[tokio::test]
async fn the_end_of_a_journal_is_found_behind_a_long_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), &head(Setting::Online, 3, 6)).unwrap();
    journal.append(5, &Event::Asked).unwrap();
    journal.append(7, &Event::Replied("x".repeat(100_000).into())).unwrap();
    let tail = read_journal_tail(journal.path()).unwrap().unwrap();
    assert_eq!((tail.n, tail.at, tail.torn), (2, 7, false));
    journal.append(9, &Event::Abandoned).unwrap();
    let tail = read_journal_tail(journal.path()).unwrap().unwrap();
    assert_eq!((tail.n, tail.at), (3, 9));
    assert!(tail.is_final && tail.event == "abandoned");
}
