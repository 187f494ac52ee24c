//! Questions about pictures of user interfaces (AgentStudio): where an element is (`ground`), which action leads from one
//! picture to the next (`idm`), and whether a task was done (`critic`). An episode has one step.
//!
//! Pure: pictures are files of the level, or screens that are drawn from a description. This file has the rows of the three
//! environments, `capabilities` what they offer beyond; `record` has what the files of the datasets say, `question` what
//! is asked and what is right, `observation` what is shown.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod capabilities;
mod check;
mod drawn;
mod environment;
mod figures;
mod inspector;
mod levels;
mod measures;
mod observation;
mod options;
mod oracle;
mod question;
mod record;
mod results;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use serde_json::{Map, Value};

use self::environment::Look;
use self::levels::Records;
use self::options::{CriticOptions, GroundOptions, IdmOptions};
use self::question::Question;
use self::record::{Ground as GroundRecord, Trajectory, Transition, stem};
use mageyard_domain::{
    Capabilities, Environment, EnvironmentSpec, FieldError, Level, LevelError, LevelSet, OptionError,
    Options, RecordFacts, Reference, ReplyFormat, Returns, SetMeasure, Setting, parse_records, record_errors,
};

/// The extensions of files of records.
const EXTENSIONS: &[&str] = &["jsonl", "json", "json5"];

/// The environment `ground`.
#[derive(Clone, Copy, Debug)]
pub struct Ground;

/// The environment `idm`.
#[derive(Clone, Copy, Debug)]
pub struct Idm;

/// The environment `critic`.
#[derive(Clone, Copy, Debug)]
pub struct Critic;

/// What differs between the three environments.
trait Kind: Send + Sync + 'static {
    /// The question of a record.
    fn question(record: &Map<String, Value>, options: &Options) -> Result<Question, OptionError>;
    /// Whether a record is of this kind, by the names of its fields.
    fn matches(record: &Map<String, Value>) -> bool;
    /// The title and the pictures of a record, if it is valid.
    fn facts(record: &Map<String, Value>) -> Result<RecordFacts, FieldError>;
    /// The numbers that verdicts have beside the score.
    const METRICS: &'static [&'static str];
    /// The measures of a set.
    const MEASURES: &'static [SetMeasure];
    /// The properties of a level, by which reports can tell rows apart.
    fn properties(record: &Map<String, Value>) -> Vec<(&'static str, String)>;
    /// The fields of a record that are not known.
    fn unknown_fields(record: &Map<String, Value>) -> Vec<String>;
}

impl Kind for Ground {
    const METRICS: &'static [&'static str] = &["place", "kind"];
    const MEASURES: &'static [SetMeasure] = measures::GROUND;

    fn question(record: &Map<String, Value>, options: &Options) -> Result<Question, OptionError> {
        let options = GroundOptions::read(options)?;
        Ok(Question::ground(&GroundRecord::read(record).map_err(wrong_level)?, options))
    }

    fn matches(record: &Map<String, Value>) -> bool {
        GroundRecord::matches(record)
    }

    fn facts(record: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        let record = GroundRecord::read(record)?;
        Ok(RecordFacts { title: Some(stem(&record.image).to_owned()), files: record.files() })
    }

    fn properties(record: &Map<String, Value>) -> Vec<(&'static str, String)> {
        GroundRecord::read(record).map(|record| measures::ground_properties(&record)).unwrap_or_default()
    }

    fn unknown_fields(record: &Map<String, Value>) -> Vec<String> {
        GroundRecord::unknown_fields(record)
    }
}

impl Kind for Idm {
    const METRICS: &'static [&'static str] = &["actions", "edit_distance"];
    const MEASURES: &'static [SetMeasure] = measures::IDM;

    fn question(record: &Map<String, Value>, options: &Options) -> Result<Question, OptionError> {
        let options = IdmOptions::read(options)?;
        Ok(Question::idm(&Transition::read(record).map_err(wrong_level)?, options))
    }

    fn matches(record: &Map<String, Value>) -> bool {
        Transition::matches(record)
    }

    fn facts(record: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        let record = Transition::read(record)?;
        Ok(RecordFacts { title: record.id.clone(), files: record.files() })
    }

    fn properties(record: &Map<String, Value>) -> Vec<(&'static str, String)> {
        Transition::read(record).map(|record| measures::idm_properties(&record)).unwrap_or_default()
    }

    fn unknown_fields(record: &Map<String, Value>) -> Vec<String> {
        Transition::unknown_fields(record)
    }
}

