//! A level made of files: the head has their digests, the blob store their bytes. The environment here has nothing but
//! what every environment must have.

use std::sync::Arc;

use async_trait::async_trait;

use mageyard_dialog::ReaderRules;
use mageyard_domain::*;
use mageyard_engine::{Event, Head, Journal, RecordedAgent, SessionBlobs, read_journal, restore};

/// Pages that are only looked at; each level is a folder of files.
struct Shelf;

impl EnvironmentSpec for Shelf {
    fn name(&self) -> &'static str {
        "shelf"
    }

    fn summary(&self) -> &'static str {
        "pages"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        &["shelf"]
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[]
    }

    fn parse_levels(&self, _: &str) -> Result<Vec<Level>, LevelError> {
        Ok(Vec::new())
    }

    fn open(&self, level: &Level, _: &Options, seed: u64) -> Result<Box<dyn Environment>, OptionError> {
        let LevelSource::Files { files, .. } = &level.source else {
            return Err(OptionError { name: "level".into(), why: "is not made of files".into() });
        };
        Ok(Box::new(Page { recovery: Recovery::StoredOnly, files: files.clone(), seed }))
    }

    fn reply_format(&self, _: Setting) -> Option<ReplyFormat> {
        None
    }

    fn score(&self, returns: Returns, _: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }
}

struct Page {
    recovery: Recovery,
    files: Arc<[LevelFile]>,
    seed: u64,
}

#[async_trait]
impl Environment for Page {
    fn recovery(&self) -> Recovery {
        self.recovery
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let mut text = format!("seed {}", self.seed);
        for file in &*self.files {
            let bytes = context
                .blobs
                .get(&file.content)
                .map_err(|error| EnvironmentError::Failed(format!("{}: {error}", file.name)))?;
            text.extend(["; ", &*file.name, ": ", &String::from_utf8_lossy(&bytes)]);
        }
        let observation = Observation::from_parts(vec![], text, serde_json::Value::Null);
        Ok(Opening { observation, space: ActionSpace::new(&[]), status: Status::Running, points: 0.0 })
    }

    async fn act(&mut self, action: &Action, _: &EnvironmentContext) -> Result<Outcome, EnvironmentError> {
        Err(EnvironmentError::Failed(format!("{action} does nothing")))
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.open(context).await
    }
}

fn level(context: &EnvironmentContext) -> Level {
    let file = |(name, media_type, text): (&str, &str, &str)| LevelFile {
        name: name.into(),
        content: context.blobs.put(media_type, text.as_bytes()).unwrap(),
    };
    let files = [("index.html", "text/html", "<p>hi</p>"), ("style.css", "text/css", "p {}")].map(file);
    Level {
        number: 1,
        title: Some("greeting".into()),
        source: LevelSource::Files { record: "".into(), files: files.into() },
    }
}

#[tokio::test]
async fn a_recorded_level_of_files_opens_from_its_digests_and_a_blob_store() {
    let folder = tempfile::tempdir().unwrap();
    let context = EnvironmentContext::default();
    let rules = ReaderRules::named("strict").unwrap();
    let agent = RecordedAgent::named("idle");
    let level = level(&context);
    let head = Head { seed: 9, ..Head::new("shelf", "greeting.shelf#1", level.clone(), agent, rules, 0) };
    drop(Journal::create(folder.path(), &head).unwrap());
    let journal = folder.path().join("journal.jsonl");
    assert!(!std::fs::read_to_string(&journal).unwrap().contains("<p>"), "the head has digests only");
    let recorded = read_journal(&journal).unwrap().head;
    assert_eq!((&recorded, recorded.to_level()), (&head, level));
    let mut page = Shelf.open(&recorded.to_level(), &recorded.options, recorded.seed).unwrap();
    let seen = page.open(&context).await.unwrap().observation;
    assert_eq!(&**seen.text(), "seed 9; index.html: <p>hi</p>; style.css: p {}");
    let elsewhere = EnvironmentContext::default();
    let error = page.open(&elsewhere).await.unwrap_err().to_string();
    assert!(error.contains("index.html: the blob"), "{error}");
}

#[tokio::test]
async fn an_episode_that_is_replayed_has_the_files_of_its_session() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let blobs: Arc<dyn BlobStore> = Arc::new(SessionBlobs::of_journal(&journal));
    let context = EnvironmentContext { blobs, ..EnvironmentContext::default() };
    let level = level(&context);
    let rules = ReaderRules::named("strict").unwrap();
    let agent = RecordedAgent::named("idle");
    let head = Head::new("shelf", "greeting.shelf#1", level.clone(), agent, rules, 0);
    let LevelSource::Files { files, .. } = level.source else { unreachable!() };
    let mut page = Page { recovery: Recovery::Replay, files, seed: 0 };
    let mut log = Journal::create(folder.path(), &head).unwrap();
    log.append(0, &Event::Opened(page.open(&context).await.unwrap(), None)).unwrap();
    drop(log);
    let stored = || std::fs::read_dir(folder.path().join("blobs")).unwrap().count();
    let before = stored();
    let episode = restore(&read_journal(&journal).unwrap(), &mut page).await.unwrap();
    assert_eq!(episode.steps().last().map(|step| step.number), Some(1));
    assert_eq!(stored(), before, "nothing is written");
}

#[test]
fn an_environment_offers_no_more_than_it_implements() {
    let Capabilities { scoring, files, tools, policies, .. } = Shelf.capabilities();
    assert!(tools.solver.is_none() && tools.generator.is_none() && policies.create_oracle().is_none());
    assert!(tools.statistics.is_none() && tools.benchmarks.is_none() && files.checkout_import.is_none());
    assert!(scoring.training_rewards().is_none() && files.formats.is_empty() && scoring.metrics().is_empty());
    let text = Level::from_text(1, None, "a");
    assert_eq!(
        Shelf.open(&text, &Options::new(), 0).err().unwrap().to_string(),
        "level: is not made of files"
    );
    assert_eq!(Shelf.score(Returns::default().plus(2.5), None), Some(2.5));
}
