//! Which environment reads a file, where several have records.

use std::path::Path;
use std::sync::Arc;

use super::*;
use mageyard_domain::{
    Capabilities, Environment, FieldError, LevelError, LevelFiles, LevelRecords, LevelSet, OptionError,
    Options, RecordFacts, Reference, ReplyFormat, Returns, Setting,
};
use serde_json::Map;

/// Records with `point`, and perhaps with `image`.
struct Points;

/// Records with `image`.
struct Images;

impl LevelRecords for Points {
    fn matches(&self, record: &Map<String, Value>) -> bool {
        record.contains_key("point")
    }

    fn read(&self, _: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        Ok(RecordFacts::default())
    }
}

impl LevelRecords for Images {
    fn matches(&self, record: &Map<String, Value>) -> bool {
        record.contains_key("image")
    }

    fn read(&self, _: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        Ok(RecordFacts { title: Some("image".into()), files: Vec::new() })
    }
}

struct Spec {
    name: &'static str,
    capabilities: Capabilities,
}

const fn spec(name: &'static str, records: &'static dyn LevelRecords) -> Spec {
    let files = LevelFiles { records: Some(records), ..LevelFiles::NONE };
    Spec { name, capabilities: Capabilities { files, ..Capabilities::NONE } }
}

static POINTS: Spec = spec("points", &Points);
static IMAGES: Spec = spec("images", &Images);
static ENVIRONMENTS: [&dyn EnvironmentSpec; 2] = [&POINTS, &IMAGES];

impl EnvironmentSpec for Spec {
    fn name(&self) -> &'static str {
        self.name
    }
    fn summary(&self) -> &'static str {
        ""
    }
    fn file_extensions(&self) -> &'static [&'static str] {
        &["jsonl"]
    }
    fn level_sets(&self) -> &'static [LevelSet] {
        &[]
    }
    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        Ok(vec![Level::from_text(1, None, text)])
    }
    fn open(&self, _: &Level, _: &Options, _: u64) -> Result<Box<dyn Environment>, OptionError> {
        Err(OptionError { name: "level".into(), why: "is only read here".into() })
    }
    fn reply_format(&self, _: Setting) -> Option<ReplyFormat> {
        None
    }
    fn score(&self, _: Returns, _: Option<&Reference>) -> Option<f64> {
        None
    }
    fn capabilities(&self) -> &'static Capabilities {
        if self.name == "points" { &POINTS.capabilities } else { &IMAGES.capabilities }
    }
}

/// The environment that reads this text, or the problem.
fn read(text: &str, prefix: &str) -> Result<&'static str, Problem> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    std::fs::write(&path, text).unwrap();
    let lab = Lab::new(&ENVIRONMENTS, mageyard_agents::AGENTS, Arc::new(|_| None));
    let reference = format!("{prefix}{}", path.display());
    let levels = select_levels(&lab, &Folders::under(Path::new("/nonexistent")), &reference)?;
    assert!(levels[0].reference.starts_with(prefix), "{}", levels[0].reference);
    Ok(levels[0].spec.name())
}

#[test]
fn the_first_record_decides_which_environment_reads_a_file() {
    assert_eq!(read("{\"point\": 1}", ""), Ok("points"));
    assert_eq!(read("[{\"image\": 1}]", ""), Ok("images"));
    let unknown = read("{\"other\": 1, \"b\": 2}", "").unwrap_err();
    assert_eq!(unknown.message, "no environment has records with the fields other, b");
}

#[test]
fn where_two_fit_the_environment_is_written_before_the_path() {
    let both = "{\"point\": 1, \"image\": 2}";
    let problem = read(both, "").unwrap_err();
    assert_eq!(problem.message, "several environments have such records");
    let help = problem.help.unwrap();
    assert!(help.starts_with("write points:/") && help.contains(" or images:/"), "{help}");
    assert_eq!(read(both, "points:"), Ok("points"));
    assert_eq!(read(both, "images:"), Ok("images"));
}
