//! `report`: what sessions came to, with the errors by name.

use std::collections::BTreeMap;

use serde_json::json;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::open::runtime;
use super::output::Output;
use super::output::columns;
use super::stage;
use crate::domain::Setting;
use crate::engine::Ending;
use crate::engine::Episode;
use crate::engine::Faults;
use crate::engine::Store;
use crate::engine::Thresholds;
use crate::engine::faults;
use crate::engine::read;

/// Sum sessions up: scores, errors by name, endings
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions: names, beginnings of names, `last`, folders or journals
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

/// What is summed up together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    agent: String,
    environment: String,
    setting: Setting,
}

/// The endings that stop an agent for its own doing, and the others, in this order.
const ENDINGS: [(Ending, &str); 8] = [
    (Ending::Won, "won"),
    (Ending::Lost, "lost"),
    (Ending::PlanEnded, "plan ended"),
    (Ending::Stood, "false finish"),
    (Ending::Unreadable, "parse error"),
    (Ending::StepLimit, "step limit"),
    (Ending::TimeLimit, "time limit"),
    (Ending::Abandoned, "abandoned"),
];

/// Counts over the episodes of a group. Episodes in which a person intervened stay out.
#[derive(Debug, Default)]
struct Sum {
    episodes: usize,
    mixed: usize,
    unfinished: usize,
    scores: Vec<f64>,
    parse_errors: usize,
    invalid: usize,
    repeating: usize,
    ineffective: usize,
    steps: u64,
    endings: BTreeMap<&'static str, usize>,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let settings = &config.settings().faults;
    let thresholds = Thresholds { unchanged: settings.same_unchanged, same: settings.same };
    let store = Store::new(config.store());
    let groups = runtime()?.block_on(gather(&store, &args.runs, thresholds))?;
    let mut out = Output::open();
    if args.json {
        groups.iter().try_for_each(|(group, sum)| out.object(&object(group, sum)))?;
        return Ok(Exit::Done);
    }
    for table in [table(&groups), vec![Vec::new()], errors(&groups)] {
        columns(&table).iter().try_for_each(|line| out.line(line))?;
    }
    let notes = format!(
        "IA/RA in percent of episodes; RA from {} unchanged or {} same actions in a row on",
        thresholds.unchanged, thresholds.same
    );
    out.line(notes)?;
    Ok(Exit::Done)
}

/// Every episode of these sessions, in its group.
async fn gather(
    store: &Store,
    runs: &[String],
    thresholds: Thresholds,
) -> Result<BTreeMap<Group, Sum>, Failure> {
    let mut groups: BTreeMap<Group, Sum> = BTreeMap::new();
    for run in runs {
        for journal in store.find(run).map_err(|error| stage::unfound(&error))? {
            let recorded = read(&journal).map_err(|error| stage::refused(&error))?;
            let (kind, episode, _) = stage::relive(&journal, &recorded).await?;
            let points = kind.score(episode.returns(), episode.reference());
            groups.entry(Group::of(&episode)).or_default().add(&episode, points, thresholds);
        }
    }
    Ok(groups)
}

impl Group {
    fn of(episode: &Episode) -> Self {
        let head = episode.head();
        let (agent, environment) = (head.agent.clone(), head.environment.clone());
        Self { agent, environment, setting: head.setting }
    }
}

impl Sum {
    fn add(&mut self, episode: &Episode, points: Option<f64>, thresholds: Thresholds) {
        match episode.ending() {
            _ if episode.is_mixed() => self.mixed += 1,
            None => self.unfinished += 1,
            Some(ending) => {
                self.steps += u64::from(episode.steps_done());
                self.take(ending, points, &faults(episode, thresholds));
            }
        }
    }

    fn take(&mut self, ending: Ending, score: Option<f64>, faults: &Faults) {
        self.episodes += 1;
        self.scores.extend(score);
        self.parse_errors += faults.parse_errors;
        self.invalid += usize::from(faults.invalid.is_some());
        self.repeating += usize::from(faults.repeating.is_some());
        self.ineffective += faults.ineffective;
        let name = ENDINGS.iter().find(|row| row.0 == ending).map_or("", |row| row.1);
        *self.endings.entry(name).or_default() += 1;
    }

    /// The mean over the episodes whose score is known.
    fn score(&self) -> Option<f64> {
        let count = u32::try_from(self.scores.len()).ok().filter(|count| *count > 0)?;
        Some(self.scores.iter().sum::<f64>() / f64::from(count))
    }

    /// In percent of the episodes; `None` when there are none.
    fn share(&self, count: usize) -> Option<f64> {
        let of = |count: usize| u32::try_from(count).map(f64::from).ok();
        (self.episodes > 0).then(|| Some(100.0 * of(count)? / of(self.episodes)?))?
    }
}

fn object(group: &Group, sum: &Sum) -> serde_json::Value {
    json!({
        "agent": group.agent, "environment": group.environment, "setting": group.setting,
        "episodes": sum.episodes, "mixed": sum.mixed, "unfinished": sum.unfinished,
        "score": sum.score(), "scored": sum.scores.len(), "steps": sum.steps,
        "parse_errors": sum.parse_errors, "ineffective": sum.ineffective,
        "ia": sum.share(sum.invalid), "ra": sum.share(sum.repeating), "endings": sum.endings,
    })
}

fn table(groups: &BTreeMap<Group, Sum>) -> Vec<Vec<String>> {
    let titles =
        ["agent", "level of", "setting", "episodes", "score", "parse errors", "ineffective", "endings"];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for (group, sum) in groups {
        let aside = [(sum.mixed, "mixed"), (sum.unfinished, "unfinished")];
        let aside =
            aside.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!(" (+{count} {name})"));
        let endings =
            ENDINGS.iter().filter_map(|(_, name)| Some(format!("{} {name}", sum.endings.get(name)?)));
        rows.push(vec![
            group.agent.clone(),
            group.environment.clone(),
            group.setting.to_string(),
            format!("{}{}", sum.episodes, aside.collect::<String>()),
            sum.score().map_or_else(|| "unknown".to_owned(), |score| format!("{score:.2}")),
            sum.parse_errors.to_string(),
            format!("{} of {} steps", sum.ineffective, sum.steps),
            endings.collect::<Vec<_>>().join(", "),
        ]);
    }
    rows
}

/// The paper's table: a row an agent, a column an environment and setting, IA/RA in each cell.
fn errors(groups: &BTreeMap<Group, Sum>) -> Vec<Vec<String>> {
    let column = |group: &Group| format!("{}-{:.1}", group.environment, group.setting.to_string());
    let mut columns: Vec<String> = groups.keys().map(column).collect();
    columns.sort();
    columns.dedup();
    let mut agents: Vec<&String> = groups.keys().map(|group| &group.agent).collect();
    agents.dedup();
    let percent = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{share:.1}"));
    let mut rows = vec![[vec!["IA/RA".to_owned()], columns.clone()].concat()];
    for agent in agents {
        let cell = |wanted: &String| {
            let found = groups.iter().find(|(group, _)| group.agent == *agent && column(group) == *wanted);
            found.map_or_else(String::new, |(_, sum)| {
                format!("{}/{}", percent(sum.share(sum.invalid)), percent(sum.share(sum.repeating)))
            })
        };
        rows.push([vec![agent.clone()], columns.iter().map(cell).collect()].concat());
    }
    rows
}
