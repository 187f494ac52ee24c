//! Replies that were collected elsewhere: records with `level`, `step` and `text` in any form that levels have.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Lab;
use super::levels::{excerpt_of, fault_problem, split_file};
use mageyard_config::{Config, Problem};
use mageyard_domain::{AttemptLimit, FieldError, RawRecord, RecordFault, read_object};
use mageyard_engine::{GivenReplies, Head};

/// The most lines that an error names.
const MOST_NAMED: usize = 5;

/// The reply of each step of a level.
type Texts = Arc<[Arc<str>]>;

/// A file of replies.
pub struct ReplyFile {
    path: PathBuf,
    lines: Vec<GivenLine>,
}

/// A reply of the file.
struct GivenLine {
    line: usize,
    excerpt: Box<str>,
    level: LevelKey,
    step: usize,
    text: Arc<str>,
}

/// How a line names its level.
enum LevelKey {
    Number(usize),
    Name(String),
}

impl std::fmt::Display for LevelKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// The configured file of replies; `None` if the configured agent takes none.
pub fn given_replies(lab: &Lab, config: &Config) -> Result<Option<ReplyFile>, Problem> {
    let play = &config.settings().play;
    let Some(row) = lab.agent(&play.agent).filter(|row| row.takes_replies) else { return Ok(None) };
    if play.from.is_empty() {
        let what = format!("the agent {} needs a file of replies, and none is given", row.name);
        let problem = config.problem_with("play.agent", what);
        return Err(problem.with_help(
            "add --from FILE: a line {\"level\": NUMBER, \"step\": 1, \"text\": REPLY} for each reply",
        ));
    }
    ReplyFile::read(Path::new(&play.from)).map(Some)
}

impl ReplyFile {
    fn read(path: &Path) -> Result<Self, Problem> {
        let mut lines = Vec::new();
        let mut refusal = None;
        split_file(path, &mut |raw| {
            match GivenLine::read(raw) {
                Ok(line) => lines.push(line),
                Err(fault) => refusal = Some(fault_problem(path, fault.line, &excerpt(raw), &fault.error)),
            }
            refusal.is_none()
        })?;
        match refusal {
            Some(problem) => Err(problem),
            None if lines.is_empty() => Err(Problem::new("has no replies").at(path, "", 0..0)),
            None => Ok(Self { path: path.to_owned(), lines }),
        }
    }

    /// Gives each head the replies of its level.
    pub fn assign(&self, heads: &mut [Head]) -> Result<(), Problem> {
        let found = self.of_levels(heads)?;
        let mut missing = Vec::new();
        for head in heads {
            match found.get(&head.reference) {
                Some(texts) => {
                    let file = self.path.display().to_string();
                    head.agent.given = Some(GivenReplies { file, texts: texts.clone() });
                    // There is no second reply to a state.
                    head.conduct.attempts = AttemptLimit::ONE;
                }
                None => missing.push(head.reference.clone()),
            }
        }
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        let what = format!("has no reply for {}", named(&missing));
        Err(Problem::new(what).at(&self.path, "", 0..0).with_help("play only levels with replies"))
    }

    /// Refuses lines of levels that none of these heads has.
    pub fn refuse_unused(&self, heads: &[Head]) -> Result<(), Problem> {
        let levels = Levels::of(heads);
        let unused: Vec<_> = self.lines.iter().filter(|line| levels.find(&line.level).is_empty()).collect();
        let Some(first) = unused.first() else { return Ok(()) };
        let problem = self.problem(first, "level", format!("no level of this run is {}", first.level));
        let numbers: Vec<String> = unused.iter().skip(1).map(|line| line.line.to_string()).collect();
        let more = match numbers.as_slice() {
            [] => String::new(),
            lines => format!("; also in the lines {}", named(lines)),
        };
        Err(problem.with_help(format!("a level is its number, its title or its whole reference{more}")))
    }

