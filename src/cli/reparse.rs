//! `reparse`: reads all stored replies again by other rules, without a call and without a change.

use std::path::Path;

use serde_json::json;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::open::runtime;
use super::output::Output;
use super::output::many;
use super::readers;
use super::stage;
use super::trouble;
use crate::dialog::Failure as Unread;
use crate::dialog::Rules;
use crate::dialog::read as read_reply;
use crate::domain::Action;
use crate::domain::Form;
use crate::engine::Attempt;
use crate::engine::Ending;
use crate::engine::Episode;
use crate::engine::Step;
use crate::engine::Store;
use crate::engine::read;

/// Read stored replies again by other rules; nothing is called or changed
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions: names, beginnings of names, `last`, folders or journals
    #[arg(value_name = "SESSIONS", required = true)]
    sessions: Vec<String>,
    /// The rules: a name that `readers` lists, or a file; the play.reader setting when left out
    #[arg(long, value_name = "NAME|FILE")]
    reader: Option<String>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let rules = match &args.reader {
        Some(given) => readers::find(house.folders(), given)?,
        None => readers::chosen(house.folders(), &config)?,
    };
    let store = Store::new(config.store());
    let mut again = Again { rules, out: Output::open(), json: args.json };
    runtime()?.block_on(async {
        let mut total = Tally::default();
        for given in &args.sessions {
            let journals = store.find(given).map_err(|error| trouble::unfound(&error))?;
            let mut tally = Tally::default();
            for journal in &journals {
                tally.add(&again.episode(journal).await?);
            }
            let session = journals.first().map(|journal| stage::session_of(journal)).unwrap_or_default();
            again.tell("session", &name(&session), &tally)?;
            total.add(&tally);
        }
        again.tell("total", "total", &total)?;
        Ok(Exit::Done)
    })
}

fn name(session: &Path) -> String {
    session.file_name().unwrap_or(session.as_os_str()).to_string_lossy().into_owned()
}

/// What was counted, as it was recorded and as it is now.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    episodes: usize,
    replies: usize,
    errors: [usize; 2],
    invalid: [usize; 2],
    changed: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.replies += other.replies;
        self.changed += other.changed;
        for side in 0..2 {
            self.errors[side] += other.errors[side];
            self.invalid[side] += other.invalid[side];
        }
    }

    /// IA in percent of episodes; `None` without an episode.
    fn invalid_percent(&self, side: usize) -> Option<f64> {
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        (self.episodes > 0).then(|| 100.0 * count(self.invalid[side]) / count(self.episodes))
    }
}

type Verdict = Result<Vec<Action>, Unread>;

/// A step, its stored replies as the agent gave them, and how each was and is read.
struct Reread<'a> {
    step: &'a Step,
    before: Vec<Option<&'a Verdict>>,
    now: Vec<Verdict>,
}

impl<'a> Reread<'a> {
    fn of(rules: &Rules, form: &Form, step: &'a Step) -> Self {
        let replies: Vec<&Attempt> = step.attempts.iter().filter(|attempt| !attempt.cut).collect();
        let now = |attempt: &&Attempt| read_reply(rules, form, &attempt.own().reply, &step.space).verdict;
        Self {
            step,
            before: replies.iter().map(|attempt| attempt.own().verdict.as_ref()).collect(),
            now: replies.iter().map(now).collect(),
        }
    }

    /// The attempt that decided the step, from 0, and what it decided.
    fn decided(&self) -> [Option<(usize, &[Action])>; 2] {
        let ok = |(at, verdict): (usize, Option<&'a Verdict>)| Some((at, verdict?.as_ref().ok()?.as_slice()));
        let before = self.before.iter().copied().enumerate().find_map(ok);
        let now = self.now.iter().enumerate();
        [before, now.into_iter().find_map(|(at, verdict)| Some((at, verdict.as_ref().ok()?.as_slice())))]
    }

    /// Whether the step came to its end, so that having no action is an error and not an open question.
    fn ended(&self, episode: &Episode) -> bool {
        let unreadable = episode.ending() == Some(Ending::Unreadable);
        !self.before.is_empty() && (self.step.action.is_some() || self.step.passed || unreadable)
    }
}

/// Reads again and tells.
struct Again {
    rules: Rules,
    out: Output,
    json: bool,
}

impl Again {
    async fn episode(&mut self, journal: &Path) -> Result<Tally, Failure> {
        let recorded = read(journal).map_err(|error| trouble::refused(&error))?;
        let (kind, episode, _) = stage::relive(journal, &recorded).await?;
        let form = self.rules.form(&stage::form(kind, &recorded.head)?);
        let mut tally = Tally { episodes: 1, ..Tally::default() };
        for step in episode.steps() {
            let again = Reread::of(&self.rules, &form, step);
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
                self.change(journal, &again)?;
            }
        }
        Ok(tally)
    }

    /// The line of a step whose action is another now.
    fn change(&mut self, journal: &Path, again: &Reread<'_>) -> Result<(), Failure> {
        let [before, now] = again.decided();
        let at = now.or(before).map_or(0, |decided| decided.0);
        let failed = |verdict: Option<&Verdict>| verdict?.as_ref().err().map(|failure| failure.rule.clone());
        let rule = failed(again.now.get(at)).or_else(|| failed(again.before.get(at).copied().flatten()));
        let session = name(&stage::session_of(journal));
        let episode = journal.parent().map(name).unwrap_or_default();
        let (step, attempt) = (again.step.number, at + 1);
        let [before, now] = [before, now].map(|side| side.map(|side| written(side.1)));
        if self.json {
            return Ok(self.out.object(&json!({
                "type": "change", "session": session, "episode": episode, "step": step, "attempt": attempt,
                "before": before, "after": now, "rule": rule,
            }))?);
        }
        let spoken = |side: Option<String>| side.unwrap_or_else(|| "(none)".to_owned());
        let rule = rule.map_or_else(String::new, |rule| format!("  rule {rule}"));
        Ok(self.out.line(format!(
            "{session}/{episode}  step {step}  attempt {attempt}  {} -> {}{rule}",
            spoken(before),
            spoken(now),
        ))?)
    }

    fn tell(&mut self, sort: &str, what: &str, tally: &Tally) -> Result<(), Failure> {
        let ia = [0, 1].map(|side| tally.invalid_percent(side));
        if self.json {
            return Ok(self.out.object(&json!({
                "type": sort, "session": (sort == "session").then_some(what), "reader": self.rules.to_string(),
                "episodes": tally.episodes, "replies": tally.replies, "changed_steps": tally.changed,
                "parse_errors_before": tally.errors[0], "parse_errors_after": tally.errors[1],
                "ia_before": ia[0], "ia_after": ia[1],
            }))?);
        }
        let percent =
            |share: Option<f64>| share.map_or("unknown".to_owned(), |share| format!("{share:.1} %"));
        Ok(self.out.line(format!(
            "{what}  {}  {}  parse errors {} -> {}  IA {} -> {}  changed steps {}  by {}",
            many(tally.episodes, "episode", "episodes"),
            many(tally.replies, "reply", "replies"),
            tally.errors[0],
            tally.errors[1],
            percent(ia[0]),
            percent(ia[1]),
            tally.changed,
            self.rules,
        ))?)
    }
}

fn written(actions: &[Action]) -> String {
    actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", ")
}
