//! The summary of an episode: a small file beside the journal, so that lists and reports need not replay the episode.
//!
//! It is sealed like one more line of the journal: it names the seal of the journal's last line and ends with a seal over
//! itself and that one. It is trusted only while the journal ends with that seal, its own seal matches, and only by the
//! version of the program that wrote it. Otherwise the episode must be summarized again from its journal.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::atomic_file::AtomicFile;
use super::attempt::{Attempt, PromptVersion};
use super::episode::Episode;
use super::error_analysis::{DeadState, ErrorAnalysis, Mark, analyze};
use super::event::Ending;
use super::journal::{JournalError, JournalTail, read_journal_tail, seal_line, verify_seal};
use super::served_model::ServedChange;
use super::side::TotalsByRole;
use mageyard_domain::{
    Digest, EnvironmentSpec, Judgement, Loss, ModelTotals, PublishedScore, Reference, RepetitionThresholds,
    Returns, RewardTerms, TokenTotals, Usage, repeated_tokens,
};

/// The file name in an episode's folder.
const SUMMARY_FILE: &str = "summary.json";
/// The version of the file's format.
const FORMAT: u32 = 4;
/// The largest file that is read, in bytes.
const LIMIT: u64 = 1 << 20;
/// The version of this program.
const PROGRAM: &str = concat!("mageyard ", env!("CARGO_PKG_VERSION"));

/// The results of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeSummary {
    /// Why it is over; `None` if it is unfinished.
    pub ending: Option<Ending>,
    /// Whether a person intervened.
    pub mixed: bool,
    /// How many steps are finished.
    pub steps: u32,
    /// The sums of rewards.
    pub returns: Returns,
    /// The optimum, if known.
    pub reference: Option<Reference>,
    /// The score, if known.
    pub score: Option<f64>,
    /// How the environment judged the episode, if it did or could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// The published result for the level and the score against it, if there is one.
    pub published: Option<PublishedScore>,
    /// The environment's further figures of the last state, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metrics: Map<String, Value>,
    /// The shares of the score that were lost, by the name of the loss, as the last state says.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub losses: BTreeMap<String, f64>,
    /// What the terms of the reward earned, by their names, if the environment names them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reward_terms: BTreeMap<String, f64>,
    /// The score of the start and then after each step, if the environment has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores_by_step: Vec<f64>,
    /// The thresholds that repetitions were judged with: those of the episode.
    pub thresholds: RepetitionThresholds,
    /// Replies that could not be read, over all attempts.
    pub parse_errors: usize,
    /// List members that are not actions, and code blocks with an unknown label, that were ignored in replies.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: usize,
    /// How many replies ended in each way, by the name of the ending, complete ones left out. A reply at which the episode
    /// was stopped counts too.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reply_endings: BTreeMap<String, usize>,
    /// How many steps have each mark, by the mark's name. Marks that need a distance search are missing.
    pub marks: BTreeMap<String, usize>,
    /// How many replies broke each rule of the reader, by the name of the rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parse_rules: BTreeMap<String, usize>,
    /// The first step with each error: marks by their name, rules of the reader as `rule heading`, endings of replies as
    /// `reply cut`. Older summaries have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub first_steps: BTreeMap<String, u32>,
    /// The names of models as servers returned them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub served_models: BTreeSet<String>,
    /// The fingerprints of models that servers returned.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub fingerprints: BTreeSet<String>,
    /// The replies that came from another model than those before them, by name or fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub served_changes: Vec<ServedChange>,
    /// The addresses of the servers that requests were sent to, in order, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<String>,
    /// Since when the goal is out of reach, if that is proven without a search.
    pub dead_state: Option<DeadState>,
    /// The requests and their tokens.
    pub spent: TokenTotals,
    /// The estimated tokens of those requests whose tokens are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_estimate: Option<Usage>,
    /// The tokens by model; empty if all were spent on that of the head.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelTotals>,
    /// The side requests by role, whose tokens are part of those above.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: TotalsByRole,
    /// The input tokens that requests probably have in common with the beginning of the request before, of those with
    /// known usage; `None` if the summary is of an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<u64>,
    /// The prompt version of the first request, if one was sent.
    pub prompt_version: Option<PromptVersion>,
    /// The episode's own time in milliseconds.
    pub milliseconds: u64,
}