    /// The replies of each level, by its reference.
    fn of_levels(&self, heads: &[Head]) -> Result<BTreeMap<String, Texts>, Problem> {
        let levels = Levels::of(heads);
        let mut found: BTreeMap<&str, BTreeMap<usize, &GivenLine>> = BTreeMap::new();
        for line in &self.lines {
            let reference = match levels.find(&line.level).as_slice() {
                [] => continue,
                [one] => *one,
                several => {
                    let what = format!("{} names {} levels", line.level, several.len());
                    return Err(self.problem(line, "level", what).with_help("write the number of one"));
                }
            };
            match found.entry(reference).or_default().entry(line.step) {
                Entry::Vacant(vacant) => drop(vacant.insert(line)),
                Entry::Occupied(first) => {
                    let first = first.get().line;
                    let what = format!("step {} of {reference} has a reply in line {first} too", line.step);
                    return Err(self.problem(line, "step", what));
                }
            }
        }
        let complete = found.into_iter().map(|(reference, steps)| {
            let gap = (1..).zip(&steps).find(|(expected, (step, _))| expected != *step);
            if let Some((expected, (_, line))) = gap {
                let what = format!("{reference} has no reply for step {expected}");
                return Err(self.problem(line, "step", what));
            }
            Ok((reference.to_owned(), steps.into_values().map(|line| line.text.clone()).collect()))
        });
        complete.collect()
    }

    fn problem(&self, line: &GivenLine, field: &str, reason: String) -> Problem {
        fault_problem(&self.path, line.line, &line.excerpt, &FieldError::new(field, reason))
    }
}

/// The first of these names, and how many more there are.
fn named(names: &[String]) -> String {
    let shown = names.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Levels by what a line can call them.
struct Levels<'a> {
    numbers: BTreeMap<usize, Vec<&'a Head>>,
    titles: BTreeMap<&'a str, Vec<&'a Head>>,
    references: BTreeMap<&'a str, &'a Head>,
}

impl<'a> Levels<'a> {
    fn of(heads: &'a [Head]) -> Self {
        let mut levels =
            Self { numbers: BTreeMap::new(), titles: BTreeMap::new(), references: BTreeMap::new() };
        for head in heads {
            if levels.references.insert(&head.reference, head).is_none() {
                levels.numbers.entry(head.number).or_default().push(head);
                if let Some(title) = &head.title {
                    levels.titles.entry(title).or_default().push(head);
                }
            }
        }
        levels
    }

    /// The references of the levels that are named: by reference, else by number, else by title.
    fn find(&self, key: &LevelKey) -> Vec<&'a str> {
        let numbered = |number: &usize| self.numbers.get(number);
        let found = match key {
            LevelKey::Number(number) => numbered(number).cloned(),
            LevelKey::Name(name) => {
                let exact = self.references.get(name.as_str()).map(|head| vec![*head]);
                let numbered = || numbered(&name.parse().ok()?).cloned();
                exact.or_else(numbered).or_else(|| self.titles.get(name.as_str()).cloned())
            }
        };
        found.unwrap_or_default().into_iter().map(|head| head.reference.as_str()).collect()
    }
}

fn excerpt(raw: &RawRecord<'_>) -> String {
    excerpt_of(&String::from_utf8_lossy(raw.bytes.unwrap_or_default()), 0, "")
}

impl GivenLine {
    fn read(raw: &RawRecord<'_>) -> Result<Self, RecordFault> {
        let object = read_object(raw)?;
        let wrong = |error: FieldError| RecordFault { line: raw.line, error };
        let (level, step, text) = Self::fields(&object.fields).map_err(wrong)?;
        Ok(Self { line: raw.line, excerpt: excerpt(raw).into(), level, step, text: text.into() })
    }

    fn fields(fields: &Map<String, Value>) -> Result<(LevelKey, usize, &str), FieldError> {
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let level = match fields.get("level") {
            Some(Value::String(name)) => LevelKey::Name(name.clone()),
            Some(value) => LevelKey::Number(
                number(value)
                    .ok_or_else(|| FieldError::new("level", "must be a number, a title or a reference"))?,
            ),
            None => return Err(FieldError::new("level", "is missing")),
        };
        let step = fields.get("step").map_or(Some(1), number).filter(|step| *step > 0);
        let step = step.ok_or_else(|| FieldError::new("step", "must be a number from 1"))?;
        let text = fields.get("text").ok_or_else(|| FieldError::new("text", "is missing"))?;
        let text = text.as_str().ok_or_else(|| FieldError::new("text", "must be a text"))?;
        Ok((level, step, text))
    }
}
