//! Suites for the screen: listed, extended, and asked about.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::Asker;
use super::made::{PlannedCalls, Ready};
use mageyard_config::{Catalog, CatalogEntry, Config, Problem, load_prices};
use mageyard_domain::count_noun;
use mageyard_engine::Store;
use mageyard_lab::{WrittenArgs, known_environment, prompt_catalog, read_written_args, step_reference};
use mageyard_screen::{AddedStep, Answer, SuiteAnswer, SuiteDetails, SuiteEntry, SuiteOrder, SuiteWords};
use mageyard_study::{
    AskArgs, AskedSuite, Samples, StoredSuiteAsk, Suite, SuiteStep, SuiteStudy, add_to_suite,
    no_effect_on_suite, parse_suite, stored_suite_asks, suite_catalog, suite_file, suite_table,
};

/// The ask about a suite in progress, which stops when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct SuiteAsking(PlannedCalls);

impl SuiteAsking {
    /// Does what a person wants.
    pub(crate) fn take(&mut self, order: SuiteOrder, asker: Asker) {
        match order {
            SuiteOrder::Plan(words) => {
                self.0 = PlannedCalls::begin(words.number, &asker, asker.clone().planned_suite(words));
            }
            SuiteOrder::Make(number) => self.0.make(number),
            SuiteOrder::Stop => *self = Self::default(),
            SuiteOrder::List => {
                tokio::task::spawn_blocking(move || asker.list_suites());
            }
            SuiteOrder::Add(step) => {
                tokio::spawn(async move {
                    let added = asker.add_to_suite(step).await;
                    asker.say(SuiteAnswer::Added(added));
                    // So that completions know a new one.
                    asker.list_suites();
                });
            }
            SuiteOrder::Collect { suite, steps } => {
                tokio::spawn(async move {
                    let collected = asker.add_steps(&suite, steps, None).await;
                    asker.say(SuiteAnswer::Collected(suite, collected));
                    asker.list_suites();
                });
            }
            SuiteOrder::Read(name) => {
                tokio::spawn(async move {
                    let details = asker.suite_details(&name).await;
                    asker.say(SuiteAnswer::Read(name, details));
                });
            }
        }
    }
}

/// What plans the episodes that confirm a result.
pub(crate) fn confirming(suite: &Suite) -> String {
    format!("`mageyard ask {} --show --confirm`", suite.name)
}

impl Asker {
    fn say(&self, answer: SuiteAnswer) {
        self.answers.send(Answer::Suite(answer));
    }

    fn list_suites(&self) {
        let catalog = suite_catalog(&self.sources.folders);
        let rows = catalog.entries().iter().map(|entry| row(&catalog, entry)).collect();
        self.say(SuiteAnswer::Listed(rows));
    }

    async fn add_to_suite(&self, added: AddedStep) -> Result<String, Problem> {
        let AddedStep { suite, journal, step, why } = added;
        self.add_steps(&suite, vec![(journal, step)], why.as_deref()).await
    }

    async fn add_steps(
        &self,
        suite: &str,
        steps: Vec<(PathBuf, u32)>,
        why: Option<&str>,
    ) -> Result<String, Problem> {
        let config = self.sources.read()?;
        let store = Store::new(config.store_folder());
        let step = |(journal, step): (PathBuf, u32)| {
            let address = step_reference(&store.reference(&journal), step);
            SuiteStep::named(journal, address, step, why)
        };
        let steps: Vec<SuiteStep> = steps.into_iter().map(step).collect();
        let extended = add_to_suite(&self.lab, suite, None, &steps, &config).await;
        Ok(extended.map_err(Problem::from)?.summary())
    }

    /// What is known of a suite. Nothing is played or written.
    async fn suite_details(&self, name: &str) -> Result<SuiteDetails, Problem> {
        let config = self.sources.read()?;
        let suite = parse_suite(&suite_file(config.folders(), name)?)?;
        let spec = known_environment(&self.lab, &suite.environment)?;
        let store = Store::new(config.store_folder());
        let prices = load_prices(&config)?;
        let stored = stored_suite_asks(&self.lab, &suite, &store, &config).await;
        let table = |stored: &StoredSuiteAsk| {
            let asks = stored.asks.iter().collect();
            let asked = AskedSuite { suite: &suite, states: &stored.states, asks, outcomes: None };
            Arc::new(suite_table(&asked, &prices, &confirming(&suite), Samples::All))
        };
        let prompts = prompt_catalog(spec, config.folders()).entries();
        Ok(SuiteDetails {
            prompts: prompts.into_iter().map(|entry| entry.name).collect(),
            stored: stored.map_err(Problem::from)?.iter().map(table).collect(),
        })
    }

    /// Plans an ask about a suite.
    async fn planned_suite(self, wanted: SuiteWords) -> Result<Ready, Problem> {
        let written: WrittenArgs<AskArgs> = read_written_args(&self.lab, &wanted.words)?;
        let request = written.args.request(1, written.given_names());
        let WrittenArgs { args, given } = written;
        if args.to_end.is_some() {
            return Err(no_effect_on_suite("to-end"));
        }
        let config = self.config(given)?;
        let suite = parse_suite(&suite_file(config.folders(), &wanted.suite)?)?;
        let confirm = confirming(&suite);
        let study = SuiteStudy::plan(&self.lab, suite, (&request, args.concurrency), &config, confirm).await;
        Ok(Ready::Study(Box::new(study.map_err(Problem::from)?)))
    }
}

/// All suites.
pub(crate) fn suite_entries(config: &Config) -> Vec<SuiteEntry> {
    let catalog = suite_catalog(config.folders());
    catalog.entries().iter().map(|entry| row(&catalog, entry)).collect()
}

/// A suite in the list. A file that cannot be read does not hide the others.
fn row(catalog: &Catalog, entry: &CatalogEntry) -> SuiteEntry {
    let read = catalog.read(entry).and_then(|file| parse_suite(&file));
    SuiteEntry {
        name: entry.name.clone(),
        is_own: entry.path.is_some(),
        broken: read.as_ref().err().map(ToString::to_string),
        facts: read.as_ref().map(facts).unwrap_or_default(),
    }
}

/// How many states a suite has, their categories, and what it is for.
fn facts(suite: &Suite) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for category in suite.states.iter().filter_map(|state| state.category.as_deref()) {
        *counts.entry(category).or_default() += 1;
    }
    let states = count_noun(suite.states.len(), "state", "states");
    let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let facts = [format!("{states} of {}", suite.environment), counts.join(", "), suite.about.clone()];
    facts.into_iter().filter(|fact| !fact.is_empty()).collect()
}