impl EpisodeSummary {
    /// The summary of an episode that has taken this much of its own time.
    pub fn of(episode: &Episode, spec: &dyn EnvironmentSpec, elapsed: Duration) -> Self {
        let thresholds = episode.head().conduct.thresholds;
        let mut attempts = episode.steps().iter().flat_map(|step| &step.attempts);
        let mut summary = Self {
            ending: episode.ending(),
            mixed: episode.is_mixed(),
            steps: episode.steps_done(),
            returns: episode.returns(),
            reference: episode.reference().cloned(),
            score: episode.score(spec),
            judgement: episode.judgement().cloned(),
            published: episode.published(spec),
            metrics: metrics(episode, spec),
            losses: losses(episode, spec),
            reward_terms: reward_terms(episode, spec),
            scores_by_step: scores_by_step(episode, spec),
            thresholds,
            parse_errors: 0,
            dropped: 0,
            reply_endings: reply_endings(episode),
            marks: BTreeMap::new(),
            parse_rules: parse_rules(episode),
            first_steps: first_steps_of_replies(episode),
            served_models: attempts_of(episode)
                .filter_map(|attempt| Some(attempt.model.as_deref()?.to_owned()))
                .collect(),
            fingerprints: episode.fingerprints().clone(),
            served_changes: episode.served_changes().to_vec(),
            servers: episode.servers().iter().map(ToString::to_string).collect(),
            dead_state: None,
            spent: episode.spent(),
            unknown_estimate: episode.spent_with_estimate().estimated,
            models: episode.models(),
            roles: episode.roles().clone(),
            repeated: Some(repeated_input(episode)),
            prompt_version: attempts.find_map(|attempt| attempt.prompt_version.as_deref().cloned()),
            milliseconds: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        };
        summary.judge(thresholds, &analyze(episode, spec, thresholds));
        summary
    }

    /// Counts the errors of this analysis, made with these thresholds, in place of the earlier ones.
    pub fn judge(&mut self, thresholds: RepetitionThresholds, errors: &ErrorAnalysis) {
        let counts = Mark::ALL.into_iter().map(|mark| (mark.name().to_owned(), errors.count(mark)));
        self.thresholds = thresholds;
        self.parse_errors = errors.parse_errors;
        self.dropped = errors.dropped;
        self.marks = counts.filter(|(_, count)| *count > 0).collect();
        for mark in Mark::ALL {
            self.first_steps.remove(mark.name());
            let first = (1..).zip(errors.marks()).find(|(_, marks)| marks.has(mark));
            self.first_steps.extend(first.map(|(number, _)| (mark.name().to_owned(), number)));
        }
        self.dead_state.clone_from(&errors.dead_state);
    }

    /// Whether the task was done: as the verdict says, if the environment judges, else because the goal was reached.
    pub fn is_solved(&self) -> bool {
        is_solved(self.ending, self.judgement.as_ref())
    }

    /// The tokens of its requests, with the estimate for those that are unknown.
    pub fn spent_with_estimate(&self) -> TokenTotals {
        TokenTotals { estimated: self.unknown_estimate, ..self.spent }
    }

    /// The tokens of the requests for decisions.
    pub fn spent_on_decisions(&self) -> TokenTotals {
        self.roles.values().fold(self.spent, |left, role| left.since(role.spent))
    }

    /// Whether this one, which was read from a file, says the same as the one that is computed from the journal. The time is
    /// not compared, because it is measured.
    pub fn agrees_with(&self, computed: &Self) -> bool {
        let same_time = Self { milliseconds: self.milliseconds, ..computed.clone() };
        // What is read from a file has passed through its format.
        let read = serde_json::to_vec(&same_time).and_then(|bytes| serde_json::from_slice::<Self>(&bytes));
        read.is_ok_and(|read| read == *self)
    }

    /// How many steps have this mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.marks.get(mark.name()).copied().unwrap_or_default()
    }
}

