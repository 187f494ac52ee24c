//! `reparse`: reads all stored replies again with other reader rules. No model is called and no journal is
//! changed.

use std::path::Path;

use serde_json::json;

use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::output::count_noun;
use super::runtime::single_thread_runtime;
use crate::dialog::ParseError as Unread;
use crate::dialog::ReaderRules;
use crate::dialog::parse_reply;
use crate::domain::Action;
use crate::domain::ReplyFormat;
use crate::engine::Attempt;
use crate::engine::Ending;
use crate::engine::Episode;
use crate::engine::Head;
use crate::engine::Step;
use crate::engine::Store;
use crate::engine::read_journal;
use crate::lab;
use crate::lab::EpisodeId;
use crate::lab::Lab;
use crate::lab::merged;

/// Read stored replies again with other rules; no model is called
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions to read: a name or its beginning, `last`, a folder or a journal
    #[arg(value_name = "SESSIONS", required = true)]
    sessions: Vec<String>,
    /// Reader to use: a name from `mageyard readers`, or a file [default: the play.reader setting]
    #[arg(long, value_name = "NAME|FILE")]
    reader: Option<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let rules = match &args.reader {
        Some(given) => lab::reader_by_name_or_path(context.folders(), given)?,
        None => lab::configured_reader(context.folders(), &config)?,
    };
    let store = Store::new(config.store_folder());
    let mut again = Reparser { lab: &context.lab, rules, out: Output::open(), json: args.json };
    single_thread_runtime()?.block_on(async {
        let mut total = ReparseCounts::default();
        for given in &args.sessions {
            let journals = store.find(given)?;
            let mut tally = ReparseCounts::default();
            for journal in &journals {
                tally.add(&again.episode(journal).await?);
            }
            let session = journals
                .first()
                .map(|journal| EpisodeId::of_journal(journal).session_name())
                .unwrap_or_default();
            again.print_counts("session", &session, &tally)?;
            total.add(&tally);
        }
        again.print_counts("total", "total", &total)?;
        Ok(Exit::Done)
    })
}

fn file_name(session: &Path) -> String {
    session.file_name().unwrap_or(session.as_os_str()).to_string_lossy().into_owned()
}

/// The counts with the recorded rules (index 0) and with the new rules (index 1).
#[derive(Clone, Copy, Debug, Default)]
struct ReparseCounts {
    episodes: usize,
    replies: usize,
    errors: [usize; 2],
    invalid: [usize; 2],
    changed: usize,
}

impl ReparseCounts {
    fn add(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.replies += other.replies;
        self.changed += other.changed;
        for side in 0..2 {
            self.errors[side] += other.errors[side];
            self.invalid[side] += other.invalid[side];
        }
    }

    /// Percentage of episodes with an invalid action (IA); `None` if there are no episodes.
    fn invalid_percent(&self, side: usize) -> Option<f64> {
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        (self.episodes > 0).then(|| 100.0 * count(self.invalid[side]) / count(self.episodes))
    }
}

type ReadResult = Result<Vec<Action>, Unread>;

/// A step with its stored replies, before any edit, and both readings of each.
struct RereadStep<'a> {
    step: &'a Step,
    before: Vec<Option<&'a ReadResult>>,
    now: Vec<ReadResult>,
    /// The fallback rule that gave the new result of each reply, if one did.
    fallbacks: Vec<Option<String>>,
}

impl<'a> RereadStep<'a> {
    fn of(rules: &ReaderRules, form: &ReplyFormat, step: &'a Step) -> Self {
        let replies: Vec<&Attempt> = step.attempts.iter().filter(|attempt| !attempt.cancelled).collect();
        let parse = |attempt: &&Attempt| {
            let outcome = parse_reply(rules, form, &attempt.original().reply, &step.space);
            (outcome.result, outcome.spans.fallback.map(|found| found.rule))
        };
        let (now, fallbacks) = replies.iter().map(parse).unzip();
        Self {
            step,
            before: replies.iter().map(|attempt| attempt.original().verdict.as_ref()).collect(),
            now,
            fallbacks,
        }
    }

    /// The attempt that decided the step, from index 0, and its actions, in both readings.
    fn decided(&self) -> [Option<(usize, &[Action])>; 2] {
        let ok =
            |(at, verdict): (usize, Option<&'a ReadResult>)| Some((at, verdict?.as_ref().ok()?.as_slice()));
        let before = self.before.iter().copied().enumerate().find_map(ok);
        let now = self.now.iter().enumerate();
        [before, now.into_iter().find_map(|(at, verdict)| Some((at, verdict.as_ref().ok()?.as_slice())))]
    }

    /// Whether the step is complete, so that a missing action is an error.
    fn ended(&self, episode: &Episode) -> bool {
        let unreadable = episode.ending() == Some(Ending::Unreadable);
        !self.before.is_empty() && (self.step.action.is_some() || self.step.skipped || unreadable)
    }
}

/// Reads replies again and prints the changes.
struct Reparser<'a> {
    lab: &'a Lab,
    rules: ReaderRules,
    out: Output,
    json: bool,
}

