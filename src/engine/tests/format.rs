//! The second format of journals: shared pieces once, stored observations, and reading as a stream.

use serde_json::json;

use super::*;

fn version(prompt: &str) -> Arc<PromptVersion> {
    Arc::new(PromptVersion { prompt: prompt.into(), segments: std::collections::BTreeMap::new() })
}

fn request(turns: &[&str]) -> Arc<SentRequest> {
    let turn = |text: &&str| {
        let json = json!({"role": "user", "content": text}).to_string();
        Arc::new(SentTurn::new(json, [Some(Segment::Task)]))
    };
    let envelope = Arc::new(json!({"model": "m", "messages": [], "temperature": 0.1}));
    Arc::new(SentRequest { envelope, turns: turns.iter().map(turn).collect(), frames: Vec::new(), images: 0 })
}

/// A journal with these requests, the second prompt at the last one.
fn journal_with(folder: &Path, requests: &[Arc<SentRequest>]) -> std::path::PathBuf {
    let mut journal = Journal::create(folder, &head(Setting::Online, 3, 6)).unwrap();
    for (index, request) in requests.iter().enumerate() {
        let prompt = version(if index + 1 == requests.len() { "two" } else { "one" });
        journal.append(5, &Event::Sent(request.clone(), prompt)).unwrap();
    }
    journal.path().to_owned()
}

/// The requests of a journal with their prompts.
fn requests_of(path: &Path) -> Vec<(Arc<SentRequest>, String)> {
    let sent = |line: JournalLine| match line.stored {
        StoredEvent::Sent { asking, request } => (request, asking.prompt.clone()),
        other => panic!("{other:?}"),
    };
    read_journal(path).unwrap().lines.into_iter().map(sent).collect()
}

#[test]
fn a_turn_is_stored_once_and_shared_by_all_requests() {
    let folder = tempfile::tempdir().unwrap();
    let turns = ["first words\nand \u{2028} more", "second \"words\"", "third words"];
    let requests = [request(&turns[..1]), request(&turns[..2]), request(&turns)];
    let path = journal_with(folder.path(), &requests);
    let text = std::fs::read_to_string(&path).unwrap();
    for part in ["first words", "second ", "third words", "temperature", r#""prompt":"one""#] {
        assert_eq!(text.matches(part).count(), 1, "{part}");
    }
    let read = requests_of(&path);
    for (index, (request, prompt)) in read.iter().enumerate() {
        assert_eq!(**request, *requests[index]);
        assert_eq!(prompt, if index == 2 { "two" } else { "one" });
    }
    assert!(Arc::ptr_eq(&read[0].0.turns[0], &read[2].0.turns[0]), "equal turns share memory");
    assert!(Arc::ptr_eq(&read[0].0.envelope, &read[2].0.envelope));
}

#[test]
fn a_resumed_journal_stores_no_turn_again_and_a_failed_write_forgets_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal_with(folder.path(), &[request(&["first words"])]);
    let (mut journal, _) = Journal::open(&path).unwrap();
    journal.append(6, &Event::Sent(request(&["first words", "second words"]), version("two"))).unwrap();
    drop(journal);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!((text.matches("first words").count(), text.matches("temperature").count()), (1, 1));
    assert_eq!(requests_of(&path)[1].0, request(&["first words", "second words"]));
}

#[test]
fn a_reader_follows_a_journal_from_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), &head(Setting::Online, 3, 6)).unwrap();
    let mut reader = JournalReader::open(journal.path()).unwrap();
    assert_eq!(reader.next_line().unwrap(), None);
    let mut before = reader.offset();
    for at in 1..=50 {
        journal.append(at, &Event::Replied("x".repeat(1000).into())).unwrap();
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!((line.n, line.at, reader.elapsed().as_millis()), (at, at, u128::from(at)));
        assert_eq!(reader.next_line().unwrap(), None);
        assert!((1000..1200).contains(&(reader.offset() - before)), "only what is new is read");
        before = reader.offset();
    }
    // A line that is still being written is waited for.
    journal.append(51, &Event::Abandoned).unwrap();
    let bytes = std::fs::read(journal.path()).unwrap();
    for cut in usize::try_from(before).unwrap()..bytes.len() {
        std::fs::write(journal.path(), &bytes[..cut]).unwrap();
        assert_eq!(reader.next_line().unwrap(), None, "cut at {cut}");
        let left = cut - usize::try_from(before).unwrap();
        assert_eq!(reader.torn().map_or(0, |torn| torn.bytes), left);
    }
    std::fs::write(journal.path(), &bytes).unwrap();
    assert!(matches!(reader.next_line().unwrap().unwrap().stored, StoredEvent::Abandoned));
    std::fs::write(journal.path(), &bytes[..100]).unwrap();
    let error = reader.next_line().unwrap_err().to_string();
    assert!(error.contains("the file has become shorter"), "{error}");
}

