//! `rejudge`: computes the verdicts on episodes again from what is stored. No environment is opened, and no journal is
//! changed. A model is called only for questions that were never asked, and only on request.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::episode_output::verdict_text;
use super::exit::{Exit, Failure};
use super::output::{Output, count_noun};
use super::records::Record;
use super::reparse::episode_name;
use super::runtime::single_thread_runtime;
use mageyard_domain::{Judgement, Verdict, sanitize};
use mageyard_engine::Store;
use mageyard_lab::{EpisodeFields, OpenQuestions, RecordedEpisode, Rejudged, read_recordings, select_levels};

/// Judge stored episodes again; nothing is opened, nothing called without --ask
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions to judge: a name or its beginning, `last`, a folder, a journal or a sweep
    #[arg(value_name = "SESSIONS", default_value = "last")]
    sessions: Vec<String>,
    /// Judge by these levels in place of the recorded ones with the same titles
    #[arg(long, value_name = "LEVELS")]
    levels: Option<String>,
    /// Send the questions that were never asked to the model of the role (roles.judge)
    #[arg(long)]
    ask: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let store = Store::new(config.store_folder());
    let mut printer =
        Printer { out: Output::open(), json: args.json, counts: TotalRecord::default(), open: Vec::new() };
    let levels = match &args.levels {
        Some(levels) => select_levels(&context.lab, config.folders(), levels)?,
        None => Vec::new(),
    };
    single_thread_runtime()?.block_on(async {
        for recording in read_recordings(&context.lab, &store, &args.sessions) {
            let recording = recording?;
            let rejudged = recording.rejudge(&config, OpenQuestions::Count, &levels).await?;
            if args.ask && rejudged.questions > 0 {
                printer.open.push((recording, rejudged));
            } else {
                printer.print(recording.path(), rejudged)?;
            }
        }
        printer.list_questions()?;
        for (recording, _) in std::mem::take(&mut printer.open) {
            let rejudged = recording.rejudge(&config, OpenQuestions::Ask, &levels).await?;
            printer.print(recording.path(), rejudged)?;
        }
        printer.print_total()?;
        Ok(Exit::Done)
    })
}

/// An episode that was judged again (`rejudge`).
#[derive(Serialize, JsonSchema)]
pub(super) struct RejudgedRecord {
    #[serde(flatten)]
    identity: EpisodeFields,
    /// Whether score, success, feedback, figures or details differ from the recorded verdict.
    changed: bool,
    /// Recorded score; null without a verdict.
    score_before: Option<f64>,
    /// Score now; null without a verdict.
    score: Option<f64>,
    /// Recorded success; null without a verdict.
    success_before: Option<bool>,
    /// Success now; null without a verdict.
    success: Option<bool>,
    /// Sentences of the verdict now.
    feedback: Vec<String>,
    /// Why there is no verdict now; null if there is one.
    not_judged: Option<String>,
    /// Questions to models that were never asked, which the verdict needs (`--ask` sends them).
    questions: usize,
    /// Estimated tokens of these questions.
    question_tokens: u64,
}

impl Record for RejudgedRecord {
    const TYPE: &'static str = "rejudged";
}

/// Counts of all episodes (`rejudge`).
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct TotalRecord {
    /// Number of episodes.
    episodes: usize,
    /// Those with a verdict now.
    judged: usize,
    /// Those whose verdict differs from the recorded one.
    changed: usize,
    /// Those without a verdict now.
    not_judged: usize,
}

impl Record for TotalRecord {
    const TYPE: &'static str = "rejudge_total";
}

/// Prints the verdicts that changed, and the counts.
struct Printer {
    out: Output,
    json: bool,
    counts: TotalRecord,
    /// The episodes whose questions will be sent, each as far as it can be judged without.
    open: Vec<(RecordedEpisode, Rejudged)>,
}

impl Printer {
    /// Says what will be sent, before anything is.
    fn list_questions(&mut self) -> Result<(), Failure> {
        let questions: usize = self.open.iter().map(|(_, rejudged)| rejudged.questions).sum();
        let tokens: u64 = self.open.iter().map(|(_, rejudged)| rejudged.tokens).sum();
        if questions == 0 || self.json {
            return Ok(());
        }
        let count = count_noun(questions, "question", "questions");
        let episodes = count_noun(self.open.len(), "episode", "episodes");
        Ok(self.out.line(format!("sending {count} of {episodes}, ~{tokens} tokens (estimate)"))?)
    }

    fn print(&mut self, journal: &Path, rejudged: Rejudged) -> Result<(), Failure> {
        let changed = rejudged.is_changed();
        self.counts.episodes += 1;
        self.counts.changed += usize::from(changed);
        self.counts.judged += usize::from(rejudged.now.is_ok());
        self.counts.not_judged += usize::from(rejudged.now.is_err());
        if self.json {
            return Ok(self.out.record(&record(changed, rejudged))?);
        }
        let words = match &rejudged.now {
            Ok(_) if !changed => return Ok(()),
            Ok(verdict) => {
                let before = rejudged.before.as_ref();
                let text = verdict_text(&Judgement::Verdict(verdict.clone()));
                format!(
                    "{} -> {}  {text}",
                    score_text(before.and_then(Judgement::verdict)),
                    score_text(Some(verdict))
                )
            }
            Err(why) if rejudged.questions > 0 => {
                format!("not judged: {why}, ~{} tokens (estimate); add --ask", rejudged.tokens)
            }
            Err(why) => format!("not judged: {why}"),
        };
        Ok(self.out.line(sanitize(&format!("{}  {words}", episode_name(journal))))?)
    }

    fn print_total(&mut self) -> Result<(), Failure> {
        let TotalRecord { episodes, judged, changed, not_judged } = self.counts;
        if self.json {
            return Ok(self.out.record(&self.counts)?);
        }
        let episodes = count_noun(episodes, "episode", "episodes");
        Ok(self
            .out
            .line(format!("{episodes}  judged again {judged}  changed {changed}  not judged {not_judged}"))?)
    }
}

fn record(changed: bool, Rejudged { identity, before, now, questions, tokens }: Rejudged) -> RejudgedRecord {
    let recorded = before.as_ref().and_then(Judgement::verdict);
    let (now, not_judged) = match now {
        Ok(verdict) => (Some(verdict), None),
        Err(why) => (None, Some(why)),
    };
    RejudgedRecord {
        identity,
        changed,
        score_before: recorded.and_then(|verdict| verdict.score),
        score: now.as_ref().and_then(|verdict| verdict.score),
        success_before: recorded.map(|verdict| verdict.success),
        success: now.as_ref().map(|verdict| verdict.success),
        feedback: now.map_or_else(Vec::new, |verdict| verdict.feedback),
        not_judged,
        questions,
        question_tokens: tokens,
    }
}

fn score_text(verdict: Option<&Verdict>) -> String {
    match verdict {
        None => "not judged".to_owned(),
        Some(verdict) => verdict.score.map_or("no score".to_owned(), |score| format!("score {score:.1}")),
    }
}