/// Whether a task was done: as the verdict says, if there is a judgement, else because the goal was reached.
pub(super) fn is_solved(ending: Option<Ending>, judgement: Option<&Judgement>) -> bool {
    match judgement {
        Some(judgement) => judgement.verdict().is_some_and(|verdict| verdict.success),
        None => ending == Some(Ending::Won),
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The sum of [`repeated_tokens`] over all requests.
fn repeated_input(episode: &Episode) -> u64 {
    let attempts = episode.steps().iter().flat_map(|step| &step.attempts);
    let sent: Vec<_> = attempts.filter_map(|attempt| Some((attempt.sent.as_ref()?, attempt.usage))).collect();
    let pairs = sent.windows(2).map(|pair| match (pair[0], pair[1]) {
        ((before, _), (request, Some(usage))) => repeated_tokens(before, request, usage.input),
        _ => 0,
    });
    pairs.sum()
}

fn attempts_of(episode: &Episode) -> impl Iterator<Item = &Attempt> {
    episode.steps().iter().flat_map(|step| &step.attempts)
}

fn counted<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<String, usize> {
    names.fold(BTreeMap::new(), |mut counts, name| {
        *counts.entry(name.to_owned()).or_default() += 1;
        counts
    })
}

fn reply_endings(episode: &Episode) -> BTreeMap<String, usize> {
    counted(attempts_of(episode).filter_map(|attempt| attempt.original().ending.name()))
}

/// The rule of the reader that the reply broke.
fn broken_rule(attempt: &Attempt) -> Option<&str> {
    attempt.verdict.as_ref()?.as_ref().err().map(|error| error.rule.as_str())
}

fn parse_rules(episode: &Episode) -> BTreeMap<String, usize> {
    counted(attempts_of(episode).filter_map(broken_rule))
}

/// The first step with each broken rule and each incomplete ending of a reply.
fn first_steps_of_replies(episode: &Episode) -> BTreeMap<String, u32> {
    let mut first = BTreeMap::new();
    for (step, attempt) in
        episode.steps().iter().flat_map(|step| step.attempts.iter().map(move |it| (step, it)))
    {
        let rule = broken_rule(attempt).map(|rule| format!("rule {rule}"));
        let ending = attempt.original().ending.name().map(|name| format!("reply {name}"));
        for name in rule.into_iter().chain(ending) {
            first.entry(name).or_insert(step.number);
        }
    }
    first
}

/// The figures of the verdict and the facts of the last state that the environment names as metrics.
fn metrics(episode: &Episode, spec: &dyn EnvironmentSpec) -> Map<String, Value> {
    let Some(last) = episode.steps().last() else { return Map::new() };
    let facts = last.observation.facts();
    let verdict = episode.judgement().and_then(Judgement::verdict);
    let judged = |name: &str| verdict?.figures.get(name).map(|figure| Value::from(*figure));
    let value = |name: &str| judged(name).or_else(|| facts.get(name).cloned());
    let metric = |name: &&'static str| Some(((*name).to_owned(), value(name)?));
    spec.capabilities()
        .scoring
        .metrics()
        .iter()
        .filter_map(metric)
        .filter(|(_, value)| value.is_number())
        .collect()
}

/// What the terms of the reward earned up to the last state.
fn reward_terms(episode: &Episode, spec: &dyn EnvironmentSpec) -> BTreeMap<String, f64> {
    let last = episode.steps().last();
    let terms = last.and_then(|last| RewardTerms::up_to(spec.capabilities().scoring, &last.observation));
    terms.iter().flat_map(RewardTerms::iter).map(|(name, earned)| (name.to_owned(), earned)).collect()
}

/// The losses that the last state names; everything is lost to the first kind if it names none.
fn losses(episode: &Episode, spec: &dyn EnvironmentSpec) -> BTreeMap<String, f64> {
    let kinds = spec.capabilities().scoring.losses();
    let (Some(last), Some(first)) = (episode.steps().last(), kinds.first()) else { return BTreeMap::new() };
    let Some(named) = last.observation.facts().get("losses").filter(|named| named.is_object()) else {
        return [(first.name.to_owned(), 1.0)].into();
    };
    let share = |kind: &Loss| Some((kind.name.to_owned(), named.get(kind.name)?.as_f64()?));
    kinds.iter().filter_map(share).collect()
}

/// The score of the start, then after each finished step.
fn scores_by_step(episode: &Episode, spec: &dyn EnvironmentSpec) -> Vec<f64> {
    if !spec.capabilities().scoring.has_score_by_step() {
        return Vec::new();
    }
    let done = episode.steps().iter().filter(|step| step.is_done()).map(|step| step.returns);
    let all = std::iter::once(episode.start()).chain(done);
    all.filter_map(|returns| spec.score(returns, episode.reference())).collect()
}

/// The file without its seal: the summary, and what it is a summary of.
#[derive(Serialize, Deserialize)]
struct StoredSummary {
    #[serde(flatten)]
    version: SummaryVersion,
    /// The number of lines of the journal, the head included.
    lines: u64,
    /// The seal of the last one.
    last: Digest,
    summary: EpisodeSummary,
}

/// Who wrote a summary.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct SummaryVersion {
    format: u32,
    program: String,
}

impl SummaryVersion {
    fn present() -> Self {
        Self { format: FORMAT, program: PROGRAM.to_owned() }
    }
}

/// The summary beside a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredState {
    /// There is none.
    Missing,
    /// Another version of the program wrote it, so it is not used.
    OtherVersion,
    /// It was changed, or is of another journal: why.
    Changed(String),
    /// It is as it was written for this journal.
    Intact(Box<EpisodeSummary>),
}