/// An observation of every kind of part.
fn observation(store: &Arc<dyn BlobStore>, words: &str) -> Observation {
    let data = BlobHandle::store(store, "text/html", format!("<p>{words}</p>").as_bytes()).unwrap();
    let painted = Picture::new(2, 1, 1, vec![1, 2, 3, 4, 5, 6]).unwrap();
    let parts = vec![
        ObservationPart::Text(words.into()),
        ObservationPart::Image(painted.into()),
        ObservationPart::Data(data),
        ObservationPart::Text(words.repeat(2000).into()),
    ];
    Observation::from_parts(parts, words.repeat(2000), json!({"words": words, "n": 0.1}))
}

#[tokio::test]
async fn stored_observations_are_restored_without_their_environment() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("0001");
    std::fs::create_dir(&folder).unwrap();
    let memory: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
    let space = ActionSpace::new(&[("Left", "walk left")]);
    let opening = |words: &str| Opening {
        observation: observation(&memory, words),
        space: space.clone(),
        status: Status::Running,
        points: 0.0,
    };
    let left = Action::plain("Left");
    let outcome = Outcome {
        observation: observation(&memory, "beta"),
        space: space.clone(),
        reward: -0.5,
        status: Status::Running,
        note: Some("a note".into()),
        problem: Some(ActProblem::Failed("no room".into())),
        questions: Vec::new(),
    };
    let mut journal =
        Journal::create(&folder, &head(Setting::Online, 3, 6)).unwrap().storing_observations(true);
    for event in [
        Event::Opened(opening("alpha"), None),
        Event::Asked,
        Event::Replied("x".to_owned().into()),
        Event::Accepted(left.clone(), mageyard_dialog::Spans::default()),
        Event::Acting(left.clone()),
        Event::Acted(left, outcome.clone()),
    ] {
        journal.append(1, &event).unwrap();
    }
    drop(memory);
    let text = std::fs::read_to_string(journal.path()).unwrap();
    assert_eq!(text.matches("walk left").count(), 1, "the action space is stored once");
    // The corridor of length 9 has never been in these states: nothing is asked of it.
    let mut other = from_world(Corridor { at: 0, length: 9 });
    let recorded = read_journal(journal.path()).unwrap();
    let episode = restore(&recorded, other.as_mut()).await.unwrap();
    let steps: Vec<_> = episode.steps().iter().cloned().collect();
    assert_eq!(steps.len(), 2);
    let seen = &steps[1].observation;
    assert_eq!(
        (seen.digest(), seen.facts()),
        (outcome.observation.digest(), &json!({"words": "beta", "n": 0.1}))
    );
    assert_eq!(**seen.text(), *"beta".repeat(2000));
    let [
        ObservationPart::Text(short),
        ObservationPart::Image(image),
        ObservationPart::Data(data),
        ObservationPart::Text(long),
    ] = seen.parts()
    else {
        panic!("{:?}", seen.parts())
    };
    assert_eq!((&**short, long.len()), ("beta", 8000));
    assert_eq!((&image.pixels().unwrap()[..], image.width()), (&[1, 2, 3, 4, 5, 6][..], 2));
    assert_eq!((&*data.load_text().unwrap(), &*data.blob().media_type), ("<p>beta</p>", "text/html"));
    assert_eq!(steps[0].effect.as_ref().unwrap().note.as_deref(), Some("failed: no room; a note"));
    assert_eq!(steps[0].problem(), Some(&ActProblem::Failed("no room".into())));
    assert_eq!(steps[1].space, space);
    assert_eq!(
        std::fs::read_dir(root.path().join("blobs")).unwrap().count(),
        5,
        "two texts, two pages, a picture"
    );
    std::fs::remove_dir_all(root.path().join("blobs")).unwrap();
    let episode = restore(&read_journal(journal.path()).unwrap(), other.as_mut()).await.unwrap();
    let lost = episode.steps().last().unwrap().observation.clone();
    assert!(lost.text().starts_with("(the text is missing: the blob"), "{}", lost.text());
}

#[test]
fn a_line_that_refers_to_an_unknown_piece_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal_with(folder.path(), &[request(&["first words"])]);
    let text = std::fs::read_to_string(&path).unwrap();
    let line = text.lines().nth(1).unwrap();
    let body = &line[..line.len() - 27];
    for (piece, says) in
        [("new_turns", "the turn"), ("new_envelope", "the envelope"), ("new_asking", "the prompt version")]
    {
        let error = JournalLine::parse(&format!("{}}}", body.replace(piece, "old"))).unwrap_err();
        assert!(error.contains(says) && error.contains("is in no line before it"), "{error}");
    }
    assert!(JournalLine::parse(&format!("{body}}}")).is_ok());
}
