//! The form that builds a sweep: what can be selected, plans of selections, and the file. One thread answers, so that a key never
//! waits; only the newest selection is planned.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::runtime::Handle;

use crate::lab_task::known_names;
use mageyard_cli::sweep::{brief_lines, struck_lines};
use mageyard_config::{Config, Problem, SourceFile};
use mageyard_domain::{count_noun, table_label};
use mageyard_engine::Store;
use mageyard_lab::{Lab, model_facts, prompt_catalog};
use mageyard_screen::{
    Answer, Answers, BuilderAnswer, BuilderOrder, PlannedSelection, SweepOffers, SweepSelection,
};
use mageyard_sweep::{
    PlannedCell, SweepDraft, SweepOverrides, SweepPlan, draft_numbers, estimate_sweep, measured_times,
    plan_sweep,
};

/// The agents without a model that play by themselves.
const NOT_OFFERED: [&str; 3] = ["human", "replay", "command"];
/// The most cells whose needs are computed here.
const MOST_CELLS: usize = 400;

/// The newest selection that was to be planned; a plan of an older one is dropped.
#[derive(Default)]
pub(crate) struct BuilderTask(Arc<AtomicU64>);

impl BuilderTask {
    /// Carries out an order beside the screen.
    pub(crate) fn take(&mut self, order: BuilderOrder, lab: Lab, config: Config, answers: Answers) {
        let newest = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let newest = Newest { number: newest, of: Arc::clone(&self.0) };
        tokio::task::spawn_blocking(move || match order {
            BuilderOrder::Close => {}
            BuilderOrder::Offer => say(&answers, BuilderAnswer::Offered(offers(&lab, &config))),
            BuilderOrder::Plan(number, selection) => {
                plan(&selection, &lab, &config, &newest, |planned| {
                    say(&answers, BuilderAnswer::Planned(number, planned));
                });
            }
            BuilderOrder::Save { selection, replaces } => {
                let saved = draft(&selection, &lab).and_then(|draft| draft.save(config.folders(), replaces));
                let saved = saved.map(|path| path.map(PathBuf::from));
                say(&answers, BuilderAnswer::Saved(selection.name, saved));
            }
        });
    }
}