/// The summary beside this journal; `None` if there is none that can be trusted.
pub fn read_summary(journal: &Path) -> Option<EpisodeSummary> {
    match check_summary(journal) {
        StoredState::Intact(summary) => Some(*summary),
        StoredState::Missing | StoredState::OtherVersion | StoredState::Changed(_) => None,
    }
}

/// The summary beside this journal, and whether it can be trusted. Whether it says what the journal does is not computed.
pub fn check_summary(journal: &Path) -> StoredState {
    let bytes = match read_file(&summary_path(journal)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return StoredState::Missing,
        Err(error) => return StoredState::Changed(format!("it cannot be read: {error}")),
    };
    match serde_json::from_slice::<SummaryVersion>(&bytes) {
        Ok(version) if version == SummaryVersion::present() => {}
        Ok(_) => return StoredState::OtherVersion,
        Err(error) => return StoredState::Changed(format!("it is not a summary: {error}")),
    }
    match sealed_summary(journal, &bytes) {
        Ok(summary) => StoredState::Intact(summary.into()),
        Err(why) => StoredState::Changed(why),
    }
}

/// The summary in these bytes, or why it is not the one that was written for this journal.
fn sealed_summary(journal: &Path, bytes: &[u8]) -> Result<EpisodeSummary, String> {
    let stored: StoredSummary =
        serde_json::from_slice(bytes).map_err(|error| format!("it is not a summary: {error}"))?;
    let line = bytes.strip_suffix(b"\n").ok_or("its end is missing")?;
    verify_seal(line, stored.last).map_err(|_| "its seal does not match: it was changed".to_owned())?;
    let tail = read_journal_tail(journal).ok().flatten();
    let is_end = |tail: &JournalTail| tail.seal == stored.last && tail.n + 1 == stored.lines && !tail.torn;
    if !tail.as_ref().is_some_and(is_end) {
        return Err("it is not the summary of the journal as it ends now".to_owned());
    }
    Ok(stored.summary)
}

/// Writes the summary of the episode in this journal, as it is on disk now.
pub fn write_summary(journal: &Path, summary: &EpisodeSummary) -> Result<(), JournalError> {
    match read_journal_tail(journal)? {
        Some(tail) => write_sealed_summary(journal, summary, (tail.n + 1, tail.seal)),
        None => Ok(()),
    }
}

/// Writes the summary of a journal with this many lines, of which the last one has this seal.
pub(super) fn write_sealed_summary(
    journal: &Path,
    summary: &EpisodeSummary,
    (lines, seal): (u64, Digest),
) -> Result<(), JournalError> {
    let path = summary_path(journal);
    let version = SummaryVersion::present();
    let stored = StoredSummary { version, lines, last: seal, summary: summary.clone() };
    let written = serde_json::to_vec(&stored).map_err(io::Error::from).and_then(|mut bytes| {
        seal_line(&mut bytes, 0, seal);
        AtomicFile::stage(&path, &bytes)?.replace()
    });
    written.map(drop).map_err(|source| JournalError::Disk { path, source })
}

fn summary_path(journal: &Path) -> std::path::PathBuf {
    journal.with_file_name(SUMMARY_FILE)
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe or device could block for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LIMIT).read_to_end(&mut bytes)?;
    Ok(bytes)
}