impl Kind for Critic {
    const METRICS: &'static [&'static str] = &["is_true", "said_true"];
    const MEASURES: &'static [SetMeasure] = measures::CRITIC;

    fn question(record: &Map<String, Value>, options: &Options) -> Result<Question, OptionError> {
        let options = CriticOptions::read(options)?;
        Ok(Question::critic(&Trajectory::read(record).map_err(wrong_level)?, options))
    }

    fn matches(record: &Map<String, Value>) -> bool {
        Trajectory::matches(record)
    }

    fn facts(record: &Map<String, Value>) -> Result<RecordFacts, FieldError> {
        let record = Trajectory::read(record)?;
        Ok(RecordFacts { title: record.id.clone(), files: record.files() })
    }

    fn properties(record: &Map<String, Value>) -> Vec<(&'static str, String)> {
        Trajectory::read(record).map(|record| measures::critic_properties(&record)).unwrap_or_default()
    }

    fn unknown_fields(record: &Map<String, Value>) -> Vec<String> {
        Trajectory::unknown_fields(record)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn wrong_level(error: FieldError) -> OptionError {
    OptionError { name: "level".to_owned(), why: error.to_string() }
}

/// The question of a level.
fn question_of<K: Kind>(level: &Level, options: &Options) -> Result<Question, OptionError> {
    K::question(&levels::object(level.text()).map_err(wrong_level)?, options)
}

/// The methods that are alike in the three environments.
macro_rules! common_methods {
    ($kind:ty, $capabilities:ident, $prompts:expr) => {
        fn file_extensions(&self) -> &'static [&'static str] {
            EXTENSIONS
        }

        fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
            parse_records(text, &Records::<$kind>(PhantomData))
        }

        fn level_errors(&self, text: &str) -> Vec<LevelError> {
            record_errors(text, &Records::<$kind>(PhantomData))
        }

        fn open(
            &self,
            level: &Level,
            options: &Options,
            _: u64,
        ) -> Result<Box<dyn Environment>, OptionError> {
            Ok(Box::new(Look::new(question_of::<$kind>(level, options)?, level)))
        }

        fn reply_format(&self, _: Setting) -> Option<ReplyFormat> {
            Some(ReplyFormat::answer())
        }

        fn prompts(&self) -> &'static [(&'static str, &'static str)] {
            $prompts
        }

        /// 100 for a right answer.
        fn score(&self, returns: Returns, _: Option<&Reference>) -> Option<f64> {
            Some(returns.sum)
        }

        fn capabilities(&self) -> &'static Capabilities {
            &capabilities::$capabilities
        }
    };
}

impl EnvironmentSpec for Ground {
    fn name(&self) -> &'static str {
        "ground"
    }

    fn summary(&self) -> &'static str {
        "find the element of a screenshot that an instruction is about (GroundUI)"
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[LevelSet {
            name: "drawn",
            summary: "20 screens of our own drawing: 8 web, 6 desktop, 6 mobile",
            paper: "records in the form of GroundUI; the paper has 1,000 real screenshots",
            text: include_str!("../../../levels/ground/drawn.jsonl"),
        }]
    }

    common_methods!(
        Ground,
        GROUND,
        &[("0s", include_str!("prompts/ground-0s.md")), ("code", include_str!("prompts/ground-code.md")),]
    );
}

impl EnvironmentSpec for Idm {
    fn name(&self) -> &'static str {
        "idm"
    }

    fn summary(&self) -> &'static str {
        "name the actions between screenshots (IDMBench)"
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[
            LevelSet {
                name: "single",
                summary: "20 actions on screens of our own drawing: 8 web, 6 desktop, 6 mobile",
                paper: "records in the form of IDM-Single; the paper has 350 of real screenshots",
                text: include_str!("../../../levels/idm/single.jsonl"),
            },
            LevelSet {
                name: "multiple",
                summary: "20 sequences of 2 or 3 actions on screens of our own drawing",
                paper: "records in the form of IDM-Multiple; the paper has 345 of real screenshots",
                text: include_str!("../../../levels/idm/multiple.jsonl"),
            },
        ]
    }

    common_methods!(Idm, IDM, &[("0s", include_str!("prompts/idm-0s.md"))]);
}

impl EnvironmentSpec for Critic {
    fn name(&self) -> &'static str {
        "critic"
    }

    fn summary(&self) -> &'static str {
        "judge from screenshots whether an agent has done its task (CriticBench)"
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[LevelSet {
            name: "drawn",
            summary: "20 tasks on screens of our own drawing, 10 of them done: 9 web, 5 desktop, 6 mobile",
            paper: "records in the form of CriticBench; the paper has 350 of real screenshots",
            text: include_str!("../../../levels/critic/drawn.jsonl"),
        }]
    }

    common_methods!(Critic, CRITIC, &[("0s", include_str!("prompts/critic-0s.md"))]);
}