impl Drop for BuilderTask {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether an order is the newest one.
struct Newest {
    number: u64,
    of: Arc<AtomicU64>,
}

impl Newest {
    fn is(&self) -> bool {
        self.of.load(Ordering::Relaxed) == self.number
    }
}

fn say(answers: &Answers, answer: BuilderAnswer) {
    answers.send(Answer::Builder(answer));
}

fn offers(lab: &Lab, config: &Config) -> Result<SweepOffers, Problem> {
    let folders = config.folders();
    let levels = known_names(lab, folders).levels;
    let mut sets: Vec<String> = Vec::new();
    for set in levels.iter().filter_map(|level| Some(level.rsplit_once('/')?.0)) {
        if !sets.iter().any(|known| known == set) {
            sets.push(set.to_owned());
        }
    }
    let models = model_facts(lab, config)?.into_iter().map(|facts| facts.name);
    let prompts = lab.environments().iter().flat_map(|spec| {
        let entries = prompt_catalog(*spec, folders).entries();
        entries.into_iter().map(|entry| (spec.name().to_owned(), entry.name))
    });
    let baselines = lab.agents().iter().filter(|row| row.requests.is_none());
    let baselines = baselines.map(|row| row.name).filter(|name| !NOT_OFFERED.contains(name));
    Ok(SweepOffers {
        levels: sets.into_iter().chain(levels).collect(),
        models: models.collect(),
        baselines: baselines.map(str::to_owned).collect(),
        prompts: prompts.collect(),
    })
}

/// The selection with checked numbers, and with the agents of its models.
fn draft(selection: &SweepSelection, lab: &Lab) -> Result<SweepDraft, Problem> {
    let numbers =
        |name: &str, text: &str| draft_numbers(text).map_err(|what| Problem::new(format!("{name}: {what}")));
    let repeats = selection.repeats.trim();
    let repeats =
        repeats.parse().ok().filter(|count| (1..=10_000).contains(count)).ok_or_else(|| {
            Problem::new(format!("repeats: {repeats:?} is not a whole number from 1 to 10000"))
        })?;
    if selection.levels.is_empty() {
        return Err(
            Problem::new("no levels are selected").with_help("select a set or a level in the field levels")
        );
    }
    if selection.models.is_empty() && selection.baselines.is_empty() {
        let problem = Problem::new("neither a model nor a baseline is selected");
        return Err(problem.with_help("select what plays in the fields models and baselines"));
    }
    let model = |name: &String| Ok((lab.agent_of_model(name)?.0.name.to_owned(), name.clone()));
    Ok(SweepDraft {
        name: selection.name.clone(),
        levels: selection.levels.clone(),
        models: selection.models.iter().map(model).collect::<Result<_, Problem>>()?,
        baselines: selection.baselines.clone(),
        prompts: selection.prompts.clone(),
        am: numbers("AM", &selection.am)?,
        om: numbers("OM", &selection.om)?,
        settings: selection.settings.clone(),
        repeats,
    })
}

/// Plans a selection: first the cells, then what they need, as long as it is the newest one.
fn plan(
    selection: &SweepSelection,
    lab: &Lab,
    config: &Config,
    newest: &Newest,
    say: impl Fn(Result<PlannedSelection, Problem>),
) {
    if !newest.is() {
        return;
    }
    let (text, plan) = match planned(selection, lab, config) {
        Ok(planned) => planned,
        Err(problem) => return say(Err(problem)),
    };
    let mut shown = shown_plan(text, &plan);
    let is_large = plan.cells.len() > MOST_CELLS;
    if is_large {
        shown.summary.push(format!("`mageyard sweep plan` says what more than {MOST_CELLS} cells need."));
    }
    shown.is_complete = is_large || plan.cells.is_empty();
    say(Ok(shown.clone()));
    if shown.is_complete || !newest.is() {
        return;
    }
    match needs(&plan, lab, config) {
        Ok(lines) => shown.summary.extend(lines),
        Err(problem) => shown.summary.push(problem.to_string()),
    }
    shown.is_complete = true;
    if newest.is() {
        say(Ok(shown));
    }
}

fn planned(selection: &SweepSelection, lab: &Lab, config: &Config) -> Result<(String, SweepPlan), Problem> {
    let draft = draft(selection, lab)?;
    let text = draft.to_toml();
    let path = config.folders().sweeps().join(format!("{}.toml", draft.name));
    let sheet = SourceFile { path, text: text.as_str().into() };
    let plan = plan_sweep(lab, &sheet, &SweepOverrides::default(), config)?;
    Ok((text, plan))
}

/// The plan in words, without what the cells need.
fn shown_plan(text: String, plan: &SweepPlan) -> PlannedSelection {
    let episodes = plan.cells.iter().map(PlannedCell::episodes).sum();
    let cells = count_noun(plan.cells.len(), "cell", "cells");
    let episodes = count_noun(episodes, "episode", "episodes");
    let struck = match plan.struck.len() {
        0 => String::new(),
        count => format!(", {count} struck out"),
    };
    let cell = |(index, cell): (usize, &PlannedCell)| {
        let reference = if plan.reference_cells.contains(&index) { " (reference)" } else { "" };
        let pair = |(name, value): &(String, String)| {
            format!("{} {}", crate::sweep::short_name(name), table_label(value))
        };
        let pairs: Vec<String> = cell.coordinates.iter().map(pair).collect();
        let pairs = if pairs.is_empty() { cell.name.clone() } else { pairs.join(" · ") };
        format!("{}: {pairs}{reference}", index + 1)
    };
    PlannedSelection {
        text,
        summary: vec![format!("{cells} with {episodes}{struck}")],
        cells: plan.cells.iter().enumerate().map(cell).collect(),
        struck: struck_lines(plan),
        is_complete: false,
    }
}

/// What the cells need: calls, tokens, price and time.
fn needs(plan: &SweepPlan, lab: &Lab, config: &Config) -> Result<Vec<String>, Problem> {
    let needs = Handle::current().block_on(estimate_sweep(lab, plan))?;
    let times = measured_times(lab, plan, &Store::new(config.store_folder()))?;
    Ok(brief_lines(plan, &needs, times))
}