impl Reparser<'_> {
    async fn episode(&mut self, journal: &Path) -> Result<ReparseCounts, Failure> {
        let recorded = read_journal(journal)?;
        let (spec, episode, _) = self.lab.restore(journal, &recorded).await?;
        let form = self.rules.reply_format(&lab::reply_format(spec, &recorded.head)?);
        let mut tally = ReparseCounts { episodes: 1, ..ReparseCounts::default() };
        for step in episode.steps() {
            let again = RereadStep::of(&self.rules, &form, step);
            tally.replies += again.now.len();
            tally.errors[0] += again.before.iter().filter(|verdict| matches!(verdict, Some(Err(_)))).count();
            tally.errors[1] += again.now.iter().filter(|verdict| verdict.is_err()).count();
            let sides = again.decided();
            if again.ended(&episode) {
                for (invalid, decided) in tally.invalid.iter_mut().zip(&sides) {
                    *invalid |= usize::from(decided.is_none());
                }
            }
            if sides[0].map(|side| side.1) != sides[1].map(|side| side.1) {
                tally.changed += 1;
                self.print_change(journal, &recorded.head, &again)?;
            }
        }
        Ok(tally)
    }

    /// Prints a step whose action has changed.
    fn print_change(&mut self, journal: &Path, head: &Head, again: &RereadStep<'_>) -> Result<(), Failure> {
        let [before, now] = again.decided();
        let at = now.or(before).map_or(0, |decided| decided.0);
        let failed =
            |verdict: Option<&ReadResult>| verdict?.as_ref().err().map(|failure| failure.rule.clone());
        let rule = failed(again.now.get(at)).or_else(|| failed(again.before.get(at).copied().flatten()));
        let fallback = again.fallbacks.get(at).cloned().flatten();
        let id = EpisodeId::of_journal(journal);
        let session = id.session_name();
        let episode = journal.parent().map(file_name).unwrap_or_default();
        let (step, attempt) = (again.step.number, at + 1);
        let [before, now] = [before, now].map(|side| side.map(|side| actions_text(side.1)));
        if self.json {
            return Ok(self.out.object_line(
                "change",
                &merged(
                    id.step_fields(head, again.step),
                    json!({
                        "step": step, "attempt": attempt, "before": before, "after": now, "rule": rule, "fallback": fallback,
                        "new_reader": self.rules.to_string(),
                    }),
                ),
            )?);
        }
        let spoken = |side: Option<String>| side.unwrap_or_else(|| "(none)".to_owned());
        let rule = rule.map_or_else(String::new, |rule| format!("  rule {rule}"));
        let fallback = fallback.map_or_else(String::new, |rule| format!("  by fallback rule {rule:?}"));
        Ok(self.out.line(format!(
            "{session}/{episode}  step {step}  attempt {attempt}  {} -> {}{rule}{fallback}",
            spoken(before),
            spoken(now),
        ))?)
    }

    fn print_counts(&mut self, sort: &str, what: &str, tally: &ReparseCounts) -> Result<(), Failure> {
        let ia = [0, 1].map(|side| tally.invalid_percent(side));
        if self.json {
            return Ok(self.out.object_line(
                &format!("reparse_{sort}"),
                &json!({
                    "session": (sort == "session").then_some(what), "reader": self.rules.to_string(),
                    "episodes": tally.episodes, "replies": tally.replies, "changed_steps": tally.changed,
                    "parse_errors_before": tally.errors[0], "parse_errors_after": tally.errors[1],
                    "ia_before": ia[0], "ia_after": ia[1],
                }),
            )?);
        }
        let percent =
            |share: Option<f64>| share.map_or("unknown".to_owned(), |share| format!("{share:.1} %"));
        Ok(self.out.line(format!(
            "{what}  {}  {}  parse errors {} -> {}  IA {} -> {}  changed steps {}  reader {}",
            count_noun(tally.episodes, "episode", "episodes"),
            count_noun(tally.replies, "reply", "replies"),
            tally.errors[0],
            tally.errors[1],
            percent(ia[0]),
            percent(ia[1]),
            tally.changed,
            self.rules,
        ))?)
    }
}

fn actions_text(actions: &[Action]) -> String {
    actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", ")
}
